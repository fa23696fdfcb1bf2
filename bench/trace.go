package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/isogate/isogate/protocol"
)

// This file owns figures that are counted from outside, from the system calls that
// strace(1) sees.

var (
	systemCalls = &Benchmark{Name: "SystemCalls", Units: []string{"syscalls/run", "syscalls/call"}, least: 2, open: traced(nil, countSystemCalls)}
	frames      = &Benchmark{Name: "Frames", Units: []string{"frames/call", "B/call"}, least: 2, open: traced([]string{"-e", "trace=write,access,faccessat"}, countFrames)}
)

// traced returns what opens a watch over another sampler's system calls. count makes
// the figures of them.
func traced(options []string, count func(runs, calls [][]systemCall) ([]float64, error)) func(context.Context, surroundings) (session, error) {
	return func(_ context.Context, s surroundings) (session, error) {
		if len(s.self) == 0 {
			return nil, &Unsupported{"only a sampler can be watched by another"}
		}
		path, err := exec.LookPath("strace")
		if err != nil {
			return nil, &Unsupported{"there is no strace on this machine"}
		}
		dir, err := os.MkdirTemp("", "isogate-trace-")
		if err != nil {
			return nil, err
		}
		return &trace{path: path, dir: dir, options: options, self: s.self, count: count}, nil
	}
}

// trace is a session that starts a sampler under strace for each of its samples.
type trace struct {
	path, dir     string
	options, self []string
	count         func(runs, calls [][]systemCall) ([]float64, error)
}

func (t *trace) close() error { return os.RemoveAll(t.dir) }

func (t *trace) sample(ctx context.Context, n int) (values []float64, err error) {
	file := filepath.Join(t.dir, "trace")
	// -f: children and threads too; -y: what descriptors are of; -xx: nothing in a
	// text can be taken for something else.
	args := append([]string{"-f", "-y", "-xx", "-s", strconv.Itoa(longestText), "-o", file}, t.options...)
	if err := watch(ctx, t.path, append(append(args, "--"), t.self...), watched.Name, n); err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	calls, err := readTrace(f)
	if err != nil {
		return nil, err
	}
	runs, tools := divide(calls)
	if len(runs) != n || len(tools) != n {
		return nil, fmt.Errorf("the trace shows %d executions and %d tool calls, must be %d", len(runs), len(tools), n)
	}
	// At the first execution the child is still busy with the warm-up, and what
	// follows the last call is the end of its program.
	return t.count(runs[1:], tools[:n-1])
}

// watch has a sampler that is started by another program take one sample. Where that
// cannot even start it, this is not supported here; that it fails later is an error.
func watch(ctx context.Context, path string, args []string, benchmark string, n int) (err error) {
	s, err := StartSampler(ctx, path, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := s.List(ctx); err != nil {
		return &Unsupported{fmt.Sprintf("%s does not run here: %v", filepath.Base(path), err)}
	}
	_, err = s.Take(ctx, benchmark, n)
	return err
}

// systemCall is one call that has ended.
type systemCall struct {
	name string
	// first is the first argument, text the first text among the arguments.
	first, text string
	// result is what it returned, with the error's name.
	result string
}

// longestText bounds the texts of a trace in bytes. A frame of a tool call is much
// shorter.
const longestText = 1 << 16

// The forms of a line: a call, with or without its end; the end of one that was cut;
// what is no call: a signal, the end of a process, or a thread that died so early in a
// call that strace writes ??? for its name.
var (
	wholeLine   = regexp.MustCompile(`^(\d+) +(\w+)\((.*)\) += +(.*)$`)
	begunLine   = regexp.MustCompile(`^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$`)
	resumedLine = regexp.MustCompile(`^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += +(.*)$`)
	otherLine   = regexp.MustCompile(`^(\d+) +(\+\+\+|---|<\.\.\. [\w?]+ resumed>|\?+\()`)
)

// readTrace reads what strace wrote. A call stands where it began. Calls that have
// not ended, as when their process did, have no result.
func readTrace(r io.Reader) ([]systemCall, error) {
	var calls []systemCall
	begun := map[string]int{} // thread → its call that has not ended
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 1<<16), 8*longestText)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if m := wholeLine.FindStringSubmatch(line); m != nil {
			calls = append(calls, newSystemCall(m[2], m[3], m[4]))
		} else if m := begunLine.FindStringSubmatch(line); m != nil {
			begun[m[1]] = len(calls)
			calls = append(calls, newSystemCall(m[2], m[3], ""))
		} else if m := resumedLine.FindStringSubmatch(line); m != nil {
			i, ok := begun[m[1]]
			if !ok || calls[i].name != m[2] {
				continue // it began before its thread was traced
			}
			delete(begun, m[1])
			calls[i].result = m[4]
		} else if !otherLine.MatchString(line) {
			return nil, fmt.Errorf("trace: line %d is none of strace's: %.100q", n, line)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return calls, nil
}

var (
	quoted = regexp.MustCompile(`"((?:\\x[0-9a-f]{2})*)"`)
	hexed  = regexp.MustCompile(`\\x[0-9a-f]{2}`)
)

func newSystemCall(name, args, result string) systemCall {
	c := systemCall{name: name, result: result}
	c.first, _, _ = strings.Cut(args, ",")
	c.first = unhex(c.first)
	if m := quoted.FindStringSubmatch(args); m != nil {
		c.text = unhex(m[1])
	}
	return c
}

// unhex decodes the bytes that strace wrote as \x41.
func unhex(text string) string {
	return hexed.ReplaceAllStringFunc(text, func(b string) string {
		n, _ := strconv.ParseUint(b[2:], 16, 8) // the expression allows nothing else
		return string([]byte{byte(n)})
	})
}

// divide divides the calls at their marks into those of each execution and those of
// each tool call. The marks themselves are in none.
func divide(calls []systemCall) (runs, tools [][]systemCall) {
	var part *[][]systemCall
	for _, c := range calls {
		switch name, marked := strings.CutPrefix(c.text, markPrefix); {
		case !marked:
			if part != nil {
				last := len(*part) - 1
				(*part)[last] = append((*part)[last], c)
			}
			continue
		case markPrefix+name == markRun:
			part = &runs
		case markPrefix+name == markCall:
			part = &tools
		default:
			part = nil
			continue
		}
		*part = append(*part, nil)
	}
	return runs, tools
}

// scheduling are the system calls by which Go's scheduler and the C library's locks
// wait and wake. Their number depends on which thread is how fast, and is no
// property of the work.
var scheduling = []string{
	"futex", "epoll_wait", "epoll_pwait", "nanosleep", "clock_nanosleep", "sched_yield", "getpid", "tgkill",
	"rt_sigreturn", "restart_syscall", "rt_sigprocmask", "sigaltstack", "gettid",
}

// works reports whether a call is made by the work itself.
func (c systemCall) works() bool {
	switch {
	case slices.Contains(scheduling, c.name):
		return false
	case strings.Contains(c.first, "[eventfd]"): // the scheduler wakes one that polls
		return false
	case strings.Contains(c.result, "EAGAIN"): // there was nothing to read yet
		return false
	}
	return true
}

// countSystemCalls returns the median number of system calls of an execution and of
// a tool call, on both sides of the channel, apart from those that only wait.
func countSystemCalls(runs, calls [][]systemCall) ([]float64, error) {
	count := func(parts [][]systemCall) float64 {
		numbers := make([]float64, len(parts))
		for i, part := range parts {
			for _, c := range part {
				if c.works() {
					numbers[i]++
				}
			}
		}
		return median(numbers)
	}
	return []float64{count(runs), count(calls)}, nil
}

// countFrames returns the median number of frames of a tool call and of their bytes,
// in both directions, with their lengths.
func countFrames(_, calls [][]systemCall) ([]float64, error) {
	number, size := make([]float64, len(calls)), make([]float64, len(calls))
	for i, part := range calls {
		for channel, text := range written(part) {
			reader := protocol.NewFrameReader(strings.NewReader(text), longestText)
			for {
				_, err := reader.Read()
				if err == io.EOF {
					break
				}
				if err != nil {
					return nil, fmt.Errorf("tool call %d: what was written to %s are no frames: %w", i+1, channel, err)
				}
				number[i]++
			}
			size[i] += float64(len(text))
		}
	}
	return []float64{median(number), median(size)}, nil
}

// written returns what was written to each socket.
func written(calls []systemCall) map[string]string {
	out := map[string]string{}
	for _, c := range calls {
		n, err := strconv.Atoi(c.result)
		if c.name != "write" || !strings.Contains(c.first, "<socket:") || err != nil {
			continue
		}
		out[c.first] += c.text[:min(n, len(c.text))]
	}
	return out
}
