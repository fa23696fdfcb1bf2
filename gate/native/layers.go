package native

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/isogate/isogate/gate/probe"
	"github.com/isogate/isogate/pool/child"
)

// This file owns the attacks on single measures. Several stand in the way of most
// probes, so that the loss of one would go unnoticed; here each stands alone.

// layer is a measure with the probes that it stops by itself.
type layer struct {
	measure string
	// with are measures that it needs, or without which it does not bind: a limit
	// does not bind a process that may raise it. They alone must not stop the probes.
	with   []string
	probes []string
	// group, when not empty, is the group whose probes it must stop, all but those in
	// except. That they succeed without it is then not tried again, because every
	// probe has an attack that does.
	group  string
	except []string
}

var layers = []layer{
	{measure: child.UserNamespace, probes: []string{
		"read-parents-memory", "write-parents-memory", "trace-parent", "parents-memory-file", "parents-environment-file",
		"take-parents-descriptor", "compare-parent", "parents-locks",
		"raise-priority", "real-time", "reboot", "host-name", "swap-space", "accounting", "kernel-program", "watch-file-system",
		"open-by-handle", "socket-packet", "socket-raw", "system-log",
	}},
	{measure: child.PIDNamespace, with: []string{child.UserNamespace, child.MountNamespace}, probes: []string{
		"signal-parent", "signal-parent-thread", "queue-signal-to-parent", "open-parent", "parents-limits", "parents-session",
		"parents-group", "parents-priority", "parents-processors", "parents-scheduling", "parents-clock", "owner-of-signals",
	}},
	{measure: child.NetworkNamespace, with: []string{child.UserNamespace}, probes: []string{
		"connect-loopback", "send-datagram", "connect-abstract",
	}},
	{measure: child.IPCNamespace, with: []string{child.UserNamespace}, probes: []string{"hosts-memory-segment"}},
	{measure: child.NoNewPrivileges, probes: []string{"gains-by-execve"}},
	{measure: child.NotDumpable, probes: []string{"seen-dumpable"}},
	{measure: child.CoreSize, with: []string{child.Capabilities}, probes: []string{"raise-core-size", "dump-core"}},
	{measure: child.FileSize, with: []string{child.Capabilities}, probes: []string{"write-beyond-limit", "raise-file-size"}},
	{measure: child.OpenFiles, with: []string{child.Capabilities}, probes: []string{"many-descriptors", "raise-open-files"}},
	{measure: child.Processes, with: []string{child.UserNamespace, child.Identity, child.Capabilities}, probes: []string{
		"many-processes", "many-threads", "raise-processes",
	}},
	{measure: child.EmptyRoot, with: []string{child.UserNamespace, child.MountNamespace}, probes: []string{
		"open-existing", "open-existing-anew", "open-through-root-link", "own-environment-file", "own-memory-file", "read-link",
		"stat-file", "stat-file-anew", "access-file", "change-folder", "watch-folder", "create-file", "write-existing",
		"truncate-file", "delete-file", "rename-file", "make-folder", "link-file", "make-symbolic-link", "change-mode",
		"set-times", "make-pipe-file", "execute-file", "connect-unix",
	}},
	{measure: child.Identity, probes: []string{
		"become-root", "become-another-user", "leave-groups", "gain-capability", "mount", "change-root", "raise-priority",
	}},
	{measure: child.Capabilities, probes: []string{
		"open-by-handle", "watch-file-system", "socket-packet", "socket-raw", "system-log", "kernel-program", "gain-capability",
		"become-another-user", "leave-groups", "raise-priority", "real-time", "mount", "mount-anew", "copy-mounts",
		"change-root", "swap-root", "reboot", "host-name", "swap-space", "accounting",
	}},
	{measure: child.Landlock, probes: []string{
		"open-existing", "open-existing-anew", "open-through-root-link", "own-environment-file", "own-memory-file",
		"own-memory-of-a-thread", "list-root", "create-file", "write-existing", "truncate-file", "delete-file", "rename-file", "make-folder", "link-file",
		"make-symbolic-link", "make-pipe-file", "execute-file", "execute-itself", "mount", "trace-parent", "read-parents-memory",
		"write-parents-memory", "parents-memory-file", "take-parents-descriptor",
	}},
}

// pastFilter are the probes that the system-call filter lets pass. Threads are
// needed; so are the time, and how many processors there are, and of whom those are
// asked, other measures decide.
var pastFilter = []string{"many-threads", "parents-processors", "parents-clock"}

// allLayers returns the layers, with the filter once for each group of probes.
func allLayers() []layer {
	all := slices.Clone(layers)
	for _, g := range probe.Groups() {
		all = append(all, layer{measure: child.SystemCalls, group: g.Name, except: pastFilter})
	}
	return all
}

// layerAttacks returns one attack for each layer.
func layerAttacks() []Attack {
	var out []Attack
	for _, l := range allLayers() {
		title := fmt.Sprintf("%s stops by itself what it is for (%d probes)", l.measure, len(l.tried()))
		if l.with != nil {
			title = fmt.Sprintf("%s, with %s, which do not, stops what it is for (%d probes)", l.measure, strings.Join(l.with, " and "), len(l.tried()))
		}
		name := "layer-" + strings.ReplaceAll(l.measure, "_", "-")
		if l.group != "" {
			name += "-" + l.group
			title = fmt.Sprintf("%s stops by itself the %d probes of the group %q", l.measure, len(l.tried()), l.group)
		}
		out = append(out, Attack{
			Name: name, Source: "own", Title: title,
			Run: func(ctx context.Context, h *Host) error { return runLayer(ctx, h, l) },
		})
	}
	return out
}

// tried returns the probes that the layer must stop.
func (l *layer) tried() []probe.Probe {
	var out []probe.Probe
	for _, g := range probe.Groups() {
		for _, p := range g.Probes {
			if l.group == g.Name && !slices.Contains(l.except, p.Name) || slices.Contains(l.probes, p.Name) {
				out = append(out, p)
			}
		}
	}
	return out
}

// runLayer tries the layer's probes without the measure, where they must succeed,
// and with it.
func runLayer(ctx context.Context, h *Host, l layer) error {
	measures := append(slices.Clone(l.with), l.measure)
	sealed := victimSpec{what: "sealed with " + strings.Join(measures, ", ") + " only", levels: only(measures...)}
	if l.group != "" {
		v, err := h.startVictim(ctx, sealed)
		if err != nil {
			return err
		}
		return v.mustRefuseAll(ctx, l.tried())
	}
	open := victimSpec{what: "not sealed", levels: only(l.with...), fresh: true}
	if l.with != nil {
		open.what = "sealed with " + strings.Join(l.with, ", ") + " only"
	}
	without, with, err := h.startVictims(ctx, open, sealed)
	if err != nil {
		return err
	}
	for _, p := range l.tried() {
		if err := without.mustSucceed(ctx, p); err != nil {
			return err
		}
	}
	return with.mustRefuseAll(ctx, l.tried())
}

func (v *victim) mustRefuseAll(ctx context.Context, probes []probe.Probe) error {
	for _, p := range probes {
		if err := v.mustBeRefused(ctx, p); err != nil {
			return err
		}
	}
	return nil
}
