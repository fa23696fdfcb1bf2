package protocol_test

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/isogate/isogate/protocol"
)

// Plain data is plain JSON; what JSON lacks has an escape form.
func ExampleEncode() {
	node := map[string]any{"born": time.UnixMilli(0), "ratio": math.Inf(1)}
	node["self"] = node
	text, err := protocol.Encode([]any{map[string]any{"n": 1}, node}, protocol.Bounds{})
	fmt.Println(string(text), err)

	_, err = protocol.Encode(map[string]any{"items": []any{nil, func() {}}}, protocol.Bounds{})
	fmt.Println(err)
	// Output:
	// [{"n":1},{"$":"def","id":1,"v":{"born":{"$":"date","v":0},"ratio":{"$":"number","v":"Infinity"},"self":{"$":"ref","id":1}}}] <nil>
	// unserializable: func at $.items[1] of the value cannot cross the isolate's boundary
}

// A fault keeps its Go type across a process or a socket.
func ExampleDecodeFault() {
	text, err := protocol.EncodeFault(&protocol.MemoryExceeded{Kind: protocol.MemoryHeap, Limit: 64 << 20})
	if err != nil {
		panic(err)
	}
	fault, err := protocol.DecodeFault(text)
	if err != nil {
		panic(err)
	}
	var memory *protocol.MemoryExceeded
	fmt.Println(errors.As(fmt.Errorf("run: %w", fault), &memory), memory.Limit, memory.Class())
	// Output: true 67108864 limit
}
