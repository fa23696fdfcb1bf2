package main

import "testing"

// TestSealingFlag checks the levels of measures on the command line: a measure
// that cannot be reached matters only when it is required.
func TestSealingFlag(t *testing.T) {
	for _, test := range []struct{ value, stderr string }{
		{"landlock", "--sealing landlock: it must be MEASURE=LEVEL"},
		{"moat=required", "--sealing moat=required: there is no measure \"moat\"; there are user_namespace, "},
		{"landlock=never", "--sealing landlock=never: landlock is \"never\"; it must be required, wanted or off"},
	} {
		for _, command := range [][]string{{"run", "-"}, {"doctor"}} {
			got := isogate(t, invocation{args: append(command, "--sealing", test.value), stdin: "() => 1"})
			got.wantStatus(t, statusUsage)
			got.wantStderr(t, test.stderr)
		}
	}
	// Without a namespace of users there is none to count processes in.
	without := []string{"run", "-", "--sealing", "user_namespace=off"}
	got := isogate(t, invocation{args: without, stdin: "() => 1"})
	got.wantStatus(t, statusValue)
	isogate(t, invocation{args: append(without, "--sealing", "processes=required"), stdin: "() => 1"}).
		wantFailure(t, statusExecutor, `it is not sealed with "processes", which the configuration requires: `)
}
