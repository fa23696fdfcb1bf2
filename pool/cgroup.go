package pool

import (
	"log/slog"
	"strconv"
	"strings"
	"sync"
)

// This file owns what the control groups of children are on every platform. How
// they are made is in cgroup_linux.go.

// NoCgroup as [Config.Cgroup] means that children have no control groups.
const NoCgroup = "none"

// groupSlack is what a child's group may use beyond the child's RLIMIT_DATA, in
// bytes: what the kernel counts for a group and that limit does not. These are page
// tables (2 MiB for each GiB), the main stack (8 MiB), kernel stacks, buffers of
// the channel, and pages of the binary, which it can take back. It is generous:
// RLIMIT_DATA ends a program first; this bounds what a child could map around it.
const groupSlack = 64 << 20

// groups makes a control group for each child of a pool. Its methods may be called
// from any goroutine.
type groups struct {
	parent   string // the group in which they are made; "": there are none
	required bool   // the configuration names it: no child without
	prefix   string // of the names of this pool's groups
	logger   *slog.Logger

	mu     sync.Mutex
	reason string // guarded by mu; why a child has none
}

// state returns the path of the group in which children have theirs, or "", and
// why the last child has none.
func (g *groups) state() (path, reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.parent, g.reason
}

// lack notes why a child has no group.
func (g *groups) lack(reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reason = reason
}

// ranOut reports whether memory.events says that the kernel has killed processes of
// the group because the group had reached its own limit. When only oom_kill counts,
// the memory of the machine or of a group above had run out. See "Memory Interface
// Files" in the kernel's document on cgroup v2.
func ranOut(events string) bool {
	counts := map[string]int64{}
	for line := range strings.Lines(events) {
		if name, number, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			if n, err := strconv.ParseInt(number, 10, 64); err == nil {
				counts[name] = n
			}
		}
	}
	return counts["oom"] > 0 && counts["oom_kill"] > 0
}
