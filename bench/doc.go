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
// Each sample follows warm-up operations that are not counted. Nothing measured
// is discarded.
package bench
