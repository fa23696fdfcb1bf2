package reports

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// This file owns a validator for the part of XML Schema that testdata/junit.xsd is
// written in: elements by reference, sequences, one choice, attributes, patterns and
// lengths. What it does not know it refuses, so that it never passes over a rule.
// TestValidatorAgreesWithLibxml compares it with libxml2.

// node is an element of a document.
type node struct {
	name       string
	attributes map[string]string
	children   []*node
	text       string
}

// parseXML reads a whole document and refuses what is not well formed.
func parseXML(text string) (*node, error) {
	decoder := xml.NewDecoder(strings.NewReader(text))
	root := &node{}
	stack := []*node{root}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		top := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			n := &node{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				if a.Name.Space == "xmlns" || a.Name.Local == "xmlns" {
					continue
				}
				if _, twice := n.attributes[a.Name.Local]; twice {
					return nil, fmt.Errorf("%s has the attribute %s twice", n.name, a.Name.Local)
				}
				n.attributes[a.Name.Local] = a.Value
			}
			top.children = append(top.children, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.text += string(token)
		}
	}
	if len(root.children) != 1 || strings.TrimSpace(root.text) != "" {
		return nil, errors.New("not one root element")
	}
	return root.children[0], nil
}

// schema is what was read of an XML Schema.
type schema struct {
	elements, complexTypes, simpleTypes map[string]*node
}

func readSchema(text string) (*schema, error) {
	root, err := parseXML(text)
	if err != nil {
		return nil, err
	}
	s := &schema{map[string]*node{}, map[string]*node{}, map[string]*node{}}
	for _, n := range root.children {
		into := map[string]map[string]*node{"element": s.elements, "complexType": s.complexTypes, "simpleType": s.simpleTypes}[n.name]
		if into == nil {
			return nil, fmt.Errorf("the schema has %s at its top, which this validator does not know", n.name)
		}
		into[n.attributes["name"]] = n
	}
	return s, nil
}

// validate checks a document whose root is the named element.
func (s *schema) validate(text, root string) error {
	document, err := parseXML(text)
	if err != nil {
		return err
	}
	if document.name != root {
		return fmt.Errorf("the root is %s, must be %s", document.name, root)
	}
	return s.element(document)
}

func (s *schema) element(n *node) error {
	declared := s.elements[n.name]
	if declared == nil {
		return fmt.Errorf("there is no element %s", n.name)
	}
	form := s.complexTypes[declared.attributes["type"]]
	if form == nil {
		for _, c := range declared.children {
			if c.name == "complexType" {
				form = c
			}
		}
	}
	if form == nil {
		if len(n.children) > 0 || len(n.attributes) > 0 {
			return fmt.Errorf("%s must hold text only", n.name)
		}
		return s.simple(declared.attributes["type"], n.text)
	}
	if form.attributes["mixed"] != "true" && strings.TrimSpace(n.text) != "" {
		return fmt.Errorf("%s must hold no text", n.name)
	}
	rest, permitted := n.children, map[string]bool{}
	for _, part := range form.children {
		switch part.name {
		case "sequence":
			for _, e := range part.children {
				var err error
				if rest, err = take(n.name, rest, e); err != nil {
					return err
				}
			}
		case "choice":
			if len(rest) > 0 {
				for _, e := range part.children {
					if e.attributes["ref"] == rest[0].name {
						rest = rest[1:]
						break
					}
				}
			} else if part.attributes["minOccurs"] != "0" {
				return fmt.Errorf("%s must hold one of a choice", n.name)
			}
		case "attribute":
			name := part.attributes["name"]
			permitted[name] = true
			value, there := n.attributes[name]
			if !there {
				if part.attributes["use"] == "required" {
					return fmt.Errorf("%s lacks the attribute %s", n.name, name)
				}
				continue
			}
			if err := s.simple(part.attributes["type"], value); err != nil {
				return fmt.Errorf("%s/@%s: %w", n.name, name, err)
			}
		default:
			return fmt.Errorf("the schema has %s in a type, which this validator does not know", part.name)
		}
	}
	if len(rest) > 0 {
		return fmt.Errorf("%s must not hold %s there", n.name, rest[0].name)
	}
	for name := range n.attributes {
		if !permitted[name] {
			return fmt.Errorf("%s must not have the attribute %s", n.name, name)
		}
	}
	for _, c := range n.children {
		if err := s.element(c); err != nil {
			return err
		}
	}
	return nil
}

// take takes the children that an element of a sequence stands for.
func take(parent string, children []*node, e *node) ([]*node, error) {
	least, most := 1, 1
	if e.attributes["minOccurs"] == "0" {
		least = 0
	}
	if e.attributes["maxOccurs"] == "unbounded" {
		most = int(^uint(0) >> 1)
	}
	n := 0
	for n < len(children) && n < most && children[n].name == e.attributes["ref"] {
		n++
	}
	if n < least {
		return nil, fmt.Errorf("%s lacks %s", parent, e.attributes["ref"])
	}
	return children[n:], nil
}

func (s *schema) simple(name, value string) error {
	if name == "xs:string" || name == "xs:token" {
		return nil
	}
	declared := s.simpleTypes[name]
	if declared == nil {
		return fmt.Errorf("the schema has the type %q, which this validator does not know", name)
	}
	restriction := declared.children[0]
	if restriction.attributes["base"] == "xs:token" {
		value = strings.Join(strings.Fields(value), " ")
	}
	for _, facet := range restriction.children {
		want := facet.attributes["value"]
		switch facet.name {
		case "pattern":
			if !regexp.MustCompile(`^(?:` + want + `)$`).MatchString(value) {
				return fmt.Errorf("%q does not match %s", value, want)
			}
		case "minLength":
			if least, err := strconv.Atoi(want); err != nil || len(value) < least {
				return fmt.Errorf("%q is shorter than %s", value, want)
			}
		default:
			return fmt.Errorf("the schema has %s, which this validator does not know", facet.name)
		}
	}
	return nil
}

// junitSchema reads the schema of the tests.
func junitSchema(t testing.TB) *schema {
	t.Helper()
	text, err := os.ReadFile("testdata/junit.xsd")
	if err != nil {
		t.Fatal(err)
	}
	s, err := readSchema(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
