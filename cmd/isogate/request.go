package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the way from flags and files to a checked request.

// runFlags are the flags of run.
type runFlags struct {
	input       string
	hasInput    bool
	codec       bool
	typescript  bool
	form        string
	timeZone    string
	modules     []string
	tools       []string
	grants      []string
	wall, cpu   span
	heap, extra size
	profile     string
	sealing     []string
	json        bool
}

// request reads the program, its modules and its input, and checks all of it
// against the contract, so that a request that would be refused starts nothing.
func (f *runFlags) request(program string, in io.Reader, set *commands) (executor.Request, error) {
	var r executor.Request
	if err := checkProfile(f.profile); err != nil {
		return r, err
	}
	source, err := readFile(program, in)
	if err != nil {
		return r, err
	}
	r.Source = source
	r.Form = protocol.Form(f.form)
	r.TimeZone = f.timeZone
	if f.typescript || isTypeScript(program) {
		r.Language = protocol.TypeScript
	}
	r.Input = protocol.Undefined{}
	if f.hasInput {
		if r.Input, err = f.readInput(); err != nil {
			return r, fmt.Errorf("--input: %w", err)
		}
	}
	if r.Modules, err = readModules(f.modules); err != nil {
		return r, err
	}
	if r.Tools, err = set.tools(f.tools); err != nil {
		return r, err
	}
	for _, g := range f.grants {
		if !slices.Contains(protocol.Grants, protocol.Grant(g)) {
			return r, fmt.Errorf("--grant %s: there is no such grant; there are %s", g, grantNames())
		}
		r.Grants = append(r.Grants, protocol.Grant(g))
	}
	r.Limits = protocol.Limits{
		Wall: time.Duration(f.wall), CPU: time.Duration(f.cpu),
		Heap: int64(f.heap), External: int64(f.extra),
	}
	return r, check(r)
}

// check applies the contract's own checks to what the flags asked for.
func check(r executor.Request) error {
	p := protocol.Request{
		Source: r.Source, Language: r.Language, Form: r.Form, Modules: r.Modules, Grants: r.Grants, Limits: r.Limits, TimeZone: r.TimeZone,
	}
	p.Input, _ = r.Input.(protocol.Value) // checked when it was read
	for namespace, tools := range r.Tools {
		n := protocol.Namespace{Name: namespace}
		for tool := range tools {
			n.Tools = append(n.Tools, tool)
		}
		slices.Sort(n.Tools)
		p.Tools = append(p.Tools, n)
	}
	slices.SortFunc(p.Tools, func(a, b protocol.Namespace) int { return strings.Compare(a.Name, b.Name) })
	if err := p.Validate(); err != nil {
		return err
	}
	limits, err := r.Limits.Resolve(protocol.DefaultLimits, protocol.MaxLimits)
	if err != nil {
		return err
	}
	if fault := p.CheckSizes(limits); fault != nil {
		return fault
	}
	return nil
}

// readInput returns the value of --input: JSON, or @FILE with JSON in it.
func (f *runFlags) readInput() (protocol.Value, error) {
	text := f.input
	if name, isFile := strings.CutPrefix(text, "@"); isFile {
		content, err := readFile(name, strings.NewReader(""))
		if err != nil {
			return nil, err
		}
		value, err := readValue([]byte(content), f.codec)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return value, nil
	}
	return readValue([]byte(text), f.codec)
}

// readModules reads --module values, NAME=FILE each.
func readModules(specs []string) (map[string]protocol.Module, error) {
	if len(specs) == 0 {
		return nil, nil
	}
	out := map[string]protocol.Module{}
	for _, spec := range specs {
		name, file, found := strings.Cut(spec, "=")
		if !found || name == "" || file == "" {
			return nil, fmt.Errorf("--module %q: write it as NAME=FILE", spec)
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("--module %s: given twice", name)
		}
		source, err := readFile(file, strings.NewReader(""))
		if err != nil {
			return nil, fmt.Errorf("--module %s: %w", name, err)
		}
		m := protocol.Module{Source: source}
		switch {
		case isTypeScript(file):
			m.Language = protocol.TypeScript
		case filepath.Ext(file) == ".json":
			m.Language = protocol.JSON
		}
		out[name] = m
	}
	return out, nil
}

// isTypeScript reports whether a file's name says that it is TypeScript.
func isTypeScript(name string) bool {
	switch filepath.Ext(name) {
	case ".ts", ".mts", ".cts":
		return true
	}
	return false
}

// readFile returns the text of a file, or of stdin for "-". It reads one byte
// more than the longest source that any executor takes, so that a file that
// never ends is refused by its size.
func readFile(name string, stdin io.Reader) (string, error) {
	reader, shown := stdin, "standard input"
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			var path *fs.PathError
			if errors.As(err, &path) {
				err = path.Err
			}
			return "", fmt.Errorf("%s: %w", name, err)
		}
		defer file.Close()
		reader, shown = file, name
	}
	text, err := io.ReadAll(io.LimitReader(reader, protocol.MaxLimits.Source+1))
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return "", fmt.Errorf("%s: %w", shown, err)
	}
	return string(text), nil
}

// checkProfile returns an error for an engine profile that does not exist.
func checkProfile(name string) error {
	if name != sandbox.ProfileHardened && name != sandbox.ProfileJIT {
		return fmt.Errorf("--profile %s: there is no such profile; there are %s, %s", name, sandbox.ProfileHardened, sandbox.ProfileJIT)
	}
	return nil
}

// grantNames lists the grants that exist.
func grantNames() string {
	var names []string
	for _, g := range protocol.Grants {
		names = append(names, string(g))
	}
	return strings.Join(names, ", ")
}
