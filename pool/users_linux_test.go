package pool_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
)

// This file owns the tests of the users of a child's user namespace.

// TestUsers reads from outside which users a child's namespace has, in the form of
// user_namespaces(7): the number inside, the number outside, how many.
func TestUsers(t *testing.T) {
	user, group := os.Geteuid(), os.Getegid()
	tests := []struct {
		name          string
		sealing       map[string]child.Level
		users, groups []string
		setgroups     string
	}{
		{
			name:  "with a user to change to",
			users: both(user), groups: both(group), setgroups: allowed(user),
		},
		{
			name: "without", sealing: map[string]child.Level{child.Identity: child.Off},
			users: []string{fmt.Sprintf("65534 %d 1", user)}, groups: []string{fmt.Sprintf("65534 %d 1", group)}, setgroups: "deny",
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := newPool(t, pool.Config{Size: 1, Sealing: tc.sealing})
			for _, s := range p.Stats().Sealing {
				if s.Measure == child.UserNamespace && !s.InForce {
					t.Skip("children have no user namespace here: " + s.Reason)
				}
			}
			pid := p.Stats().Children[0].PID
			for file, want := range map[string][]string{"uid_map": tc.users, "gid_map": tc.groups, "setgroups": {tc.setgroups}} {
				text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
				if err != nil {
					t.Fatal(err)
				}
				var lines []string
				for line := range strings.Lines(string(text)) {
					lines = append(lines, strings.Join(strings.Fields(line), " "))
				}
				if strings.Join(lines, "\n") != strings.Join(want, "\n") {
					t.Errorf("%s holds %q, must hold %q", file, lines, want)
				}
			}
			wantValue(t, execute(t, p, "() => 6 * 7"), "42")
		})
	}
}

// both returns the users of a child of that user: itself, and nobody if it is root.
func both(id int) []string {
	if os.Geteuid() != 0 {
		return []string{fmt.Sprintf("65534 %d 1", id)}
	}
	return []string{fmt.Sprintf("65533 %d 1", id), "65534 65534 1"}
}

func allowed(user int) string {
	if user != 0 {
		return "deny"
	}
	return "allow"
}

// TestUsersOfNobody writes the users of a process that is not there.
func TestUsersOfNobody(t *testing.T) {
	err := pool.WriteUsers(1<<30, []string{child.UserNamespace})
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("/proc/%d/setgroups", 1<<30)) {
		t.Errorf("the error is %v", err)
	}
}
