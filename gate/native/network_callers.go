package native

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/coder/websocket"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the attacks by callers that may not use the server.

var networkCallers = []Attack{
	{Name: "network-caller-without-token", Source: "W21", Title: "a caller without a token, or with a wrong one, is refused at every address, and nothing runs", Run: callerWithoutToken},
	{Name: "network-caller-of-another-user", Source: "W21", Title: "a process of a user without a rule is refused on the socket, and nothing runs", Run: callerOfAnotherUser},
	{Name: "network-caller-token-beats-user", Source: "W21", Title: "a wrong token is refused although the process alone would be let in", Run: callerTokenBeatsUser},
	{Name: "network-caller-revoked", Source: "W21", Title: "when a token is not valid any more its connections are closed, and what runs on them ends", Run: callerRevoked},
	{Name: "network-caller-broken-token-file", Source: "W21", Title: "a file of tokens that cannot be read lets nobody in who was not, and nobody out", Run: callerBrokenFile},
	{Name: "network-caller-page", Source: "W21", Title: "a page of another origin cannot open a connection, although its browser's user may", Run: callerPage},
	{Name: "network-caller-no-operator", Source: "W21", Title: "a tenant that is no operator does not read what the metrics tell of others", Run: callerNoOperator},
}

// tokens are the tokens of tenants by name, and the file that the server knows them by.
type tokens struct {
	path   string
	of     map[string]string
	server *server.Tokens
}

// header returns the header of a tenant's requests.
func (t *tokens) header(tenant string) http.Header { return bearer(t.of[tenant]) }

func bearer(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

// tokens starts a server that lets callers in by the tokens of the tenants.
func (h *Host) tokens(ctx context.Context, p pool.Config, tenants ...server.Tenant) (*endpoint, *tokens, error) {
	e, err := h.start(ctx, executor.Config{Pool: p})
	if err != nil {
		return nil, nil, err
	}
	folder, err := h.tempDir()
	if err != nil {
		return nil, nil, err
	}
	t := &tokens{path: filepath.Join(folder, "tokens"), of: map[string]string{}}
	checked, text := map[string]*server.Tenant{}, ""
	for _, tenant := range tenants {
		if checked[tenant.Name], err = server.NewTenant(tenant, e); err != nil {
			return nil, nil, err
		}
		token, line, err := server.NewToken(tenant.Name)
		if err != nil {
			return nil, nil, err
		}
		t.of[tenant.Name] = token
		text += line + "\n"
	}
	if err := os.WriteFile(t.path, []byte(text), 0o600); err != nil {
		return nil, nil, err
	}
	if t.server, err = server.OpenTokens(t.path, checked); err != nil {
		return nil, nil, err
	}
	out, err := h.serveBefore(e, server.Config{Authenticator: t.server}, server.Tenant{})
	return out, t, err
}

// post sends a body to /v1/execute and returns the status and the result.
func (e *endpoint) post(ctx context.Context, body string, header http.Header) (int, *protocol.Result, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://isogate/v1/execute", strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := e.http().Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	result := new(protocol.Result)
	if err := json.NewDecoder(response.Body).Decode(result); err != nil {
		return 0, nil, violated("the answer with the status %s is no result: %v", response.Status, err)
	}
	e.h.mu.Lock()
	defer e.h.mu.Unlock()
	e.h.observed = append(e.h.observed, result)
	return response.StatusCode, result, nil
}

// wantRefused demands that a caller is refused at every address but the probes.
func (e *endpoint) wantRefused(ctx context.Context, what string, header http.Header) error {
	before := e.executor.Stats().Executions
	w, response, err := e.dial(ctx, header)
	if err == nil {
		_ = w.socket.CloseNow()
		return violated("%s: a connection was opened", what)
	}
	if response == nil || response.StatusCode != http.StatusUnauthorized {
		return violated("%s: the connection was refused with %v, must be with the status 401", what, err)
	}
	status, result, err := e.post(ctx, `{"source":"() => 1"}`, header)
	if err != nil {
		return err
	}
	if err := wantFault(what, result, protocol.CodeUnauthorized); err != nil {
		return err
	}
	if status != http.StatusUnauthorized {
		return violated("%s: the status is %d, must be 401", what, status)
	}
	for _, address := range []string{"/v1/info", "/metrics"} {
		status, err := e.get(ctx, address, header)
		if err != nil {
			return err
		}
		if status != http.StatusUnauthorized {
			return violated("%s: %s was answered with the status %d, must be 401", what, address, status)
		}
	}
	if n := e.executor.Stats().Executions; n != before {
		return violated("%s: %d programs ran", what, n-before)
	}
	return nil
}

// get returns the status of an address.
func (e *endpoint) get(ctx context.Context, address string, header http.Header) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://isogate"+address, nil)
	if err != nil {
		return 0, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := e.http().Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// wantLetIn demands that a caller's program runs.
func (e *endpoint) wantLetIn(ctx context.Context, what string, header http.Header) error {
	_, result, err := e.post(ctx, `{"source":"() => 1"}`, header)
	if err != nil {
		return err
	}
	return wantValue(what, result, "1")
}

func callerWithoutToken(ctx context.Context, h *Host) error {
	e, t, err := h.tokens(ctx, pool.Config{Size: 1}, server.Tenant{Name: "red", Operator: true})
	if err != nil {
		return err
	}
	token := t.of["red"]
	twice := http.Header{"Authorization": {"Bearer wrong", "Bearer " + token}}
	offered := http.Header{"Authorization": {"Bearer wrong"}, "Sec-Websocket-Protocol": {"isogate.bearer." + token}}
	for what, header := range map[string]http.Header{
		"no token":                      nil,
		"another token":                 bearer("isogate_" + strings.Repeat("A", 43)),
		"an empty token":                bearer(""),
		"the beginning of the token":    bearer(token[:len(token)-1]),
		"the token and more":            bearer(token + "A"),
		"the token in other letters":    bearer(strings.ToUpper(token)),
		"the token's hash":              bearer(hashIn(t.path)),
		"another scheme":                {"Authorization": {"Basic " + token}},
		"two headers":                   twice,
		"a right token behind a wrong":  offered,
		"a token among forwarded names": {"X-Forwarded-Authorization": {"Bearer " + token}},
	} {
		if err := e.wantRefused(ctx, what, header); err != nil {
			return err
		}
	}
	return e.wantLetIn(ctx, "the right token", t.header("red"))
}

// hashIn returns the hash in a file of one token.
func hashIn(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	_, hash, _ := strings.Cut(strings.TrimSpace(string(text)), "sha256:")
	return hash
}

func callerOfAnotherUser(ctx context.Context, h *Host) error {
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1}})
	if err != nil {
		return err
	}
	tenant, err := server.NewTenant(server.Tenant{Name: "red", Operator: true}, e)
	if err != nil {
		return err
	}
	// To the server this process is what a process of another user is to one whose
	// rule is for this user.
	out, err := h.serveBefore(e, server.Config{Authenticator: server.Peers{uint32(os.Geteuid()) + 1: tenant}}, server.Tenant{})
	if err != nil {
		return err
	}
	for what, header := range map[string]http.Header{
		"a process without a rule": nil, "one that names a user": {"X-User": {fmt.Sprint(os.Geteuid() + 1)}}, "one with a token": bearer("isogate_token"),
	} {
		if err := out.wantRefused(ctx, what, header); err != nil {
			return err
		}
	}
	return nil
}

func callerTokenBeatsUser(ctx context.Context, h *Host) error {
	e, t, err := h.tokens(ctx, pool.Config{Size: 1}, server.Tenant{Name: "red"})
	if err != nil {
		return err
	}
	tenant, err := server.NewTenant(server.Tenant{Name: "gate"}, e.executor)
	if err != nil {
		return err
	}
	both := server.Authenticators{t.server, server.Peers{uint32(os.Geteuid()): tenant}}
	out, err := h.serveBefore(e.executor, server.Config{Authenticator: both}, server.Tenant{})
	if err != nil {
		return err
	}
	if err := out.wantRefused(ctx, "a wrong token from a known user", bearer("wrong")); err != nil {
		return err
	}
	return out.wantLetIn(ctx, "a known user without a token", nil)
}

func callerRevoked(ctx context.Context, h *Host) error {
	e, t, err := h.tokens(ctx, pool.Config{Size: 2}, server.Tenant{Name: "red"}, server.Tenant{Name: "blue"})
	if err != nil {
		return err
	}
	connections := map[string]*wire{}
	for name := range t.of {
		w, err := e.connect(ctx, t.header(name))
		if err != nil {
			return err
		}
		if err := w.enter(ctx, "held"); err != nil {
			return err
		}
		connections[name] = w
	}
	text, err := os.ReadFile(t.path)
	if err != nil {
		return err
	}
	kept := ""
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "red ") {
			kept += line
		}
	}
	if err := os.WriteFile(t.path, []byte(kept), 0o600); err != nil {
		return err
	}
	if err := t.server.Reload(); err != nil {
		return err
	}
	e.server.Recheck()
	if err := connections["red"].wantClosed(ctx, "with a token that is not valid any more", websocket.StatusPolicyViolation); err != nil {
		return err
	}
	if err := e.wantBusy(ctx, "after a token was revoked", 1); err != nil {
		return err
	}
	if err := e.wantRefused(ctx, "the revoked token", t.header("red")); err != nil {
		return err
	}
	blue := connections["blue"]
	if err := blue.reply(ctx, "held", 1, `"it"`); err != nil {
		return err
	}
	return blue.wantValue(ctx, "the execution of a valid token", "held", `"got it"`)
}

func callerBrokenFile(ctx context.Context, h *Host) error {
	e, t, err := h.tokens(ctx, pool.Config{Size: 1}, server.Tenant{Name: "red"})
	if err != nil {
		return err
	}
	good, err := os.ReadFile(t.path)
	if err != nil {
		return err
	}
	plain := "plain-token-of-red"
	for what, text := range map[string]string{
		"a token in the clear":       "red " + plain + "\n",
		"a tenant that is not there": strings.Replace(string(good), "red", "root", 1),
		"half a hash":                string(good[:len(good)/2]),
		"a token twice":              string(good) + string(good),
		"a line that goes on":        "red sha256:" + strings.Repeat("0", 1<<21),
	} {
		if err := os.WriteFile(t.path, []byte(text), 0o600); err != nil {
			return err
		}
		if err := t.server.Reload(); err == nil {
			return violated("%s: the file was taken", what)
		} else if strings.Contains(err.Error(), plain) {
			return violated("%s: the error tells the token: %v", what, err)
		}
		if err := e.wantLetIn(ctx, what+": the right token", t.header("red")); err != nil {
			return err
		}
		if err := e.wantRefused(ctx, what, bearer(plain)); err != nil {
			return err
		}
	}
	if err := os.WriteFile(t.path, good, 0o600); err != nil {
		return err
	}
	if err := os.Chmod(t.path, 0o622); err != nil {
		return err
	}
	if err := t.server.Reload(); err == nil {
		return violated("a file that others can write was taken")
	}
	return nil
}

func callerPage(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	for _, origin := range []string{"https://evil.example", "http://isogate.evil.example", "null"} {
		w, response, err := e.dial(ctx, http.Header{"Origin": {origin}})
		if err == nil {
			_ = w.socket.CloseNow()
			return violated("a page of %s opened a connection", origin)
		}
		if response == nil || response.StatusCode != http.StatusForbidden {
			return violated("a page of %s was refused with %v, must be with the status 403", origin, err)
		}
	}
	return e.wantServed(ctx, "a caller that is no page")
}

func callerNoOperator(ctx context.Context, h *Host) error {
	e, t, err := h.tokens(ctx, pool.Config{Size: 1}, server.Tenant{Name: "red"}, server.Tenant{Name: "operator", Operator: true})
	if err != nil {
		return err
	}
	for name, want := range map[string]int{"red": http.StatusForbidden, "operator": http.StatusOK} {
		status, err := e.get(ctx, "/metrics", t.header(name))
		if err != nil {
			return err
		}
		if status != want {
			return violated("the metrics were answered to %s with the status %d, must be %d", name, status, want)
		}
	}
	return nil
}
