package server

import (
	"fmt"
	"net"
	"net/http"

	"github.com/isogate/isogate/protocol"
)

// This file owns callers that are known by the unix socket they come through: the
// kernel says as whom the process runs that connected.

// Peers lets in processes by their user, over unix sockets: user id to tenant.
type Peers map[uint32]*Tenant

// Authenticate implements [Authenticator].
func (p Peers) Authenticate(r *http.Request) (*Identity, error) {
	unixConn, ok := connectionOf(r).(*net.UnixConn)
	if !ok {
		return nil, nil
	}
	uid, err := peerUser(unixConn)
	if err != nil {
		return nil, fmt.Errorf("the peer's user cannot be told: %w", err)
	}
	tenant := p[uid]
	if tenant == nil {
		return nil, &protocol.Unauthorized{Reason: fmt.Sprintf("there is no rule for processes of user %d", uid)}
	}
	return &Identity{Tenant: tenant, How: fmt.Sprintf("user %d", uid)}, nil
}
