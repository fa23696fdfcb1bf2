package server

import (
	"net"

	"golang.org/x/sys/unix"
)

// This file owns asking Linux who is at the other end of a unix socket.

// peerUser returns the user id of the process that connected: SO_PEERCRED(unix(7)).
func peerUser(c *net.UnixConn) (uint32, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var credentials *unix.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) {
		credentials, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil {
		return 0, err
	}
	if failed != nil {
		return 0, failed
	}
	return credentials.Uid, nil
}
