package pool

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// This file owns the tests of finding a control group.

func TestLocateGroup(t *testing.T) {
	const v2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	for _, c := range []struct {
		name, mounts, memberships string
		own, top, wrong           string
	}{
		{"a service", v2, "0::/system.slice/a.service\n", "/sys/fs/cgroup/system.slice/a.service", "/sys/fs/cgroup", ""},
		{"the root", v2, "0::/\n", "/sys/fs/cgroup", "/sys/fs/cgroup", ""},
		{"beside v1", "40 30 0:36 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n40 30 0:37 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
			"4:memory:/x\n0::/a\n", "/sys/fs/cgroup/unified/a", "/sys/fs/cgroup/unified", ""},
		{"a part is mounted", "30 23 0:26 /a /mnt/a rw - cgroup2 cgroup2 rw\n", "0::/a/b\n", "/mnt/a/b", "/mnt/a", ""},
		{"another part is mounted first", "30 23 0:26 /ab /mnt/ab rw - cgroup2 cgroup2 rw\n" + v2, "0::/a\n", "/sys/fs/cgroup/a", "/sys/fs/cgroup", ""},
		{"only another part is mounted", "30 23 0:26 /ab /mnt/ab rw - cgroup2 cgroup2 rw\n", "0::/a\n", "", "", "nowhere mounted"},
		{"outside of the namespace", v2, "0::/../a\n", "", "", "outside of its cgroup namespace"},
		{"a name with a space", "30 23 0:26 / /mnt/a\\040b rw - cgroup2 cgroup2 rw\n", "0::/c d\n", "/mnt/a b/c d", "/mnt/a b", ""},
		{"no v2", "40 30 0:36 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", "4:memory:/x\n", "", "", "in no group"},
		{"nothing", "", "", "", "", "in no group"},
		{"not mounted", "", "0::/\n", "", "", "nowhere mounted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			own, top, err := locateGroup(c.mounts, c.memberships)
			if own != c.own || top != c.top || (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%q, %q, %v; want %q, %q, an error with %q", own, top, err, c.own, c.top, c.wrong)
			}
		})
	}
}

// FuzzLocateGroup checks that what is found is below where it is mounted.
func FuzzLocateGroup(f *testing.F) {
	f.Add("30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n", "0::/a\n")
	f.Add("30 23 0:26 /a /mnt/a\\040b rw - cgroup2 cgroup2 rw\n", "4:memory:/x\n0::/a/../b\n")
	f.Fuzz(func(t *testing.T, mounts, memberships string) {
		own, top, err := locateGroup(mounts, memberships)
		if err != nil {
			return
		}
		if own != filepath.Clean(top) && !strings.HasPrefix(own, strings.TrimSuffix(filepath.Clean(top), "/")+"/") {
			t.Errorf("the group %q is not below %q", own, top)
		}
	})
}

func TestDelegated(t *testing.T) {
	path := testGroup(t)
	if delegated(path) {
		t.Error("a group without the mark counts as delegated")
	}
	for name, value := range map[string]string{"user.delegate": "1", "trusted.delegate": "1"} {
		if err := unix.Setxattr(path, name, []byte(value), 0); err != nil {
			t.Skipf("no attribute %s can be set here: %v", name, err)
		}
		if !delegated(path) {
			t.Errorf("%s=%s does not count", name, value)
		}
		if err := unix.Setxattr(path, name, []byte("0"), 0); err != nil {
			t.Fatal(err)
		}
		if delegated(path) {
			t.Errorf("%s=0 counts", name)
		}
	}
}
