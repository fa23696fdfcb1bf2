package soak

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/server"
)

// This file owns the daemon that is loaded: a process of its own.

// operator is the tenant that reads the metrics.
const operator = "operator"

// daemon is a running isogate serve.
type daemon struct {
	cmd     *exec.Cmd
	folder  string
	address string            // host:port
	tokens  map[string]string // by tenant
	ended   chan struct{}     // closed when it has ended; then err is set
	err     error

	mu   sync.Mutex
	tail []string // guarded by mu; the last lines of its log
}

// startTime is how long a daemon may take to serve, and to drain.
const startTime = time.Minute

// BuildDaemon builds the command isogate of the module that root is the folder of,
// as a file in the given folder, and returns its path.
func BuildDaemon(ctx context.Context, root, folder string) (string, error) {
	binary := filepath.Join(folder, "isogate")
	if out, err := exec.CommandContext(ctx, "go", "build", "-C", root, "-o", binary, "./cmd/isogate").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/isogate: %w\n%s", err, out)
	}
	return binary, nil
}

// startDaemon starts a daemon on a TCP address of this machine, with a token for
// each tenant and the quotas that are the default.
func startDaemon(ctx context.Context, binary string, children int, tenants []string) (_ *daemon, err error) {
	d := &daemon{tokens: map[string]string{}, ended: make(chan struct{})}
	if d.folder, err = os.MkdirTemp("", "isogate-load-"); err != nil {
		return nil, err
	}
	var lines, configured strings.Builder
	for _, name := range append([]string{operator}, tenants...) {
		token, line, err := server.NewToken(name)
		if err != nil {
			return nil, errors.Join(err, os.RemoveAll(d.folder))
		}
		d.tokens[name] = token
		lines.WriteString(line + "\n")
		fmt.Fprintf(&configured, "  %s: {operator: %v}\n", name, name == operator)
	}
	tokens, config := filepath.Join(d.folder, "tokens"), filepath.Join(d.folder, "config.yaml")
	text := fmt.Sprintf("listen: [\"tcp://127.0.0.1:0\"]\ntokens: %s\ntenants:\n%sexecutor: {size: %d}\nlog: {format: json}\n", tokens, &configured, children)
	err = errors.Join(os.WriteFile(tokens, []byte(lines.String()), 0o600), os.WriteFile(config, []byte(text), 0o600))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(d.folder))
	}
	d.cmd = exec.Command(binary, "serve", "--config", config)
	log, err := d.cmd.StderrPipe()
	if err == nil {
		err = d.cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(d.folder))
	}
	serving := make(chan string, 1)
	go func() {
		d.read(log, serving)
		d.err = d.cmd.Wait()
		close(d.ended)
	}()
	patience := time.NewTimer(startTime)
	defer patience.Stop()
	select {
	case d.address = <-serving:
		return d, nil
	case <-d.ended:
		err = fmt.Errorf("the daemon ended: %w\n%s", d.err, d.log())
	case <-patience.C:
		err = fmt.Errorf("the daemon did not serve within %v:\n%s", startTime, d.log())
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	d.kill()
	return nil, err
}

// read reads the log to its end, and tells the address when it comes.
func (d *daemon) read(log io.Reader, serving chan<- string) {
	const kept = 20
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var entry struct {
			Msg, Level string
			Addresses  []string
		}
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "serving" && len(entry.Addresses) == 1 {
			serving <- strings.TrimPrefix(entry.Addresses[0], "tcp://")
		}
		if entry.Level == "INFO" && entry.Msg == "execution" {
			continue
		}
		d.mu.Lock()
		d.tail = append(d.tail, lines.Text())
		if len(d.tail) > kept {
			d.tail = d.tail[1:]
		}
		d.mu.Unlock()
	}
	_, _ = io.Copy(io.Discard, log) // so that it can go on, whatever the line was
}

// log returns the last lines of the log, without those of executions.
func (d *daemon) log() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.tail, "\n")
}

// kill ends the daemon at once, if it has not ended, and removes its files.
func (d *daemon) kill() {
	_ = d.cmd.Process.Kill() // it may have ended
	<-d.ended
	_ = os.RemoveAll(d.folder) // what stays is in the folder for temporary files
}

// stop drains the daemon as an operator does. It returns the exit status, and which
// of its child processes are still there.
func (d *daemon) stop(ctx context.Context) (status int, left []int, err error) {
	below, err := procfs.Descendants(d.cmd.Process.Pid)
	if err != nil {
		return 0, nil, err
	}
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, nil, err
	}
	patience := time.NewTimer(startTime)
	defer patience.Stop()
	select {
	case <-d.ended:
	case <-patience.C:
		return 0, nil, fmt.Errorf("the daemon did not end within %v:\n%s", startTime, d.log())
	case <-ctx.Done():
		return 0, nil, context.Cause(ctx)
	}
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		left = left[:0]
		for _, p := range below {
			if now, err := procfs.Read(p.PID); err == nil && now.Start == p.Start && !now.Zombie() {
				left = append(left, p.PID)
			}
		}
		if len(left) == 0 || time.Since(begun) > reapTime {
			return d.cmd.ProcessState.ExitCode(), left, nil
		}
	}
}

// memory returns the resident memory of the daemon itself, in bytes.
func (d *daemon) memory() (int64, error) { return procfs.Resident(d.cmd.Process.Pid) }

// files returns how many descriptors the daemon has open.
func (d *daemon) files() (int, error) {
	open, err := procfs.Descriptors(d.cmd.Process.Pid)
	return len(open), err
}

// figures are the daemon's metrics by name and labels, as they are written.
type figures map[string]float64

// metrics asks the daemon for its metrics.
func (d *daemon) metrics(ctx context.Context) (figures, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+d.address+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+d.tokens[operator])
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("/metrics: %s: %s", response.Status, text)
	}
	if err != nil {
		return nil, err
	}
	out := figures{}
	for line := range strings.Lines(string(text)) {
		at := strings.LastIndexByte(line, ' ')
		if strings.HasPrefix(line, "#") || at < 0 {
			continue
		}
		if out[line[:at]], err = strconv.ParseFloat(strings.TrimSpace(line[at:]), 64); err != nil {
			return nil, fmt.Errorf("/metrics: %q: %w", line, err)
		}
	}
	return out, nil
}

var executions = regexp.MustCompile(`^isogate_executions_total\{tenant="([^"]*)",outcome="([^"]*)"\}$`)

// outcomes returns how many executions of each tenant ended how.
func (f figures) outcomes() map[string]map[string]int {
	out := map[string]map[string]int{}
	for name, value := range f {
		if m := executions.FindStringSubmatch(name); m != nil {
			if out[m[1]] == nil {
				out[m[1]] = map[string]int{}
			}
			out[m[1]][m[2]] = int(value)
		}
	}
	return out
}

// atRest reports whether nothing runs, and nobody is connected.
func (f figures) atRest() bool {
	for name, value := range f {
		busy := strings.HasPrefix(name, "isogate_tenant_executions{") || strings.HasPrefix(name, "isogate_tenant_connections{") ||
			name == `isogate_children{state="busy"}` || name == `isogate_children{state="starting"}`
		if busy && value != 0 {
			return false
		}
	}
	return true
}
