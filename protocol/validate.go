package protocol

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file owns what makes a request valid, apart from its limits and sizes.

// Bounds on the parts of a request, for all executors alike.
const (
	MaxNamespaces = 1024      // namespaces in a request
	MaxTools      = 16 * 1024 // tools in a request, in all namespaces together
	MaxModules    = 4096      // virtual modules in a request
	MaxSpecifier  = 1024      // bytes of a module's specifier
	MaxScripts    = 1024      // scripts before the program
	MaxScriptName = 256       // bytes of a script's name
	MaxTrace      = 1024      // bytes of a value of the trace context
)

// Validate reports the first thing in the request that breaks the contract, as
// an [InvalidRequest] whose Field is the path to it, or nil. Limits are
// [Limits.Resolve]'s to check, sizes [Request.CheckSizes]'s.
func (r *Request) Validate() error {
	checks := []func() *InvalidRequest{r.checkProgram, r.checkTools, r.checkModules, r.checkScripts, r.checkGrants, r.checkInput, r.checkOrigin}
	for _, check := range checks {
		if invalid := check(); invalid != nil {
			return invalid
		}
	}
	return nil
}

func invalid(field, format string, args ...any) *InvalidRequest {
	return &InvalidRequest{Field: field, Reason: fmt.Sprintf(format, args...)}
}

func (r *Request) checkProgram() *InvalidRequest {
	//gate:protects requests-checked
	if at := invalidUTF8(r.Source); at >= 0 {
		return invalid("source", "invalid UTF-8 at byte %d", at)
	}
	if f := checkLanguage("language", r.Language, JavaScript, TypeScript); f != nil {
		return f
	}
	switch r.Form {
	case "", FormFunction, FormModule:
	default:
		return invalid("form", "%.40q is not one of %q, %q", r.Form, FormFunction, FormModule)
	}
	if r.TimeZone != "" && !IsTimeZone(r.TimeZone) {
		return invalid("timeZone", "there is no time zone %.80q: it is a name of the IANA database, such as %q, %q", r.TimeZone, "UTC", "America/New_York")
	}
	if r.WallClock != "" && r.WallClock != WallClockProgram {
		return invalid("wallClock", "%.40q is not %q", r.WallClock, WallClockProgram)
	}
	return nil
}

func checkLanguage(field string, l Language, known ...Language) *InvalidRequest {
	if l == "" || slices.Contains(known, l) {
		return nil
	}
	var names []string
	for _, k := range known {
		names = append(names, strconv.Quote(string(k)))
	}
	return invalid(field, "%.40q is not one of %s", l, strings.Join(names, ", "))
}

// invalidUTF8 returns the offset of the first byte that is no UTF-8, or -1.
func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

func (r *Request) checkTools() *InvalidRequest {
	if len(r.Tools) > MaxNamespaces {
		return invalid("tools", "%d namespaces, the limit is %d", len(r.Tools), MaxNamespaces)
	}
	total := 0
	namespaces := make(map[string]bool, len(r.Tools))
	for i, n := range r.Tools {
		field := fmt.Sprintf("tools[%d]", i)
		if err := checkNamespace(n.Name); err != nil {
			return invalid(field+".name", "%v", err)
		}
		if namespaces[n.Name] {
			return invalid(field+".name", "the namespace %q is there twice", n.Name)
		}
		namespaces[n.Name] = true
		if total += len(n.Tools); total > MaxTools {
			return invalid(field+".tools", "more than %d tools in the request", MaxTools)
		}
		tools := make(map[string]bool, len(n.Tools))
		for j, name := range n.Tools {
			at := fmt.Sprintf("%s.tools[%d]", field, j)
			if err := CheckIdentifier(name); err != nil {
				return invalid(at, "%v", err)
			}
			if tools[name] {
				return invalid(at, "the tool %q is there twice", name)
			}
			tools[name] = true
		}
	}
	return nil
}

func (r *Request) checkModules() *InvalidRequest {
	if len(r.Modules) > MaxModules {
		return invalid("modules", "%d modules, the limit is %d", len(r.Modules), MaxModules)
	}
	for _, specifier := range slices.Sorted(maps.Keys(r.Modules)) {
		m := r.Modules[specifier]
		field := fmt.Sprintf("modules[%.100q]", specifier)
		switch {
		case specifier == "":
			return invalid(field, "the specifier is empty")
		case len(specifier) > MaxSpecifier:
			return invalid(field, "the specifier has %d bytes, the limit is %d", len(specifier), MaxSpecifier)
		case !utf8.ValidString(specifier):
			return invalid(field, "the specifier is not valid UTF-8")
		}
		if at := invalidUTF8(m.Source); at >= 0 {
			return invalid(field+".source", "invalid UTF-8 at byte %d", at)
		}
		if f := checkLanguage(field+".language", m.Language, JavaScript, TypeScript, JSON); f != nil {
			return f
		}
	}
	return nil
}

func (r *Request) checkScripts() *InvalidRequest {
	if len(r.Scripts) > MaxScripts {
		return invalid("scripts", "%d scripts, the limit is %d", len(r.Scripts), MaxScripts)
	}
	names := map[string]bool{"program": true}
	for specifier := range r.Modules {
		names[specifier] = true
	}
	for i, s := range r.Scripts {
		field := fmt.Sprintf("scripts[%d]", i)
		if s.Name == "" || len(s.Name) > MaxScriptName {
			return invalid(field+".name", "the name has %d bytes, it must have 1 to %d", len(s.Name), MaxScriptName)
		}
		if at := invisible(s.Name); at >= 0 {
			return invalid(field+".name", "byte 0x%02x at %d, where only visible ASCII may be", s.Name[at], at)
		}
		if names[s.Name] || strings.HasPrefix(s.Name, "isogate:") {
			return invalid(field+".name", "%q is the name of another script, of a module, of the program or of the runtime", s.Name)
		}
		names[s.Name] = true
		if at := invalidUTF8(s.Source); at >= 0 {
			return invalid(field+".source", "invalid UTF-8 at byte %d", at)
		}
	}
	return nil
}

// invisible returns the offset of the first byte that is no visible ASCII, or -1.
func invisible(s string) int {
	for i := range len(s) {
		if c := s[i]; c < '!' || c > '~' {
			return i
		}
	}
	return -1
}

func (r *Request) checkGrants() *InvalidRequest {
	for i, g := range r.Grants {
		field := fmt.Sprintf("grants[%d]", i)
		if !slices.Contains(Grants, g) {
			return invalid(field, "there is no grant %.40q, only %q", g, Grants)
		}
		if slices.Contains(r.Grants[:i], g) {
			return invalid(field, "the grant %q is there twice", g)
		}
	}
	return nil
}

// checkInput leaves the bytes to CheckSizes, which knows the limit on them.
func (r *Request) checkInput() *InvalidRequest {
	if len(r.Input) == 0 {
		return nil
	}
	err := Check(r.Input, Bounds{Bytes: int64(len(r.Input))})
	var bound *BoundError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &bound):
		return invalid("input", "%v", err)
	}
	return invalid("input", "not codec text: %v", err)
}

func (r *Request) checkOrigin() *InvalidRequest {
	for _, id := range []struct{ field, text string }{{"tenant", r.Tenant}, {"parent", r.Parent}} {
		if len(id.text) > MaxID {
			return invalid(id.field, "%d bytes, the limit is %d", len(id.text), MaxID)
		}
		if at := invisible(id.text); at >= 0 {
			return invalid(id.field, "byte 0x%02x at %d, where only visible ASCII may be", id.text[at], at)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(r.Trace)) {
		if key != "traceparent" && key != "tracestate" {
			return invalid(fmt.Sprintf("trace[%.40q]", key), `only "traceparent" and "tracestate" are known`)
		}
		if n := len(r.Trace[key]); n > MaxTrace || !utf8.ValidString(r.Trace[key]) {
			return invalid("trace."+key, "%d bytes of valid UTF-8 at most, it has %d", MaxTrace, n)
		}
	}
	return nil
}

// CheckSizes reports the first part of the request that passes its limit, as a
// [SourceTooLarge] or an [ArgumentsTooLarge] of "input", or nil. The limits are
// resolved ones.
func (r *Request) CheckSizes(l Limits) Fault {
	if n := int64(len(r.Source)); n > l.Source {
		return &SourceTooLarge{Size: Size{Limit: l.Source, Actual: n}, File: "program"}
	}
	for _, specifier := range slices.Sorted(maps.Keys(r.Modules)) {
		if n := int64(len(r.Modules[specifier].Source)); n > l.Source {
			return &SourceTooLarge{Size: Size{Limit: l.Source, Actual: n}, File: specifier}
		}
	}
	for _, script := range r.Scripts {
		if n := int64(len(script.Source)); n > l.Source {
			return &SourceTooLarge{Size: Size{Limit: l.Source, Actual: n}, File: script.Name}
		}
	}
	if n := int64(len(r.Input)); n > l.Input {
		return &ArgumentsTooLarge{Size: Size{Limit: l.Input, Actual: n}, Of: "input"}
	}
	return nil
}
