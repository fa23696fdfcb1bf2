package pool

import "github.com/isogate/isogate/protocol"

// This file owns the bound that the operating system puts on a child's memory.
// The engine's own limits do not bound what its natives allocate outside the
// heap; RLIMIT_DATA bounds all private writable memory of the process, see
// getrlimit(2).
//
// Measured with the default limits on linux/amd64: an idle child has 134 MiB, most
// of it the untouched stacks of 8 threads. A program that fills 60 MiB of buffers
// and 60 MiB of heap, and is sent and sends messages of 7 MiB, adds 239 MiB to
// that. The bound leaves it 316 MiB.

// dataSlack is what a child may need beyond its state when it was ready and the
// limits of the execution: stacks of threads that start later (8 MiB each), the
// engine's zones and page pools, Go's heap for messages of ordinary size.
const dataSlack = 128 << 20

// messageCopies is how many copies of a large message a child may hold at once,
// on its way between the channel, Go and the engine.
const messageCopies = 4

// dataNeed returns how much private memory an execution with these limits may
// add to an idle child.
func dataNeed(limits *protocol.Limits, payload int64) int64 {
	largest := max(limits.Result, limits.Argument, limits.Reply)
	return limits.Heap + limits.External + dataSlack + messageCopies*(largest+payload)
}

// openMemory measures an idle child and sets the bound that no execution can
// raise.
func (c *childProcess) openMemory() {
	base, known := c.process.dataSize()
	if !known {
		return
	}
	config := &c.pool.config
	hard := base + dataNeed(&protocol.Limits{
		Heap: config.MaxHeap, External: config.MaxExternal, Result: protocol.MaxLimits.Result,
	}, config.MaxFrame)
	if c.process.limitData(hard, hard) == nil {
		c.dataBase, c.dataHard = base, hard
		c.boundGroup(hard)
	}
}

// boundMemory sets the bound for one execution and returns it in bytes: zero
// when there is none, because the platform has none.
func (c *childProcess) boundMemory(x *execution) int64 {
	if c.dataBase == 0 {
		return 0
	}
	soft := min(c.dataBase+dataNeed(&x.request.Limits, int64(len(x.payload))), c.dataHard)
	//gate:protects process-memory
	if c.process.limitData(soft, c.dataHard) != nil {
		return 0
	}
	c.boundGroup(soft)
	return soft
}

// boundGroup bounds what the kernel counts for the child as a whole, where it has a
// control group.
func (c *childProcess) boundGroup(data int64) {
	if err := c.process.group.bound(data); err != nil {
		c.pool.config.Logger.Warn("the control group of a child process does not bound its memory", "child", c.id, "error", err)
	}
}
