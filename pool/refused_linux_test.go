package pool_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of finding out which system call a child was killed for.

// auditText is a record as a kernel writes it, with the number of a process, its
// name, and the number of a call.
const auditText = "5,1831,14324360981,-;audit: type=1326 audit(1795986465.799:909): auid=4294967295 uid=0 gid=0 ses=4294967295 " +
	"pid=%s comm=%s exe=\"/usr/bin/host\" sig=31 arch=c000003e syscall=%s compat=0 ip=0x427a8e code=0x80000000\n"

func TestRefusalIn(t *testing.T) {
	plain := fmt.Sprintf(auditText, "77", `"child"`, "110")
	for _, test := range []struct{ name, record, want string }{
		{"plain", plain, "110"},
		{"with a label of a security module", strings.Replace(plain, " pid=", " subj=pid (enforce) pid=", 1), "110"},
		{"a name that looks like a number", fmt.Sprintf(auditText, "77", `"pid=5"`, "110"), "110"},
		{"a name that looks like a call", fmt.Sprintf(auditText, "77", `"syscall=59"`, "110"), "110"},
		{"a name in hexadecimal", fmt.Sprintf(auditText, "77", "20737973", "110"), "110"},
		{"with properties below", plain + " SUBSYSTEM=audit\n", "110"},
		{"another process", fmt.Sprintf(auditText, "78", `"child"`, "110"), ""},
		{"a number that only begins like it", fmt.Sprintf(auditText, "770", `"child"`, "110"), ""},
		{"a number that only ends like it", fmt.Sprintf(auditText, "177", `"child"`, "110"), ""},
		{"another process whose name claims to be it", fmt.Sprintf(auditText, "78", `"pid=77"`, "110"), ""},
		{"another kind of record", strings.Replace(plain, "1326", "1400", 1), ""},
		{"written by a program", "13" + strings.TrimPrefix(plain, "5"), ""},
		{"a message that quotes one", "6,1,2,-;said: " + plain, ""},
		{"no call", "5,1,2,-;audit: type=1326 audit(1.2:3): pid=77 comm=\"child\"\n", ""},
		{"a call that is no number", fmt.Sprintf(auditText, "77", `"child"`, "open"), ""},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			call, ok := pool.RefusalIn([]byte(test.record), 77)
			if call != test.want || ok != (test.want != "") {
				t.Errorf("the call is %q, %v; want %q", call, ok, test.want)
			}
		})
	}
}

func FuzzRefusalIn(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(auditText, "77", `"child"`, "110")), 77)
	f.Add([]byte(fmt.Sprintf(auditText, "1", `"pid=77"`, "999999999999999999999")), 1)
	f.Add([]byte("5,1,2,-;audit: type=1326 audit(1.2:3): pid=77 comm= syscall=1 "), 77)
	f.Fuzz(func(t *testing.T, record []byte, pid int) {
		call, ok := pool.RefusalIn(record, pid)
		if ok != (call != "") {
			t.Fatalf("the call %q, %v", call, ok)
		}
		if !ok {
			return
		}
		for _, part := range []string{" pid=" + strconv.Itoa(pid) + " comm=", " syscall=" + call + " "} {
			if !bytes.Contains(record, []byte(part)) {
				t.Errorf("%q does not stand in %q", part, record)
			}
		}
		if name := pool.CallName(call); name != call && !strings.HasSuffix(name, "("+strings.TrimLeft(call, "0")+")") && call != "0" {
			t.Errorf("the call %s is named %s", call, name)
		}
	})
}

func TestCallName(t *testing.T) {
	for number, want := range map[string]string{
		strconv.Itoa(unix.SYS_GETPPID): fmt.Sprintf("getppid (%d)", unix.SYS_GETPPID),
		"99999":                        "99999",
		"999999999999999999999":        "999999999999999999999",
		"-1":                           "-1",
	} {
		if got := pool.CallName(number); got != want {
			t.Errorf("%s is named %q, want %q", number, got, want)
		}
	}
}

// TestRefusedCall has a child killed by a filter, and finds the call in the kernel's
// log and in the pool's own.
func TestRefusedCall(t *testing.T) {
	var text lockedBuffer
	p := newHostilePool(t, "obeys", pool.Config{Size: 1, Logger: slog.New(slog.NewTextHandler(&text, nil))})
	pid := p.Stats().Children[0].PID
	fault := wantFault[*protocol.WorkerCrashed](t, execute(t, p, "refused"))
	if fault.Signal != "SIGSYS" {
		t.Fatalf("the fault is %v, want one of SIGSYS", fault)
	}
	waitReady(t, p) // the dead child has been reported
	logged := text.String()
	const general = "it made a system call that its filter refuses"
	if !strings.Contains(logged, general) {
		t.Errorf("the pool's log does not say %q:\n%s", general, logged)
	}
	if reason := unreadableLog(pid); reason != "" {
		t.Skip("the kernel's log does not tell: " + reason)
	}
	want := fmt.Sprintf("getppid (%d)", unix.SYS_GETPPID)
	if got := pool.RefusedCall(pid); got != want {
		t.Errorf("the call is %q, want %q", got, want)
	}
	if !strings.Contains(logged, want) {
		t.Errorf("the pool's log does not name %s:\n%s", want, logged)
	}
	if got := pool.RefusedCall(os.Getpid()); got != "" {
		t.Errorf("a living process was killed for %q", got)
	}
}

// unreadableLog returns why the kernel's log says nothing of a process that a filter
// ended, "" when it does. It knows no more than that the number stands in a record.
func unreadableLog(pid int) string {
	fd, err := unix.Open("/dev/kmsg", unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return err.Error()
	}
	defer unix.Close(fd)
	record := regexp.MustCompile(fmt.Sprintf(`type=1326 .*pid=%d `, pid))
	line := make([]byte, pool.LongestRecord)
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
		n, err := unix.Read(fd, line)
		switch {
		case err == nil && record.Match(line[:n]):
			return ""
		case errors.Is(err, unix.EAGAIN):
			if _, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 100); err != nil && !errors.Is(err, unix.EINTR) {
				return err.Error()
			}
		}
	}
	return "there is no record of the process"
}
