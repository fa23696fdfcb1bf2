package executor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns tools: from a program's call to a Go function and back.

// Tool is a function that programs may call. args are the arguments as
// [protocol.Decode] gives them; the value is encoded as [protocol.Encode] does.
//
// Calls of one execution run at the same time, each in a goroutine of its own.
// ctx descends from the one given to Execute, knows its execution ([ExecutionID]),
// and is cancelled when that ends or when the call has taken its
// [protocol.Limits.ToolTime]. An error is thrown to the program: a [protocol.ToolError] or a
// [protocol.Error] with its name, message and fields, any other with its text. A
// panic reaches the program as an error that says nothing more.
type Tool func(ctx context.Context, args []any) (any, error)

// Tools are the tools of an execution: namespace → name → function.
type Tools map[string]map[string]Tool

// namespaces returns the names of the tools, sorted.
func (t Tools) namespaces() ([]protocol.Namespace, protocol.Fault) {
	var out []protocol.Namespace
	for _, namespace := range slices.Sorted(maps.Keys(t)) {
		names := slices.Sorted(maps.Keys(t[namespace]))
		for _, name := range names {
			if t[namespace][name] == nil {
				return nil, &protocol.InvalidRequest{
					Field:  fmt.Sprintf("tools[%.40q][%.40q]", namespace, name),
					Reason: "the function is nil",
				}
			}
		}
		out = append(out, protocol.Namespace{Name: namespace, Tools: names})
	}
	return out, nil
}

// Handler returns what answers the calls of one execution with these tools. The
// limits are resolved ones; end is called with the fault of a reply that passes
// them, and must end the execution with it.
func (t Tools) Handler(limits protocol.Limits, end context.CancelCauseFunc) pool.ToolHandler {
	return (&dispatcher{tools: t, limits: limits, end: end}).call
}

// dispatcher answers the tool calls of one execution.
type dispatcher struct {
	tools  Tools
	limits protocol.Limits
	// end ends the execution with a fault.
	end context.CancelCauseFunc
}

// call implements pool.ToolHandler. The pool has checked that the request offers
// the tool, and recovers from panics.
func (d *dispatcher) call(ctx context.Context, namespace, name, args string) string {
	decoded, err := protocol.Decode(protocol.Value(args), protocol.Bounds{Bytes: d.limits.Argument})
	if err != nil {
		return failure(fmt.Errorf("the arguments cannot be read: %w", err))
	}
	list, ok := decoded.([]any)
	if !ok {
		return failure(errors.New("the arguments are not an array"))
	}
	value, err := d.tools[namespace][name](ctx, list)
	if err != nil {
		return failure(err)
	}
	return d.success(namespace+"."+name, value)
}

// success returns the envelope of a tool's value. One beyond the limit on
// replies ends the execution, as the pool would end it; one that cannot be
// encoded is an error to the program.
func (d *dispatcher) success(tool string, value any) string {
	text, err := protocol.Encode(value, protocol.Bounds{Bytes: d.limits.Reply})
	var bound *protocol.BoundError
	if errors.As(err, &bound) && bound.What == protocol.BoundBytes {
		d.end(&protocol.ReplyTooLarge{
			Size: protocol.Size{Limit: d.limits.Reply, Actual: bound.Actual, AtLeast: true}, Of: tool,
		})
	}
	if err != nil {
		return failure(fmt.Errorf("the tool's value cannot be sent: %w", err))
	}
	envelope, err := protocol.Envelope{OK: text}.Encode()
	if err != nil {
		return failure(fmt.Errorf("the tool's value cannot be sent: %w", err))
	}
	return envelope
}

// failure returns the envelope of an error.
func failure(err error) string {
	envelope, failed := protocol.Envelope{Error: toolError(err)}.Encode()
	if failed == nil {
		return envelope
	}
	// Only what the tool put in beside the texts can have failed.
	envelope, failed = protocol.Envelope{Error: &protocol.ToolError{Name: "Error", Message: err.Error()}}.Encode()
	if failed != nil {
		return "" // which the pool answers with an error of its own
	}
	return envelope
}

// toolError returns what the program is to see of an error.
func toolError(err error) *protocol.ToolError {
	var tool *protocol.ToolError
	if errors.As(err, &tool) {
		return tool
	}
	var value *protocol.Error
	if !errors.As(err, &value) {
		return &protocol.ToolError{Name: "Error", Message: err.Error()}
	}
	out := &protocol.ToolError{Name: value.Name, Message: value.Message, Stack: value.Stack}
	if len(value.Fields) > 0 {
		// Fields that cannot cross are left out: the error itself matters more.
		out.Fields, _ = protocol.Encode(value.Fields, protocol.Bounds{})
	}
	if value.HasCause {
		out.Cause, _ = protocol.Encode(value.Cause, protocol.Bounds{})
	}
	return out
}
