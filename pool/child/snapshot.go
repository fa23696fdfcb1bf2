package child

import (
	"os"

	"github.com/isogate/isogate/sandbox"
)

// This file owns the role snapshot.

// writeSnapshot builds the startup snapshot and writes it to the memory file.
func writeSnapshot(profile string) int {
	blob, err := sandbox.BuildSnapshot(profile)
	if err != nil {
		return fail(ExitSnapshot, "building the snapshot: "+err.Error())
	}
	if _, err := os.NewFile(Snapshot, "snapshot").Write(blob); err != nil {
		return fail(ExitSnapshot, "writing the snapshot: "+err.Error())
	}
	return 0
}
