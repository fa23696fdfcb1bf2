package probe

import (
	"fmt"
	"slices"

	"golang.org/x/sys/unix"
)

// This file owns how a probe calls the kernel and says what it answered.

// act is what a probe does. It returns what it reached, or a *refusal, or a state;
// any other error says that the probe could not be carried out.
type act func(t *Target) (string, error)

// acts are the functions of all probes.
func acts() map[string]act {
	all := map[string]act{}
	for _, group := range []map[string]act{
		fileActs, fileChangeActs, networkActs, processActs, otherActs, codeActs, surfaceActs, privilegeActs, systemActs, consumptionActs, coreActs,
	} {
		for name, a := range group {
			all[name] = a
		}
	}
	return all
}

// perform carries a probe out on the calling thread.
func perform(name string, t *Target) Answer {
	a, ok := acts()[name]
	if !ok {
		return Answer{Broken: "there is no function for it"}
	}
	reached, err := a(t)
	switch err := err.(type) {
	case nil:
		return Answer{OK: reached}
	case *refusal:
		return Answer{Call: err.call, Errno: errnoName(err.errno)}
	case state:
		return Answer{State: string(err)}
	default:
		return Answer{Broken: err.Error()}
	}
}

// refusal is the error of a call that the kernel refused.
type refusal struct {
	call  string
	errno unix.Errno
}

func (r *refusal) Error() string { return r.call + ": " + r.errno.Error() }

// state is the error of a probe that found the way closed without a refused call.
type state string

func (s state) Error() string { return string(s) }

func errnoName(errno unix.Errno) string {
	if name := unix.ErrnoName(errno); name != "" {
		return name
	}
	return fmt.Sprintf("errno %d", int(errno))
}

// tried turns the error of a call into a refusal; nil stays nil.
func tried(call string, err error) error {
	errno, ok := err.(unix.Errno)
	switch {
	case err == nil || ok && errno == 0:
		return nil
	case ok:
		return &refusal{call, errno}
	}
	if _, ok := err.(*refusal); ok {
		return err
	}
	return fmt.Errorf("%s: %w", call, err)
}

// raw makes a system call. Pointers are converted to uintptr in the call itself.
//
//go:uintptrescapes
func raw(call string, number, a1, a2, a3, a4, a5, a6 uintptr) (uintptr, error) {
	r, _, errno := unix.RawSyscall6(number, a1, a2, a3, a4, a5, a6)
	return r, tried(call, errno)
}

// considered is for calls whose arguments cannot take effect: the given errors say
// that the kernel would have done it, had the arguments been right.
func considered(err error, errnos ...unix.Errno) (string, error) {
	if err == nil {
		return "the kernel did it", nil
	}
	if r, ok := err.(*refusal); ok && slices.Contains(errnos, r.errno) {
		return "the kernel looked at the arguments: " + errnoName(r.errno), nil
	}
	return "", err
}

// descriptor closes the result of a call that makes a descriptor, and says so.
func descriptor(call string, fd int, err error) (string, error) {
	if err := tried(call, err); err != nil {
		return "", err
	}
	return call + " gave a descriptor", tried("close", unix.Close(fd))
}

// done is for calls that give nothing.
func done(call string, err error) (string, error) {
	if err := tried(call, err); err != nil {
		return "", err
	}
	return call + " did it", nil
}

// Capable reports whether this process has the capability with that number, now.
func Capable(capability int) bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil || capability < 0 || capability > 63 {
		return false
	}
	return data[capability/32].Effective&(1<<(capability%32)) != 0
}
