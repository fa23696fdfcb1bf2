package probe

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns the probes that would change the machine. Where one succeeds it
// does so in a namespace that ends with its thread, or its arguments cannot take
// effect: a folder that is not there, a name that is too long, a wrong number.

var systemActs = map[string]act{
	"mount": mount,
	"mount-call": func(t *Target) (string, error) {
		return considered(tried("mount", unix.Mount("probe", t.in(absent), "tmpfs", 0, "")), unix.ENOENT)
	},
	"mount-anew": func(*Target) (string, error) {
		fd, err := unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)
		return descriptor("fsopen", fd, err)
	},
	"unmount": func(t *Target) (string, error) {
		return considered(tried("umount2", unix.Unmount(t.in(absent), unix.MNT_DETACH)), unix.ENOENT)
	},
	"copy-mounts": func(*Target) (string, error) { return done("unshare", unix.Unshare(unix.CLONE_NEWNS)) },
	"change-root": func(*Target) (string, error) { return done("chroot", unix.Chroot("/")) },
	"swap-root": func(t *Target) (string, error) {
		return considered(tried("pivot_root", unix.PivotRoot(t.in(absent), t.in(absent))), unix.ENOENT)
	},
	"reboot": func(*Target) (string, error) {
		// Both magic numbers are wrong. See reboot(2).
		_, err := raw("reboot", unix.SYS_REBOOT, 0, 0, 0, 0, 0, 0)
		return considered(err, unix.EINVAL)
	},
	"host-name": func(*Target) (string, error) {
		return considered(tried("sethostname", unix.Sethostname(make([]byte, 65))), unix.EINVAL)
	},
	"set-clock": func(*Target) (string, error) {
		return considered(tried("clock_settime", unix.ClockSettime(unix.CLOCK_REALTIME, &unix.Timespec{Sec: -1, Nsec: -1})), unix.EINVAL)
	},
	"tune-clock": func(*Target) (string, error) {
		_, err := unix.Adjtimex(new(unix.Timex)) // changes nothing
		return done("adjtimex", err)
	},
	"swap-space": func(t *Target) (string, error) { return byPath("swapon", unix.SYS_SWAPON, t.in(absent)) },
	"quotas":     quotas,
	"accounting": func(t *Target) (string, error) { return byPath("acct", unix.SYS_ACCT, t.in(absent)) },
}

// absent is a name that is not in the target's folder.
const absent = "absent"

// mount mounts a file system over the target's folder, in a namespace that only this
// thread has.
func mount(t *Target) (string, error) {
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return "", tried("unshare", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return "", tried("mount", err)
	}
	return done("mount", unix.Mount("probe", t.Directory, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "size=64k"))
}

// byPath makes a call on a file that is not there, with no flags.
func byPath(call string, number uintptr, path string) (string, error) {
	name, err := unix.BytePtrFromString(path)
	if err != nil {
		return "", err
	}
	_, err = raw(call, number, uintptr(unsafe.Pointer(name)), 0, 0, 0, 0, 0)
	return considered(err, unix.ENOENT)
}

// quotas asks for the format of quotas on a device that is not there. See quotactl(2).
func quotas(t *Target) (string, error) {
	const format = 0x800004 << 8 // Q_GETFMT
	name, err := unix.BytePtrFromString(t.in(absent))
	if err != nil {
		return "", err
	}
	var answer [16]byte
	_, err = raw("quotactl", unix.SYS_QUOTACTL, format, uintptr(unsafe.Pointer(name)), 0, uintptr(unsafe.Pointer(&answer)), 0, 0)
	return considered(err, unix.ENOENT)
}
