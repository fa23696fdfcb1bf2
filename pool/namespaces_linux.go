package pool

import (
	"errors"
	"fmt"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/pool/child"
)

// This file owns the namespaces that children are started in, and what is done
// where a machine does not give them. See namespaces(7), user_namespaces(7).

// cloneFlags are the flags of clone(2) that make each namespace.
var cloneFlags = map[string]uintptr{
	child.UserNamespace:    unix.CLONE_NEWUSER,
	child.MountNamespace:   unix.CLONE_NEWNS,
	child.PIDNamespace:     unix.CLONE_NEWPID,
	child.NetworkNamespace: unix.CLONE_NEWNET,
	child.IPCNamespace:     unix.CLONE_NEWIPC,
}

// separate asks for those of the measures that are namespaces.
//
// In its user namespace a child has no user but the one it runs as and, if the
// parent is root, the user nobody to change to. It keeps three capabilities across
// the execve, all of them worth nothing outside the namespace, and gives them up
// before its first request: to change its mounts, its user and its groups.
func separate(attributes *syscall.SysProcAttr, measures []string) {
	for name, flag := range cloneFlags {
		//gate:protects child-sealed-in-layers sealed-as-reported
		if slices.Contains(measures, name) {
			attributes.Cloneflags |= flag
		}
	}
	if attributes.Cloneflags&unix.CLONE_NEWUSER == 0 {
		return
	}
	// As any other process the child runs in the memory of this one until it executes
	// its binary. Package syscall asks for that only without a user namespace, because
	// it would have to write the users meanwhile; here users_linux.go does it later.
	attributes.Cloneflags |= unix.CLONE_VM | unix.CLONE_VFORK
	attributes.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETUID, unix.CAP_SETGID}
}

// spawnFirst starts the first process of a pool, without the namespaces that this
// machine does not give. Which those are is found out only when it does not start.
func (p *Pool) spawnFirst(spec spawnSpec) (*process, error) {
	spec.measures = p.seals.taken
	process, err := p.spawner.spawn(spec)
	if err == nil || !refusesNamespaces(err) || !p.seals.wantNamespaces() {
		return process, err
	}
	for _, name := range child.Namespaces {
		if slices.Contains(p.seals.taken, name) {
			if err := p.tryNamespace(name); err != nil {
				p.seals.refuse(name, err.Error())
			}
		}
	}
	spec.measures = p.seals.taken
	if process, err = p.spawner.spawn(spec); err != nil && refusesNamespaces(err) && p.seals.wantNamespaces() {
		// Each can be had, but the binary not be executed in them: it may not be
		// readable without the capabilities that a user namespace takes away.
		for _, name := range child.Namespaces {
			if slices.Contains(p.seals.taken, name) {
				p.seals.refuse(name, fmt.Sprintf("starting %s in it: %v", spec.path, err))
			}
		}
		spec.measures = p.seals.taken
		process, err = p.spawner.spawn(spec)
	}
	if err != nil {
		return nil, err
	}
	if err := p.seals.checkRefused(); err != nil {
		process.kill()
		process.wait()
		process.close()
		return nil, err
	}
	return process, nil
}

// tryNamespace starts a program that does not exist in that namespace, together
// with a user namespace if that is taken: "no such file" says that only the
// program is missing.
func (p *Pool) tryNamespace(name string) error {
	measures := []string{name}
	if slices.Contains(p.seals.taken, child.UserNamespace) {
		measures = append(measures, child.UserNamespace)
	}
	process, err := p.spawner.spawn(spawnSpec{path: "/proc/self/no-such-program", role: child.RoleSnapshot, measures: measures})
	if err == nil {
		process.kill()
		process.wait()
		process.close()
		return nil
	}
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return fmt.Errorf("the kernel does not give it: %w", errno)
	}
	return err
}

// refusesNamespaces reports whether an error of starting a process may come from
// its namespaces: clone(2), user_namespaces(7), and execve(2) for a binary that
// cannot be read in them.
func refusesNamespaces(err error) bool {
	for _, errno := range []unix.Errno{unix.EPERM, unix.EACCES, unix.EINVAL, unix.ENOSPC, unix.EUSERS, unix.ENOSYS, unix.ENOMEM} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}
