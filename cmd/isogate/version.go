package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
	"github.com/spf13/cobra"
)

// This file owns the command version.

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of isogate, its protocol, the engine and Go",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "isogate %s\nprotocol %d\nV8 %s\n%s %s/%s\n",
				buildVersion(), protocol.Version, sandbox.EngineVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// buildVersion is the module's version, and the commit it was built from where
// the Go command recorded one.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			version += " " + s.Value
		}
	}
	return version
}
