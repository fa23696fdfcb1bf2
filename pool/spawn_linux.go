package pool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/pool/child"
)

// This file owns what only Linux offers: starting a child with exactly its five
// descriptors, waiting for it, its memory bound and its CPU clock, and sealed
// memory files.

// spawn starts a child with an empty environment, in "/", in a process group of
// its own, to be killed when the calling thread ends.
func spawn(spec spawnSpec) (*process, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	stderr, childStderr, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer childStderr.Close()
	p := &process{stderr: stderr, group: spec.group}
	childChannel := null
	if spec.channel {
		ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			stderr.Close()
			return nil, os.NewSyscallError("socketpair", err)
		}
		// Only this end must not block: reads and writes are to end with the child.
		if err := unix.SetNonblock(ends[0], true); err != nil {
			p.close()
			return nil, os.NewSyscallError("fcntl", err)
		}
		p.channel = os.NewFile(uintptr(ends[0]), "channel")
		childChannel = os.NewFile(uintptr(ends[1]), "channel of the child")
		defer childChannel.Close()
	}
	attributes := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	separate(attributes, spec.measures)
	spec.group.join(attributes)
	arguments := []string{child.Arg0, spec.role, spec.profile, child.JoinMeasures(spec.measures), spec.digest}
	p.os, err = os.StartProcess(spec.path, arguments, &os.ProcAttr{
		Dir:   "/",
		Env:   []string{},
		Files: []*os.File{null, null, childStderr, childChannel, spec.snapshot},
		Sys:   attributes,
	})
	if err != nil {
		p.close()
		return nil, err
	}
	if attributes.Cloneflags&unix.CLONE_NEWUSER != 0 {
		if err := newUserMap(spec.measures).write(p.os.Pid); err != nil {
			p.kill()
			p.wait()
			p.close()
			return nil, err
		}
	}
	return p, nil
}

// wait waits for the process to end and reaps it. Processes that it may have
// left in its group are killed first, while its number cannot belong to another.
func (p *process) wait() (*os.ProcessState, error) {
	for {
		err := unix.Waitid(unix.P_PID, p.os.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	// There is usually nobody to kill.
	_ = unix.Kill(-p.os.Pid, unix.SIGKILL)
	return p.os.Wait()
}

// cpuTime returns the processor time that the process has used, all threads
// together. It reads the clock that clock_getcpuclockid(3) returns.
func (p *process) cpuTime() (time.Duration, bool) {
	const schedClock = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^p.os.Pid<<3|schedClock), &t); err != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}

// dataSize returns how much of RLIMIT_DATA the process uses, in bytes.
func (p *process) dataSize() (int64, bool) { return p.memoryFigure(5) }

// residentSize returns how much memory of the process is resident, in bytes,
// pages that it shares with others included.
func (p *process) residentSize() (int64, bool) { return p.memoryFigure(1) }

// memoryFigure returns a field of /proc/pid/statm, counted from 0, in bytes. See
// proc_pid_statm(5). The file stays open, because every execution has it read. It
// belongs to the goroutine that supervises the child.
func (p *process) memoryFigure(field int) (int64, bool) {
	if p.memory == nil {
		file, err := os.Open(fmt.Sprintf("/proc/%d/statm", p.os.Pid))
		if err != nil {
			return 0, false
		}
		p.memory = file
	}
	var text [256]byte // seven numbers
	n, err := p.memory.ReadAt(text[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, false
	}
	fields := strings.Fields(string(text[:n]))
	if len(fields) <= field {
		return 0, false
	}
	pages, err := strconv.ParseInt(fields[field], 10, 64)
	if err != nil {
		return 0, false
	}
	return pages * int64(os.Getpagesize()), true
}

// limitData sets RLIMIT_DATA of the process. The child can raise its soft limit
// up to hard and no further.
func (p *process) limitData(soft, hard int64) error {
	return unix.Prlimit(p.os.Pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: uint64(soft), Max: uint64(hard)}, nil)
}

// newMemoryFile returns an anonymous file that can be sealed and never executed.
func newMemoryFile(name string) (*os.File, error) {
	flags := unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate(name, flags|unix.MFD_NOEXEC_SEAL)
	if errors.Is(err, unix.EINVAL) { // Linux before 6.3
		fd, err = unix.MemfdCreate(name, flags)
	}
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

// sealMemoryFile makes the file's contents and size final, also for every
// process that has it open. See F_ADD_SEALS in fcntl(2).
func sealMemoryFile(f *os.File) error {
	_, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_WRITE|unix.F_SEAL_SEAL)
	return os.NewSyscallError("fcntl", err)
}
