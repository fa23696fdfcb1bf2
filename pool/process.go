package pool

import (
	"io"
	"os"
)

// This file owns what a started process is to the parent on every platform.

// kill ends the process with SIGKILL. It may be called from any goroutine, also
// when the process has been reaped: os.Process holds a descriptor of the process
// (pidfd) where the kernel has them, so no other process can be hit.
func (p *process) kill() { _ = p.os.Kill() } // an error means that it has ended

// close closes the parent's ends.
func (p *process) close() {
	if p.channel != nil {
		p.channel.Close()
	}
	p.stderr.Close()
	if p.memory != nil {
		p.memory.Close()
	}
	p.group.close()
}

// readHead reads f to its end and returns the first limit bytes of it. The rest
// is read too, so that the writer never waits.
func readHead(f *os.File, limit int) string {
	head := make([]byte, limit)
	n, err := io.ReadFull(f, head)
	if err == nil {
		_, _ = io.Copy(io.Discard, f) // nothing depends on the rest
	}
	return string(head[:n])
}
