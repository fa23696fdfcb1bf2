package child

import (
	"errors"
	"os"
	"time"
)

// This file owns a child's wait for the users of its user namespace, which the
// parent writes when the child runs already (package pool, users_linux.go).

// usersTimeout bounds the wait. The parent writes them at once, in less time than
// this process takes to get here.
const usersTimeout = 10 * time.Second

// awaitUsers returns when the users of this process's user namespace are known.
// Before that it has no user that it could change to, and can mount nothing.
func awaitUsers(s *sealing) error {
	if !s.wanted[UserNamespace] {
		return nil
	}
	for begun := time.Now(); time.Since(begun) < usersTimeout; time.Sleep(50 * time.Microsecond) {
		users, err := os.ReadFile("/proc/self/uid_map")
		if err != nil || len(users) > 0 {
			return err
		}
	}
	return errors.New("its user namespace has no users")
}
