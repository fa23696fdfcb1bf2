package native

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/isogate/isogate/gate/probe"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns the victim's own side: a process that the pool starts instead of
// a real child, that is sealed by the real child's own code, and then runs probes
// as native code. It stands for a child whose engine has fallen.

// probedArgument is argument 1 of a process that plays a victim, see hostileArgument.
const probedArgument = "isogate-victim"

// probePrefix opens the source of a request that names a probe.
const probePrefix = "probe "

func init() {
	if len(os.Args) < 2 || os.Args[1] != probedArgument {
		return
	}
	// Whatever it is started with, it must not go on to be the program that links it.
	if len(os.Args) < 7 {
		os.Exit(child.ExitUsage)
	}
	os.Exit(probedMain(os.Args[3:]))
}

// probedMain runs a child. args are those of a child, from the role on.
func probedMain(args []string) int {
	if args[0] != child.RoleServe {
		return becomeChild(args)
	}
	session, status := child.Begin(args)
	if session == nil {
		return status
	}
	for {
		message, err := session.Receive()
		if err != nil {
			return 0 // the parent is gone
		}
		switch m := message.(type) {
		case *protocol.Execute:
			result := &protocol.ResultMessage{Execution: m.Execution, Result: protocol.Result{Value: answerProbe(&m.Request)}}
			if err := session.Send(result); err != nil {
				return 1
			}
		case *protocol.Ping:
			if err := session.Send(&protocol.Pong{Nonce: m.Nonce}); err != nil {
				return 1
			}
		case *protocol.Drain:
			return 0
		}
	}
}

// answerProbe carries out the probe that the request names, with its input as the
// target, and returns the answer as a value.
func answerProbe(request *protocol.Request) protocol.Value {
	var answer probe.Answer
	var text string
	var target probe.Target
	err := json.Unmarshal([]byte(request.Input), &text)
	if err == nil {
		err = json.Unmarshal([]byte(text), &target)
	}
	name, ok := strings.CutPrefix(request.Source, probePrefix)
	switch {
	case err != nil:
		answer.Broken = err.Error()
	case !ok:
		answer.Broken = "the request names no probe"
	default:
		answer = probe.Run(name, target)
	}
	value, err := json.Marshal(answer)
	if err != nil {
		return protocol.Value(`{"broken":"the answer cannot be written"}`)
	}
	return protocol.Value(value)
}
