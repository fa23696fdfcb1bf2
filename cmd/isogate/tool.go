package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns tools that are commands: one process for each call, in its own
// process group, which ends with the call.

const (
	// stderrLimit bounds what is kept of a command's standard error, in bytes.
	stderrLimit = 64 << 10
	// commandGrace is how long a killed command's pipes may stay open.
	commandGrace = 250 * time.Millisecond
)

// commands are the tools of one run.
type commands struct {
	codec   bool  // replies are codec text rather than plain JSON
	limit   int64 // of one command's standard output, in bytes
	show    *printer
	end     func(error)    // ends the execution, with a fault as its outcome
	running sync.WaitGroup // the calls that have not ended
}

// command is one tool.
type command struct {
	name string // "namespace.tool"
	argv []string
	set  *commands
}

// tools reads --tool values, NS.NAME=COMMAND each, into what an executor takes.
func (c *commands) tools(specs []string) (executor.Tools, error) {
	out := executor.Tools{}
	for _, spec := range specs {
		name, text, found := strings.Cut(spec, "=")
		namespace, tool, dotted := strings.Cut(name, ".")
		if !found || !dotted {
			return nil, fmt.Errorf("--tool %q: write it as NAMESPACE.NAME=COMMAND", spec)
		}
		for _, part := range []string{namespace, tool} {
			if err := protocol.CheckIdentifier(part); err != nil {
				return nil, fmt.Errorf("--tool %s: %w", name, err)
			}
		}
		if _, twice := out[namespace][tool]; twice {
			return nil, fmt.Errorf("--tool %s: given twice", name)
		}
		argv, err := commandLine(text)
		if err != nil {
			return nil, fmt.Errorf("--tool %s: %w", name, err)
		}
		if out[namespace] == nil {
			out[namespace] = map[string]executor.Tool{}
		}
		out[namespace][tool] = (&command{name: name, argv: argv, set: c}).call
	}
	return out, nil
}

// plainWord are the characters of a command that is run directly.
const plainWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%:,"

// commandLine returns the arguments that run text: the file itself when text is
// a single plain word, looked up now, so that a missing one is found before
// anything runs; else the shell with text as its script.
func commandLine(text string) ([]string, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("the command is empty")
	}
	if strings.Trim(text, plainWord) != "" {
		return []string{"/bin/sh", "-c", text}, nil
	}
	path, err := exec.LookPath(text)
	if err != nil {
		var cause *exec.Error
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return nil, fmt.Errorf("command %s: %w", text, err)
	}
	return []string{path}, nil
}

// call runs the command once; it is an [executor.Tool].
func (c *command) call(ctx context.Context, args []any) (any, error) {
	c.set.running.Add(1)
	defer c.set.running.Done()
	input, err := arguments(args)
	if err != nil {
		return nil, err
	}
	output, err := c.run(ctx, input)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(output)) == 0 {
		return protocol.Undefined{}, nil
	}
	value, err := readValue(output, c.set.codec)
	if err != nil {
		return nil, fmt.Errorf("%s: the command's output: %w", c.name, err)
	}
	return value, nil
}

// arguments returns what a command reads: one argument as it is, any other
// number of them as an array.
func arguments(args []any) (protocol.Value, error) {
	if len(args) == 1 {
		return protocol.Encode(args[0], protocol.DefaultBounds)
	}
	if args == nil {
		args = []any{}
	}
	return protocol.Encode(args, protocol.DefaultBounds)
}

// run starts the command, waits for its end and returns its standard output.
func (c *command) run(ctx context.Context, input []byte) ([]byte, error) {
	stdout := &boundedBuffer{limit: c.set.limit, full: func() {
		size := protocol.Size{Limit: c.set.limit, Actual: c.set.limit + 1, AtLeast: true}
		c.set.end(&protocol.ReplyTooLarge{Size: size, Of: c.name})
	}}
	stderr := &boundedBuffer{limit: stderrLimit}

	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), stdout, stderr
	cmd.SysProcAttr = ownGroup()
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	cmd.WaitDelay = commandGrace
	runtime.LockOSThread() // see ownGroup
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	err := waitGroup(cmd)

	message := strings.TrimSpace(strings.ToValidUTF8(stderr.kept.String(), "\uFFFD"))
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil: // the execution is over, nobody reads this
		return nil, ctx.Err()
	case errors.As(err, &exit) && message != "":
		return nil, errors.New(message)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	if message != "" {
		c.set.show.prefixed(c.name, "", message)
	}
	return stdout.kept.Bytes(), nil
}

// boundedBuffer keeps the first limit bytes of what is written to it. It takes
// the rest without keeping it, so that the writer never blocks, and calls full,
// if that is set, when it first does so.
type boundedBuffer struct {
	// Not embedded: its ReadFrom would be used instead of Write.
	kept  bytes.Buffer
	limit int64
	full  func()
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	room := b.limit - int64(b.kept.Len())
	if int64(len(p)) <= room {
		return b.kept.Write(p)
	}
	b.kept.Write(p[:room])
	if b.full != nil {
		b.full()
		b.full = nil
	}
	return len(p), nil
}
