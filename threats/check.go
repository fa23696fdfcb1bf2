package threats

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// This file owns completeness: what must be there besides well-formed data.

// CheckModel finds claims that nothing tries or that nothing shows can fail,
// and attacks in Go that no claim names or that do not exist. native holds the
// names of the attacks that exist.
func CheckModel(m *Model, native []string) []error {
	exists := map[string]bool{}
	for _, name := range native {
		exists[name] = true
	}
	var errs []error
	if len(m.NonClaims) == 0 {
		errs = append(errs, errors.New("threat model: it does not say what is not claimed"))
	}
	used := map[string]string{}
	for _, c := range m.Claims {
		if len(c.Attacks)+len(c.Native) == 0 {
			errs = append(errs, &Error{c.At, "the claim has no attack"})
		}
		if len(c.Owners) == 0 {
			errs = append(errs, &Error{c.At, "the claim has no owner"})
		}
		if c.Draft != (Position{}) {
			errs = append(errs, &Error{c.Draft, "the claim is a draft: finish it, then remove this line"})
		}
		for _, a := range c.Attacks {
			if a.Draft != (Position{}) {
				errs = append(errs, &Error{a.Draft, "the attack is a draft: finish it, then remove this line"})
			}
		}
		// An open claim is not held, so that there is nothing yet whose removal could be noticed.
		if len(c.Controls) == 0 && c.Status != StatusOpen {
			errs = append(errs, &Error{c.At, "the claim has no control"})
		}
		for _, n := range c.Native {
			if !exists[n.Name] {
				errs = append(errs, &Error{n.At, fmt.Sprintf("there is no attack in Go named %q", n.Name)})
			}
			if other, ok := used[n.Name]; ok {
				errs = append(errs, &Error{n.At, fmt.Sprintf("the attack %q already belongs to %s", n.Name, other)})
			}
			used[n.Name] = c.ID
		}
	}
	for _, name := range native {
		if used[name] == "" {
			errs = append(errs, fmt.Errorf("threat model: the attack in Go %q belongs to no claim", name))
		}
	}
	return errs
}

// CheckTargets finds names of targets that do not exist.
func CheckTargets(m *Model, names []string) []error {
	var errs []error
	check := func(targets []TargetName) {
		for _, t := range targets {
			if !slices.Contains(names, t.Name) {
				errs = append(errs, &Error{t.At, fmt.Sprintf("there is no target %q; the targets are %s", t.Name, strings.Join(names, ", "))})
			}
		}
	}
	for _, c := range m.Claims {
		check(c.Targets)
		for _, a := range c.Attacks {
			check(a.Targets)
		}
		for i := range c.Native {
			check(c.Native[i].Targets)
		}
	}
	return errs
}

// CheckBuilt finds how the threat model in the given folder differs from the one that
// is built into this binary: such a binary does not judge what is in the folder.
// folder is the source's folder of claims.
func CheckBuilt(folder fs.FS) []error {
	const remedy = "build the gate anew: make build"
	if _, err := LoadFS(folder, "threats"); err != nil {
		return []error{err} // as it is, it could not be built in
	}
	var errs []error
	differs := func(name, what string) {
		errs = append(errs, &Error{Position{path.Join("threats", name), 1, 1}, what + " the one that this gate was built with; " + remedy})
	}
	have := modelFiles(folder)
	built := modelFiles(embedded)
	for _, name := range sortedKeys(have) {
		text, known := built[name]
		switch {
		case !known:
			errs = append(errs, &Error{Position{path.Join("threats", name), 1, 1}, "this gate was built without it; " + remedy})
		case text != have[name]:
			differs(name, "the file differs from")
		}
	}
	for _, name := range sortedKeys(built) {
		if _, there := have[name]; !there {
			differs(name, "the file is gone and was in")
		}
	}
	return errs
}

// modelFiles returns the texts of a model's files by their paths. What cannot be read
// is left out, and so differs.
func modelFiles(fsys fs.FS) map[string]string {
	files := map[string]string{}
	for _, pattern := range []string{nonClaimsFile, "*/" + claimFile, "*/*.js", "*/*.ts"} {
		names, err := fs.Glob(fsys, pattern)
		if err != nil {
			continue
		}
		for _, name := range names {
			if text, err := fs.ReadFile(fsys, name); err == nil {
				files[name] = string(text)
			}
		}
	}
	return files
}

// CheckSources finds owners that are gone and controls that no longer apply to
// the source. root is the root of the module's source.
func CheckSources(m *Model, root fs.FS) []error {
	var errs []error
	for _, c := range m.Claims {
		for _, o := range c.Owners {
			if info, err := fs.Stat(root, o.File); err != nil || info.IsDir() {
				errs = append(errs, &Error{o.At, fmt.Sprintf("the owner %s is no file of the source", o.File)})
			}
		}
		for _, control := range c.Controls {
			for _, e := range control.Edits {
				if _, err := e.Apply(root); err != nil {
					errs = append(errs, &Error{e.At, fmt.Sprintf("control %q: %v", control.Name, err)})
				}
			}
		}
	}
	return errs
}

// Apply returns the file's text with the edit made. The text to find must occur
// exactly once.
func (e *Edit) Apply(root fs.FS) ([]byte, error) {
	text, err := fs.ReadFile(root, e.File)
	if err != nil {
		return nil, err
	}
	return e.ApplyTo(text)
}

// ApplyTo makes the edit in the given text of its file.
func (e *Edit) ApplyTo(text []byte) ([]byte, error) {
	if n := strings.Count(string(text), e.Find); n != 1 {
		return nil, fmt.Errorf("the text to find occurs %d times in %s, must occur once: %s", n, e.File, cut(e.Find))
	}
	return []byte(strings.Replace(string(text), e.Find, e.Replace, 1)), nil
}
