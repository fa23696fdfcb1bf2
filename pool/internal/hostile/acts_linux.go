package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/protocol"
)

// This file owns what can be done wrong with an execution.

// acts are the misdeeds by name. Each gets the rest of the program's text.
var acts map[string]func(p *peer, m *protocol.Execute, rest string)

func init() {
	acts = map[string]func(p *peer, m *protocol.Execute, rest string){
		// The one that does nothing wrong.
		"value": func(p *peer, m *protocol.Execute, rest string) {
			p.result(m, protocol.Result{Value: protocol.Value(rest)})
		},
		// Tells what it finds around itself.
		"look": func(p *peer, m *protocol.Execute, rest string) {
			text, err := json.Marshal(look())
			check(err)
			p.result(m, protocol.Result{Value: text})
		},
		// Raw bytes, in hexadecimal.
		"raw": func(p *peer, m *protocol.Execute, rest string) {
			var raw []byte
			for _, digits := range strings.Fields(rest) {
				b, err := strconv.ParseUint(digits, 16, 8)
				check(err)
				raw = append(raw, byte(b))
			}
			p.sendBytes(raw...)
		},
		// One frame with this text, in which ID stands for the execution's id.
		"text": func(p *peer, m *protocol.Execute, rest string) {
			p.sendText([]byte(strings.ReplaceAll(rest, "ID", m.Execution)))
		},
		// Half a frame, then the exit status.
		"cut": func(p *peer, m *protocol.Execute, rest string) {
			p.sendBytes(0, 0, 1, 0, '{')
			exit(rest)
		},
		// Half a frame, then the end of the channel, and a long life.
		"hang-up": func(p *peer, m *protocol.Execute, rest string) {
			p.sendBytes(0, 0, 1, 0, '{')
			p.file.Close()
			time.Sleep(time.Hour)
		},
		"exit": func(p *peer, m *protocol.Execute, rest string) { exit(rest) },
		"signal": func(p *peer, m *protocol.Execute, rest string) {
			number, err := strconv.Atoi(rest)
			check(err)
			check(syscall.Kill(os.Getpid(), syscall.Signal(number)))
			time.Sleep(time.Hour)
		},
		// Makes a system call that its own filter refuses.
		"refused": func(p *peer, m *protocol.Execute, rest string) {
			check(seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{
				DefaultAction: seccomp.ActionAllow,
				Syscalls:      []seccomp.SyscallGroup{{Action: seccomp.ActionKillProcess, Names: []string{"getppid"}}},
			}}))
			syscall.Getppid()
		},
		"out-of-memory": func(p *peer, m *protocol.Execute, rest string) {
			fmt.Fprintln(os.Stderr, "fatal error: runtime: cannot allocate memory")
			os.Exit(2)
		},
		"long-fault": func(p *peer, m *protocol.Execute, rest string) {
			p.result(m, protocol.Result{Fault: &protocol.Thrown{Message: strings.Repeat("x", 5<<20)}})
		},
		"twice": func(p *peer, m *protocol.Execute, rest string) {
			p.result(m, protocol.Result{Value: protocol.Value(`"first"`)})
			p.result(m, protocol.Result{Value: protocol.Value(`"second"`)})
		},
		"log-flood": func(p *peer, m *protocol.Execute, rest string) {
			for i := range 200 {
				p.send(&protocol.Log{Execution: m.Execution, Entry: protocol.LogEntry{Level: protocol.LevelLog, Text: strconv.Itoa(i)}})
			}
			p.result(m, protocol.Result{Value: protocol.Value("1")})
		},
		"stderr-flood": func(p *peer, m *protocol.Execute, rest string) {
			for range 1000 {
				fmt.Fprintln(os.Stderr, strings.Repeat("secret ", 100))
			}
			os.Exit(9)
		},
		// Tool calls: the count, the size of the arguments, and one name or id for all.
		"calls": func(p *peer, m *protocol.Execute, rest string) {
			var count, size int
			var tool string
			var id int64
			_, err := fmt.Sscan(rest, &count, &size, &tool, &id)
			check(err)
			args := `["` + strings.Repeat("x", size) + `"]`
			for i := range count {
				call := id
				if call == 0 {
					call = int64(i + 1)
				}
				p.send(&protocol.ToolCall{Execution: m.Execution, Call: call, Namespace: "tools", Tool: tool, Args: args})
			}
			for {
				if _, ok := p.read().(*protocol.Cancel); ok {
					break
				}
			}
			p.result(m, protocol.Result{Value: protocol.Value(`"too late"`)})
		},
		// Calls a tool and never reads its replies.
		"deaf": func(p *peer, m *protocol.Execute, rest string) {
			for i := range 8 {
				p.send(&protocol.ToolCall{Execution: m.Execution, Call: int64(i + 1), Namespace: "tools", Tool: "f", Args: "[]"})
			}
			time.Sleep(time.Hour)
		},
		// Says so, and takes no notice of anything.
		"ignore": func(p *peer, m *protocol.Execute, rest string) {
			p.send(&protocol.Log{Execution: m.Execution, Entry: protocol.LogEntry{Level: protocol.LevelLog, Text: "here"}})
			time.Sleep(time.Hour)
		},
		// Burns processor time, and takes no notice of anything.
		"burn": func(p *peer, m *protocol.Execute, rest string) {
			for i := 0; ; i++ {
				_ = i
			}
		},
		// Answers with a value, or a fault of the program's, when the time is up: the
		// milliseconds it sleeps, or works, before that.
		"late-value": func(p *peer, m *protocol.Execute, rest string) {
			time.Sleep(milliseconds(rest))
			p.result(m, protocol.Result{Value: protocol.Value(`"too late"`)})
		},
		"late-fault": func(p *peer, m *protocol.Execute, rest string) {
			time.Sleep(milliseconds(rest))
			p.result(m, protocol.Result{Fault: &protocol.Thrown{Name: "Error", Message: "too late"}})
		},
		"late-limit": func(p *peer, m *protocol.Execute, rest string) {
			time.Sleep(milliseconds(rest))
			p.result(m, protocol.Result{Fault: &protocol.MemoryExceeded{Kind: protocol.MemoryHeap}})
		},
		"work": func(p *peer, m *protocol.Execute, rest string) {
			for used := time.Duration(0); used < milliseconds(rest); {
				var t unix.Timespec
				check(unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t))
				used = time.Duration(t.Nano())
			}
			p.result(m, protocol.Result{Value: protocol.Value(`"too late"`)})
		},
		// The same, with a tool call open all the while.
		"call-and-burn": func(p *peer, m *protocol.Execute, rest string) {
			p.send(&protocol.ToolCall{Execution: m.Execution, Call: 1, Namespace: "tools", Tool: "f", Args: "[]"})
			acts["burn"](p, m, rest)
		},
		// Leaves a process behind that holds the channel and standard error open,
		// for this many seconds.
		"fork": func(p *peer, m *protocol.Execute, rest string) {
			c := exec.Command("/bin/sleep", rest)
			c.Stderr = os.Stderr
			c.ExtraFiles = []*os.File{p.file}
			check(c.Start())
			os.Exit(5)
		},
	}
}

func milliseconds(text string) time.Duration {
	number, err := strconv.Atoi(text)
	check(err)
	return time.Duration(number) * time.Millisecond
}

func exit(status string) {
	number, err := strconv.Atoi(status)
	check(err)
	os.Exit(number)
}

// look returns what the process was given, and what it can do to the snapshot.
func look() map[string]any {
	directory, err := os.Getwd()
	check(err)
	var descriptors []string
	for fd := range 64 {
		target, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
		flags, bad := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil || bad != nil || flags&unix.FD_CLOEXEC != 0 {
			continue // not open, or opened by this process
		}
		target, _, _ = strings.Cut(target, ":[") // the number of a pipe or socket
		descriptors = append(descriptors, fmt.Sprint(fd, " ", target))
	}
	text := func(err error) string {
		if err == nil {
			return "done"
		}
		return err.Error()
	}
	_, write := unix.Pwrite(snapshotFD, []byte("x"), 0)
	_, unseal := unix.FcntlInt(snapshotFD, unix.F_ADD_SEALS, 0)
	return map[string]any{
		"arguments": os.Args, "environment": os.Environ(), "directory": directory, "descriptors": descriptors,
		"write": text(write), "truncate": text(unix.Ftruncate(snapshotFD, 1)), "unseal": text(unseal),
	}
}
