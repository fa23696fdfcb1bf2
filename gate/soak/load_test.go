package soak_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/isogate/isogate/gate/soak"
)

// This file owns the tests of the load: a short one, and one of a daemon that loses
// an answer.

// root is the folder of the module, seen from this package.
const root = "../.."

// short is a load of seconds.
func short(binary string) soak.LoadOptions {
	o := soak.DefaultLoad
	o.Binary, o.Seed = binary, 7
	o.Time, o.Connections, o.Children, o.Rate = 4*time.Second, 24, 2, 12
	return o
}

// TestLoad loads a daemon for seconds; gate soak does it for minutes.
func TestLoad(t *testing.T) {
	binary, err := soak.BuildDaemon(t.Context(), root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	passed := 0
	o := short(binary)
	o.Done = func(done, of int) { passed = max(passed, done) }
	s, err := soak.Load(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range s.Failures() {
		t.Error(what)
	}
	var table strings.Builder
	if err := s.Print(&table); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + table.String())
	connections := 0
	for i, tenant := range s.Tenants {
		connections += tenant.Connections
		if tenant.Accepted == 0 || tenant.Flooded.Count == 0 || tenant.Flooded.P50 > tenant.Flooded.P99 || tenant.Flooded.P99 > tenant.Flooded.Max {
			t.Errorf("%s: %+v", tenant.Name, tenant)
		}
		if floods := i == 0; floods != (tenant.Outcomes["overloaded"] > tenant.Accepted) {
			t.Errorf("%s: %d were overloaded, %d accepted", tenant.Name, tenant.Outcomes["overloaded"], tenant.Accepted)
		}
	}
	if len(s.Tenants) != 4 || connections != 24 || passed == 0 {
		t.Errorf("%d tenants with %d connections, %d s", len(s.Tenants), connections, passed)
	}
	if m := s.Memory; m.Blocks == 0 || m.First <= 0 || m.Peak < m.Last || m.Low > m.PerMinute || m.PerMinute > m.High {
		t.Errorf("the memory is %+v", m)
	}
}

// TestLoadFindsALostAnswer loads a daemon that forgets to answer the second
// execution of each connection.
func TestLoadFindsALostAnswer(t *testing.T) {
	const file, before, after = "server/execution.go", "\ttext, err := x.encode(result)\n", "\tif x.id == \"2\" {\n\t\tx.leave()\n\t\treturn\n\t}\n"
	source, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	forgetful := strings.Replace(string(source), before, after+before, 1)
	if forgetful == string(source) {
		t.Fatalf("%s does not say %q", file, before)
	}
	folder := t.TempDir()
	mutant, overlay, binary := filepath.Join(folder, "execution.go"), filepath.Join(folder, "overlay.json"), filepath.Join(folder, "isogate")
	original, err := filepath.Abs(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {original: mutant}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{mutant: forgetful, overlay: string(replaced)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-C", root, "-overlay", overlay, "-o", binary, "./cmd/isogate").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	o := short(binary)
	o.Time, o.Answers, o.Connections, o.Tenants = 2*time.Second, 5*time.Second, 4, 2
	s, err := soak.Load(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	failures := strings.Join(s.Failures(), "\n")
	for _, want := range []string{"were sent and have no answer", "the daemon counts"} {
		if !strings.Contains(failures, want) {
			t.Errorf("it is not found that %s:\n%s", want, failures)
		}
	}
	if s.Lost == 0 {
		t.Error("no answer is lost")
	}
}

func TestLoadRefuses(t *testing.T) {
	for name, change := range map[string]func(*soak.LoadOptions){
		"one tenant":            func(o *soak.LoadOptions) { o.Tenants = 1 },
		"too few connections":   func(o *soak.LoadOptions) { o.Connections = 3 },
		"no time":               func(o *soak.LoadOptions) { o.Time = 0 },
		"no flood":              func(o *soak.LoadOptions) { o.Flood = 0 },
		"a binary that is none": func(o *soak.LoadOptions) { o.Binary = filepath.Join(root, "nothing") },
		"one that does not serve": func(o *soak.LoadOptions) {
			o.Binary = "/bin/false"
		},
	} {
		o := short("/bin/false")
		change(&o)
		if s, err := soak.Load(t.Context(), o); err == nil {
			t.Errorf("%s: it gave %+v", name, s)
		}
	}
}
