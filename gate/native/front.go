package native

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
	"github.com/isogate/isogate/server/client"
)

// This file owns the servers in front of the executors of attacks that know of none: the
// same attack is tried on an executor behind a socket, with the tools at the other end.

// fronts are the clients of the servers in front of executors.
type fronts struct {
	mu      sync.Mutex
	clients map[*executor.IsolateExecutor]executor.Interface // guarded by mu
}

// AnyTenant is a tenant to whom nothing is refused that a request may ask for, and whose
// quotas are beyond what attacks use: for attacks on what is claimed of executions.
// Claims on what a tenant may do have servers of their own.
var AnyTenant = server.Tenant{
	Name: "gate", Grants: protocol.Grants, Divides: true,
	Quotas: server.Quotas{Executions: 1 << 20, PerSecond: 1 << 20, CPUPerMinute: 24 * time.Hour},
}

// front returns the client of a server in front of the executor, which is started for the
// first request and closed with the attack.
func (h *Host) front(ctx context.Context, e *executor.IsolateExecutor) executor.Interface {
	h.fronts.mu.Lock()
	defer h.fronts.mu.Unlock()
	if c, ok := h.fronts.clients[e]; ok {
		return c
	}
	c, err := h.StartFront(ctx, e)
	if err != nil {
		return noFront{err}
	}
	if h.fronts.clients == nil {
		h.fronts.clients = map[*executor.IsolateExecutor]executor.Interface{}
	}
	h.fronts.clients[e] = c
	return c
}

// StartFront starts a server in front of the executor, on a unix socket that lets in processes
// of this user, and returns its client. Both are closed with the host, in the order client, server.
func (h *Host) StartFront(ctx context.Context, e *executor.IsolateExecutor) (executor.Interface, error) {
	endpoint, err := h.serveBefore(e, server.Config{}, AnyTenant)
	if err != nil {
		return nil, err
	}
	c, err := client.Dial(ctx, "unix://"+endpoint.path, client.Config{})
	if err != nil {
		return nil, err
	}
	h.onClose(c.Close)
	return c, nil
}

// WentThroughServer reports whether any request took the way through a server.
func (h *Host) WentThroughServer() bool {
	h.fronts.mu.Lock()
	defer h.fronts.mu.Unlock()
	return len(h.fronts.clients) > 0
}

// noFront is in the place of a client that could not be had.
type noFront struct{ err error }

func (n noFront) Execute(context.Context, executor.Request) (*protocol.Result, error) {
	fault := &protocol.Unavailable{Reason: fmt.Sprintf("no server could be put in front of the executor: %v", n.err)}
	return &protocol.Result{Fault: fault}, fault
}

func (noFront) Close() error { return nil }
