package native

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/pool/child"
)

// This file owns what the kernel must say of a child for each measure that is
// reported. Landlock and the death signal show nowhere outside: they are attacked
// by probes, and by the death of a parent.

// threadFacts are the lines of a thread's status that a measure decides, and what
// they must be. See proc_pid_status(5).
var threadFacts = []struct{ measure, line, want string }{
	{child.SystemCalls, "Seccomp:", "2"},
	{child.NoNewPrivileges, "NoNewPrivs:", "1"},
	{child.Capabilities, "CapInh:", "0000000000000000"},
	{child.Capabilities, "CapPrm:", "0000000000000000"},
	{child.Capabilities, "CapEff:", "0000000000000000"},
	{child.Capabilities, "CapAmb:", "0000000000000000"},
	{child.Identity, "Uid:", "65534 65534 65534 65534"},
	{child.Identity, "Gid:", "65534 65534 65534 65534"},
	{child.Identity, "Groups:", ""},
}

func checkThreads(s *sight) error {
	threads, err := os.ReadDir(s.path("task"))
	if err != nil {
		return unreadable(err)
	}
	seen := 0
	for _, thread := range threads {
		status, err := s.read("task", thread.Name(), "status")
		if gone(err) {
			continue
		}
		if err != nil {
			return err
		}
		seen++
		for _, fact := range threadFacts {
			if !s.inForce(fact.measure) {
				continue
			}
			if got := strings.Join(strings.Fields(line(status, fact.line)), " "); got != fact.want {
				return s.violated("thread %s of %d says %s %q, must say %q", thread.Name(), len(threads), fact.line, got, fact.want)
			}
		}
	}
	if seen < 2 {
		return fmt.Errorf("%d threads were seen, and a child has several", seen)
	}
	return nil
}

// namespaceLinks are the links that name the namespaces of a process, see namespaces(7).
var namespaceLinks = []struct{ measure, link string }{
	{child.UserNamespace, "user"}, {child.MountNamespace, "mnt"}, {child.PIDNamespace, "pid"}, {child.NetworkNamespace, "net"}, {child.IPCNamespace, "ipc"},
}

func checkNamespaces(s *sight) error {
	for _, namespace := range namespaceLinks {
		theirs, err := os.Readlink(s.path("ns", namespace.link))
		if err != nil {
			return unreadable(err)
		}
		own, err := os.Readlink("/proc/self/ns/" + namespace.link)
		if err != nil {
			return err
		}
		if s.inForce(namespace.measure) && theirs == own {
			return s.violated("it reports %s and is in %s, as its parent is", namespace.measure, own)
		}
	}
	return errors.Join(checkUsers(s), checkInterfaces(s), checkProcessNumbers(s))
}

// checkUsers demands that a user namespace has no root, and only users that it was
// given one by one.
func checkUsers(s *sight) error {
	if !s.inForce(child.UserNamespace) {
		return nil
	}
	for _, file := range []string{"uid_map", "gid_map"} {
		text, err := s.read(file)
		if err != nil {
			return err
		}
		lines := strings.Split(strings.TrimSpace(text), "\n")
		for _, line := range lines {
			// The first number inside, the first outside, and how many there are.
			if fields := strings.Fields(line); len(fields) != 3 || fields[0] == "0" || fields[2] != "1" {
				return s.violated("%s has the line %q, must have single users and no root", file, line)
			}
		}
		if len(lines) > 2 {
			return s.violated("%s has %d lines, must have at most 2", file, len(lines))
		}
	}
	return nil
}

// checkInterfaces demands that a network namespace has nothing but its own loopback.
func checkInterfaces(s *sight) error {
	if !s.inForce(child.NetworkNamespace) {
		return nil
	}
	devices, err := s.read("net", "dev")
	if err != nil {
		return err
	}
	for device := range strings.Lines(devices) {
		name, _, ok := strings.Cut(device, ":")
		if ok && strings.TrimSpace(name) != "lo" {
			return s.violated("it has the network interface %s", strings.TrimSpace(name))
		}
	}
	return nil
}

// checkProcessNumbers demands that a child in a pid namespace is the first there.
func checkProcessNumbers(s *sight) error {
	if !s.inForce(child.PIDNamespace) {
		return nil
	}
	status, err := s.read("status")
	if err != nil {
		return err
	}
	numbers := strings.Fields(line(status, "NSpid:"))
	if len(numbers) < 2 || numbers[len(numbers)-1] != "1" {
		return s.violated("its numbers from the outermost namespace inwards are %v, the last must be 1", numbers)
	}
	return nil
}

func checkRoot(s *sight) error {
	folder, err := os.Readlink(s.path("cwd"))
	if err != nil {
		return unreadable(err)
	}
	if s.inForce(child.Directory) && folder != "/" {
		return s.violated("its folder is %s, must be /", folder)
	}
	if !s.inForce(child.EmptyRoot) {
		return nil
	}
	mounts, err := s.read("mountinfo")
	if err != nil {
		return err
	}
	// See proc_pid_mountinfo(5): the mount point is the fifth field, how it is
	// mounted the sixth, and the kind of file system the first behind a dash.
	lines := strings.Split(strings.TrimSpace(mounts), "\n")
	if len(lines) != 2 {
		return s.violated("it has %d mounts, must have its root and the list of its threads:\n%s", len(lines), brief(mounts))
	}
	tasks := ""
	for i, want := range []string{"tmpfs", "proc"} {
		fields := strings.Fields(lines[i])
		dash := slices.Index(fields, "-")
		if dash < 6 || len(fields) < dash+2 || fields[dash+1] != want {
			return s.violated("mount %d is %q, must be a %s", i+1, lines[i], want)
		}
		if options := strings.Split(fields[5], ","); i == 0 && fields[4] != "/" || !slices.Contains(options, "ro") {
			return s.violated("mount %d is %q, must be read-only, and the first be the root", i+1, lines[i])
		}
		tasks = fields[4]
	}
	return checkEmpty(s, tasks)
}

// checkEmpty demands that there is nothing in a child's file system but the way to
// the list of its threads.
func checkEmpty(s *sight, tasks string) error {
	at := s.path("root")
	for _, part := range strings.Split(strings.Trim(tasks, "/"), "/") {
		entries, err := os.ReadDir(at)
		if err != nil {
			return unreadable(err)
		}
		if len(entries) != 1 || entries[0].Name() != part {
			return s.violated("%d entries stand in %s of its file system, must be %q only", len(entries), strings.TrimPrefix(at, s.path("root"))+"/", part)
		}
		at += "/" + part
	}
	threads, err := os.ReadDir(at)
	if err != nil {
		return unreadable(err)
	}
	for _, thread := range threads {
		if _, err := strconv.Atoi(thread.Name()); err != nil {
			return s.violated("%q stands among its threads", thread.Name())
		}
	}
	return nil
}

// limitFacts are lines of a process's limits and the most that both may be. See
// proc_pid_limits(5).
var limitFacts = []struct {
	measure, line string
	most          int
}{
	{child.CoreSize, "Max core file size", 0},
	{child.FileSize, "Max file size", 0},
	{child.OpenFiles, "Max open files", 32},
	{child.Processes, "Max processes", 64},
}

func checkLimits(s *sight) error {
	limits, err := s.read("limits")
	if err != nil {
		return err
	}
	for _, fact := range limitFacts {
		if !s.inForce(fact.measure) {
			continue
		}
		fields := strings.Fields(line(limits, fact.line))
		if len(fields) < 2 {
			return s.violated("there is no limit %q", fact.line)
		}
		for i, which := range []string{"soft", "hard"} {
			if n, err := strconv.Atoi(fields[i]); err != nil || n > fact.most {
				return s.violated("the %s limit %q is %s, must be at most %d", which, fact.line, fields[i], fact.most)
			}
		}
	}
	return nil
}

func checkDescriptors(s *sight) error {
	open, err := procfs.Descriptors(s.pid)
	if err != nil {
		return unreadable(err)
	}
	if s.inForce(child.Descriptors) && s.inForce(child.RuntimeFiles) {
		want := map[string]int{os.DevNull: 2, "pipe": 1, "socket": 1, "anon_inode:[eventpoll]": 1, "anon_inode:[eventfd]": 1}
		for fd, target := range open {
			kind, number, _ := strings.Cut(target, ":[")
			if number == "" || kind == "anon_inode" {
				kind = target
			}
			if want[kind]--; want[kind] < 0 {
				return s.violated("descriptor %d is %s; all are %v", fd, target, open)
			}
		}
		if open[0] != os.DevNull || open[1] != os.DevNull || !strings.HasPrefix(open[2], "pipe:") || !strings.HasPrefix(open[3], "socket:") {
			return s.violated("descriptors 0 to 3 are %q", []string{open[0], open[1], open[2], open[3]})
		}
	}
	environment, err := procfs.Environment(s.pid)
	if err != nil {
		return unreadable(err)
	}
	if s.inForce(child.Environment) && len(environment) > 0 {
		return s.violated("its environment has %d variables", len(environment))
	}
	return nil
}

// checkOwner demands that the files by which a process can be read and changed do
// not belong to the user that it runs as. The kernel gives them to root for one
// that is not dumpable, see proc(5).
func checkOwner(s *sight) error {
	status, err := s.read("status")
	if err != nil {
		return err
	}
	users := strings.Fields(line(status, "Uid:"))
	if len(users) == 0 {
		return errors.New("its status names no user")
	}
	info, err := os.Stat(s.path("mem"))
	if err != nil {
		return unreadable(err)
	}
	if users[0] == "0" {
		return fmt.Errorf("%w: the child runs as root, whose files these are either way", ErrUnsupported)
	}
	if owner := ownerOf(info); s.inForce(child.NotDumpable) && owner != 0 {
		return s.violated("its memory belongs to user %d; it runs as %s", owner, users[0])
	}
	return nil
}

// ownerOf returns the number of the user that a file belongs to.
func ownerOf(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -1
}

// checkMemory demands that what may be executed is a file's, and that nothing may
// be written and executed. See proc_pid_maps(5).
func checkMemory(s *sight) error {
	maps, err := s.read("maps")
	if err != nil {
		return err
	}
	executable := 0
	for mapping := range strings.Lines(maps) {
		fields := strings.Fields(mapping)
		if len(fields) < 5 {
			return fmt.Errorf("the line %q of its maps is too short", mapping)
		}
		permissions, name := fields[1], strings.Join(fields[5:], " ")
		if !strings.Contains(permissions, "x") {
			continue
		}
		executable++
		switch {
		case name == "[vdso]" || name == "[vsyscall]": // the kernel's own code
		case strings.Contains(permissions, "w"):
			return s.violated("memory of %q may be written and executed: %s", name, strings.TrimSpace(mapping))
		case !strings.HasPrefix(name, "/") || strings.HasPrefix(name, "/memfd:") || strings.HasPrefix(name, "/dev/"):
			return s.violated("memory that is no file's may be executed: %s", strings.TrimSpace(mapping))
		}
	}
	if executable == 0 {
		return errors.New("nothing of it may be executed, so that the wrong process was looked at")
	}
	return nil
}
