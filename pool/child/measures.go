package child

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file owns the names of the sealing measures, what each is for, and the
// levels at which a configuration may ask for them. What they do is in
// sealing_linux.go and the files that it names.

// Level says what becomes of a child that does not reach a measure.
type Level string

const (
	// Required: a child without the measure is not used.
	Required Level = "required"
	// Wanted: the measure is taken where the kernel allows it, and its absence is reported.
	Wanted Level = "wanted"
	// Off: the measure is not taken.
	Off Level = "off"
)

// Measure is one step by which a child gives up a power.
type Measure struct {
	// Name is stable; configurations and reports use it.
	Name string
	// Default is the level where a configuration says nothing.
	Default Level
	// Purpose says in a few words what the measure takes from a child.
	Purpose string
	// Remedy says what an operator can do where it cannot be reached.
	Remedy string
}

// The names of the measures. The namespaces are made by the parent, when it
// starts the child; everything else is what the child does to itself.
const (
	UserNamespace    = "user_namespace"
	MountNamespace   = "mount_namespace"
	PIDNamespace     = "pid_namespace"
	NetworkNamespace = "network_namespace"
	IPCNamespace     = "ipc_namespace"

	ParentDeathSignal = "parent_death_signal"
	Descriptors       = "descriptors"
	Environment       = "environment"
	Directory         = "directory"
	NoNewPrivileges   = "no_new_privileges"
	NotDumpable       = "not_dumpable"
	CoreSize          = "core_size"
	FileSize          = "file_size"
	OpenFiles         = "open_files"

	RuntimeFiles = "runtime_files"
	Processes    = "processes"
	EmptyRoot    = "empty_root"
	Identity     = "identity"
	Capabilities = "capabilities"
	Landlock     = "landlock"
	SystemCalls  = "system_calls"
)

const (
	remedyNamespace = "allow this user to make user namespaces (user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns, " +
		"the container runtime's own system-call filter), or set the measure to wanted"
	remedyNone = "every supported kernel has it: look at the debug log for what refused it"
)

// measures are all measures, in the order in which they come into force.
var measures = []Measure{
	{UserNamespace, Wanted, "privileges of its own user database: it has none outside", remedyNamespace},
	{MountNamespace, Wanted, "a table of mounts of its own", remedyNamespace},
	{PIDNamespace, Wanted, "no sight of other processes; nothing it starts outlives it", remedyNamespace},
	{NetworkNamespace, Wanted, "no network interface", remedyNamespace},
	{IPCNamespace, Wanted, "no System V and POSIX message queues, semaphores and memory of others", remedyNamespace},

	{ParentDeathSignal, Required, "it is killed when its parent ends", remedyNone},
	{Descriptors, Required, "every descriptor it inherited beyond its own five is closed", remedyNone},
	{Environment, Required, "no environment variable", remedyNone},
	{Directory, Required, "its folder is /", remedyNone},
	{NoNewPrivileges, Required, "no program it starts gains rights", remedyNone},
	{NotDumpable, Required, "its user's other processes cannot read or trace it", remedyNone},
	{CoreSize, Required, "no core dump", remedyNone},
	{FileSize, Required, "no file can grow", remedyNone},
	{OpenFiles, Required, "few descriptors", remedyNone},

	{RuntimeFiles, Required, "files that the language runtime keeps open are closed", remedyNone},
	{Processes, Wanted, "few threads and processes", "it counts per user, so it needs user_namespace"},
	{EmptyRoot, Wanted, "an empty, read-only file system", "it needs mount_namespace and user_namespace, or a parent that is root"},
	{Identity, Wanted, "the user nobody instead of root", "run the parent as root with the users 0 and 65534, or as a user of its own"},
	{Capabilities, Required, "no capability, on any thread", remedyNone},
	{Landlock, Wanted, "no file, no TCP port, no signal to others", "boot a kernel of 5.13 or newer with landlock in lsm=, or set the measure to wanted"},
	{SystemCalls, Required, "no system call that it does not need: another one kills it", "use a kernel with CONFIG_SECCOMP_FILTER, and a container runtime that allows seccomp(2)"},
}

// Namespaces are the measures that the parent takes when it starts a child.
var Namespaces = []string{UserNamespace, MountNamespace, PIDNamespace, NetworkNamespace, IPCNamespace}

// Measures returns all measures of this version, in the order in which they come
// into force.
func Measures() []Measure { return append([]Measure(nil), measures...) }

// Levels returns a configuration that asks for every measure at that level.
func Levels(level Level) map[string]Level {
	levels := map[string]Level{}
	for _, m := range measures {
		levels[m.Name] = level
	}
	return levels
}

// FindMeasure returns the measure with that name.
func FindMeasure(name string) (Measure, bool) {
	for _, m := range measures {
		if m.Name == name {
			return m, true
		}
	}
	return Measure{}, false
}

// CheckLevels refuses levels of measures that do not exist, and levels that do not. The
// error is about the first by name, and says what there is.
func CheckLevels(levels map[string]Level) error {
	for _, name := range slices.Sorted(maps.Keys(levels)) {
		if _, ok := FindMeasure(name); !ok {
			var names []string
			for _, m := range measures {
				names = append(names, m.Name)
			}
			return fmt.Errorf("there is no measure %q; there are %s", name, strings.Join(names, ", "))
		}
		if level := levels[name]; !slices.Contains([]Level{Required, Wanted, Off}, level) {
			return fmt.Errorf("%s is %q; it must be %s, %s or %s", name, level, Required, Wanted, Off)
		}
	}
	return nil
}

// JoinMeasures returns the argument that tells a child which measures to take.
func JoinMeasures(names []string) string { return strings.Join(names, ",") }

// splitMeasures is the inverse of [JoinMeasures].
func splitMeasures(argument string) map[string]bool {
	taken := map[string]bool{}
	for name := range strings.SplitSeq(argument, ",") {
		if name != "" {
			taken[name] = true
		}
	}
	return taken
}
