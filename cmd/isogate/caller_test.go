package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server/client"
)

// This file owns a Go program that uses the client: the test binary, started anew.
// It takes one JSON text a line on standard input, and tells what happens likewise.

// callerVariable makes the test binary the program, when it holds a callerConfig.
const callerVariable = "ISOGATE_TEST_CALLER"

// callerConfig says whom the program calls.
type callerConfig struct {
	Address, Token string
	Authority      string // a PEM file
	PingInterval   time.Duration
	FrameTimeout   time.Duration
}

// event is something that happened in the program.
type event struct {
	Kind  string // "connected", "called" or "ended"
	Value string `json:",omitempty"` // codec text, of an execution that ended with one
	// Of an execution that ended with a fault:
	Code      protocol.Code `json:",omitempty"`
	Text      string        `json:",omitempty"`
	Started   bool          `json:",omitempty"`
	Delivered []string      `json:",omitempty"`
	Retryable bool          `json:",omitempty"`
}

// call is the program: it connects, then runs each source that it is given, one
// after the other, with the tool host.f, which holds what calls it with "hold" and
// answers everybody else with the id of this process.
func call(config string, in io.Reader, out io.Writer) error {
	var c callerConfig
	if err := json.Unmarshal([]byte(config), &c); err != nil {
		return err
	}
	authority, err := os.ReadFile(c.Authority)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authority) {
		return fmt.Errorf("%s holds no certificate", c.Authority)
	}
	ctx := context.Background()
	e, err := client.Dial(ctx, c.Address, client.Config{
		Token: c.Token, TLS: &tls.Config{RootCAs: roots}, PingInterval: c.PingInterval, FrameTimeout: c.FrameTimeout,
	})
	if err != nil {
		return err
	}
	defer e.Close()
	tell := json.NewEncoder(out)
	if err := tell.Encode(event{Kind: "connected"}); err != nil {
		return err
	}
	tools := executor.Tools{"host": {"f": func(ctx context.Context, args []any) (any, error) {
		if err := tell.Encode(event{Kind: "called"}); err != nil {
			return nil, err
		}
		if len(args) == 1 && args[0] == "hold" {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return os.Getpid(), nil
	}}}
	sources := bufio.NewScanner(in)
	for sources.Scan() {
		result, err := e.Execute(ctx, executor.Request{Source: sources.Text(), Tools: tools})
		ended := event{Kind: "ended", Value: string(result.Value)}
		var fault protocol.Fault
		if errors.As(err, &fault) {
			ended.Code, ended.Text, ended.Retryable = fault.Code(), fault.Error(), fault.Retryable()
			ended.Started, ended.Delivered = fault.Reached().Started, fault.Reached().Delivered
		}
		if err := tell.Encode(ended); err != nil {
			return err
		}
	}
	return sources.Err()
}
