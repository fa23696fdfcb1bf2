package server_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the tests of who is let in.

// tokenFile writes a file of tokens with one tenant's token, which it returns.
func tokenFile(t *testing.T, path, name string) (token string) {
	t.Helper()
	token, line, err := server.NewToken(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("# callers\n\n"+line+" made for a test\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return token
}

// ask sends GET /v1/info with a header and returns the answer's status and the
// fault, or the tenant.
func (e *endpoint) ask(t *testing.T, header http.Header) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", "http://isogate/v1/info", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	response, err := e.http(t).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body struct {
		Tenant string
		Fault  struct{ Code, Message string }
	}
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, body.Tenant + body.Fault.Code
}

func TestTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	token := tokenFile(t, path, "acme")
	tokens, err := server.OpenTokens(path, map[string]*server.Tenant{"acme": tenant(t, server.Tenant{Name: "acme"})})
	if err != nil {
		t.Fatal(err)
	}
	e := start(t, server.Config{Authenticator: server.Authenticators{tokens, server.Peers{uint32(os.Geteuid()): tenant(t, server.Tenant{Name: "peer"})}}})
	for _, test := range []struct {
		name   string
		header http.Header
		status int
		who    string
	}{
		{"the token", http.Header{"Authorization": {"Bearer " + token}}, 200, "acme"},
		{"the token, as a subprotocol", http.Header{"Sec-Websocket-Protocol": {"isogate, isogate.bearer." + token}}, 200, "acme"},
		{"none, but a known user", http.Header{}, 200, "peer"},
		{"a wrong token of a known user", http.Header{"Authorization": {"Bearer " + token[1:]}}, 401, "unauthorized"},
		{"the hash", http.Header{"Authorization": {"Bearer " + strings.Fields(read(t, path))[3]}}, 401, "unauthorized"},
		{"another scheme", http.Header{"Authorization": {"Basic " + token}}, 401, "unauthorized"},
		{"two headers", http.Header{"Authorization": {"Bearer " + token, "Bearer " + token}}, 401, "unauthorized"},
		{"nothing behind the scheme", http.Header{"Authorization": {"Bearer"}}, 401, "unauthorized"},
	} {
		if status, who := e.ask(t, test.header); status != test.status || who != test.who {
			t.Errorf("%s: %d %s, want %d %s", test.name, status, who, test.status, test.who)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReload takes a token away while a program of its caller runs.
func TestReload(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	old := tokenFile(t, path, "acme")
	tokens, err := server.OpenTokens(path, map[string]*server.Tenant{"acme": tenant(t, server.Tenant{Name: "acme"})})
	if err != nil {
		t.Fatal(err)
	}
	e := start(t, server.Config{Authenticator: tokens})
	socket, _, err := websocket.Dial(t.Context(), "ws://isogate/v1/connect", &websocket.DialOptions{HTTPClient: e.http(t), HTTPHeader: http.Header{"Authorization": {"Bearer " + old}}})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.CloseNow()
	w := &wire{t, socket, t.Context()}
	w.send(&protocol.Hello{Version: protocol.Version, MaxFrame: 1 << 20})
	receive[*protocol.Welcome](w)
	w.execute("a", "() => tools.f()", tools)
	receive[*protocol.ToolCall](w)

	// A file that cannot be read changes nothing.
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	if err := tokens.Reload(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without its file Reload returns %v", err)
	}
	e.Recheck()
	if status, who := e.ask(t, http.Header{"Authorization": {"Bearer " + old}}); status != 200 {
		t.Errorf("the token is refused because its file is not there: %d %s", status, who)
	}

	fresh := tokenFile(t, path, "acme")
	if err := tokens.Reload(); err != nil {
		t.Fatal(err)
	}
	e.Recheck()
	if reason := w.wantClosed(websocket.StatusPolicyViolation); !strings.Contains(reason, "not valid any more") {
		t.Errorf("the reason is %q", reason)
	}
	eventually(t, "the child is free again", func() bool { return shared.Stats().Busy == 0 })
	if status, _ := e.ask(t, http.Header{"Authorization": {"Bearer " + old}}); status != 401 {
		t.Errorf("the old token is answered with %d", status)
	}
	if status, _ := e.ask(t, http.Header{"Authorization": {"Bearer " + fresh}}); status != 200 {
		t.Errorf("the new token is answered with %d", status)
	}
}

func TestTokenFilesThatAreRefused(t *testing.T) {
	folder := t.TempDir()
	hash := strings.Repeat("0a", 32)
	for _, test := range []struct {
		name, text string
		mode       os.FileMode
		want       string
	}{
		{"a token in it", "acme isogate_secret\n", 0o600, "line 1: what follows the tenant is no hash"},
		{"short", "acme sha256:0a\n", 0o600, "line 1: what follows"},
		{"no hash", "\n# c\nacme\n", 0o600, "line 3: write it as"},
		{"no such tenant", "other sha256:" + hash, 0o600, `line 1: there is no tenant "other"`},
		{"twice", "acme sha256:" + hash + "\nacme sha256:" + hash, 0o600, "line 2: the token is that of line 1"},
		{"writable", "", 0o620, "written by others"},
		{"long", strings.Repeat("#", 2<<20), 0o600, "the limit is"},
	} {
		path := filepath.Join(folder, strings.ReplaceAll(test.name, " ", "-"))
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, test.mode); err != nil {
			t.Fatal(err)
		}
		_, err := server.OpenTokens(path, map[string]*server.Tenant{"acme": {Name: "acme"}})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: the error is %v, want %q", test.name, err, test.want)
		}
	}
	if _, err := server.OpenTokens(folder, nil); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("for a folder the error is %v", err)
	}
}

// TestUnknownPeer checks that a process of another user is told nothing.
func TestUnknownPeer(t *testing.T) {
	e := start(t, server.Config{Authenticator: server.Peers{uint32(os.Geteuid()) + 1: tenant(t, server.Tenant{})}})
	if response, result := e.post(t, `{"source":"() => 1"}`); response.StatusCode != 401 || result.Fault == nil || result.Fault.Code() != protocol.CodeUnauthorized {
		t.Errorf("%d: %v", response.StatusCode, result.Fault)
	}
	_, response, err := websocket.Dial(t.Context(), "ws://isogate/v1/connect", &websocket.DialOptions{HTTPClient: e.http(t)})
	if err == nil || response == nil || response.StatusCode != 401 {
		t.Errorf("a WebSocket is answered with %v", err)
	}
	if status, _ := e.get(t, "/healthz"); status != 200 {
		t.Errorf("/healthz is %d", status)
	}
	if status, _ := e.get(t, "/metrics"); status != 401 {
		t.Errorf("/metrics is %d", status)
	}
}

// TestTLSRefusesFiles checks the configuration of TLS.
func TestTLSRefusesFiles(t *testing.T) {
	files, err := server.OpenTLSFiles("/nowhere/cert.pem", "/nowhere/key.pem", "")
	if err == nil || files != nil {
		t.Errorf("files that do not exist are %v", files)
	}
}

// TestQuotas passes each quota, and each limit that a tenant has.
func TestQuotas(t *testing.T) {
	e := start(t, server.Config{Authenticator: everybody{tenant(t, server.Tenant{
		Max: protocol.Limits{Wall: time.Second, Heap: 32 << 20}, Quotas: server.Quotas{Executions: 1, Connections: 1},
	})}})
	w := e.connect(t)
	w.execute("a", "() => tools.f()", tools)
	call := receive[*protocol.ToolCall](w)
	w.execute("b", "() => 1")
	if fault := wantFault[*protocol.QuotaExceeded](w, "b"); fault.Quota != "executions in flight" || fault.Limit != 1 || !fault.Retryable() {
		t.Errorf("the fault is %+v", fault)
	}
	if response, result := e.post(t, `{"source":"() => 1"}`); response.StatusCode != 429 || result.Fault.Code() != protocol.CodeQuotaExceeded {
		t.Errorf("%d: %v", response.StatusCode, result.Fault)
	}
	if _, response, err := websocket.Dial(t.Context(), "ws://isogate/v1/connect", &websocket.DialOptions{HTTPClient: e.http(t)}); err == nil || response == nil || response.StatusCode != 429 {
		t.Errorf("a second connection is answered with %v", err)
	}
	w.send(&protocol.ToolReply{Execution: "a", Call: call.Call, Envelope: `{"ok":1}`})
	w.wantResult("a", "1")
	w.execute("c", "() => 1")
	w.wantResult("c", "1")
	for _, limits := range []protocol.Limits{{Wall: 2 * time.Second}, {Heap: 64 << 20}} {
		w.send(&protocol.Execute{Execution: "d", Request: protocol.Request{Source: "() => 1", Limits: limits}})
		if fault := wantFault[*protocol.InvalidRequest](w, "d"); !strings.HasPrefix(fault.Field, "limits.") {
			t.Errorf("the fault is %v", fault)
		}
	}
	w.send(&protocol.Execute{Execution: "e", Request: protocol.Request{Source: "() => 1", Grants: []protocol.Grant{protocol.GrantEval}}})
	if fault := wantFault[*protocol.InvalidRequest](w, "e"); fault.Field != "grants[0]" {
		t.Errorf("the fault is %v", fault)
	}
	w.send(&protocol.Execute{Execution: "f", Request: protocol.Request{Source: "() => { for (;;); }", Limits: protocol.Limits{Wall: 50 * time.Millisecond}}})
	if fault := wantFault[*protocol.DeadlineExceeded](w, "f"); fault.LimitMS != 50 {
		t.Errorf("a lowered limit ends in %v", fault)
	}
}

// TestRates passes the quotas that fill up with time.
func TestRates(t *testing.T) {
	for _, test := range []struct {
		quotas server.Quotas
		quota  string
	}{
		{server.Quotas{PerSecond: 1}, "executions per second"},
		{server.Quotas{CPUPerMinute: time.Millisecond}, "milliseconds of processor time per minute"},
	} {
		e := start(t, server.Config{Authenticator: everybody{tenant(t, server.Tenant{Quotas: test.quotas})}})
		w := e.connect(t)
		// Each uses more than comes in while it runs, so one of a few is refused.
		var fault *protocol.QuotaExceeded
		for range 20 {
			w.execute("a", "() => { let n = 0; for (let i = 0; i < 1e5; i++) n += i; return n }")
			m := receive[*protocol.ResultMessage](w)
			if found, ok := m.Result.Fault.(*protocol.QuotaExceeded); ok {
				fault = found
				break
			}
		}
		if fault == nil || fault.Quota != test.quota || fault.RetryAfterMS < 1 {
			t.Errorf("%s: the fault is %+v", test.quota, fault)
		}
	}
}
