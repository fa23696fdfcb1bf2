package protocol

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// This file owns the bounds of one execution: their names, defaults and maxima.

// Limits bound one execution. A field left at zero takes the executor's default;
// zero never means unlimited. Sizes are bytes of UTF-8, counts are counts.
type Limits struct {
	// Wall bounds the time from the program's start to its encoded result, or
	// the part of it that [Request.WallClock] says.
	Wall time.Duration
	// CPU bounds the processor time of the child process over the same span.
	CPU time.Duration
	// ToolTime bounds one tool call, from its delivery to its reply. A tool that
	// takes longer fails with the error [ToolTimeout], which the program can
	// catch.
	ToolTime time.Duration
	// Heap bounds V8's heap.
	Heap int64
	// External bounds ArrayBuffer contents.
	External int64
	// Source bounds the program's text, and each virtual module's.
	Source int64
	// Input bounds the codec text of the input.
	Input int64
	// Result bounds the codec text of the value.
	Result int64
	// Argument bounds the codec text of one tool call's arguments.
	Argument int64
	// Reply bounds the reply envelope of one tool call.
	Reply int64
	// ToolBytes bounds arguments and replies of all tool calls together.
	ToolBytes int64
	// ToolCalls bounds the number of tool calls, CallsInFlight those that await
	// their reply at one moment.
	ToolCalls     int64
	CallsInFlight int64
	// LogBytes and LogEntries bound what is kept of the logs; the rest is
	// dropped and counted.
	LogBytes   int64
	LogEntries int64
	// Timers bounds the timers pending at one moment.
	Timers int64
	// ErrorText bounds message plus stack of a fault; longer text is cut.
	ErrorText int64
}

const (
	kib = int64(1) << 10
	mib = int64(1) << 20
	gib = int64(1) << 30
)

// DefaultLimits are what an executor applies unless configured otherwise.
var DefaultLimits = Limits{
	Wall: 30 * time.Second, CPU: 10 * time.Second, ToolTime: 2 * time.Minute,
	Heap: 64 * mib, External: 64 * mib,
	Source: 4 * mib, Input: 8 * mib, Result: 8 * mib, Argument: 8 * mib, Reply: 8 * mib, ToolBytes: 256 * mib,
	ToolCalls: 1000, CallsInFlight: 64,
	LogBytes: 1 * mib, LogEntries: 10_000, Timers: 10_000, ErrorText: 64 * kib,
}

// MaxLimits are the hard maxima that an executor accepts unless configured lower.
var MaxLimits = Limits{
	Wall: 10 * time.Minute, CPU: 10 * time.Minute, ToolTime: time.Hour,
	Heap: 1 * gib, External: 1 * gib,
	Source: 64 * mib, Input: 32 * mib, Result: 32 * mib, Argument: 32 * mib, Reply: 32 * mib, ToolBytes: 4 * gib,
	ToolCalls: 100_000, CallsInFlight: 1024,
	LogBytes: 16 * mib, LogEntries: 100_000, Timers: 100_000, ErrorText: 1 * mib,
}

// MinHeap is the smallest heap limit that leaves room for the runtime itself.
const MinHeap = 8 * mib

// limitField names one limit for the wire, for messages and for iteration.
type limitField struct {
	name     string // as on the wire; durations end in "Ms"
	get      func(*Limits) int64
	set      func(*Limits, int64)
	duration bool
	min      int64 // smallest value that is accepted, in the field's own unit
}

func durationField(name string, at func(*Limits) *time.Duration) limitField {
	return limitField{name: name, duration: true, min: int64(time.Millisecond),
		get: func(l *Limits) int64 { return int64(*at(l)) },
		set: func(l *Limits, v int64) { *at(l) = time.Duration(v) }}
}

func sizeField(name string, min int64, at func(*Limits) *int64) limitField {
	return limitField{name: name, min: min,
		get: func(l *Limits) int64 { return *at(l) },
		set: func(l *Limits, v int64) { *at(l) = v }}
}

var limitFields = []limitField{
	durationField("wallMs", func(l *Limits) *time.Duration { return &l.Wall }),
	durationField("cpuMs", func(l *Limits) *time.Duration { return &l.CPU }),
	durationField("toolTimeMs", func(l *Limits) *time.Duration { return &l.ToolTime }),
	sizeField("heap", MinHeap, func(l *Limits) *int64 { return &l.Heap }),
	sizeField("external", 1, func(l *Limits) *int64 { return &l.External }),
	sizeField("source", 1, func(l *Limits) *int64 { return &l.Source }),
	sizeField("input", 1, func(l *Limits) *int64 { return &l.Input }),
	sizeField("result", 1, func(l *Limits) *int64 { return &l.Result }),
	sizeField("argument", 1, func(l *Limits) *int64 { return &l.Argument }),
	sizeField("reply", 1, func(l *Limits) *int64 { return &l.Reply }),
	sizeField("toolBytes", 1, func(l *Limits) *int64 { return &l.ToolBytes }),
	sizeField("toolCalls", 1, func(l *Limits) *int64 { return &l.ToolCalls }),
	sizeField("callsInFlight", 1, func(l *Limits) *int64 { return &l.CallsInFlight }),
	sizeField("logBytes", 1, func(l *Limits) *int64 { return &l.LogBytes }),
	sizeField("logEntries", 1, func(l *Limits) *int64 { return &l.LogEntries }),
	sizeField("timers", 1, func(l *Limits) *int64 { return &l.Timers }),
	sizeField("errorText", 256, func(l *Limits) *int64 { return &l.ErrorText }),
}

func (f *limitField) format(v int64) string {
	if f.duration {
		return time.Duration(v).String()
	}
	return fmt.Sprint(v)
}

// Resolve returns the limits with every zero field taken from defaults. A field
// that is negative, below its floor or above max is an [InvalidRequest] that
// names the field, the figure and the bound. The defaults are taken as they are:
// check them with a Resolve of their own.
func (l Limits) Resolve(defaults, max Limits) (Limits, error) {
	out := l
	for i := range limitFields {
		f := &limitFields[i]
		v := f.get(&l)
		if v == 0 {
			f.set(&out, f.get(&defaults))
			continue
		}
		if bound := f.get(&max); v < f.min || v > bound {
			return Limits{}, &InvalidRequest{
				Field:  "limits." + f.name,
				Reason: fmt.Sprintf("%s is outside %s to %s", f.format(v), f.format(f.min), f.format(bound)),
			}
		}
	}
	return out, nil
}

// Lower returns the limits with each that is more than that of max lowered to it.
func (l Limits) Lower(max Limits) Limits {
	for i := range limitFields {
		f := &limitFields[i]
		if bound := f.get(&max); f.get(&l) > bound {
			f.set(&l, bound)
		}
	}
	return l
}

// MarshalJSON writes the limits that are not zero; durations as whole
// milliseconds, rounded away from zero so that none becomes "the default".
func (l Limits) MarshalJSON() ([]byte, error) { return l.appendWire(nil), nil }

// UnmarshalJSON reads limits. A name that is unknown or there twice and a figure
// that is no integer are errors that name it. A figure out of range is not: it
// is for [Limits.Resolve] to refuse.
func (l *Limits) UnmarshalJSON(text []byte) error {
	s := scanner{text: text}
	if err := s.readLimits(l); err != nil {
		return fmt.Errorf("limits: %w", err)
	}
	return s.end()
}

func (l Limits) appendWire(out []byte) []byte {
	out = append(out, '{')
	for i := range limitFields {
		f := &limitFields[i]
		v := f.get(&l)
		if v == 0 {
			continue
		}
		if f.duration {
			v = toMilliseconds(v)
		}
		if out[len(out)-1] != '{' {
			out = append(out, ',')
		}
		out = append(appendString(out, f.name), ':')
		out = strconv.AppendInt(out, v, 10)
	}
	return append(out, '}')
}

func (s *scanner) readLimits(l *Limits) error {
	*l = Limits{}
	seen := map[string]bool{}
	return s.members(func(name string, at int) error {
		f := limitByName(name)
		if f == nil {
			return s.fail(at, "the unknown limit %.60q", name)
		}
		if seen[name] {
			return s.repeated(name, at)
		}
		seen[name] = true
		v, err := s.readInt()
		if err != nil {
			return inField(name, err)
		}
		if f.duration {
			v = fromMilliseconds(v)
		}
		f.set(l, v)
		return nil
	})
}

const nanosPerMilli = int64(time.Millisecond)

// toMilliseconds rounds nanoseconds away from zero.
func toMilliseconds(ns int64) int64 {
	ms := ns / nanosPerMilli
	switch rest := ns % nanosPerMilli; {
	case rest > 0:
		ms++
	case rest < 0:
		ms--
	}
	return ms
}

// fromMilliseconds returns nanoseconds, or the largest number of them of the
// same sign, which is out of any range.
func fromMilliseconds(ms int64) int64 {
	switch {
	case ms > math.MaxInt64/nanosPerMilli:
		return math.MaxInt64
	case ms < math.MinInt64/nanosPerMilli:
		return math.MinInt64
	}
	return ms * nanosPerMilli
}

func limitByName(name string) *limitField {
	for i := range limitFields {
		if limitFields[i].name == name {
			return &limitFields[i]
		}
	}
	return nil
}
