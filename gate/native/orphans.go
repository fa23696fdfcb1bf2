package native

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attacks that would leave processes behind.

var orphans = []Attack{
	{Name: "close-while-running", Source: "own", Title: "Close ends every child, also one that runs a program, and every caller gets a fault", Run: closeWhileRunning},
	{Name: "parent-killed", Source: "K04", Title: "children do not outlive a parent that is killed, whatever they run", Run: parentKilled},
	{Name: "zombies-after-crashes", Source: "K06", Title: "no crashed child is left as a zombie", Run: zombiesAfterCrashes},
}

// ended demands that the process is gone. It waits for a zombie that has become
// a child of this process, which adopts orphans.
func ended(pid int) error {
	p, err := procfs.Read(pid)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ESRCH):
		return nil
	case err != nil:
		return unreadable(err)
	case p.Zombie() && p.Parent == os.Getpid():
		var status syscall.WaitStatus
		_, _ = syscall.Wait4(pid, &status, syscall.WNOHANG, nil) // whether it is gone is seen at the next look
	}
	return violated("process %d (%s, child of %d, state %c) is still there", pid, p.Name, p.Parent, p.State)
}

func closeWhileRunning(ctx context.Context, h *Host) error {
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 2}})
	if err != nil {
		return err
	}
	pids := readyPIDs(e)
	inside := make(chan struct{}, 1)
	outcome := make(chan *protocol.Result, 1)
	go func() {
		outcome <- h.execute(ctx, e, executor.Request{
			Source: `async () => { await tools.enter(); for (;;) {} }`,
			Tools:  executor.Tools{"tools": {"enter": func(context.Context, []any) (any, error) { inside <- struct{}{}; return nil, nil }}},
		})
	}()
	select {
	case <-inside:
	case result := <-outcome:
		return violated("the endless program ended early: %v", result.Fault)
	}
	start := time.Now()
	if err := closeWithin(e); err != nil {
		return violated("Close failed: %v", err)
	}
	h.Note("Close took %v", time.Since(start).Round(time.Millisecond))
	for _, pid := range pids {
		if _, err := procfs.Read(pid); !errors.Is(err, fs.ErrNotExist) {
			if errors.Is(err, procfs.ErrUnsupported) {
				return unreadable(err)
			}
			return violated("child %d is there after Close", pid)
		}
	}
	select {
	case result := <-outcome:
		return wantFault("the program that ran during Close", result, protocol.CodeUnavailable, protocol.CodeCancelled, protocol.CodeDraining)
	case <-time.After(5 * time.Second):
		return violated("the caller of the program that ran during Close got no answer within 5 s")
	}
}

// victimArgument is argument 1 of a process that plays a host which is killed.
const victimArgument = "isogate-victim-parent"

func init() {
	if len(os.Args) == 2 && os.Args[1] == victimArgument {
		os.Exit(victimMain())
	}
}

// victimMain starts two children, has both run endless programs, prints their
// process ids on one line and waits to be killed.
func victimMain() int {
	e, err := executor.New(context.Background(), playedConfig(pool.Config{Size: 2}))
	if err != nil {
		fmt.Fprintln(os.Stderr, "victim:", err)
		return 1
	}
	inside := make(chan struct{}, 2)
	limits := protocol.Limits{Wall: 5 * time.Minute, CPU: 5 * time.Minute}
	enter := executor.Tools{"tools": {"enter": func(context.Context, []any) (any, error) { inside <- struct{}{}; return nil, nil }}}
	for _, source := range []string{
		`async () => { await tools.enter(); for (;;) {} }`,
		// Nothing inside V8 can interrupt this one.
		`async () => { await tools.enter(); Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1) }`,
	} {
		go e.Execute(context.Background(), executor.Request{Source: source, Limits: limits, Tools: enter})
		<-inside
	}
	for _, child := range e.Stats().Children {
		if child.Busy {
			fmt.Print(child.PID, " ")
		}
	}
	fmt.Println()
	select {}
}

func parentKilled(ctx context.Context, h *Host) error {
	victim := exec.CommandContext(ctx, h.Binary, victimArgument)
	victim.Stderr = os.Stderr
	victim.Env = h.playing(os.Environ())
	out, err := victim.StdoutPipe()
	if err != nil {
		return err
	}
	if err := victim.Start(); err != nil {
		return err
	}
	text, err := bufio.NewReader(out).ReadString('\n')
	var pids []int
	for _, field := range strings.Fields(text) {
		pid, convErr := strconv.Atoi(field)
		err = errors.Join(err, convErr)
		pids = append(pids, pid)
	}
	alive := 0
	for _, pid := range pids {
		if _, err := procfs.Read(pid); err == nil {
			alive++
		}
	}
	killErr := victim.Process.Kill()
	_ = victim.Wait() // it was killed, which Wait calls an error
	if err != nil || killErr != nil || len(pids) != 2 || alive != 2 {
		return fmt.Errorf("the victim printed %q (%d of its children alive): %w", text, alive, errors.Join(err, killErr))
	}
	start := time.Now()
	err = eventually(ctx, 5*time.Second, func() error { return errors.Join(ended(pids[0]), ended(pids[1])) })
	h.Note("both children ended within %v of their parent's death", time.Since(start).Round(time.Millisecond))
	if err != nil {
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL) // leave none behind ourselves
		}
		return violated("children outlive their parent by 5 s: %v", err)
	}
	return nil
}

func zombiesAfterCrashes(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	const crashes = 6
	var dead []int
	for range crashes {
		pid, err := childPID(ctx, e)
		if err != nil {
			return err
		}
		if err := h.killAndSee(ctx, e, pid); err != nil {
			return err
		}
		dead = append(dead, pid)
		if err := h.probe(ctx, "after a kill", e); err != nil {
			return err
		}
	}
	return eventually(ctx, 3*time.Second, func() error {
		for _, pid := range dead {
			p, err := procfs.Read(pid)
			if errors.Is(err, procfs.ErrUnsupported) {
				return unreadable(err)
			}
			if err == nil && p.Parent == os.Getpid() && p.Zombie() {
				return violated("the killed child %d is a zombie", pid)
			}
		}
		return nil
	})
}
