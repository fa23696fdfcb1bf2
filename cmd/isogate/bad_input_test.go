package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isogate/isogate/protocol"
)

// This file owns what the command does with bad input: one line that says what
// and where, status 2, and nothing executed.

func TestBadInput(t *testing.T) {
	dir := folder(t, map[string]string{
		"good.js":  "() => 1",
		"bad.json": "{\n  \"a\": 1,\n  \"b\" 2\n}",
		"mark.sh":  "#!/bin/sh\ntouch \"$(dirname \"$0\")/executed\"\n",
	})
	executed := filepath.Join(dir, "executed")
	good, mark := filepath.Join(dir, "good.js"), filepath.Join(dir, "mark.sh")
	for _, tc := range []struct {
		name string
		args []string
		want []string
	}{
		{"no command", nil, []string{"no command given"}},
		{"unknown command", []string{"walk"}, []string{"no command walk"}},
		{"unknown flag", []string{"run", "--fast", good}, []string{"--fast"}},
		{"unknown flag of the root", []string{"--fast"}, []string{"--fast"}},
		{"no program", []string{"run"}, []string{"takes one program", "0 were given"}},
		{"two programs", []string{"run", good, good}, []string{"2 were given"}},
		{"missing file", []string{"run", filepath.Join(dir, "none.js")}, []string{"none.js", "no such file"}},
		{"folder", []string{"run", dir}, []string{dir, "is a directory"}},
		{"a flag without its value", []string{"run", good, "--input"}, []string{"--input"}},
		{"input that is no JSON", []string{"run", good, "--input", "{a:1}"}, []string{"--input", "line 1, column 2", "no JSON"}},
		{"input that is cut short", []string{"run", good, "--input", `{"a":`}, []string{"--input", "the text ends"}},
		{"empty input", []string{"run", good, "--input", ""}, []string{"--input", "empty"}},
		{"input that is not UTF-8", []string{"run", good, "--input", "\"ab\xff\""}, []string{"--input", "column 4", "UTF-8"}},
		{"input in a file that is no JSON", []string{"run", good, "--input", "@" + filepath.Join(dir, "bad.json")}, []string{"bad.json", "line 3, column 7"}},
		{"input in a missing file", []string{"run", good, "--input", "@" + filepath.Join(dir, "none.json")}, []string{"none.json", "no such file"}},
		{"input with an unknown escape", []string{"run", good, "--codec", "--input", `{"$":"nothing"}`}, []string{"--input", "nothing"}},
		{"unknown grant", []string{"run", good, "--grant", "network"}, []string{"--grant network", "eval, wasm"}},
		{"unknown form", []string{"run", good, "--form", "class"}, []string{"form", "class"}},
		{"unknown time zone", []string{"run", good, "--time-zone", "Berlin"}, []string{"timeZone", "Berlin", "America/New_York"}},
		{"unknown profile", []string{"run", good, "--profile", "fast"}, []string{"profile", "fast"}},
		{"tool without a command", []string{"run", good, "--tool", "tools.add"}, []string{"--tool", "tools.add", "NAMESPACE.NAME=COMMAND"}},
		{"tool without a namespace", []string{"run", good, "--tool", "add=" + mark}, []string{"--tool", "NAMESPACE.NAME=COMMAND"}},
		{"tool name that is no identifier", []string{"run", good, "--tool", "tools.1st=" + mark}, []string{"--tool tools.1st", "1st"}},
		{"tool name that is reserved", []string{"run", good, "--tool", "tools.__proto__=" + mark}, []string{"__proto__"}},
		{"tool name with two dots", []string{"run", good, "--tool", "a.b.c=" + mark}, []string{"a.b.c"}},
		{"namespace that is a global", []string{"run", good, "--tool", "Object.f=" + mark}, []string{"Object"}},
		{"tool given twice", []string{"run", good, "--tool", "tools.f=" + mark, "--tool", "tools.f=cat"}, []string{"tools.f", "twice"}},
		{"tool with an empty command", []string{"run", good, "--tool", "tools.f="}, []string{"tools.f", "empty"}},
		{"tool whose command is missing", []string{"run", good, "--tool", "tools.f=./none.sh"}, []string{"tools.f", "./none.sh", "no such file"}},
		{"module without a file", []string{"run", good, "--module", "lib"}, []string{"--module", "NAME=FILE"}},
		{"module with a missing file", []string{"run", good, "--module", "lib=" + filepath.Join(dir, "none.js")}, []string{"--module lib", "none.js", "no such file"}},
		{"module given twice", []string{"run", good, "--module", "lib=" + good, "--module", "lib=" + good}, []string{"--module lib", "twice"}},
		{"bad size", []string{"run", good, "--heap", "much"}, []string{"--heap", "much", "64MiB"}},
		{"zero size", []string{"run", good, "--external", "0"}, []string{"--external", "zero"}},
		{"bad duration", []string{"run", good, "--wall", "30"}, []string{"--wall", "30", "30s"}},
		{"negative duration", []string{"run", good, "--cpu", "-1s"}, []string{"--cpu", "-1s"}},
		{"heap out of range", []string{"run", good, "--heap", "64GiB"}, []string{"limits.heap", "outside"}},
		{"heap below the least", []string{"run", good, "--heap", "1k"}, []string{"limits.heap", "outside"}},
		{"wall out of range", []string{"run", good, "--wall", "24h"}, []string{"limits.wall", "outside"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			args := tc.args
			if len(args) > 2 && args[0] == "run" {
				// A program and a tool that would leave a mark if they ran.
				args = slices.Concat(args, []string{"--tool", "mark.mark=" + mark})
			}
			if tc.name == "a flag without its value" {
				args = tc.args
			}
			got := isogate(t, invocation{args: args, stdin: "() => mark.mark()"})
			got.wantFailure(t, statusUsage, tc.want...)
			if _, err := os.Stat(executed); err == nil {
				t.Error("something was executed")
			}
		})
	}
}

func TestSourceThatIsNotUTF8(t *testing.T) {
	got := runProgram(t, "() => '\xff'")
	got.wantFailure(t, statusUsage, "source", "UTF-8")
}

func TestSourceTooLarge(t *testing.T) {
	got := runProgram(t, "() => 1 //"+strings.Repeat("x", 5<<20))
	got.wantFailure(t, statusLimit, "source too large", "4194304")
}

func TestSourceThatNeverEnds(t *testing.T) {
	got := isogate(t, invocation{args: []string{"run", "/dev/zero"}})
	got.wantFailure(t, statusLimit, "source too large")
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"help"}, {"run", "--help"}, {"doctor", "--help"}, {"version", "--help"}} {
		got := isogate(t, invocation{args: args})
		got.wantStatus(t, statusValue)
		if !strings.Contains(got.stdout, "Usage:") || got.stderr != "" {
			t.Errorf("isogate %q wrote %q and %q", args, got.stdout, got.stderr)
		}
	}
}

func TestVersion(t *testing.T) {
	got := isogate(t, invocation{args: []string{"version"}})
	got.wantStatus(t, statusValue)
	for _, part := range []string{"isogate ", fmt.Sprintf("protocol %d\n", protocol.Version), "V8 10.9.194.9"} {
		if !strings.Contains(got.stdout, part) {
			t.Errorf("%q does not hold %q", got.stdout, part)
		}
	}
}
