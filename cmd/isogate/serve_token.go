package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/server"
)

// This file owns the command token.

func newTokenCommand(s streams) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "token TENANT",
		Short: "Make a token for a caller of serve",
		Long: `Make a token for callers that work for TENANT, and print it. It is nowhere kept: a
server's file of tokens has its hash only.

With --file the line for it is added to that file, which is made with mode 0600 if it is
not there; a server that runs reads it again on SIGHUP. Otherwise the line is printed
to standard error.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("token takes the name of one tenant")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			token, line, err := server.NewToken(args[0])
			if err != nil {
				return err
			}
			if file != "" {
				err = appendLine(file, line)
			} else {
				_, err = fmt.Fprintln(s.err, line)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(s.out, token)
			return err
		},
	}
	cmd.Flags().StringVar(&file, "file", "", "the `FILE` to which the line with the hash is added")
	return cmd
}

// appendLine adds a line to a file that only its owner may read.
func appendLine(name, line string) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(line + "\n")
	return errors.Join(err, file.Close())
}
