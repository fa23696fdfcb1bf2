package gate

import (
	"context"
	"errors"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/gate/native"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the server as a target: the executor behind it is the default one,
// and everything that goes to it and comes from it crosses a socket.

// TargetServer is the name of the target that is a server and its Go client.
const TargetServer = "server"

// overServer is an executor, the server in front of it, and a client of that. All are
// in this process, so that what any of them leaves in it is found as for any target.
type overServer struct {
	executor.Interface // the client
	executor           *executor.IsolateExecutor
	host               native.Host // of the server and the client
}

// startServer starts the target as the daemon starts a server: on a unix socket that
// lets in processes of this user.
func startServer(ctx context.Context) (Target, error) {
	e, err := executor.New(ctx, executor.Config{Pool: pool.Config{Size: 1, Profile: sandbox.ProfileHardened}})
	if err != nil {
		return nil, err
	}
	t := &overServer{executor: e}
	if t.Interface, err = t.host.StartFront(ctx, e); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// Close closes the client, the server and the executor, in this order.
func (t *overServer) Close() error { return errors.Join(t.host.Close(), t.executor.Close()) }

// Processes returns the children of the executor behind the server.
func (t *overServer) Processes() []int { return isolates{t.executor}.Processes() }

// Snapshot returns that of the executor behind the server.
func (t *overServer) Snapshot() *pool.Snapshot { return t.executor.Snapshot() }

// Lacks returns "": a server takes every request that its executor takes.
func (*overServer) Lacks(executor.Request) string { return "" }
