package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attacks on the startup snapshot: what is in it, who can change
// it, and that nobody else's is taken. The host that they look into is in
// snapshot_host.go, the searching in snapshot_search.go.

var snapshots = []Attack{
	{Name: "snapshot-holds-no-host-data", Source: "L09", Title: "nothing of a host's environment, arguments, folders, user, name or build stands in the snapshot", Run: snapshotHoldsNothing},
	{Name: "snapshot-file-final", Source: "L09", Title: "the snapshot's file cannot be changed any more, nor executed, by whoever has it open", Run: snapshotFileFinal},
	{Name: "snapshot-of-another-refused", Source: "L09", Title: "a child that is handed another snapshot, or told of another, does not use it", Run: otherSnapshotRefused},
	{Name: "snapshot-not-asked-for", Source: "E31", Title: "no request can bring a snapshot or compiled code", Run: snapshotNotAskedFor},
}

func snapshotHoldsNothing(ctx context.Context, h *Host) error {
	host, err := h.startSnapshotHost(ctx)
	if err != nil {
		return err
	}
	blob, err := os.ReadFile(host.file)
	if err != nil {
		return unreadable(err)
	}
	// The library's own name for its script stands in it, so that texts can be found.
	if len(blob) < 1000 || len(findTexts(blob, []hostText{{"the library", "isogate:runtime"}})) == 0 {
		return fmt.Errorf("the file %s of %d bytes is no snapshot", host.file, len(blob))
	}
	texts := append(host.texts, hostTexts(h)...)
	var what []string
	for _, text := range texts {
		what = append(what, text.what)
	}
	h.Note("%d bytes were searched for %s", len(blob), strings.Join(what, ", "))
	if found := findTexts(blob, texts); len(found) > 0 {
		return violated("in the snapshot stands: %s", strings.Join(found, "; "))
	}
	if path := absolutePath.Find(blob); path != nil {
		return violated("in the snapshot stands a path of a machine: %q", path)
	}
	return nil
}

// absolutePath is a path into folders that belong to people, builds and machines.
var absolutePath = regexp.MustCompile(`/(?:home|root|Users|usr|tmp|var|etc|opt|proc|builds|mnt|workspace|go/pkg)/[\w.@-]+`)

// hostTexts are texts about this process's machine and build.
func hostTexts(h *Host) []hostText {
	texts := []hostText{{"the path of the host's binary", h.Binary}, {"the host's canary variable", h.CanaryName}, {"its value", os.Getenv(h.CanaryName)}}
	add := func(what, text string, err error) {
		// A short word may stand anywhere by chance.
		if err == nil && (len(text) >= 8 || strings.Count(text, "/") > 1) {
			texts = append(texts, hostText{what, text})
		}
	}
	name, err := os.Hostname()
	add("the host's name", name, err)
	folder, err := os.Getwd()
	add("the gate's folder", folder, err)
	home, err := os.UserHomeDir()
	add("a folder of modules", filepath.Join(home, "go", "pkg"), err)
	cache, err := os.UserCacheDir()
	add("a folder of builds", cache, err)
	_, file, _, ok := runtime.Caller(0)
	if ok {
		add("the path of the source", filepath.Dir(filepath.Dir(filepath.Dir(file))), nil)
	}
	for _, variable := range []string{"GOPATH", "GOCACHE", "GOMODCACHE", "GOROOT", "USER"} {
		add("the variable "+variable, os.Getenv(variable), nil)
	}
	return texts
}

func snapshotFileFinal(ctx context.Context, h *Host) error {
	host, err := h.startSnapshotHost(ctx)
	if err != nil {
		return err
	}
	notes, err := tryToChange(host.file)
	for _, note := range notes {
		h.Note("%s", note)
	}
	return err
}

// otherSnapshots are what a child can be handed in place of its own snapshot.
var otherSnapshots = []struct{ how, title string }{
	{toldOfAnother, "a child that is told another digest"},
	{handedAnother, "a child that is handed a snapshot of which one bit is another"},
	{handedAShorter, "a child that is handed a snapshot that ends early"},
	{handedNone, "a child that is handed an empty snapshot"},
}

func otherSnapshotRefused(ctx context.Context, h *Host) error {
	script, err := h.script(misledArgument)
	if err != nil {
		return err
	}
	mislead := func(how string) error {
		return os.WriteFile(filepath.Join(filepath.Dir(script), misledFile), []byte(how), 0o600)
	}
	// Made this way with its own snapshot it works.
	if err := mislead(handedItsOwn); err != nil {
		return err
	}
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, ChildPath: script}})
	if err != nil {
		return err
	}
	if err := h.probe(ctx, "a child that is handed its own snapshot", e); err != nil {
		return err
	}
	for _, other := range otherSnapshots {
		if err := mislead(other.how); err != nil {
			return err
		}
		e, err := executor.New(ctx, h.configured(executor.Config{Pool: pool.Config{Size: 1, ChildPath: script}}))
		if err == nil {
			return errors.Join(violated("%s is used", other.title), closeWithin(e))
		}
		h.Note("%s: %v", other.title, err)
		var unavailable *protocol.Unavailable
		why, _ := child.ExplainExit(child.ExitSnapshot)
		if !errors.As(err, &unavailable) || !strings.Contains(unavailable.Reason, why) {
			return violated("%s: the error is %q, must be the fault unavailable and say %q", other.title, err, why)
		}
	}
	return nil
}

func snapshotNotAskedFor(ctx context.Context, h *Host) error {
	suspicious := regexp.MustCompile(`(?i)snapshot|cache|blob|bytecode|startup`)
	for field := range reflect.TypeFor[protocol.Request]().Fields() {
		if suspicious.MatchString(field.Name) {
			return violated("a request has the field %s", field.Name)
		}
	}
	plain, err := protocol.EncodeMessage(&protocol.Execute{Execution: "1", Request: protocol.Request{Source: "() => 1", Limits: protocol.DefaultLimits}})
	if err != nil {
		return err
	}
	if _, err := protocol.DecodeMessage(plain); err != nil {
		return fmt.Errorf("the plain message is refused: %w", err)
	}
	tried := 0
	for _, name := range []string{"snapshot", "snapshotBlob", "startupData", "codeCache", "cachedData", "produceCachedData", "bytecode"} {
		for _, place := range []string{`{"type":`, `"request":{`} {
			text := strings.Replace(string(plain), place, withField(place, name), 1)
			if text == string(plain) {
				return fmt.Errorf("the message has no %s: %s", place, plain)
			}
			if _, err := protocol.DecodeMessage([]byte(text)); err == nil {
				return violated("a message with the field %s is accepted: %s", name, text)
			}
			tried++
		}
	}
	h.Note("%d messages", tried)
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	// Nor has a program a way to one.
	result := h.execute(ctx, e, executor.Request{Source: `async () => {
		const names = Object.getOwnPropertyNames(globalThis).filter(name => /snapshot|cache|^v8|bytecode|process|require/i.test(name));
		const imports = [];
		for (const name of ["v8", "node:v8", "vm", "node:vm", "module"]) {
			try { await import(name); imports.push(name) } catch {}
		}
		return [names, imports];
	}`})
	return wantValue("a program that looks for one", result, "[[],[]]")
}

// withField returns the beginning of an object with one more field.
func withField(place, name string) string {
	if place == `{"type":` {
		return `{"` + name + `":"AAAA","type":`
	}
	return place + `"` + name + `":"AAAA",`
}
