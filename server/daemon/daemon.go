package daemon

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/user"
	"strconv"
	"strings"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the daemon's life.

// Options are what a daemon needs beside its configuration.
type Options struct {
	// Version of the program, for clients.
	Version string
	// Logger receives what the daemon does. It must not be nil.
	Logger *slog.Logger
	// Reload makes it read its tokens and its TLS files again.
	Reload <-chan os.Signal
	// Ready, if set, is called with the addresses when all of them are served.
	Ready func(addresses []string)
}

const (
	defaultDrain  = 30 * time.Second
	defaultTenant = "default"
)

// Run serves until ctx is done, then drains, and returns nil when everything that
// ran has ended within the time for it. Otherwise it returns why it could not
// start, or go on.
func Run(ctx context.Context, c Config, o Options) error {
	if c.Drain == 0 {
		c.Drain = defaultDrain
	}
	traces, err := openTraces(ctx, c.Traces, o.Version, o.Logger)
	if err != nil {
		return err
	}
	defer traces.close(min(c.Drain, flushTimeout)) // when the server has ended, and every span with it
	listeners, files, err := listen(c)
	if err != nil {
		return err
	}
	defer closeAll(listeners)
	e, err := executor.New(ctx, executor.Config{
		Defaults: c.Executor.Defaults.Limits, Max: c.Executor.Limits.Limits,
		Pool: pool.Config{
			Size: c.Executor.Size, QueueLength: c.Executor.QueueLength, QueueTimeout: c.Executor.QueueTimeout,
			MaxUses: c.Executor.MaxUses, MaxDepth: c.Executor.MaxDepth, Profile: c.Executor.Profile,
			Cgroup: c.Executor.Cgroup, Sealing: c.Executor.Sealing, MaxFrame: c.Bounds.MaxFrame, Logger: o.Logger,
		},
	})
	if err != nil {
		return err
	}
	defer e.Close()
	callers, tokens, err := authenticators(c, e, files)
	if err != nil {
		return err
	}
	s, err := server.New(server.Config{
		Executor: e, Authenticator: callers, Version: o.Version, Logger: o.Logger, LogContent: c.Log.Content, Tracer: traces.tracer(),
		MaxFrame: c.Bounds.MaxFrame, MaxConnections: c.Bounds.MaxConnections, MaxExecutions: c.Bounds.MaxExecutions,
		MaxHeld: c.Bounds.MaxHeld, MaxQueued: c.Bounds.MaxQueued, HandshakeTimeout: c.Bounds.HandshakeTimeout,
		FrameTimeout: c.Bounds.FrameTimeout, PingInterval: c.Bounds.PingInterval,
	})
	if err != nil {
		return err
	}
	defer s.Close()
	return serve(ctx, c, o, s, listeners, &reloadable{tokens, files})
}

// serve serves the listeners until ctx is done or one of them fails, then drains.
func serve(ctx context.Context, c Config, o Options, s *server.Server, listeners []listener, again *reloadable) error {
	failed := make(chan error, len(listeners))
	observer := &http.Server{Handler: s.Observer(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	defer observer.Close()
	var addresses []string
	for _, l := range listeners {
		addresses = append(addresses, l.address)
		go func() {
			if !l.observe {
				failed <- s.Serve(l.Listener, l.tls)
			} else if err := observer.Serve(l.Listener); !errors.Is(err, http.ErrServerClosed) {
				failed <- err
			}
		}()
	}
	o.Logger.Info("serving", "addresses", addresses)
	if o.Ready != nil {
		o.Ready(addresses)
	}
	for {
		select {
		case err := <-failed:
			return err
		case <-o.Reload:
			again.reload(o.Logger)
			s.Recheck()
			continue
		case <-ctx.Done():
		}
		break
	}
	o.Logger.Info("draining", "limit", c.Drain)
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.Drain)
	defer cancel()
	if err := s.Drain(drain); err != nil {
		return fmt.Errorf("what ran did not end within the %v for draining, and was ended: %w", c.Drain, err)
	}
	o.Logger.Info("drained")
	return nil
}

// reloadable is what is read again on SIGHUP. Nil parts are not there.
type reloadable struct {
	tokens *server.Tokens
	files  *server.TLSFiles
}

// reload reads each part again. One that cannot be used stays as it was.
func (r *reloadable) reload(log *slog.Logger) {
	if r.tokens == nil && r.files == nil {
		log.Warn("there are neither tokens nor certificates to read again")
	}
	if r.tokens != nil {
		if err := r.tokens.Reload(); err != nil {
			log.Error("the tokens stay as they were", "error", err)
		} else {
			log.Info("the tokens have been read again")
		}
	}
	if r.files != nil {
		if err := r.files.Reload(); err != nil {
			log.Error("the certificates stay as they were", "error", err)
		} else {
			log.Info("the certificates have been read again", "expires", r.files.Expires())
		}
	}
}

// authenticators returns who is let in, and the tokens among them, if any.
func authenticators(c Config, e server.Executor, files *server.TLSFiles) (server.Authenticator, *server.Tokens, error) {
	tenants := map[string]*server.Tenant{}
	configured := c.Tenants
	if len(configured) == 0 {
		configured = map[string]Tenant{defaultTenant: {}}
	}
	for name, t := range configured {
		grants := []protocol.Grant{}
		for _, g := range t.Grants {
			grants = append(grants, protocol.Grant(g))
		}
		tenant, err := server.NewTenant(server.Tenant{
			Name: name, Defaults: t.Defaults.Limits, Max: t.Limits.Limits, Grants: grants, Divides: t.Divides, Operator: t.Operator,
			Quotas: server.Quotas{Executions: t.Quotas.Executions, PerSecond: t.Quotas.PerSecond, CPUPerMinute: t.Quotas.CPUPerMinute, Connections: t.Quotas.Connections},
		}, e)
		if err != nil {
			return nil, nil, err
		}
		tenants[name] = tenant
	}
	find := func(what, name string) (*server.Tenant, error) {
		if t := tenants[name]; t != nil {
			return t, nil
		}
		return nil, fmt.Errorf("%s: there is no tenant %.100q", what, name)
	}
	var all server.Authenticators
	var tokens *server.Tokens
	if c.Tokens != "" {
		var err error
		if tokens, err = server.OpenTokens(c.Tokens, tenants); err != nil {
			return nil, nil, err
		}
		all = append(all, tokens)
	}
	if len(c.Certificates) > 0 {
		certificates := server.Certificates{}
		for _, rule := range c.Certificates {
			tenant, err := find("certificates: "+rule.Name, rule.Tenant)
			if err != nil {
				return nil, nil, err
			}
			certificates[rule.Name] = tenant
		}
		if files != nil { // else there is no listener that asks for them
			all = append(all, certificates.CheckedBy(files))
		}
	}
	rules := c.Peers
	if len(rules) == 0 && c.Tokens == "" && tenants[defaultTenant] != nil {
		rules = []Peer{{User: "self", Tenant: defaultTenant}}
	}
	peers := server.Peers{}
	for _, rule := range rules {
		uid, err := userID(rule.User)
		if err != nil {
			return nil, nil, fmt.Errorf("peers: %w", err)
		}
		if peers[uid], err = find("peers: "+rule.User, rule.Tenant); err != nil {
			return nil, nil, err
		}
	}
	if len(peers) > 0 {
		all = append(all, peers)
	}
	return all, tokens, nil
}

// userID returns the number of a user that is given by number, by name, or as self.
func userID(text string) (uint32, error) {
	if text == "self" {
		return uint32(os.Geteuid()), nil
	}
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		return uint32(n), nil
	}
	u, err := user.Lookup(text)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(u.Uid, 10, 32)
	return uint32(n), err
}

// listener is one address that is served.
type listener struct {
	net.Listener
	address string
	tls     *tls.Config
	observe bool
}

func closeAll(listeners []listener) {
	for _, l := range listeners {
		l.Close()
	}
}

// listen checks the addresses and listens on all of them, or on none. The files are
// nil without TLS.
func listen(c Config) (_ []listener, files *server.TLSFiles, err error) {
	var listeners []listener
	defer func() {
		if err != nil {
			closeAll(listeners)
		}
	}()
	if len(c.Listen) == 0 {
		return nil, nil, errors.New("there is no address to listen on: give one, as unix:///path or tcp://host:port")
	}
	switch {
	case (c.TLS.Certificate == "") != (c.TLS.Key == ""):
		return nil, nil, errors.New("tls: a certificate and a key are needed, or none of them")
	case c.TLS.Certificate != "":
		if files, err = server.OpenTLSFiles(c.TLS.Certificate, c.TLS.Key, c.TLS.Authorities); err != nil {
			return nil, nil, err
		}
	case c.TLS.Authorities != "":
		return nil, nil, errors.New("tls: authorities are of no use without a certificate and a key")
	}
	for _, address := range c.Listen {
		l, err := listenOn(address, c, files)
		if err != nil {
			return nil, nil, err
		}
		listeners = append(listeners, l)
	}
	if c.Observe != "" {
		l, err := net.Listen("tcp", c.Observe)
		if err != nil {
			return nil, nil, fmt.Errorf("observe: %w", err)
		}
		listeners = append(listeners, listener{Listener: l, address: "observe://" + l.Addr().String(), observe: true})
	}
	return listeners, files, nil
}

func listenOn(address string, c Config, files *server.TLSFiles) (listener, error) {
	if path, ok := strings.CutPrefix(address, "unix://"); ok {
		l, err := server.ListenUnix(path, fs.FileMode(c.SocketMode))
		return listener{Listener: l, address: address}, err
	}
	hostPort, ok := strings.CutPrefix(address, "tcp://")
	if !ok {
		return listener{}, fmt.Errorf("the address %q: write it as unix:///path or tcp://host:port", address)
	}
	mutual := files != nil && c.TLS.Authorities != "" && len(c.Certificates) > 0
	if c.Tokens == "" && !mutual {
		return listener{}, fmt.Errorf("the address %s: nobody could be told apart on it: give a file of tokens, or certificates with their authorities", address)
	}
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		return listener{}, fmt.Errorf("the address %s: %w", address, err)
	}
	if files == nil && !c.TLS.Off && !isLoopback(host) {
		return listener{}, fmt.Errorf("the address %s: without TLS, tokens and programs could be read on their way: give a certificate and a key, or allow it with tls.off", address)
	}
	l, err := net.Listen("tcp", hostPort)
	if err != nil {
		return listener{}, err
	}
	on := listener{Listener: l, address: "tcp://" + l.Addr().String()}
	if files != nil {
		on.tls = files.Config()
	}
	return on, nil
}

// isLoopback reports whether a host is this machine for certain.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
