package pool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// This file owns finding a control group that this process may use, without being
// told of one.

// ownGroups returns the groups of cgroup v2 to try: that of this process, and its
// parent when systemd has marked it as delegated. A group with processes in it,
// unless it is the root, cannot bound those below it; so systemd can start a
// service in a group below its own (DelegateSubgroup= of systemd.resource-control(5)).
// Only what is marked is given to this process.
func ownGroups() ([]parentGroup, error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	memberships, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	own, top, err := locateGroup(string(mounts), string(memberships))
	if err != nil {
		return nil, err
	}
	out := []parentGroup{{own, delegated(own)}}
	if parent := filepath.Dir(own); own != top && delegated(parent) {
		out = append(out, parentGroup{parent, true})
	}
	return out, nil
}

// locateGroup returns the folder of a process's group of cgroup v2 and the folder
// where that hierarchy is mounted, from the texts of /proc/pid/mountinfo and
// /proc/pid/cgroup. See proc_pid_mountinfo(5) and cgroups(7).
func locateGroup(mounts, memberships string) (own, top string, err error) {
	var name string
	for line := range strings.Lines(memberships) {
		if rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::"); ok {
			name = rest
		}
	}
	if !strings.HasPrefix(name, "/") {
		return "", "", errors.New("this process is in no group of cgroup v2")
	}
	if slices.Contains(strings.Split(name, "/"), "..") {
		return "", "", fmt.Errorf("the group %s of this process is outside of its cgroup namespace", name)
	}
	for line := range strings.Lines(mounts) {
		before, after, ok := strings.Cut(line, " - ")
		fields, kind := strings.Fields(before), strings.Fields(after)
		if !ok || len(fields) < 5 || len(kind) < 1 || kind[0] != "cgroup2" {
			continue
		}
		root, folder := unescapeMount(fields[3]), unescapeMount(fields[4])
		rest, err := filepath.Rel(root, name)
		if err != nil || !filepath.IsLocal(rest) || !filepath.IsAbs(folder) {
			continue // another part of the hierarchy is mounted there
		}
		return filepath.Join(folder, rest), filepath.Clean(folder), nil
	}
	return "", "", fmt.Errorf("the group %s of this process is nowhere mounted", name)
}

// unescapeMount undoes the escapes that the kernel writes for characters that
// separate fields.
func unescapeMount(text string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(text)
}

// delegated reports whether systemd has marked a group as given to those in it.
func delegated(path string) bool {
	for _, name := range []string{"user.delegate", "trusted.delegate"} {
		var value [8]byte
		if n, err := unix.Getxattr(path, name, value[:]); err == nil && string(value[:n]) == "1" {
			return true
		}
	}
	return false
}
