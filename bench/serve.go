package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// This file owns the sampler's side of its line protocol: requests are read, and
// each is answered on one line.
//
//	{"take":"WarmRun","iterations":40}  → {"values":[1234567,1500000,1700000]}
//	{"list":true}                       → {"benchmarks":[{"name":"WarmRun","units":["ns/op",…]},…]}
//	anything that cannot be done        → {"error":"…"}, or {"unsupported":"…"} where
//	                                      this machine lacks what the figure needs

const (
	// maxLine bounds a line of the protocol in bytes, either way.
	maxLine = 1 << 20
	// maxIterations bounds the operations of one sample.
	maxIterations = 1_000_000
)

// request is one line to a sampler.
type request struct {
	Take       string `json:"take,omitempty"`
	Iterations int    `json:"iterations,omitempty"`
	List       bool   `json:"list,omitempty"`
}

// Listed is a benchmark as a sampler lists it.
type Listed struct {
	Name string `json:"name"`
	// Units are the units of the values of a sample, in their order.
	Units []string `json:"units"`
}

// answer is one line from a sampler.
type answer struct {
	Values      []float64 `json:"values,omitempty"`
	Benchmarks  []Listed  `json:"benchmarks,omitempty"`
	Error       string    `json:"error,omitempty"`
	Unsupported string    `json:"unsupported,omitempty"`
}

// parseRequest reads one line. The error says what is wrong with it.
func parseRequest(line []byte) (request, error) {
	var r request
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return request{}, fmt.Errorf("request: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return request{}, errors.New("request: there is more on the line than one object")
	}
	switch {
	case r.List && (r.Take != "" || r.Iterations != 0):
		return request{}, errors.New("request: list goes with nothing else")
	case r.List:
		return r, nil
	case r.Take == "":
		return request{}, errors.New("request: it says neither take nor list")
	case r.Iterations < 1 || r.Iterations > maxIterations:
		return request{}, fmt.Errorf("request: iterations is %d, must be 1 to %d", r.Iterations, maxIterations)
	}
	return r, nil
}

// Serve answers requests, one after the other, until r ends or ctx is done. A
// request that cannot be answered is answered with an error; only a line that is
// too long, and a stream that fails, end it with one.
//
// Each sample is taken in a session of its own, with new children and a warm-up, so
// that nothing is left of the one before but this process. The process must be one
// that answers on its standard streams when it is started again with the same
// arguments: that is how figures are taken from outside.
func Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	surroundings := surroundings{self: append([]string{selfPath()}, os.Args[1:]...)}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	out := json.NewEncoder(w)
	for ctx.Err() == nil && lines.Scan() {
		if err := out.Encode(respond(ctx, surroundings, lines.Bytes())); err != nil {
			return fmt.Errorf("sampler: answer: %w", err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("sampler: request: %w", err)
	}
	return context.Cause(ctx)
}

// respond answers one line.
func respond(ctx context.Context, s surroundings, line []byte) answer {
	r, err := parseRequest(line)
	if err != nil {
		return answer{Error: err.Error()}
	}
	if r.List {
		return answer{Benchmarks: list()}
	}
	b := find(r.Take)
	if b == nil {
		b = findInner(r.Take)
	}
	if b == nil {
		return answer{Error: fmt.Sprintf("there is no benchmark %.100q", r.Take)}
	}
	values, err := b.take(ctx, s, r.Iterations)
	var lacks *Unsupported
	switch {
	case errors.As(err, &lacks):
		return answer{Unsupported: lacks.Reason}
	case err != nil:
		return answer{Error: err.Error()}
	}
	return answer{Values: values}
}

// list returns every benchmark with its units.
func list() []Listed {
	out := make([]Listed, len(Benchmarks))
	for i, b := range Benchmarks {
		out[i] = Listed{Name: b.Name, Units: b.Units}
	}
	return out
}

// take takes one sample in a new session.
func (b *Benchmark) take(ctx context.Context, s surroundings, n int) (values []float64, err error) {
	if n < b.least {
		return nil, fmt.Errorf("%d operations are too few for a sample, it must be %d", n, b.least)
	}
	session, err := b.open(ctx, s)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, session.close()) }()
	values, err = session.sample(ctx, n)
	if err != nil {
		return nil, err
	}
	return values, b.check(values)
}
