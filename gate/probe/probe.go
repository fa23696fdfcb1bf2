// Package probe holds what native code would try once it has taken over a child:
// files, the network, other processes, new processes, code in memory, parts of
// the kernel that no program needs, rights, and more of everything.
//
// Each probe makes the system calls themselves, on a thread of its own, and
// returns what the kernel answered. None does harm where it succeeds: signals are
// number 0, files lie in a folder made for the purpose, sockets lead to this
// machine only, mounts are made in a namespace that ends with the thread, what is
// made in numbers is bounded and undone, and a call that could change the machine
// has arguments that cannot take effect.
//
// The package is for package gate/native, whose victims run probes before and
// after sealing. No command that runs programs links it.
package probe

import (
	"fmt"
	"os"
	"runtime"
)

// This file owns what a probe is, what it works on and what it answers.

// Probe is one thing that native code tries.
type Probe struct {
	// Name is unique, Title completes "native code cannot …".
	Name, Title string
	// Source says where the idea comes from: an id of a catalogue, or "own".
	Source string
	// Needs is the number of the capability without which the probe is refused to
	// everybody, sealed or not; 0 for none.
	Needs int
	// Executes says that the probe succeeds by replacing the process by one that
	// ends with [ExitExecuted].
	Executes bool
	// Dumps says that the probe succeeds by ending the process with a core dump in
	// Target.Directory.
	Dumps bool
}

// Target is what probes work on. It travels to the victim as JSON.
type Target struct {
	// Parent is a process of the host that may be looked at: the victim's parent.
	Parent int `json:"parent"`
	// Address is where the parent's memory holds Marker, Spare where it has as many
	// bytes that nobody uses.
	Address uint64 `json:"address"`
	Spare   uint64 `json:"spare"`
	Marker  string `json:"marker"`
	// Descriptor is a file that the parent has open.
	Descriptor int `json:"descriptor"`
	// Directory is a folder that everybody may write to. It holds the file
	// [Existing].
	Directory string `json:"directory"`
	// Port is that of a listener on 127.0.0.1, Socket the path of a UNIX-domain
	// listener, Abstract the name of another that is in no folder, without its "@".
	Port     int    `json:"port"`
	Socket   string `json:"socket"`
	Abstract string `json:"abstract"`
	// Segment is the number of a System V memory segment of the host.
	Segment int `json:"segment"`
	// Binary is a program that links this package.
	Binary string `json:"binary"`
}

// Existing is the name of a file in Target.Directory.
const Existing = "existing"

// Answer is what came of a probe in a process that outlived it. Exactly one of OK,
// Errno, State and Broken is set.
type Answer struct {
	// OK says what was reached.
	OK string `json:"ok,omitempty"`
	// Call is the system call that was refused and Errno the name of its error.
	Call  string `json:"call,omitempty"`
	Errno string `json:"errno,omitempty"`
	// State says why nothing was reached although no call was refused.
	State string `json:"state,omitempty"`
	// Broken says that the probe itself could not be carried out.
	Broken string `json:"broken,omitempty"`
}

// Reached reports that the probe succeeded.
func (a Answer) Reached() bool { return a.OK != "" }

// Refused reports that the kernel did not give what was tried.
func (a Answer) Refused() bool { return a.Errno != "" || a.State != "" }

// Lacking reports that the kernel says it has no such thing. In a process that is
// not sealed this is no protection.
func (a Answer) Lacking() bool {
	switch a.Errno {
	case "ENOSYS", "EAFNOSUPPORT", "EPROTONOSUPPORT", "EOPNOTSUPP":
		return true
	}
	return false
}

// String describes the answer in a few words.
func (a Answer) String() string {
	switch {
	case a.OK != "":
		return "reached: " + a.OK
	case a.Errno != "":
		return a.Call + " is refused with " + a.Errno
	case a.State != "":
		return "refused: " + a.State
	}
	return "not carried out: " + a.Broken
}

// All returns every probe, in a fixed order.
func All() []Probe {
	var all []Probe
	for _, g := range Groups() {
		all = append(all, g.Probes...)
	}
	return all
}

// Find returns the probe with the given name.
func Find(name string) (Probe, bool) {
	for _, p := range All() {
		if p.Name == name {
			return p, true
		}
	}
	return Probe{}, false
}

// Run carries a probe out in this process, on a thread that ends with it. It may
// replace the process or end it.
func Run(name string, t Target) Answer {
	if _, ok := Find(name); !ok {
		return Answer{Broken: fmt.Sprintf("there is no probe %q", name)}
	}
	answer := make(chan Answer, 1)
	go func() {
		// Never unlocked: what a probe changes of its thread ends with the thread.
		runtime.LockOSThread()
		answer <- perform(name, &t)
	}()
	return <-answer
}

const (
	// executedName is the name under which probes execute Target.Binary.
	executedName = "isogate-probe-executed"
	// ExitExecuted is the status with which a program that a probe executed ends.
	ExitExecuted = 93
)

func init() {
	if len(os.Args) > 0 && os.Args[0] == executedName {
		os.Exit(ExitExecuted)
	}
}
