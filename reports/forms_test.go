package reports

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
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

// FuzzForms writes records that anybody may have written in every form.
func FuzzForms(f *testing.F) {
	for _, r := range records() {
		text, err := json.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"schema":2,"claims":[{"id":"","boundary":"?","verdict":"??","attacks":[{"outcome":"?","evidence":{"wallMs":-1e300,"withinMs":1e-300}}],"controls":[{}]}]}`))
	f.Add([]byte(`{"schema":2,"bench":{"measurements":[{"name":"a b\n","unit":" ","samples":[1e308,-1e308,0],"ceiling":-1}],"sealing":{"comparisons":[{"sealed":[1],"unsealed":[]}]}},"against":{"changes":[{"old":[],"new":[1e-300],"ratio":{"median":1e300,"low":-1}}]}}`))
	schema := junitSchema(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		for _, name := range FormatNames() {
			var b bytes.Buffer
			if err := Formats[name](r, &b); err != nil {
				if !canRefuse(name) {
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
