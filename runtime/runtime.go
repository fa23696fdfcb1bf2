// Package runtime holds the guest's standard library: JavaScript written from the
// specifications, run once when the startup snapshot is made. It knows nothing
// of hosts, tools or processes; what the host calls and what it is called for is
// in js/entry.js and js/host.js.
//
// Each file in js owns one idea and opens with what it implements. All files
// share one scope, that of a function around the whole, so the order of the
// files matters only for what runs at once.
package runtime

import (
	"embed"
	"strings"
)

// Name is the name of the bundle in stack traces. Frames with this name are the
// runtime's own and are not shown to programs (js/stack.js).
const Name = "isogate:runtime"

// order lists the files of the bundle, each after those whose constants it uses
// when it is loaded.
var order = []string{
	"primordials.js",
	"host.js",
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
	"entry.js",
	"warm.js",
}

//go:embed js/*.js
var files embed.FS

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
		text, err := files.ReadFile("js/" + file)
		if err != nil {
			// The files are part of the binary: a name in order is wrong.
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
	b.WriteString("})();\n")
	return Name, b.String()
}
