package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/isogate/isogate/server/daemon"
)

// This file owns the command serve: its flags, the environment, the file, and
// which of them prevails.

// serveName is the name of the command, by which main tells a daemon.
const serveName = "serve"

const serveHelp = `Execute programs for callers elsewhere, whose tools stay with them.

Callers speak the protocol of docs/server.md over a WebSocket, or send programs without
tools by HTTP. An address is unix:///path or tcp://host:port; --listen may be repeated.

Who may call: on a unix socket, by default, processes of the same user; beyond that by
tokens, users and certificates, as the file says. A TCP address without tokens or
certificates is refused, and so is one beyond this machine without TLS.

Every flag can also be given in the environment, as ISOGATE_ and its name in capitals
(ISOGATE_LISTEN, ISOGATE_LOG_LEVEL; several addresses are separated by commas), or in
the YAML file that --config names, with everything that has no flag. A flag prevails
over the environment, and that over the file. An unknown key in the file is an error.
OpenTelemetry's own variables, as OTEL_EXPORTER_OTLP_ENDPOINT, prevail over the file too.

SIGHUP reads the tokens and the certificates again. SIGTERM and Ctrl-C drain: what runs may end, nothing new
begins, and the exit status is 0 if that took no longer than --drain.`

const serveExamples = `  # for processes of this user
  mkdir -m 0700 /tmp/isogate && isogate serve --listen unix:///tmp/isogate/socket

  # for callers with tokens, over TLS
  isogate token agents --file tokens
  isogate serve --config isogate.yaml --listen tcp://0.0.0.0:8443`

// serveFlags are the flags of serve, which override what the file says.
type serveFlags struct {
	config, observe, tokens, traces     string
	listen                              []string
	certificate, key, authorities       string
	size                                int
	profile, logLevel, logFormat, drain string
	logContent                          bool
}

func newServeCommand(s streams) *cobra.Command { return newServeCommandWith(s, &serveFlags{}) }

// newServeCommandWith returns the command with its flags in f.
func newServeCommandWith(s streams, f *serveFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:     serveName,
		Short:   "Execute programs for callers elsewhere",
		Long:    serveHelp,
		Example: serveExamples,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.configuration(cmd.Flags(), os.LookupEnv)
			if err != nil {
				return err
			}
			logger, err := newLogger(c.Log, s)
			if err != nil {
				return err
			}
			reload := make(chan os.Signal, 1)
			signal.Notify(reload, syscall.SIGHUP)
			defer signal.Stop(reload)
			err = daemon.Run(cmd.Context(), c, daemon.Options{Version: buildVersion(), Logger: logger, Reload: reload})
			if err != nil {
				return &setupError{err}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "the YAML `FILE` with the configuration")
	flags.StringSliceVar(&f.listen, "listen", nil, "an `ADDRESS` to listen on, unix:///path or tcp://host:port; may be repeated")
	flags.StringVar(&f.observe, "observe", "", "a `HOST:PORT` at which anybody may read /healthz, /readyz and /metrics")
	flags.StringVar(&f.tokens, "tokens", "", "the `FILE` with the hashes of callers' tokens")
	flags.StringVar(&f.certificate, "tls-certificate", "", "the PEM `FILE` with the certificate for TCP addresses")
	flags.StringVar(&f.key, "tls-key", "", "the PEM `FILE` with its key")
	flags.StringVar(&f.authorities, "tls-authorities", "", "the PEM `FILE` with the authorities of clients' certificates")
	flags.IntVar(&f.size, "size", 0, "how `MANY` programs run at one moment (default the number of CPUs)")
	flags.StringVar(&f.profile, "profile", "", profileUsage)
	flags.StringVar(&f.drain, "drain", "", "how long what runs may take to end after SIGTERM, a `DURATION` (default 30s)")
	flags.StringVar(&f.traces, "traces", "", "the `URL` of an OpenTelemetry collector, as http://host:4318/v1/traces (default none)")
	flags.StringVar(&f.logLevel, "log-level", "", "`LEVEL` of the log on standard error: debug, info, warn, error (default info)")
	flags.StringVar(&f.logFormat, "log-format", "", "`FORMAT` of the log: text or json (default text)")
	flags.BoolVar(&f.logContent, "log-content", false, "let the log have texts of faults, which may quote programs, inputs and tools")
	return cmd
}

// environmentName returns the variable that stands for a flag.
func environmentName(flag string) string {
	return "ISOGATE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// configuration returns the configuration of the file, overridden by the
// environment, overridden by the flags.
func (f *serveFlags) configuration(flags *pflag.FlagSet, lookup func(string) (string, bool)) (daemon.Config, error) {
	// A variable sets the flag that was not given, so that both are read alike.
	var wrong error
	flags.VisitAll(func(flag *pflag.Flag) {
		value, set := lookup(environmentName(flag.Name))
		if !set || value == "" || flag.Changed || flag.Name == "help" || wrong != nil {
			return
		}
		if err := flags.Set(flag.Name, value); err != nil {
			wrong = fmt.Errorf("%s: %w", environmentName(flag.Name), err)
		}
	})
	if wrong != nil {
		return daemon.Config{}, wrong
	}
	var c daemon.Config
	if f.config != "" {
		var err error
		if c, err = daemon.ReadFile(f.config); err != nil {
			return c, err
		}
	}
	if err := c.Traces.ReadEnvironment(lookup); err != nil {
		return c, err
	}
	given := func(name string, set func()) {
		if flags.Changed(name) {
			set()
		}
	}
	given("listen", func() { c.Listen = f.listen })
	given("observe", func() { c.Observe = f.observe })
	given("tokens", func() { c.Tokens = f.tokens })
	given("tls-certificate", func() { c.TLS.Certificate = f.certificate })
	given("tls-key", func() { c.TLS.Key = f.key })
	given("tls-authorities", func() { c.TLS.Authorities = f.authorities })
	given("size", func() { c.Executor.Size = f.size })
	given("profile", func() { c.Executor.Profile = f.profile })
	given("traces", func() { c.Traces.Endpoint = f.traces })
	given("log-level", func() { c.Log.Level = f.logLevel })
	given("log-format", func() { c.Log.Format = f.logFormat })
	given("log-content", func() { c.Log.Content = f.logContent })
	if flags.Changed("drain") {
		d, err := time.ParseDuration(f.drain)
		if err != nil || d <= 0 {
			return c, fmt.Errorf("--drain %s: it is no duration; write one as 30s or 1m30s", f.drain)
		}
		c.Drain = d
	}
	if c.Executor.Profile != "" {
		return c, checkProfile(c.Executor.Profile)
	}
	return c, nil
}

// newLogger returns the daemon's log.
func newLogger(c daemon.Log, s streams) (*slog.Logger, error) {
	var level slog.Level
	if c.Level != "" {
		if err := level.UnmarshalText([]byte(c.Level)); err != nil {
			return nil, fmt.Errorf("the log's level %q: it is one of debug, info, warn, error", c.Level)
		}
	}
	options := &slog.HandlerOptions{Level: level}
	switch c.Format {
	case "", "text":
		return slog.New(slog.NewTextHandler(s.err, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(s.err, options)), nil
	}
	return nil, errors.New("the log's format is text or json")
}
