package pool

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/pool/child"
)

// This file owns the users of a child's user namespace. See user_namespaces(7).
//
// They are written here and not by the call that starts the process. That call would
// have the child wait for its users in a copy of this process, whose page tables
// would have to be copied. As it is, the child runs in the memory of this process
// until it executes its binary, and waits after that (package child). Measured, this
// saves 3 ms of a start, and 60 ms more for each GiB of memory that this process has.

// userMap is what a user namespace is to know of the users outside it: for each file,
// texts to try in turn.
type userMap struct {
	users, groups []string // for /proc/pid/uid_map and gid_map
	setgroups     []string // for /proc/pid/setgroups
}

// newUserMap returns the users of a child that takes the measures: the one it runs
// as and, if this process is root, the user nobody to change to. A root that is one
// only in a user namespace of its own may have no nobody to give.
func newUserMap(measures []string) userMap {
	user, group := os.Geteuid(), os.Getegid()
	// The child's own number is then the one that says that there is none to change to.
	alone := func(own int) string { return idMap(child.Nobody, own) }
	if user != 0 || !slices.Contains(measures, child.Identity) {
		// Who is not root must forbid the namespace to leave groups: user_namespaces(7).
		return userMap{users: []string{alone(user)}, groups: []string{alone(group)}, setgroups: []string{"deny"}}
	}
	both := func(own int) string { return idMap(child.RootAlias, own) + idMap(child.Nobody, child.Nobody) }
	return userMap{
		users: []string{both(user), alone(user)}, groups: []string{both(group), alone(group)}, setgroups: []string{"allow", "deny"},
	}
}

// idMap is one line of a map: the number inside stands for that number outside.
func idMap(inside, outside int) string { return fmt.Sprintf("%d %d 1\n", inside, outside) }

// write gives the map to the namespace that the process was started in. The users
// are last, because the child takes them as the sign that all is written.
func (m userMap) write(pid int) error {
	for _, file := range []struct {
		name  string
		texts []string
	}{{"setgroups", m.setgroups}, {"gid_map", m.groups}, {"uid_map", m.users}} {
		var err error
		for _, text := range file.texts {
			if err = writeOnce(fmt.Sprintf("/proc/%d/%s", pid, file.name), text); err == nil {
				break
			}
		}
		if err != nil {
			return fmt.Errorf("the users of its namespace: %w", err)
		}
	}
	return nil
}

// writeOnce writes a text with one call, as these files demand it.
func writeOnce(name, text string) error {
	fd, err := unix.Open(name, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		_, err = unix.Write(fd, []byte(text))
		unix.Close(fd)
	}
	if err != nil {
		return &os.PathError{Op: "write", Path: name, Err: err}
	}
	return nil
}
