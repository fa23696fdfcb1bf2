package pool

import (
	"os"
	"runtime"
)

// This file owns the thread that starts processes. How a process is started is
// in spawn_linux.go.

// process is a started child process and the parent's ends of what it was given.
type process struct {
	os      *os.Process
	channel *os.File // nil in role snapshot
	stderr  *os.File
	group   *childGroup // nil: it has none of its own
	memory  *os.File    // the kernel's figures of its memory, once they have been read
}

// spawnSpec says what to start.
type spawnSpec struct {
	path     string
	role     string
	profile  string
	digest   string   // of the snapshot
	measures []string // to take, those that the parent takes for it among them
	channel  bool     // give it a channel
	snapshot *os.File // the memory file it writes or reads
	group    *childGroup
}

// spawner starts processes from one operating system thread, which lives until
// stop. The kernel's parent-death signal follows the thread that started a
// child, not the process, so a thread that Go may end would end children.
type spawner struct {
	requests chan func()
	stopped  chan struct{}
}

func newSpawner() *spawner {
	s := &spawner{requests: make(chan func()), stopped: make(chan struct{})}
	go func() {
		defer close(s.stopped)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for request := range s.requests {
			request()
		}
	}()
	return s
}

// spawn starts a process.
func (s *spawner) spawn(spec spawnSpec) (p *process, err error) {
	done := make(chan struct{})
	s.requests <- func() {
		defer close(done)
		p, err = spawn(spec)
	}
	<-done
	return p, err
}

// stop ends the thread's service. Every child must have ended.
func (s *spawner) stop() {
	close(s.requests)
	<-s.stopped
}
