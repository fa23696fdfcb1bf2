package probe

import (
	"crypto/rand"
	"errors"
	"net"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns what probes work on, on the side of the host: a folder, listeners,
// memory.

// Scene is what the probes of one victim work on. Its host is this process.
type Scene struct {
	// Target describes it to the victim.
	Target Target

	marker *[markerLength]byte
	spare  *[markerLength]byte
	tcp    net.Listener
	unix   [2]net.Listener
}

const markerLength = 26 // of rand.Text

// NewScene makes a scene in a folder, which must exist. binary is a program that
// links this package. Close it.
func NewScene(directory, binary string) (*Scene, error) {
	s := &Scene{marker: new([markerLength]byte), spare: new([markerLength]byte)}
	text := rand.Text()
	copy(s.marker[:], text)
	s.Target = Target{
		Parent: os.Getpid(), Address: uint64(uintptr(unsafe.Pointer(s.marker))), Spare: uint64(uintptr(unsafe.Pointer(s.spare))),
		Marker: text[:markerLength], Directory: filepath.Join(directory, "open"), Socket: filepath.Join(directory, "socket"),
		Abstract: "isogate-probe-" + rand.Text(), Segment: -1, Binary: binary,
	}
	if err := s.open(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, s.Prepare()
}

// open opens what stays open.
func (s *Scene) open() error {
	var err error
	if s.tcp, err = net.Listen("tcp4", "127.0.0.1:0"); err != nil {
		return err
	}
	s.Target.Port = s.tcp.Addr().(*net.TCPAddr).Port
	for i, name := range []string{s.Target.Socket, "@" + s.Target.Abstract} {
		if s.unix[i], err = net.Listen("unix", name); err != nil {
			return err
		}
	}
	// Everybody may connect: what keeps a victim from it must be its sealing.
	if err := os.Chmod(s.Target.Socket, 0o777); err != nil {
		return err
	}
	connection, err := s.tcp.(*net.TCPListener).SyscallConn()
	if err != nil {
		return err
	}
	if err := connection.Control(func(fd uintptr) { s.Target.Descriptor = int(fd) }); err != nil {
		return err
	}
	s.Target.Segment, err = unix.SysvShmGet(unix.IPC_PRIVATE, page, unix.IPC_CREAT|0o666)
	return err
}

// Prepare makes the target's folder as the next probe expects it.
func (s *Scene) Prepare() error {
	if err := os.RemoveAll(s.Target.Directory); err != nil {
		return err
	}
	if err := os.Mkdir(s.Target.Directory, 0o700); err != nil {
		return err
	}
	file := s.Target.in(Existing)
	if err := os.WriteFile(file, []byte("existing"), 0o600); err != nil {
		return err
	}
	// Past the mask of this process: neither mode may keep a victim out.
	return errors.Join(os.Chmod(file, 0o666), os.Chmod(s.Target.Directory, 0o777), os.Chmod(filepath.Dir(s.Target.Directory), 0o755))
}

// Close gives everything back but the folder.
func (s *Scene) Close() error {
	var errs []error
	if s.tcp != nil {
		errs = append(errs, s.tcp.Close())
	}
	for _, l := range s.unix {
		if l != nil {
			errs = append(errs, l.Close())
		}
	}
	if s.Target.Segment >= 0 {
		_, err := unix.SysvShmCtl(s.Target.Segment, unix.IPC_RMID, nil)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
