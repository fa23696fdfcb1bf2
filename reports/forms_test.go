package reports

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/perf/benchfmt"
)

// This file tests what holds of every form, whatever a record holds.

// wellFormed checks the text of a form for what its readers demand.
func wellFormed(name, text string) error {
	if !utf8.ValidString(text) {
		return errors.New("not UTF-8")
	}
	switch name {
	case "json", "sarif":
		if !json.Valid([]byte(text)) {
			return errors.New("not JSON")
		}
	case "junit":
		decoder := xml.NewDecoder(strings.NewReader(text))
		for {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
		}
	case "markdown":
		if n := utf8.RuneCountInString(text); n > MarkdownLimit {
			return errors.New("longer than a comment may be")
		}
		if open, closed := strings.Count(text, "<details>"), strings.Count(text, "</details>"); open != closed {
			return errors.New("details that are not closed")
		}
		if strings.Count(text, "`")%2 != 0 {
			return errors.New("a code span that is not closed")
		}
		for _, tag := range tags.FindAllString(codeSpans.ReplaceAllString(text, ""), -1) {
			if !slices.Contains([]string{"<details>", "</details>", "<summary>", "</summary>"}, tag) {
				return errors.New("HTML that is not its own: " + tag)
			}
		}
	case "annotations":
		if n := strings.Count("\n"+text, "\n::error "); n > shownErrors {
			return errors.New("too many errors")
		}
		for line := range strings.Lines(text) {
			if !commandForm.MatchString(line) {
				return errors.New("no workflow command: " + line)
			}
		}
	case "bench", "bench-old", "bench-new":
		reader := benchfmt.NewReader(strings.NewReader(text), name)
		for reader.Scan() {
			if wrong, ok := reader.Result().(*benchfmt.SyntaxError); ok {
				return wrong
			}
		}
		return reader.Err()
	case "html":
		return wellFormedPage(text)
	}
	return nil
}

var (
	codeSpans   = regexp.MustCompile("`[^`\n]*`")
	tags        = regexp.MustCompile(`<[a-zA-Z/!][^>]*>?`)
	commandForm = regexp.MustCompile(`^::(error|warning|notice) (file=[^,:]+,line=\d+,)?title=[^,:\r\n]*::[^\r\n]*\n$`)
)

// wellFormedPage checks that a page holds the elements and attributes of its template
// alone, and that each is closed.
func wellFormedPage(text string) error {
	tokenizer := html.NewTokenizer(strings.NewReader(text))
	void := []string{"meta", "link", "br", "input"}
	var stack []string
	scripts := 0
	for {
		switch tokenizer.Next() {
		case html.ErrorToken:
			if !errors.Is(tokenizer.Err(), io.EOF) {
				return tokenizer.Err()
			}
			if len(stack) > 0 {
				return errors.New("not closed: " + strings.Join(stack, " "))
			}
			if scripts != 1 {
				return errors.New("not one script")
			}
			return nil
		case html.StartTagToken:
			token := tokenizer.Token()
			if token.Data == "script" {
				scripts++
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || (a.Key == "href" && !strings.HasPrefix(a.Val, "#") && a.Val != "data:,") {
					return errors.New("the attribute " + a.Key + "=" + a.Val)
				}
			}
			if !slices.Contains(void, token.Data) {
				stack = append(stack, token.Data)
			}
		case html.EndTagToken:
			token := tokenizer.Token()
			if len(stack) == 0 || stack[len(stack)-1] != token.Data {
				return errors.New("</" + token.Data + "> closes nothing")
			}
			stack = stack[:len(stack)-1]
		}
	}
}

// canRefuse are the forms that a record need not have anything for.
func canRefuse(name string) bool { return strings.HasPrefix(name, "bench") }

func TestEveryFormIsWellFormed(t *testing.T) {
	for kind, r := range records() {
		for _, name := range FormatNames() {
			var b bytes.Buffer
			if err := Formats[name](r, &b); err != nil {
				if !canRefuse(name) || kind == "whole" || kind == "hostile" {
					t.Errorf("%s of %s: %v", name, kind, err)
				}
				continue
			}
			if err := wellFormed(name, b.String()); err != nil {
				t.Errorf("%s of %s: %v", name, kind, err)
			}
		}
	}
}

// The checks themselves can fail.
func TestWellFormedRefuses(t *testing.T) {
	for _, tc := range []struct{ name, text string }{
		{"json", `{"a":`}, {"junit", "<testsuites>"}, {"junit", "<a>\x00</a>"}, {"markdown", "<details>"}, {"markdown", "<img src=x>"}, {"markdown", strings.Repeat("x", MarkdownLimit+1)},
		{"annotations", "error\n"}, {"annotations", "::error title=a:b::c\n"}, {"annotations", strings.Repeat("::error title=a::b\n", 11)},
		{"bench", "BenchmarkX-2 many ns/op\n"}, {"html", "<p><script></script>"}, {"html", "<script></script><script></script>"}, {"html", `<script></script><p onclick="x"></p>`}, {"html", "\xff"},
	} {
		if err := wellFormed(tc.name, tc.text); err == nil {
			t.Errorf("%s: %.40q is taken for well formed", tc.name, tc.text)
		}
	}
}

func TestEveryFormIsExplained(t *testing.T) {
	for _, name := range FormatNames() {
		if About[name] == "" {
			t.Errorf("nothing says what %s is for", name)
		}
	}
	if len(About) != len(Formats) {
		t.Error("a form is explained that does not exist")
	}
}

// FuzzForms writes records whose texts and numbers anybody may have chosen.
func FuzzForms(f *testing.F) {
	f.Add("", "held", 0.0, int64(0))
	f.Add(" ", "", -1.0, int64(3))
	f.Add(hostileText, "violated", -1e300, int64(-1))
	f.Add("a b\n=", "worse", 1e308, int64(1)<<62)
	f.Add("``|<!--", "open", math.Inf(1), int64(3))
	f.Add("\xff\u202e]]>", "??", math.NaN(), int64(7))
	schema := junitSchema(f)
	f.Fuzz(func(t *testing.T, text, verdict string, number float64, whole int64) {
		r := filled(text, verdict, number, whole)
		for _, name := range FormatNames() {
			var b bytes.Buffer
			if err := Formats[name](r, &b); err != nil {
				// JSON has no number that is none.
				if !canRefuse(name) && (name != "json" || !math.IsNaN(number) && !math.IsInf(number, 0)) {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if err := wellFormed(name, b.String()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if name == "junit" {
				if err := schema.validate(b.String(), "testsuites"); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	})
}

// filled returns a record in which every text, verdict and number is the given one, and
// every list has one item.
func filled(text, verdict string, number float64, whole int64) *Record {
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		switch v.Interface().(type) {
		case time.Time:
			return
		case Verdict, Outcome, ControlOutcome, SweepOutcome:
			v.SetString(verdict)
			return
		case json.RawMessage:
			quoted, err := json.Marshal(text)
			if err != nil {
				panic(err)
			}
			v.SetBytes(quoted)
			return
		}
		switch v.Kind() {
		case reflect.String:
			v.SetString(text)
		case reflect.Float64:
			v.SetFloat(number)
		case reflect.Int, reflect.Int64:
			v.SetInt(whole)
		case reflect.Uint64:
			v.SetUint(uint64(whole))
		case reflect.Bool:
			v.SetBool(whole%2 == 0)
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem())
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0))
		case reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		}
	}
	r := new(Record)
	fill(reflect.ValueOf(r).Elem())
	return r
}

// FuzzRead reads what is no record; what is one is written and read again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"schema":2,"claims":[{"id":"a","attacks":[{"evidence":{"fault":{"code":1}}}]}]}`))
	f.Add([]byte(`{"schema":1}`))
	f.Add([]byte(`{"schema":2,"bench":{"measurements":[{"samples":[1e308,null]}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(&b); err != nil {
			t.Errorf("what was written is not read: %v", err)
		}
	})
}
