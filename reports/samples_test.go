package reports

import (
	"encoding/json"
	"strings"
)

// This file owns the records that the tests of the forms share, beside sample.

// whole is a record in which every field is used.
func whole() *Record {
	r := compared()
	r.Verify = Verify{Seed: 7, Repeat: 2, Run: "^held", Target: "isogated", Parallel: 2}
	r.Host.Memory, r.Host.Governor, r.Host.HugePages, r.Build.Modified, r.Build.Profile = 8<<30, "performance", "madvise", true, "hardened"
	r.Problems = []string{`threats/gap/claim.yaml:5:3: control "c": the text to find occurs 0 times`}
	r.LeftOut = []string{"the controls of 3 claims: no time was left"}
	r.Walk.Wrong = []string{"global.g (none; empty) after 9s: late"}
	r.Claims[0].Place, r.Claims[0].Attacks[0].Place = Place{"threats/held-claim/claim.yaml", 1}, Place{"threats/held-claim/try.js", 1}
	r.Claims[1].Attacks[0].Place = Place{"threats/broken-claim/break.ts", 1}
	r.Claims[1].Attacks[0].Evidence = Evidence{Value: "1", Logs: []string{"a", "b"}, Notes: []string{"seen"}, WallMS: 90, WithinMS: 50, CPUMS: 3, PeakHeap: 5 << 20, PeakExternal: 1 << 20, PeakResident: 64 << 20, Attempts: 3, Late: 2}
	r.Claims = append(r.Claims,
		Claim{ID: "hollow", Title: "Nothing notices", Statement: "It is checked.", Boundary: "message", Severity: "medium", Owners: []string{"d.go", "e.go"}, Verdict: Vacuous, Reason: "control off: held",
			Attacks:  []Attack{{Name: "look", Title: "a look", Source: "own", Outcome: AttackHeld, Evidence: Evidence{Attempts: 1}}},
			Controls: []Control{{Name: "off", File: "d.go", Outcome: ControlVacuous, Reason: "held", Place: Place{"threats/hollow/claim.yaml", 12}}, {Name: "gone", File: "e.go", Outcome: ControlFailed, Reason: "does not compile"}}},
		Claim{ID: "foreign", Title: "Not here", Statement: "Needs a kernel.", Boundary: "network", Severity: "low", Owners: []string{"f.go"}, Verdict: Unsupported, Reason: "no Landlock",
			Attacks: []Attack{{Name: "reach", Title: "a reach", Source: "own", Outcome: AttackUnsupported, Wrong: []string{"no Landlock"}, Evidence: Evidence{Attempts: 1}}}},
	)
	r.Bench.Missing = []string{"Recovery"}
	r.Bench.Measurements[0].Outliers, r.Bench.Measurements[0].Ceiling = []int{2}, 2e7
	r.Bench.Measurements[0].Calibration = &Ratio{Median: 1.01, Low: 0.99, High: 1.03, Confidence: 0.95, Pairs: 6}
	r.Bench.Measurements = append(r.Bench.Measurements,
		Measurement{Name: "ToolCall", Unit: "frames/op", Better: "lower", Iterations: 10, Samples: []float64{2, 2}, Exact: true, Verdict: Same},
		Measurement{Name: "ChildMemory", Unit: "B/child", Better: "lower", Iterations: 10, Samples: []float64{41e6, 42e6, 41.5e6}, Verdict: Worse, Reason: "above its ceiling"})
	r.Against = against()
	r.Sweep = &Sweep{Marks: 3, Mutations: 9, Mutants: []SweepMutant{
		{File: "g.go", Line: 10, Mutation: "negate", What: "the condition is turned", Claims: []string{"held-claim"}, Outcome: SweepKilled, KilledBy: []string{"held-claim/try"}, RunMS: 1200},
		{File: "g.go", Line: 20, Mutation: "drop", What: "the call is dropped", Claims: []string{"held-claim", "gap"}, Outcome: SweepSurvived, Reason: "held", RunMS: 900},
		{File: "h.cc", Line: 30, Mutation: "drop", What: "the call is dropped", Claims: []string{"gap"}, Outcome: SweepEquivalent, Reason: "done twice"},
		{File: "h.cc", Line: 40, Mutation: "drop", What: "the call is dropped", Claims: []string{"gap"}, Outcome: SweepBroken, Reason: "does not compile"},
	}}
	return r
}

// against is a comparison with every verdict.
func against() *Against {
	change := func(name, unit string, v Verdict, ratio float64, exact bool) Change {
		c := Change{Name: name, Unit: unit, Better: "lower", Exact: exact, Iterations: 40, P: 0.001, Tolerance: 0.1, Verdict: v,
			Ratio: Ratio{Median: ratio, Low: ratio - 0.02, High: ratio + 0.02, Confidence: 0.95, Pairs: 10}, Calibration: &Ratio{Median: 1, Low: 0.98, High: 1.02, Confidence: 0.95, Pairs: 10}}
		for i := range 10 {
			c.Old = append(c.Old, 4e6+float64(i)*1e4)
			c.New = append(c.New, ratio*(4e6+float64(i)*1e4))
		}
		return c
	}
	a := &Against{Reference: "HEAD~1", Revision: "0123456789abcdef", Harness: HarnessOurs, Compared: 5, Changes: []Change{
		change("ColdStart", "ns/op", Same, 1.01, false), change("WarmRun", "ns/op", Worse, 1.2, false), change("WarmRun", "p95-ns/op", Unknown, 1.08, false),
		change("ToolCall", "frames/op", Better, 0.8, true), change("Recovery", "ns/op", Unfit, 1.3, false),
	}, Claims: []ClaimChange{
		{ID: "broken-claim", Title: "It does not", Old: Held, New: Violated, Reason: "break: the value is 1"},
		{ID: "new-claim", Title: "It is new", New: Held},
	}}
	a.Changes[1].Reason, a.Changes[1].Outliers = "the ratio is above 1.10", []int{9}
	return a
}

// hostileText tries what a text can do to a page, to XML, to Markdown and to a workflow
// command.
const hostileText = `<script>document.title="taken"</script></style></script><img src=x onerror="document.title='taken'">` +
	"`|*[x](http://example.com/)![y](http://example.com/y.png) @someone #1 \u202Eevil\u202C \u2066x\u2069 \u200Bz \x00\x07\x1b[31m\r\n::error::taken\n]]>--><!-- \xff\xfe {{.}} ${x} %0A,a:b " + `"'\`

// hostile is a record whose every text is hostile.
func hostile() *Record {
	r := whole()
	text, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		panic(err)
	}
	var walk func(key string, v any) any
	walk = func(key string, v any) any {
		switch v := v.(type) {
		case map[string]any:
			for k, field := range v {
				v[k] = walk(k, field)
			}
			return v
		case []any:
			for i, item := range v {
				v[i] = walk(key, item)
			}
			return v
		case string:
			// What decides is kept, so that every part is written.
			switch key {
			case "verdict", "outcome", "old", "new", "started", "better":
				return v
			}
			return v + hostileText
		}
		return v
	}
	if text, err = json.Marshal(walk("", tree)); err != nil {
		panic(err)
	}
	out := new(Record)
	if err := json.Unmarshal(text, out); err != nil {
		panic(err)
	}
	out.Claims[0].ID = strings.Repeat("long", 5000)
	// JSON holds no bytes that are not UTF-8; a record made in memory may.
	out.Claims[1].Attacks[0].Evidence.Value += "\xff\xfe"
	return out
}
