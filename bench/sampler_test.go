package bench

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/isogate/isogate/bench/procfs"
)

// This file tests samplers: real processes, those that misbehave too.

// startSampler starts the test binary as a sampler.
func startSampler(t *testing.T, mode string) *Sampler {
	t.Helper()
	t.Setenv(samplerMode, mode)
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := StartSampler(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// demandGone fails when the sampler's process is left, be it as a zombie.
func demandGone(t *testing.T, s *Sampler) {
	t.Helper()
	if _, err := procfs.Read(s.command.Process.Pid); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, procfs.ErrUnsupported) {
		t.Errorf("the process %d is left: %v", s.command.Process.Pid, err)
	}
}

func TestSampler(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := startSampler(t, "good")
	listed, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(list(), listed); diff != "" {
		t.Error(diff)
	}
	for range 2 { // the process stays
		values, err := s.Take(t.Context(), "ToolCall", 3)
		if err != nil || len(values) != len(toolCall.Units) {
			t.Errorf("%v, %v", values, err)
		}
	}
	for name, want := range map[string]string{"HotRun": `there is no benchmark "HotRun"`, "": "neither take nor list"} {
		if _, err := s.Take(t.Context(), name, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := s.Take(t.Context(), "WarmRun", 0); err == nil || !strings.Contains(err.Error(), "iterations is 0") {
		t.Errorf("no iterations: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	demandGone(t, s)
	if _, err := s.Take(t.Context(), "WarmRun", 1); err == nil || !strings.Contains(err.Error(), "it was closed") {
		t.Errorf("after the end: %v", err)
	}
}

func TestSamplerThatMisbehaves(t *testing.T) {
	defer goleak.VerifyNone(t)
	tests := []struct {
		mode  string
		bound time.Duration
		want  []string
	}{
		{"dies", time.Minute, []string{"it ended without an answer (exit status 3)", "out of ideas"}},
		{"dies at once", time.Minute, []string{"ended", "exit status 3"}},
		{"silent", 50 * time.Millisecond, []string{"it gave no answer within 50ms and was killed"}},
		{"garbage", time.Minute, []string{`its answer is not one: "BenchmarkWarmRun 1 2 ns/op"`}},
		{"empty", time.Minute, []string{"gave no value"}},
		{"long", time.Minute, []string{"its answer cannot be read", "token too long"}},
	}
	for _, tc := range tests {
		t.Run(tc.mode, func(t *testing.T) {
			s := startSampler(t, tc.mode)
			s.bound = tc.bound
			_, err := s.Take(t.Context(), "WarmRun", 1)
			if err == nil {
				t.Fatal("it gave a sample")
			}
			for _, part := range append(tc.want, "WarmRun: ") {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the error %q must contain %q", err, part)
				}
			}
			if _, again := s.Take(t.Context(), "WarmRun", 1); again == nil {
				t.Error("it gave a sample afterwards")
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			demandGone(t, s)
		})
	}
}

func TestSamplerIsCancelled(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := startSampler(t, "silent")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Take(ctx, "WarmRun", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	demandGone(t, s)
}

func TestSamplerThatDoesNotExist(t *testing.T) {
	if _, err := StartSampler(t.Context(), t.TempDir()+"/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestServe(t *testing.T) {
	long := strings.Repeat("x", maxLine+1)
	tests := []struct{ name, in, out, fails string }{
		{"nothing", "", "", ""},
		{"garbage, and then a request", "garbage\n{\"list\":true}\n", "{\"error\":\"request: invalid character 'g' looking for beginning of value\"}\n{\"benchmarks\":[", ""},
		{"an empty line", "\n", `{"error":"request: EOF"}`, ""},
		{"another type", `{"take":1}`, `{"error":"request: json: cannot unmarshal number`, ""},
		{"an unknown field", `{"takes":"WarmRun"}`, `unknown field \"takes\"`, ""},
		{"two objects", `{"list":true}{"list":true}`, "more on the line than one object", ""},
		{"a bracket too many", `{"list":true}}`, "more on the line than one object", ""},
		{"both", `{"list":true,"take":"WarmRun"}`, "list goes with nothing else", ""},
		{"too many iterations", `{"take":"WarmRun","iterations":1000001}`, "iterations is 1000001, must be 1 to 1000000", ""},
		{"a line too long", long, "", "sampler: request: bufio.Scanner: token too long"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var out bytes.Buffer
			err := Serve(t.Context(), strings.NewReader(tc.in), &out)
			if (tc.fails == "") != (err == nil) || err != nil && err.Error() != tc.fails {
				t.Errorf("error %v, must be %q", err, tc.fails)
			}
			if !strings.Contains(out.String(), tc.out) || tc.out == "" && out.Len() > 0 {
				t.Errorf("answered %q, must contain %q", out.String(), tc.out)
			}
		})
	}
}

func FuzzRequest(f *testing.F) {
	for _, seed := range []string{`{"take":"WarmRun","iterations":40}`, `{"list":true}`, `{`, `{"take":"","iterations":-1}`, `null`, `[]`, `{"list":true} x`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := parseRequest(line)
		if err == nil && r.List == (r.Take != "") {
			t.Errorf("%q is taken for %+v", line, r)
		}
		if err == nil && !r.List && (r.Iterations < 1 || r.Iterations > maxIterations) {
			t.Errorf("%q: %d iterations", line, r.Iterations)
		}
	})
}
