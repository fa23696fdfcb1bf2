package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the tests of a daemon and a Go program that have nothing in
// common but a network: each is in a network namespace of its own.

// insideVariable tells the test binary that it is in a network namespace of its
// own; it holds the path of the built command.
const insideVariable = "ISOGATE_TEST_INSIDE"

// soon is within how long one side must know, by a typed fault, that the other has
// been killed, and must have given back what it used for it.
const soon = time.Second

// TestAcrossNamespaces runs itself again where it may make network namespaces.
func TestAcrossNamespaces(t *testing.T) {
	if binary := os.Getenv(insideVariable); binary != "" {
		acrossNamespaces(t, binary)
		return
	}
	binary := built(t)
	own := []uintptr{unix.CLONE_NEWNET, unix.CLONE_NEWUSER | unix.CLONE_NEWNET}
	if os.Geteuid() != 0 {
		own = own[1:]
	}
	var reasons []error
	for _, flags := range own {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAcrossNamespaces$", "-test.v")
		cmd.Env = append(os.Environ(), insideVariable+"="+binary)
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
		if flags&unix.CLONE_NEWUSER != 0 {
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
		}
		var exit *exec.ExitError
		out, err := cmd.CombinedOutput()
		switch {
		case err != nil && !errors.As(err, &exit): // it was not started
			reasons = append(reasons, err)
			continue
		case err != nil:
			t.Fatalf("%v:\n%s", err, out)
		case strings.Contains(string(out), "--- SKIP: TestAcrossNamespaces "):
			t.Skipf("%s", out)
		}
		t.Logf("%s", out)
		return
	}
	t.Skipf("this user may not make network namespaces here: %v", errors.Join(reasons...))
}

func acrossNamespaces(t *testing.T, binary string) {
	if err := adoptOrphans(); err != nil {
		t.Fatal(err)
	}
	n := newNetwork(t)
	f := newFiles(t, n.there.address)
	// What holds a child while its tool is held in the caller.
	programs := []struct{ name, source string }{
		{"a program that waits", `() => host.f("hold")`},
		{"a program that computes", `async () => { host.f("hold"); for (;;) {} }`},
		{"a program that no interrupt reaches", `async () => { host.f("hold"); Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1) }`},
	}
	t.Run("the tool runs in the caller", func(t *testing.T) {
		d := startDaemon(t, n, f, binary, "")
		c := startCaller(t, d, callerConfig{})
		c.execute("async () => [await host.f(), typeof process]")
		c.want("called")
		if got, want := c.want("ended").Value, fmt.Sprintf(`[%d,"undefined"]`, c.cmd.Process.Pid); got != want {
			t.Errorf("the value is %s, want %s", got, want)
		}
		if d, c := namespaceOf(t, d.cmd.Process.Pid), namespaceOf(t, c.cmd.Process.Pid); d == c {
			t.Errorf("both are in the network namespace %s", c)
		}
	})
	for _, program := range programs {
		t.Run("the caller is killed, "+program.name, func(t *testing.T) {
			d := startDaemon(t, n, f, binary, "")
			c := startCaller(t, d, callerConfig{})
			c.execute(program.source)
			c.want("called")
			d.wantMetrics(map[string]string{`isogate_children{state="busy"}`: "1", `isogate_tenant_executions{tenant="caller"}`: "1"})
			killed := time.Now()
			if err := c.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			d.wantMetrics(map[string]string{
				`isogate_executions_total{tenant="caller",outcome="disconnected"}`: "1", `isogate_tenant_executions{tenant="caller"}`: "0",
				`isogate_tenant_connections{tenant="caller"}`: "0", `isogate_children{state="busy"}`: "0",
			})
			if took := time.Since(killed); took > soon {
				t.Errorf("what ran was reclaimed only after %v", took)
			}
			d.wantFree()
		})
		t.Run("the daemon is killed, "+program.name, func(t *testing.T) {
			d := startDaemon(t, n, f, binary, "")
			c := startCaller(t, d, callerConfig{})
			c.execute(program.source)
			c.want("called")
			d.wantMetrics(map[string]string{`isogate_children{state="busy"}`: "1"})
			below, err := procfs.Descendants(d.cmd.Process.Pid)
			if err != nil || len(below) == 0 {
				t.Fatalf("the daemon's children are %v, %v", below, err)
			}
			killed := time.Now()
			if err := d.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			c.wantFault("disconnected from the executor: ")
			if took := time.Since(killed); took > soon {
				t.Errorf("the caller knew only after %v", took)
			}
			_ = d.cmd.Wait() // it was killed
			waitFor(t, func() bool {
				children(t) // reaps those that were the daemon's
				for _, p := range below {
					if _, err := os.Stat(fmt.Sprintf("/proc/%d", p.PID)); err == nil {
						return false
					}
				}
				return true
			})
			if took := time.Since(killed); took > soon {
				t.Errorf("the daemon's children had ended only after %v", took)
			}
		})
	}
	t.Run("the network goes silent", func(t *testing.T) {
		bounds := callerConfig{PingInterval: 200 * time.Millisecond, FrameTimeout: 400 * time.Millisecond}
		d := startDaemon(t, n, f, binary, fmt.Sprintf("bounds: {pingInterval: %v, frameTimeout: %v}\n", bounds.PingInterval, bounds.FrameTimeout))
		c := startCaller(t, d, bounds)
		for _, program := range programs {
			c.execute(program.source)
			c.want("called")
			before := d.metric(`isogate_executions_total{tenant="caller",outcome="disconnected"}`)
			begun := time.Now()
			n.setSilent(t, true)
			c.wantFault("disconnected from the executor: the server does not answer")
			there := time.Since(begun)
			d.wantMetrics(map[string]string{
				`isogate_executions_total{tenant="caller",outcome="disconnected"}`: fmt.Sprint(before + 1), `isogate_tenant_executions{tenant="caller"}`: "0",
				`isogate_tenant_connections{tenant="caller"}`: "0", `isogate_children{state="busy"}`: "0",
			})
			t.Logf("%s: the caller knew after %v, the daemon after at most %v", program.name, there, time.Since(begun))
			d.wantFree()
			n.setSilent(t, false)
		}
		if log := d.log(); strings.Count(log, `msg=disconnected tenant=caller reason="disconnected from the executor: the client does not answer"`) != len(programs) {
			t.Errorf("it was not the pings that found it:\n%s", log)
		}
		// The next execution connects anew.
		c.execute("() => host.f()")
		c.want("called")
		if got := c.want("ended").Value; got != strconv.Itoa(c.cmd.Process.Pid) {
			t.Errorf("with the network back the value is %s", got)
		}
	})
}

func namespaceOf(t *testing.T, pid int) string {
	t.Helper()
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/net", pid))
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// files are what daemon and caller are configured with.
type files struct {
	folder, authority, key, tokens, token string
	roots                                 *x509.CertPool
}

// newFiles makes a certificate for an address, and a token.
func newFiles(t *testing.T, address string) *files {
	t.Helper()
	folder := t.TempDir()
	f := &files{folder: folder, authority: filepath.Join(folder, "certificate.pem"), key: filepath.Join(folder, "key.pem"), tokens: filepath.Join(folder, "tokens"), roots: x509.NewCertPool()}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.ParseIP(address)}, BasicConstraintsValid: true, IsCA: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(certificate)
	if err != nil {
		t.Fatal(err)
	}
	f.roots.AddCert(parsed)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	token, line, err := server.NewToken("caller")
	if err != nil {
		t.Fatal(err)
	}
	f.token = token
	for name, text := range map[string][]byte{
		f.authority: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}),
		f.key:       pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}),
		f.tokens:    []byte(line + "\n"),
	} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// servingDaemon is the command serve in the other namespace, with one child.
type servingDaemon struct {
	t     *testing.T
	files *files
	cmd   *exec.Cmd
	http  *http.Client // in its namespace, where a silent network changes nothing
	log   func() string
}

// port is free: the namespace is new.
const port = "8443"

// startDaemon starts the command and returns when it serves. It is ended, and must
// leave nothing, with the test.
func startDaemon(t *testing.T, n *network, f *files, binary, more string) *servingDaemon {
	t.Helper()
	config := filepath.Join(f.folder, "config.yaml")
	text := fmt.Sprintf("listen: [\"tcp://%s:%s\"]\ntls: {certificate: %s, key: %s}\ntokens: %s\n"+
		"tenants: {caller: {operator: true}}\nexecutor: {size: 1}\nlog: {level: debug, content: true}\n%s",
		n.there.address, port, f.authority, f.key, f.tokens, more)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(f.folder, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	d := &servingDaemon{t: t, files: f, cmd: exec.Command(binary, "serve", "--config", config)}
	d.cmd.Stderr = log
	d.log = func() string {
		text, err := os.ReadFile(log.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if err := n.there.within(d.cmd.Start); err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: f.roots}, DialContext: func(ctx context.Context, _, address string) (c net.Conn, err error) {
		err = n.there.within(func() error {
			c, err = (&net.Dialer{}).DialContext(ctx, "tcp", address)
			return err
		})
		return c, err
	}}
	d.http = &http.Client{Transport: transport, Timeout: 20 * time.Second}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = d.cmd.Process.Kill() // it may have been killed already
		_ = d.cmd.Wait()
		if left := orphans(t); len(left) > 0 {
			t.Errorf("the daemon left %v", left)
		}
		if t.Failed() {
			t.Logf("the daemon's log:\n%s", d.log())
		}
	})
	waitFor(t, func() bool {
		if strings.Contains(d.log(), "msg=serving") {
			return true
		}
		if p, err := procfs.Read(d.cmd.Process.Pid); err != nil || p.Zombie() {
			t.Fatalf("the daemon ended:\n%s", d.log())
		}
		return false
	})
	return d
}

// ask sends a request and returns the answer's body.
func (d *servingDaemon) ask(method, address, body string) string {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, "https://10.73.0.2:"+port+address, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.files.token)
	response, err := d.http.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		d.t.Fatalf("%s %s: %s: %s, %v", method, address, response.Status, text, err)
	}
	return string(text)
}

// metric returns a figure, 0 when there is none.
func (d *servingDaemon) metric(name string) float64 {
	d.t.Helper()
	for line := range strings.Lines(d.ask("GET", "/metrics", "")) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			figure, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				d.t.Fatal(err)
			}
			return figure
		}
	}
	return 0
}

// wantMetrics waits until the metrics are these.
func (d *servingDaemon) wantMetrics(want map[string]string) {
	d.t.Helper()
	waitFor(d.t, func() bool {
		lines := "\n" + d.ask("GET", "/metrics", "")
		for name, value := range want {
			if !strings.Contains(lines, "\n"+name+" "+value+"\n") {
				return false
			}
		}
		return true
	})
}

// wantFree runs a program in the one place there is, and checks that there are no
// processes beside the child that ran it.
func (d *servingDaemon) wantFree() {
	d.t.Helper()
	if got := d.ask("POST", "/v1/execute", `{"source":"() => 42"}`); !strings.Contains(got, `"value":42`) {
		d.t.Errorf("the next program ended with %s", got)
	}
	d.wantMetrics(map[string]string{`isogate_children{state="ready"}`: "1", `isogate_children{state="busy"}`: "0", `isogate_children{state="starting"}`: "0"})
	waitFor(d.t, func() bool {
		below, err := procfs.Descendants(d.cmd.Process.Pid)
		if err != nil {
			d.t.Fatal(err)
		}
		return len(below) == 1 && !below[0].Zombie()
	})
}

// caller is the Go program in this namespace.
type caller struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.Writer
	events chan event // closed when it has ended
}

// startCaller starts the program and returns when it is connected.
func startCaller(t *testing.T, d *servingDaemon, config callerConfig) *caller {
	t.Helper()
	config.Address, config.Token, config.Authority = "wss://10.73.0.2:"+port, d.files.token, d.files.authority
	text, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	c := &caller{t: t, cmd: exec.Command(os.Args[0]), events: make(chan event, 10)}
	c.cmd.Env = append(os.Environ(), callerVariable+"="+string(text))
	c.cmd.Stderr = os.Stderr
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.events)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var e event
			if json.Unmarshal(lines.Bytes(), &e) != nil {
				return
			}
			c.events <- e
		}
	}()
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill() // it may have been killed already
		for range c.events {
		}
		_ = c.cmd.Wait()
	})
	c.want("connected")
	return c
}

// execute gives the program a source to run.
func (c *caller) execute(source string) {
	c.t.Helper()
	if _, err := fmt.Fprintln(c.in, source); err != nil {
		c.t.Fatal(err)
	}
}

// want waits for the next event, which must be of this kind.
func (c *caller) want(kind string) event {
	c.t.Helper()
	patience := time.NewTimer(20 * time.Second)
	defer patience.Stop()
	select {
	case e, ok := <-c.events:
		if !ok || e.Kind != kind {
			c.t.Fatalf("the caller tells %+v, want %s", e, kind)
		}
		return e
	case <-patience.C:
		c.t.Fatalf("the caller does not tell %s", kind)
	}
	return event{}
}

// wantFault waits for the end of an execution whose tool had been called, by the
// fault of a lost connection.
func (c *caller) wantFault(text string) {
	c.t.Helper()
	e := c.want("ended")
	if !strings.HasPrefix(e.Text, text) {
		c.t.Errorf("the fault is %q, want %q", e.Text, text)
	}
	e.Text = ""
	if diff := cmp.Diff(event{Kind: "ended", Code: protocol.CodeDisconnected, Started: true, Delivered: []string{"host.f"}}, e); diff != "" {
		c.t.Error(diff)
	}
}
