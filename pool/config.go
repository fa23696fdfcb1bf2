package pool

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the configuration of a pool and its defaults.

// Config configures a pool. A zero field takes the default in its comment.
type Config struct {
	// Size is how many executions run at one moment, each in its own child.
	// Default: the number of CPUs that Go uses. At most 1024.
	Size int
	// QueueLength is how many executions may wait for a child; one more is
	// refused with [protocol.Overloaded]. Default 64; negative means none waits.
	QueueLength int
	// QueueTimeout is how long an execution may wait before it fails with
	// [protocol.QueueDeadline]. Default 10 s.
	QueueTimeout time.Duration
	// MaxDepth is how deep executions may be nested, see [ExecutionID]: 1 means
	// not at all. While nested ones run a pool may have up to Size × MaxDepth
	// children. Default 4, at most 16.
	MaxDepth int
	// MaxUses is how many executions a child serves before it is replaced.
	// Default 200. With 1 every execution has a fresh process; its replacement
	// is started while it runs.
	MaxUses int
	// MaxAge is how long a child is used before it is replaced. Default 10 min.
	MaxAge time.Duration
	// MaxResident is how much memory in bytes a child may keep resident between
	// two executions before it is replaced. Default 512 MiB.
	MaxResident int64
	// Grace is how long after a deadline or a cancellation a child may take to
	// stop by itself before it is killed. Default 250 ms.
	Grace time.Duration
	// ChildPath is the binary that children run. It must link package
	// pool/child. Default: the running binary.
	ChildPath string
	// Profile is the engine profile, see package sandbox. Default [sandbox.ProfileHardened].
	Profile string
	// StartTimeout bounds the start of one child, and the making of the
	// snapshot. Default 10 s.
	StartTimeout time.Duration
	// MaxFrame is the longest message in bytes, either way. Default
	// [protocol.DefaultMaxFrame], at most [protocol.MaxMaxFrame], at least 64 KiB.
	MaxFrame int64
	// StderrLimit is how many bytes are kept of what a child writes to its
	// standard error. They go to Logger at level debug, never to a caller.
	// Default 16 KiB.
	StderrLimit int
	// MaxHeap and MaxExternal are the largest limits of an execution that a
	// child's own memory bound leaves room for. Defaults: those of
	// [protocol.MaxLimits].
	MaxHeap, MaxExternal int64
	// ShareTenants lets one child serve several tenants, one after the other.
	ShareTenants bool
	// Sealing says for measures how much they matter: see [child.Level]. A measure
	// that is not named has its default level, see [child.Measures]. New fails when
	// a required one cannot be reached.
	Sealing map[string]child.Level
	// Cgroup is the path of a control group of cgroup v2. Each child gets a group of
	// its own in it, whose memory.max bounds the child's memory beside RLIMIT_DATA.
	// The path must be delegated to this process, without a process in it, and have
	// the memory controller, which New enables in its cgroup.subtree_control; New
	// fails where it cannot be used. Default: the group of this process, or its
	// parent if systemd has marked that as delegated, where one can be used;
	// otherwise none, and [Stats] says why. [NoCgroup]: none.
	Cgroup string
	// Snapshot is that of another pool of this process, which must be open while New
	// runs, whose children are of the same build, and whose profile and namespaces are
	// the same, see [Snapshot.Fits]. Pools that share one start in a fraction of the
	// time. Default: a helper process makes one.
	Snapshot *Snapshot
	// Logger receives what the pool does. Default: nothing is logged.
	Logger *slog.Logger
}

const (
	maxSize       = 1024
	minFrame      = 64 << 10
	minGrace      = time.Millisecond
	selfOnLinux   = "/proc/self/exe"
	defaultQueue  = 64
	defaultUses   = 200
	defaultDepth  = 4
	maxDepth      = 16
	defaultStderr = 16 << 10

	defaultResident = int64(512) << 20
)

// withDefaults returns the configuration with its zero fields filled, or an
// error that names the field that cannot be.
func (c Config) withDefaults() (Config, error) {
	fill(&c.Size, runtime.GOMAXPROCS(0))
	fill(&c.QueueLength, defaultQueue)
	fill(&c.QueueTimeout, 10*time.Second)
	fill(&c.MaxDepth, defaultDepth)
	fill(&c.MaxUses, defaultUses)
	fill(&c.MaxAge, 10*time.Minute)
	fill(&c.MaxResident, defaultResident)
	fill(&c.Grace, 250*time.Millisecond)
	fill(&c.Profile, sandbox.ProfileHardened)
	fill(&c.StartTimeout, 10*time.Second)
	fill(&c.MaxFrame, protocol.DefaultMaxFrame)
	fill(&c.StderrLimit, defaultStderr)
	fill(&c.MaxHeap, protocol.MaxLimits.Heap)
	fill(&c.MaxExternal, protocol.MaxLimits.External)
	c.QueueLength = max(c.QueueLength, 0)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	checks := []struct {
		field string
		ok    bool
		want  string
	}{
		{"Size", c.Size >= 1 && c.Size <= maxSize, fmt.Sprintf("1 to %d", maxSize)},
		{"QueueTimeout", c.QueueTimeout > 0, "positive"},
		{"MaxDepth", c.MaxDepth >= 1 && c.MaxDepth <= maxDepth, fmt.Sprintf("1 to %d", maxDepth)},
		{"MaxUses", c.MaxUses >= 1, "at least 1"},
		{"MaxAge", c.MaxAge > 0, "positive"},
		{"MaxResident", c.MaxResident >= 1, "at least 1"},
		{"Grace", c.Grace >= minGrace, "at least " + minGrace.String()},
		{"StartTimeout", c.StartTimeout > 0, "positive"},
		{"MaxFrame", c.MaxFrame >= minFrame && c.MaxFrame <= protocol.MaxMaxFrame, fmt.Sprintf("%d to %d", minFrame, protocol.MaxMaxFrame)},
		{"StderrLimit", c.StderrLimit >= 0, "positive"},
		{"MaxHeap", c.MaxHeap >= protocol.MinHeap, fmt.Sprintf("at least %d", protocol.MinHeap)},
		{"MaxExternal", c.MaxExternal >= 1, "at least 1"},
		{"Profile", slices.Contains([]string{sandbox.ProfileHardened, sandbox.ProfileJIT}, c.Profile), sandbox.ProfileHardened + " or " + sandbox.ProfileJIT},
	}
	for _, check := range checks {
		if !check.ok {
			return c, fmt.Errorf("pool: Config.%s is out of range: it must be %s", check.field, check.want)
		}
	}
	if err := child.CheckLevels(c.Sealing); err != nil {
		return c, fmt.Errorf("pool: Config.Sealing: %w", err)
	}
	if c.ChildPath == "" {
		// The running binary itself, also when its file has been replaced since.
		c.ChildPath = selfOnLinux
		return c, nil
	}
	// Children are started in "/", so the path must not be relative.
	path, err := filepath.Abs(c.ChildPath)
	if err != nil {
		return c, fmt.Errorf("pool: Config.ChildPath: %w", err)
	}
	c.ChildPath = path
	return c, nil
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
