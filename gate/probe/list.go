package probe

// This file owns the list of probes, on every platform. What each does is in a
// map from names to functions, in the file named above its group.

// Group is what belongs together.
type Group struct {
	// Name is unique among groups.
	Name   string
	Probes []Probe
}

// Groups returns every group, in a fixed order.
func Groups() []Group {
	return []Group{
		{"files", files}, {"file-changes", fileChanges}, {"network", network}, {"processes", processes}, {"others", others},
		{"code", code}, {"surface", surface}, {"privileges", privileges}, {"system", system}, {"consumption", consumption}, {"core", core},
	}
}

// The capabilities that some probes need where nothing is sealed. See capabilities(7).
const (
	capReadSearch     = 2
	capSetGroup       = 6
	capSetUser        = 7
	capRawNetwork     = 13
	capRoot           = 18
	capAccounting     = 20
	capAdministration = 21
	capReboot         = 22
	capPriority       = 23
	capLog            = 34
)

// files_linux.go
var files = []Probe{
	{Name: "open-existing", Title: "open an existing file", Source: "N01"},
	{Name: "open-existing-anew", Title: "open an existing file with the newer call (openat2)", Source: "N01"},
	{Name: "open-through-root-link", Title: "open a file through the link to its root in /proc", Source: "own"},
	{Name: "own-environment-file", Title: "read its environment from /proc", Source: "K10"},
	{Name: "own-memory-file", Title: "write to its memory through /proc, past the protection of pages", Source: "K10"},
	{Name: "own-memory-of-a-thread", Title: "write to its memory through the list of its threads", Source: "own"},
	{Name: "read-link", Title: "read where a symbolic link leads", Source: "own"},
	{Name: "stat-file", Title: "learn that a file exists", Source: "own"},
	{Name: "stat-file-anew", Title: "learn that a file exists with the newer call (statx)", Source: "own"},
	{Name: "access-file", Title: "ask whether it may use a file", Source: "own"},
	{Name: "list-root", Title: "list the root folder", Source: "own"},
	{Name: "file-system-facts", Title: "learn about a mounted file system", Source: "own"},
	{Name: "change-folder", Title: "change its working folder", Source: "own"},
	{Name: "watch-folder", Title: "watch a folder for changes (inotify)", Source: "own"},
	{Name: "open-by-handle", Title: "open a file by its handle, past all folders", Source: "own", Needs: capReadSearch},
	{Name: "watch-file-system", Title: "watch a whole file system (fanotify)", Source: "own", Needs: capAdministration},
}

// file_changes_linux.go
var fileChanges = []Probe{
	{Name: "create-file", Title: "create a file", Source: "N01"},
	{Name: "write-existing", Title: "write to an existing file", Source: "N01"},
	{Name: "truncate-file", Title: "truncate a file", Source: "own"},
	{Name: "delete-file", Title: "delete a file", Source: "own"},
	{Name: "rename-file", Title: "rename a file", Source: "own"},
	{Name: "make-folder", Title: "make a folder", Source: "own"},
	{Name: "link-file", Title: "link to a file", Source: "own"},
	{Name: "make-symbolic-link", Title: "make a symbolic link", Source: "own"},
	{Name: "change-mode", Title: "change the mode of a file", Source: "own"},
	{Name: "set-times", Title: "change the times of a file", Source: "own"},
	{Name: "make-pipe-file", Title: "make a named pipe", Source: "own"},
}

// network_linux.go
var network = []Probe{
	{Name: "connect-loopback", Title: "connect to a TCP port of this machine", Source: "N01"},
	{Name: "send-datagram", Title: "send a datagram to this machine", Source: "own"},
	{Name: "listen-loopback", Title: "bind a TCP port and listen", Source: "own"},
	{Name: "socket-inet6", Title: "make an IPv6 socket", Source: "own"},
	{Name: "connect-unix", Title: "connect to a UNIX-domain socket by its path", Source: "N01"},
	{Name: "connect-abstract", Title: "connect to a UNIX-domain socket that is in no folder", Source: "own"},
	{Name: "socket-pair", Title: "make a pair of sockets", Source: "own"},
	{Name: "socket-netlink", Title: "speak to the kernel's network configuration (netlink)", Source: "own"},
	{Name: "socket-vsock", Title: "make a socket to the hypervisor", Source: "own"},
	{Name: "socket-packet", Title: "make a socket that sees all packets", Source: "own", Needs: capRawNetwork},
	{Name: "socket-raw", Title: "make a raw IP socket", Source: "own", Needs: capRawNetwork},
	{Name: "pass-descriptor", Title: "pass a descriptor to its parent over the channel", Source: "own"},
	{Name: "take-message", Title: "receive from the channel by a call that could take descriptors", Source: "own"},
	{Name: "channel-options", Title: "change the options of its channel's socket", Source: "own"},
}

// processes_linux.go
var processes = []Probe{
	{Name: "fork", Title: "fork", Source: "N01 K11"},
	{Name: "vfork", Title: "vfork", Source: "K11"},
	{Name: "clone-process", Title: "make a process by clone", Source: "K11"},
	{Name: "clone-process-anew", Title: "make a process by clone3, whose flags no filter can see", Source: "K11"},
	{Name: "clone-sharing", Title: "make a process by clone that shares its memory but is no thread", Source: "own"},
	{Name: "clone-untraceable", Title: "make a thread with a flag that threads do not need (CLONE_UNTRACED)", Source: "own"},
	{Name: "execute-file", Title: "execute a file", Source: "N01", Executes: true},
	{Name: "execute-itself", Title: "execute its own binary through the list of its threads", Source: "own", Executes: true},
	{Name: "execute-memory", Title: "execute a program that it wrote to memory (memfd_create, execveat)", Source: "N01", Executes: true},
	{Name: "memory-file", Title: "make a file in memory", Source: "N01"},
}

// others_linux.go
var others = []Probe{
	{Name: "signal-parent", Title: "signal its parent", Source: "N01"},
	{Name: "signal-parent-thread", Title: "signal a thread of its parent", Source: "own"},
	{Name: "queue-signal-to-parent", Title: "queue a signal with a value to its parent", Source: "own"},
	{Name: "open-parent", Title: "get a descriptor of its parent (pidfd_open)", Source: "own"},
	{Name: "take-parents-descriptor", Title: "take a descriptor from its parent (pidfd_getfd)", Source: "own"},
	{Name: "read-parents-memory", Title: "read its parent's memory (process_vm_readv)", Source: "K10"},
	{Name: "write-parents-memory", Title: "write to its parent's memory (process_vm_writev)", Source: "K10"},
	{Name: "trace-parent", Title: "trace its parent (ptrace)", Source: "N01 K10"},
	{Name: "parents-memory-file", Title: "read its parent's memory through /proc", Source: "K10"},
	{Name: "parents-environment-file", Title: "read its parent's environment through /proc", Source: "K10"},
	{Name: "parents-limits", Title: "read its parent's limits", Source: "own"},
	{Name: "parents-session", Title: "learn its parent's session", Source: "own"},
	{Name: "parents-group", Title: "learn its parent's process group", Source: "own"},
	{Name: "parents-priority", Title: "learn its parent's priority", Source: "own"},
	{Name: "parents-processors", Title: "learn which processors its parent may use", Source: "own"},
	{Name: "parents-scheduling", Title: "learn how its parent is scheduled", Source: "own"},
	{Name: "parents-clock", Title: "read its parent's processor time", Source: "own"},
	{Name: "parents-locks", Title: "learn where its parent keeps its locks (get_robust_list)", Source: "own"},
	{Name: "compare-parent", Title: "compare kernel objects of its parent (kcmp)", Source: "own"},
	{Name: "owner-of-signals", Title: "name its parent as the receiver of its channel's signals", Source: "own"},
	{Name: "hosts-memory-segment", Title: "reach a System V memory segment of the host", Source: "own"},
}

// code_linux.go
var code = []Probe{
	{Name: "map-executable", Title: "map memory that can be written and executed", Source: "N01"},
	{Name: "map-executable-only", Title: "map memory that can be executed", Source: "own"},
	{Name: "make-executable", Title: "make written memory executable", Source: "N01"},
	{Name: "make-executable-by-key", Title: "make written memory executable with a protection key", Source: "own"},
	{Name: "make-stack-executable", Title: "make memory that grows executable", Source: "own"},
	{Name: "map-file-executable", Title: "map a file in memory as code", Source: "own"},
	{Name: "segment-executable", Title: "attach a shared segment as code", Source: "own"},
	{Name: "reading-implies-executing", Title: "switch to a personality in which readable memory is executable", Source: "own"},
}

// surface_linux.go
var surface = []Probe{
	{Name: "io-uring", Title: "use io_uring", Source: "N01"},
	{Name: "asynchronous-io", Title: "use asynchronous I/O (io_setup)", Source: "own"},
	{Name: "performance-events", Title: "use performance events", Source: "own"},
	{Name: "page-faults", Title: "handle its own page faults (userfaultfd)", Source: "own"},
	{Name: "lending-locks", Title: "use locks that lend priority (futex)", Source: "own"},
	{Name: "add-key", Title: "keep a key in the kernel", Source: "own"},
	{Name: "key-ring", Title: "use a key ring of the kernel", Source: "own"},
	{Name: "memory-segment", Title: "make a System V memory segment", Source: "own"},
	{Name: "semaphores", Title: "make System V semaphores", Source: "own"},
	{Name: "message-queue", Title: "make a System V message queue", Source: "own"},
	{Name: "named-message-queue", Title: "make a POSIX message queue", Source: "own"},
	{Name: "timer", Title: "make a timer", Source: "own"},
	{Name: "timer-descriptor", Title: "make a timer with a descriptor", Source: "own"},
	{Name: "event-descriptor", Title: "make a descriptor for events", Source: "own"},
	{Name: "event-poll", Title: "make another descriptor to poll with (epoll)", Source: "own"},
	{Name: "signal-descriptor", Title: "make a descriptor for signals", Source: "own"},
	{Name: "pipe", Title: "make a pipe", Source: "own"},
	{Name: "control-device", Title: "send a control command to a descriptor (ioctl)", Source: "own"},
	{Name: "move-between-descriptors", Title: "move bytes between descriptors within the kernel (splice)", Source: "own"},
	{Name: "local-descriptors", Title: "change the processor's table of segments", Source: "own"},
	{Name: "rules-of-its-own", Title: "make a Landlock rule set", Source: "own"},
	{Name: "filter-of-its-own", Title: "put another system-call filter in force", Source: "own"},
	{Name: "system-log", Title: "ask for the kernel's log", Source: "own", Needs: capLog},
	{Name: "kernel-program", Title: "load data for a program in the kernel (bpf)", Source: "own", Needs: capAdministration},
}

// privileges_linux.go
var privileges = []Probe{
	{Name: "dumpable", Title: "let others of its user trace it and read its memory", Source: "K10"},
	{Name: "seen-dumpable", Title: "be traced by others of its user", Source: "K10"},
	{Name: "gains-by-execve", Title: "gain rights by executing a program", Source: "own"},
	{Name: "outlive-parent", Title: "turn off the signal at its parent's death", Source: "K04"},
	{Name: "adopt-orphans", Title: "become the parent of processes whose parent ends", Source: "own"},
	{Name: "keep-capabilities", Title: "keep capabilities when it changes its user", Source: "own"},
	{Name: "user-namespace", Title: "make a user namespace, in which it would be root", Source: "own"},
	{Name: "user-namespace-anew", Title: "make a user namespace by clone3", Source: "own"},
	{Name: "join-namespace", Title: "join a namespace", Source: "own"},
	{Name: "set-capabilities", Title: "set its capabilities", Source: "own"},
	{Name: "gain-capability", Title: "gain a capability", Source: "own", Needs: capAdministration},
	{Name: "become-root", Title: "become root", Source: "own", Needs: capSetUser},
	{Name: "become-another-user", Title: "become another user", Source: "own", Needs: capSetUser},
	{Name: "leave-groups", Title: "change its groups", Source: "own", Needs: capSetGroup},
	{Name: "raise-priority", Title: "raise its priority", Source: "own", Needs: capPriority},
	{Name: "real-time", Title: "be scheduled before all others", Source: "own", Needs: capPriority},
	{Name: "choose-processors", Title: "choose the processors it runs on", Source: "own"},
	{Name: "input-priority", Title: "change the priority of its input and output", Source: "own"},
}

// system_linux.go
var system = []Probe{
	{Name: "mount", Title: "mount a file system in a namespace of its own", Source: "own", Needs: capAdministration},
	{Name: "mount-call", Title: "have the kernel look at a mount", Source: "own"},
	{Name: "mount-anew", Title: "prepare a mount with the newer call (fsopen)", Source: "own", Needs: capAdministration},
	{Name: "unmount", Title: "unmount a file system", Source: "own"},
	{Name: "copy-mounts", Title: "leave the namespace of its mounts", Source: "own", Needs: capAdministration},
	{Name: "change-root", Title: "change its root folder", Source: "own", Needs: capRoot},
	{Name: "swap-root", Title: "swap its root file system", Source: "own", Needs: capAdministration},
	{Name: "reboot", Title: "reboot the machine", Source: "own", Needs: capReboot},
	{Name: "host-name", Title: "change the machine's name", Source: "own", Needs: capAdministration},
	{Name: "set-clock", Title: "set the machine's clock", Source: "own"},
	{Name: "tune-clock", Title: "tune the machine's clock", Source: "own"},
	{Name: "swap-space", Title: "add swap space", Source: "own", Needs: capAdministration},
	{Name: "quotas", Title: "manage disk quotas", Source: "own"},
	{Name: "accounting", Title: "write a record of all processes", Source: "own", Needs: capAccounting},
}

// consumption_linux.go
var consumption = []Probe{
	{Name: "many-descriptors", Title: "open descriptors without end", Source: "K12"},
	{Name: "many-processes", Title: "start processes without end", Source: "K11"},
	{Name: "many-threads", Title: "start threads without end", Source: "K11"},
	{Name: "write-beyond-limit", Title: "make a file longer than its limit", Source: "K12"},
	{Name: "lock-memory", Title: "lock memory", Source: "own"},
	{Name: "lock-memory-by-mapping", Title: "map memory that is locked", Source: "own"},
	{Name: "shared-memory-beyond-limit", Title: "map shared memory, which its limit of memory does not count", Source: "own"},
	{Name: "growing-memory-beyond-limit", Title: "map memory that grows, which its limit of memory does not count", Source: "own"},
	{Name: "raise-open-files", Title: "raise its limit of descriptors", Source: "K12"},
	{Name: "raise-processes", Title: "raise its limit of processes", Source: "K12"},
	{Name: "raise-file-size", Title: "raise its limit of a file's length", Source: "K12"},
	{Name: "raise-core-size", Title: "raise its limit of a core dump", Source: "K12"},
	{Name: "raise-by-old-call", Title: "change a limit with the older call (setrlimit)", Source: "own"},
}

// core_linux.go
var core = []Probe{
	{Name: "dump-core", Title: "leave a core dump", Source: "K12", Dumps: true},
}
