package runtime

import (
	"fmt"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// This file owns the making of one script from the files.

// Source returns the runtime as one classic script, in strict mode, and the name
// to compile it under. Run in a fresh context it installs the library and leaves
// one temporary global, __isogate_boot (js/entry.js).
//
// The names of its variables are short and its comments gone, because every isolate
// carries them: with long names restoring an isolate takes a tenth longer. The script is
// ASCII, so that V8 keeps it at one byte a character.
func Source() (name, source string) { return SourceWithout("") }

// SourceWithout returns the runtime without one part, or without the extensions of the
// language when the part is [Language], to measure what that costs. The rest works as
// long as nothing asks for what is missing.
func SourceWithout(part string) (name, source string) { return Name, shorten(bundle(part)) }

// bundle joins the files, as they were written but for comments.
func bundle(without string) string {
	var b strings.Builder
	b.WriteString("(function () {\n'use strict';\n\n")
	for _, file := range order {
		if without == Language && strings.HasPrefix(file, "language/") {
			continue
		}
		writeFile(&b, file)
	}
	for _, p := range parts {
		if p.Name == without {
			continue
		}
		b.WriteString("definePart('" + p.Name + "', [")
		for _, global := range p.Globals {
			b.WriteString("'" + global + "', ")
		}
		fmt.Fprintf(&b, "], %v, function (exports) {\n", p.Hot)
		for _, file := range p.Files {
			writeFile(&b, "web/"+file)
		}
		b.WriteString("});\n")
	}
	for _, file := range last {
		writeFile(&b, file)
	}
	b.WriteString("})();\n")
	return b.String()
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

// letters are the names of one character.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$_"

// shorten renames variables and removes what separates words. Names of properties, and so
// of methods, stay.
//
// No variable gets a name of one character: in a scope with more than 75 variables V8 10.9
// looks them up in a hash table of their names, and in a process that restores isolates
// from several snapshots, as measuring does, some names of one character were not found
// there. So each such name is used behind the script, where it means a global, until the
// names are chosen.
func shorten(source string) string {
	const end = "})();"
	var b strings.Builder
	b.WriteString(source)
	for _, letter := range letters {
		b.WriteString("typeof " + string(letter) + ";\n")
	}
	out := api.Transform(b.String(), api.TransformOptions{
		Loader: api.LoaderJS, Target: api.ES2022, Sourcefile: Name, LogLevel: api.LogLevelSilent,
		MinifyIdentifiers: true, MinifyWhitespace: true,
	})
	for _, problem := range append(out.Errors, out.Warnings...) {
		// The files are part of the binary: one of them is wrong.
		panic(fmt.Sprintf("%s: %s: %v", Name, problem.Text, problem.Location))
	}
	text := string(out.Code)
	at := strings.LastIndex(text, end)
	if at < 0 {
		panic(Name + ": the shortened script does not end as it should")
	}
	return text[:at+len(end)] + "\n"
}
