// Package kernel owns the list of operating-system features that sealing a
// child process can use, and finds out which of them this machine has. Each is
// found by asking the kernel for it, never by a version number.
package kernel

// Feature is one thing that the kernel may offer.
type Feature struct {
	// Name is short and stable: "landlock", "seccomp", "user namespaces",
	// "cgroup v2", "memfd".
	Name string `json:"name"`
	// Available reports that it can be used by this process, as it runs now.
	Available bool `json:"available"`
	// Detail says which version there is, or why there is none.
	Detail string `json:"detail"`
	// Purpose says what isogate uses it for.
	Purpose string `json:"purpose"`
}

// Features asks the kernel for every feature, in a fixed order. It changes
// nothing that outlives the call and may be called from any goroutine.
func Features() []Feature { return features() }

// purposes are the features in order, with what each is for.
var purposes = []struct{ name, purpose string }{
	{"landlock", "children without a file system"},
	{"seccomp", "children without the system calls they do not need"},
	{"user namespaces", "children without the network and other processes"},
	{"cgroup v2", "memory bounds of whole child processes"},
	{"memfd", "the snapshot, handed to children read-only"},
}
