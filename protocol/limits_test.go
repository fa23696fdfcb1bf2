package protocol

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// This file owns the tests of limits.

func TestEveryLimitHasANameADefaultAndAMaximum(t *testing.T) {
	if fields := reflect.TypeFor[Limits]().NumField(); fields != len(limitFields) {
		t.Fatalf("Limits has %d fields, %d have names", fields, len(limitFields))
	}
	var marked Limits
	v := reflect.ValueOf(&marked).Elem()
	for i := range limitFields {
		f := &limitFields[i]
		f.set(&marked, int64(i+1))
		if got := v.Field(i).Int(); got != int64(i+1) {
			t.Errorf("%s is not the field %s", f.name, v.Type().Field(i).Name)
		}
		def, max := f.get(&DefaultLimits), f.get(&MaxLimits)
		if def < f.min || def > max {
			t.Errorf("%s: the default %d is outside %d to %d", f.name, def, f.min, max)
		}
		if limitByName(f.name) != f {
			t.Errorf("%s is not found by its name", f.name)
		}
	}
}

func TestResolve(t *testing.T) {
	got, err := Limits{}.Resolve(DefaultLimits, MaxLimits)
	if err != nil || got != DefaultLimits {
		t.Errorf("no limits: %+v, %v", got, err)
	}
	got, err = Limits{Wall: time.Millisecond, Heap: MinHeap, Timers: MaxLimits.Timers}.Resolve(DefaultLimits, MaxLimits)
	want := DefaultLimits
	want.Wall, want.Heap, want.Timers = time.Millisecond, MinHeap, MaxLimits.Timers
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	tests := []struct {
		in            Limits
		field, reason string
	}{
		{Limits{Wall: -time.Second}, "limits.wallMs", "-1s is outside 1ms to 10m0s"},
		{Limits{Wall: time.Microsecond}, "limits.wallMs", "1µs is outside 1ms to 10m0s"},
		{Limits{CPU: time.Hour}, "limits.cpuMs", "1h0m0s is outside 1ms to 10m0s"},
		{Limits{ToolTime: 61 * time.Minute}, "limits.toolTimeMs", "1h1m0s is outside 1ms to 1h0m0s"},
		{Limits{Heap: MinHeap - 1}, "limits.heap", "8388607 is outside 8388608 to 1073741824"},
		{Limits{ErrorText: 255}, "limits.errorText", "255 is outside 256 to 1048576"},
		{Limits{ToolCalls: -1}, "limits.toolCalls", "-1 is outside 1 to 100000"},
		{Limits{CallsInFlight: 1025}, "limits.callsInFlight", "1025 is outside 1 to 1024"},
	}
	for _, tc := range tests {
		_, err := tc.in.Resolve(DefaultLimits, MaxLimits)
		var invalid *InvalidRequest
		if !errors.As(err, &invalid) || invalid.Field != tc.field || invalid.Reason != tc.reason {
			t.Errorf("%+v: %v, want %s: %s", tc.in, err, tc.field, tc.reason)
		}
	}
}

func TestLimitsJSON(t *testing.T) {
	tests := []struct {
		in   Limits
		text string
		back Limits
	}{
		{Limits{}, `{}`, Limits{}},
		{Limits{Wall: 1500 * time.Millisecond, Heap: 9}, `{"wallMs":1500,"heap":9}`, Limits{Wall: 1500 * time.Millisecond, Heap: 9}},
		{Limits{Wall: 1}, `{"wallMs":1}`, Limits{Wall: time.Millisecond}},
		{Limits{Wall: -1}, `{"wallMs":-1}`, Limits{Wall: -time.Millisecond}},
		{Limits{CPU: math.MaxInt64}, `{"cpuMs":9223372036855}`, Limits{CPU: math.MaxInt64}},
		{Limits{CPU: math.MinInt64}, `{"cpuMs":-9223372036855}`, Limits{CPU: math.MinInt64}},
		{Limits{ToolCalls: -7}, `{"toolCalls":-7}`, Limits{ToolCalls: -7}},
	}
	for _, tc := range tests {
		text, err := json.Marshal(tc.in)
		if err != nil || string(text) != tc.text {
			t.Errorf("%+v: %s, %v, want %s", tc.in, text, err, tc.text)
		}
		var back Limits
		if err := json.Unmarshal(text, &back); err != nil || back != tc.back {
			t.Errorf("%s: %+v, %v, want %+v", text, back, err, tc.back)
		}
	}
	for text, want := range map[string]string{
		`{"walls":1}`:                   `limits: the unknown limit "walls" at byte 1`,
		`{"heap":1,"heap":2}`:           `limits: the key "heap" a second time in one object at byte 10`,
		`{"heap":"1"}`:                  `limits: heap: '"' where an integer should be at byte 8`,
		`{"wallMs":1e3}`:                `limits: wallMs: 1e3 where an integer of 64 bits should be at byte 10`,
		`{"heap":99999999999999999999}`: `limits: heap: 99999999999999999999 where an integer of 64 bits should be at byte 8`,
		`[]`:                            `limits: '[' where an object should be at byte 0`,
	} {
		var l Limits
		if err := json.Unmarshal([]byte(text), &l); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A figure out of range arrives at Resolve, which says in which field it is.
func TestWireLimitsReachResolve(t *testing.T) {
	for text, field := range map[string]string{
		`{"wallMs":-1}`: "limits.wallMs", `{"wallMs":9223372036854775807}`: "limits.wallMs", `{"cpuMs":-9223372036854775808}`: "limits.cpuMs",
		`{"cpuMs":600001}`: "limits.cpuMs", `{"heap":-1}`: "limits.heap", `{"timers":9223372036854775807}`: "limits.timers",
	} {
		m, err := DecodeMessage([]byte(`{"type":"execute","execution":"e","request":{"source":"","limits":` + text + `}}`))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		_, err = m.(*Execute).Request.Limits.Resolve(DefaultLimits, MaxLimits)
		var invalid *InvalidRequest
		if !errors.As(err, &invalid) || invalid.Field != field {
			t.Errorf("%s: %v, want an invalid %s", text, err, field)
		}
	}
}
