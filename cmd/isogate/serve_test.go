package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/server/client"
	"github.com/isogate/isogate/server/daemon"
)

// This file owns the tests of the commands serve and token.

// configured returns the configuration for a command line and an environment.
func configured(t *testing.T, args []string, environment map[string]string) (daemon.Config, error) {
	t.Helper()
	f := &serveFlags{}
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	cmd := newServeCommandWith(streams{}, f)
	flags.AddFlagSet(cmd.Flags())
	if err := flags.Parse(args); err != nil {
		return daemon.Config{}, err
	}
	return f.configuration(flags, func(name string) (string, bool) { value, ok := environment[name]; return value, ok })
}

// TestPrecedence sets the same things in the file, the environment and by flags.
func TestPrecedence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, []byte("listen: [unix:///file]\ntokens: file\ndrain: 1s\nexecutor: {size: 1}\nlog: {level: debug, format: json}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := configured(t, []string{"--listen", "unix:///flag", "--drain", "3s"}, map[string]string{
		"ISOGATE_CONFIG": file, "ISOGATE_LISTEN": "unix:///a,unix:///b", "ISOGATE_DRAIN": "2s", "ISOGATE_SIZE": "2", "ISOGATE_TOKENS": "", "ISOGATE_LOG_LEVEL": "warn",
	})
	if err != nil {
		t.Fatal(err)
	}
	got := []any{c.Listen, c.Drain, c.Executor.Size, c.Tokens, c.Log.Level, c.Log.Format}
	want := []any{[]string{"unix:///flag"}, 3 * time.Second, 2, "file", "warn", "json"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, test := range []struct {
		args        []string
		environment map[string]string
		want        string
	}{
		{nil, map[string]string{"ISOGATE_SIZE": "many"}, "ISOGATE_SIZE"},
		{[]string{"--drain", "soon"}, nil, "--drain soon"},
		{[]string{"--profile", "fast"}, nil, "--profile fast"},
		{[]string{"--config", "/nowhere"}, nil, "/nowhere"},
	} {
		if _, err := configured(t, test.args, test.environment); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v %v: the error is %v, want %q", test.args, test.environment, err, test.want)
		}
	}
}

// buffer is a writer that can be read while it is written to.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestServe runs the command, a program on it, and ends it as a signal would; and
// checks that the log holds nothing of the program.
func TestServe(t *testing.T) {
	folder, err := os.MkdirTemp("", "isogate")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	tokens, address := filepath.Join(folder, "tokens"), "unix://"+filepath.Join(folder, "s")
	var out, made buffer
	if status := execute(t.Context(), []string{"token", "default", "--file", tokens}, streams{out: &made, err: &out}); status != statusValue {
		t.Fatalf("token ended with %d: %s", status, &out)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int, 1)
	go func() {
		done <- execute(ctx, []string{"serve", "--listen", address, "--tokens", tokens, "--size", "1", "--log-level", "debug"}, streams{out: &out, err: &out})
	}()
	waitFor(t, func() bool {
		if len(done) > 0 {
			t.Fatalf("serve ended with %d: %s", <-done, &out)
		}
		return strings.Contains(out.String(), "msg=serving")
	})
	e, err := client.Dial(t.Context(), address, client.Config{Token: strings.TrimSpace(made.String())})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, source := range []string{
		"async (s) => { console.log('canary-log'); return 'canary-value' + await host.f('canary-argument') }", "() => { throw new Error('canary-thrown') }", "canary-syntax (",
	} {
		_, _ = e.Execute(t.Context(), executor.Request{Source: source, Input: "canary-input", Tools: executor.Tools{"host": {
			"f": func(context.Context, []any) (any, error) { return "canary-reply", nil },
		}}})
	}
	cancel()
	if status := <-done; status != statusValue {
		t.Errorf("serve ended with %d: %s", status, &out)
	}
	log := out.String()
	for _, want := range []string{"serving", "outcome=ok", "outcome=thrown", "outcome=syntax", "tenant=default", "drained"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not say %q:\n%s", want, log)
		}
	}
	if strings.Contains(log, "canary") || strings.Contains(log, strings.TrimSpace(made.String())) {
		t.Errorf("the log holds what it must not:\n%s", log)
	}
}

func TestServeRefuses(t *testing.T) {
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"serve"}, statusExecutor, "no address"},
		{[]string{"serve", "more"}, statusUsage, "more"},
		{[]string{"serve", "--listen", "tcp://127.0.0.1:0"}, statusExecutor, "nobody could be told apart"},
		{[]string{"serve", "--log-format", "xml"}, statusUsage, "text or json"},
		{[]string{"serve", "--log-level", "loud"}, statusUsage, "debug, info, warn, error"},
		{[]string{"token"}, statusUsage, "one tenant"},
		{[]string{"token", "a b"}, statusUsage, "white space"},
		{[]string{"token", "a", "--file", "/nowhere/tokens"}, statusUsage, "/nowhere/tokens"},
	} {
		var out buffer
		if status := execute(t.Context(), test.args, streams{out: &out, err: &out}); status != test.status || !strings.Contains(out.String(), test.want) {
			t.Errorf("%v: %d, %s; want %d, %q", test.args, status, &out, test.status, test.want)
		}
	}
}
