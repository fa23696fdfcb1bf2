package child_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the tests of the child's main loop: the test speaks the
// parent's part with a real child, which is this test binary again.

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// snapshot is the startup snapshot, made once by a child in that role.
var snapshot = sync.OnceValues(func() (*os.File, error) {
	fd, err := unix.MemfdCreate("snapshot", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fd), "snapshot")
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	return file, command(context.Background(), child.RoleSnapshot, null, file, "-").Run()
})

// measures are what the tests' children take: what needs no namespace, which
// package pool makes.
var measures = []string{
	child.ParentDeathSignal, child.Descriptors, child.Environment, child.Directory, child.NoNewPrivileges,
	child.NotDumpable, child.CoreSize, child.FileSize, child.OpenFiles, child.RuntimeFiles, child.Capabilities, child.SystemCalls,
}

// command returns a command that starts a child.
func command(ctx context.Context, role string, channel, snapshot *os.File, digest string) *exec.Cmd {
	c := exec.CommandContext(ctx, os.Args[0])
	c.Args = []string{child.Arg0, role, sandbox.ProfileHardened, child.JoinMeasures(measures), digest}
	c.Env = []string{}
	c.ExtraFiles = []*os.File{channel, snapshot}
	return c
}

// parent is the parent's side of one child.
type parent struct {
	t       *testing.T
	cmd     *exec.Cmd
	channel *os.File
	in      *protocol.FrameReader
	out     *protocol.FrameWriter
	stderr  bytes.Buffer
}

// start starts a child. The end of the test kills it.
func start(t *testing.T, role string) *parent {
	t.Helper()
	blob, err := snapshot()
	if err != nil {
		t.Fatal(err)
	}
	contents, err := io.ReadAll(io.NewSectionReader(blob, 0, 64<<20))
	if err != nil {
		t.Fatal(err)
	}
	return startWith(t, role, blob, child.Digest(contents))
}

// startWith starts a child with that file as its snapshot, nil for none, which it
// is told to have that digest.
func startWith(t *testing.T, role string, blob *os.File, digest string) *parent {
	t.Helper()
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.SetNonblock(ends[0], true); err != nil {
		t.Fatal(err)
	}
	mine, theirs := os.NewFile(uintptr(ends[0]), "channel"), os.NewFile(uintptr(ends[1]), "channel of the child")
	defer theirs.Close()
	p := &parent{
		t: t, cmd: command(t.Context(), role, theirs, blob, digest), channel: mine,
		in: protocol.NewFrameReader(mine, protocol.MaxMaxFrame), out: protocol.NewFrameWriter(mine, protocol.MaxMaxFrame),
	}
	p.cmd.Stderr = &p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		mine.Close()
		p.cmd.Process.Kill()
		p.cmd.Wait()
		if strings.Contains(p.stderr.String(), "DATA RACE") {
			t.Error(p.stderr.String())
		}
	})
	return p
}

// serve starts a child and shakes hands.
func serve(t *testing.T) (*parent, *protocol.Welcome) {
	t.Helper()
	p := start(t, child.RoleServe)
	p.send(&protocol.Hello{Version: protocol.Version, MaxFrame: 1 << 20})
	return p, receive[*protocol.Welcome](p)
}

func (p *parent) send(m protocol.Message) {
	p.t.Helper()
	payload, err := protocol.EncodeMessage(m)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.out.Write(payload); err != nil {
		p.t.Fatal(err)
	}
}

// receive returns the next message, which must be an M.
func receive[M protocol.Message](p *parent) M {
	p.t.Helper()
	p.channel.SetReadDeadline(time.Now().Add(20 * time.Second))
	frame, err := p.in.Read()
	if err != nil {
		p.t.Fatalf("reading a message: %v; standard error: %s", err, p.stderr.String())
	}
	got, err := protocol.DecodeMessage(frame)
	if err != nil {
		p.t.Fatal(err)
	}
	m, ok := got.(M)
	if !ok {
		p.t.Fatalf("the message is %#v, want a %T", got, m)
	}
	return m
}

// wantExit waits for the child to end and checks its status.
func (p *parent) wantExit(want int) {
	p.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		p.cmd.Process.Kill()
		<-ended
	}
	if got := p.cmd.ProcessState.ExitCode(); got != want {
		p.t.Errorf("it ended with %v, want the status %d; standard error: %s", p.cmd.ProcessState, want, p.stderr.String())
	}
}

// execute returns an execute message for a program with tools.f.
func execute(id, source string) *protocol.Execute {
	limits, err := protocol.Limits{}.Resolve(protocol.DefaultLimits, protocol.MaxLimits)
	if err != nil {
		panic(err)
	}
	return &protocol.Execute{Execution: id, StreamLogs: true, Request: protocol.Request{
		Source: source, Limits: limits, Tools: []protocol.Namespace{{Name: "tools", Tools: []string{"f"}}},
	}}
}

func TestServe(t *testing.T) {
	p, welcome := serve(t)
	if welcome.Version != protocol.Version || welcome.MaxFrame != 1<<20 || welcome.Engine != sandbox.EngineVersion() {
		t.Errorf("the welcome is %+v", welcome)
	}
	if d := cmp.Diff(measures, welcome.Sealed); d != "" || len(welcome.Unsealed) > 0 {
		t.Errorf("not all measures were reported: %v %s", welcome.Unsealed, d)
	}
	p.send(&protocol.Ping{Nonce: 7})
	if pong := receive[*protocol.Pong](p); pong.Nonce != 7 {
		t.Errorf("the nonce is %d", pong.Nonce)
	}

	p.send(execute("a", `async () => { console.log("x"); return await tools.f(1) }`))
	if log := receive[*protocol.Log](p); log.Execution != "a" || log.Entry.Text != "x" {
		t.Errorf("the log is %+v", log)
	}
	call := receive[*protocol.ToolCall](p)
	if call.Execution != "a" || call.Namespace != "tools" || call.Tool != "f" || call.Args != "[1]" {
		t.Errorf("the call is %+v", call)
	}
	// None of these may settle the call.
	p.send(&protocol.ToolReply{Execution: "b", Call: call.Call, Envelope: `{"ok":"of another execution"}`})
	p.send(&protocol.ToolReply{Execution: "a", Call: call.Call + 1, Envelope: `{"ok":"of another call"}`})
	p.send(&protocol.ToolReply{Execution: "a", Call: call.Call, Envelope: `{"ok":"first"}`})
	p.send(&protocol.ToolReply{Execution: "a", Call: call.Call, Envelope: `{"ok":"second"}`})
	result := receive[*protocol.ResultMessage](p)
	if result.Execution != "a" || string(result.Result.Value) != `"first"` || len(result.Result.Logs) != 0 {
		t.Errorf("the result is %+v", result)
	}

	// The next one finds nothing of the first.
	p.send(execute("b", "() => { for (;;); }"))
	p.send(&protocol.Cancel{Execution: "a"}) // late: not this one
	p.send(&protocol.Ping{Nonce: 8})
	if pong := receive[*protocol.Pong](p); pong.Nonce != 8 {
		t.Errorf("the nonce is %d", pong.Nonce)
	}
	p.send(&protocol.Cancel{Execution: "b"})
	if r := receive[*protocol.ResultMessage](p); r.Result.Fault == nil || r.Result.Fault.Code() != protocol.CodeCancelled {
		t.Errorf("the result is %+v", r)
	}
	p.send(&protocol.Drain{})
	p.wantExit(0)
}

// TestFrames checks what becomes of messages that do not fit the parent's frame.
func TestFrames(t *testing.T) {
	p, _ := serve(t)
	p.send(execute("a", "() => 'x'.repeat(2e6)"))
	var result *protocol.ResultTooLarge
	if r := receive[*protocol.ResultMessage](p); !errors.As(r.Result.Fault, &result) || result.Limit != 1<<20 || result.Actual < 2e6 {
		t.Errorf("the fault is %v", r.Result.Fault)
	}
	p.send(execute("b", "async () => await tools.f('x'.repeat(2e6))"))
	var arguments *protocol.ArgumentsTooLarge
	if r := receive[*protocol.ResultMessage](p); !errors.As(r.Result.Fault, &arguments) || arguments.Of != "tools.f" || arguments.Actual < 2e6 {
		t.Errorf("the fault is %v", r.Result.Fault)
	}
}

// TestEnds checks what ends a child, and with which status.
func TestEnds(t *testing.T) {
	t.Run("the channel's end, idle", func(t *testing.T) {
		p, _ := serve(t)
		p.channel.Close()
		p.wantExit(0)
	})
	t.Run("the channel's end, in a loop", func(t *testing.T) {
		p, _ := serve(t)
		p.send(execute("a", "() => { console.log(1); for (;;); }"))
		receive[*protocol.Log](p)
		p.channel.Close()
		p.wantExit(0)
	})
	t.Run("the channel's end, in a native function", func(t *testing.T) {
		p, _ := serve(t)
		p.send(execute("a", "() => { console.log(1); [].indexOf.call({length: 2 ** 53 - 1}, 1) }"))
		receive[*protocol.Log](p)
		p.channel.Close()
		p.wantExit(0)
	})
	t.Run("drain while it runs", func(t *testing.T) {
		p, _ := serve(t)
		p.send(execute("a", "async () => await tools.f()"))
		call := receive[*protocol.ToolCall](p)
		p.send(&protocol.Drain{})
		p.send(&protocol.ToolReply{Execution: "a", Call: call.Call, Envelope: `{"ok":1}`})
		if r := receive[*protocol.ResultMessage](p); string(r.Result.Value) != "1" {
			t.Errorf("the result is %+v", r)
		}
		p.wantExit(0)
	})
	t.Run("another version", func(t *testing.T) {
		p := start(t, child.RoleServe)
		p.send(&protocol.Hello{Version: protocol.Version + 1, MaxFrame: 1 << 20})
		p.wantExit(child.ExitVersion)
	})
	t.Run("an unknown role", func(t *testing.T) { start(t, "observe").wantExit(child.ExitUsage) })
	for name, first := range map[string]protocol.Message{
		"no hello":          &protocol.Ping{},
		"a frame too small": &protocol.Hello{Version: protocol.Version, MaxFrame: 100},
		"a frame too large": &protocol.Hello{Version: protocol.Version, MaxFrame: protocol.MaxMaxFrame + 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, child.RoleServe)
			p.send(first)
			p.wantExit(child.ExitProtocol)
		})
	}
	t.Run("two executions at once", func(t *testing.T) {
		p, _ := serve(t)
		p.send(execute("a", "async () => await tools.f()"))
		receive[*protocol.ToolCall](p)
		p.send(execute("b", "() => 1"))
		p.wantExit(child.ExitProtocol)
	})
	t.Run("a message for the other direction", func(t *testing.T) {
		p, _ := serve(t)
		p.send(&protocol.Welcome{Version: protocol.Version, MaxFrame: 1})
		p.wantExit(child.ExitProtocol)
	})
	t.Run("half a frame", func(t *testing.T) {
		p, _ := serve(t)
		if _, err := p.channel.Write([]byte{0, 0, 1, 0, '{'}); err != nil {
			t.Fatal(err)
		}
		p.channel.Close()
		p.wantExit(child.ExitProtocol)
	})
	t.Run("no snapshot", func(t *testing.T) {
		p := startWith(t, child.RoleServe, nil, "")
		p.send(&protocol.Hello{Version: protocol.Version, MaxFrame: 1 << 20})
		p.wantExit(child.ExitSnapshot)
	})
	t.Run("another snapshot", func(t *testing.T) {
		blob, err := snapshot()
		if err != nil {
			t.Fatal(err)
		}
		p := startWith(t, child.RoleServe, blob, child.Digest([]byte("another")))
		p.send(&protocol.Hello{Version: protocol.Version, MaxFrame: 1 << 20})
		p.wantExit(child.ExitSnapshot)
	})
}

// TestExplainExit checks that every status of a child has an explanation.
func TestExplainExit(t *testing.T) {
	for _, status := range []int{child.ExitUsage, child.ExitSealing, child.ExitSnapshot, child.ExitVersion, child.ExitProtocol, child.ExitNamespace} {
		if why, ok := child.ExplainExit(status); !ok || why == "" {
			t.Errorf("%d is not explained", status)
		}
	}
	for _, status := range []int{0, 1, 2, sandbox.ExitHeap, sandbox.ExitFatal, sandbox.ExitProcess} {
		if why, ok := child.ExplainExit(status); ok {
			t.Errorf("%d is explained as %q", status, why)
		}
	}
}
