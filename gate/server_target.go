package gate

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/gate/native"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/sandbox"
	"github.com/isogate/isogate/server"
	"github.com/isogate/isogate/server/client"
)

// This file owns the server as a target: the executor behind it is the default one,
// and everything that goes to it and comes from it crosses a socket.

// TargetServer is the name of the target that is a server and its Go client.
const TargetServer = "server"

// overServer is an executor, the server in front of it, and a client of that. All are
// in this process, so that what any of them leaves in it is found as for any target.
type overServer struct {
	*client.Client
	executor *executor.IsolateExecutor
	server   *server.Server
	served   chan error // what Serve returned
	folder   string     // of the socket
}

// startServer starts the target as the daemon starts a server: on a unix socket that
// lets in processes of this user.
func startServer(ctx context.Context) (_ Target, err error) {
	t := &overServer{served: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.Close())
		}
	}()
	if t.executor, err = executor.New(ctx, executor.Config{Pool: pool.Config{Size: 1, Profile: sandbox.ProfileHardened}}); err != nil {
		return nil, err
	}
	tenant, err := server.NewTenant(native.AnyTenant, t.executor)
	if err != nil {
		return nil, err
	}
	s, err := server.New(server.Config{Executor: t.executor, Authenticator: server.Peers{uint32(os.Geteuid()): tenant}})
	if err != nil {
		return nil, err
	}
	if t.folder, err = os.MkdirTemp("", "isogate-gate-"); err != nil {
		return nil, err
	}
	path := filepath.Join(t.folder, "socket")
	l, err := server.ListenUnix(path, 0)
	if err != nil {
		return nil, err
	}
	t.server = s
	go func() { t.served <- s.Serve(l, nil) }()
	t.Client, err = client.Dial(ctx, "unix://"+path, client.Config{})
	return t, err
}

// Close closes the client, the server and the executor, in this order.
func (t *overServer) Close() error {
	var errs []error
	if t.Client != nil {
		errs = append(errs, t.Client.Close())
	}
	if t.server != nil {
		errs = append(errs, t.server.Close(), <-t.served)
	}
	if t.executor != nil {
		errs = append(errs, t.executor.Close())
	}
	if t.folder != "" {
		errs = append(errs, os.RemoveAll(t.folder))
	}
	return errors.Join(errs...)
}

// Processes returns the children of the executor behind the server.
func (t *overServer) Processes() []int { return isolates{t.executor}.Processes() }

// Snapshot returns that of the executor behind the server.
func (t *overServer) Snapshot() *pool.Snapshot { return t.executor.Snapshot() }

// Lacks returns "": a server takes every request that its executor takes.
func (*overServer) Lacks(executor.Request) string { return "" }
