package sandbox

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// This file holds the tests of what reads texts: source maps, positions, regular
// expression literals, and names that are compared.

func TestParseMappings(t *testing.T) {
	for _, text := range []string{"A", "AAAA", "AAAAA", "AAAA,CAAC;;ACAA", ";;", ""} {
		if _, err := parseMappings(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"AA", "AAA", "AAAAAA", "!", "g", "gggggggB", "D", "AADA", "AAAD", "C,D", "é"} {
		if m, err := parseMappings(text); err == nil {
			t.Errorf("%q: %v", text, m)
		}
	}
	// Two lines; in the first something from nowhere at column 4, and 3:7 at column 6.
	m, err := parseMappings("AAAA,I,EAEM;IAAJ")
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		line, column, wantLine, wantColumn int
		ok                                 bool
	}{
		{1, 1, 1, 1, true}, {1, 4, 1, 1, true}, {1, 5, 0, 0, false}, {1, 7, 3, 7, true}, {1, 100, 3, 7, true},
		{2, 1, 0, 0, false}, {2, 5, 3, 3, true}, {3, 1, 0, 0, false}, {0, 1, 0, 0, false},
	}
	for _, c := range cases {
		line, column, ok := m.before(c.line, c.column)
		if line != c.wantLine || column != c.wantColumn || ok != c.ok {
			t.Errorf("%d:%d came from %d:%d, %t", c.line, c.column, line, column, ok)
		}
	}
}

func FuzzParseMappings(f *testing.F) {
	for _, text := range []string{"AAAA,I,EAEM;IAAJ", ";;;AAAA", "gggggggggggB", "A,,A", "\xff"} {
		f.Add(text, 1, 1)
	}
	f.Fuzz(func(t *testing.T, text string, line, column int) {
		m, err := parseMappings(text)
		if err != nil {
			return
		}
		if fromLine, fromColumn, ok := m.before(line, column); ok && (fromLine < 1 || fromColumn < 1) {
			t.Errorf("%q: %d:%d came from %d:%d", text, line, column, fromLine, fromColumn)
		}
	})
}

func FuzzOffsetOf(f *testing.F) {
	for _, text := range []string{"a\nb", "a\r\nb\rc\u2028d\u2029e", "é😀\n😀x", ""} {
		f.Add(text, 2, 1)
	}
	f.Fuzz(func(t *testing.T, text string, line, column int) {
		at := offsetOf(text, line, column)
		if at < 0 || line < 1 || column < 1 || !utf8.ValidString(text) {
			return
		}
		before := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text[:at])
		inLine := before[strings.LastIndexByte(before, '\n')+1:]
		units := len(utf16.Encode([]rune(inLine)))
		// A column behind the end of a line is in a later one, one within a pair behind it.
		if !strings.Contains(text[:at], "\r\n") && strings.Count(before, "\n") == line-1 && units != column-1 && units != column {
			t.Errorf("%q %d:%d is at %d", text, line, column, at)
		}
	})
}

// Whatever is rewritten is one literal, without a line break, of the same or fewer
// features; and what has nothing to rewrite is left alone.
func FuzzLowerRegExp(f *testing.F) {
	for _, pattern := range []string{`(?i:a)`, `(?-i:[^a-z\]])`, `(?ms-i:^.$)`, `(?<n>(?i:\u{1f600}))`, `[[a]--[b]&&]`, `[\q{a|b}]`, `(?i:[\w-])`, `\`, `[`, `(?`} {
		for _, flags := range []string{"", "i", "u", "iu", "v", "iv"} {
			f.Add(pattern, flags)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, flags string) {
		if len(flags) > 8 || !utf8.ValidString(pattern) {
			return
		}
		read, readFlags, ok := literalAt("/" + pattern + "/" + flags)
		if !ok || read != pattern || readFlags != flags {
			return
		}
		is, ok := lowerRegExp(pattern, flags)
		if !ok {
			return
		}
		again, againFlags, ok := literalAt(is)
		if !ok || "/"+again+"/"+againFlags != is {
			t.Errorf("/%s/%s became %s", pattern, flags, is)
		}
		if strings.Contains(againFlags, "v") {
			t.Errorf("/%s/%s became %s", pattern, flags, is)
		}
		if _, more := lowerRegExp(again, againFlags); more && !strings.Contains(flags, "v") {
			t.Errorf("/%s/%s became %s, which can be lowered again", pattern, flags, is)
		}
	})
}

func TestLiteralAt(t *testing.T) {
	cases := []struct{ text, pattern, flags string }{
		{"/a/g.test", "a", "g"}, {`/\//`, `\/`, ""}, {"/[/]/u;", "[/]", "u"}, {`/[\]/]/`, `[\]/]`, ""}, {"/=a/", "=a", ""},
		{"/a", "", ""}, {"//", "", ""}, {"/*/", "", ""}, {"/a\n/", "", ""}, {"/a\u2028/", "", ""}, {`/a\`, "", ""}, {"a/", "", ""}, {"/[a/", "", ""},
	}
	for _, c := range cases {
		pattern, flags, ok := literalAt(c.text)
		if ok != (c.pattern != "") || ok && (pattern != c.pattern || flags != c.flags) {
			t.Errorf("%q: %q, %q, %t", c.text, pattern, flags, ok)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"search", "getUser", "list_files", "URL", "Map", "Date", "at", "searching", ""}
	cases := []struct{ name, want string }{
		{"serach", "search"}, {"seach", "search"}, {"searchh", "search"}, {"sarch", "search"}, {"esarhc", "search"}, {"sreahc", ""},
		{"hcraes", ""}, {"getuser", "getUser"}, {"get_user", "getUser"}, {"GETUSER", "getUser"}, {"listFiles", "list_files"}, {"listfile", "list_files"},
		{"url", "URL"}, {"map", "Map"}, {"data", ""}, {"maps", ""}, {"Mapp", "Map"}, {"AT", "at"}, {"ta", ""}, {"a", ""}, {"", ""},
		{"search", "searching"[:0]}, {strings.Repeat("s", 65), ""},
	}
	for _, c := range cases {
		if got, _ := nearest(c.name, names); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The distance with a bound agrees with the definition, which has none.
func FuzzDistance(f *testing.F) {
	for _, pair := range [][2]string{{"search", "serach"}, {"", "a"}, {"ab", "ba"}, {"ca", "abc"}, {"größe", "grösse"}} {
		f.Add(pair[0], pair[1], 2)
	}
	f.Fuzz(func(t *testing.T, a, b string, bound int) {
		if len(a) > 80 || len(b) > 80 || bound < 0 || bound > 5 {
			return
		}
		if got, want := distance(a, b, bound), min(fullDistance(a, b), bound+1); got != want {
			t.Errorf("from %q to %q with the bound %d it is %d, not %d", a, b, bound, got, want)
		}
	})
}

func fullDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			same := 1
			if x[i-1] == y[j-1] {
				same = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+same)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(x)][len(y)]
}

// Every sentence is one, in plain words, and of a length that fits a line or two.
func TestSentencesAreSentences(t *testing.T) {
	sentence := regexp.MustCompile(`^[A-Z][^\n]{10,150}$`)
	check := func(name, text string) {
		finished := (hints{}).finish(text)
		if finished != text && text != noNetwork && text != noFiles || !sentence.MatchString(finished) || !strings.HasSuffix(finished, ".") {
			t.Errorf("%s: %s", name, finished)
		}
	}
	for name, text := range absent {
		check(name, text)
	}
	for name, text := range builtinModules {
		check(name, text)
	}
}
