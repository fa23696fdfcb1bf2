// Package bench takes the measurements that the gate reports: the workloads,
// what each figure means, and the method by which samples are taken. It holds
// no verdict policy.
//
// Six benchmarks are registered in thresholds.json, before any result, with the
// number of samples, the operations in a sample and the tolerance of each
// figure. The digest of that file is in every record, so that a changed
// tolerance cannot pass unseen.
//
//	ColdStart   from the end of one execution to the result of the next in a
//	            fresh process, which has no spare: spawn, load the snapshot, run
//	WarmRun     one execution of a trivial program on a ready child; the median
//	            and the 95th percentile by nearest rank
//	ToolCall    one tool call of a program that makes them one after another
//	Payload1MiB one execution that is given 1 MiB of text and returns it
//	ChildMemory memory of an idle child that has served executions, shared pages
//	            counted in proportion
//	Recovery    from the SIGKILL of an idle child to a pool at its full size that
//	            has answered a probe
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
// Each sample follows warm-up operations that are not counted. Nothing measured
// is discarded.
package bench
