package protocol

// This file owns the messages: their types, names and required fields. How
// they are read strictly is in message_codec.go.

// Type names a message on the wire.
type Type string

// The message types.
const (
	TypeHello     Type = "hello"
	TypeWelcome   Type = "welcome"
	TypeExecute   Type = "execute"
	TypeToolCall  Type = "tool_call"
	TypeToolReply Type = "tool_reply"
	TypeCallEnded Type = "call_ended"
	TypeLog       Type = "log"
	TypeCancel    Type = "cancel"
	TypeResult    Type = "result"
	TypePing      Type = "ping"
	TypePong      Type = "pong"
	TypeDrain     Type = "drain"
)

// Message is one message between two sides.
type Message interface{ MessageType() Type }

// Hello opens a connection. The side that supervises sends it.
type Hello struct {
	Version int `json:"version"`
	// MaxFrame is the longest frame the sender accepts, in bytes.
	MaxFrame int64 `json:"maxFrame"`
	// Agent names the sender for people ("isogate").
	Agent string `json:"agent,omitempty"`
}

// Welcome answers Hello.
type Welcome struct {
	Version  int    `json:"version"`
	MaxFrame int64  `json:"maxFrame"`
	Agent    string `json:"agent,omitempty"`
	// Engine is the engine's version string.
	Engine string `json:"engine,omitempty"`
	// Sealed names the sealing measures that are in force, in the order in which
	// they were taken.
	Sealed []string `json:"sealed,omitempty"`
	// Unsealed are the measures that the sender was to take and could not.
	Unsealed []Unsealed `json:"unsealed,omitempty"`
	// Defaults are the limits of requests that do not state their own, Max is what
	// they may state at most. A server says so; to a pool its children do not.
	Defaults Limits `json:"defaults,omitzero"`
	Max      Limits `json:"max,omitzero"`
}

// Unsealed is a sealing measure that is not in force.
type Unsealed struct {
	Measure string `json:"measure"`
	// Reason says why, for an operator.
	Reason string `json:"reason"`
}

// Execute asks for one execution.
type Execute struct {
	// Execution is the sender's id for it. No other execution that runs on the
	// connection has the same.
	Execution string  `json:"execution"`
	Request   Request `json:"request"`
	// StreamLogs asks for Log messages as the program logs. The result need
	// not repeat the entries: whoever asked has them.
	StreamLogs bool `json:"streamLogs,omitempty"`
}

// ToolCall is a program's call of a tool: three strings and an id. Args is the
// codec text of the array of arguments. It is JSON text carried as a string, so
// that reading the message never depends on what a guest wrote in it.
type ToolCall struct {
	Execution string `json:"execution"`
	Call      int64  `json:"call"`
	Namespace string `json:"namespace"`
	Tool      string `json:"tool"`
	Args      string `json:"args"`
}

// ToolReply answers a ToolCall with one reply envelope, see [Envelope].
type ToolReply struct {
	Execution string `json:"execution"`
	Call      int64  `json:"call"`
	Envelope  string `json:"envelope"`
}

// CallEnded says that a tool call is over although no reply has come: it took too
// long. A reply is no longer wanted, and the tool may stop. It is not sent to a
// child, and not when the whole execution is over, which its result says.
type CallEnded struct {
	Execution string `json:"execution"`
	Call      int64  `json:"call"`
	Reason    string `json:"reason,omitempty"`
}

// Log streams one log entry.
type Log struct {
	Execution string   `json:"execution"`
	Entry     LogEntry `json:"entry"`
}

// Cancel asks to stop an execution. Its result still follows.
type Cancel struct {
	Execution string `json:"execution"`
	Reason    string `json:"reason,omitempty"`
}

// ResultMessage ends an execution.
type ResultMessage struct {
	Execution string `json:"execution"`
	Result    Result `json:"result"`
}

// Ping asks for a Pong with the same nonce.
type Ping struct {
	Nonce int64 `json:"nonce"`
}

// Pong answers a Ping.
type Pong struct {
	Nonce int64 `json:"nonce"`
}

// Drain announces that the sender takes, or asks the receiver to take, no new work.
type Drain struct{}

// MessageType returns [TypeHello].
func (*Hello) MessageType() Type { return TypeHello }

// MessageType returns [TypeWelcome].
func (*Welcome) MessageType() Type { return TypeWelcome }

// MessageType returns [TypeExecute].
func (*Execute) MessageType() Type { return TypeExecute }

// MessageType returns [TypeToolCall].
func (*ToolCall) MessageType() Type { return TypeToolCall }

// MessageType returns [TypeToolReply].
func (*ToolReply) MessageType() Type { return TypeToolReply }

// MessageType returns [TypeCallEnded].
func (*CallEnded) MessageType() Type { return TypeCallEnded }

// MessageType returns [TypeLog].
func (*Log) MessageType() Type { return TypeLog }

// MessageType returns [TypeCancel].
func (*Cancel) MessageType() Type { return TypeCancel }

// MessageType returns [TypeResult].
func (*ResultMessage) MessageType() Type { return TypeResult }

// MessageType returns [TypePing].
func (*Ping) MessageType() Type { return TypePing }

// MessageType returns [TypePong].
func (*Pong) MessageType() Type { return TypePong }

// MessageType returns [TypeDrain].
func (*Drain) MessageType() Type { return TypeDrain }
