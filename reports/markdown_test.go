package reports

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// This file tests the Markdown form: what stands where a reader looks first, and what is
// cut.

// A comparison alone is short enough to be read whole.
func TestMarkdownOfAComparison(t *testing.T) {
	r := &Record{Schema: Schema, Against: against(), LeftOut: []string{"the controls: no time was left"}}
	text, _, _ := strings.Cut(form(t, "markdown", r), "<details>")
	want := `# FAILED: 1 claim broken and 1 figure worse than at HEAD~1 (left out: the controls: no time was left)

5 figures compared, 1 worse, 1 better, 1 unknown, 1 unfit, 1 same.

## Why it fails

- broken-claim is violated; it was held at HEAD~1: break: the value is 1
- WarmRun (ns/op) is worse than at HEAD~1: the ratio is above 1.10

## Compared with HEAD~1

- broken-claim is violated; it was held at HEAD~1: break: the value is 1
- new-claim is held, and is no claim at HEAD~1

| figure | unit | before | now | ratio | interval | tolerance | verdict |
|---|---|---|---|---|---|---|---|
| WarmRun | ns/op | 4.045ms | 4.854ms | 1.200 | 1.180 to 1.220, at 95.0 % | ±10 % | worse: the ratio is above 1.10 |
| ToolCall | frames/op | 4.045M frames/op | 3.236M frames/op | 0.800 | 0.780 to 0.820, at 95.0 % | ±10 % | better |
| WarmRun | p95-ns/op | 4.045ms | 4.369ms | 1.080 | 1.060 to 1.100, at 95.0 % | ±10 % | unknown |
| Recovery | ns/op | 4.045ms | 5.259ms | 1.300 | 1.280 to 1.320, at 95.0 % | ±10 % | unfit |

1 figure the same within the tolerance.

## Left out of this run

- the controls: no time was left

`
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
}

// manyClaims is a record that fits into no comment.
func manyClaims(n int) *Record {
	r := sample()
	for i := range n {
		c := r.Claims[0]
		c.ID = fmt.Sprintf("claim-%03d", i)
		for range 10 {
			c.Attacks = append(c.Attacks[:len(c.Attacks):len(c.Attacks)], r.Claims[0].Attacks[0])
		}
		r.Claims = append(r.Claims, c)
	}
	return r
}

func TestMarkdownFitsIntoAComment(t *testing.T) {
	text := form(t, "markdown", manyClaims(300))
	if n := utf8.RuneCountInString(text); n > MarkdownLimit || n < MarkdownLimit/2 {
		t.Errorf("the comment has %d characters", n)
	}
	if !strings.HasPrefix(text, "# FAILED: 301 of 303 claims held\n") || !strings.Contains(text, "broken-claim is violated") {
		t.Errorf("what matters was cut:\n%.500s", text)
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "Cut to fit a comment: ") || !strings.Contains(last, "more parts. The record and the HTML report have everything.") {
		t.Errorf("the last line is %q", last)
	}
	if short := form(t, "markdown", sample()); strings.Contains(short, "Cut to fit") {
		t.Error("something was cut from a short report")
	}
}

func TestEscapeTakesMeaningAway(t *testing.T) {
	for text, want := range map[string]string{
		"a|b*c`d<e>":            `a\|b\*c'd&lt;e>`,
		"[x](http://e.com) ![y": `\[x\](http&#58;//e.com) !\[y`,
		"@all #1 &lt; www.x":    "&#64;all &#35;1 &amp;lt; www&#46;x",
		"a\nb\u202Ec\x00":       `a b\\u{202e}c\\u{0}`,
	} {
		if got := escape(text); got != want {
			t.Errorf("%q became %q, must become %q", text, got, want)
		}
	}
}
