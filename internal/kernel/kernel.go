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
	// Purpose says what it is good for. Which measures a child takes is reported
	// by the child.
	Purpose string `json:"purpose"`
}

// Features asks the kernel for every feature, in a fixed order. It changes
// nothing that outlives the call and may be called from any goroutine.
func Features() []Feature { return features() }

// purposes are the features in order, with what each is for.
var purposes = []struct{ name, purpose string }{
	{"landlock", "can take the file system from a child"},
	{"seccomp", "can take system calls from a child"},
	{"user namespaces", "can take the network and other processes from a child"},
	{"cgroup v2", "can bound the memory of a whole child"},
	{"memfd", "hands the snapshot to a child, read-only"},
}
