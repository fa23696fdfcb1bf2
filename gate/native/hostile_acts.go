package native

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns what a hostile child does, by the name that a request's source
// gives. The attacks that ask for it, and what the parent must make of it, are
// in hostile_attacks.go.

// acts holds every act. After it the child serves on, if it still can.
var acts = map[string]func(*hostile){
	// An honest execution with one tool call: what tells a working pool from one
	// that refuses everything.
	"honest": func(h *hostile) { h.callAndTell("[20]") },

	// Frames.
	"frame-too-long": func(h *hostile) { h.raw([]byte{0xff, 0xff, 0xff, 0xff}); h.wait() },
	"frame-above-bound": func(h *hostile) {
		h.raw(binary.BigEndian.AppendUint32(nil, uint32(protocol.DefaultMaxFrame+1)))
		h.wait()
	},
	"frame-empty":     func(h *hostile) { h.raw([]byte{0, 0, 0, 0}); h.wait() },
	"frame-truncated": func(h *hostile) { h.raw([]byte{0, 0, 1, 0, '{', '"'}); os.Exit(0) },
	"frame-half-header": func(h *hostile) {
		h.raw([]byte{0, 0})
		os.Exit(0)
	},
	"frame-promised": func(h *hostile) {
		// The largest length that is allowed, and then nothing.
		h.raw(binary.BigEndian.AppendUint32(nil, uint32(protocol.DefaultMaxFrame)))
		h.wait()
	},
	"frame-slow": func(h *hostile) {
		payload := fmt.Sprintf(`{"type":"result","execution":%q,"result":{"value":%q}}`, h.execution, strings.Repeat("x", 1000))
		h.raw(binary.BigEndian.AppendUint32(nil, uint32(len(payload))))
		for i := range len(payload) {
			h.raw([]byte{payload[i]})
			time.Sleep(50 * time.Millisecond) // the act is to be slow
		}
	},

	// Messages.
	"message-not-json":   func(h *hostile) { h.frame("result: 42"); h.wait() },
	"message-not-utf8":   func(h *hostile) { h.frame("{\"type\":\"log\xff\"}"); h.wait() },
	"message-not-object": func(h *hostile) { h.frame(`["result"]`); h.wait() },
	"message-trailing":   func(h *hostile) { h.frame(h.resultText(`1`) + "{}"); h.wait() },
	"message-duplicate-key": func(h *hostile) {
		h.frame(strings.Replace(h.resultText(`1`), `"result":`, `"execution":"other","result":`, 1))
		h.wait()
	},
	"message-unknown-type": func(h *hostile) { h.frame(`{"type":"shell","execution":"` + h.execution + `"}`); h.wait() },
	"message-unknown-field": func(h *hostile) {
		h.frame(strings.Replace(h.resultText(`1`), `{"type"`, `{"admin":true,"type"`, 1))
		h.wait()
	},
	"message-missing-field": func(h *hostile) { h.frame(`{"type":"tool_call","execution":"` + h.execution + `","call":1}`); h.wait() },
	"message-wrong-type":    func(h *hostile) { h.frame(`{"type":"result","execution":7,"result":{}}`); h.wait() },
	"message-deep": func(h *hostile) {
		h.frame(`{"type":"log","execution":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`)
		h.wait()
	},
	"message-for-a-parent": func(h *hostile) {
		// Well-formed, but only a parent may send it.
		h.send(&protocol.Execute{Execution: "1", Request: protocol.Request{Source: "() => 1"}})
		h.wait()
	},
	"message-flood": func(h *hostile) {
		for {
			h.send(&protocol.Log{Execution: h.execution, Entry: protocol.LogEntry{Level: protocol.LevelLog, Text: strings.Repeat("flood ", 1000)}})
		}
	},

	// Outcomes.
	"result-twice": func(h *hostile) { h.result(`"first"`); h.result(`"second"`) },
	"result-then-call": func(h *hostile) {
		h.result(`"settled"`)
		h.call(1, "tools", "twice", "[1]")
	},
	"result-for-another": func(h *hostile) {
		h.execution += "0"
		h.result(`"forged"`)
		h.wait()
	},
	"result-not-codec":    func(h *hostile) { h.result(`{"$":"bigint","v":"ten"}`); h.wait() },
	"result-above-bound":  func(h *hostile) { h.result(`"` + strings.Repeat("x", 100_000) + `"`) },
	"logs-flood":          func(h *hostile) { h.floodLogs(2000); h.result(`"logged"`) },
	"exit-zero":           func(*hostile) { os.Exit(0) },
	"exit-some":           func(*hostile) { os.Exit(7) },
	"silent":              (*hostile).wait,
	"result-forged-usage": func(h *hostile) { h.resultWithUsage() },

	// Tool calls.
	"call-unregistered":     func(h *hostile) { h.call(1, "tools", "secret", "[]"); h.wait() },
	"call-other-namespace":  func(h *hostile) { h.call(1, "admin", "twice", "[1]"); h.wait() },
	"call-unicode-lookup":   func(h *hostile) { h.call(1, "tools", "twıce", "[1]"); h.wait() },
	"call-id-twice":         func(h *hostile) { h.call(1, "tools", "hang", "[1]"); h.call(1, "tools", "hang", "[1]"); h.wait() },
	"call-for-another":      func(h *hostile) { h.execution += "0"; h.call(1, "tools", "twice", "[1]"); h.wait() },
	"call-args-not-codec":   func(h *hostile) { h.callAndTell("[1") },
	"call-args-not-array":   func(h *hostile) { h.callAndTell(`{"0":1}`) },
	"call-args-above-bound": func(h *hostile) { h.call(1, "tools", "twice", `["`+strings.Repeat("x", 100_000)+`"]`); h.wait() },
	"calls-above-bound": func(h *hostile) {
		for id := int64(1); ; id++ {
			h.call(id, "tools", "twice", "[1]")
			h.receive()
		}
	},
	"call-bytes-above-bound": func(h *hostile) {
		for id := int64(1); id <= 20; id++ {
			h.call(id, "tools", "twice", `["`+strings.Repeat("x", 800)+`"]`)
			h.receive()
		}
		h.wait()
	},
	"calls-in-flight-above-bound": func(h *hostile) {
		for id := int64(1); id <= 1000; id++ {
			h.call(id, "tools", "hang", "[1]")
		}
		h.wait()
	},
	"claim-early-deadline": func(h *hostile) {
		h.frame(`{"type":"result","execution":"` + h.execution + `","result":{"fault":{"code":"deadline_exceeded","class":"limit","retryable":false,` +
			`"message":"forged","started":true,"kind":"wall","limitMs":20000,"elapsedMs":20000,"how":"interrupted"}}}`)
		h.wait()
	},
	"deaf": func(h *hostile) {
		// Asks for large replies and never reads one.
		for id := int64(1); id <= 8; id++ {
			h.call(id, "tools", "large", "[]")
		}
		select {}
	},
}

// init adds one act for each fault that exists: to claim it.
func init() {
	for _, code := range protocol.Codes() {
		acts["claim-"+string(code)] = func(h *hostile) {
			text := fmt.Sprintf(`{"code":%q,"class":"executor","retryable":true,"message":"forged","started":false}`, code)
			h.frame(`{"type":"result","execution":"` + h.execution + `","result":{"fault":` + text + `}}`)
			h.wait()
		}
	}
}

// callAndTell calls the tool twice and returns the reply as the value.
func (h *hostile) callAndTell(args string) {
	h.call(1, "tools", "twice", args)
	for {
		if reply, ok := h.receive().(*protocol.ToolReply); ok && reply.Call == 1 {
			h.result(`{"reply":` + reply.Envelope + `}`)
			return
		}
	}
}

// resultText returns a well-formed result message.
func (h *hostile) resultText(value string) string {
	return fmt.Sprintf(`{"type":"result","execution":%q,"result":{"value":%s}}`, h.execution, value)
}

// floodLogs sends n log entries.
func (h *hostile) floodLogs(n int) {
	for range n {
		h.send(&protocol.Log{Execution: h.execution, Entry: protocol.LogEntry{Level: protocol.LevelLog, Text: "flood"}})
	}
}

// resultWithUsage ends the execution with figures about other children.
func (h *hostile) resultWithUsage() {
	h.send(&protocol.ResultMessage{Execution: h.execution, Result: protocol.Result{
		Value: protocol.Value(`"used"`),
		Calls: []protocol.Call{{Name: "tools.never", Outcome: protocol.OutcomeOK}},
		Usage: protocol.Usage{Child: 4242, ToolCalls: 77, QueueMS: 99999},
	}})
}
