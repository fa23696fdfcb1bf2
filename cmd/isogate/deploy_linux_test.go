package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// This file owns the tests that a deployment leaves children their sealing: what a
// unit or a container takes from a process is taken from one, which then seals a
// child.

// confinedVariable holds a confinement for the test binary, which then confines
// itself and becomes the command.
const confinedVariable = "ISOGATE_TEST_CONFINED"

// confinement is what a process is to give up.
type confinement struct {
	Allowed   []string // system calls; the others fail
	NoNewCode bool     // MemoryDenyWriteExecute
	Command   []string
}

func init() {
	if text := os.Getenv(confinedVariable); text != "" {
		fmt.Fprintln(os.Stderr, confine(text)) // it returns only when it fails
		os.Exit(1)
	}
}

// confine gives it up, on all threads, and becomes the command.
func confine(text string) error {
	var c confinement
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return err
	}
	if c.NoNewCode {
		// The kernel's own form of what systemd does by a filter, and no weaker.
		if err := unix.Prctl(unix.PR_SET_MDWE, unix.PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0); err != nil {
			return fmt.Errorf("PR_SET_MDWE: %w", err)
		}
	}
	info, err := arch.GetInfo("")
	if err != nil {
		return err
	}
	var known []string
	slices.Sort(c.Allowed)
	for _, name := range slices.Compact(c.Allowed) {
		if _, ok := info.SyscallNames[name]; ok {
			known = append(known, name)
		}
	}
	filter := seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{
		DefaultAction: seccomp.ActionErrno, // EPERM
		Syscalls:      []seccomp.SyscallGroup{{Action: seccomp.ActionAllow, Names: known}},
	}}
	if err := seccomp.LoadFilter(filter); err != nil {
		return err
	}
	// So that a filter that is not in force is noticed: no list has this one.
	if _, _, errno := syscall.Syscall(unix.SYS_ADD_KEY, 0, 0, 0); errno != unix.EPERM {
		return fmt.Errorf("the filter is not in force: add_key gave %v", errno)
	}
	return syscall.Exec(c.Command[0], c.Command, []string{})
}

// measured runs doctor as a user without any capability, after a command that changes
// mounts, under a confinement. It returns the measures that are not in force.
func measured(t *testing.T, mounts string, c confinement, sealing ...string) []string {
	t.Helper()
	dir, err := os.MkdirTemp("", "isogate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // another user runs them
		t.Fatal(err)
	}
	for from, to := range map[string]string{built(t): "isogate", must(os.Executable()): "test"} {
		if out, err := exec.Command("cp", from, filepath.Join(dir, to)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	c.Command = []string{filepath.Join(dir, "isogate"), "doctor", "--json"}
	for _, level := range sealing {
		c.Command = append(c.Command, "--sealing", level)
	}
	script := mounts + ` && exec setpriv --reuid 12345 --regid 12345 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$0"`
	cmd := exec.Command("unshare", "--mount", "--propagation", "private", "sh", "-c", script, filepath.Join(dir, "test"))
	cmd.Env, cmd.Dir = append(os.Environ(), confinedVariable+"="+string(must(json.Marshal(c)))), "/"
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		errors.As(err, &exit)
		t.Fatalf("%v: %s%s", err, out, exit.Stderr)
	}
	var d diagnosis
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var lacking []string
	for _, m := range d.Sealing {
		if !m.InForce {
			lacking = append(lacking, m.Name)
			t.Logf("%s: %s", m.Name, m.Reason)
		}
	}
	slices.Sort(lacking)
	return lacking
}

// needsRoot ends a test that cannot take anything from a process here.
func needsRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may mount a /proc with other options and become another user")
	}
	for _, tool := range []string{"unshare", "setpriv"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s on this machine", tool)
		}
	}
	if err := exec.Command("unshare", "--mount", "true").Run(); err != nil {
		t.Skipf("no mount namespace can be made here: %v", err)
	}
	// What a child lacks on this machine anyway is not the deployment's doing.
	if lacking := measured(t, "true", confinement{Allowed: everyCall(t)}); !slices.Equal(lacking, onlyIdentity) {
		t.Skipf("children of another user than root lack %v on this machine, without any confinement", lacking)
	}
}

// onlyIdentity is what a child lacks whose parent is not root: another user to be.
var onlyIdentity = []string{"identity"}

func everyCall(t *testing.T) []string {
	t.Helper()
	info, err := arch.GetInfo("")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(info.SyscallNames)), func(name string) bool { return name == "add_key" })
}

// callsOf returns the system calls of a group of systemd's, by its own word.
func callsOf(t *testing.T, name string) []string {
	t.Helper()
	if !strings.HasPrefix(name, "@") {
		return []string{name}
	}
	out, err := exec.Command("systemd-analyze", "syscall-filter", name).Output()
	if err != nil {
		t.Fatalf("systemd-analyze syscall-filter %s: %v", name, err)
	}
	var calls []string
	for line := range strings.Lines(string(out)) {
		if call := strings.TrimSpace(line); strings.HasPrefix(line, " ") && !strings.HasPrefix(call, "#") && call != "" {
			calls = append(calls, callsOf(t, call)...)
		}
	}
	if len(calls) == 0 {
		t.Fatalf("systemd has no group %s", name)
	}
	return calls
}

// TestChildrenUnderTheUnit takes from a process what the unit does: capabilities,
// executable memory, files of /proc, system calls.
func TestChildrenUnderTheUnit(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("there is no systemd-analyze on this machine, which knows the groups of system calls")
	}
	needsRoot(t)
	service := unit(t, example(t, "isogate.service"), "Service")
	var allowed []string
	for _, value := range service["SystemCallFilter"] {
		names, refuse := strings.CutPrefix(value, "~")
		for _, name := range strings.Fields(names) {
			calls := callsOf(t, name)
			if !refuse {
				allowed = append(allowed, calls...)
			} else {
				allowed = slices.DeleteFunc(allowed, func(call string) bool { return slices.Contains(calls, call) })
			}
		}
	}
	proc := fmt.Sprintf("mount -t proc -o hidepid=%s,subset=%s proc /proc", service["ProtectProc"][0], service["ProcSubset"][0])
	if diff := cmp.Diff(onlyIdentity, measured(t, proc, confinement{Allowed: allowed, NoNewCode: service["MemoryDenyWriteExecute"][0] == "yes"})); diff != "" {
		t.Errorf("what a child lacks under the unit (-want +got):\n%s", diff)
	}
	// The control: with a part of what the unit allows, and with /proc covered, it lacks more.
	less := slices.DeleteFunc(slices.Clone(allowed), func(call string) bool { return call == "pivot_root" || call == "landlock_restrict_self" })
	if lacking := measured(t, proc, confinement{Allowed: less}); !slices.Contains(lacking, "empty_root") || !slices.Contains(lacking, "landlock") {
		t.Errorf("without pivot_root and landlock_restrict_self a child lacks %v", lacking)
	}
	if lacking := measured(t, "mount --bind /dev/null /proc/kmsg", confinement{Allowed: allowed}); !slices.Contains(lacking, "pid_namespace") {
		t.Errorf("with /proc covered, as ProtectKernelLogs does, a child lacks %v", lacking)
	}
}

// TestChildrenInContainers takes from a process the system calls that a container
// has not, with the profile beside the manifest and without namespaces.
func TestChildrenInContainers(t *testing.T) {
	needsRoot(t)
	var profile struct {
		DefaultAction string `json:"defaultAction"`
		Syscalls      []struct {
			Action string   `json:"action"`
			Names  []string `json:"names"`
		} `json:"syscalls"`
	}
	if err := json.Unmarshal([]byte(example(t, "seccomp.json")), &profile); err != nil {
		t.Fatal(err)
	}
	var allowed []string
	for _, group := range profile.Syscalls {
		if group.Action != "SCMP_ACT_ALLOW" || profile.DefaultAction != "SCMP_ACT_ERRNO" {
			t.Fatalf("the profile has the actions %s and %s", profile.DefaultAction, group.Action)
		}
		allowed = append(allowed, group.Names...)
	}
	if diff := cmp.Diff(onlyIdentity, measured(t, "true", confinement{Allowed: allowed, NoNewCode: true})); diff != "" {
		t.Errorf("what a child lacks under seccomp.json (-want +got):\n%s", diff)
	}
	// Without namespaces, as under a container runtime's own profile: what README.md says.
	var off []string
	for _, name := range []string{"user", "mount", "pid", "network", "ipc"} {
		off = append(off, name+"_namespace=off")
	}
	without := slices.DeleteFunc(slices.Clone(allowed), func(call string) bool { return slices.Contains([]string{"mount", "umount2", "pivot_root"}, call) })
	lacking := measured(t, "true", confinement{Allowed: without, NoNewCode: true}, off...)
	readme := example(t, "README.md")
	_, table, _ := strings.Cut(readme, "## Layers that a container takes")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, name := range lacking {
		if !strings.Contains(table, "`"+name+"`") {
			t.Errorf("README.md does not say that %s is lost", name)
		}
	}
	if want := []string{"empty_root", "identity", "ipc_namespace", "mount_namespace", "network_namespace", "pid_namespace", "processes", "user_namespace"}; !slices.Equal(lacking, want) {
		t.Errorf("without namespaces a child lacks %v, want %v", lacking, want)
	}
}
