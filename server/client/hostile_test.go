package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server/client"
)

// This file owns the tests of servers that do not keep to the protocol.

// impostor serves WebSockets with act, which has read hello and may do anything.
func impostor(t *testing.T, act func(ctx context.Context, c *websocket.Conn)) (address string) {
	t.Helper()
	path := filepath.Join(folder(t), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		if _, _, err := c.Read(ctx); err == nil {
			act(ctx, c)
		}
	})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(l)
	}()
	t.Cleanup(func() {
		cancel()
		s.Close()
		<-done
	})
	return "unix://" + path
}

const welcome = `{"type":"welcome","version":2,"maxFrame":1000000}`

// say sends texts as messages, then waits for the peer to go.
func say(texts ...string) func(context.Context, *websocket.Conn) {
	return func(ctx context.Context, c *websocket.Conn) {
		for _, text := range texts {
			if text == "" { // wait for the client's next message
				if _, _, err := c.Read(ctx); err != nil {
					return
				}
			} else if c.Write(ctx, websocket.MessageText, []byte(text)) != nil {
				return
			}
		}
		for {
			if _, _, err := c.Read(ctx); err != nil {
				return
			}
		}
	}
}

func TestWelcomesThatAreRefused(t *testing.T) {
	for _, test := range []struct {
		text string
		code protocol.Code
	}{
		{`{"type":"welcome","version":1,"maxFrame":1000000}`, protocol.CodeUnsupportedVersion},
		{`{"type":"pong","nonce":1}`, protocol.CodeProtocolViolation},
		{`{"type":"welcome","version":2,"maxFrame":0}`, protocol.CodeProtocolViolation},
		{`{"type":"welcome","version":2,"maxFrame":1000000,"max":{"heap":1}}`, protocol.CodeProtocolViolation},
		{`welcome`, protocol.CodeProtocolViolation},
	} {
		_, err := client.Dial(t.Context(), impostor(t, say(test.text)), client.Config{})
		var fault protocol.Fault
		if !errors.As(err, &fault) || fault.Code() != test.code {
			t.Errorf("%s: the error is %v, want %s", test.text, err, test.code)
		}
	}
}

// TestHostileServer sends what no server may while a program runs. The program
// ends with a fault, and its tool is called as often as it may be.
func TestHostileServer(t *testing.T) {
	const call = `{"type":"tool_call","execution":"1","call":%d,"namespace":"host","tool":"f","args":"[]"}`
	for _, test := range []struct {
		name  string
		texts []string
		calls int
		want  string
	}{
		{"an unknown type", []string{`{"type":"hack"}`}, 0, "there is no type"},
		{"a tool that was not offered", []string{`{"type":"tool_call","execution":"1","call":1,"namespace":"host","tool":"constructor","args":"[]"}`}, 0, "does not offer"},
		{"a call twice", []string{fmt.Sprintf(call, 1), "", fmt.Sprintf(call, 1)}, 1, "which is not new"},
		{"more calls than may be", []string{fmt.Sprintf(call, 1), "", fmt.Sprintf(call, 2), "", fmt.Sprintf(call, 3)}, 2, "more than 2 tool calls"},
		{"arguments beyond the limit", []string{`{"type":"tool_call","execution":"1","call":1,"namespace":"host","tool":"f","args":"[` + strings.Repeat(" ", 200) + `]"}`}, 0, "the limit is 100"},
		{"logs that nobody asked for", []string{`{"type":"log","execution":"1","entry":{"level":"log","text":"x","ms":1}}`}, 0, "nobody asked for"},
		{"an execute", []string{`{"type":"execute","execution":"1","request":{"source":""}}`}, 0, "may not send execute"},
		{"a long message", []string{`{"type":"pong","nonce":1` + strings.Repeat(" ", 200_000) + `}`}, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			texts := append([]string{welcome, ""}, test.texts...)
			e := dial(t, impostor(t, say(texts...)), client.Config{MaxFrame: 1 << 16})
			calls := make(chan struct{}, 10)
			result, err := e.Execute(t.Context(), executor.Request{Source: "() => 1", Limits: protocol.Limits{ToolCalls: 2, Argument: 100},
				Tools: executor.Tools{"host": {"f": func(context.Context, []any) (any, error) { calls <- struct{}{}; return nil, nil }}}})
			var fault protocol.Fault
			if !errors.As(err, &fault) || !strings.Contains(err.Error(), test.want) || !fault.Reached().Started {
				t.Errorf("the error is %v, want %q", err, test.want)
			}
			if len(calls) != test.calls || len(result.Calls) != test.calls {
				t.Errorf("the tool was called %d times, the result says %d, want %d", len(calls), len(result.Calls), test.calls)
			}
		})
	}
}

// TestStrayMessages sends what concerns nobody, which changes nothing.
func TestStrayMessages(t *testing.T) {
	e := dial(t, impostor(t, say(welcome, "",
		`{"type":"result","execution":"99","result":{"value":13}}`,
		`{"type":"tool_call","execution":"99","call":1,"namespace":"host","tool":"f","args":"[]"}`,
		`{"type":"call_ended","execution":"1","call":5}`, `{"type":"log","execution":"99","entry":{"level":"log","text":"x","ms":1}}`,
		`{"type":"result","execution":"1","result":{"value":42}}`, `{"type":"result","execution":"1","result":{"value":13}}`,
	)), client.Config{})
	result, err := e.Execute(t.Context(), executor.Request{Source: "() => 1"})
	if err != nil || string(result.Value) != "42" {
		t.Errorf("%s, %v", result.Value, err)
	}
}

// TestSilentServer cancels an execution whose server says nothing any more.
func TestSilentServer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := dial(t, impostor(t, func(serving context.Context, c *websocket.Conn) {
		if c.Write(serving, websocket.MessageText, []byte(welcome)) != nil {
			return
		}
		// What comes first is the execution, and is not answered, nor is its end.
		if _, _, err := c.Read(serving); err == nil {
			cancel()
		}
		say()(serving, c)
	}), client.Config{HandshakeTimeout: 2 * time.Second})
	_, err := e.Execute(ctx, executor.Request{Source: "() => 1"})
	var cancelled *protocol.Cancelled
	if !errors.As(err, &cancelled) {
		t.Errorf("the error is %v", err)
	}
}

// TestRefusals checks that a server's answer to the opening arrives as its fault.
func TestRefusals(t *testing.T) {
	path := filepath.Join(folder(t), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	answer := `{"fault":{"code":"quota_exceeded","class":"host","retryable":true,"message":"","started":false,"quota":"connections","limit":7}}`
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, answer)
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Serve(l) }()
	defer func() { s.Close(); <-done }()
	var quota *protocol.QuotaExceeded
	if _, err := client.Dial(t.Context(), "unix://"+path, client.Config{}); !errors.As(err, &quota) || quota.Limit != 7 {
		t.Errorf("the error is %v", err)
	}
}
