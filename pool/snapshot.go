package pool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the startup snapshot: made by a helper child, sealed, and handed to
// every child as a memory file.

// maxSnapshot is how much of a snapshot is read, in bytes; a helper cannot write more.
const maxSnapshot = 64 << 20

// Snapshot is the startup snapshot of an open pool, for others to start from, see
// [Config.Snapshot]. It lives as long as the pool that it is of.
type Snapshot struct {
	file    *os.File // sealed
	size    int64
	digest  string
	profile string
	// namespaces are the levels of those that children were to have, refused the ones
	// that the machine turned out not to give.
	namespaces map[string]child.Level
	refused    map[string]string
}

// Snapshot returns the pool's startup snapshot. It may be called from any goroutine.
func (p *Pool) Snapshot() *Snapshot { return p.snapshot }

// Fits returns why a pool of this configuration cannot start from the snapshot: it has
// another profile, or namespaces of which nobody has found out yet whether this machine
// gives them. It may be called from any goroutine.
func (s *Snapshot) Fits(c Config) error {
	profile := c.Profile
	fill(&profile, sandbox.ProfileHardened)
	if s.profile != profile {
		return fmt.Errorf("the snapshot is of the profile %s, not %s", s.profile, profile)
	}
	seals := newSeals(c.Sealing)
	if !seals.wantNamespaces() {
		return nil
	}
	for _, name := range child.Namespaces {
		if s.namespaces[name] != seals.levels[name] {
			return fmt.Errorf("the snapshot is of a pool with another level of the measure %q", name)
		}
	}
	return nil
}

// takeSnapshot makes the pool start from a snapshot that there is, with a descriptor
// of its own.
func (p *Pool) takeSnapshot(from *Snapshot) error {
	if err := from.Fits(p.config); err != nil {
		return fmt.Errorf("pool: Config.Snapshot: %w", err)
	}
	file, err := duplicate(from.file)
	if err != nil {
		return fmt.Errorf("pool: Config.Snapshot: %w", err)
	}
	for name, reason := range from.refused {
		p.seals.refuse(name, reason)
	}
	own := *from
	own.file = file
	p.snapshot = &own
	return p.seals.checkRefused()
}

// duplicate returns the file under a descriptor of its own. The error is
// [os.ErrClosed] where it has been closed.
func duplicate(file *os.File) (*os.File, error) {
	raw, err := file.SyscallConn()
	if err != nil {
		return nil, err
	}
	var fd int
	var failed error
	if err := raw.Control(func(from uintptr) { fd, failed = unix.FcntlInt(from, unix.F_DUPFD_CLOEXEC, 0) }); err != nil {
		return nil, os.ErrClosed // there is no other reason
	}
	if failed != nil {
		return nil, failed
	}
	return os.NewFile(uintptr(fd), file.Name()), nil
}

// buildSnapshot makes the sealed memory file. The helper runs nothing but the
// runtime's own source.
func (p *Pool) buildSnapshot(ctx context.Context) error {
	file, err := newMemoryFile("isogate-snapshot")
	if err != nil {
		return fmt.Errorf("pool: making the snapshot: %w", err)
	}
	blob, err := p.fillSnapshot(ctx, file)
	if errors.Is(err, errNoProcesses) && slices.Contains(p.seals.taken, child.PIDNamespace) {
		p.refuseProcesses()
		if err = p.seals.checkRefused(); err == nil {
			blob, err = p.fillSnapshot(ctx, file)
		}
	}
	if err != nil {
		file.Close()
		return fmt.Errorf("pool: making the snapshot: %w", err)
	}
	p.snapshot = &Snapshot{
		file: file, size: int64(len(blob)), digest: child.Digest(blob),
		profile: p.config.Profile, namespaces: p.seals.levels, refused: p.seals.refused,
	}
	return nil
}

// errNoProcesses indicates that the helper could not see the processes of its
// namespace of processes.
var errNoProcesses = errors.New("it cannot mount a /proc of its own")

// refuseProcesses notes that children can have no namespace of processes. The kernel
// gives it, and does not let its /proc be mounted where parts of the /proc of this
// process are hidden from it, as in many containers.
func (p *Pool) refuseProcesses() {
	reason := errNoProcesses.Error() + ": parts of the host's are hidden"
	if !slices.Contains(p.seals.taken, child.MountNamespace) {
		reason = "it needs " + child.MountNamespace
	}
	p.seals.refuse(child.PIDNamespace, reason)
}

// fillSnapshot has a helper process write the snapshot, makes it final and returns it.
func (p *Pool) fillSnapshot(ctx context.Context, file *os.File) ([]byte, error) {
	c := &p.config
	ctx, cancel := context.WithTimeoutCause(ctx, c.StartTimeout,
		fmt.Errorf("the helper process took longer than %v", c.StartTimeout))
	defer cancel()
	helper, err := p.spawnFirst(spawnSpec{path: c.ChildPath, role: child.RoleSnapshot, profile: c.Profile, digest: "-", snapshot: file})
	if err != nil {
		return nil, err
	}
	defer helper.close()
	stop := context.AfterFunc(ctx, func() { helper.kill() })
	defer stop()

	stderr := make(chan string, 1)
	go func() { stderr <- readHead(helper.stderr, c.StderrLimit) }()
	state, err := helper.wait()
	helper.stderr.SetReadDeadline(time.Now().Add(c.Grace))
	if text := <-stderr; text != "" {
		c.Logger.Debug("standard error of the snapshot helper", "text", text)
	}
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if state.ExitCode() == child.ExitNamespace {
		return nil, fmt.Errorf("the helper process ended: %w", errNoProcesses)
	}
	if !state.Success() {
		return nil, errors.New("the helper process ended: " + describeExit(state))
	}
	if err := sealMemoryFile(file); err != nil {
		return nil, err
	}
	blob, err := io.ReadAll(io.NewSectionReader(file, 0, maxSnapshot))
	if err != nil {
		return nil, err
	}
	if len(blob) == 0 {
		return nil, errors.New("the helper process wrote nothing")
	}
	return blob, nil
}
