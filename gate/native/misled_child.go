package native

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/isogate/isogate/pool/child"
)

// This file owns a process that is started as a child, changes what it was given of
// the snapshot, and becomes a real child with that.

// misledArgument is argument 1 of the process, see hostileArgument; misledFile is
// the file beside its script that says what it changes.
const (
	misledArgument = "isogate-misled-child"
	misledFile     = "mislead"
)

// What it can change.
const (
	handedItsOwn   = "nothing"
	toldOfAnother  = "the digest"
	handedAnother  = "a bit"
	handedAShorter = "the end"
	handedNone     = "everything"
)

func init() {
	if len(os.Args) < 2 || os.Args[1] != misledArgument {
		return
	}
	// Whatever it is started with, it must not go on to be the program that links it.
	if len(os.Args) < 7 {
		os.Exit(child.ExitUsage)
	}
	os.Exit(misledMain(os.Args[2], os.Args[3:]))
}

// misledMain becomes a child. script is the path of its script, args are those of a
// child, from the role on; the last is the digest.
func misledMain(script string, args []string) int {
	if args[0] != child.RoleServe {
		return becomeChild(args)
	}
	how, err := os.ReadFile(filepath.Join(filepath.Dir(script), misledFile))
	if err == nil {
		err = mislead(string(how), args)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "misled child:", err)
		return 1
	}
	return becomeChild(args)
}

// mislead changes the arguments, or the file.
func mislead(how string, args []string) error {
	// By its path: a file made of the descriptor would close it some time.
	snapshot, err := os.ReadFile(fmt.Sprintf("/proc/self/fd/%d", child.Snapshot))
	if err != nil {
		return err
	}
	last := len(args) - 1
	if args[last] != child.Digest(snapshot) {
		return fmt.Errorf("it was told the digest %s of a snapshot with the digest %s", args[last], child.Digest(snapshot))
	}
	switch how {
	case handedItsOwn:
		return nil
	case toldOfAnother:
		args[last] = child.Digest(append(snapshot, 0))
		return nil
	case handedAnother:
		snapshot[len(snapshot)/2] ^= 1
		return otherFile(child.Snapshot, snapshot)
	case handedAShorter:
		return otherFile(child.Snapshot, snapshot[:len(snapshot)/2])
	case handedNone:
		return otherFile(child.Snapshot, nil)
	}
	return fmt.Errorf("there is no way %q to mislead it", how)
}
