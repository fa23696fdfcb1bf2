package protocol

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file owns the rules that all faults obey.

// faultTypes has a zero value of each fault type and of the structs that they
// embed, for cmp.AllowUnexported.
var faultTypes = func() []any {
	types := []any{hostFault{}, programFault{}, limitFault{}, executorFault{}}
	for _, create := range newFault {
		types = append(types, reflect.ValueOf(create()).Elem().Interface())
	}
	return types
}()

func TestEveryFaultHasACodeAndIsListed(t *testing.T) {
	codes := Codes()
	if len(codes) != len(newFault) {
		t.Errorf("%d codes are listed, %d can be decoded", len(codes), len(newFault))
	}
	for i, code := range codes {
		create, ok := newFault[code]
		if !ok {
			t.Errorf("%q cannot be decoded", code)
			continue
		}
		if got := create().Code(); got != code {
			t.Errorf("%q makes a fault of code %q", code, got)
		}
		if slices.Contains(codes[:i], code) {
			t.Errorf("%q is listed twice", code)
		}
	}
}

// The contract's table: whose fault, and whether to send the request again
// before and after tools have been called.
func TestClassAndRetry(t *testing.T) {
	type row struct {
		class         Class
		before, after bool
	}
	host, program, limit, executor := row{ClassHost, false, false}, row{ClassProgram, false, false}, row{ClassLimit, false, false}, row{ClassExecutor, true, false}
	want := map[Code]row{
		CodeInvalidRequest: host, CodeUnsupportedVersion: host, CodeCancelled: host, CodeUnauthorized: host,
		CodeQuotaExceeded: {ClassHost, true, false},
		CodeSyntax:        program, CodeThrown: program, CodeStalled: program, CodeUnserializable: program, CodeModuleNotFound: program, CodeStackExceeded: program,
		CodeDeadlineExceeded: limit, CodeMemoryExceeded: limit, CodeSourceTooLarge: limit, CodeResultTooLarge: limit, CodeArgumentsTooLarge: limit,
		CodeReplyTooLarge: limit, CodeToolCallsExceeded: limit, CodeConcurrentCallsExceeded: limit,
		CodeOverloaded: executor, CodeQueueDeadline: executor, CodeWorkerCrashed: executor, CodeProtocolViolation: executor,
		CodeDisconnected: executor, CodeDraining: executor, CodeUnavailable: executor,
	}
	for _, code := range Codes() {
		f := newFault[code]()
		got := row{class: f.Class(), before: f.Retryable()}
		f.Reached().Delivered = []string{"tools.add"}
		got.after = f.Retryable()
		if got != want[code] {
			t.Errorf("%s: got %+v, want %+v", code, got, want[code])
		}
	}
}

// A fault keeps its type, its fields and its text through every wire form.
func TestFaultsSurviveTheWire(t *testing.T) {
	crossings := map[string]func(Fault) (error, error){
		"EncodeFault": func(f Fault) (error, error) {
			text, err := EncodeFault(f)
			if err != nil {
				return nil, err
			}
			return DecodeFault(text)
		},
		"ResultMessage": func(f Fault) (error, error) {
			text, err := EncodeMessage(&ResultMessage{Execution: "e", Result: Result{Fault: f}})
			if err != nil {
				return nil, err
			}
			m, err := DecodeMessage(text)
			if err != nil {
				return nil, err
			}
			return m.(*ResultMessage).Result.Fault, nil
		},
	}
	for _, sample := range sampleFaults() {
		for name, cross := range crossings {
			t.Run(fmt.Sprintf("%s through %s", sample.fault.Code(), name), func(t *testing.T) {
				got, err := cross(sample.fault)
				if err != nil {
					t.Fatal(err)
				}
				// As a caller would look for it, behind other errors.
				wrapped := fmt.Errorf("executing: %w", got)
				target := reflect.New(reflect.TypeOf(sample.fault))
				if !errors.As(wrapped, target.Interface()) {
					t.Fatalf("errors.As does not find a %T in a %T", sample.fault, got)
				}
				if diff := cmp.Diff(sample.fault, target.Elem().Interface(), cmp.AllowUnexported(faultTypes...)); diff != "" {
					t.Errorf("fields (-want +got):\n%s", diff)
				}
				var fault Fault
				if !errors.As(wrapped, &fault) || fault.Reached().Delivered[1] != "tools.write" || !fault.Reached().Started {
					t.Errorf("the progress was lost: %+v", fault)
				}
				if got.Error() != sample.fault.Error() {
					t.Errorf("text %q became %q", sample.fault, got)
				}
			})
		}
	}
}

func TestFaultTextsNameTheirFigures(t *testing.T) {
	for _, sample := range sampleFaults() {
		text := sample.fault.Error()
		for _, part := range sample.text {
			if !strings.Contains(text, part) {
				t.Errorf("%s: the text %q lacks %q", sample.fault.Code(), text, part)
			}
		}
		if strings.HasSuffix(text, ": ") || strings.Contains(text, "%!") {
			t.Errorf("%s: the text %q is not well formed", sample.fault.Code(), text)
		}
	}
	for _, code := range Codes() {
		if text := newFault[code]().Error(); text == "" || strings.Contains(text, "%!") {
			t.Errorf("%s without fields: %q", code, text)
		}
	}
}

func TestFaultTextsThatDependOnFields(t *testing.T) {
	tests := []struct {
		fault Fault
		want  string
	}{
		{&DeadlineExceeded{Kind: ClockWall, LimitMS: 300, ElapsedMS: 301, How: HowInterrupted}, "deadline exceeded: the wall-clock limit is 300ms, the program had used 301ms and was interrupted"},
		{&WorkerCrashed{Status: 3, Phase: PhaseStarting}, "worker crashed while starting: exit status 3; tool calls delivered before: 0"},
		{&Cancelled{}, "cancelled by the caller"},
		{&Disconnected{}, "disconnected from the executor"},
		{&Unavailable{Reason: "r"}, "unavailable: r"},
		{&QuotaExceeded{Quota: "q", Limit: 1}, "quota exceeded: q is limited to 1"},
		{&Thrown{Message: "text"}, "uncaught text"},
		{&Thrown{Name: "Error"}, "uncaught Error"},
		{&Unserializable{What: "symbol", Path: "$"}, "unserializable: symbol at $ of the value cannot cross the isolate's boundary"},
		{&ResultTooLarge{Size: Size{Limit: 1, Actual: 2}}, "result too large: the limit is 1 bytes, the actual is 2"},
		{&Syntax{Message: "m", File: "f", Line: 1, Column: 2}, "syntax error at f:1:2: m"},
		{&StackExceeded{}, "stack exceeded: the program recursed past the isolate's stack"},
	}
	for _, tc := range tests {
		if got := tc.fault.Error(); got != tc.want {
			t.Errorf("got  %q\nwant %q", got, tc.want)
		}
	}
}

// What a peer states about class, retry and text is not believed.
func TestStatedHeaderIsNotBelieved(t *testing.T) {
	f, err := DecodeFault([]byte(`{"code":"stalled","class":"executor","retryable":true,"message":"all is well","started":true}`))
	if err != nil {
		t.Fatal(err)
	}
	if f.Class() != ClassProgram || f.Retryable() || f.Error() != new(Stalled).Error() {
		t.Errorf("got %v, %v, %q", f.Class(), f.Retryable(), f)
	}
}

func TestDecodeFaultRefuses(t *testing.T) {
	tests := []struct{ text, want string }{
		{`[]`, "fault: '[' where an object should be at byte 0"},
		{`{}`, "fault: code: is missing from the object at byte 0"},
		{`{"code":"no_such"}`, `fault: code: there is no code "no_such", in the object at byte 0`},
		{`{"code":1}`, "fault: code: '1' where a string should be at byte 8"},
		{`{"code":"stalled"}`, "fault: stalled.started: is missing from the object at byte 0"},
		{`{"code":"stalled","started":true,"Started":false}`, `fault: stalled: the unknown member "Started" at byte 33`},
		{`{"code":"stalled","started":true,"started":true}`, `fault: stalled: the key "started" a second time in one object at byte 33`},
		{`{"code":"stalled","started":true,"code":"stalled"}`, `fault: stalled: the key "code" a second time in one object at byte 33`},
		{`{"code":"stalled","started":null}`, "fault: stalled.started: 'n' where true or false should be at byte 28"},
		{`{"code":"stalled","started":true,"delivered":["a",1]}`, "fault: stalled.delivered[1]: '1' where a string should be at byte 50"},
		{`{"code":"stalled","started":true}x`, "fault: more text after the end of the value at byte 33"},
		{`{"code":"memory_exceeded","started":true,"kind":"heap","limit":1.5}`, "fault: memory_exceeded.limit: 1.5 where an integer of 64 bits should be at byte 63"},
		{`{"code":"thrown","started":true,"text":"t","causes":[{"name":"E"}]}`, "fault: thrown.causes[0].message: is missing from the object at byte 53"},
	}
	for _, tc := range tests {
		if f, err := DecodeFault([]byte(tc.text)); err == nil || err.Error() != tc.want {
			t.Errorf("%s:\n got  %v, %v\n want %s", tc.text, f, err, tc.want)
		}
	}
}

func TestEncodeFaultRefusesNil(t *testing.T) {
	for _, f := range []Fault{nil, (*Stalled)(nil)} {
		if text, err := EncodeFault(f); err == nil {
			t.Errorf("%T was encoded to %s", f, text)
		}
	}
	if text, err := EncodeFault(&Thrown{Value: Value(`1,"started":false`)}); err == nil {
		t.Errorf("a value that is no JSON was encoded to %s", text)
	}
}

// A child may state what befell the program, and nothing that its supervisor decides.
func TestFromChild(t *testing.T) {
	for _, code := range Codes() {
		class := newFault[code]().Class()
		if want := class == ClassProgram || class == ClassLimit; code.FromChild() != want {
			t.Errorf("%s: FromChild is %v, its class is %s", code, code.FromChild(), class)
		}
	}
	if Code("no_such").FromChild() {
		t.Error("an unknown code may be stated")
	}
}
