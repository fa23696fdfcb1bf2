package native

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
)

// This file owns a host whose snapshot is looked at from outside: a process of its
// own, around which everything bears a name that occurs nowhere else.

// snapshotHostArgument is argument 1 of the process; 2 is the name that its machine
// is to have, or "-"; 3 is a text that must not be found.
const snapshotHostArgument = "isogate-snapshot-host"

func init() {
	if len(os.Args) == 4 && os.Args[1] == snapshotHostArgument {
		os.Exit(snapshotHostMain(os.Args[2]))
	}
}

// hostIsReady is what the process prints when its snapshot is made.
const hostIsReady = "ready"

// snapshotHostMain is the process: a host with one child, until its standard input
// ends.
func snapshotHostMain(machine string) int {
	if machine != "-" {
		if err := nameMachine(machine); err != nil {
			fmt.Fprintln(os.Stderr, "snapshot host:", err)
			return 1
		}
	}
	e, err := executor.New(context.Background(), playedConfig(pool.Config{Size: 1}))
	if err != nil {
		fmt.Fprintln(os.Stderr, "snapshot host:", err)
		return 1
	}
	fmt.Println(hostIsReady)
	_, _ = io.Copy(io.Discard, os.Stdin) // however it ends
	if err := e.Close(); err != nil {
		return 1
	}
	return 0
}

// snapshotHost is the running process.
type snapshotHost struct {
	file  string // the path under which its snapshot can be opened
	texts []hostText
}

// canary returns a text that occurs nowhere else.
func canary(what string) hostText {
	var b [12]byte
	rand.Read(b[:]) // never fails, see crypto/rand
	return hostText{what, "canary" + hex.EncodeToString(b[:])}
}

// startSnapshotHost starts the process; it ends with the attack.
func (h *Host) startSnapshotHost(ctx context.Context) (*snapshotHost, error) {
	if runtime.GOOS != "linux" {
		return nil, fmt.Errorf("%w: only Linux shows the files of its processes in /proc", ErrUnsupported)
	}
	parent, err := h.tempDir()
	if err != nil {
		return nil, err
	}
	s := &snapshotHost{}
	plant := func(what string) string {
		c := canary(what)
		s.texts = append(s.texts, c)
		return c.text
	}
	folder := filepath.Join(parent, plant("the host's folder"))
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, err
	}
	machine := "-"
	if mayNameMachine() {
		machine = plant("the name of the host's machine")
	} else {
		h.Note("the machine could not be given a name of its own")
	}
	c := exec.CommandContext(ctx, h.Binary, snapshotHostArgument, machine, plant("an argument of the host"))
	c.Dir = folder
	variable := canary("the name of a variable")
	s.texts = append(s.texts, variable)
	c.Env = h.playing([]string{variable.text + "=" + plant("a variable of the environment")})
	for _, name := range []string{"HOME", "GOPATH", "GOMODCACHE", "GOCACHE", "XDG_CACHE_HOME", "PWD"} {
		c.Env = append(c.Env, name+"=/nowhere/"+plant("the folder "+name))
	}
	for _, name := range []string{"USER", "LOGNAME", "HOSTNAME", "LANG", "NODE_OPTIONS", "V8_FLAGS"} {
		c.Env = append(c.Env, name+"="+plant("the variable "+name))
	}
	if machine != "-" {
		separateMachine(c)
	}
	stdin, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var stderr strings.Builder
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		return nil, err
	}
	h.onClose(func() error {
		return errors.Join(stdin.Close(), endWithin(c))
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if strings.TrimSpace(line) != hostIsReady {
		return nil, fmt.Errorf("the host wrote %q (%v), and on standard error %q", line, err, brief(stderr.String()))
	}
	open, err := procfs.Descriptors(c.Process.Pid)
	if err != nil {
		return nil, unreadable(err)
	}
	for fd, target := range open {
		if strings.HasPrefix(target, snapshotLink) {
			s.file = fmt.Sprintf("/proc/%d/fd/%d", c.Process.Pid, fd)
			return s, nil
		}
	}
	return nil, violated("the host has no file %s open; it has %v", snapshotLink, open)
}

// endWithin waits for a process that was told to end, and kills one that does not.
func endWithin(c *exec.Cmd) error {
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	timeout := time.NewTimer(closeTimeout)
	defer timeout.Stop()
	select {
	case err := <-ended:
		return err
	case <-timeout.C:
		return errors.Join(fmt.Errorf("the host did not end within %v", closeTimeout), c.Process.Kill(), <-ended)
	}
}
