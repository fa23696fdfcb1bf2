package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

// This file owns the command line as a whole: the root command and the texts
// that all commands share.

const exitStatusHelp = `Exit status:
  0    the program ended with a value
  1    the program is at fault: it threw, does not parse, stalled, …
  2    usage: a bad flag, file, input or request; nothing was executed
  3    the program passed a limit
  4    the executor is at fault or could not be started
  130  interrupted (Ctrl-C)`

func newRootCommand(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "isogate",
		Short: "Run programs that nobody has reviewed",
		Long: `isogate runs JavaScript and TypeScript programs that nobody has reviewed, each in a
fresh V8 isolate inside a sealed child process. A program has no files, no network
and no clock beyond its limits; it can call the tools it is given, and nothing else.

` + exitStatusHelp,
		Example: `  echo '({name}) => "hello " + name' | isogate run - --input '{"name":"you"}'
  isogate doctor`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return errors.New("there is no command " + strings.TrimSpace(args[0]))
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error {
			return errors.New("no command given; isogate --help lists them")
		},
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.AddCommand(newRunCommand(s), newServeCommand(s), newReadyCommand(), newTokenCommand(s), newDoctorCommand(s), newVersionCommand())
	return root
}
