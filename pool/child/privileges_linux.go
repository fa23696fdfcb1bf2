package child

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/cap"
)

// This file owns who a child is and what it may do as that user. Identity,
// capabilities and no_new_privs belong to each thread; the C library and libpsx change them on all
// threads at once.

// The users that a parent that is root gives a child's user namespace. A child
// starts as rootAlias, which is root outside, because its binary may be readable
// by root only, and becomes Nobody when it has no more files to open.
const (
	RootAlias = 65533
	Nobody    = 65534
)

// gainNoPrivileges gives up, on all threads, gaining rights by execve. The promise
// belongs to each thread, and Go's runtime has several before any code of a program
// runs. See PR_SET_NO_NEW_PRIVS(2const).
//
//gate:protects privileges-dropped child-sealed-in-layers
func gainNoPrivileges() error {
	if err := reachThreads(); err != nil {
		return err
	}
	_, err := cap.Prctlw(unix.PR_SET_NO_NEW_PRIVS, 1)
	return err
}

// becomeNobody changes to the user and group nobody, who owns no file and no
// process, where the parent gave the child that user.
//
//gate:protects sealed-as-reported child-sealed-in-layers
func becomeNobody(s *sealing) error {
	switch id := os.Getuid(); {
	case id == Nobody:
		return errors.New("it runs as the user of its parent, who is not root or has no other user to give")
	case id != RootAlias && id != 0:
		return fmt.Errorf("it runs as user %d of its parent", id)
	case id == 0 && s.wanted[UserNamespace]:
		return errors.New("its user namespace has no user to change to")
	}
	if err := syscall.Setgroups([]int{}); err != nil {
		return fmt.Errorf("leaving the groups: %w", err)
	}
	if err := syscall.Setresgid(Nobody, Nobody, Nobody); err != nil {
		return fmt.Errorf("changing the group: %w", err)
	}
	if err := syscall.Setresuid(Nobody, Nobody, Nobody); err != nil {
		return fmt.Errorf("changing the user: %w", err)
	}
	// The kernel makes a process whose user changed dumpable as its default says.
	return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}

// dropCapabilities empties the effective, permitted, inheritable and ambient
// capability sets of all threads. See capabilities(7).
//
// The bounding set stays as it is. It limits what an execve could give, which
// no_new_privileges forbids whatever it holds, and it can only be emptied one
// capability and one thread at a time: measured, 41 signals to every thread and
// 5 to 13 ms, as much as all other measures together.
//
//gate:protects sealed-as-reported child-sealed-in-layers
func dropCapabilities() error {
	if err := reachThreads(); err != nil {
		return err
	}
	if err := cap.NewSet().SetProc(); err != nil {
		return fmt.Errorf("emptying the capability sets: %w", err)
	}
	if left := cap.GetProc().String(); left != "=" {
		return fmt.Errorf("left are %s", left)
	}
	return nil
}
