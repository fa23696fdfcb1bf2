package pool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/isogate/isogate/pool/child"
)

// This file owns the startup snapshot: made once per pool by a helper child,
// sealed, and handed to every child as a memory file.

// maxSnapshot is how much of a snapshot is read, in bytes; a helper cannot write more.
const maxSnapshot = 64 << 20

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
	p.snapshot, p.snapshotSize, p.digest = file, int64(len(blob)), child.Digest(blob)
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
