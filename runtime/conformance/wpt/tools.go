package wpt

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns what a test can ask of its host: files of the checkout.

// namespace is the name of the tools in the guest.
const namespace = "__conformance_files"

// origin is what the project's server is called.
const origin = "http://web-platform.test:8000"

// tools returns the tools of a test. Each takes a URL, relative to the test, and
// returns the file as text or as bytes, or null when there is none that can be
// read. A path never leads out of the checkout, by dots, links or otherwise
// ([os.Root]).
func (s *Suite) tools(test string) map[string]executor.Tool {
	read := func(args []any, found func(string) any) (any, error) {
		if len(args) != 1 {
			return nil, errors.New("one URL is asked for")
		}
		reference, ok := args[0].(string)
		if !ok {
			return nil, errors.New("the URL is no text")
		}
		name, ok := fileOf(test, reference)
		if !ok {
			return nil, nil
		}
		content, err := s.root.ReadFile(name)
		if err != nil {
			return nil, nil // not there, a folder, or not inside: the same to a test
		}
		return found(string(content)), nil
	}
	return map[string]executor.Tool{
		"text": func(_ context.Context, args []any) (any, error) {
			return read(args, func(content string) any { return strings.ToValidUTF8(content, "\ufffd") })
		},
		"bytes": func(_ context.Context, args []any) (any, error) {
			return read(args, func(content string) any {
				return protocol.Bytes{Type: "ArrayBuffer", Data: []byte(content)}
			})
		},
	}
}

// fileOf returns the path in the checkout that a URL means, and false for one
// that is of another origin or is none.
func fileOf(test, reference string) (string, bool) {
	if rest, found := strings.CutPrefix(reference, origin); found && strings.HasPrefix(rest, "/") {
		reference = rest
	}
	u, err := url.Parse(reference)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return "", false
	}
	return resolve(test, u.Path), true
}
