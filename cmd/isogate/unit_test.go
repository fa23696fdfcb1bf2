package main

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/isogate/isogate/protocol"
)

func TestSize(t *testing.T) {
	for _, tc := range []struct {
		text string
		want int64 // 0: an error
	}{
		{"1048576", 1 << 20}, {"512k", 512 << 10}, {"64MiB", 64 << 20}, {"64mib", 64 << 20}, {"2G", 2 << 30},
		{"1kb", 1000}, {"3MB", 3e6}, {"1GB", 1e9}, {"7B", 7},
		{"", 0}, {"0", 0}, {"0k", 0}, {"-1", 0}, {"-1k", 0}, {"1.5M", 0}, {"64 MiB", 0}, {"MiB", 0}, {"1TiB", 0}, {"0x10", 0},
		{"9223372036854775807", 1<<63 - 1}, {"9223372036854775808", 0}, {"8589934592G", 0}, {"8589934591G", 8589934591 << 30},
	} {
		var s size
		err := s.Set(tc.text)
		if (err == nil) != (tc.want != 0) || int64(s) != tc.want {
			t.Errorf("%q: got %d, %v; want %d", tc.text, s, err, tc.want)
		}
	}
}

func TestSpan(t *testing.T) {
	for _, tc := range []struct {
		text string
		want time.Duration // 0: an error
	}{
		{"30s", 30 * time.Second}, {"1m30s", 90 * time.Second}, {"250ms", 250 * time.Millisecond},
		{"", 0}, {"0", 0}, {"0s", 0}, {"-1s", 0}, {"30", 0}, {"soon", 0},
	} {
		var s span
		err := s.Set(tc.text)
		if (err == nil) != (tc.want != 0) || time.Duration(s) != tc.want {
			t.Errorf("%q: got %v, %v; want %v", tc.text, time.Duration(s), err, tc.want)
		}
	}
}

func TestCommandLine(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []string // nil: an error
	}{
		{"/bin/sh", []string{"/bin/sh"}},
		{"/bin/sh -c true", []string{"/bin/sh", "-c", "/bin/sh -c true"}},
		{"echo '$HOME'|cat", []string{"/bin/sh", "-c", "echo '$HOME'|cat"}},
		{"a;b", []string{"/bin/sh", "-c", "a;b"}},
		{"no-such-command", nil},
		{"./no/such/file", nil},
		{"/", nil},
		{"", nil},
		{"  ", nil},
	} {
		got, err := commandLine(tc.text)
		if diff := cmp.Diff(tc.want, got); diff != "" || (err == nil) != (tc.want != nil) {
			t.Errorf("%q: %v (-want +got):\n%s", tc.text, err, diff)
		}
	}
}

func TestPosition(t *testing.T) {
	text := []byte("ab\ncdé\nf")
	for _, tc := range []struct {
		offset int
		want   string
	}{
		{0, "line 1, column 1"}, {1, "line 1, column 2"}, {3, "line 2, column 1"},
		{7, "line 2, column 4"}, {8, "line 3, column 1"}, {9, "line 3, column 2"},
		{100, "line 3, column 2"}, {-1, "line 1, column 1"},
	} {
		if got := position(text, tc.offset); got != tc.want {
			t.Errorf("offset %d: got %s, want %s", tc.offset, got, tc.want)
		}
	}
}

func TestReadValue(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		codec      bool
		want       string // "": an error
	}{
		{"plain text stays as it is", `{"b":1,"a":[1.50,"é"]}`, false, `{"b":1,"a":[1.50,"é"]}`},
		{"a key $ is data", `{"a":{"$":"undefined"}}`, false, `{"a":{"$":"object","v":{"$":"undefined"}}}`},
		{"a key $ is an escape", `{"a":{"$":"undefined"}}`, true, `{"a":{"$":"undefined"}}`},
		{"no escape of that kind", `{"$":"nothing"}`, true, ""},
		{"white space around", " \n{}\r\n", false, "{}"},
		{"space that is none of JSON's", "\u00a01", false, ""},
		{"two values", `1 2`, false, ""},
		{"cut short", `{"a":`, false, ""},
		{"empty", " \n", false, ""},
		{"not UTF-8", "\"\xff\"", false, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := readValue([]byte(tc.text), tc.codec)
			if string(got) != tc.want || (err == nil) != (tc.want != "") {
				t.Errorf("got %s, %v; want %s", got, err, tc.want)
			}
		})
	}
}

func TestPrinterKeepsProgramsFromSteeringTheTerminal(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"plain", "hello\tyou é", "log: hello\tyou é\n"},
		{"final newline", "hello\n", "log: hello\n"},
		{"a line like one of ours", "a\nisogate: done", "log: a\n  isogate: done\n"},
		{"escape sequence", "\x1b[2J\x07\r\x00", `log: \u001b[2J\u0007\u000d\u0000` + "\n"},
		{"C1 control", "\u009b2J", `log: \u009b2J` + "\n"},
		{"bidirectional override", "a\u202eb\u2066", `log: a\u202eb\u2066` + "\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out bytes.Buffer
			p := newPrinter(streams{err: &out, out: &out})
			p.log(protocol.LogEntry{Level: protocol.LevelLog, Text: tc.text})
			if diff := cmp.Diff(tc.want, out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEscapeJSONControls(t *testing.T) {
	const text = "{\"a\":\"é\u009b\u007f\"}"
	if got, want := escapeJSONControls(text), `{"a":"é\u009b\u007f"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestColourOnlyWhereItIsShown(t *testing.T) {
	var out bytes.Buffer
	p := newPrinter(streams{err: &out, out: &out})
	if p.colour || p.outTerminal {
		t.Error("a buffer is taken for a terminal")
	}
	p.colour = true
	p.log(protocol.LogEntry{Level: protocol.LevelError, Text: "a"})
	if got, want := out.String(), "\x1b[31merror:\x1b[0m a\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExitStatus(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{new(protocol.Thrown), 1},
		{new(protocol.Syntax), 1},
		{errors.New("unknown flag"), 2},
		{new(protocol.InvalidRequest), 2},
		{new(protocol.DeadlineExceeded), 3},
		{new(protocol.MemoryExceeded), 3},
		{new(protocol.WorkerCrashed), 4},
		{&setupError{errors.New("no child")}, 4},
		{&setupError{new(protocol.Unavailable)}, 4},
		{new(protocol.Cancelled), 130},
	} {
		if got := exitStatus(tc.err); got != tc.want {
			t.Errorf("%T: got %d, want %d", tc.err, got, tc.want)
		}
	}
}

func TestBoundedBuffer(t *testing.T) {
	filled := 0
	b := &boundedBuffer{limit: 5, full: func() { filled++ }}
	for _, part := range []string{"abc", "de"} {
		if n, err := b.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatalf("%q: %d, %v", part, n, err)
		}
	}
	if filled != 0 {
		t.Error("full before there was too much")
	}
	for range 2 {
		if n, err := b.Write([]byte("fgh")); n != 3 || err != nil {
			t.Fatalf("beyond the bound: %d, %v", n, err)
		}
	}
	// The way that os/exec fills it.
	if n, err := io.Copy(b, strings.NewReader("ijk")); n != 3 || err != nil {
		t.Fatalf("copied: %d, %v", n, err)
	}
	if b.kept.String() != "abcde" || filled != 1 {
		t.Errorf("kept %q, filled %d times", b.kept.String(), filled)
	}
}
