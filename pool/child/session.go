package child

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the way of a serving child from its start to its welcome:
// sealing, handshake, engine, snapshot, and sealing again.

// helloLimit bounds the frame of the first message, whose sender has not yet
// said how long its frames may be.
const helloLimit = 64 << 10

// Session is a child that is sealed and has greeted its parent.
type Session struct {
	box    *sandbox.Sandbox
	out    *outlet
	frames *protocol.FrameReader
}

// Begin does what [Main] does in role serve before the first request: args are
// the same. With a nil session the process is to exit with the status. It is
// exported for processes that stand for a child that has been taken over: they are
// sealed by this code and no other.
func Begin(args []string) (*Session, int) {
	profile, measures, digest := args[1], args[2], args[3]
	nameProcess()
	sealed := newSealing(measures)
	if err := enterNamespaces(sealed); err != nil {
		return nil, fail(ExitNamespace, err.Error())
	}
	sealed.take(startSteps(RoleServe))
	fixTimeZone()

	channel := os.NewFile(Channel, "channel")
	stream := bufio.NewReaderSize(channel, 64<<10)
	hello, status := receiveHello(stream)
	if hello == nil {
		return nil, status
	}

	// The sandbox comes before the welcome, so that a welcome means: the next
	// execution finds an isolate ready.
	blob, err := mapSnapshot()
	if err != nil {
		return nil, fail(ExitSnapshot, "reading the snapshot: "+err.Error())
	}
	//gate:protects snapshot-clean
	if have := Digest(blob); have != digest {
		return nil, fail(ExitSnapshot, fmt.Sprintf("the snapshot has the digest %s, not %s", have, digest))
	}
	box, err := sandbox.New(sandbox.Config{Snapshot: blob, Profile: profile})
	if err != nil {
		return nil, fail(ExitSnapshot, "restoring the snapshot: "+err.Error())
	}
	sealed.take(finalSteps(sealed, profile))
	c := &Session{box: box, out: newOutlet(channel, hello.MaxFrame), frames: protocol.NewFrameReader(stream, hello.MaxFrame)}
	c.out.send(&protocol.Welcome{
		Version:  protocol.Version,
		MaxFrame: hello.MaxFrame,
		Agent:    Arg0,
		Engine:   sandbox.EngineVersion(),
		Sealed:   sealed.reached,
		Unsealed: sealed.missing,
	})
	return c, 0
}

// fixTimeZone has dates in UTC, whatever the machine's zone is: programs behave the
// same everywhere, learn nothing of the host, and the engine reads no file for it.
// It is for the libraries of this process; /proc shows no variable.
func fixTimeZone() { os.Setenv("TZ", "UTC") }

// receiveHello reads the first message. Without one the process is to exit with
// the status.
func receiveHello(stream *bufio.Reader) (*protocol.Hello, int) {
	frame, err := protocol.NewFrameReader(stream, helloLimit).Read()
	if err != nil {
		return nil, channelEnded(err)
	}
	message, err := protocol.DecodeMessage(frame)
	if err != nil {
		return nil, fail(ExitProtocol, err.Error())
	}
	hello, ok := message.(*protocol.Hello)
	if !ok {
		return nil, fail(ExitProtocol, fmt.Sprintf("the first message is %s, not hello", message.MessageType()))
	}
	if hello.Version != protocol.Version {
		return nil, fail(ExitVersion, (&protocol.UnsupportedVersion{Version: hello.Version, Supported: protocol.Version}).Error())
	}
	if hello.MaxFrame < helloLimit || hello.MaxFrame > protocol.MaxMaxFrame {
		return nil, fail(ExitProtocol, fmt.Sprintf("hello: maxFrame %d is out of range", hello.MaxFrame))
	}
	return hello, 0
}

// Receive returns the next message of the parent. Its error is that of the
// channel, [io.EOF] at its end, or says what the message violated.
func (c *Session) Receive() (protocol.Message, error) {
	frame, err := c.frames.Read()
	if err != nil {
		return nil, err
	}
	return protocol.DecodeMessage(frame)
}

// Send sends a message to the parent; one that fits no frame is an error.
func (c *Session) Send(m protocol.Message) error { return c.out.send(m) }

// Digest returns the digest by which a child knows the snapshot that its parent
// made: SHA-256, in hexadecimal.
func Digest(snapshot []byte) string {
	sum := sha256.Sum256(snapshot)
	return hex.EncodeToString(sum[:])
}
