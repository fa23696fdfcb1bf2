//go:build !linux

package pool

import (
	"errors"
	"log/slog"
)

// This file owns the platforms without control groups.

func openGroups(configured string, logger *slog.Logger) (*groups, error) {
	if configured != "" && configured != NoCgroup {
		return nil, errors.New("pool: Config.Cgroup: control groups need Linux")
	}
	return &groups{logger: logger, reason: "control groups need Linux"}, nil
}

type childGroup struct{}

func (g *groups) make(int) (*childGroup, error) { return nil, nil }

func (g *childGroup) bound(int64) error { return nil }

func (g *childGroup) killedAt() int64 { return 0 }

func (g *childGroup) remove() error { return nil }

func (g *childGroup) close() {}
