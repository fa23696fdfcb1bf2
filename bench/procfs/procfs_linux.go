package procfs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// This file owns reading /proc on Linux.

func path(pid int, name string) string { return filepath.Join("/proc", strconv.Itoa(pid), name) }

// Read returns the process with the given id. The error is fs.ErrNotExist when
// there is none.
func Read(pid int) (Process, error) {
	text, err := os.ReadFile(path(pid, "stat"))
	if err != nil {
		return Process{}, err
	}
	return parseStat(text)
}

// parseStat reads /proc/<pid>/stat. The name stands in parentheses and may hold
// any byte, so the fields behind it are counted from its last one.
func parseStat(text []byte) (Process, error) {
	open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 2 || end < open {
		return Process{}, fmt.Errorf("proc stat: no name in %q", text)
	}
	fields := strings.Fields(string(text[end+1:]))
	const startField = 19 // field 22 of the line, counted from the state
	if len(fields) <= startField || len(fields[0]) != 1 {
		return Process{}, fmt.Errorf("proc stat: %d fields behind the name", len(fields))
	}
	p := Process{State: fields[0][0], Name: string(text[open+1 : end])}
	var err error
	if p.PID, err = strconv.Atoi(strings.TrimSpace(string(text[:open]))); err != nil {
		return Process{}, fmt.Errorf("proc stat: pid: %w", err)
	}
	if p.Parent, err = strconv.Atoi(fields[1]); err != nil {
		return Process{}, fmt.Errorf("proc stat: parent: %w", err)
	}
	if p.Start, err = strconv.ParseUint(fields[startField], 10, 64); err != nil {
		return Process{}, fmt.Errorf("proc stat: start: %w", err)
	}
	return p, nil
}

// Descendants returns the children of a process, their children and so on,
// zombies included. Processes that come or go meanwhile may be missed.
func Descendants(pid int) ([]Process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	children := map[int][]Process{}
	for _, entry := range entries {
		id, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if p, err := Read(id); err == nil {
			children[p.Parent] = append(children[p.Parent], p)
		}
	}
	var out []Process
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		for _, p := range children[queue[0]] {
			out = append(out, p)
			queue = append(queue, p.PID)
		}
	}
	return out, nil
}

// PeakResident returns the most memory, in bytes, that was ever resident.
func PeakResident(pid int) (int64, error) { return kilobytes(path(pid, "status"), "VmHWM:") }

// Resident returns the memory, in bytes, that is resident now.
func Resident(pid int) (int64, error) { return kilobytes(path(pid, "status"), "VmRSS:") }

// Proportional returns the resident memory in bytes, pages that are shared
// between n processes counted as one n-th of a page.
func Proportional(pid int) (int64, error) { return kilobytes(path(pid, "smaps_rollup"), "Pss:") }

// Anonymous returns the resident memory in bytes that belongs to no file, and so to
// this process alone: its heaps and stacks.
func Anonymous(pid int) (int64, error) { return kilobytes(path(pid, "smaps_rollup"), "Anonymous:") }

// kilobytes reads the line "name   123 kB" of a file and returns bytes.
func kilobytes(file, name string) (int64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(line, name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %s: %w", file, name, err)
		}
		return n << 10, nil
	}
	// A zombie has no memory, and its status no such line.
	return 0, fmt.Errorf("%s: there is no line %s", file, name)
}

// Descriptors returns what each open descriptor of a process refers to.
func Descriptors(pid int) (map[int]string, error) {
	entries, err := os.ReadDir(path(pid, "fd"))
	if err != nil {
		return nil, err
	}
	out := map[int]string{}
	for _, entry := range entries {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if target, err := os.Readlink(filepath.Join(path(pid, "fd"), entry.Name())); err == nil {
			out[fd] = target
		}
	}
	return out, nil
}

// Environment returns the environment that a process was started with.
func Environment(pid int) ([]string, error) {
	text, err := os.ReadFile(path(pid, "environ"))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, entry := range strings.Split(string(text), "\x00") {
		if entry != "" {
			out = append(out, entry)
		}
	}
	return out, nil
}
