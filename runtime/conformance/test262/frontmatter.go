package test262

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// This file owns the front matter of a test: what its file says of it, in YAML
// between /*--- and ---*/. See INTERPRETING.md of the suite.

// Phase is the part of running a program in which an error is expected.
type Phase string

// The phases.
const (
	PhaseParse      Phase = "parse"
	PhaseResolution Phase = "resolution"
	PhaseRuntime    Phase = "runtime"
)

// Negative is the error that a test has to end in.
type Negative struct {
	Phase Phase  `yaml:"phase"`
	Type  string `yaml:"type"`
}

// FrontMatter is what a test says of itself.
type FrontMatter struct {
	Negative *Negative
	// Includes are files of the harness that are evaluated before the test.
	Includes []string
	Features []string

	OnlyStrict, NoStrict, Module, Raw, Async bool
}

// The ends of the front matter.
const (
	opening = "/*---"
	closing = "---*/"
)

// yamlLine finds how package yaml says where a text is wrong.
var yamlLine = regexp.MustCompile(`line (\d+): `)

// ParseFrontMatter reads the front matter of a test; a text without any has an
// empty one. The error names the file and the line.
func ParseFrontMatter(name, text string) (FrontMatter, error) {
	var m FrontMatter
	begin := strings.Index(text, opening)
	if begin < 0 {
		return m, nil
	}
	line := 1 + strings.Count(text[:begin], "\n")
	body, _, found := strings.Cut(text[begin+len(opening):], closing)
	if !found {
		return m, fmt.Errorf("%s:%d: the front matter does not end in %s", name, line, closing)
	}
	var fields struct {
		Negative *Negative
		Includes []string
		Features []string
		Flags    []string
	}
	if err := yaml.Unmarshal([]byte(body), &fields); err != nil {
		return m, atLine(name, line, err)
	}
	m = FrontMatter{Negative: fields.Negative, Includes: fields.Includes, Features: fields.Features}
	if err := m.check(fields.Flags); err != nil {
		return m, fmt.Errorf("%s:%d: %w", name, line, err)
	}
	return m, nil
}

// atLine puts the lines of an error of package yaml, which count from that of
// the opening, into the file's. For some errors the package names the line
// before.
func atLine(name string, opening int, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	var types *yaml.TypeError
	if errors.As(err, &types) && len(types.Errors) > 0 {
		text = types.Errors[0]
	}
	line := opening
	if match := yamlLine.FindStringSubmatch(text); match != nil {
		n, _ := strconv.Atoi(match[1])
		line += n - 1
		text = strings.Replace(text, match[0], "", 1)
	}
	return fmt.Errorf("%s:%d: the front matter: %s", name, line, text)
}

func (m *FrontMatter) check(flags []string) error {
	for _, flag := range flags {
		switch flag {
		case "onlyStrict":
			m.OnlyStrict = true
		case "noStrict":
			m.NoStrict = true
		case "module":
			m.Module = true
		case "raw":
			m.Raw = true
		case "async":
			m.Async = true
		case "generated", "CanBlockIsFalse", "CanBlockIsTrue", "non-deterministic":
			// Not about how a test is run here.
		default:
			return fmt.Errorf("there is no flag %q", flag)
		}
	}
	if m.OnlyStrict && m.NoStrict {
		return errors.New("the flags onlyStrict and noStrict exclude each other")
	}
	if n := m.Negative; n != nil {
		if !slices.Contains([]Phase{PhaseParse, PhaseResolution, PhaseRuntime}, n.Phase) {
			return fmt.Errorf("negative: there is no phase %q", n.Phase)
		}
		if n.Type == "" {
			return errors.New("negative: the type is missing")
		}
	}
	return nil
}

// mode is a way in which a test is run.
type mode string

const (
	sloppy  mode = "sloppy"
	strict  mode = "strict"
	modular mode = "module"
	asIs    mode = "raw"
)

// modes returns the ways in which the test has to be run, each of which it has
// to pass.
func (m *FrontMatter) modes() []mode {
	switch {
	case m.Module:
		return []mode{modular}
	case m.Raw:
		return []mode{asIs}
	case m.OnlyStrict:
		return []mode{strict}
	case m.NoStrict:
		return []mode{sloppy}
	}
	return []mode{sloppy, strict}
}
