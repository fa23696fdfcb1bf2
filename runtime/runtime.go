// Package runtime holds the guest's standard library: JavaScript written from the
// specifications, run once when the startup snapshot is made. It knows nothing
// of hosts, tools or processes; what the host calls and what it is called for is
// in js/entry.js and js/host.js.
//
// Each file in js owns one idea and opens with what it implements. All files
// share one scope, that of a function around the whole, so the order of the
// files matters only for what runs at once. The files of a [Part] have a function
// around them as well, which runs when a program first uses what the part offers:
// an isolate that does not use it pays for its text only.
package runtime

import (
	"embed"
	"strings"
)

// Name is the name of the bundle in stack traces. Frames with this name are the
// runtime's own and are not shown to programs (js/stack.js).
const Name = "isogate:runtime"

// order lists the files that run when the snapshot is made, each after those
// whose constants it uses when it is loaded.
var order = []string{
	"primordials.js",
	"host.js",
	"native.js",
	"webidl.js",
	"webidl_interface.js",
	"webidl_iterable.js",
	"parts.js",
	"url_value.js",
	"brands.js",
	"platform_objects.js",
	"base64.js",
	"language/operations.js",
	"language/iteration.js",
	"language/dispose.js",
	"language/array_copies.js",
	"language/typed_array_copies.js",
	"language/set_methods.js",
	"language/iterator.js",
	"language/iterator_helpers.js",
	"language/iterator_consumers.js",
	"language/iterator_sequences.js",
	"language/iterator_more.js",
	"language/group_by.js",
	"language/array_from_async.js",
	"language/promise.js",
	"language/array_buffer_transfer.js",
	"language/text_of_bytes.js",
	"language/uint8array_text.js",
	"language/well_formed.js",
	"language/regexp_escape.js",
	"language/upsert.js",
	"language/error_is_error.js",
	"language/sum_precise.js",
	"language/float16.js",
	"language/disposable_stack.js",
	"language/async_disposable_stack.js",
	"codec_encode.js",
	"codec_encode_arrays.js",
	"codec_encode_kinds.js",
	"codec_references.js",
	"codec_decode.js",
	"codec_decode_kinds.js",
	"stack.js",
	"hints.js",
	"fault.js",
	"inspect.js",
	"inspect_objects.js",
	"inspect_layout.js",
	"console_format.js",
	"console_table.js",
	"console.js",
	"timers.js",
	"report.js",
	"microtask.js",
	"tools.js",
	"globals.js",
}

// Part is a group of files that is built as a whole, on first use (js/parts.js).
type Part struct {
	// Name is what other files know the part by.
	Name string
	// Files are its files in order, below js/web.
	Files []string
	// Globals are the names on the global object whose first reading builds the part.
	Globals []string
	// Hot parts are built when the snapshot is made and are part of it.
	Hot bool
}

// parts lists what is not built before it is used.
var parts = []Part{
	{Name: "dom_exception", Files: []string{"dom_exception.js"}, Globals: []string{"DOMException", "QuotaExceededError"}},
	{
		Name: "events", Files: []string{"event.js", "event_target.js", "abort.js"},
		Globals: []string{"Event", "CustomEvent", "EventTarget", "AbortController", "AbortSignal"},
	},
	{Name: "structured_clone", Files: []string{"structured_clone.js", "structured_serialize.js", "structured_deserialize.js"}},
	{Name: "performance", Files: []string{"performance.js"}, Globals: []string{"Performance"}},
	{Name: "navigator", Files: []string{"navigator.js"}, Globals: []string{"Navigator"}},
	{Name: "blob", Files: []string{"blob.js"}, Globals: []string{"Blob", "File"}},
	{Name: "form_data", Files: []string{"form_data.js"}, Globals: []string{"FormData"}},
	{Name: "headers", Files: []string{"headers.js"}, Globals: []string{"Headers"}},
	{Name: "random", Files: []string{"random.js"}, Globals: []string{"Crypto"}},
}

// Language is the name under which [SourceWithout] knows the files below js/language:
// what newer editions of ECMAScript have and the engine has not.
const Language = "language"

// Parts returns the parts of the library.
func Parts() []Part { return append([]Part(nil), parts...) }

//go:embed js
var files embed.FS

// last are the files that come after the parts.
var last = []string{"entry.js", "warm.js"}

// Source returns the runtime as one classic script, in strict mode, and the name
// to compile it under. Run in a fresh context it installs the library and leaves
// one temporary global, __isogate_boot (js/entry.js).
//
// Lines that are comments are emptied, because every isolate would carry them.
// The rest is ASCII, so that V8 keeps the script at one byte a character.
func Source() (name, source string) { return SourceWithout("") }

// SourceWithout returns the runtime without one part, or without the extensions of the
// language when the part is [Language], to measure what that costs. The rest works as
// long as nothing asks for what is missing.
func SourceWithout(part string) (name, source string) {
	var b strings.Builder
	b.WriteString("(function () {\n'use strict';\n\n")
	for _, file := range order {
		if part == Language && strings.HasPrefix(file, "language/") {
			continue
		}
		writeFile(&b, file)
	}
	for _, p := range parts {
		if p.Name == part {
			continue
		}
		b.WriteString("definePart('" + p.Name + "', [")
		for _, global := range p.Globals {
			b.WriteString("'" + global + "', ")
		}
		if p.Hot {
			b.WriteString("], true, ")
		} else {
			b.WriteString("], false, ")
		}
		b.WriteString("function (exports) {\n")
		for _, file := range p.Files {
			writeFile(&b, "web/"+file)
		}
		b.WriteString("});\n")
	}
	for _, file := range last {
		writeFile(&b, file)
	}
	b.WriteString("})();\n")
	return Name, b.String()
}

// inOrder returns all files of the bundle, in order.
func inOrder() []string {
	all := append([]string(nil), order...)
	for _, p := range parts {
		for _, file := range p.Files {
			all = append(all, "web/"+file)
		}
	}
	return append(all, last...)
}

// writeFile adds a file to the bundle, without its comments.
func writeFile(b *strings.Builder, file string) {
	text, err := files.ReadFile("js/" + file)
	if err != nil {
		// The files are part of the binary: a name in the lists is wrong.
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(strings.TrimSpace(line), "//") {
			line = "\n"
		}
		b.WriteString(line)
	}
	b.WriteString("\n")
}
