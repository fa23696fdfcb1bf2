package native

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/isogate/isogate/server"
)

// This file owns the attacks on the place of a socket.

var networkSockets = []Attack{
	{Name: "network-socket-taken", Source: "W22", Title: "a socket's path that is a link, a file, a folder or another server's socket is refused and left as it is", Run: socketTaken},
	{Name: "network-socket-folder", Source: "W22", Title: "a socket in a folder that others can change or enter is refused", Run: socketFolder},
	{Name: "network-socket-of-another-user", Source: "W22", Title: "a path or a folder of another user is refused", Run: socketOfAnotherUser},
	{Name: "network-socket-mode", Source: "W22", Title: "a socket is closed to other users", Run: socketMode},
	{Name: "network-socket-left", Source: "own", Canary: true, Title: "a socket that a server has left behind is replaced", Run: socketLeft},
}

// wantNoSocket demands that nothing listens at the path, as it is.
func wantNoSocket(what, path string) error {
	before, beforeErr := os.Lstat(path)
	l, err := server.ListenUnix(path, 0)
	if err == nil {
		l.Close()
		return violated("%s: the server listens on %s", what, filepath.Base(path))
	}
	after, afterErr := os.Lstat(path)
	switch {
	case beforeErr != nil && afterErr != nil:
		return nil
	case beforeErr != nil || afterErr != nil || !os.SameFile(before, after):
		return violated("%s: the path was changed", what)
	}
	return nil
}

func socketTaken(_ context.Context, h *Host) error {
	folder, err := h.tempDir()
	if err != nil {
		return err
	}
	at := func(name string) string { return filepath.Join(folder, name) }
	other, err := net.Listen("unix", at("other"))
	if err != nil {
		return err
	}
	defer other.Close()
	dead, err := deadSocket(at("dead"))
	if err != nil {
		return err
	}
	for name, target := range map[string]string{"link": at("nowhere"), "link-to-dead": dead, "link-to-other": at("other"), "link-to-file": at("file")} {
		if err := os.Symlink(target, at(name)); err != nil {
			return err
		}
	}
	if err := os.WriteFile(at("file"), []byte("kept"), 0o600); err != nil {
		return err
	}
	if err := os.Mkdir(at("folder"), 0o700); err != nil {
		return err
	}
	for _, name := range []string{"other", "link", "link-to-dead", "link-to-other", "link-to-file", "file", "folder"} {
		if err := wantNoSocket(name, at(name)); err != nil {
			return err
		}
	}
	if text, err := os.ReadFile(at("file")); err != nil || string(text) != "kept" {
		return violated("the file at the path has %q (%v)", text, err)
	}
	if _, err := os.Lstat(at("nowhere")); err == nil {
		return violated("what a link leads to was made")
	}
	for what, path := range map[string]string{"a relative path": "socket", "a path that is too long": at(strings.Repeat("s", 200)), "a folder that is not there": at("none/socket")} {
		if err := wantNoSocket(what, path); err != nil {
			return err
		}
	}
	return nil
}

// deadSocket leaves a socket on which nobody listens.
func deadSocket(path string) (string, error) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return "", err
	}
	l.SetUnlinkOnClose(false)
	return path, l.Close()
}

func socketFolder(_ context.Context, h *Host) error {
	folder, err := h.tempDir()
	if err != nil {
		return err
	}
	for _, mode := range []fs.FileMode{0o777, 0o777 | fs.ModeSticky, 0o770, 0o755, 0o710, 0o701, 0o722} {
		inner := filepath.Join(folder, fmt.Sprintf("%o", uint32(mode)))
		below := filepath.Join(inner, "below")
		if err := os.MkdirAll(below, 0o700); err != nil {
			return err
		}
		if err := os.Chmod(inner, mode); err != nil { // which no mask changes
			return err
		}
		if err := wantNoSocket(fmt.Sprintf("a folder of mode %v", mode), filepath.Join(inner, "socket")); err != nil {
			return err
		}
		link := filepath.Join(folder, fmt.Sprintf("link-%o", uint32(mode)))
		if err := os.Symlink(inner, link); err != nil {
			return err
		}
		if err := wantNoSocket(fmt.Sprintf("a link to a folder of mode %v", mode), filepath.Join(link, "socket")); err != nil {
			return err
		}
		// What others can write is not safe further up either, unless it is sticky.
		if mode.Perm()&0o022 != 0 && mode&fs.ModeSticky == 0 {
			if err := wantNoSocket(fmt.Sprintf("a folder in one of mode %v", mode), filepath.Join(below, "socket")); err != nil {
				return err
			}
		}
	}
	return nil
}

func socketOfAnotherUser(_ context.Context, h *Host) error {
	if os.Geteuid() != 0 {
		return fmt.Errorf("%w: only root can make files of another user", ErrUnsupported)
	}
	const other = 65534
	folder, err := h.tempDir()
	if err != nil {
		return err
	}
	path, err := deadSocket(filepath.Join(folder, "socket"))
	if err != nil {
		return err
	}
	inner := filepath.Join(folder, "inner")
	if err := os.MkdirAll(filepath.Join(inner, "below"), 0o700); err != nil {
		return err
	}
	for _, name := range []string{path, inner} {
		if err := os.Lchown(name, other, other); err != nil {
			return err
		}
	}
	for what, path := range map[string]string{
		"a socket of another user": path, "a folder of another user": filepath.Join(inner, "socket"), "a folder in one of another user": filepath.Join(inner, "below", "socket"),
	} {
		if err := wantNoSocket(what, path); err != nil {
			return err
		}
	}
	return nil
}

func socketMode(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	info, err := os.Lstat(e.path)
	if err != nil {
		return err
	}
	if mode := info.Mode(); mode.Perm() != 0o600 || mode&fs.ModeSocket == 0 {
		return violated("the mode of the socket is %v, must be 0600", mode)
	}
	return nil
}

func socketLeft(_ context.Context, h *Host) error {
	folder, err := h.tempDir()
	if err != nil {
		return err
	}
	path, err := deadSocket(filepath.Join(folder, "socket"))
	if err != nil {
		return err
	}
	l, err := server.ListenUnix(path, 0)
	if err != nil {
		return violated("a socket that was left behind is refused: %v", err)
	}
	return l.Close()
}
