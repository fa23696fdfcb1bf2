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
	"parts.js",
	"url_value.js",
	"brands.js",
	"base64.js",
	"codec_encode.js",
	"codec_encode_arrays.js",
	"codec_encode_kinds.js",
	"codec_references.js",
	"codec_decode.js",
	"codec_decode_kinds.js",
	"stack.js",
	"fault.js",
	"inspect.js",
	"inspect_objects.js",
	"inspect_layout.js",
	"console_format.js",
	"console_table.js",
	"console.js",
	"timers.js",
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
	{Name: "random", Files: []string{"random.js"}, Globals: []string{"Crypto"}},
}

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
func Source() (name, source string) {
	var b strings.Builder
	b.WriteString("(function () {\n'use strict';\n\n")
	for _, file := range order {
		writeFile(&b, file)
	}
	for _, p := range parts {
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
