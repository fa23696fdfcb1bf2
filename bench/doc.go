// Package bench takes the measurements that the gate reports: the workloads,
// what each figure means, and the processes that take samples. It holds no verdict
// policy.
//
// The benchmarks are registered in thresholds.json, before any result, with the
// number of samples, the operations in a sample and the tolerance of each
// figure. The digest of that file is in every record, so that a changed
// tolerance cannot pass unseen.
//
//	ColdStart    from the end of one execution to the result of the next in a
//	             fresh process, which has no spare: spawn, load the snapshot, run
//	WarmRun      one execution of a trivial program on a ready child: the median,
//	             the 95th and the 99th percentile by nearest rank
//	LibraryRun   a trivial execution without a pool and its processes, from the making
//	             of its isolate to its disposal: the median; and how many times as long
//	             it takes as the same in an isolate of V8's own default snapshot, which
//	             has no library: the median over pairs
//	ToolCall     one tool call of a program that makes them one after another, from
//	             call to call: the median and the 95th percentile
//	Payload1MiB  one execution that is given 1 MiB of text and returns it
//	Overload     the refusal of an execution by a full pool with a full queue, the
//	             median
//	DeadlineOvershoot
//	             how late a deadline comes, the median: "interrupt" from the wall
//	             limit of an endless loop to its fault; "kill" from the end of the
//	             grace period of a program that cannot be interrupted to its fault
//	Recovery     from the SIGKILL of an idle child to a pool at its full size that
//	             has answered a probe
//	Memory       "child": private memory of an idle child; "child-after-runs" and
//	             "host-after-runs": that of the child, and the host's heap, after the
//	             executions of a sample; "child-peak": the most that was ever resident
//	             when one more program has hit a heap limit of 16 MiB
//
// These are counted, so that equal work gives equal figures:
//
//	Processes    processes for each child of a pool at rest
//	Frames       frames and bytes of one tool call on the channel, both directions,
//	             decoded from what strace(1) shows
//	SystemCalls  system calls of a trivial execution and of a tool call, host and
//	             child together, by strace, in the median over a sample. Those by
//	             which threads wait for each other are left out, and reads that
//	             found nothing: their number depends on time
//	Instructions instructions that the engine's thread executes within the engine for
//	             a trivial execution, the making of its isolate included, and for a
//	             tool call, by callgrind, without a pool around it
//
// Children that are traced are not sealed, because a sealed one refuses it. The
// hash seeds of V8 are drawn anew in each process, so instructions are equal but for
// about one part in a hundred; their tolerance is above that.
//
// # Samplers
//
// Samples are taken by processes of their own, which answer requests on their
// standard input ([Serve], [StartSampler], the command bench/sampler). Each sample is
// taken in a new session: a new pool, new children, at least five operations that
// warm it up. So two builds can be measured in turn by one that compares them. For
// the same reason this package and its command use nothing of this module but what
// executes programs: it is laid over the source of an older build, so that the same
// code measures both.
//
// Frames, system calls and instructions are taken from outside: a sampler starts
// itself again under strace or valgrind, and has that second one do the work. Where
// these programs are missing or are not allowed to do their work, the figures are not
// supported, which is an answer of its own ([Unsupported]).
//
// # What sealing costs
//
// Three comparisons measure children that are sealed as by default against children
// that take no sealing measure. A pair is the life of one new child of each kind:
// its start, some executions, some tool calls. Pairs alternate in who is first, so
// that whatever else the machine does meets both. What counts is the ratio of the
// two samples of a pair, in the median over the pairs:
//
//	SealedStart    from the decision to start a child to the result of its first
//	               program; the child before it has been killed
//	SealedWarmRun  one execution of a trivial program, the median of a sample
//	SealedToolCall one tool call, as in ToolCall
//
// A start may cost 1.25 times as much. What follows must cost the same, because
// sealing is done by then, but for the filter that the kernel runs at each of the
// few system calls of an execution or a tool call. "The same" is a ratio between
// 0.93 and 1.07, and it counts as shown only when the whole interval that holds the
// median lies between them: an interval that merely contains 1 is the easier to get
// the worse the machine measures. Pairs are added while they decide nothing, from 24
// to at most 80, which take 25 seconds.
//
// The 7 % come from pools that were both sealed, compared in the same way on two
// processors with little else to do: after 96 pairs their interval was ±3 to ±5 %
// wide around a median within 3 % of 1. Narrower bounds would often leave open what
// is the same; pools that differ by 7 % are told apart.
//
// Nothing measured is discarded.
package bench
