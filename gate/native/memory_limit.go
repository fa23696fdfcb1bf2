package native

import (
	"context"
	"syscall"

	"github.com/isogate/isogate/protocol"
)

// This file owns the attack by a memory fault in a child that may have no more
// memory. The engine does not check every allocation, so at the limit it may end
// by the same signal as by a bug; which it was decides what the caller is told.

var memoryLimit = []Attack{
	{Name: "fault-at-memory-limit", Source: "K14 N03", Title: "a memory fault of a child at its memory limit is told as that limit, the same fault with memory left as a crash", Run: faultAtMemoryLimit},
}

func faultAtMemoryLimit(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	fault := func(pid int) error { return syscall.Kill(pid, syscall.SIGSEGV) }

	result, err := h.crashInCall(ctx, e, fault)
	if err != nil {
		return err
	}
	if err := wantFault("a memory fault with memory left", result, protocol.CodeWorkerCrashed); err != nil {
		return err
	}
	if err := h.probe(ctx, "after the fault with memory left", e); err != nil {
		return err
	}

	result, err = h.crashInCall(ctx, e, func(pid int) error {
		if err := exhaustData(pid); err != nil {
			return err
		}
		return fault(pid)
	})
	if err != nil {
		return err
	}
	if err := wantFault("a memory fault at the limit", result, protocol.CodeMemoryExceeded); err != nil {
		return err
	}
	if f := result.Fault.(*protocol.MemoryExceeded); f.Kind != protocol.MemoryProcess || f.Limit <= 0 || !f.Started {
		return violated("the fault at the limit says kind %q, limit %d, started %v; must say kind %q, the limit, and that the program had started",
			f.Kind, f.Limit, f.Started, protocol.MemoryProcess)
	}
	return h.probe(ctx, "after the fault at the limit", e)
}
