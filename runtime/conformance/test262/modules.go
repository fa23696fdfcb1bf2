package test262

import (
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/isogate/isogate/protocol"
)

// This file owns the modules of a test's request: the test itself and the files
// that it, or one of those, may import.

// reference finds what may be the specifier of a module: a text that begins with
// a dot and a slash.
var reference = regexp.MustCompile("['\"`](\\./[^'\"`\\n\\\\]{1,200})['\"`]")

// modules returns the virtual modules of a test's request, nil when it imports
// nothing. The sandbox compares specifiers byte for byte, and all of a test's are
// relative to its folder.
func (s *Suite) modules(name, text string, isModule bool) map[string]protocol.Module {
	if !isModule && !strings.Contains(text, "import") {
		return nil
	}
	out := map[string]protocol.Module{}
	if isModule {
		out[specifier(name)] = protocol.Module{Source: text}
	}
	pending := []string{text}
	for len(pending) > 0 {
		text := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, match := range reference.FindAllStringSubmatch(text, -1) {
			specifier := match[1]
			if _, known := out[specifier]; known {
				continue
			}
			content, err := s.root.ReadFile(path.Join(folder, path.Dir(name), specifier))
			if err != nil || !utf8.Valid(content) {
				continue // that it is missing is what some tests are about
			}
			module := protocol.Module{Source: string(content)}
			if path.Ext(specifier) == ".json" {
				module.Language = protocol.JSON
			}
			out[specifier] = module
			pending = append(pending, string(content))
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
