// Command hostile is a child process that breaks the rules, for the tests of
// package pool. It links no engine. What it does at its start is chosen by the
// name of its file, because a child has neither environment nor arguments of
// the test's; what it does with an execution is chosen by the program's text.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns the behaviour at the start. That on execute is in acts_linux.go.

const (
	channelFD  = 3
	snapshotFD = 4
)

// peer is this process's end of the channel.
type peer struct {
	file *os.File
	in   *protocol.FrameReader
	out  *protocol.FrameWriter
	name string // of this file
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "snapshot" {
		os.NewFile(snapshotFD, "snapshot").WriteString("no snapshot is needed here")
		return
	}
	path, err := os.Readlink("/proc/self/exe")
	check(err)
	file := os.NewFile(channelFD, "channel")
	p := &peer{
		file: file, name: filepath.Base(path),
		in:  protocol.NewFrameReader(file, protocol.MaxMaxFrame),
		out: protocol.NewFrameWriter(file, protocol.MaxMaxFrame),
	}
	hello := p.read().(*protocol.Hello)
	welcome := &protocol.Welcome{Version: protocol.Version, MaxFrame: hello.MaxFrame, Engine: "none"}
	switch p.name {
	case "exits":
		os.Exit(3)
	case "breaks":
		// As long as this file stands beside it.
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), "broken")); err == nil {
			os.Exit(7)
		}
	case "silent":
		time.Sleep(time.Hour)
	case "skewed":
		welcome.Version++
	case "rude":
		p.send(&protocol.Pong{Nonce: 1})
	}
	p.send(welcome)
	switch p.name {
	case "babbles":
		p.send(&protocol.Pong{Nonce: 1})
	case "dies":
		os.Exit(0)
	case "chokes":
		// On the first bytes of a request.
		_, err := io.ReadFull(file, make([]byte, 16))
		check(err)
		os.Exit(6)
	}
	for {
		switch m := p.read().(type) {
		case *protocol.Execute:
			p.act(m)
		case *protocol.Drain:
			os.Exit(0)
		}
	}
}

// act does with an execution what its program's first word says.
func (p *peer) act(m *protocol.Execute) {
	word, rest, _ := strings.Cut(m.Request.Source, " ")
	do, ok := acts[word]
	if !ok {
		fmt.Fprintln(os.Stderr, "hostile: there is no act", word)
		os.Exit(1)
	}
	do(p, m, rest)
}

func (p *peer) read() protocol.Message {
	frame, err := p.in.Read()
	if err != nil {
		os.Exit(0) // the parent is gone
	}
	m, err := protocol.DecodeMessage(frame)
	check(err)
	return m
}

func (p *peer) send(m protocol.Message) {
	payload, err := protocol.EncodeMessage(m)
	check(err)
	p.sendText(payload)
}

func (p *peer) sendText(payload []byte) { check(p.out.Write(payload)) }

func (p *peer) sendBytes(raw ...byte) {
	_, err := p.file.Write(raw)
	check(err)
}

// result ends the execution.
func (p *peer) result(m *protocol.Execute, r protocol.Result) {
	p.send(&protocol.ResultMessage{Execution: m.Execution, Result: r})
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}
