package repository

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file owns the rule that no deadline depends on the wall clock, which the
// host may set at any time. Go's times carry a monotonic reading beside the wall
// time, and what is computed from them uses it unless it was taken away or was
// never there; see "Monotonic Clocks" in package time.

// clocked are the folders in which deadlines and durations are computed, with
// those below them.
var clocked = []string{"pool/", "sandbox/", "executor/"}

// wallFunctions are the functions of package time that make a time without a
// monotonic reading.
var wallFunctions = setOf("Unix", "UnixMilli", "UnixMicro", "Date", "Parse", "ParseInLocation")

// wallSystemCalls are the names in packages syscall and golang.org/x/sys/unix
// that read a clock which can be set. See clock_gettime(2).
var wallSystemCalls = setOf("Gettimeofday", "Time", "CLOCK_REALTIME", "CLOCK_REALTIME_COARSE",
	"CLOCK_REALTIME_ALARM", "CLOCK_TAI", "CLOCK_REALTIME_HR")

// wallMethods are the methods of time.Time that drop the monotonic reading, read
// the wall time alone or write it without the other, and fs.FileInfo's ModTime,
// which never had one. Only the name is looked at, so a method of another type
// is found too, and has to be told apart below.
var wallMethods = setOf("Round", "Truncate", "UTC", "Local", "In", "AddDate", "ModTime",
	"Unix", "UnixMilli", "UnixMicro", "UnixNano", "Date", "Clock", "Year", "YearDay", "Month", "Day",
	"Weekday", "ISOWeek", "Hour", "Minute", "Second", "Nanosecond", "Format", "AppendFormat",
	"GobEncode", "MarshalBinary", "AppendBinary", "MarshalText", "AppendText", "MarshalJSON")

// harmless are the findings that no deadline depends on, as "file: finding", each
// with its reason.
var harmless = map[string]string{
	"pool/verdict.go: used.Round":               "rounds a duration, for the text of a fault",
	"sandbox/guest_clock.go: started.UnixMilli": "what a program reads by performance.timeOrigin; no deadline",
	"sandbox/guest_clock.go: started.UnixNano":  "what a program reads by performance.now; no deadline",
}

func setOf(names ...string) map[string]bool {
	out := map[string]bool{}
	for _, name := range names {
		out[name] = true
	}
	return out
}

// finding is a use of the wall clock.
type finding struct {
	line int
	what string
}

// goWallClock returns where a Go file reads the wall clock or leaves the
// monotonic one.
func goWallClock(set *token.FileSet, file *ast.File) []finding {
	var out []finding
	found := func(at token.Pos, what string) { out = append(out, finding{set.Position(at).Line, what}) }
	imports := map[string]string{}
	for _, i := range file.Imports {
		of := strings.Trim(i.Path.Value, `"`)
		name := path.Base(of)
		if i.Name != nil {
			name = i.Name.Name
		}
		if name == "." && (of == "time" || isSystem(of)) {
			found(i.Pos(), "import . "+of) // its functions could not be told from others
		}
		imports[name] = of
	}
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		name := s.Sel.Name
		operand := "…"
		if x, ok := s.X.(*ast.Ident); ok {
			operand = x.Name
			// A local name that hides an import is found by the rule of either.
			if of, imported := imports[x.Name]; imported {
				if of == "time" && wallFunctions[name] || isSystem(of) && wallSystemCalls[name] {
					found(s.Pos(), of+"."+name)
				}
				return true
			}
		}
		if wallMethods[name] {
			found(s.Sel.Pos(), operand+"."+name)
		}
		return true
	})
	return out
}

func isSystem(importPath string) bool {
	return importPath == "syscall" || importPath == "golang.org/x/sys/unix"
}

// The parts of C++ in which no clock is read.
var (
	lineComment  = regexp.MustCompile(`//[^\n]*`)
	blockComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
)

// wallCalls are the ways of C and C++ to the wall clock. In the standard library
// that comes with GCC, high_resolution_clock is the system clock.
var wallCalls = regexp.MustCompile(`\b(system_clock|high_resolution_clock|utc_clock|tai_clock|file_clock|gettimeofday|CLOCK_REALTIME\w*|CLOCK_TAI|` +
	`timespec_get|ftime|mktime|localtime(_r)?|gmtime(_r)?|CurrentClockTimeMillis(HighResolution)?|time)\b(\s*\()?`)

// cxxWallClock returns where a C++ file reads the wall clock.
func cxxWallClock(text string) []finding {
	blank := func(comment string) string { return strings.Repeat("\n", strings.Count(comment, "\n")) }
	text = lineComment.ReplaceAllStringFunc(blockComment.ReplaceAllStringFunc(text, blank), blank)
	var out []finding
	for i, line := range strings.Split(text, "\n") {
		for _, match := range wallCalls.FindAllStringSubmatch(line, -1) {
			// The word time alone is a common name; only a call of it reads a clock.
			if name, call := match[1], match[len(match)-1]; name != "time" || call != "" {
				out = append(out, finding{i + 1, name})
			}
		}
	}
	return out
}

func TestNoDeadlineDependsOnTheWallClock(t *testing.T) {
	seen := map[string]int{}
	used := map[string]bool{}
	for _, name := range files(t) {
		if !hasPrefix(name, clocked) || strings.HasSuffix(name, "_test.go") {
			continue
		}
		var found []finding
		switch kind := path.Ext(name); kind {
		case ".go":
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, filepath.Join(root(t), name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			found = goWallClock(set, file)
			seen[kind]++
		case ".cc", ".h":
			found = cxxWallClock(read(t, name))
			seen[kind]++
		}
		for _, f := range found {
			key := name + ": " + f.what
			used[key] = true
			if harmless[key] == "" {
				t.Errorf("%s:%d: %s leaves the monotonic clock; a deadline must not depend on the wall clock", name, f.line, f.what)
			}
		}
	}
	for _, kind := range []string{".go", ".cc", ".h"} {
		if seen[kind] == 0 {
			t.Errorf("no file ending in %s was looked at in %v", kind, clocked)
		}
	}
	for key := range harmless {
		if !used[key] {
			t.Errorf("harmless has %q, which is not found any more: take it out", key)
		}
	}
}

func hasPrefix(name string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// TestTheWallClockIsFound shows that the rule finds what it is about.
func TestTheWallClockIsFound(t *testing.T) {
	for _, c := range []struct {
		source string
		want   []finding
	}{
		{`import "time"; var deadline = time.Now().Add(time.Second)`, nil},
		{`import "time"; var left = time.Until(time.Now())`, nil},
		{`import "time"; func f(a, b time.Time) bool { return a.Sub(b) > 0 && a.Before(b) && a.Equal(b) }`, nil},
		{`import "time"; var limit, _ = time.ParseDuration("1s")`, nil},
		{`import "time"; func f(d time.Duration) int64 { return d.Milliseconds() }`, nil},
		{`import "math"; var n = math.Round(1.5)`, nil},
		{`import "golang.org/x/sys/unix"; var clock = unix.CLOCK_MONOTONIC`, nil},

		{`import "time"; var t = time.Now().Round(0)`, []finding{{1, "….Round"}}},
		{`import "time"; func f(t time.Time) time.Time { return t.Round(time.Second) }`, []finding{{1, "t.Round"}}},
		{`import "time"; func f(t time.Time) time.Time { return t.Truncate(1) }`, []finding{{1, "t.Truncate"}}},
		{`import "time"; var t = time.Now().UTC()`, []finding{{1, "….UTC"}}},
		{`import "time"; var t = time.Now().Local()`, []finding{{1, "….Local"}}},
		{`import "time"; var t = time.Now().In(time.UTC)`, []finding{{1, "….In"}}},
		{`import "time"; var t = time.Now().AddDate(0, 0, 1)`, []finding{{1, "….AddDate"}}},
		{`import "time"; var s = time.Now().Unix() + 1`, []finding{{1, "….Unix"}}},
		{`import "time"; var ms = time.Now().UnixMilli()`, []finding{{1, "….UnixMilli"}}},
		{`import "time"; var us = time.Now().UnixMicro()`, []finding{{1, "….UnixMicro"}}},
		{`import "time"; var ns = time.Now().UnixNano()`, []finding{{1, "….UnixNano"}}},
		{`import "time"; var read = time.Now().UnixNano; var _ = read()`, []finding{{1, "….UnixNano"}}},
		{`import "time"; var n = time.Now().Nanosecond()`, []finding{{1, "….Nanosecond"}}},
		{`import "time"; type x struct{ at time.Time }; func (v x) f() int64 { return v.at.Unix() }`, []finding{{1, "….Unix"}}},
		{`import "time"; var text, _ = time.Now().MarshalText()`, []finding{{1, "….MarshalText"}}},
		{`import "time"; var t = time.Unix(0, 0)`, []finding{{1, "time.Unix"}}},
		{`import "time"; var t = time.UnixMilli(0)`, []finding{{1, "time.UnixMilli"}}},
		{`import "time"; var t = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)`, []finding{{1, "time.Date"}}},
		{`import "time"; var t, _ = time.Parse(time.RFC3339, "")`, []finding{{1, "time.Parse"}}},
		{`import clock "time"; var make = clock.Unix`, []finding{{1, "time.Unix"}}},
		{`import . "time"; var t = Unix(0, 0)`, []finding{{1, "import . time"}}},
		{`import "os"; func f(i os.FileInfo) any { return i.ModTime() }`, []finding{{1, "i.ModTime"}}},
		{`import "syscall"; func f(v *syscall.Timeval) error { return syscall.Gettimeofday(v) }`, []finding{{1, "syscall.Gettimeofday"}}},
		{`import "golang.org/x/sys/unix"; func f(v *unix.Timespec) error { return unix.ClockGettime(unix.CLOCK_REALTIME, v) }`, []finding{{1, "golang.org/x/sys/unix.CLOCK_REALTIME"}}},
		{`import "golang.org/x/sys/unix"; func f(v *unix.Time_t) any { s, _ := unix.Time(v); return s }`, []finding{{1, "golang.org/x/sys/unix.Time"}}},
	} {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "x.go", "package x; "+c.source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%s: %v", c.source, err)
		}
		if diff := cmp.Diff(c.want, goWallClock(set, file), cmp.AllowUnexported(finding{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.source, diff)
		}
	}
	for _, c := range []struct {
		source string
		want   []finding
	}{
		{"auto now = std::chrono::steady_clock::now();", nil},
		{"clock_gettime(CLOCK_MONOTONIC, &now);", nil},
		{"int64_t time = monotonic(); // not time(NULL)", nil},
		{"/* gettimeofday(&now, nullptr) */\nrun_time(1);", nil},
		{"double MonotonicallyIncreasingTime() override { return 0; }", nil},

		{"auto now = std::chrono::system_clock::now();", []finding{{1, "system_clock"}}},
		{"using clock = std::chrono::high_resolution_clock;", []finding{{1, "high_resolution_clock"}}},
		{"struct timeval now;\ngettimeofday(&now, nullptr);", []finding{{2, "gettimeofday"}}},
		{"clock_gettime(CLOCK_REALTIME, &now);", []finding{{1, "CLOCK_REALTIME"}}},
		{"clock_gettime(CLOCK_REALTIME_COARSE, &now);", []finding{{1, "CLOCK_REALTIME_COARSE"}}},
		{"/* the\n end */ if (time(NULL) > end) return;", []finding{{2, "time"}}},
		{"if (time (nullptr) > end) return;", []finding{{1, "time"}}},
		{"timespec_get(&now, TIME_UTC);", []finding{{1, "timespec_get"}}},
		{"double now = platform()->CurrentClockTimeMillis();", []finding{{1, "CurrentClockTimeMillis"}}},
	} {
		if diff := cmp.Diff(c.want, cxxWallClock(c.source), cmp.AllowUnexported(finding{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.source, diff)
		}
	}
	// The rule is about whole files too: a use added to a real one is found.
	const watched = "pool/watchdog.go"
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, watched, strings.Replace(read(t, watched), "now.Sub(w.begun)", "now.Round(0).Sub(w.begun)", 1), parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if found := goWallClock(set, file); len(found) != 1 || found[0].what != "now.Round" {
		t.Errorf("in %s, changed to round its clock, is found: %s", watched, fmt.Sprint(found))
	}
}
