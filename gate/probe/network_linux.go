package probe

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns the probes of the network. Nothing leaves the machine.

var networkActs = map[string]act{
	"connect-loopback": func(t *Target) (string, error) {
		return connect(unix.AF_INET, &unix.SockaddrInet4{Port: t.Port, Addr: loopback})
	},
	"send-datagram":   sendDatagram,
	"listen-loopback": listenLoopback,
	"socket-inet6":    func(*Target) (string, error) { return socket(unix.AF_INET6, unix.SOCK_STREAM, 0) },
	"connect-unix":    func(t *Target) (string, error) { return connect(unix.AF_UNIX, &unix.SockaddrUnix{Name: t.Socket}) },
	"connect-abstract": func(t *Target) (string, error) {
		return connect(unix.AF_UNIX, &unix.SockaddrUnix{Name: "@" + t.Abstract})
	},
	"socket-pair":     socketPair,
	"socket-netlink":  socketNetlink,
	"socket-vsock":    func(*Target) (string, error) { return socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0) },
	"socket-packet":   func(*Target) (string, error) { return socket(unix.AF_PACKET, unix.SOCK_RAW, 0) },
	"socket-raw":      func(*Target) (string, error) { return socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP) },
	"pass-descriptor": passDescriptor,
	"take-message":    takeMessage,
	"channel-options": channelOptions,
}

// channel is the socket that a child has from its parent, see package pool/child.
const channel = 3

var loopback = [4]byte{127, 0, 0, 1}

func socket(family, kind, protocol int) (string, error) {
	fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC, protocol)
	return descriptor("socket", fd, err)
}

func connect(family int, to unix.Sockaddr) (string, error) {
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", tried("socket", err)
	}
	defer unix.Close(fd)
	return done("connect", unix.Connect(fd, to))
}

func sendDatagram(t *Target) (string, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", tried("socket", err)
	}
	defer unix.Close(fd)
	return done("sendto", unix.Sendto(fd, []byte("probe"), 0, &unix.SockaddrInet4{Port: t.Port, Addr: loopback}))
}

func listenLoopback(*Target) (string, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", tried("socket", err)
	}
	defer unix.Close(fd)
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: loopback}); err != nil {
		return "", tried("bind", err)
	}
	return done("listen", unix.Listen(fd, 1))
}

func socketPair(*Target) (string, error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", tried("socketpair", err)
	}
	unix.Close(ends[0])
	return descriptor("socketpair", ends[1], nil)
}

func socketNetlink(*Target) (string, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return "", tried("socket", err)
	}
	defer unix.Close(fd)
	return done("bind", unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}))
}

// passDescriptor makes the call that passes a descriptor to the parent, with no
// byte for it to travel with: a stream socket then sends nothing.
func passDescriptor(*Target) (string, error) {
	rights := unix.UnixRights(0)
	message := unix.Msghdr{Control: &rights[0]}
	message.SetControllen(len(rights))
	_, err := raw("sendmsg", unix.SYS_SENDMSG, channel, uintptr(unsafe.Pointer(&message)), 0, 0, 0, 0)
	return done("sendmsg", err)
}

// takeMessage looks at what is next on the channel, which is nothing.
func takeMessage(*Target) (string, error) {
	_, _, _, _, err := unix.Recvmsg(channel, make([]byte, 1), make([]byte, 64), unix.MSG_PEEK|unix.MSG_DONTWAIT)
	return considered(tried("recvmsg", err), unix.EAGAIN)
}

// channelOptions turns off an option that is off already.
func channelOptions(*Target) (string, error) {
	return done("setsockopt", unix.SetsockoptInt(channel, unix.SOL_SOCKET, unix.SO_PASSCRED, 0))
}
