package pool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/isogate/isogate/pool/child"
)

// This file owns the startup snapshot: made once per pool by a helper child,
// sealed, and handed to every child as a memory file.

// buildSnapshot returns the sealed memory file and its size in bytes. The helper
// runs nothing but the runtime's own source.
func buildSnapshot(ctx context.Context, s *spawner, c *Config) (*os.File, int64, error) {
	file, err := newMemoryFile("isogate-snapshot")
	if err != nil {
		return nil, 0, fmt.Errorf("pool: making the snapshot: %w", err)
	}
	size, err := fillSnapshot(ctx, s, c, file)
	if err != nil {
		file.Close()
		return nil, 0, fmt.Errorf("pool: making the snapshot: %w", err)
	}
	return file, size, nil
}

func fillSnapshot(ctx context.Context, s *spawner, c *Config, file *os.File) (int64, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.StartTimeout,
		fmt.Errorf("the helper process took longer than %v", c.StartTimeout))
	defer cancel()
	helper, err := s.spawn(spawnSpec{path: c.ChildPath, role: child.RoleSnapshot, profile: c.Profile, snapshot: file})
	if err != nil {
		return 0, err
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
		return 0, err
	}
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if !state.Success() {
		return 0, errors.New("the helper process ended: " + describeExit(state))
	}
	if err := sealMemoryFile(file); err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	if info.Size() == 0 {
		return 0, errors.New("the helper process wrote nothing")
	}
	return info.Size(), nil
}
