package server

import (
	"errors"
	"net/http"

	"github.com/isogate/isogate/protocol"
)

// This file owns who calls, as far as the rest of the server needs to know.

// Identity is a caller that may use the server.
type Identity struct {
	// Tenant is whom it works for.
	Tenant *Tenant
	// How says how it proved that, for logs: "token", "peer uid 1000", …
	How string
	// Valid reports whether it would be let in again now. Nil means that it always
	// would. Connections of those that would not are closed by [Server.Recheck].
	Valid func() bool
}

// Authenticator says who calls. It is used by many goroutines at once.
type Authenticator interface {
	// Authenticate returns who sent the request. It returns nil and no error when
	// the request has none of the credentials that this one looks for, and a
	// [protocol.Unauthorized] when it has them and they are wrong.
	Authenticate(r *http.Request) (*Identity, error)
}

// Authenticators asks each in turn. The first that finds its credentials decides,
// so that a wrong token is refused although the connection alone would do.
type Authenticators []Authenticator

// Authenticate implements [Authenticator].
func (a Authenticators) Authenticate(r *http.Request) (*Identity, error) {
	for _, one := range a {
		if who, err := one.Authenticate(r); who != nil || err != nil {
			return who, err
		}
	}
	return nil, nil
}

// identify returns who sent the request, or why it may not.
func (s *Server) identify(r *http.Request) (*Identity, *protocol.Unauthorized) {
	who, err := s.config.Authenticator.Authenticate(r)
	var refused *protocol.Unauthorized
	switch {
	case errors.As(err, &refused):
		return nil, refused
	case err != nil:
		// Why is for the operator; the caller learns no more than that.
		s.config.Logger.Error("a caller could not be checked", "error", err)
		return nil, &protocol.Unauthorized{Reason: "the credentials cannot be checked now"}
	case who == nil:
		return nil, &protocol.Unauthorized{Reason: "the request has no credentials"}
	}
	return who, nil
}
