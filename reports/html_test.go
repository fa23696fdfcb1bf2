package reports

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file tests the page as text; browser_test.go looks at it.

// words returns what a page says, without its elements.
func words(page string) string {
	_, page, _ = strings.Cut(page, "<body>")
	page, _, _ = strings.Cut(page, "<script>")
	return strings.Join(strings.Fields(tags.ReplaceAllString(page, " ")), " ")
}

// A reader meets the verdict first, then why, what was left out, the gaps, what is worse
// than the reference, the claims.
func TestPageHasItsOrder(t *testing.T) {
	page := form(t, "html", whole())
	last := 0
	for _, part := range []string{
		"<h1>", `id="why"`, `id="not-done"`, `id="left-out"`, `id="gaps"`, `id="against"`, "Claims that are broken", "<h3>Figures</h3>", `id="claims"`,
		`id="claim-held-claim"`, `id="claim-broken-claim"`, `id="measurements"`, "What sealing costs", `id="sweep"`, `id="walk"`, `id="not-claimed"`, `id="run"`,
	} {
		at := strings.Index(page, part)
		if at < last {
			t.Errorf("%s stands at %d, before %d", part, at, last)
		}
		last = at
	}
}

func TestPageSaysWhatWasSeen(t *testing.T) {
	text := words(form(t, "html", whole()))
	for _, want := range []string{
		"Failed 1 of 5 claims held, 1 claim broken and 1 figure worse than at HEAD~1, 1 of 4 mutations of marked protections survived",
		"survived g.go:20 drop the call is dropped: held held-claim, gap broken h.cc:40", "killed g.go:10 negate the condition is turned held-claim held-claim/try",
		"1 of 5 claims held", "3 of 5 attacks ended safely", "1 of 3 controls noticed", "1 of 5 figures worse, 2 not decided", "2 known gaps",
		"broken-claim is violated; it was held at HEAD~1", "the control gone of hollow: does not compile",
		"the controls of 3 claims: no time was left", "only the attacks that match ^held were tried", "the measurements have fewer samples than a full run takes",
		"unsupported foreign : no Landlock", "open gap : not built",
		"violated It does not broken-claim · critical · 0 of 1 attack ended safely · slowest 90 ms",
		"90 ms of 50 ms", "processor time 3.0 ms peak heap 5.0 MiB peak external 1.0 MiB peak resident 64.0 MiB attempts 3, 2 late source T01", "written in threats/broken-claim/break.ts:1",
		"tripped removed in a.go , noticed by try", "vacuous off in d.go : held", "works it works must work",
		"worse WarmRun the ratio is above 1.10 ns/op 4.045 ms 4.854 ms 1.200 1.180 to 1.220 ±10 % 0.001 10",
		"worse ChildMemory above its ceiling B/child 39.58 MiB", "Recovery is registered and was not taken",
		"same SealedStart 46.05 ms 40.04 ms 1.150 1.100 to 1.200 at most 1.25 10",
		"global.g (none; empty) after 9s: late", "What an operator can do: Expect | none.", "transparent huge pages madvise",
		"to repeat it gate ab HEAD~1",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
}

// A run with as many claims and attacks as there are stays a page that is sent quickly.
func TestPageStaysSmall(t *testing.T) {
	if n := len(form(t, "html", manyClaims(100))); n > 2<<20 {
		t.Errorf("the page of 100 claims with 12 attacks has %d bytes", n)
	}
	r := sample()
	r.Claims[0].Attacks[0].Evidence.Value = strings.Repeat("v", 1<<20)
	for range 1000 {
		r.Claims[0].Attacks[0].Evidence.Logs = append(r.Claims[0].Attacks[0].Evidence.Logs, strings.Repeat("l", 10_000))
	}
	page := form(t, "html", r)
	if len(page) > 200_000 {
		t.Errorf("evidence of megabytes gives a page of %d", len(page))
	}
	for _, want := range []string{"the value is cut; it has 1048576 characters; the record has more.", "988 more log entries; the record has more."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestPageOfFiguresThatAreNone(t *testing.T) {
	r := whole()
	for i, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1} {
		r.Bench.Measurements[0].Samples[i] = v
		r.Against.Changes[i].Ratio = Ratio{v, v, v, v, 0}
		r.Bench.Sealing.Comparisons[0].Ratio, r.Bench.Sealing.Comparisons[0].Most = v, v
		if err := wellFormed("html", form(t, "html", r)); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain, ä, 漢, 🙂\n\t":   "plain, ä, 漢, 🙂\n\t",
		"\u202Ex\u2069\u200B":  `\u{202e}x\u{2069}\u{200b}`,
		"\x00\x1b\r\x7f\u0085": `\u{0}\u{1b}\u{d}\u{7f}\u{85}`,
		"\xff\uFFFD\xc3":       `\x{ff}` + "\uFFFD" + `\x{c3}`,
		"\u2028\uFEFF\u3164":   `\u{2028}\u{feff}\u{3164}`,
	} {
		if got := visible(text); got != want {
			t.Errorf("%q became %q, must become %q", text, got, want)
		}
	}
}

// shown changes texts alone, and never the record that it was given.
func TestShownIsACopy(t *testing.T) {
	r, again := whole(), whole()
	if diff := cmp.Diff(again, shown(r)); diff != "" {
		t.Errorf("a harmless record became another: %s", diff)
	}
	r.Claims[0].Attacks[0].Wrong = []string{"a\x00"}
	r.Claims[0].Attacks[0].Evidence.Fault = []byte("\"\x07\"")
	copied := shown(r)
	if got := copied.Claims[0].Attacks[0]; got.Wrong[0] != `a\u{0}` || string(got.Evidence.Fault) != `"\u{7}"` {
		t.Errorf("the copy holds %q and %s", got.Wrong, got.Evidence.Fault)
	}
	if r.Claims[0].Attacks[0].Wrong[0] != "a\x00" {
		t.Error("the record itself was changed")
	}
}
