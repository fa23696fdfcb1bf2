package native

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/isogate/isogate/bench/procfs"
)

// This file owns the attacks on what a child gets from its parent, and keeps.

var inheritance = []Attack{
	{Name: "descriptors-inherited", Source: "K07", Title: "files and sockets that the parent left open without close-on-exec are not open in a child", Run: descriptorsInherited},
	{Name: "environment-inherited", Source: "K08 I01", Title: "a child's environment is empty", Run: environmentInherited},
	{Name: "privileges-kept", Source: "K12", Title: "a child can gain no privileges, dump no core and write no file", Run: privilegesKept},
}

// unreadable turns the refusal to look into a process into ErrUnsupported.
func unreadable(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, procfs.ErrUnsupported) {
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return err
}

func descriptorsInherited(ctx context.Context, h *Host) error {
	dir, err := h.tempDir()
	if err != nil {
		return err
	}
	canary := filepath.Join(dir, "canary")
	if err := os.WriteFile(canary, []byte("canary"), 0o600); err != nil {
		return err
	}
	// What C code in a host does: files without O_CLOEXEC, which os.Open would set.
	var leaked []int
	defer func() {
		for _, fd := range leaked {
			syscall.Close(fd)
		}
	}()
	for range 3 {
		fd, err := syscall.Open(canary, syscall.O_RDONLY, 0)
		if err != nil {
			return err
		}
		leaked = append(leaked, fd)
	}
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	leaked = append(leaked, pair[0], pair[1])

	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	if err := h.probe(ctx, "with open canaries", e); err != nil {
		return err
	}
	pid, err := childPID(ctx, e)
	if err != nil {
		return err
	}
	open, err := procfs.Descriptors(pid)
	if err != nil {
		return unreadable(err)
	}
	if open[0] != os.DevNull || open[1] != os.DevNull || !strings.HasPrefix(open[2], "pipe:") || !strings.HasPrefix(open[3], "socket:") {
		return violated("descriptors 0 to 3 are %q, must be the null device twice, a pipe and a socket", []string{open[0], open[1], open[2], open[3]})
	}
	h.Note("descriptors %v", open)
	for fd, target := range open {
		// Beyond those: the snapshot, and what Go's runtime opens for itself.
		own := fd <= 3 || strings.HasPrefix(target, "/memfd:") || strings.HasPrefix(target, "anon_inode:[event") || strings.HasPrefix(target, "/sys/fs/cgroup/")
		if !own {
			return violated("descriptor %d of the child is %s", fd, target)
		}
	}
	return nil
}

func environmentInherited(ctx context.Context, h *Host) error {
	if os.Getenv(h.CanaryName) == "" {
		return fmt.Errorf("the canary variable %s is not set", h.CanaryName)
	}
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	pid, err := childPID(ctx, e)
	if err != nil {
		return err
	}
	environment, err := procfs.Environment(pid)
	if err != nil {
		return unreadable(err)
	}
	if len(environment) != 0 {
		names := []string{}
		for _, variable := range environment {
			name, _, _ := strings.Cut(variable, "=")
			names = append(names, name)
		}
		slices.Sort(names)
		return violated("the child's environment has %d variables: %s", len(names), brief(strings.Join(names, " ")))
	}
	return h.probe(ctx, "with an empty environment", e)
}

func privilegesKept(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	pid, err := childPID(ctx, e)
	if err != nil {
		return err
	}
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	if err != nil {
		return unreadable(err)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return unreadable(err)
	}
	// The columns of /proc/pid/limits are the soft and the hard limit.
	for name, most := range map[string]string{"Max core file size": "0", "Max file size": "0"} {
		fields := strings.Fields(line(string(limits), name))
		if len(fields) < 2 || fields[0] != most || fields[1] != most {
			return violated("%q of the child is %v, must be %s", name, fields, most)
		}
	}
	if flag := strings.TrimSpace(line(string(status), "NoNewPrivs:")); flag != "1" {
		return violated("NoNewPrivs of the child is %q, must be 1", flag)
	}
	return h.probe(ctx, "with its privileges given up", e)
}

// line returns the rest of the line that begins with the prefix.
func line(text, prefix string) string {
	for l := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(l, prefix); ok {
			return rest
		}
	}
	return ""
}
