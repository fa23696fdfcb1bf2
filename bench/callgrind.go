package bench

import (
	"bufio"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// This file owns counting instructions with callgrind, a tool of valgrind(1). It
// counts what one thread executes within the engine: from the entry into the shim
// over V8 to the return from it. Go's scheduler and collector, whose work depends
// on time, are outside; so are V8's own threads.

var instructions = &Benchmark{Name: "Instructions", Units: []string{"instructions/run", "instructions/call"}, open: openCallgrind}

func openCallgrind(_ context.Context, s surroundings) (session, error) {
	if len(s.self) == 0 {
		return nil, &Unsupported{"only a sampler can be watched by another"}
	}
	path, err := exec.LookPath("valgrind")
	if err != nil {
		return nil, &Unsupported{"there is no valgrind on this machine"}
	}
	env, err := exec.LookPath("env")
	if err != nil {
		return nil, &Unsupported{"there is no env on this machine"}
	}
	if err := knowsSymbol(s.self[0], beginSymbol); err != nil {
		return nil, &Unsupported{fmt.Sprintf("the engine's functions cannot be told apart in this binary: %v", err)}
	}
	dir, err := os.MkdirTemp("", "isogate-callgrind-")
	if err != nil {
		return nil, err
	}
	return &callgrind{env: env, path: path, dir: dir, self: s.self}, nil
}

// callgrind is a session that starts a sampler under valgrind for each of its
// samples.
type callgrind struct {
	env, path, dir string
	self           []string
}

func (c *callgrind) close() error { return os.RemoveAll(c.dir) }

// goUnderValgrind are settings of Go's runtime. Without the first callgrind loses
// count: no signals between threads, in whose handlers others arrive; and no
// instruction that the emulated processor has and the emulator may not know. The
// second leaves fewer threads to take turns: valgrind runs one at a time.
var goUnderValgrind = []string{"GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off", "GOMAXPROCS=1"}

// beginSymbol is the function of the shim with which each execution begins.
const beginSymbol = "isogate_begin"

// knowsSymbol returns an error unless a binary has a symbol table with that name.
func knowsSymbol(binary, name string) error {
	f, err := elf.Open(binary)
	if err != nil {
		return err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil { // there is no table
		return err
	}
	if !slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == name }) {
		return fmt.Errorf("there is no symbol %s", name)
	}
	return nil
}

// settling are executions that come before those that count: the first ones of a
// process do things for the first time.
const settling = 3

func (c *callgrind) sample(ctx context.Context, n int) ([]float64, error) {
	file := filepath.Join(c.dir, "profile")
	// At the beginning of each execution the counts are written, and begin anew.
	args := append(slices.Clone(goUnderValgrind), c.path, "-q", "--fair-sched=try", "--tool=callgrind",
		"--callgrind-out-file="+file, "--toggle-collect=isogate_*", "--dump-before="+beginSymbol)
	if err := watch(ctx, c.env, append(args, c.self...), inProcess.Name, n); err != nil {
		return nil, err
	}
	counts, err := readCounts(file)
	if err != nil {
		return nil, err
	}
	return divideCounts(counts, n)
}

// divideCounts makes the figures of the counts of n times the executions of
// inProcess, after those that settle.
func divideCounts(counts []float64, n int) ([]float64, error) {
	// The first count is of what comes before the first execution.
	if want := 1 + settling + kindsOfExecution*n; len(counts) != want {
		return nil, fmt.Errorf("the profile has %d parts, must have %d", len(counts), want)
	}
	counts = counts[1+settling:]
	var runs, calls []float64
	for i := range n {
		part := counts[kindsOfExecution*i:]
		runs = append(runs, part[0])
		calls = append(calls, (part[2]-part[1])/moreCalls)
	}
	return []float64{median(runs), median(calls)}, nil
}

// readCounts returns the number of instructions in each part of a profile: file.1,
// file.2 and so on, and in file itself what came last.
func readCounts(file string) ([]float64, error) {
	var counts []float64
	for i := 1; ; i++ {
		count, err := readCount(file + "." + strconv.Itoa(i))
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return nil, err
		}
		counts = append(counts, count)
	}
	last, err := readCount(file)
	if err != nil {
		return nil, err
	}
	return append(counts, last), nil
}

// readCount reads the number from the line "totals: 123" of one part.
func readCount(file string) (float64, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "totals:"); ok {
			n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 63)
			if err != nil {
				return 0, fmt.Errorf("profile: totals: %w", err)
			}
			return float64(n), nil
		}
	}
	if err := lines.Err(); err != nil {
		return 0, fmt.Errorf("profile: %w", err)
	}
	return 0, fmt.Errorf("profile: %s has no totals", filepath.Base(file))
}
