package server_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isogate/isogate/server"
)

// This file owns the tests of where a unix socket may be.

func TestListenUnix(t *testing.T) {
	folder, err := os.MkdirTemp("", "isogate")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "s")
	refused := func(what, path, want string) {
		t.Helper()
		l, err := server.ListenUnix(path, 0)
		if err == nil {
			l.Close()
			t.Errorf("%s: it listens", what)
		} else if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: the error is %v, want %q and the path", what, err, want)
		}
	}
	l, err := server.ListenUnix(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket has the mode %v, %v", info.Mode(), err)
	}
	refused("a socket that is in use", path, "another server listens")
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	// Now it is stale, as a process that was killed leaves it.
	l, err = server.ListenUnix(path, 0o660)
	if err != nil {
		t.Fatalf("a stale socket: %v", err)
	}
	l.Close()
	if _, err := os.Lstat(path); err == nil {
		t.Error("the socket is left behind")
	}

	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("a file", path, "is no socket")
	if text, err := os.ReadFile(path); err != nil || string(text) != "precious" {
		t.Errorf("the file is %q, %v", text, err)
	}
	link := filepath.Join(folder, "l")
	for _, target := range []string{path, filepath.Join(folder, "nothing")} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		refused("a link to "+target, link, "is a link")
		os.Remove(link)
	}
	refused("a relative path", "s", "not absolute")
	refused("a long path", "/"+strings.Repeat("x", 200), "the limit is 107")
	refused("no folder", filepath.Join(folder, "none", "s"), "no such file")
	os.Remove(path)
	for _, mode := range []os.FileMode{0o750, 0o701, 0o722} {
		if err := os.Chmod(folder, mode); err != nil {
			t.Fatal(err)
		}
		refused("a folder of mode "+mode.String(), path, "the folder "+folder)
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if l, err := server.ListenUnix(path, 0o666); err != nil {
		t.Errorf("a socket for everybody, in a folder that is open to all: %v", err)
	} else {
		l.Close()
	}
	if os.Geteuid() != 0 {
		t.Log("not run as root: sockets and folders of other users are not tried")
		return
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	stale, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	stale.Close()
	if err := os.Chown(path, 12345, -1); err != nil {
		t.Fatal(err)
	}
	refused("a socket of another user", path, "belongs to user 12345")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(folder, 12345, -1); err != nil {
		t.Fatal(err)
	}
	refused("a folder of another user", path, "belongs to user 12345")
}
