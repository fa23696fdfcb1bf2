package native

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attack by dying: what a child leaves on its host, however it
// ended.

var remains = []Attack{
	{Name: "death-leaves-nothing", Source: "K06 K12 K14", Title: "children that were killed, crashed, retired or closed leave no zombie, no file, no shared memory and no descriptor", Alone: true, Run: deathLeavesNothing},
}

// sharedPlaces are folders in which processes leave what outlives them: see
// shm_overview(7) and mq_overview(7).
var sharedPlaces = []string{"/dev/shm", "/dev/mqueue"}

// belongings returns what there is on a host that a process could have left, each
// by a name, with the number of its user.
func belongings() (map[string]int, error) {
	found := map[string]int{}
	for _, place := range append(slices.Clone(sharedPlaces), os.TempDir()) {
		entries, err := os.ReadDir(place)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if info, err := entry.Info(); err == nil { // else it is gone
				found[filepath.Join(place, entry.Name())] = ownerOf(info)
			}
		}
	}
	for _, kind := range systemV {
		text, err := os.ReadFile("/proc/sysvipc/" + kind.name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a kernel without them
		}
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			if len(fields) <= kind.user || fields[0] == "key" {
				continue
			}
			name := fmt.Sprintf("System V %s %s", kind.name, fields[1])
			if kind.maker > 0 {
				name += madeBy + fields[kind.maker]
			}
			user, err := strconv.Atoi(fields[kind.user])
			if err != nil {
				return nil, fmt.Errorf("/proc/sysvipc/%s: %w", kind.name, err)
			}
			found[name] = user
		}
	}
	return found, nil
}

// systemV are the kinds of System V objects, with the columns of their lists that
// name the process that made one, 0 for none, and its user. See proc_sysvipc(5).
var systemV = []struct {
	name        string
	maker, user int
}{{"shm", 4, 7}, {"msg", 0, 7}, {"sem", 0, 4}}

// madeBy stands before the number of the process that made an object.
const madeBy = " of process "

// snapshotFiles counts the snapshots that this process has open.
func snapshotFiles() (int, error) {
	open, err := procfs.Descriptors(os.Getpid())
	n := 0
	for _, target := range open {
		if strings.HasPrefix(target, snapshotLink) {
			n++
		}
	}
	return n, err
}

// snapshotLink begins the name of a snapshot's memory file in /proc/pid/fd.
const snapshotLink = "/memfd:isogate-snapshot"

func deathLeavesNothing(ctx context.Context, h *Host) error {
	if runtime.GOOS != "linux" {
		return fmt.Errorf("%w: the places that are searched are Linux's", ErrUnsupported)
	}
	before, err := belongings()
	if err != nil {
		return unreadable(err)
	}
	snapshots, err := snapshotFiles()
	if err != nil {
		return err
	}
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, MaxUses: 3}})
	if err != nil {
		return err
	}
	users := map[int]bool{os.Geteuid(): true}
	var dead []int
	// Children that are killed while they run a program, or crash, and one that has
	// served as often as it may.
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSEGV, syscall.SIGABRT} {
		result, err := h.crashInCall(ctx, e, func(pid int) error {
			dead = append(dead, pid)
			info, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
			if err != nil {
				return err
			}
			users[ownerOf(info)] = true
			return syscall.Kill(pid, signal)
		})
		if err != nil {
			return err
		}
		if err := wantFault("a program whose child dies", result, protocol.CodeWorkerCrashed); err != nil {
			return err
		}
	}
	for range 4 {
		pid, err := childPID(ctx, e)
		if err != nil {
			return err
		}
		if !slices.Contains(dead, pid) {
			dead = append(dead, pid)
		}
		if err := h.probe(ctx, "a program that uses its child up", e); err != nil {
			return err
		}
	}
	if err := closeWithin(e); err != nil {
		return violated("Close failed: %v", err)
	}
	h.Note("%d children ended: %v", len(dead), dead)
	err = eventually(ctx, 3*time.Second, func() error { return leftBehind(dead, users, before, snapshots) })
	if err != nil {
		removeLeft() // leave none behind ourselves
	}
	return err
}

// removeLeft removes what children leave in shared places where this claim's control
// has them make a file.
func removeLeft() {
	for _, place := range sharedPlaces {
		left, err := filepath.Glob(filepath.Join(place, "isogate-left-*"))
		if err != nil {
			continue
		}
		for _, name := range left {
			_ = os.Remove(name) // what is wrong has been found
		}
	}
}

func isShared(name string) bool { return slices.Contains(sharedPlaces, filepath.Dir(name)) }

// leftBehind returns what there is now and was not before, if children may have
// made it: an object of theirs, a file in a shared place of a user that they run as,
// and elsewhere a file of a user that is not this process's too.
func leftBehind(dead []int, users map[int]bool, before map[string]int, snapshots int) error {
	for _, pid := range dead {
		p, err := procfs.Read(pid)
		if err == nil && (p.Parent == os.Getpid() || p.Name == child.Arg0) {
			return violated("child %d is still there, in state %c", pid, p.State)
		}
	}
	now, err := belongings()
	if err != nil {
		return err
	}
	for name, owner := range now {
		if _, old := before[name]; old {
			continue
		}
		_, maker, known := strings.Cut(name, madeBy)
		if pid, err := strconv.Atoi(maker); known && err == nil && slices.Contains(dead, pid) {
			return violated("%s is left", name)
		}
		if users[owner] && (isShared(name) || owner != os.Geteuid()) {
			return violated("%s of user %d is left", name, owner)
		}
	}
	open, err := snapshotFiles()
	if err != nil {
		return err
	}
	if open > snapshots {
		return violated("%d snapshots are open after Close, and %d were before", open, snapshots)
	}
	return nil
}
