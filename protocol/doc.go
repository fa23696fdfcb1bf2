// Package protocol is the contract between a host and an executor of programs:
// the request, the result, every fault, the text form of values, the messages
// and the frames that carry them. It imports nothing outside the standard
// library and knows nothing of V8, processes or sockets, so that a host in any
// language can be written from this documentation alone.
//
// # Values
//
// A value crosses as codec text (see [Value], [Encode] and [Decode]): JSON plus
// one escape form, specified below. Plain JSON is its own codec text, byte for byte.
//
// # Messages
//
// Both sides exchange [Message] values, each one JSON object in one frame. The
// object has a "type" and the members of that type. The same messages travel
// over a child's socketpair and over the network.
//
//	hello      → who speaks, protocol version, the longest frame the sender takes
//	welcome    ← the answer to hello
//	execute    → an execution id and a Request
//	tool_call  ← execution id, call id, namespace, tool, arguments as codec text
//	tool_reply → execution id, call id, one reply envelope, see Envelope
//	call_ended ← a tool call is over without a reply, which is no longer wanted
//	log        ← one log entry of a running execution
//	cancel     → stop an execution; its result still follows
//	result     ← execution id and its Result; exactly one for each execute
//	ping, pong   liveness, either direction
//	drain        finish what runs, accept nothing more
//
// The members are those that the Go types name in their json tags. A member
// whose tag says omitempty or omitzero may be absent; every other one must be
// there, and none may be null. Members may come in any order. A reader refuses a
// message that is no valid UTF-8, is not one object, repeats a member anywhere
// outside codec text, has an unknown one, lacks a required one, or has a value
// of the wrong type: integers are JSON integers of 64 bits, strings have no
// lone surrogates. Such a message is a [ProtocolViolation]. Names are compared
// byte for byte.
//
// Codec text is embedded as JSON where a member's type is [Value], and is
// carried inside a string in the arguments and the reply of a tool call, so that
// reading those messages does not depend on what a program or tool wrote there.
//
// Examples of every message and fault are in testdata/wire.
//
// # Faults
//
// A [Fault] is one JSON object: "code", "class", "retryable" and "message",
// which say what the methods of its Go type return and are not believed by a
// Go reader, then "started", "delivered" and the members of its own type.
//
// # Frames
//
// A frame is a 4-byte big-endian length and that many bytes of one message.
// Length zero and a length above the receiver's bound are violations; nothing
// is allocated before the length has been checked. See [FrameReader] and
// [FrameWriter].
package protocol

// Version is the protocol version this package speaks. Peers whose versions
// differ refuse each other with [UnsupportedVersion]. As reading is strict, a
// message, a member, a fault or a limit more is another version.
const Version = 2
