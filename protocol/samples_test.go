package protocol

import "time"

// This file owns a sample of every fault and of every message, every field of
// them set, which the tests of the wire forms share.

// faultSample is a fault and the figures and names that its text must have.
type faultSample struct {
	fault Fault
	text  []string
}

func progress() Progress {
	return Progress{Started: true, Delivered: []string{"tools.read", "tools.write"}}
}

func sampleFaults() []faultSample {
	host := hostFault{progress()}
	program := programFault{progress()}
	limit := limitFault{progress()}
	executor := executorFault{progress()}
	size := Size{Limit: 1024, Actual: 2048, AtLeast: true}
	sizes := []string{"1024", "at least 2048"}
	return []faultSample{
		{&InvalidRequest{hostFault: host, Field: "tools[0].name", Reason: `"a b" is not an identifier`}, []string{"tools[0].name", "a b"}},
		{&UnsupportedVersion{hostFault: host, Version: 7, Supported: 3}, []string{"7", "3"}},
		{&Syntax{programFault: program, Message: "Unexpected token", File: "program", Line: 3, Column: 14, Excerpt: "let = ;", Hint: "Write it so."}, []string{"Unexpected token", "program:3:14", "let = ;", "\nWrite it so."}},
		{&Thrown{programFault: program, Name: "TypeError", Message: "x is <no> function", Hint: "Did you mean y?", Stack: "    at program:1:1",
			Causes: []Cause{{Name: "Error", Message: "inner", Stack: "    at program:2:2"}, {Message: "text"}, {Path: "cause.errors[0]", Name: "RangeError", Message: "member"}}, Value: Value(`{"$":"error","name":"TypeError","message":"x is <no> function"}`)},
			[]string{"TypeError: x is <no> function\nDid you mean y?\n", "program:1:1", "caused by Error: inner", "program:2:2", "caused by text", "\ncause.errors[0]: RangeError: member"}},
		{&Stalled{program}, []string{"nothing can settle"}},
		{&Unserializable{programFault: program, What: "function", Path: "$.items[3].cb", Where: "arguments of tools.read"}, []string{"function", "$.items[3].cb", "arguments of tools.read"}},
		{&ModuleNotFound{programFault: program, Specifier: "fs", Importer: "program", Hint: "There are no files."}, []string{`"fs"`, "program", "\nThere are no files."}},
		{&DeadlineExceeded{limitFault: limit, Kind: ClockCPU, LimitMS: 1500, ElapsedMS: 1750, How: HowKilled}, []string{"CPU", "1.5s", "1.75s", "killed"}},
		{&MemoryExceeded{limitFault: limit, Kind: MemoryExternal, Limit: 67108864}, []string{"external", "67108864"}},
		{&StackExceeded{programFault: program, Stack: "    at f (program:1:1)"}, []string{"program:1:1"}},
		{&SourceTooLarge{limitFault: limit, Size: size, File: "lib/a"}, append(sizes, "lib/a")},
		{&ResultTooLarge{limit, size}, sizes},
		{&ArgumentsTooLarge{limitFault: limit, Size: size, Of: "tools.read"}, append(sizes, "tools.read")},
		{&ReplyTooLarge{limitFault: limit, Size: size, Of: "all tool calls"}, append(sizes, "all tool calls")},
		{&ToolCallsExceeded{limit, size}, sizes},
		{&ConcurrentCallsExceeded{limit, size}, sizes},
		{&Overloaded{executorFault: executor, Queued: 10, Capacity: 12, RetryAfterMS: 250}, []string{"10", "12", "250ms"}},
		{&QueueDeadline{executorFault: executor, WaitedMS: 5100, LimitMS: 5000}, []string{"5.1s", "5s"}},
		{&WorkerCrashed{executorFault: executor, Status: 72, Signal: "killed", Phase: PhaseRunning}, []string{"running", "signal killed", "2"}},
		{&ProtocolViolation{executorFault: executor, What: "a frame of length 0"}, []string{"a frame of length 0"}},
		{&Cancelled{hostFault: host, Reason: "context canceled"}, []string{"context canceled"}},
		{&Disconnected{executorFault: executor, Reason: "EOF"}, []string{"EOF"}},
		{&Draining{executor}, []string{"draining"}},
		{&Unavailable{executorFault: executor, Reason: "no child starts", RetryAfterMS: 2000}, []string{"no child starts", "2s"}},
		{&Unauthorized{hostFault: host, Reason: "the token is wrong"}, []string{"the token is wrong"}},
		{&QuotaExceeded{hostFault: host, Quota: "executions a minute", Limit: 60, RetryAfterMS: 9000}, []string{"executions a minute", "60", "9s"}},
	}
}

func sampleRequest() Request {
	return Request{
		Source: "export default async (n) => tools.add(n, 1) // </script>\u2028", Language: TypeScript, Form: FormModule,
		Input:   Value(`{"n":{"$":"number","v":"-0"}}`),
		Tools:   []Namespace{{Name: "tools", Tools: []string{"add", "read"}}, {Name: "empty", Tools: []string{}}},
		Modules: map[string]Module{"lib/a": {Source: "export const a: number = 1", Language: TypeScript}, "b": {Source: ""}, "c": {Source: "[]", Language: JSON}},
		Scripts: []Script{{Name: "before", Source: "const version = 1"}},
		Grants:  []Grant{GrantEval, GrantWasm},
		Limits: Limits{
			Wall: 1500 * time.Millisecond, CPU: time.Second, ToolTime: 250 * time.Millisecond, Heap: 1, External: 2, Source: 3, Input: 4, Result: 5, Argument: 6, Reply: 7,
			ToolBytes: 8, ToolCalls: 9, CallsInFlight: 10, LogBytes: 11, LogEntries: 12, Timers: 13, ErrorText: 14,
		},
		TimeZone:  "America/Mexico_City",
		WallClock: WallClockProgram,
		Tenant:    "acme", Parent: "e-7",
		Trace: map[string]string{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tracestate": "a=b"},
	}
}

func sampleResult() Result {
	return Result{
		Value: Value(`[1,{"$":"undefined"}]`),
		Logs:  []LogEntry{{Level: LevelWarn, Text: "careful \"now\"", MS: 12}},
		Calls: []Call{{Name: "tools.add", StartMS: 1, DurationMS: 2, Outcome: OutcomeOK}},
		Usage: Usage{WallMS: 12.5, CPUMS: 3.25, PeakHeap: 1 << 20, PeakExternal: 77, QueueMS: 0.125, Child: 3, ToolCalls: 1,
			DroppedLogs: 4, PendingCalls: 5, PendingTimers: 6},
	}
}

// sampleMessages has one message of each type, named by it.
func sampleMessages() []Message {
	return []Message{
		&Hello{Version: Version, MaxFrame: DefaultMaxFrame, Agent: "isogate"},
		&Welcome{Version: Version, MaxFrame: DefaultMaxFrame, Agent: "isogate", Engine: "10.9", Sealed: []string{"landlock", "seccomp"},
			Unsealed: []Unsealed{{Measure: "user_namespace", Reason: "operation not permitted"}}, Defaults: Limits{Wall: time.Second}, Max: Limits{Wall: time.Minute, Heap: 1 << 26}},
		&Execute{Execution: "e-1", Request: sampleRequest(), StreamLogs: true},
		&ToolCall{Execution: "e-1", Call: 1, Namespace: "tools", Tool: "add", Args: `[1,"\ud800"]`},
		&ToolReply{Execution: "e-1", Call: 1, Envelope: `{"ok":3}`},
		&CallEnded{Execution: "e-1", Call: 1, Reason: "it took too long"},
		&Log{Execution: "e-1", Entry: LogEntry{Level: LevelDebug, Text: "x\ny", MS: 3}},
		&Cancel{Execution: "e-1", Reason: "the caller left"},
		&ResultMessage{Execution: "e-1", Result: sampleResult()},
		&Ping{Nonce: 9007199254740993},
		&Pong{Nonce: -1},
		&Drain{},
	}
}
