package reports

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// This file owns looking at the page in a real browser: what a person sees of it, and
// what hostile evidence can do to it.

var (
	screenshot = flag.String("screenshot", "", "write a picture of the page of -page to this file, relative to the module's root")
	pageFile   = flag.String("page", "docs/example-report/report.html", "page that -screenshot takes a picture of, relative to the module's root")
)

// browserPatience bounds all tests in the browser.
const browserPatience = 5 * time.Minute

// browser is a tab, and what it complained about or asked for.
type browser struct {
	context.Context
	mu         sync.Mutex
	complaints []string
	requests   []string
}

// TestBrowser starts the browser once; each of its tests has a tab of its own.
func TestBrowser(t *testing.T) {
	ctx := startBrowser(t)
	tests := []struct {
		name string
		test func(*testing.T, context.Context)
	}{
		{"shows the page", showsThePage}, {"keeps hostile text inert", keepsHostileTextInert}, {"searches", searches},
		{"works without scripts", worksWithoutScripts}, {"prints", prints}, {"page is accessible", pageIsAccessible},
	}
	if *screenshot != "" {
		tests = append(tests[:0], struct {
			name string
			test func(*testing.T, context.Context)
		}{"screenshot", takesAScreenshot})
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) { tc.test(t, ctx) })
	}
}

// startBrowser starts Chromium, or skips the test where there is none.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	var binary string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			binary = path
			break
		}
	}
	if binary == "" {
		t.Skip("there is no Chromium, so nobody looks at the page: install it (Debian: apt-get install chromium)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(binary), chromedp.Flag("hide-scrollbars", true))
	if os.Geteuid() == 0 {
		// Chromium refuses its sandbox to root. The page is this test's own.
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(t.Context(), browserPatience)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s does not start: %v", binary, err)
	}
	return ctx
}

// openPage opens a file in a tab of its own.
func openPage(t *testing.T, ctx context.Context, file string) *browser {
	t.Helper()
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{Context: ctx}
	err := chromedp.Listen(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.complaints = append(b.complaints, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
		case *runtime.EventConsoleAPICalled:
			b.complaints = append(b.complaints, fmt.Sprintf("console.%s", e.Type))
		case *log.EventEntryAdded:
			b.complaints = append(b.complaints, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
		case *network.EventRequestWillBeSent:
			b.requests = append(b.requests, e.Request.URL)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	b.do(t, send(network.Enable, network.EnableParams{}), send(log.Enable, cdp.Empty{}), send(runtime.Enable, cdp.Empty{}),
		chromedp.EmulateViewport(1280, 800), chromedp.Navigate(fileURL(t, file)))
	return b
}

// send returns the action that sends a command of the protocol.
func send[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// scheme makes the tab light or dark.
func scheme(name string) chromedp.Action[chromedp.Void] {
	return send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

// fileURL returns where a browser finds a file.
func fileURL(t *testing.T, file string) string {
	t.Helper()
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// do carries out actions in the tab.
func (b *browser) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(b, actions...); err != nil {
		t.Fatal(err)
	}
}

// look evaluates an expression in the tab.
func look[T any](t *testing.T, b *browser, expression string) T {
	t.Helper()
	out, err := chromedp.Run(b, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// wait evaluates an expression that gives a promise, and returns what that gives.
func wait[T any](t *testing.T, b *browser, expression string) T {
	t.Helper()
	out, err := chromedp.Run(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// quiet checks that the page complained about nothing and asked for nothing but itself.
func (b *browser) quiet(t *testing.T, file string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, complaint := range b.complaints {
		t.Errorf("the browser says: %s", complaint)
	}
	for _, request := range b.requests {
		if request != fileURL(t, file) && !strings.HasPrefix(request, "data:") {
			t.Errorf("the page asked for %s", request)
		}
	}
	if len(b.requests) == 0 {
		t.Error("no request was seen, not even for the page: the check sees nothing")
	}
}

// written writes a record's page to a file.
func written(t *testing.T, r *Record) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := r.WriteFile(file, HTML); err != nil {
		t.Fatal(err)
	}
	return file
}

// sizes are a phone, a small window and a desktop.
var sizes = []struct {
	name          string
	width, height int64
	options       []chromedp.EmulateViewportOption
}{
	{"phone", 360, 800, []chromedp.EmulateViewportOption{chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait}},
	{"window", 800, 700, nil}, {"desktop", 1280, 800, nil},
}

func showsThePage(t *testing.T, ctx context.Context) {
	for name, r := range records() {
		t.Run(name, func(t *testing.T) {
			file := written(t, r)
			b := openPage(t, ctx, file)
			for _, size := range sizes {
				b.do(t, chromedp.EmulateViewport(size.width, size.height, size.options...))
				for _, opened := range []bool{false, true} {
					look[any](t, b, fmt.Sprintf("document.querySelectorAll('details').forEach(d => d.open = %t)", opened))
					if wide := look[float64](t, b, "document.documentElement.scrollWidth"); wide > float64(size.width) {
						t.Errorf("%s, details open %t: the page is %v wide; %s", size.name, opened, wide, look[string](t, b, widest))
					}
				}
				// The verdict is on the first screen, and so is what it says.
				box := look[map[string]float64](t, b, "document.querySelector('.verdict h1').getBoundingClientRect().toJSON()")
				if box["top"] < 0 || box["bottom"] > float64(size.height) || box["height"] == 0 {
					t.Errorf("%s: the verdict is at %v of a screen of %d", size.name, box, size.height)
				}
			}
			heading := look[string](t, b, "document.querySelector('h1').innerText")
			if want := map[State]string{Passed: "Passed", Failed: "Failed", Incomplete: "Incomplete"}[r.State()]; !strings.HasPrefix(heading, want) {
				t.Errorf("the page opens with %q, must open with %q", heading, want)
			}
			b.quiet(t, file)
		})
	}
}

// openAll opens everything that can be.
const openAll = "document.querySelectorAll('details').forEach(d => { d.open = true })"

// widest names the element that reaches farthest to the right.
const widest = `(() => {
	let out = "", most = 0;
	for (const e of document.querySelectorAll("body *")) {
		const right = e.getBoundingClientRect().right;
		if (right > most && !e.closest(".scroll")) { most = right; out = e.tagName + "." + e.getAttribute("class") + " reaches " + right; }
	}
	return out;
})()`

func keepsHostileTextInert(t *testing.T, ctx context.Context) {
	file := written(t, hostile())
	b := openPage(t, ctx, file)
	look[any](t, b, openAll)
	if title := look[string](t, b, "document.title"); !strings.HasPrefix(title, "FAILED") {
		t.Errorf("the title became %q", title)
	}
	for selector, want := range map[string]int{
		"script": 1, "style": 1, "img": 0, "iframe": 0, "object": 0, "[onerror]": 0, "[onload]": 0, "[style]": 0, "link": 1, "a[href^='http']": 0, "a[href^='javascript']": 0,
	} {
		if got := look[int](t, b, fmt.Sprintf("document.querySelectorAll(%q).length", selector)); got != want {
			t.Errorf("there are %d of %s, must be %d", got, selector, want)
		}
	}
	text := look[string](t, b, "document.body.textContent")
	for _, turned := range []string{"\u202E", "\u2066", "\u200B", "\x1b"} {
		if strings.Contains(text, turned) {
			t.Errorf("the page holds %q as it is", turned)
		}
	}
	for _, want := range []string{`<script>document.title="taken"</script>`, `\u{202e}evil`, `\u{1b}[31m`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %s", want)
		}
	}
	b.quiet(t, file)

	// The policy holds even against a script that gets into the document.
	look[any](t, b, `(() => { const s = document.createElement("script"); s.textContent = "document.title = 'taken'"; document.body.append(s); })()`)
	if title := look[string](t, b, "document.title"); title == "taken" {
		t.Error("the page's policy lets a foreign script run")
	}
	wait[any](t, b, `new Promise(done => { const i = new Image(); i.onerror = i.onload = () => done(1); i.src = "http://127.0.0.1:9/x.png"; })`)
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.complaints) == 0 {
		t.Error("the policy blocked nothing, so that the check proves nothing")
	}
}

func searches(t *testing.T, ctx context.Context) {
	file := written(t, whole())
	b := openPage(t, ctx, file)
	type state struct {
		Claims, Attacks []string
		Open            int
		Said            string
	}
	read := func() state {
		return look[state](t, b, `(() => {
			const seen = (e) => e.checkVisibility();
			return {
				Claims: [...document.querySelectorAll(".claim")].filter(seen).map(e => e.id),
				Attacks: [...document.querySelectorAll(".attack")].filter(seen).map(e => e.querySelector("code").textContent),
				Open: document.querySelectorAll(".claim[open]").length,
				Said: document.querySelector("output").textContent,
			};
		})()`)
	}
	search := func(text string) state {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		look[any](t, b, fmt.Sprintf(`(() => { const f = document.querySelector("input[type=search]"); f.value = %s; f.dispatchEvent(new Event("input", {bubbles: true})); })()`, quoted))
		return read()
	}
	before := read()
	if len(before.Claims) != 5 || before.Open == 0 || before.Open == 5 {
		t.Fatalf("before: %+v", before)
	}
	tests := []struct {
		text, claims, attacks string
	}{
		{"threats/broken-claim/break", "claim-broken-claim", "break"},
		{"e.go", "claim-hollow", ""},
		{"It holds", "claim-held-claim", ""},
		{"stalled", "claim-held-claim", "try"},
		{"BROKEN break", "claim-broken-claim", "break"},
		{"nothing has this", "", ""},
	}
	for _, tc := range tests {
		got := search(tc.text)
		if strings.Join(got.Claims, " ") != tc.claims || tc.attacks != "" && strings.Join(got.Attacks, " ") != tc.attacks {
			t.Errorf("search for %q shows %v %v, must show %s %s", tc.text, got.Claims, got.Attacks, tc.claims, tc.attacks)
		}
		if !strings.Contains(got.Said, fmt.Sprintf("%d of 5 claims", len(got.Claims))) {
			t.Errorf("search for %q says %q", tc.text, got.Said)
		}
	}
	after := search("")
	if strings.Join(after.Claims, " ") != strings.Join(before.Claims, " ") || after.Open != before.Open || after.Said != "" {
		t.Errorf("after the search %+v, before %+v", after, before)
	}
	look[any](t, b, `document.querySelector('.find input[value="vacuous"]').click()`)
	if got := read(); strings.Join(got.Claims, " ") != "claim-hollow" {
		t.Errorf("vacuous claims are %v", got.Claims)
	}
	look[any](t, b, `document.querySelector('.find input[value=""]').click(); document.querySelector(".find .expand").click()`)
	if got := read(); got.Open != 5 {
		t.Errorf("%d claims are open, all must be", got.Open)
	}
	b.do(t, chromedp.Click(chromedp.CSS(".find .collapse")))
	// The page listens already, and is told first.
	if !wait[bool](t, b, `new Promise(done => {
		addEventListener("hashchange", () => done(document.getElementById("claim-broken-claim").open));
		document.querySelector('.why a[href="#claim-broken-claim"]').click();
	})`) {
		t.Error("a link to a claim does not open it")
	}
	b.quiet(t, file)
}

// Without scripts the page is whole, only without a search.
func worksWithoutScripts(t *testing.T, ctx context.Context) {
	file := written(t, whole())
	b := openPage(t, ctx, file)
	scripts := func(disabled bool) chromedp.Action[chromedp.Void] {
		return send(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: disabled})
	}
	b.do(t, scripts(true), chromedp.Navigate(fileURL(t, file)), scripts(false))
	if look[bool](t, b, "document.querySelector('.find').checkVisibility()") {
		t.Error("a search that cannot work is shown")
	}
	if n := look[int](t, b, "[...document.querySelectorAll('.claim')].filter(e => e.checkVisibility()).length"); n != 5 {
		t.Errorf("%d claims are shown", n)
	}
	if !look[bool](t, b, "document.getElementById('claim-broken-claim').open && !document.getElementById('claim-held-claim').open") {
		t.Error("what is wrong must be open, what held closed")
	}
}

func prints(t *testing.T, ctx context.Context) {
	file := written(t, whole())
	b := openPage(t, ctx, file)
	pdf, err := chromedp.Run(b, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFPrintBackground()))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(pdf), "%PDF-") || len(pdf) < 20_000 {
		t.Errorf("the PDF has %d bytes and opens with %.8q", len(pdf), pdf)
	}
	b.do(t, send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	if look[bool](t, b, "document.querySelector('.find').checkVisibility() || document.querySelector('nav').checkVisibility()") {
		t.Error("the search or the contents are printed")
	}
	if !look[bool](t, b, "document.querySelector('.verdict').checkVisibility() && document.querySelector('#claim-hollow .inside').checkVisibility()") {
		t.Error("the verdict, or what is wrong, is not printed")
	}
	b.quiet(t, file)
}

// accessible checks what a person who does not see the page, or has no mouse, needs.
const accessible = `(() => {
	const wrong = [];
	let level = 0;
	for (const h of document.querySelectorAll("h1,h2,h3,h4,h5,h6")) {
		const n = Number(h.tagName[1]);
		if (n > level + 1) wrong.push("heading " + n + " after " + level + ": " + h.textContent.slice(0, 40));
		level = n;
	}
	if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
	const ids = new Set();
	for (const e of document.querySelectorAll("[id]")) { if (ids.has(e.id)) wrong.push("the id " + e.id + " twice"); ids.add(e.id); }
	for (const e of document.querySelectorAll("[aria-labelledby]")) for (const id of e.getAttribute("aria-labelledby").split(" ")) if (!ids.has(id)) wrong.push("no element " + id);
	for (const a of document.querySelectorAll("a[href^='#']")) if (!ids.has(a.getAttribute("href").slice(1))) wrong.push("no target for " + a.href);
	for (const e of document.querySelectorAll("input,select")) if (!e.closest("label")) wrong.push("an input without a label");
	for (const e of document.querySelectorAll("svg")) if (e.getAttribute("aria-hidden") !== "true" && !e.querySelector("title")) wrong.push("a picture without a title");
	for (const e of document.querySelectorAll(".scroll")) if (e.tabIndex !== 0 || !e.getAttribute("aria-label")) wrong.push("a box that scrolls and has no focus or name");
	for (const e of document.querySelectorAll("th")) if (!e.scope) wrong.push("a head of a table without a scope");
	if (!document.documentElement.lang) wrong.push("no language");
	return wrong;
})()`

// contrasts returns texts whose contrast to their ground is below 4.5.
const contrasts = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
	const rgba = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
	const light = (c) => { const [r, g, b] = c.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const ground = (e) => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255, 255]; };
	const low = new Set();
	let n = 0;
	for (const e of document.querySelectorAll("body *")) {
		if (![...e.childNodes].some(c => c.nodeType === 3 && c.textContent.trim()) || !e.checkVisibility() || e.closest("title,desc,script,style,output:empty")) continue;
		const style = getComputedStyle(e);
		const color = e.closest("svg") ? style.fill : style.color;
		const a = light(rgba(color)), b = light(ground(e));
		const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		n++;
		if (contrast < 4.5) low.add(contrast.toFixed(2) + " " + e.tagName + "." + e.getAttribute("class") + " " + e.textContent.trim().slice(0, 30));
	}
	return {n, low: [...low]};
})()`

func pageIsAccessible(t *testing.T, ctx context.Context) {
	for name, r := range records() {
		t.Run(name, func(t *testing.T) {
			b := openPage(t, ctx, written(t, r))
			for _, wrong := range look[[]string](t, b, accessible) {
				t.Error(wrong)
			}
			look[any](t, b, openAll)
			for _, name := range []string{"light", "dark"} {
				b.do(t, scheme(name))
				got := look[struct {
					N   int
					Low []string
				}](t, b, contrasts)
				if got.N == 0 {
					t.Error("no text was looked at")
				}
				for _, low := range got.Low {
					t.Errorf("%s: the contrast is too low: %s", name, low)
				}
			}
		})
	}
}

// takesAScreenshot makes the picture of a page for the README:
//
//	go test ./reports -run TestBrowser -screenshot docs/example-report/report.png
func takesAScreenshot(t *testing.T, ctx context.Context) {
	file, to := filepath.Join("..", *pageFile), filepath.Join("..", *screenshot)
	if filepath.IsAbs(*pageFile) {
		file = *pageFile
	}
	if filepath.IsAbs(*screenshot) {
		to = *screenshot
	}
	b := openPage(t, ctx, file)
	b.do(t, chromedp.EmulateViewport(1180, 900, chromedp.EmulateScale(1.5)))
	picture, err := chromedp.Run(b, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, picture, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d bytes", to, len(picture))
}
