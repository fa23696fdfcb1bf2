package main

import (
	"fmt"
	"net"
	"os"
	"runtime"
	"testing"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// This file owns two network namespaces that are joined by nothing but a pair of
// virtual interfaces, in place of two machines and a cable.

// side is one end of the cable.
type side struct {
	namespace *os.File
	name      string // of its interface
	address   string
	other     string // the other end's address
}

// network is both ends: that of this process, and a further one.
type network struct{ here, there side }

// newNetwork makes the network. The caller must be allowed to, and lose its
// namespace when the test ends. The test is skipped where the kernel has no such
// interfaces.
func newNetwork(t *testing.T) *network {
	t.Helper()
	own, err := os.Open("/proc/self/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { own.Close() })
	other, err := newNamespace()
	if err != nil {
		t.Fatalf("a further network namespace: %v", err)
	}
	t.Cleanup(func() { other.Close() })
	n := &network{
		here:  side{own, "caller", "10.73.0.1", "10.73.0.2"},
		there: side{other, "daemon", "10.73.0.2", "10.73.0.1"},
	}
	attributes := netlink.NewLinkAttrs()
	attributes.Name = n.here.name
	err = netlink.LinkAdd(&netlink.Veth{LinkAttrs: attributes, PeerName: n.there.name, PeerNamespace: netlink.NsFd(other.Fd())})
	if err != nil {
		t.Skipf("a pair of virtual interfaces cannot be made here (veth(4)): %v", err)
	}
	for _, s := range []side{n.here, n.there} {
		if err := s.within(s.up); err != nil {
			t.Fatalf("the interface %s: %v", s.name, err)
		}
	}
	return n
}

// newNamespace makes a network namespace and returns what holds it.
func newNamespace() (namespace *os.File, err error) {
	onThread(func() {
		if err = unix.Unshare(unix.CLONE_NEWNET); err == nil {
			namespace, err = os.Open("/proc/thread-self/ns/net")
		}
	})
	return namespace, err
}

// onThread runs do on a thread of its own, which ends with it.
func onThread(do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked
		do()
	}()
	<-done
}

// within runs do in the side's namespace. Processes that do starts are in it too.
func (s side) within(do func() error) (err error) {
	onThread(func() {
		if err = unix.Setns(int(s.namespace.Fd()), unix.CLONE_NEWNET); err == nil {
			err = do()
		}
	})
	return err
}

// up gives the interface its address and starts it, and the one that leads nowhere
// else, by which a side reaches its own address.
func (s side) up() error {
	itself, err := netlink.LinkByName("lo")
	if err != nil {
		return err
	}
	if err := netlink.LinkSetUp(itself); err != nil {
		return err
	}
	link, err := netlink.LinkByName(s.name)
	if err != nil {
		return err
	}
	address, err := netlink.ParseAddr(s.address + "/30")
	if err != nil {
		return err
	}
	if err := netlink.AddrAdd(link, address); err != nil {
		return err
	}
	return netlink.LinkSetUp(link)
}

// setSilent lets the cable carry nothing any more, or carry again. Neither side is
// told: what is sent goes to a hardware address that nobody has.
func (n *network) setSilent(t *testing.T, silent bool) {
	t.Helper()
	for _, s := range []side{n.here, n.there} {
		err := s.within(func() error {
			link, err := netlink.LinkByName(s.name)
			if err != nil {
				return err
			}
			nobody := &netlink.Neigh{
				LinkIndex: link.Attrs().Index, Family: netlink.FAMILY_V4, State: netlink.NUD_PERMANENT,
				IP: net.ParseIP(s.other), HardwareAddr: net.HardwareAddr{2, 0, 0, 0, 0, 99},
			}
			if silent {
				return netlink.NeighSet(nobody)
			}
			return netlink.NeighDel(nobody)
		})
		if err != nil {
			t.Fatal(fmt.Errorf("the neighbour of %s: %w", s.name, err))
		}
	}
}
