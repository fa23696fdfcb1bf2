package gate

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the facts about the build and the host that a record holds.

// BuildFacts returns what this binary is.
func BuildFacts() reports.Build {
	b := reports.Build{Module: Module, Version: "(devel)", Go: runtime.Version(), Engine: sandbox.EngineVersion(), Protocol: protocol.Version, Profile: sandbox.ProfileHardened}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// HostFacts returns what this machine is. What the system does not say stays empty.
func HostFacts() reports.Host {
	return reports.Host{
		OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(),
		Kernel:    firstLine("/proc/sys/kernel/osrelease"),
		CPU:       colonField("/proc/cpuinfo", "model name"),
		Memory:    kibibytes(colonField("/proc/meminfo", "MemTotal")),
		Load:      loadAverage(firstLine("/proc/loadavg")),
		Governor:  firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
		HugePages: chosen(firstLine("/sys/kernel/mm/transparent_hugepage/enabled")),
	}
}

func firstLine(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}

// colonField returns the first "name : value" of a file.
func colonField(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// kibibytes reads "123 kB" as /proc/meminfo means it.
func kibibytes(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(text, "kB")), 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

func loadAverage(line string) float64 {
	first, _, _ := strings.Cut(line, " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return load
}

// chosen returns the word in brackets of "always [madvise] never".
func chosen(line string) string {
	_, rest, ok := strings.Cut(line, "[")
	if !ok {
		return ""
	}
	word, _, _ := strings.Cut(rest, "]")
	return word
}
