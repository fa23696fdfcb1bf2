package native

import (
	"bufio"
	"fmt"
	"os"
	"syscall"

	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns the hostile child's own side: a process that the pool starts
// instead of a real child, that greets as one, and then does what the source
// of its request names. It stands for a child that has been taken over.

// hostileArgument is argument 1 of a process that plays a hostile child. A
// script whose first line names the binary and this argument is what a pool
// is given as its ChildPath: the kernel then executes the binary with the
// argument, the script's path, and the arguments that the pool gave.
const hostileArgument = "isogate-hostile-child"

func init() {
	if len(os.Args) > 3 && os.Args[1] == hostileArgument {
		os.Exit(hostileMain(os.Args[3:]))
	}
}

// hostileMain runs a child. args are those of a child, from the role on.
func hostileMain(args []string) int {
	if args[0] != child.RoleServe {
		return becomeChild(args)
	}
	return serveHostile(&protocol.Welcome{Sealed: measures()})
}

// serveHostile greets the parent, with what the welcome says of sealing, and carries
// out acts.
func serveHostile(welcome *protocol.Welcome) int {
	channel := os.NewFile(child.Channel, "channel")
	h := &hostile{
		file:   channel,
		reader: protocol.NewFrameReader(bufio.NewReader(channel), protocol.MaxMaxFrame),
		writer: protocol.NewFrameWriter(channel, protocol.MaxMaxFrame),
	}
	if _, ok := h.receive().(*protocol.Hello); !ok {
		return 1
	}
	welcome.Version, welcome.MaxFrame = protocol.Version, protocol.DefaultMaxFrame
	welcome.Agent, welcome.Engine = child.Arg0, "hostile"
	h.send(welcome)
	for {
		m, ok := h.receive().(*protocol.Execute)
		if !ok {
			continue
		}
		h.execution = m.Execution
		act, known := acts[m.Request.Source]
		if !known {
			fmt.Fprintln(os.Stderr, "hostile child: there is no act", m.Request.Source)
			return 1
		}
		act(h)
	}
}

// measures returns the names of all sealing measures: a hostile child claims them.
func measures() []string {
	var names []string
	for _, m := range child.Measures() {
		names = append(names, m.Name)
	}
	return names
}

// becomeChild replaces this process by a real child, with its descriptors. It
// returns only when that fails. The snapshot is made honestly that way.
func becomeChild(args []string) int {
	self, err := os.Executable()
	if err == nil {
		err = syscall.Exec(self, append([]string{child.Arg0}, args...), []string{})
	}
	fmt.Fprintln(os.Stderr, "hostile child:", err)
	return 1
}

// hostile is the child's end of the channel.
type hostile struct {
	file      *os.File
	reader    *protocol.FrameReader
	writer    *protocol.FrameWriter
	execution string
}

// receive returns the next message and ends the process when there is none.
func (h *hostile) receive() protocol.Message {
	frame, err := h.reader.Read()
	if err != nil {
		os.Exit(0)
	}
	m, err := protocol.DecodeMessage(frame)
	if err != nil {
		os.Exit(1)
	}
	return m
}

// raw writes bytes as they are; a parent that has hung up ends the process.
func (h *hostile) raw(b []byte) {
	if _, err := h.file.Write(b); err != nil {
		os.Exit(0)
	}
}

// frame writes any bytes as one well-formed frame.
func (h *hostile) frame(payload string) {
	if err := h.writer.Write([]byte(payload)); err != nil {
		os.Exit(0)
	}
}

// send writes one well-formed message.
func (h *hostile) send(m protocol.Message) {
	payload, err := protocol.EncodeMessage(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile child:", err)
		os.Exit(1)
	}
	h.frame(string(payload))
}

// result ends the execution with a value.
func (h *hostile) result(value string) {
	h.send(&protocol.ResultMessage{Execution: h.execution, Result: protocol.Result{Value: protocol.Value(value)}})
}

// call makes a tool call.
func (h *hostile) call(id int64, namespace, tool, args string) {
	h.send(&protocol.ToolCall{Execution: h.execution, Call: id, Namespace: namespace, Tool: tool, Args: args})
}

// wait reads messages for ever without answering any.
func (h *hostile) wait() {
	for {
		h.receive()
	}
}
