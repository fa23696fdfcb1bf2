package soak

import (
	"context"
	"fmt"
	"net/http"

	"github.com/coder/websocket"

	"github.com/isogate/isogate/protocol"
)

// This file owns a connection on which messages are sent and taken as they are, for
// what the client does not do: ask without waiting, count answers, vanish.

// wire is one such connection.
type wire struct {
	socket  *websocket.Conn
	welcome *protocol.Welcome
}

// dialWire connects as a tenant and exchanges hello and welcome.
func (d *daemon) dialWire(ctx context.Context, tenant string) (*wire, error) {
	socket, _, err := websocket.Dial(ctx, "ws://"+d.address+"/v1/connect", &websocket.DialOptions{
		HTTPHeader: http.Header{"Authorization": {"Bearer " + d.tokens[tenant]}},
	})
	if err != nil {
		return nil, err
	}
	socket.SetReadLimit(protocol.DefaultMaxFrame)
	w := &wire{socket: socket}
	err = w.send(ctx, &protocol.Hello{Version: protocol.Version, MaxFrame: protocol.DefaultMaxFrame, Agent: "gate soak"})
	if err == nil {
		var m protocol.Message
		if m, err = w.receive(ctx); err == nil {
			var ok bool
			if w.welcome, ok = m.(*protocol.Welcome); !ok {
				err = fmt.Errorf("a %s message, where welcome should be", m.MessageType())
			}
		}
	}
	if err != nil {
		w.vanish()
		return nil, err
	}
	return w, nil
}

func (w *wire) send(ctx context.Context, m protocol.Message) error {
	text, err := protocol.EncodeMessage(m)
	if err != nil {
		return err
	}
	return w.socket.Write(ctx, websocket.MessageText, text)
}

func (w *wire) receive(ctx context.Context) (protocol.Message, error) {
	_, text, err := w.socket.Read(ctx)
	if err != nil {
		return nil, err
	}
	return protocol.DecodeMessage(text)
}

// vanish ends the connection without a word.
func (w *wire) vanish() {
	_ = w.socket.CloseNow() // whether it could be told to anybody does not matter
}
