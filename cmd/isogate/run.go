package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
	"github.com/spf13/cobra"
)

// This file owns the command run: its flags, its help and its course.

const runHelp = `Run one program and print its value.

FILE is the program, - reads it from standard input. Its text is either a script whose
value is a function, which is called with the input and may be async:

  async ({n}) => n + 1

or an ES module, whose default export is the value, or is called when it is a function.

The value goes to standard output as JSON, and nothing when it is undefined. What JSON
cannot hold (dates, maps, big integers, …) is written as codec text, JSON with one
escape form that docs/contract.md describes. Logs go to standard error as they happen.

A tool is a command that is run once for each call. It reads the call's argument as
JSON on standard input, without a newline: one argument as it is, none or several as
an array. What it writes to standard output is the reply as JSON; nothing means
undefined. When it exits with a status other than 0, the program gets an error whose
message is what the command wrote to standard error. A COMMAND of nothing but letters,
digits and /._-+@%:, is run directly, any other through sh -c. It inherits the
environment and the working directory; it and all it started are killed when it ends,
or when the program does.

Sizes are written as 64MiB or 512k (powers of 1024), 64MB (powers of 1000) or in bytes.

` + exitStatusHelp

const runExamples = `  # a program on standard input
  echo '({name}) => "hello " + name' | isogate run - --input '{"name":"you"}'

  # TypeScript, known by its name, with a library that it imports
  isogate run report.ts --module lib=lib.ts --input @orders.json

  # a tool
  echo 'async ({n}) => { let s = 0; for (let i = 0; i < n; i++) s = await tools.add({a: s, b: i}); return s }' |
    isogate run - --input '{"n":100}' --tool tools.add=./examples/add.sh

  # tighter bounds, and everything that is known about the run
  isogate run program.js --wall 2s --heap 32MiB --json`

const profileUsage = "`hardened` (no executable memory) or jit (faster at long computations)"

func newRunCommand(s streams) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:     "run FILE|-",
		Short:   "Run one program and print its value",
		Long:    runHelp,
		Example: runExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("run takes one program, a FILE or - for standard input; %d were given", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.hasInput = cmd.Flags().Changed("input")
			return run(cmd, f, args[0], s)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.input, "input", "", "what the program is called with, as `JSON`, or @FILE to read it from (default undefined)")
	flags.BoolVar(&f.codec, "codec", false, "read --input and the replies of tools as codec text, so that dates, big integers and the like can be given")
	flags.BoolVar(&f.typescript, "ts", false, "the program is TypeScript (default by the extensions .ts, .mts, .cts)")
	flags.StringVar(&f.form, "form", "", "`function` or module (default: a function when the text parses as a script)")
	flags.StringArrayVar(&f.modules, "module", nil, "a module that the program may import, as `NAME=FILE`; FILE.ts is TypeScript, FILE.json data; may be repeated")
	flags.StringVar(&f.timeZone, "time-zone", "", "the program's local time zone, a `NAME` of the IANA database (default UTC)")
	flags.StringArrayVar(&f.tools, "tool", nil, "a tool that the program may call, as `NS.NAME=COMMAND`; may be repeated")
	flags.StringSliceVar(&f.grants, "grant", nil, "a power that is off unless granted, `NAME`: "+grantNames()+"; may be repeated")
	flags.Var(&f.wall, "wall", fmt.Sprintf("limit of the wall clock (default %v)", protocol.DefaultLimits.Wall))
	flags.Var(&f.cpu, "cpu", fmt.Sprintf("limit of processor time (default %v)", protocol.DefaultLimits.CPU))
	flags.Var(&f.heap, "heap", fmt.Sprintf("limit of the heap (default %dMiB)", protocol.DefaultLimits.Heap>>20))
	flags.Var(&f.extra, "external", fmt.Sprintf("limit of the memory of ArrayBuffers (default %dMiB)", protocol.DefaultLimits.External>>20))
	flags.StringVar(&f.profile, "profile", sandbox.ProfileHardened, profileUsage)
	flags.StringArrayVar(&f.sealing, "sealing", nil, sealingUsage)
	flags.BoolVar(&f.json, "json", false, "print the whole result as JSON: value or fault, logs, tool calls, usage")
	return cmd
}

// run executes the program and prints what became of it. The error is a
// [protocol.Fault] when the program, its request or its execution failed.
func run(cmd *cobra.Command, f *runFlags, program string, s streams) error {
	show := newPrinter(s)
	result, err := execution(cmd.Context(), f, program, s.in, show)
	if err != nil {
		return err
	}
	if n := result.Usage.DroppedLogs; n > 0 {
		show.note("%d log entries were dropped: the limit is %d entries and %d bytes",
			n, protocol.DefaultLimits.LogEntries, protocol.DefaultLimits.LogBytes)
	}
	text := result.Value
	if f.json {
		if text, err = result.MarshalJSON(); err != nil {
			return &setupError{fmt.Errorf("the result cannot be written: %w", err)}
		}
	}
	if f.json || result.Fault == nil {
		if err := show.value(text); err != nil {
			return &setupError{fmt.Errorf("standard output: %w", err)}
		}
	}
	if result.Fault != nil {
		return result.Fault
	}
	return nil
}

// execution returns the result of the program, which for a request that breaks
// the contract is a fault and nothing more. The error is what kept the command
// from having a request or an executor at all.
func execution(ctx context.Context, f *runFlags, program string, in io.Reader, show *printer) (*protocol.Result, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	levels, err := sealingLevels(f.sealing)
	if err != nil {
		return nil, err
	}
	set := &commands{codec: f.codec, limit: protocol.DefaultLimits.Reply, show: show, end: end}
	request, err := f.request(program, in, set)
	var fault protocol.Fault
	if errors.As(err, &fault) {
		return &protocol.Result{Fault: fault}, nil
	}
	if err != nil {
		return nil, err
	}
	request.OnLog = show.log
	e, err := executor.New(ctx, executor.Config{Pool: pool.Config{Size: 1, Profile: f.profile, Sealing: levels}})
	if err != nil {
		return nil, &setupError{err}
	}
	defer e.Close()
	result, _ := e.Execute(ctx, request) // the error is result.Fault
	end(nil)
	set.running.Wait()
	return result, nil
}
