package plots

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// This file tests the plots: where things stand, that every text is escaped, and that no
// number breaks a picture.

func format(v float64) string { return fmt.Sprintf("%g", v) }

// elements parses a picture and returns its elements' names with their attributes.
func elements(t *testing.T, text string) []map[string]string {
	t.Helper()
	var out []map[string]string
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if start, ok := token.(xml.StartElement); ok {
			e := map[string]string{"": start.Name.Local}
			for _, a := range start.Attr {
				e[a.Name.Local] = a.Value
			}
			out = append(out, e)
		}
	}
}

var (
	move    = regexp.MustCompile(`^M([\d.-]+) ([\d.-]+)`)
	numbers = regexp.MustCompile(`-?\d+(\.\d+)?`)
)

// starts returns where the paths of a class begin.
func starts(t *testing.T, text, class string) (xs []float64) {
	t.Helper()
	for _, e := range elements(t, text) {
		if e[""] != "path" || e["class"] != class {
			continue
		}
		match := move.FindStringSubmatch(e["d"])
		if match == nil {
			t.Fatalf("the path %q does not begin with a move", e["d"])
		}
		x, err := strconv.ParseFloat(match[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		xs = append(xs, x)
	}
	return xs
}

func TestRatiosStandWhereTheyBelong(t *testing.T) {
	p := Ratios{ID: "r", Title: "Ratios", Format: format, Rows: []Ratio{
		{Label: "slow", Interval: Interval{1.2, 1.15, 1.25}, Least: 0.9, Most: 1.1, Ink: Bad},
		{Label: "fast", Interval: Interval{0.8, 0.78, 0.82}, Least: 0.9, Most: 1.1, Ink: Good, Calibration: &Interval{1, 0.97, 1.03}},
	}}
	picture := p.Picture()
	if picture.Empty() {
		t.Fatal("nothing is drawn")
	}
	text := string(picture.Wide)
	bad, good, bands := starts(t, text, "pb s"), starts(t, text, "pg s"), starts(t, text, "pf")
	if len(bad) != 1 || len(good) != 1 || len(bands) != 2 {
		t.Fatalf("intervals %v and %v, bands %v", bad, good, bands)
	}
	if !(good[0] < bands[0] && bands[0] < bad[0]) {
		t.Errorf("what is faster begins at %v, the tolerance at %v, what is slower at %v", good, bands, bad)
	}
	if calibration := starts(t, text, "pq s"); len(calibration) != 1 || calibration[0] < bands[1] {
		t.Errorf("the calibration begins at %v, the tolerance at %v", calibration, bands)
	}
}

func TestDistributionDrawsEverySample(t *testing.T) {
	d := Distribution{ID: "d", Title: "Times", Log: true, Format: format, Rows: []Samples{
		{Label: "a", Values: []float64{1, 2, 3, 40}, Outliers: []int{3}, Center: 2.5, Low: 1, High: 3, Ceiling: 100},
		{Label: "b", Values: []float64{10, 11}, Center: 10.5, Low: 10, High: 11},
	}}
	text := string(d.Picture().Narrow)
	if dots := starts(t, text, "pd"); len(dots) != 5 {
		t.Errorf("%d dots", len(dots))
	}
	rings := starts(t, text, "pd s")
	if len(rings) != 1 {
		t.Errorf("%d rings", len(rings))
	}
	ceiling := starts(t, text, "pb s")
	if len(ceiling) != 1 || ceiling[0] < rings[0] {
		t.Errorf("the ceiling is at %v, the largest sample at %v", ceiling, rings)
	}
}

func TestTextsAreEscaped(t *testing.T) {
	const hostile = `<script>"&'</script>`
	d := Distribution{ID: "d", Title: hostile, Description: hostile, Format: func(float64) string { return hostile },
		Rows: []Samples{{Label: hostile, Note: hostile, Values: []float64{1, 2}}}}
	for _, text := range []string{string(d.Picture().Wide), string(d.Picture().Narrow)} {
		for _, e := range elements(t, text) {
			if e[""] == "script" {
				t.Fatalf("a text became an element: %s", text)
			}
		}
	}
}

// No number makes a picture that is not well formed, or that reaches out of itself.
func TestAnyNumberCanBeDrawn(t *testing.T) {
	odd := []float64{0, -1, 1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-300, 1e199, 1e200}
	for _, a := range odd {
		for _, b := range odd {
			pictures := []Picture{
				(&Distribution{ID: "d", Log: true, Format: format, Rows: []Samples{{Values: []float64{a, b}, Center: a, Low: a, High: b, Ceiling: b}}}).Picture(),
				(&Distribution{ID: "d", Format: format, Rows: []Samples{{Values: []float64{a, b}, Center: b, Low: b, High: a}}}).Picture(),
				(&Ratios{ID: "r", Format: format, Rows: []Ratio{{Interval: Interval{a, b, a}, Least: a, Most: b, Calibration: &Interval{b, a, b}}}}).Picture(),
			}
			for _, p := range pictures {
				for _, text := range []string{string(p.Wide), string(p.Narrow)} {
					if len(text) > 20_000 {
						t.Errorf("%v and %v give a picture of %d bytes", a, b, len(text))
					}
					for _, e := range elements(t, text) {
						for _, n := range numbers.FindAllString(e["d"], -1) {
							if v, err := strconv.ParseFloat(n, 64); err != nil || v < -20 || v > 900 {
								t.Errorf("%v and %v: %s in %s", a, b, n, e["d"])
							}
						}
					}
				}
			}
		}
	}
	if p := (&Distribution{Rows: []Samples{{Values: []float64{math.NaN()}}}}).Picture(); !p.Empty() {
		t.Error("nothing to draw was drawn")
	}
}

func TestTicksAreRound(t *testing.T) {
	tests := []struct {
		values []float64
		log    bool
		n      int
		want   string
	}{
		{[]float64{0, 10}, false, 5, "0 5 10"},
		{[]float64{13.4, 13.7}, false, 5, "13.4 13.5 13.6 13.7"},
		{[]float64{0.001, 1}, true, 5, "0.001 0.01 0.1 1"},
		{[]float64{1, 9}, true, 7, "1 2 5 10"},
		{[]float64{1e-30, 1e30}, true, 4, "1e-17 1 1e+17"},
		{[]float64{5}, false, 5, "4.8 4.9 5 5.1 5.2"},
	}
	for _, tc := range tests {
		a, ok := newAxis(tc.values, tc.log)
		if !ok {
			t.Fatal("no axis")
		}
		var texts []string
		for _, tick := range a.ticks(tc.n) {
			texts = append(texts, fmt.Sprintf("%.4g", tick))
		}
		if got := strings.Join(texts, " "); got != tc.want {
			t.Errorf("ticks of %v are %s, must be %s", tc.values, got, tc.want)
		}
	}
}
