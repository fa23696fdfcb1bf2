package protocol

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file owns what makes a request invalid, and the sizes of its parts.

func TestCheckIdentifier(t *testing.T) {
	for _, name := range []string{"a", "Z", "_", "$", "$1", "snake_case", "camelCase", "tools", "async", "of", "get", "set", "from", "as", "undefined2",
		"Proto", "then2", "x" + strings.Repeat("y", MaxIdentifier-1)} {
		if err := CheckIdentifier(name); err != nil {
			t.Errorf("%q is refused: %v", name, err)
		}
	}
	for name, why := range map[string]string{
		"": "empty", "1a": "not an identifier", "a b": "not an identifier", "a-b": "not an identifier", "a.b": "not an identifier", "a\x00": "not an identifier",
		"a\n": "not an identifier", "é": "not an identifier", "ａ": "not an identifier", "\u212a": "not an identifier", "a\u200d": "not an identifier", `\u0061`: "not an identifier", "\xff": "not an identifier",
		"class": "reserved", "await": "reserved", "let": "reserved", "eval": "reserved", "arguments": "reserved", "null": "reserved", "implements": "reserved",
		"__proto__": "looks up", "prototype": "looks up", "constructor": "looks up", "hasOwnProperty": "looks up", "then": "looks up", "toJSON": "looks up",
		strings.Repeat("x", MaxIdentifier+1): "257 bytes",
	} {
		if err := CheckIdentifier(name); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", name, err, why)
		}
	}
}

func TestValidateAccepts(t *testing.T) {
	full := sampleRequest()
	var many Request
	for i := range 100 {
		n := Namespace{Name: fmt.Sprintf("n%d", i)}
		for j := range 100 {
			n.Tools = append(n.Tools, fmt.Sprintf("t%d", j))
		}
		many.Tools = append(many.Tools, n)
	}
	for name, r := range map[string]*Request{
		"empty": {}, "full": &full, "many tools": &many,
		"names of one tool in two namespaces": {Tools: []Namespace{{"a", []string{"x"}}, {"b", []string{"x"}}}},
		"NUL and odd characters":              {Source: "\x00\ufeff\u2028"},
		"input of white space around":         {Input: Value(` [1] `)},
		"long specifier":                      {Modules: map[string]Module{strings.Repeat("m", MaxSpecifier): {}}},
		"language js":                         {Language: JavaScript, Form: FormFunction},
	} {
		if err := r.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestValidateRefuses(t *testing.T) {
	tools := func(n ...Namespace) Request { return Request{Tools: n} }
	tooMany := make([]string, MaxTools+1)
	for i := range tooMany {
		tooMany[i] = fmt.Sprintf("t%d", i)
	}
	tests := []struct {
		name          string
		in            Request
		field, reason string
	}{
		{"source", Request{Source: "a\ufffd\xff"}, "source", "invalid UTF-8 at byte 4"},
		{"surrogate in the source", Request{Source: "\xed\xa0\x80"}, "source", "invalid UTF-8 at byte 0"},
		{"language", Request{Language: "py"}, "language", `"py" is not one of "js", "ts"`},
		{"form", Request{Form: "Module"}, "form", `"Module" is not one of "function", "module"`},
		{"wall clock", Request{WallClock: "tools"}, "wallClock", `"tools" is not "program"`},
		{"namespace", tools(Namespace{Name: "a b"}), "tools[0].name", `"a b" is not an identifier of ASCII letters, digits, _ and $`},
		{"reserved namespace", tools(Namespace{Name: "ok"}, Namespace{Name: "new"}), "tools[1].name", `"new" is a reserved word of ECMAScript`},
		{"global", tools(Namespace{Name: "Promise"}), "tools[0].name", `"Promise" is a global of the language or its standard library`},
		{"console", tools(Namespace{Name: "console"}), "tools[0].name", `"console" is a global of the language or its standard library`},
		{"runtime's name", tools(Namespace{Name: "__isogate_boot"}), "tools[0].name", `"__isogate_boot" begins with __isogate, which the runtime keeps for itself`},
		{"prototype", tools(Namespace{Name: "__proto__"}), "tools[0].name", `"__proto__" is a name that the language looks up on every object`},
		{"namespace twice", tools(Namespace{Name: "a"}, Namespace{Name: "b"}, Namespace{Name: "a"}), "tools[2].name", `the namespace "a" is there twice`},
		{"tool", tools(Namespace{"a", []string{"x", "y", "then"}}), "tools[0].tools[2]", `"then" is a name that the language looks up on every object`},
		{"tool twice", tools(Namespace{"b", nil}, Namespace{"a", []string{"x", "y", "x"}}), "tools[1].tools[2]", `the tool "x" is there twice`},
		{"too many tools", tools(Namespace{"a", tooMany}), "tools[0].tools", "more than 16384 tools in the request"},
		{"too many namespaces", tools(make([]Namespace, MaxNamespaces+1)...), "tools", "1025 namespaces, the limit is 1024"},
		{"empty specifier", Request{Modules: map[string]Module{"": {}}}, `modules[""]`, "the specifier is empty"},
		{"long specifier", Request{Modules: map[string]Module{strings.Repeat("m", MaxSpecifier+1): {}}}, `modules["` + strings.Repeat("m", 100) + `"]`, "the specifier has 1025 bytes, the limit is 1024"},
		{"specifier of invalid UTF-8", Request{Modules: map[string]Module{"\xff": {}}}, `modules["\xff"]`, "the specifier is not valid UTF-8"},
		{"module", Request{Modules: map[string]Module{"a": {}, `b"`: {Source: "\xff"}}}, `modules["b\""].source`, "invalid UTF-8 at byte 0"},
		{"language of a module", Request{Modules: map[string]Module{"x": {Language: "coffee"}}}, `modules["x"].language`, `"coffee" is not one of "js", "ts", "json"`},
		{"too many scripts", Request{Scripts: make([]Script, MaxScripts+1)}, "scripts", "1025 scripts, the limit is 1024"},
		{"script without a name", Request{Scripts: []Script{{"", "1"}}}, "scripts[0].name", "the name has 0 bytes, it must have 1 to 256"},
		{"long name of a script", Request{Scripts: []Script{{strings.Repeat("n", MaxScriptName+1), ""}}}, "scripts[0].name", "the name has 257 bytes, it must have 1 to 256"},
		{"characters of a script's name", Request{Scripts: []Script{{"a", ""}, {"b c", ""}}}, "scripts[1].name", "byte 0x20 at 1, where only visible ASCII may be"},
		{"script twice", Request{Scripts: []Script{{"a", ""}, {"a", ""}}}, "scripts[1].name", `"a" is the name of another script, of a module, of the program or of the runtime`},
		{"script named as a module", Request{Modules: map[string]Module{"m": {}}, Scripts: []Script{{"m", ""}}}, "scripts[0].name", `"m" is the name of another script, of a module, of the program or of the runtime`},
		{"script named as the program", Request{Scripts: []Script{{"program", ""}}}, "scripts[0].name", `"program" is the name of another script, of a module, of the program or of the runtime`},
		{"script named as the runtime", Request{Scripts: []Script{{"isogate:runtime", ""}}}, "scripts[0].name", `"isogate:runtime" is the name of another script, of a module, of the program or of the runtime`},
		{"script", Request{Scripts: []Script{{"a", "\xff"}}}, "scripts[0].source", "invalid UTF-8 at byte 0"},
		{"a program of JSON", Request{Language: JSON}, "language", `"json" is not one of "js", "ts"`},
		{"time zone", Request{TimeZone: "Mars/Olympus"}, "timeZone", `there is no time zone "Mars/Olympus": it is a name of the IANA database, such as "UTC", "America/New_York"`},
		{"time zone in another case", Request{TimeZone: "europe/berlin"}, "timeZone", `there is no time zone "europe/berlin": it is a name of the IANA database, such as "UTC", "America/New_York"`},
		{"time zone as an offset", Request{TimeZone: "+01:00"}, "timeZone", `there is no time zone "+01:00": it is a name of the IANA database, such as "UTC", "America/New_York"`},
		{"grant", Request{Grants: []Grant{GrantWasm, "root"}}, "grants[1]", `there is no grant "root", only ["eval" "wasm"]`},
		{"grant twice", Request{Grants: []Grant{GrantEval, GrantEval}}, "grants[1]", `the grant "eval" is there twice`},
		{"input", Request{Input: Value(`{n:1}`)}, "input", "not codec text: 'n' where a string should be at byte 1"},
		{"input of an unknown kind", Request{Input: Value(`[{"$":"date"}]`)}, "input", `not codec text: '}' where the member "v" should be at byte 12`},
		{"input of white space", Request{Input: Value(` `)}, "input", "not codec text: the text ends where a value should be at byte 1"},
		{"deep input", Request{Input: Value(nested("[", "", "]", 1001))}, "input", "value too large: the limit on its depth is 1000, it has at least 1001"},
		{"tenant", Request{Tenant: strings.Repeat("t", MaxID+1)}, "tenant", "257 bytes, the limit is 256"},
		{"characters of a tenant", Request{Tenant: "a\nb"}, "tenant", "byte 0x0a at 1, where only visible ASCII may be"},
		{"parent", Request{Parent: "é"}, "parent", "byte 0xc3 at 0, where only visible ASCII may be"},
		{"trace", Request{Trace: map[string]string{"baggage": ""}}, `trace["baggage"]`, `only "traceparent" and "tracestate" are known`},
		{"long trace", Request{Trace: map[string]string{"traceparent": strings.Repeat("0", MaxTrace+1)}}, "trace.traceparent", "1024 bytes of valid UTF-8 at most, it has 1025"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			err := tc.in.Validate()
			var got *InvalidRequest
			if !errors.As(err, &got) {
				t.Fatalf("got %v", err)
			}
			if diff := cmp.Diff([]string{tc.field, tc.reason}, []string{got.Field, got.Reason}); diff != "" {
				t.Errorf("field and reason (-want +got):\n%s", diff)
			}
			if got.Started || got.Retryable() || got.Class() != ClassHost {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestCheckSizes(t *testing.T) {
	limits := Limits{Source: 10, Input: 5}
	fits := Request{Source: strings.Repeat("s", 10), Modules: map[string]Module{"m": {Source: strings.Repeat("é", 5)}}, Input: Value(`"abc"`)}
	if f := fits.CheckSizes(limits); f != nil {
		t.Errorf("what fits exactly is refused: %v", f)
	}
	program, module, script, input := fits, fits, fits, fits
	program.Source += "s"
	module.Modules = map[string]Module{"b": {Source: strings.Repeat("s", 12)}, "a": {Source: strings.Repeat("s", 11)}}
	script.Scripts = []Script{{"s", strings.Repeat("s", 10)}, {"t", strings.Repeat("s", 11)}}
	input.Input = Value(`"abcd"`)
	for _, tc := range []struct {
		in   Request
		want Fault
	}{
		{program, &SourceTooLarge{Size: Size{Limit: 10, Actual: 11}, File: "program"}},
		{module, &SourceTooLarge{Size: Size{Limit: 10, Actual: 11}, File: "a"}},
		{script, &SourceTooLarge{Size: Size{Limit: 10, Actual: 11}, File: "t"}},
		{input, &ArgumentsTooLarge{Size: Size{Limit: 5, Actual: 6}, Of: "input"}},
	} {
		if diff := cmp.Diff(tc.want, tc.in.CheckSizes(limits), cmp.AllowUnexported(faultTypes...)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestHasToolAndGrant(t *testing.T) {
	r := sampleRequest()
	for _, tc := range []struct {
		namespace, tool string
		want            bool
	}{{"tools", "add", true}, {"tools", "read", true}, {"tools", "toString", false}, {"empty", "add", false}, {"Tools", "add", false}, {"", "", false}} {
		if got := r.HasTool(tc.namespace, tc.tool); got != tc.want {
			t.Errorf("HasTool(%q, %q) is %v", tc.namespace, tc.tool, got)
		}
	}
	if !r.HasGrant(GrantEval) || r.HasGrant("") || (&Request{}).HasGrant(GrantEval) {
		t.Error("HasGrant is wrong")
	}
}
