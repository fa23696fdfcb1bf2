// Package daemon is the process around a server: its configuration, its
// listeners, its callers, and its life from the start to the drain.
package daemon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns the configuration as a file has it, and its strict reading.

// Config is the configuration of a daemon, in the form of its YAML file. A part
// that is left out takes the default in its comment. Sizes are bytes, times are
// written as 30s or 1m30s.
type Config struct {
	// Listen are the addresses: unix:///path or tcp://host:port. At least one.
	Listen []string `yaml:"listen"`
	// SocketMode is the mode of unix sockets. Default 0600.
	SocketMode uint32 `yaml:"socketMode"`
	// Observe is a TCP address, host:port, at which anybody may read /healthz,
	// /readyz and /metrics. Default: none.
	Observe string `yaml:"observe"`
	TLS     TLS    `yaml:"tls"`
	// Tokens is the file with the hashes of bearer tokens, see server.Tokens. It is
	// read again on SIGHUP.
	Tokens string `yaml:"tokens"`
	// Peers are rules for processes that connect to a unix socket. Default: without
	// any, and without tokens, those of this user belong to the tenant default.
	Peers []Peer `yaml:"peers"`
	// Certificates are rules for clients with a certificate.
	Certificates []Certificate `yaml:"certificates"`
	// Tenants are the tenants by name. Default: one, named default, without grants.
	Tenants  map[string]Tenant `yaml:"tenants"`
	Executor Executor          `yaml:"executor"`
	Bounds   Bounds            `yaml:"bounds"`
	// Drain is how long what runs may take to end after SIGTERM. Default 30 s.
	Drain  time.Duration `yaml:"drain"`
	Log    Log           `yaml:"log"`
	Traces Traces        `yaml:"traces"`
}

// TLS says how TCP addresses are secured.
type TLS struct {
	// Certificate and Key are PEM files; both or none. All three are read again on
	// SIGHUP.
	Certificate string `yaml:"certificate"`
	Key         string `yaml:"key"`
	// Authorities is a PEM file: clients may show certificates that these issued.
	Authorities string `yaml:"authorities"`
	// Off allows TCP without TLS on addresses beyond this machine, for networks
	// that are secured otherwise. Tokens and programs cross them as they are.
	Off bool `yaml:"off"`
}

// Peer says for whom processes of a user work.
type Peer struct {
	// User is a user's name or number, or self.
	User   string `yaml:"user"`
	Tenant string `yaml:"tenant"`
}

// Certificate says for whom clients with a certificate work.
type Certificate struct {
	// Name is a DNS name or URI of the certificate, or its common name.
	Name   string `yaml:"name"`
	Tenant string `yaml:"tenant"`
}

// Tenant is one tenant, see server.Tenant.
type Tenant struct {
	Defaults Limits   `yaml:"defaults"`
	Limits   Limits   `yaml:"limits"`
	Grants   []string `yaml:"grants"`
	Quotas   Quotas   `yaml:"quotas"`
	Divides  bool     `yaml:"divides"`
	Operator bool     `yaml:"operator"`
}

// Quotas are a tenant's quotas, see server.Quotas.
type Quotas struct {
	Executions   int           `yaml:"executions"`
	PerSecond    int           `yaml:"perSecond"`
	CPUPerMinute time.Duration `yaml:"cpuPerMinute"`
	Connections  int           `yaml:"connections"`
}

// Executor configures the child processes, see pool.Config.
type Executor struct {
	Size         int                    `yaml:"size"`
	QueueLength  int                    `yaml:"queueLength"`
	QueueTimeout time.Duration          `yaml:"queueTimeout"`
	MaxUses      int                    `yaml:"maxUses"`
	MaxDepth     int                    `yaml:"maxDepth"`
	Profile      string                 `yaml:"profile"`
	Cgroup       string                 `yaml:"cgroup"`
	Sealing      map[string]child.Level `yaml:"sealing"`
	Defaults     Limits                 `yaml:"defaults"`
	Limits       Limits                 `yaml:"limits"`
}

// Bounds are bounds on clients, see server.Config.
type Bounds struct {
	MaxFrame         int64         `yaml:"maxFrame"`
	MaxConnections   int           `yaml:"maxConnections"`
	MaxExecutions    int           `yaml:"maxExecutions"`
	MaxHeld          int64         `yaml:"maxHeld"`
	MaxQueued        int64         `yaml:"maxQueued"`
	HandshakeTimeout time.Duration `yaml:"handshakeTimeout"`
	FrameTimeout     time.Duration `yaml:"frameTimeout"`
	PingInterval     time.Duration `yaml:"pingInterval"`
}

// Log configures the log, which goes to standard error.
type Log struct {
	// Level is debug, info, warn or error. Default info.
	Level string `yaml:"level"`
	// Format is text or json. Default text.
	Format string `yaml:"format"`
	// Content lets the log have texts of faults, which may quote programs, their
	// inputs and what tools said.
	Content bool `yaml:"content"`
}

// Limits are limits by the names that they have in a request.
type Limits struct{ protocol.Limits }

// UnmarshalYAML reads limits as strictly as a request has them.
func (l *Limits) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: limits are written as name: number", node.Line)
	}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		name, err := json.Marshal(key.Value)
		if err != nil {
			return fmt.Errorf("line %d: %w", key.Line, err)
		}
		var one protocol.Limits
		// One at a time, so that the line is known.
		if err := one.UnmarshalJSON(fmt.Appendf(nil, "{%s:%s}", name, value.Value)); err != nil || value.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: %q is no limit with a whole number: the contract lists them; sizes are bytes, times milliseconds", key.Line, key.Value)
		}
		merged, err := one.Resolve(l.Limits, protocol.MaxLimits)
		if err != nil {
			return fmt.Errorf("line %d: %w", key.Line, err)
		}
		l.Limits = merged
	}
	return nil
}

// Read reads a configuration. An unknown key, one that is there twice, a value of
// the wrong kind and a second document are errors that name their line.
func Read(text []byte) (Config, error) {
	var c Config
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return Config{}, plain(err)
	}
	var more yaml.Node
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return Config{}, fmt.Errorf("line %d: a second document, where one configuration should be", more.Line)
	}
	return c, nil
}

// maxFile bounds a configuration file, in bytes.
const maxFile = 1 << 20

// ReadFile reads the configuration in a file.
func ReadFile(path string) (Config, error) {
	file, err := os.Open(path)
	if err != nil {
		return Config{}, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return Config{}, err
	}
	if len(text) > maxFile {
		return Config{}, fmt.Errorf("%s: it is longer than %d bytes", path, maxFile)
	}
	c, err := Read(text)
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

var (
	unknownField = regexp.MustCompile(`field (\S+) not found in type \S+`)
	wrongKind    = regexp.MustCompile(`cannot unmarshal !!\w+ (.*) into (\S+)`)
	repeatedKey  = regexp.MustCompile(`mapping key ("[^"]*") already defined at (line \d+)`)
)

// plain says what is wrong with a file without the names of Go types.
func plain(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	text = strings.TrimPrefix(text, "unmarshal errors:\n")
	text = unknownField.ReplaceAllString(text, `unknown key "$1"`)
	text = repeatedKey.ReplaceAllString(text, `the key $1 is given twice, first in $2`)
	text = wrongKind.ReplaceAllString(text, `$1 is of the wrong kind`)
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return errors.New(strings.Join(lines, "; "))
}
