package reports

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page's parts
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"
)

// This file owns the HTML form: one page that needs nothing but itself.

//go:embed page/page.html
var pageTemplate string

//go:embed page/page.css
var pageStyle string

//go:embed page/page.js
var pageScript string

// parsedPage is the template with what it calls.
var parsedPage = template.Must(template.New("page").Funcs(template.FuncMap{
	"class": func(v any) string { return strings.ReplaceAll(fmt.Sprint(v), " ", "-") },
	"word":  func(s State) string { return string(s[:1]) + strings.ToLower(string(s[1:])) },
	"ms": func(n int64) string {
		return (time.Duration(n) * time.Millisecond).Round(10 * time.Millisecond).String()
	},
}).Parse(pageTemplate))

// HTML writes the record as one self-contained page. Its policy lets nothing be loaded
// and no script run but the page's own, whatever stands in the evidence, which is text
// of hostile programs.
func HTML(r *Record, w io.Writer) error {
	var b bytes.Buffer
	err := parsedPage.Execute(&b, struct {
		*page
		Style                 template.CSS
		Script                template.JS
		StyleHash, ScriptHash template.HTMLAttr
	}{newPage(r), template.CSS(pageStyle), template.JS(pageScript), hash(pageStyle), hash(pageScript)})
	if err != nil {
		return fmt.Errorf("HTML: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// hash returns the source expression that permits one text as style or script.
func hash(text string) template.HTMLAttr {
	sum := sha256.Sum256([]byte(text))
	return template.HTMLAttr("sha256-" + base64.StdEncoding.EncodeToString(sum[:]))
}
