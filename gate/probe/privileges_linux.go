package probe

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns the probes that would gain rights or undo what was given up. The
// identity, priority and capabilities that they change are those of their thread.

var privilegeActs = map[string]act{
	"dumpable": func(*Target) (string, error) {
		return done("prctl", unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0))
	},
	"seen-dumpable": func(*Target) (string, error) {
		return asked(unix.PR_GET_DUMPABLE, 1, "it can be traced", "it is not dumpable")
	},
	"gains-by-execve": func(*Target) (string, error) {
		return asked(unix.PR_GET_NO_NEW_PRIVS, 0, "a set-user-id program would give it rights", "no program gives it rights")
	},
	"outlive-parent": func(*Target) (string, error) {
		return done("prctl", unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0))
	},
	"adopt-orphans": func(*Target) (string, error) {
		return done("prctl", unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
	},
	"keep-capabilities": func(*Target) (string, error) {
		return done("prctl", unix.Prctl(unix.PR_SET_KEEPCAPS, 1, 0, 0, 0))
	},
	"user-namespace": func(*Target) (string, error) {
		return startProcess("clone", unix.SYS_CLONE, unix.CLONE_NEWUSER|uintptr(unix.SIGCHLD), 0)
	},
	"user-namespace-anew": func(*Target) (string, error) { return cloneAnew(unix.CLONE_NEWUSER) },
	"join-namespace": func(*Target) (string, error) {
		// Descriptor 0 is no namespace.
		return considered(tried("setns", unix.Setns(0, unix.CLONE_NEWUTS)), unix.EINVAL)
	},
	"set-capabilities":    func(*Target) (string, error) { return setCapabilities(0) },
	"gain-capability":     func(*Target) (string, error) { return setCapabilities(1 << unix.CAP_SYS_ADMIN) },
	"become-root":         func(*Target) (string, error) { return setIdentity("setresuid", unix.SYS_SETRESUID, 0) },
	"become-another-user": func(*Target) (string, error) { return setIdentity("setresuid", unix.SYS_SETRESUID, otherUser) },
	"leave-groups": func(*Target) (string, error) {
		_, err := raw("setgroups", unix.SYS_SETGROUPS, 0, 0, 0, 0, 0, 0)
		return done("setgroups", err)
	},
	"raise-priority": func(*Target) (string, error) {
		return done("setpriority", unix.Setpriority(unix.PRIO_PROCESS, 0, -5))
	},
	"real-time":         realTime,
	"choose-processors": chooseProcessors,
	"input-priority":    inputPriority,
}

// otherUser is a number that no user of the machine is expected to have.
const otherUser = 61234

// asked reads a state of this process by prctl. The value is what leaves the way open.
func asked(option int, open uintptr, reached, closed string) (string, error) {
	value, err := raw("prctl", unix.SYS_PRCTL, uintptr(option), 0, 0, 0, 0, 0)
	if err != nil {
		return "", err
	}
	if value != open {
		return "", state(closed)
	}
	return reached, nil
}

// setCapabilities sets this thread's capabilities to those it may have, and more.
func setCapabilities(more uint32) (string, error) {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return "", tried("capget", err)
	}
	data[0].Permitted |= more
	data[0].Effective = data[0].Permitted
	data[1].Effective = data[1].Permitted
	return done("capset", unix.Capset(&header, &data[0]))
}

func setIdentity(call string, number, user uintptr) (string, error) {
	_, err := raw(call, number, user, user, user, 0, 0, 0)
	return done(call, err)
}

// realTime asks for the lowest of the priorities before all others, for its thread,
// and gives it back.
func realTime(*Target) (string, error) {
	priority := int32(1)
	if _, err := raw("sched_setscheduler", unix.SYS_SCHED_SETSCHEDULER, 0, unix.SCHED_FIFO, uintptr(unsafe.Pointer(&priority)), 0, 0, 0); err != nil {
		return "", err
	}
	priority = 0
	_, err := raw("sched_setscheduler", unix.SYS_SCHED_SETSCHEDULER, 0, unix.SCHED_NORMAL, uintptr(unsafe.Pointer(&priority)), 0, 0, 0)
	return done("sched_setscheduler", err)
}

// chooseProcessors chooses those that it has.
func chooseProcessors(*Target) (string, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return "", tried("sched_getaffinity", err)
	}
	return done("sched_setaffinity", unix.SchedSetaffinity(0, &set))
}

// inputPriority chooses the lowest of the common class. See ioprio_set(2).
func inputPriority(*Target) (string, error) {
	const thread, bestEffort, lowest = 1, 2 << 13, 7
	_, err := raw("ioprio_set", unix.SYS_IOPRIO_SET, thread, 0, bestEffort|lowest, 0, 0, 0)
	return done("ioprio_set", err)
}
