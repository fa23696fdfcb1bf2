package pool

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// This file owns the control groups of children: one of cgroup v2 for each, made
// before the child starts in it and removed when it has been reaped. See cgroups(7)
// and the kernel's document on cgroup v2.

// pools counts the pools of this process, for the names of their groups.
var pools atomic.Int64

// groupPrefix begins the name of every group. The process id of the pool and two
// numbers follow.
const groupPrefix = "isogate-"

// openGroups decides where the groups of a pool's children are: in the one that the
// configuration names, or else where this process finds one. Only the first can fail.
func openGroups(configured string, logger *slog.Logger) (*groups, error) {
	g := &groups{logger: logger, prefix: fmt.Sprintf("%s%d-%d-", groupPrefix, os.Getpid(), pools.Add(1))}
	switch configured {
	case NoCgroup:
		g.reason = "the configuration turns it off"
		return g, nil
	case "":
		own, err := ownGroups()
		if err != nil {
			g.reason = err.Error()
			return g, nil
		}
		var reasons []string
		for _, candidate := range own {
			err := g.try(candidate)
			if err == nil {
				g.parent = candidate.path
				return g, nil
			}
			reasons = append(reasons, fmt.Sprintf("%s: %v", candidate.path, err))
		}
		g.reason = strings.Join(reasons, "; ")
		return g, nil
	}
	path, err := filepath.Abs(configured)
	if err == nil {
		err = g.try(parentGroup{path, true})
	}
	if err != nil {
		return nil, fmt.Errorf("pool: Config.Cgroup %s: %w", configured, err)
	}
	g.parent, g.required = path, true
	return g, nil
}

// parentGroup is a group to make others in. One that is given to this process may be
// changed too.
type parentGroup struct {
	path  string
	given bool
}

// try finds out whether groups that bound memory can be made in a group, and
// processes started in them.
func (g *groups) try(parent parentGroup) error {
	if err := parent.prepare(); err != nil {
		return err
	}
	sweep(parent.path)
	group, err := newGroup(filepath.Join(parent.path, g.prefix+"0"))
	if err != nil {
		return err
	}
	defer group.close()
	if err = group.openMemory(); err == nil {
		err = group.tryStart()
	}
	return errors.Join(err, group.remove())
}

// prepare checks that the path is a group of cgroup v2 which has the memory
// controller for the groups in it, and gives it to them where it may.
func (p parentGroup) prepare() error {
	var s unix.Statfs_t
	if err := unix.Statfs(p.path, &s); err != nil {
		return os.NewSyscallError("statfs", err)
	}
	if s.Type != unix.CGROUP2_SUPER_MAGIC {
		return errors.New("it is not a group of cgroup v2")
	}
	have, err := p.controllers("cgroup.controllers")
	if err != nil {
		return err
	}
	if !slices.Contains(have, "memory") {
		return fmt.Errorf("it has no memory controller: its cgroup.controllers is %q", strings.Join(have, " "))
	}
	enabled, err := p.controllers("cgroup.subtree_control")
	if err != nil || slices.Contains(enabled, "memory") {
		return err
	}
	if !p.given {
		return errors.New("its cgroup.subtree_control lacks memory")
	}
	err = os.WriteFile(filepath.Join(p.path, "cgroup.subtree_control"), []byte("+memory"), 0)
	if errors.Is(err, unix.EBUSY) {
		return fmt.Errorf("a process is in the group itself, so it cannot bound those in it: %w", err)
	}
	return err
}

// controllers reads a list of controllers.
func (p parentGroup) controllers(file string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(p.path, file))
	return strings.Fields(string(text)), err
}

// sweep removes groups of pools whose process has ended without doing so. What is
// in use stays: a group with a process in it cannot be removed.
func sweep(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, entry := range entries {
		rest, ours := strings.CutPrefix(entry.Name(), groupPrefix)
		number, _, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(number)
		if !ours || err != nil || pid <= 0 {
			continue
		}
		if errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
			_ = unix.Rmdir(filepath.Join(parent, entry.Name())) // the next pool tries again
		}
	}
}

// make makes the group of a child, or none, nil, where there need not be one.
func (g *groups) make(id int) (*childGroup, error) {
	if g.parent == "" {
		return nil, nil
	}
	group, err := newGroup(filepath.Join(g.parent, g.prefix+strconv.Itoa(id)))
	if err == nil {
		if err = group.openMemory(); err == nil {
			g.lack("")
			return group, nil
		}
		err = errors.Join(err, group.remove())
		group.close()
	}
	if g.required {
		return nil, fmt.Errorf("making a control group for it: %w", err)
	}
	g.logger.Warn("a child process has no control group", "child", id, "error", err)
	g.lack(err.Error())
	return nil, nil
}

// childGroup is the control group of one child. A nil one does nothing.
type childGroup struct {
	path    string
	folder  *os.File
	max     *os.File     // memory.max
	current *os.File     // memory.current
	limit   atomic.Int64 // in bytes; 0 before the first execution
}

// newGroup makes a group that bounds nothing yet.
func newGroup(path string) (*childGroup, error) {
	if err := unix.Mkdir(path, 0o755); err != nil {
		return nil, &fs.PathError{Op: "mkdir", Path: path, Err: err}
	}
	folder, err := os.Open(path)
	if err != nil {
		return nil, errors.Join(err, unix.Rmdir(path))
	}
	return &childGroup{path: path, folder: folder}, nil
}

// openMemory makes the group ready to bound memory: what is over the limit is not
// swapped out, and what the kernel kills for it, it kills whole.
func (g *childGroup) openMemory() error {
	if err := g.write("memory.oom.group", "1"); err != nil {
		return err
	}
	// The file is missing where the kernel does not account for swap.
	if err := g.write("memory.swap.max", "0"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var err error
	if g.max, err = os.OpenFile(filepath.Join(g.path, "memory.max"), os.O_WRONLY, 0); err != nil {
		return err
	}
	g.current, err = os.Open(filepath.Join(g.path, "memory.current"))
	return err
}

// write writes to a file of the group that the kernel has made.
func (g *childGroup) write(name, text string) error {
	file, err := os.OpenFile(filepath.Join(g.path, name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// join has a process start in the group: CLONE_INTO_CGROUP of clone(2), so that no
// moment of it is outside.
func (g *childGroup) join(attributes *syscall.SysProcAttr) {
	if g != nil {
		attributes.UseCgroupFD, attributes.CgroupFD = true, int(g.folder.Fd())
	}
}

// tryStart starts a program that does not exist in the group. Only that must be
// what is wrong.
func (g *childGroup) tryStart() error {
	attributes := &syscall.SysProcAttr{}
	g.join(attributes)
	const program = "/proc/self/no-such-program"
	process, err := os.StartProcess(program, []string{program}, &os.ProcAttr{Sys: attributes})
	switch {
	case err == nil:
		return errors.Join(process.Kill(), process.Release(), fmt.Errorf("%s exists", program))
	case errors.Is(err, unix.ENOENT):
		return nil
	}
	return fmt.Errorf("starting a process in a group of it: %w", err)
}

// bound bounds the memory of the group for one execution whose RLIMIT_DATA is data.
// It is not set below what is in use already: that would have the kernel kill for
// what an earlier execution left behind.
func (g *childGroup) bound(data int64) error {
	if g == nil {
		return nil
	}
	limit := data + groupSlack
	var text [32]byte
	n, err := g.current.ReadAt(text[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return gone(err)
	}
	if used, err := strconv.ParseInt(strings.TrimSpace(string(text[:n])), 10, 64); err == nil {
		limit = max(limit, used+groupSlack)
	}
	if limit == g.limit.Load() {
		return nil
	}
	if _, err := g.max.WriteAt(strconv.AppendInt(nil, limit, 10), 0); err != nil {
		return gone(err)
	}
	g.limit.Store(limit)
	return nil
}

// gone returns nil for the error of a group that has been removed, which says that
// the child has ended.
func gone(err error) error {
	if errors.Is(err, unix.ENODEV) {
		return nil
	}
	return err
}

// killedAt returns the limit of the group in bytes when the kernel has killed the
// child for passing it, else 0.
func (g *childGroup) killedAt() int64 {
	if g == nil {
		return 0
	}
	text, err := os.ReadFile(filepath.Join(g.path, "memory.events"))
	if err != nil || !ranOut(string(text)) {
		return 0
	}
	return g.limit.Load()
}

// remove removes the group of a child that has been reaped. Processes that it may
// have left there are killed first.
func (g *childGroup) remove() error {
	if g == nil {
		return nil
	}
	err := unix.Rmdir(g.path)
	if errors.Is(err, unix.EBUSY) {
		if err := g.write("cgroup.kill", "1"); err != nil { // Linux before 5.14 has no such file
			return err
		}
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for deadline := time.Now().Add(deathTime); errors.Is(err, unix.EBUSY) && time.Now().Before(deadline); {
			<-tick.C
			err = unix.Rmdir(g.path)
		}
	}
	if err != nil {
		return &fs.PathError{Op: "rmdir", Path: g.path, Err: err}
	}
	return nil
}

// close closes the group's files.
func (g *childGroup) close() {
	if g == nil {
		return
	}
	for _, file := range []*os.File{g.folder, g.max, g.current} {
		if file != nil {
			file.Close()
		}
	}
}
