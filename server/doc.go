// Package server puts a socket in front of an executor. Callers elsewhere send
// programs over a WebSocket, in the messages of package protocol, and answer the
// tool calls of those programs with functions of their own; programs without
// tools can be sent by a plain HTTP request.
//
// A [Server] decides who calls ([Authenticator]), what a caller may state at most
// ([Tenant]), and how much it may use ([Quotas]). What runs a program is behind
// [Executor]; the server knows nothing of processes or engines.
//
// The wire is described in docs/server.md.
package server
