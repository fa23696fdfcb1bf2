package server

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// This file owns unix sockets: that they are where nobody else can put one.

// maxSocketPath is the longest path of a unix socket in bytes, see unix(7).
const maxSocketPath = 107

// ListenUnix listens on a unix socket, which has the given mode (0600 when zero).
//
// Whoever can replace the socket can take its clients' programs. So the folder
// must belong to this user or root, and every folder above it too, none of them
// writable by others unless it is sticky. The folder itself must be closed to
// others (0700), or, when the mode opens the socket to others, not writable by
// them. The path must be free, or a socket of this user on which nobody listens
// any more, which is removed. A link is refused, whatever it leads to.
func ListenUnix(path string, mode fs.FileMode) (net.Listener, error) {
	if mode == 0 {
		mode = 0o600
	}
	wrong := func(err error) (net.Listener, error) { return nil, fmt.Errorf("socket %s: %w", path, err) }
	if !filepath.IsAbs(path) {
		return wrong(errors.New("the path is not absolute"))
	}
	if len(path) > maxSocketPath {
		return wrong(fmt.Errorf("the path has %d bytes, the limit is %d", len(path), maxSocketPath))
	}
	if err := checkFolder(filepath.Dir(path), mode&0o077 == 0); err != nil {
		return wrong(err)
	}
	if err := clearPath(path); err != nil {
		return wrong(err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return wrong(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		l.Close()
		return wrong(err)
	}
	return l, nil
}

// checkFolder reports why a socket's folder is not safe, or those above it.
func checkFolder(folder string, closed bool) error {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return err
	}
	for at, first := real, true; ; at, first = filepath.Dir(at), false {
		info, err := os.Lstat(at)
		if err != nil {
			return err
		}
		owner, err := ownerOf(info)
		if err != nil {
			return err
		}
		mode := info.Mode()
		switch {
		case !info.IsDir():
			return fmt.Errorf("%s is no folder", at)
		case owner != os.Geteuid() && owner != 0:
			return fmt.Errorf("the folder %s belongs to user %d, neither to this one nor to root", at, owner)
		case first && closed && mode.Perm()&0o077 != 0:
			return fmt.Errorf("the folder %s is open to others (mode %04o): chmod 0700 it, or open the socket to others too", at, mode.Perm())
		case mode.Perm()&0o022 != 0 && (first || mode&fs.ModeSticky == 0):
			return fmt.Errorf("the folder %s can be written by others (mode %04o)", at, mode.Perm())
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// clearPath removes a socket that this user has left there, and refuses anything else.
func clearPath(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	owner, err := ownerOf(info)
	if err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("it is a link; remove it first")
	case info.Mode()&fs.ModeSocket == 0:
		return errors.New("it exists and is no socket; remove it first")
	case owner != os.Geteuid():
		return fmt.Errorf("it exists and belongs to user %d; remove it first", owner)
	}
	c, err := net.Dial("unix", path)
	if err == nil {
		c.Close()
		return errors.New("another server listens on it")
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("it exists, and whether somebody listens on it cannot be told: %w", err)
	}
	return os.Remove(path)
}

// ownerOf returns the user id of a file's owner.
func ownerOf(info fs.FileInfo) (int, error) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, errors.New("this system does not tell whose the file is")
	}
	return int(stat.Uid), nil
}
