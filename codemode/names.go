package codemode

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/isogate/isogate/protocol"
)

// This file owns names: of providers, connectors and tools, and what is wrong with them.

// identifier is what the dialect takes for the name of a namespace.
var identifier = regexp.MustCompile(`^[a-zA-Z_$][a-zA-Z0-9_$]*$`)

// reservedNames are the names that a namespace may not have: those that the dialect
// reserves, and the globals that no declaration can shadow.
var reservedNames = words(`
	__dispatchers __connectors __logs __CODEMODE_BINARY_TAG __bytesToBase64 __base64ToBytes __encodeCodemodeValue
	__decodeCodemodeValue __stringifyForCodemode __parseForCodemode WorkerEntrypoint CodeExecutor Promise setTimeout
	Error console
	undefined NaN Infinity`)

// reservedWords cannot be declared in a strict program (ECMA-262, 12.7.2).
var reservedWords = words(`
	arguments await break case catch class const continue debugger default delete do else enum eval export extends
	false finally for function if implements import in instanceof interface let new null package private protected
	public return static super switch this throw true try typeof var void while with yield`)

// toolWords get an underscore behind them as names of tools.
var toolWords = words(`
	abstract arguments await boolean break byte case catch char class const continue debugger default delete do double
	else enum eval export extends false final finally float for function goto if implements import in instanceof int
	interface let long native new null package private protected public return short static super switch synchronized
	this throw throws transient true try typeof undefined var void volatile while with yield`)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

var (
	toUnderscore = regexp.MustCompile(`[-.\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`)
	notInName    = regexp.MustCompile(`[^a-zA-Z0-9_$]`)
)

// SanitizeToolName returns the name that a program calls a tool by: hyphens, dots and white
// space become underscores, other characters outside [A-Za-z0-9_$] are dropped, a leading
// digit gets an underscore in front and a reserved word one behind. It is never empty.
func SanitizeToolName(name string) string {
	name = notInName.ReplaceAllString(toUnderscore.ReplaceAllString(name, "_"), "")
	switch {
	case name == "":
		return "_"
	case '0' <= name[0] && name[0] <= '9':
		return "_" + name
	case toolWords[name]:
		return name + "_"
	}
	return name
}

// namespaces is what a run calls its providers and connectors.
type namespaces struct {
	// prefix begins the native namespaces, which are globals that no namespace shadows.
	prefix string
	// tools are the functions of each provider, by sanitised name.
	tools []map[string]Function
}

// nameAll checks the names of a request, in the order that the dialect has. The text is
// the result's error, empty when nothing is wrong.
func nameAll(r *Request) (*namespaces, string) {
	seen := map[string]bool{}
	for _, p := range r.Providers {
		if text := checkName("Provider", p.Name); text != "" {
			return nil, text
		}
		if seen[p.Name] {
			return nil, fmt.Sprintf(`Duplicate provider name "%s"`, p.Name)
		}
		seen[p.Name] = true
	}
	for _, c := range r.Connectors {
		if text := checkName("Connector", c.Name); text != "" {
			return nil, text
		}
		if seen[c.Name] {
			return nil, fmt.Sprintf(`Duplicate name "%s" (connector clashes with provider)`, c.Name)
		}
		seen[c.Name] = true
	}
	n := &namespaces{prefix: "__tools_"}
	for slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(name string) bool { return strings.HasPrefix(name, n.prefix) }) {
		n.prefix += "_"
	}
	for _, p := range r.Providers {
		tools, text := sanitize(p)
		if text != "" {
			return nil, text
		}
		n.tools = append(n.tools, tools)
	}
	return n, ""
}

func checkName(what, name string) string {
	if reservedNames[name] {
		return fmt.Sprintf(`%s name "%s" is reserved`, what, name)
	}
	if !identifier.MatchString(name) || reservedWords[name] {
		return fmt.Sprintf(`%s name "%s" is not a valid JavaScript identifier`, what, name)
	}
	return ""
}

func sanitize(p Provider) (map[string]Function, string) {
	tools, sent := map[string]Function{}, map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(p.Functions)) {
		is := SanitizeToolName(name)
		if other, clash := sent[is]; clash {
			return nil, fmt.Sprintf(`Tool names "%s" and "%s" both sanitize to "%s" in provider "%s"`, other, name, is, p.Name)
		}
		sent[is], tools[is] = name, p.Functions[name]
	}
	return tools, ""
}

// public turns the native name of a tool into the one that the program knows.
func (n *namespaces) public(name string) string {
	is, ours := strings.CutPrefix(name, n.prefix)
	if !ours {
		return name
	}
	return strings.Replace(is, ".$", ".", 1)
}

// scripts are the scripts before the program: the guest's side, one line for each
// namespace, and the preludes. Nothing is put into them but names that were checked.
func (n *namespaces) scripts(r *Request) []protocol.Script {
	var b strings.Builder
	for _, p := range r.Providers {
		fmt.Fprintf(&b, "const %s = this.__codemode.provider(\"%s%s\");\n", p.Name, n.prefix, p.Name)
	}
	for _, c := range r.Connectors {
		fmt.Fprintf(&b, "const %s = this.__codemode.connector(\"%s%s\");\n", c.Name, n.prefix, c.Name)
	}
	b.WriteString("delete this.__codemode;\n")
	out := []protocol.Script{{Name: guestScript, Source: guest}, {Name: namesScript, Source: b.String()}}
	for i, p := range r.Providers {
		if p.Prelude != "" {
			out = append(out, protocol.Script{Name: fmt.Sprintf("codemode:prelude:%d", i), Source: p.Prelude})
		}
	}
	return out
}
