package reports

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file tests the annotations.

func TestAnnotations(t *testing.T) {
	want := `::error file=threats/broken-claim/break.ts,line=1,title=broken-claim is violated; it was held at HEAD~1::break: the value is 1
::error file=d.go,line=1,title=hollow is vacuous::control off: held
::error file=threats/gap/claim.yaml,line=5,title=threats/gap/claim.yaml%3A5%3A3%3A control "c"%3A the text to find occurs 0 times::threats/gap/claim.yaml:5:3: control "c": the text to find occurs 0 times
::error file=gate/walk/guest.js,line=1,title=the walk%3A global.g (none; empty) after 9s%3A late::the walk: global.g (none; empty) after 9s: late
::error file=g.go,line=20,title=g.go%3A20%3A drop (the call is dropped) survives the attacks of held-claim and gap::g.go:20: drop (the call is dropped) survives the attacks of held-claim and gap
::error file=bench/thresholds.json,line=1,title=WarmRun (ns/op) is worse than at HEAD~1::the ratio is above 1.10
::error file=bench/thresholds.json,line=1,title=the measurement Recovery is registered and was not taken::the measurement Recovery is registered and was not taken
::error file=bench/thresholds.json,line=1,title=ChildMemory (B/child) is worse::above its ceiling
::error file=d.go,line=1,title=the control gone of hollow::does not compile
::notice title=Known gaps::open or not supported here, and not counted as held: gap, foreign
::warning title=Left out of this run::the controls of 3 claims: no time was left
`
	if diff := cmp.Diff(want, form(t, "annotations", whole())); diff != "" {
		t.Error(diff)
	}
}

func TestAnnotationsAreEscaped(t *testing.T) {
	r := sample()
	r.Claims = r.Claims[1:2]
	r.Claims[0].ID, r.Claims[0].Reason, r.Claims[0].Attacks[0].Place = "a,b:c", "50 %\r\n::error::taken\n\x1b", Place{"x,y:z%.js", 3}
	want := "::error file=x%2Cy%3Az%25.js,line=3,title=a%2Cb%3Ac is violated::50 %25\\u{d}%0A::error::taken%0A\\u{1b}\n"
	if diff := cmp.Diff(want, form(t, "annotations", r)); diff != "" {
		t.Error(diff)
	}
}

func TestAnnotationsAreAtMostTen(t *testing.T) {
	r := sample()
	for i := range 14 {
		r.Problems = append(r.Problems, fmt.Sprintf("problem %d", i))
	}
	text := form(t, "annotations", r)
	if n := strings.Count(text, "::error "); n != 10 {
		t.Errorf("%d errors", n)
	}
	if !strings.Contains(text, "::notice title=Not all is shown::and 5 failures more; the report has all\n") {
		t.Errorf("the rest is not counted:\n%s", text)
	}
}

func TestAnnotationsOfAPassingRun(t *testing.T) {
	r := sample()
	r.Claims = slices.Delete(r.Claims, 1, 2)
	if text := form(t, "annotations", r); strings.Contains(text, "::error") || strings.Contains(text, "::warning") {
		t.Errorf("a run that passes is annotated:\n%s", text)
	}
}
