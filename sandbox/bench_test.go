package sandbox_test

import (
	"context"
	"strings"
	"testing"

	"github.com/isogate/isogate/protocol"
)

// This file measures executions without processes around them. The isolate of
// each is restored while the sandbox is idle, so back to back the restoring
// counts as well.

func BenchmarkExecute(b *testing.B) {
	payload := `"` + strings.Repeat("x", 1<<20) + `"`
	answers := tools{"tools.add": func(string) string { return `{"ok":1}` }}
	cases := []struct {
		name, source string
		change       []func(*protocol.Request)
	}{
		{"trivial", "() => 1", nil},
		{"typescript", "(): number => 1", []func(*protocol.Request){typescript}},
		{"100calls", "async () => { for (let i = 0; i < 100; i++) await tools.add(i) }", []func(*protocol.Request){withTools("add")}},
		{"1MiB", "(i) => i", []func(*protocol.Request){withInput(payload)}},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			req := request(b, c.source, c.change...)
			for b.Loop() {
				if r := shared.Execute(context.Background(), req, &testHost{tools: answers}); r.Fault != nil {
					b.Fatal(r.Fault)
				}
			}
		})
	}
}
