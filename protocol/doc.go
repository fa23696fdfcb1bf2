// Package protocol is the contract between a host and an executor of programs:
// the request, the result, every fault, the text form of values, the messages
// and the frames that carry them. It imports nothing outside the standard
// library and knows nothing of V8, processes or sockets, so that a host in any
// language can be written from this documentation alone.
//
// # Values
//
// A value crosses as codec text (see [Value], [Encode] and [Decode]): JSON plus
// one escape form. Plain JSON is its own codec text, byte for byte.
//
// # Messages
//
// Both sides exchange [Message] values, each one JSON object in one frame. The
// object has a "type" and the fields of that type. The same messages travel
// over a child's socketpair and over the network.
//
//	hello      → who speaks, protocol version, the limits of the sender
//	welcome    ← the answer to hello
//	execute    → an execution id and a Request
//	tool_call  ← execution id, call id, namespace, tool, arguments as codec text
//	tool_reply → execution id, call id, one reply envelope
//	log        ← one log entry of a running execution
//	cancel     → stop an execution
//	result     ← execution id and its Result; exactly one for each execute
//	ping, pong   liveness, either direction
//	drain        finish what runs, accept nothing more
//
// # Frames
//
// A frame is a 4-byte big-endian length and that many bytes of one message.
// Length zero and a length above the receiver's bound are violations; nothing
// is allocated before the length has been checked. See [FrameReader] and
// [FrameWriter].
package protocol

// Version is the protocol version this package speaks. Peers whose versions
// differ refuse each other with [UnsupportedVersion].
const Version = 1
