package native

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns a child that is played and takes no measure, but reports what a
// file beside its script says. For the rest it is a hostile child.

// reportingArgument is argument 1 of its process, see hostileArgument.
const reportingArgument = "isogate-reporting-child"

func init() {
	if len(os.Args) < 2 || os.Args[1] != reportingArgument {
		return
	}
	// Whatever it is started with, it must not go on to be the program that links it.
	if len(os.Args) < 7 {
		os.Exit(child.ExitUsage)
	}
	os.Exit(reportingMain(os.Args[2], os.Args[3:]))
}

// reportingMain runs a child. script is the path of its script, args are those of a
// child, from the role on.
func reportingMain(script string, args []string) int {
	if args[0] != child.RoleServe {
		return becomeChild(args)
	}
	var r report
	text, err := os.ReadFile(filepath.Join(filepath.Dir(script), reportFile))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "reporting child:", err)
		return 1
	}
	return serveHostile(&protocol.Welcome{Sealed: r.Sealed, Unsealed: r.Unsealed})
}
