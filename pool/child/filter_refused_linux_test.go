//go:build amd64

package child_test

import (
	"os"

	"golang.org/x/sys/unix"
)

// This file owns the calls that the system-call filter's tests expect it to refuse
// whatever their arguments. There are more: that every number without a rule is
// refused is tested with one process for all.

// refusedCases are calls that no rule names.
func refusedCases(s *scene) []filterCase {
	var cases []filterCase
	refuse := func(call string, args ...uintptr) {
		cases = append(cases, filterCase{call: call, what: "any use", args: six(args), want: killed,
			duplicates: call == "fork" || call == "vfork"})
	}
	path := s.text(11, "/no-such-folder/no-such-file")
	parent := uintptr(os.Getppid())

	// Files.
	refuse("open", path, unix.O_RDONLY)
	refuse("openat2", none, path, 0, 0)
	refuse("creat", path, 0)
	refuse("close", none)
	refuse("dup2", none, none)
	refuse("fcntl", none, unix.F_GETFD)
	refuse("pread64", none, s.page, 1, 0)
	refuse("writev", none, s.page, 0)
	refuse("readlink", path, s.page, 1)
	refuse("stat", path, s.page)
	refuse("unlink", path)
	refuse("rename", path, path)
	refuse("mkdir", path, 0)
	refuse("chdir", path)
	refuse("ftruncate", none, 0)
	refuse("memfd_create", none, 0)
	refuse("pipe2", none, 0)
	// Sockets.
	refuse("socket", none, none, none)
	refuse("socketpair", none, none, none, none)
	refuse("connect", none, 0, 0)
	refuse("bind", none, 0, 0)
	refuse("accept4", none, 0, 0, 0)
	refuse("sendmsg", none, 0, 0)
	refuse("recvmsg", none, 0, 0)
	// Processes.
	refuse("fork")
	refuse("vfork")
	refuse("execve", path, 0, 0)
	refuse("execveat", none, path, 0, 0, 0)
	refuse("wait4", none, 0, unix.WNOHANG, 0)
	refuse("kill", parent, 0)
	refuse("tkill", s.thread, 0)
	refuse("rt_sigqueueinfo", parent, 0, 0)
	refuse("pidfd_open", parent, none)
	refuse("pidfd_send_signal", none, 0, 0, 0)
	refuse("ptrace", none, parent, 0, 0)
	refuse("process_vm_readv", parent, 0, 0, 0, 0, none)
	refuse("process_vm_writev", parent, 0, 0, 0, 0, none)
	refuse("setpriority", none, 0, 0)
	// Powers.
	refuse("setuid", none)
	refuse("setresgid", none, none, none)
	refuse("capset", 0, 0)
	refuse("seccomp", none, 0, 0)
	refuse("landlock_create_ruleset", none, none, none)
	refuse("setrlimit", none, s.page)
	refuse("unshare", none)
	refuse("setns", none, none)
	refuse("mount", path, path, 0, 0, 0)
	refuse("chroot", path)
	refuse("pivot_root", path, path)
	refuse("reboot", none, none, none, 0)
	// Memory that a rule about mmap and mprotect would not see.
	refuse("pkey_mprotect", s.at(12), pageSize, unix.PROT_READ|unix.PROT_EXEC, none)
	refuse("shmat", none, 0, 0)
	refuse("remap_file_pages", s.at(12), pageSize, 0, 0, none)
	refuse("userfaultfd", none)
	// Much code of the kernel behind one call.
	refuse("io_uring_setup", 0, 0)
	refuse("bpf", none, 0, 0)
	refuse("perf_event_open", 0, 0, none, none, none)
	refuse("keyctl", none)
	// Facts about the host.
	refuse("uname", s.page)
	refuse("sysinfo", s.page)
	refuse("getppid")
	refuse("getuid")
	return cases
}
