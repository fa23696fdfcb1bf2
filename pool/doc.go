// Package pool runs programs in supervised child processes. It starts them,
// chooses one for each execution, queues, cancels, kills, replaces and retires.
// It does not know what a program is: that is package sandbox's, inside the
// child.
//
// # Trust
//
// A child runs hostile code and may be taken over by it. Everything that comes
// from a child is checked against the request it was given: which tools it may
// call, how often and with how much, which faults it may state, how much it may
// log and answer. The parent has its own watchdog over wall clock and CPU time.
// The first thing a child does that it may not ends it, with
// [protocol.ProtocolViolation] for the execution it had.
//
// # One outcome
//
// Execute returns exactly one result for each job. It is decided once, by
// whichever comes first: the child's result, a bound, the caller's
// cancellation, the child's death. What arrives later is dropped.
//
// # Files
//
//	config.go         what can be configured
//	pool.go           the pool: New, Execute, Drain, Close, admission
//	members.go        how many children there are, and their replacement
//	queue.go          admission and dispatch, and what a refused caller is told
//	turns.go          the order of those that wait
//	levels.go         nested executions
//	child_process.go  one child: start, handshake, idle, end
//	channel.go        its messages
//	execution.go      one execution as the parent sees it
//	toolcall.go       its tool calls
//	logs.go           its logs
//	verdict.go        what a child may say about its result
//	watchdog.go       its clocks
//	memory.go         the operating system's bound on a child's memory
//	classify.go       what a dead child means
//	snapshot.go       the startup snapshot
//	spawner.go        the thread that starts processes; process.go, spawn_linux.go, spawn_other.go
//	stats.go          what can be observed
package pool
