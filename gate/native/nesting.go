package native

import (
	"context"
	"strings"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attack by programs that are nested so deeply that what
// parses them runs out of stack, before any of them runs. They are too long for
// files.

var nesting = []Attack{
	{Name: "source-nested", Source: "M17 M19", Title: "programs and modules nested too deeply for the parser, or for the translator of TypeScript, end in stack_exceeded", Run: sourceNested},
}

func sourceNested(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	const levels = 500_000
	nest := func(open, inner, end string) string {
		return strings.Repeat(open, levels) + inner + strings.Repeat(end, levels)
	}
	cases := []struct {
		name, expression string
		typed            bool // TypeScript only
	}{
		{"parentheses", nest("(", "1", ")"), false},
		{"arrays without an end", nest("[", "", ""), false},
		{"negations", nest("!", "1", ""), false},
		{"arrow functions", nest("a=>", "1", ""), false},
		{"conditions", nest("1?", "1", ":1"), false},
		{"types", "1 as " + nest("A<", "A", ">"), true},
	}
	for _, c := range cases {
		for _, language := range []protocol.Language{protocol.JavaScript, protocol.TypeScript} {
			if c.typed && language != protocol.TypeScript {
				continue
			}
			what := c.name + " in " + string(language)
			request := executor.Request{Source: "() => " + c.expression, Language: language}
			if c.name == "parentheses" {
				request = executor.Request{
					Source: `import "nested"; export default 1`, Form: protocol.FormModule,
					Modules: map[string]protocol.Module{"nested": {Source: c.expression, Language: language}},
				}
			}
			result := h.execute(ctx, e, request)
			if err := wantFault(what, result, protocol.CodeStackExceeded); err != nil {
				return err
			}
			if result.Fault.Retryable() {
				return violated("%s: the fault says that the same program may be sent again", what)
			}
		}
		if err := h.probe(ctx, "after "+c.name, e); err != nil {
			return err
		}
	}
	return nil
}
