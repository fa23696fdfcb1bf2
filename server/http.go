package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns what is answered over plain HTTP: the addresses, the programs
// without tools, and what can be asked about the server.

// Subprotocol is the WebSocket's subprotocol.
const Subprotocol = "isogate"

// Handler returns what answers requests; Serve uses it. One that is served
// otherwise must have this server's connections as its own for peer credentials
// to be found.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/connect", s.authorized(s.connect))
	mux.HandleFunc("POST /v1/execute", s.authorized(s.post))
	mux.HandleFunc("GET /v1/info", s.authorized(s.info))
	mux.HandleFunc("GET /metrics", s.authorized(func(w http.ResponseWriter, r *http.Request, who *Identity) {
		if !who.Tenant.Operator {
			http.Error(w, "the tenant "+who.Tenant.Name+" is no operator", http.StatusForbidden)
			return
		}
		s.writeMetrics(w)
	}))
	s.probes(mux)
	return mux
}

// Observer returns a handler for a listener of its own, that only operators
// reach: /healthz, /readyz and /metrics for anybody.
func (s *Server) Observer() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) { s.writeMetrics(w) })
	s.probes(mux)
	return mux
}

func (s *Server) probes(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		stats := s.config.Executor.Stats()
		switch {
		case s.Draining():
			http.Error(w, "draining", http.StatusServiceUnavailable)
		case stats.Ready+stats.Busy == 0:
			http.Error(w, "no child process works", http.StatusServiceUnavailable)
		default:
			io.WriteString(w, "ready\n")
		}
	})
}

// authorized lets only callers through who may use the server.
func (s *Server) authorized(next func(http.ResponseWriter, *http.Request, *Identity)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		who, refused := s.identify(r)
		if refused != nil {
			s.metrics.count(&s.metrics.unauthorized)
			s.config.Logger.Info("refused", "address", r.RemoteAddr, "reason", refused.Reason)
			w.Header().Set("WWW-Authenticate", `Bearer realm="isogate"`)
			s.refuse(w, refused)
			return
		}
		next(w, r, who)
	}
}

// refuse answers with a result that is nothing but a fault, and ends the
// connection: what is left of the request is not read.
func (s *Server) refuse(w http.ResponseWriter, fault protocol.Fault) {
	w.Header().Set("Connection", "close")
	s.answer(w, &protocol.Result{Fault: fault})
}

// answer writes a result and the status that goes with it.
func (s *Server) answer(w http.ResponseWriter, result *protocol.Result) {
	status, retry := statusOf(result.Fault)
	text, err := result.MarshalJSON()
	if err != nil {
		s.config.Logger.Error("a result cannot be written", "error", err)
		http.Error(w, "the result cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)+1))
	if retry > 0 {
		w.Header().Set("Retry-After", strconv.FormatInt((retry+999)/1000, 10))
	}
	// A caller that does not take its answer is not waited for.
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(s.config.FrameTimeout))
	w.WriteHeader(status)
	w.Write(append(text, '\n'))
	_ = control.Flush() // before the server may think that the request has been answered
}

// statusOf returns the status of a result, and after how many milliseconds to
// try again where the fault says so.
func statusOf(fault protocol.Fault) (status int, retryAfterMS int64) {
	switch f := fault.(type) {
	case *protocol.InvalidRequest, *protocol.UnsupportedVersion:
		return http.StatusBadRequest, 0
	case *protocol.Unauthorized:
		return http.StatusUnauthorized, 0
	case *protocol.QuotaExceeded:
		return http.StatusTooManyRequests, f.RetryAfterMS
	case *protocol.Overloaded:
		return http.StatusServiceUnavailable, f.RetryAfterMS
	case *protocol.Unavailable:
		return http.StatusServiceUnavailable, f.RetryAfterMS
	case *protocol.QueueDeadline, *protocol.Draining:
		return http.StatusServiceUnavailable, 0
	case *protocol.WorkerCrashed, *protocol.ProtocolViolation, *protocol.Disconnected:
		return http.StatusInternalServerError, 0
	}
	return http.StatusOK, 0
}

// post answers POST /v1/execute.
func (s *Server) post(w http.ResponseWriter, r *http.Request, who *Identity) {
	if !s.enter() {
		s.refuse(w, &protocol.Draining{})
		return
	}
	defer s.work.Done()
	request, fault := s.readRequest(w, r)
	if fault != nil {
		s.metrics.executed(who.Tenant.Name, fault, 0)
		s.refuse(w, fault)
		return
	}
	begun := time.Now()
	ctx, span := s.tracer.execution(callerTrace(r.Context(), r.Header), who, request, "", "")
	result := s.executePosted(ctx, request, who)
	s.metrics.executed(who.Tenant.Name, result.Fault, time.Since(begun))
	s.logExecution(ctx, who, request, result)
	span.end(result)
	s.answer(w, result)
}

// readRequest reads the body, within Config.MaxFrame and Config.FrameTimeout.
func (s *Server) readRequest(w http.ResponseWriter, r *http.Request) (*protocol.Request, protocol.Fault) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(s.config.FrameTimeout))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.config.MaxFrame))
	if err == nil {
		// The program may take longer; until then a caller that hangs up is noticed.
		_ = control.SetReadDeadline(time.Time{})
	}
	s.metrics.add(&s.metrics.received, int64(len(body)))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, &protocol.InvalidRequest{Field: "request", Reason: fmt.Sprintf("it is longer than the %d bytes that are taken", tooLarge.Limit)}
	case err != nil:
		return nil, &protocol.Disconnected{Reason: "the request did not arrive"}
	}
	request, err := protocol.DecodeRequest(body)
	switch {
	case err != nil:
		return nil, asFault(err)
	case len(request.Tools) > 0:
		return nil, &protocol.InvalidRequest{Field: "tools", Reason: "nobody could answer their calls here; programs with tools are sent over the WebSocket, GET /v1/connect"}
	case request.Parent != "":
		return nil, &protocol.InvalidRequest{Field: "parent", Reason: "no tool could have made this request; programs with tools are sent over the WebSocket, GET /v1/connect"}
	}
	return request, nil
}

// executePosted runs a request until its end, or its caller's, or the server's.
func (s *Server) executePosted(live context.Context, request *protocol.Request, who *Identity) *protocol.Result {
	limits, tenant, fault := who.Tenant.permit(request)
	if fault != nil {
		return &protocol.Result{Fault: fault}
	}
	account := s.account(who.Tenant)
	if fault := account.begin(false, time.Now()); fault != nil {
		return &protocol.Result{Fault: fault}
	}
	ctx, stop := joined(live, s.stop)
	defer stop()
	relayed := *request
	relayed.Limits, relayed.Tenant = limits, tenant
	result := s.config.Executor.Relay(ctx, &relayed, nil, nil)
	account.charge(result.Usage.CPUMS, time.Now())
	account.end(false)
	return result
}

// joined returns a context that ends with either of two, with the cause of the
// one that was first. stop must be called.
func joined(a, b context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(a)
	release := context.AfterFunc(b, func() { cancel(context.Cause(b)) })
	return ctx, func() {
		release()
		cancel(nil)
	}
}

// Info is what /v1/info tells.
type Info struct {
	Agent    string `json:"agent"`
	Protocol int    `json:"protocol"`
	Engine   string `json:"engine"`
	Platform string `json:"platform"`
	UptimeMS int64  `json:"uptimeMs"`
	MaxFrame int64  `json:"maxFrame"`
	Draining bool   `json:"draining"`
	// Tenant is the caller's, with the limits and the grants of its requests.
	Tenant   string           `json:"tenant"`
	Defaults protocol.Limits  `json:"defaults"`
	Max      protocol.Limits  `json:"max"`
	Grants   []protocol.Grant `json:"grants"`
	// Sealing names the measures that are in force in child processes.
	Sealing []string `json:"sealing"`
}

func (s *Server) info(w http.ResponseWriter, _ *http.Request, who *Identity) {
	stats := s.config.Executor.Stats()
	info := Info{
		Agent: s.agent(), Protocol: protocol.Version, Engine: stats.Engine, Platform: runtime.GOOS + "/" + runtime.GOARCH,
		UptimeMS: time.Since(s.started).Milliseconds(), MaxFrame: s.config.MaxFrame, Draining: s.Draining(),
		Tenant: who.Tenant.Name, Defaults: who.Tenant.Defaults, Max: who.Tenant.Max,
		Grants: append([]protocol.Grant{}, who.Tenant.Grants...), Sealing: []string{},
	}
	for _, m := range stats.Sealing {
		if m.InForce {
			info.Sealing = append(info.Sealing, m.Measure)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	// Writing fails when the caller has gone.
	_ = json.NewEncoder(w).Encode(info)
}
