package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// This file tests reading what strace and callgrind write.

// inHex writes a text as strace does.
func inHex(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(`\x` + strconv.FormatInt(int64(text[i])>>4, 16) + strconv.FormatInt(int64(text[i])&15, 16))
	}
	return b.String()
}

// traceText is a trace of two executions, one of which overlaps with another thread,
// and of two tool calls.
func traceText() string {
	at := func(mark string) string {
		return `7 faccessat(AT_FDCWD<` + inHex("/tmp") + `>, "` + inHex(mark) + `", F_OK) = -1 ENOENT (No such file or directory)` + "\n"
	}
	write := func(thread, descriptor, text string) string {
		return thread + ` write(` + descriptor + `, "` + inHex(text) + `", ` + strconv.Itoa(len(text)) + `) = ` + strconv.Itoa(len(text)) + "\n"
	}
	const host, child = "12<socket:[1]>", "3<socket:[2]>"
	return `7 write(1, "` + inHex("before") + `", 6) = 6` + "\n" +
		at(markRun) + write("7", host, "\x00\x00\x00\x02{}") +
		`9 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, -1, 0 <unfinished ...>` + "\n" +
		"7 futex(0x1, FUTEX_WAIT, 0, NULL <unfinished ...>\n" +
		at(markRun) +
		"9 <... mmap resumed>) = 0x7f0000000000\n" +
		"7 <... futex resumed>) = 0\n" +
		`9 read(3<socket:[2]>, 0xc000, 4096) = -1 EAGAIN (Resource temporarily unavailable)` + "\n" +
		`9 read(3<socket:[2]>, "` + inHex("{}") + `", 4096) = 2` + "\n" +
		at(markEnd) + write("7", host, "\x00\x00\x00\x01x") +
		at(markCall) + write("7", host, "\x00\x00\x00\x03abc") + write("9", child, "\x00\x00\x00\x01d\x00\x00\x00\x01e") +
		write("9", "7<"+inHex("anon_inode:[eventfd]")+">", "12345678") +
		at(markCall) + write("7", host, "\x00\x00\x00\x03abc") +
		"5  ???( <unfinished ...>\n4 ????()              = ?\n" +
		"8 +++ exited with 0 +++\n7 --- SIGCHLD {si_signo=SIGCHLD} ---\n6 <... wait4 resumed> <unfinished ...>) = ?\n" +
		at(markEnd) + write("7", host, "\x00\x00\x00\x01z")
}

func TestTrace(t *testing.T) {
	calls, err := readTrace(strings.NewReader(traceText()))
	if err != nil {
		t.Fatal(err)
	}
	runs, tools := divide(calls)
	names := func(parts [][]systemCall) [][]string {
		out := make([][]string, len(parts))
		for i, part := range parts {
			for _, c := range part {
				out[i] = append(out[i], c.name+" "+strconv.FormatBool(c.works()))
			}
		}
		return out
	}
	want := [][]string{{"write true", "mmap true", "futex false"}, {"read false", "read true"}}
	if diff := cmp.Diff(want, names(runs)); diff != "" {
		t.Errorf("runs: %s", diff)
	}
	want = [][]string{{"write true", "write true", "write false"}, {"write true"}}
	if diff := cmp.Diff(want, names(tools)); diff != "" {
		t.Errorf("tool calls: %s", diff)
	}
	if runs[0][1].result != "0x7f0000000000" {
		t.Errorf("a call that was cut has the result %q", runs[0][1].result)
	}
	counts, err := countSystemCalls(runs, tools)
	if diff := cmp.Diff([]float64{1.5, 1.5}, counts); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	counts, err = countFrames(runs, tools[:1])
	if diff := cmp.Diff([]float64{3, 17}, counts); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

func TestTraceThatIsNone(t *testing.T) {
	if _, err := readTrace(strings.NewReader("7 close(1) = 0\nstrace: Process 8 attached\n")); err == nil || !strings.Contains(err.Error(), "line 2 is none of strace's") {
		t.Errorf("%v", err)
	}
	calls := [][]systemCall{{{name: "write", first: "3<socket:[1]>", text: "\x00\x00\x00\x09abc", result: "7"}}}
	if _, err := countFrames(nil, calls); err == nil || !strings.Contains(err.Error(), "tool call 1: what was written to 3<socket:[1]> are no frames") {
		t.Errorf("%v", err)
	}
}

func FuzzTrace(f *testing.F) {
	f.Add([]byte(traceText()))
	f.Add([]byte("7 write(3<socket:[1]>, \"\\x00\", 1) = 99\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		calls, err := readTrace(strings.NewReader(string(text)))
		if err != nil {
			return
		}
		runs, tools := divide(calls)
		n := 0
		for _, part := range append(runs, tools...) {
			n += len(part)
		}
		if n > len(calls) {
			t.Errorf("%d calls are made of %d", n, len(calls))
		}
		if figures, err := countFrames(runs, tools); err == nil && len(tools) > 0 && !(figures[1] >= figures[0]) {
			t.Errorf("frames and bytes are %v", figures)
		}
	})
}

func TestProfile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "profile")
	write := func(name, totals string) {
		if err := os.WriteFile(name, []byte("# callgrind format\nversion: 1\nevents: Ir\nfn=(1) f\n1 5\ntotals: "+totals+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// What comes before the first execution, those that settle, two operations.
	for i, n := range []string{"900", "70", "60", "50", "10", "105", "1105", "12", "107"} {
		write(file+"."+strconv.Itoa(i+1), n)
	}
	write(file, "1207")
	counts, err := readCounts(file)
	if err != nil {
		t.Fatal(err)
	}
	figures, err := divideCounts(counts, 2)
	if diff := cmp.Diff([]float64{11, 21}, figures); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if _, err := divideCounts(counts, 3); err == nil || !strings.Contains(err.Error(), "the profile has 10 parts, must have 13") {
		t.Errorf("%v", err)
	}
	write(file+".2", "many")
	if _, err := readCounts(file); err == nil || !strings.Contains(err.Error(), "profile: totals: ") {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(file+".2", []byte("events: Ir\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readCounts(file); err == nil || !strings.Contains(err.Error(), "profile.2 has no totals") {
		t.Errorf("%v", err)
	}
	if _, err := readCounts(filepath.Join(dir, "none")); err == nil {
		t.Error("no profile is read")
	}
}

// The instructions are counted of a binary with symbols, which a test binary lacks.
func TestInstructions(t *testing.T) {
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skipf("instructions are counted with valgrind: %v", err)
	}
	defer goleak.VerifyNone(t)
	binary := filepath.Join(t.TempDir(), "sampler")
	if out, err := exec.Command("go", "build", "-o", binary, "./sampler").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s, err := StartSampler(t.Context(), binary)
	if err != nil {
		t.Fatal(err)
	}
	values, err := s.Take(t.Context(), instructions.Name, 1)
	if err != nil {
		t.Fatal(err)
	}
	// An execution runs the guest library's start, a tool call a part of it.
	if len(values) != 2 || values[0] < 1e6 || values[0] > 1e8 || values[1] < 1e4 || values[1] > values[0] {
		t.Errorf("%v", values)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	demandGone(t, s)
}
