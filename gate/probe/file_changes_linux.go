package probe

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// This file owns the probes that change files. All of them are in the folder that
// was made for them.

var fileChangeActs = map[string]act{
	"create-file": func(t *Target) (string, error) {
		fd, err := unix.Openat(unix.AT_FDCWD, t.in("created"), unix.O_CREAT|unix.O_EXCL|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
		return descriptor("openat", fd, err)
	},
	"write-existing": writeExisting,
	"truncate-file":  func(t *Target) (string, error) { return done("truncate", unix.Truncate(t.in(Existing), 0)) },
	"delete-file": func(t *Target) (string, error) {
		return done("unlinkat", unix.Unlinkat(unix.AT_FDCWD, t.in(Existing), 0))
	},
	"rename-file": func(t *Target) (string, error) {
		return done("renameat", unix.Renameat(unix.AT_FDCWD, t.in(Existing), unix.AT_FDCWD, t.in("renamed")))
	},
	"make-folder": func(t *Target) (string, error) {
		return done("mkdirat", unix.Mkdirat(unix.AT_FDCWD, t.in("folder"), 0o700))
	},
	"link-file": func(t *Target) (string, error) {
		return done("linkat", unix.Linkat(unix.AT_FDCWD, t.in(Existing), unix.AT_FDCWD, t.in("linked"), 0))
	},
	"make-symbolic-link": func(t *Target) (string, error) {
		return done("symlinkat", unix.Symlinkat(wellKnown, unix.AT_FDCWD, t.in("symbolic")))
	},
	"change-mode": func(t *Target) (string, error) {
		return done("fchmodat", unix.Fchmodat(unix.AT_FDCWD, t.in(Existing), 0o600, 0))
	},
	"set-times": func(t *Target) (string, error) {
		times := []unix.Timespec{{Sec: 1}, {Sec: 1}}
		return done("utimensat", unix.UtimesNanoAt(unix.AT_FDCWD, t.in(Existing), times, 0))
	},
	"make-pipe-file": func(t *Target) (string, error) {
		return done("mknodat", unix.Mknodat(unix.AT_FDCWD, t.in("pipe"), unix.S_IFIFO|0o600, 0))
	},
}

// in returns the path of a name in the target's folder.
func (t *Target) in(name string) string { return filepath.Join(t.Directory, name) }

func writeExisting(t *Target) (string, error) {
	fd, err := unix.Openat(unix.AT_FDCWD, t.in(Existing), unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", tried("openat", err)
	}
	defer unix.Close(fd)
	_, err = unix.Write(fd, []byte("changed"))
	return done("write", err)
}
