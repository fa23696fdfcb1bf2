package threats

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns the library of tools that attacks may be given.

// library holds every tool by its name. Each is an ordinary tool of a host.
var library = map[string]executor.Tool{
	// echo returns its first argument, or undefined.
	"echo": func(_ context.Context, args []any) (any, error) {
		if len(args) == 0 {
			return protocol.Undefined{}, nil
		}
		return args[0], nil
	},
	// args returns all its arguments as an array.
	"args": func(_ context.Context, args []any) (any, error) { return args, nil },
	// add returns a+b of its one argument {a, b}.
	"add": func(_ context.Context, args []any) (any, error) {
		if len(args) == 1 {
			if o, ok := args[0].(map[string]any); ok {
				a, okA := o["a"].(float64)
				b, okB := o["b"].(float64)
				if okA && okB {
					return a + b, nil
				}
			}
		}
		return nil, errors.New("add wants one object {a, b} of numbers")
	},
	// fail fails with a plain Go error.
	"fail": func(context.Context, []any) (any, error) { return nil, errors.New("the tool failed") },
	// reject fails with an error that has a name and fields of its own.
	"reject": func(context.Context, []any) (any, error) {
		return nil, &protocol.ToolError{Name: "QuotaError", Message: "no more today", Fields: protocol.Value(`{"code":"E_QUOTA","left":0}`)}
	},
	// panic is a broken tool: it panics with a text about the host.
	"panic": func(context.Context, []any) (any, error) { panic(PanicText) },
	// never answers only when its execution is over.
	"never": func(ctx context.Context, _ []any) (any, error) { <-ctx.Done(); return nil, ctx.Err() },
	// slow answers "done" after its argument {ms}.
	"slow": func(ctx context.Context, args []any) (any, error) {
		timer := time.NewTimer(time.Duration(numberField(args, "ms")) * time.Millisecond)
		defer timer.Stop()
		select {
		case <-timer.C:
			return "done", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	},
	// big returns a text of its argument's {bytes} bytes.
	"big": func(_ context.Context, args []any) (any, error) {
		return strings.Repeat("x", int(min(numberField(args, "bytes"), 1<<30))), nil
	},
	// hostile returns an object whose keys are those that prototype pollution uses.
	"hostile": func(context.Context, []any) (any, error) {
		return map[string]any{
			"__proto__":      map[string]any{"polluted": true},
			"constructor":    map[string]any{"prototype": map[string]any{"polluted": true}},
			"toString":       "text",
			"hasOwnProperty": "text",
			"then":           "text",
		}, nil
	},
	// rich returns one of each kind of value that is no JSON.
	"rich": func(context.Context, []any) (any, error) {
		return map[string]any{
			"nan": math.NaN(), "big": big.NewInt(1 << 62), "undefined": protocol.Undefined{},
			"bytes": []byte{1, 2, 255}, "date": time.UnixMilli(86_400_000).UTC(), "dollar": map[string]any{"$": "undefined"},
		}, nil
	},
}

// PanicText is what the tool "panic" panics with. It may never reach a program.
const PanicText = "tool panicked at /srv/host/secret.go"

func numberField(args []any, name string) float64 {
	if len(args) == 0 {
		return 0
	}
	o, _ := args[0].(map[string]any)
	n, _ := o[name].(float64)
	return n
}

// Toolbox is the tools of one execution; it counts how often each really ran, and
// keeps what they were given. It is safe for concurrent use.
type Toolbox struct {
	mu       sync.Mutex
	count    map[string]int  // guarded by mu
	received strings.Builder // guarded by mu
}

// Bounds on what is kept of the arguments of one call: how many values are looked at,
// and how many bytes of text are kept; and the bytes of all calls.
const (
	receivedValues = 100_000
	receivedCall   = 64 << 10
	receivedAll    = 4 << 20
)

// Total returns how often tools ran, all together.
func (b *Toolbox) Total() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	total := 0
	for _, n := range b.count {
		total += n
	}
	return total
}

// Received returns what the tools were given, as one text to be searched: the texts,
// keys and bytes in the arguments of each call, within bounds.
func (b *Toolbox) Received() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.received.String()
}

// took keeps a call and its arguments.
func (b *Toolbox) took(name string, args []any) {
	text := textsIn(args)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.count == nil {
		b.count = map[string]int{}
	}
	b.count[name]++
	if b.received.Len()+len(text) < receivedAll {
		b.received.WriteString(text)
	}
}

// textsIn returns the texts in a value as deep as they are, a line for each. A program
// decides how deep that is, so it does not call itself.
func textsIn(value any) string {
	var b strings.Builder
	add := func(text string) {
		if b.Len() < receivedCall {
			b.WriteString(text[:min(len(text), receivedCall-b.Len())])
			b.WriteByte('\n')
		}
	}
	rest := []any{value}
	for seen := 0; len(rest) > 0 && seen < receivedValues && b.Len() < receivedCall; seen++ {
		v := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		switch v := v.(type) {
		case string:
			add(v)
		case []byte:
			add(string(v))
		case []any:
			rest = append(rest, v...)
		case map[string]any:
			for key, one := range v {
				add(key)
				rest = append(rest, one)
			}
		}
	}
	return b.String()
}

// Invoked returns how often the tool "namespace.tool" ran.
func (b *Toolbox) Invoked(name string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count[name]
}

// Offer returns the named tools for a request.
func (b *Toolbox) Offer(names ...ToolName) executor.Tools {
	tools := executor.Tools{}
	for _, t := range names {
		if tools[t.Namespace] == nil {
			tools[t.Namespace] = map[string]executor.Tool{}
		}
		run := library[t.Name]
		tools[t.Namespace][t.Name] = func(ctx context.Context, args []any) (any, error) {
			b.took(t.String(), args)
			return run(ctx, args)
		}
	}
	return tools
}

// LibraryTool returns the tool of the library with the given name.
func LibraryTool(name string) (executor.Tool, error) {
	tool, ok := library[name]
	if !ok {
		return nil, fmt.Errorf("there is no tool %q", name)
	}
	return tool, nil
}
