package pool

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns one child: its start, the handshake, its idle times and its
// end. One goroutine supervises it from start to end.

// childProcess is one child of a pool.
type childProcess struct {
	pool      *Pool
	id        int
	startedAt time.Time
	jobs      chan *execution // capacity 1: the pool gives a job to an idle child only
	retire    chan struct{}   // closed by the pool to end an idle child
	pid       atomic.Int64

	// Guarded by pool.mu.
	phase    phase
	uses     int
	tenant   string
	bound    bool // tenant is set, also when it is ""
	expiring bool // too old or too large; serves until its replacement is ready
	resident int64
	current  *execution

	// Of the supervising goroutine.
	process  *process
	channel  *channel
	dataBase int64     // private memory in use when it was ready, in bytes; 0: unknown
	dataHard int64     // the largest RLIMIT_DATA it can get, in bytes
	jobAt    time.Time // when its last job was given to it

	reaped   chan struct{} // closed when the following are set
	state    *os.ProcessState
	stderr   string
	killedAt int64 // the limit of its control group, in bytes, when the kernel killed it for that; else 0
}

func newChildProcess(p *Pool, id int) *childProcess {
	return &childProcess{
		pool: p, id: id, startedAt: time.Now(), phase: phaseStarting,
		jobs: make(chan *execution, 1), retire: make(chan struct{}), reaped: make(chan struct{}),
	}
}

// supervise is the life of a child.
func (c *childProcess) supervise() {
	defer c.pool.live.Done()
	d := c.run()
	c.pool.leave(c, d)
	if c.process != nil {
		c.end(d)
	}
	c.report(d)
	c.pool.forget(c)
}

// run starts the child and serves with it until it has to go.
func (c *childProcess) run() departure {
	welcome, d := c.start()
	if welcome == nil {
		return d
	}
	c.pool.ready(c, welcome)
	age := time.NewTimer(c.pool.config.MaxAge)
	defer age.Stop()
	for {
		select {
		case x := <-c.jobs:
			if d, gone := c.serve(x); gone {
				return d
			}
		case in := <-c.channel.incoming:
			return c.idleMessage(in)
		case <-c.retire:
			return departure{departRetired, "retired"}
		case <-c.pool.closing:
			return departure{departClosed, "the pool was closed"}
		case <-age.C:
			c.pool.expire(c)
		}
	}
}

// spawn starts the process, in a control group of its own where there is one.
func (c *childProcess) spawn() (*process, error) {
	group, err := c.pool.groups.make(c.id)
	if err != nil {
		return nil, err
	}
	config := &c.pool.config
	process, err := c.pool.spawner.spawn(spawnSpec{
		path: config.ChildPath, role: child.RoleServe, profile: config.Profile, digest: c.pool.snapshot.digest,
		measures: c.pool.seals.taken, channel: true, snapshot: c.pool.snapshot.file, group: group,
	})
	if err != nil {
		c.removeGroup(group)
		group.close()
	}
	return process, err
}

func (c *childProcess) removeGroup(group *childGroup) {
	if err := group.remove(); err != nil {
		c.pool.config.Logger.Error("the control group of a child process is left", "child", c.id, "error", err)
	}
}

// start starts the process and shakes hands. Without a welcome the departure
// says why.
func (c *childProcess) start() (*protocol.Welcome, departure) {
	config := &c.pool.config
	process, err := c.spawn()
	if err != nil {
		return nil, departure{departFailed, err.Error()}
	}
	c.process = process
	c.pid.Store(int64(process.os.Pid))
	c.channel = newChannel(process.channel, config.MaxFrame, c.cpuTime)
	go c.reap()

	hello := &protocol.Hello{Version: protocol.Version, MaxFrame: config.MaxFrame, Agent: "isogate"}
	if err := c.channel.sendMessage(hello); err != nil {
		return nil, departure{departFailed, err.Error()}
	}
	timeout := time.NewTimer(config.StartTimeout)
	defer timeout.Stop()
	select {
	case in := <-c.channel.incoming:
		if in.err != nil {
			return nil, departure{departFailed, c.howItEnded(in.err)}
		}
		welcome, err := c.checkWelcome(in.message)
		if err != nil {
			return nil, departure{departFailed, err.Error()}
		}
		c.openMemory()
		return welcome, departure{}
	case <-timeout.C:
		return nil, departure{departFailed, fmt.Sprintf("it was not ready after %v", config.StartTimeout)}
	case <-c.pool.closing:
		return nil, departure{departClosed, "the pool was closed"}
	}
}

// checkWelcome refuses a child that is not what the configuration asks for.
func (c *childProcess) checkWelcome(m protocol.Message) (*protocol.Welcome, error) {
	welcome, ok := m.(*protocol.Welcome)
	if !ok {
		return nil, fmt.Errorf("its first message was %s, not welcome", m.MessageType())
	}
	if welcome.Version != protocol.Version {
		return nil, &protocol.UnsupportedVersion{Version: welcome.Version, Supported: protocol.Version}
	}
	return welcome, c.pool.seals.check(welcome)
}

// idleMessage says why a child leaves that spoke, or fell silent for good, while
// it had nothing to do.
func (c *childProcess) idleMessage(in received) departure {
	if in.err == nil {
		return departure{departKilled, fmt.Sprintf("it sent a %s message while idle", in.message.MessageType())}
	}
	if violation := c.channel.lost(in.err); violation != nil {
		return departure{departKilled, violation.What}
	}
	return departure{departCrashed, c.howItEnded(in.err)}
}

// howItEnded describes the end of a child whose stream failed with err.
func (c *childProcess) howItEnded(err error) string {
	if violation := c.channel.lost(err); violation != nil {
		return violation.What
	}
	if !c.awaitEnd(deathTime) {
		return "it closed its channel"
	}
	return c.describeEnd()
}

// describeEnd describes the end of a reaped child, for logs and start-up errors.
func (c *childProcess) describeEnd() string {
	text := describeExit(c.state)
	if c.killedAt > 0 {
		return fmt.Sprintf("%s: the kernel killed it at %d bytes, the memory limit of its control group", text, c.killedAt)
	}
	if _, signal := exitOf(c.state); signal == "SIGSYS" {
		if call := refusedCall(int(c.pid.Load())); call != "" {
			return text + ": " + call
		}
		return text + ", which the kernel's log may name"
	}
	return text
}

// deathTime is how long a process whose channel has ended may take to be gone. A
// busy machine needs a while to take a large process apart.
const deathTime = 2 * time.Second

// awaitEnd waits for the process to be reaped, at most that long, and reports
// whether it was.
func (c *childProcess) awaitEnd(limit time.Duration) bool {
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	select {
	case <-c.reaped:
		return true
	case <-timeout.C:
		return false
	}
}

// reap waits for the process and keeps what it left behind.
func (c *childProcess) reap() {
	defer close(c.reaped)
	text := make(chan string, 1)
	go func() { text <- readHead(c.process.stderr, c.pool.config.StderrLimit) }()
	state, err := c.process.wait()
	if err != nil {
		c.pool.config.Logger.Error("waiting for a child process", "child", c.id, "error", err)
	}
	c.killedAt = c.process.group.killedAt()
	// What it wrote before it died can still be read. If something else holds its
	// ends open, reading must stop all the same.
	limit := time.Now().Add(c.pool.config.Grace)
	c.process.channel.SetReadDeadline(limit)
	c.process.stderr.SetReadDeadline(limit)
	c.state, c.stderr = state, <-text
}

// cpuTime returns the processor time that the process has used, also after its
// end.
func (c *childProcess) cpuTime() (time.Duration, bool) {
	select {
	case <-c.reaped:
		if c.state == nil {
			return 0, false
		}
		return c.state.UserTime() + c.state.SystemTime(), true
	default:
		return c.process.cpuTime()
	}
}

// serve runs one execution. If gone is true the child leaves for the reason
// given, and the pool knows.
func (c *childProcess) serve(x *execution) (d departure, gone bool) {
	if d, ended := c.ended(); ended {
		c.jobs <- x // for the pool to take back
		return d, true
	}
	c.jobAt = time.Now()
	result, d, gone := c.execute(x)
	took := time.Since(c.jobAt)
	resident := int64(0)
	if !gone {
		resident, _ = c.process.residentSize()
	}
	// The child is given back before the caller learns the outcome, so that its
	// next request finds the place free.
	if gone {
		c.pool.leave(c, d)
	} else if !c.pool.release(c, took, resident) {
		d, gone = departure{departRetired, "retired"}, true
	}
	x.finish(result)
	return d, gone
}

// ended reports whether the idle child is known to have ended, or to have said
// something, and how.
func (c *childProcess) ended() (departure, bool) {
	select {
	case in := <-c.channel.incoming:
		return c.idleMessage(in), true
	case <-c.reaped:
		return departure{departCrashed, c.describeEnd()}, true
	default:
		return departure{}, false
	}
}

// end makes sure that the process is gone and closes everything. A child that
// is retired may end by itself.
func (c *childProcess) end(d departure) {
	if d.how == departRetired && c.channel.sendMessage(&protocol.Drain{}) == nil {
		c.awaitEnd(c.pool.config.Grace)
	}
	//gate:protects no-process-left
	c.process.kill()
	<-c.reaped
	c.removeGroup(c.process.group)
	c.channel.close()
	c.process.close()
}

// report logs the end of a child.
func (c *childProcess) report(d departure) {
	log := c.pool.config.Logger.With("child", c.id, "pid", c.pid.Load())
	ended := c.describeEnd()
	switch d.how {
	case departRetired, departClosed:
		log.Debug("child process ended", "reason", d.why)
	case departCrashed:
		log.Warn("child process crashed", "reason", d.why, "ended", ended)
	case departKilled:
		log.Warn("child process killed", "reason", d.why)
	case departFailed:
		log.Error("child process did not start", "reason", d.why, "ended", ended)
	}
	if c.stderr != "" {
		log.Debug("standard error of the child process", "text", c.stderr)
	}
}
