package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/isogate/isogate/server"
	"github.com/isogate/isogate/server/daemon"
)

// This file owns the tests of examples/deploy: that the unit, the image and the
// manifest agree with the daemon that they start, and with each other.

// ending is how long a daemon may take beyond its drain: to answer for what it had to
// end, and to send its last traces.
const ending = 10 * time.Second

// example returns the text of a file in examples/deploy.
func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// served returns the configuration that a command line of serve gives. The file that
// it names is read from text.
func served(t *testing.T, args []string, file, text string) daemon.Config {
	t.Helper()
	if len(args) == 0 || args[0] != serveName {
		t.Fatalf("%q does not serve", args)
	}
	there := filepath.Join(t.TempDir(), "isogate.yaml")
	if err := os.WriteFile(there, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	found := false
	for i, arg := range args {
		if arg == file {
			args, found = slices.Replace(slices.Clone(args), i, i+1, there), true
		}
	}
	if !found {
		t.Fatalf("%q does not name %s", args, file)
	}
	c, err := configured(t, args[1:], nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// startsWith starts the real daemon with a configuration whose files and addresses
// are replaced by ones of this test, and asks the paths at its observe address.
func startsWith(t *testing.T, c daemon.Config, paths []string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "isogate")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	_, line, err := server.NewToken("agents")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tokens"), []byte(line), 0o440); err != nil {
		t.Fatal(err)
	}
	c.Tokens = filepath.Join(dir, "tokens")
	c.Listen, c.TLS = []string{"unix://" + filepath.Join(dir, "s")}, daemon.TLS{}
	c.SocketMode, c.Observe, c.Executor.Size = 0, "127.0.0.1:0", 1
	for name, level := range c.Executor.Sealing {
		if level == "required" && name != "landlock" && name != "system_calls" && name != "capabilities" {
			c.Executor.Sealing[name] = "wanted" // whether this machine gives namespaces is not what is tested
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var out buffer
	logger, err := newLogger(c.Log, streams{err: &out})
	if err != nil {
		t.Fatal(err)
	}
	ready, done := make(chan []string, 1), make(chan error, 1)
	go func() {
		done <- daemon.Run(ctx, c, daemon.Options{Logger: logger, Ready: func(a []string) { ready <- a }})
	}()
	var observed string
	select {
	case addresses := <-ready:
		observed = "http://" + strings.TrimPrefix(addresses[len(addresses)-1], "observe://")
	case err := <-done:
		t.Fatalf("the daemon does not start: %v\n%s", err, &out)
	}
	for _, p := range paths {
		response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(must(http.NewRequest(http.MethodGet, observed+p, nil)))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s is answered with %s", p, response.Status)
		}
	}
	var said buffer
	for _, address := range []string{observed, "unix://" + filepath.Join(dir, "s")} {
		if status := execute(t.Context(), []string{"ready", address}, streams{out: &said, err: &said}); status != statusValue {
			t.Errorf("ready %s ends with %d: %s", address, status, &said)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("the daemon ended with %v", err)
	}
	if status := execute(t.Context(), []string{"ready", observed}, streams{out: &said, err: &said}); status != statusExecutor {
		t.Errorf("ready, of a daemon that has ended, ends with %d: %s", status, &said)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestReadyRefuses asks what is no daemon, and one that says no.
func TestReadyRefuses(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refuses := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "draining", http.StatusServiceUnavailable)
	})}
	defer refuses.Close()
	go func() { _ = refuses.Serve(l) }()
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"http://" + l.Addr().String()}, statusExecutor, "draining"},
		{[]string{"unix:///nowhere/socket"}, statusExecutor, "no such file"},
		{[]string{"127.0.0.1:9090"}, statusUsage, "written as"},
		{nil, statusUsage, "arg"},
	} {
		var out buffer
		if status := execute(t.Context(), append([]string{"ready"}, test.args...), streams{out: &out, err: &out}); status != test.status || !strings.Contains(out.String(), test.want) {
			t.Errorf("%v: %d, %s; want %d, %q", test.args, status, &out, test.status, test.want)
		}
	}
}

// unit returns the settings of a section of a unit, each with its values in order.
func unit(t *testing.T, text, section string) map[string][]string {
	t.Helper()
	out, in := map[string][]string{}, ""
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			in = line[1 : len(line)-1]
		default:
			key, value, ok := strings.Cut(line, "=")
			if !ok || in == "" || strings.TrimSpace(key) != key {
				t.Fatalf("isogate.service:%d is no setting: %s", n+1, line)
			}
			if in == section {
				out[key] = append(out[key], value)
			}
		}
	}
	return out
}

// TestUnit compares the unit with the configuration that it starts the daemon with.
func TestUnit(t *testing.T) {
	text := example(t, "isogate.service")
	service := unit(t, text, "Service")
	one := func(key string) string {
		t.Helper()
		if len(service[key]) != 1 {
			t.Fatalf("the unit has %s %d times", key, len(service[key]))
		}
		return service[key][0]
	}
	command := strings.Fields(one("ExecStart"))
	c := served(t, command[1:], "/etc/isogate/isogate.yaml", example(t, "isogate.yaml"))
	startsWith(t, c, []string{"/healthz", "/readyz", "/metrics"})
	if stop, err := time.ParseDuration(one("TimeoutStopSec")); err != nil || stop < c.Drain+ending {
		t.Errorf("the unit is stopped after %v (%v), the daemon needs %v", stop, err, c.Drain+ending)
	}
	socket := strings.TrimPrefix(c.Listen[0], "unix://")
	if want := "/run/" + one("RuntimeDirectory"); path.Dir(socket) != want {
		t.Errorf("the socket %s is not in %s, which the unit makes", socket, want)
	}
	mode, err := strconv.ParseUint(one("RuntimeDirectoryMode"), 8, 32)
	if err != nil || mode&0o022 != 0 || c.SocketMode&0o007 != 0 || mode&0o007 != 0 {
		t.Errorf("the folder has the mode %o, the socket %o", mode, c.SocketMode)
	}
	if jit := c.Executor.Profile == "jit"; jit == (one("MemoryDenyWriteExecute") == "yes") {
		t.Errorf("MemoryDenyWriteExecute=%s with the profile %q", one("MemoryDenyWriteExecute"), c.Executor.Profile)
	}
	// What would take a layer from children, see the unit's last comment, or end them.
	for _, key := range []string{"RestrictNamespaces", "ProtectControlGroups", "ProtectKernelTunables", "ProtectKernelLogs", "ProtectHostname", "PrivateUsers", "PrivateNetwork"} {
		if len(service[key]) > 0 {
			t.Errorf("the unit sets %s=%s", key, service[key])
		}
		if !strings.Contains(text, key) {
			t.Errorf("the unit does not say why it does not set %s", key)
		}
	}
	for key, want := range map[string]string{
		"KillMode": "mixed", "OOMPolicy": "continue", "Delegate": "memory", "DelegateSubgroup": "main", "NoNewPrivileges": "yes",
		"CapabilityBoundingSet": "", "ProtectSystem": "strict", "ExecReload": "/bin/kill -HUP $MAINPID", "RestartPreventExitStatus": strconv.Itoa(statusUsage),
	} {
		if one(key) != want {
			t.Errorf("the unit has %s=%s, want %s", key, one(key), want)
		}
	}
	bounded(t, c, one("MemoryMax"))
}

// bounded checks that all children together stay below a limit, and the daemon has
// something left.
func bounded(t *testing.T, c daemon.Config, limit string) {
	t.Helper()
	number := regexp.MustCompile(`^(\d+)Gi?$`).FindStringSubmatch(limit)
	if number == nil {
		t.Fatalf("the limit of memory is %s", limit)
	}
	gib := must(strconv.Atoi(number[1]))
	// The engine, messages and stacks of a child: see docs/sandbox.md.
	const child = 256 << 20
	used := int64(c.Executor.Size) * (c.Executor.Limits.Heap + c.Executor.Limits.External + child)
	if free := int64(gib)<<30 - used; c.Executor.Size == 0 || free < 512<<20 {
		t.Errorf("%d children may use %d bytes of %s", c.Executor.Size, used, limit)
	}
}

// TestSystemdTakesTheUnit has systemd itself read the unit.
func TestSystemdTakesTheUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd-analyze on this machine")
	}
	version, _ := strconv.Atoi(regexp.MustCompile(`\d+`).FindString(string(must(exec.Command(analyze, "--version").Output()))))
	there := filepath.Join(t.TempDir(), "isogate.service")
	// The binary need not be installed where the test runs.
	text := strings.Replace(example(t, "isogate.service"), "ExecStart=/usr/local/bin/isogate", "ExecStart="+must(os.Executable()), 1)
	if err := os.WriteFile(there, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(analyze, "verify", "--man=no", there).CombinedOutput()
	lines := 0
	for line := range strings.Lines(string(out)) {
		switch {
		case !strings.Contains(line, "isogate.service"):
			// Of other units of this machine.
		case version < 254 && strings.Contains(line, "'DelegateSubgroup'"):
			t.Logf("systemd %d does not know DelegateSubgroup", version)
		default:
			lines++
			t.Errorf("systemd-analyze: %s", line)
		}
	}
	if err != nil && lines == 0 {
		t.Logf("systemd-analyze verify ended with %v, and said nothing of this unit:\n%s", err, out)
	}
	out, err = exec.Command(analyze, "security", "--offline=true", "--threshold=30", "--no-pager", there).CombinedOutput()
	summary := regexp.MustCompile(`(?m)^.*Overall exposure level.*$`).FindString(string(out))
	switch {
	case summary == "":
		t.Logf("systemd-analyze security --offline does not work here: %v\n%s", err, out)
	case err != nil:
		t.Errorf("the unit is more exposed than 3.0: %v\n%s", err, out)
	default:
		t.Log(strings.TrimSpace(summary))
	}
}

// instruction is one instruction of a Dockerfile, its continuations joined.
type instruction struct{ name, rest string }

func instructions(text string) []instruction {
	var out []instruction
	lines := bufio.NewScanner(strings.NewReader(strings.ReplaceAll(text, "\\\n", " ")))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		out = append(out, instruction{strings.ToUpper(name), strings.TrimSpace(rest)})
	}
	return out
}

// list returns the words of an instruction in its JSON form.
func list(t *testing.T, text string) []string {
	t.Helper()
	var words []string
	if err := json.Unmarshal([]byte(text), &words); err != nil {
		t.Fatalf("%s is not in the JSON form: %v", text, err)
	}
	return words
}

// TestDockerfile checks that each thing an image names exists: stages, files, the
// package that is built, commands and flags.
func TestDockerfile(t *testing.T) {
	top := filepath.Join("..", "..")
	stages := map[string]bool{}
	var entry, command, health, ports []string
	user := ""
	for _, i := range instructions(example(t, "Dockerfile")) {
		words := strings.Fields(i.rest)
		switch i.name {
		case "FROM":
			image, tag, pinned := strings.Cut(words[0], ":")
			if !pinned || !regexp.MustCompile(`\d`).MatchString(tag) || len(words) != 3 || words[1] != "AS" {
				t.Errorf("FROM %s: write NAME:VERSION AS STAGE", i.rest)
			}
			stages[words[2]] = true
			user = ""
			if image == "golang" {
				goVersion(t, tag, top)
			}
		case "COPY":
			from, sources := "", words[:len(words)-1]
			for len(sources) > 0 && strings.HasPrefix(sources[0], "--") {
				from = strings.TrimPrefix(sources[0], "--from=")
				sources = sources[1:]
			}
			for _, source := range sources {
				if from != "" {
					if !stages[from] || source != "/out/isogate" {
						t.Errorf("COPY %s: no stage before makes that", i.rest)
					}
				} else if _, err := os.Stat(filepath.Join(top, source)); err != nil {
					t.Errorf("COPY %s: %v", i.rest, err)
				}
			}
		case "RUN":
			if _, build, ok := strings.Cut(i.rest, "go build "); ok {
				out := strings.Fields(build)
				if _, err := os.Stat(filepath.Join(top, out[len(out)-1], "main.go")); err != nil || !slices.Contains(out, "/out/isogate") {
					t.Errorf("RUN %s: %v", i.rest, err)
				}
			}
		case "USER":
			user = i.rest
		case "EXPOSE":
			ports = words
		case "ENTRYPOINT":
			entry = list(t, i.rest)
		case "CMD":
			command = list(t, i.rest)
		case "HEALTHCHECK":
			_, after, _ := strings.Cut(i.rest, " CMD ")
			health = list(t, after)
		}
	}
	if uid, _, _ := strings.Cut(user, ":"); uid == "" || uid == "0" || uid == "root" || strings.Trim(uid, "0123456789") != "" {
		t.Errorf("the image runs as %q, not as a number other than 0", user)
	}
	if len(entry) != 1 || len(health) < 2 || health[0] != entry[0] {
		t.Fatalf("the image starts %q and checks with %q", entry, health)
	}
	if found, rest, err := newRootCommand(streams{}).Find(health[1:]); err != nil || found.Name() != "ready" || found.Args(found, rest) != nil {
		t.Errorf("%q is no command: %v", health, err)
	}
	m := readManifest(t)
	c := served(t, command, "/etc/isogate/isogate.yaml", m.config)
	if want := []string{portOf(t, c.Listen[0]), portOf(t, c.Observe)}; !slices.Equal(ports, want) {
		t.Errorf("the image exposes %q, the daemon of the manifest listens on %q", ports, want)
	}
	if observe := "http://127.0.0.1:" + portOf(t, c.Observe); health[len(health)-1] != observe {
		t.Errorf("the health check asks %s, want %s", health[len(health)-1], observe)
	}
}

// goVersion checks that an image's Go builds this module.
func goVersion(t *testing.T, tag, top string) {
	t.Helper()
	mod := must(os.ReadFile(filepath.Join(top, "go.mod")))
	numbers := func(text string) []int {
		var out []int
		for _, n := range strings.Split(regexp.MustCompile(`\d+\.\d+(\.\d+)?`).FindString(text), ".") {
			out = append(out, must(strconv.Atoi(n)))
		}
		return out
	}
	needs := regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(mod)[1]
	if slices.Compare(numbers(tag), numbers(string(needs))) < 0 {
		t.Errorf("the image builds with Go %s, go.mod needs %s", tag, needs)
	}
}

// portOf returns the port of an address.
func portOf(t *testing.T, address string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(address, "tcp://"))
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// manifest is what the test looks at of kubernetes.yaml.
type manifest struct {
	config     string
	deployment resource
	service    resource
	policy     resource
	kinds      []string
}

// probe is a probe of a container.
type probe struct {
	HTTPGet struct{ Path, Port string } `yaml:"httpGet"`
}

type containerPort struct {
	Name          string
	ContainerPort int `yaml:"containerPort"`
}

// resource is one document of the manifest, the parts of the kinds together.
type resource struct {
	Kind     string
	Metadata struct{ Name, Namespace string }
	Data     map[string]string
	Spec     struct {
		Selector any
		Ports    []struct {
			TargetPort string `yaml:"targetPort"`
		}
		Ingress []struct {
			Ports []struct{ Port string }
		}
		Egress      []any
		PolicyTypes []string `yaml:"policyTypes"`
		Template    struct {
			Metadata struct{ Labels map[string]string }
			Spec     struct {
				Grace           int  `yaml:"terminationGracePeriodSeconds"`
				ServiceToken    bool `yaml:"automountServiceAccountToken"`
				SecurityContext struct {
					RunAsNonRoot bool `yaml:"runAsNonRoot"`
					RunAsUser    int  `yaml:"runAsUser"`
				} `yaml:"securityContext"`
				Containers []struct {
					Args            []string
					Ports           []containerPort
					StartupProbe    probe `yaml:"startupProbe"`
					ReadinessProbe  probe `yaml:"readinessProbe"`
					LivenessProbe   probe `yaml:"livenessProbe"`
					Resources       struct{ Requests, Limits map[string]string }
					SecurityContext struct {
						Escalation   *bool `yaml:"allowPrivilegeEscalation"`
						ReadOnlyRoot bool  `yaml:"readOnlyRootFilesystem"`
						Capabilities struct{ Drop []string }
					} `yaml:"securityContext"`
					VolumeMounts []struct {
						Name      string
						MountPath string `yaml:"mountPath"`
						ReadOnly  bool   `yaml:"readOnly"`
					} `yaml:"volumeMounts"`
				}
				Volumes []struct{ Name string }
			}
		}
	}
}

// readManifest reads kubernetes.yaml: every document, in which no key is given twice.
func readManifest(t *testing.T) *manifest {
	t.Helper()
	m := &manifest{}
	d := yaml.NewDecoder(strings.NewReader(example(t, "kubernetes.yaml")))
	for {
		var r resource
		err := d.Decode(&r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("kubernetes.yaml: %v", err)
		}
		m.kinds = append(m.kinds, r.Kind)
		switch r.Kind {
		case "ConfigMap":
			m.config = r.Data["isogate.yaml"]
		case "Deployment":
			m.deployment = r
		case "Service":
			m.service = r
		case "NetworkPolicy":
			m.policy = r
		}
		if r.Kind != "Namespace" && r.Metadata.Namespace != "isogate" {
			t.Errorf("the %s is in the namespace %q", r.Kind, r.Metadata.Namespace)
		}
	}
	if m.config == "" || len(m.deployment.Spec.Template.Spec.Containers) != 1 {
		t.Fatalf("the manifest has %q", m.kinds)
	}
	return m
}

// TestKubernetes compares the manifest with the daemon that it starts.
func TestKubernetes(t *testing.T) {
	m := readManifest(t)
	pod := m.deployment.Spec.Template.Spec
	container := pod.Containers[0]
	c := served(t, container.Args, "/etc/isogate/config/isogate.yaml", m.config)
	names := map[string]string{}
	for _, p := range container.Ports {
		names[p.Name] = strconv.Itoa(p.ContainerPort)
	}
	if names["https"] != portOf(t, c.Listen[0]) || names["observe"] != portOf(t, c.Observe) || len(names) != 2 {
		t.Errorf("the container has the ports %v, the daemon listens on %v and %s", names, c.Listen, c.Observe)
	}
	var asked []string
	for _, p := range []probe{container.StartupProbe, container.ReadinessProbe, container.LivenessProbe} {
		if p.HTTPGet.Port != "observe" {
			t.Errorf("a probe asks the port %q", p.HTTPGet.Port)
		}
		asked = append(asked, p.HTTPGet.Path)
	}
	if want := []string{"/readyz", "/readyz", "/healthz"}; !slices.Equal(asked, want) {
		t.Errorf("the probes ask %q, want %q", asked, want)
	}
	startsWith(t, c, asked)
	for _, p := range m.service.Spec.Ports {
		if p.TargetPort != "https" {
			t.Errorf("the Service leads to the port %q", p.TargetPort)
		}
	}
	for _, rule := range m.policy.Spec.Ingress {
		for _, p := range rule.Ports {
			if names[p.Port] == "" {
				t.Errorf("the NetworkPolicy names the port %q", p.Port)
			}
		}
	}
	if !slices.Equal(m.policy.Spec.PolicyTypes, []string{"Ingress", "Egress"}) || len(m.policy.Spec.Egress) != 0 {
		t.Errorf("the NetworkPolicy is about %q, egress %v", m.policy.Spec.PolicyTypes, m.policy.Spec.Egress)
	}
	if grace := time.Duration(pod.Grace) * time.Second; grace < c.Drain+ending {
		t.Errorf("the pod is killed after %v, the daemon needs %v", grace, c.Drain+ending)
	}
	mounted := map[string]string{}
	for _, mount := range container.VolumeMounts {
		if !mount.ReadOnly || !slices.ContainsFunc(pod.Volumes, func(v struct{ Name string }) bool { return v.Name == mount.Name }) {
			t.Errorf("the mount %+v is of no volume, or not read-only", mount)
		}
		mounted[mount.MountPath] = mount.Name
	}
	for _, file := range []string{container.Args[len(container.Args)-1], c.TLS.Certificate, c.TLS.Key, c.Tokens} {
		if mounted[path.Dir(file)] == "" {
			t.Errorf("nothing is mounted that has %s", file)
		}
	}
	s := container.SecurityContext
	if s.Escalation == nil || *s.Escalation || !s.ReadOnlyRoot || !slices.Equal(s.Capabilities.Drop, []string{"ALL"}) ||
		!pod.SecurityContext.RunAsNonRoot || pod.SecurityContext.RunAsUser == 0 || pod.ServiceToken {
		t.Errorf("the pod may do more than it needs: %+v, %+v", s, pod.SecurityContext)
	}
	for _, resource := range []string{"cpu", "memory"} {
		if container.Resources.Requests[resource] == "" || container.Resources.Limits[resource] == "" {
			t.Errorf("the container has no request and limit of %s", resource)
		}
	}
	bounded(t, c, container.Resources.Limits["memory"])
}

// TestDocumentedConfiguration reads the configuration that the chapter shows.
func TestDocumentedConfiguration(t *testing.T) {
	chapter := must(os.ReadFile(filepath.Join("..", "..", "docs", "server.md")))
	blocks := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllSubmatch(chapter, -1)
	for _, block := range blocks {
		if _, err := daemon.Read(bytes.TrimSpace(block[1])); err != nil {
			t.Errorf("%v in\n%s", err, block[1])
		}
	}
	if len(blocks) == 0 {
		t.Error("docs/server.md shows no configuration")
	}
}
