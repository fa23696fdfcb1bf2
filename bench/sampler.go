package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// This file owns the caller's side of a sampler: a process that takes samples.

const (
	// takeBound is how long an answer may take; the longest sample takes seconds.
	takeBound = 2 * time.Minute
	// closeBound is how long a sampler may take to end by itself.
	closeBound = 10 * time.Second
	// keptErrors is how many bytes are kept of what a sampler writes to its standard
	// error, the last ones.
	keptErrors = 4 << 10
)

// Unsupported says that this machine lacks what a figure needs, such as a program
// that counts. It is no failure, and must be shown.
type Unsupported struct{ Reason string }

func (u *Unsupported) Error() string { return "not supported here: " + u.Reason }

// Sampler is a process that takes samples on request, see [Serve]. Its methods may
// be called from any goroutine; requests wait for each other.
type Sampler struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	errors  *tail
	ended   chan struct{} // closed when the process has been waited for
	bound   time.Duration // of an answer

	mu      sync.Mutex
	answers chan received // one for each line, closed at the end of the stream
	failure error         // guarded by mu; why there will be no more answers
}

// received is one answer, or the reason why it cannot be read.
type received struct {
	answer answer
	err    error
}

// StartSampler starts a sampler: binary with args must call [Serve] on its standard
// streams. ctx bounds the sampler's life: when it is done the process is killed.
// The caller must call Close.
func StartSampler(ctx context.Context, binary string, args ...string) (*Sampler, error) {
	s := &Sampler{
		command: exec.CommandContext(ctx, binary, args...), errors: &tail{limit: keptErrors},
		ended: make(chan struct{}), answers: make(chan received), bound: takeBound,
	}
	// A group of its own, so that whatever the sampler starts is killed with it.
	inOwnGroup(s.command)
	s.command.Cancel = func() error { return killGroup(s.command) }
	s.command.Stderr = s.errors
	s.command.WaitDelay = closeBound
	var err error
	if s.stdin, err = s.command.StdinPipe(); err != nil {
		return nil, fmt.Errorf("sampler %s: %w", binary, err)
	}
	stdout, err := s.command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("sampler %s: %w", binary, err)
	}
	if err := s.command.Start(); err != nil {
		return nil, fmt.Errorf("sampler %s: %w", binary, err)
	}
	go s.read(stdout)
	return s, nil
}

// read passes on the answers, and waits for the process when they end.
func (s *Sampler) read(stdout io.Reader) {
	defer close(s.ended)
	lines := bufio.NewScanner(stdout)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	for lines.Scan() {
		var in received
		if err := json.Unmarshal(lines.Bytes(), &in.answer); err != nil {
			in.err = fmt.Errorf("its answer is not one: %.100q: %w", lines.Text(), err)
		}
		s.answers <- in
	}
	if err := lines.Err(); err != nil {
		s.answers <- received{err: fmt.Errorf("its answer cannot be read: %w", err)}
	}
	close(s.answers)
	_, _ = io.Copy(io.Discard, stdout) // so that it never waits to be read
	_ = s.command.Wait()               // how it ended is asked of its ProcessState
}

// List returns the benchmarks that the sampler knows, in the order of the units of
// their values.
func (s *Sampler) List(ctx context.Context) ([]Listed, error) {
	a, err := s.ask(ctx, request{List: true})
	if err != nil {
		return nil, err
	}
	if len(a.Benchmarks) == 0 {
		return nil, errors.New("sampler: it lists no benchmark")
	}
	return a.Benchmarks, nil
}

// Take takes one sample of a benchmark, made of so many operations, and returns its
// figures in the order of the benchmark's units. The error is an [*Unsupported]
// where the machine lacks what the figures need. A sampler that has ended, gives an
// answer that is none, or gives no answer within two minutes or until ctx is done,
// is killed and of no further use.
func (s *Sampler) Take(ctx context.Context, name string, iterations int) ([]float64, error) {
	a, err := s.ask(ctx, request{Take: name, Iterations: iterations})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(a.Values) == 0 {
		return nil, fmt.Errorf("%s: the sampler gave no value", name)
	}
	return a.Values, nil
}

// ask sends a request and returns its answer.
func (s *Sampler) ask(ctx context.Context, r request) (answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return answer{}, s.failure
	}
	a, err := s.exchange(ctx, r)
	if err != nil {
		// What comes later would be taken for the answer to another request.
		s.kill()
		s.failure = fmt.Errorf("sampler: %w%s", err, s.lastWords())
		return answer{}, s.failure
	}
	switch {
	case a.Unsupported != "":
		return answer{}, &Unsupported{a.Unsupported}
	case a.Error != "":
		return answer{}, errors.New(a.Error)
	}
	return a, nil
}

// exchange writes a request and waits for one line.
func (s *Sampler) exchange(ctx context.Context, r request) (answer, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return answer{}, err
	}
	if _, err := s.stdin.Write(append(line, '\n')); err != nil {
		s.drain()
		return answer{}, fmt.Errorf("it has ended (%v)", s.command.ProcessState)
	}
	bound := time.NewTimer(s.bound)
	defer bound.Stop()
	select {
	case in, open := <-s.answers:
		if !open {
			<-s.ended
			return answer{}, fmt.Errorf("it ended without an answer (%v)", s.command.ProcessState)
		}
		return in.answer, in.err
	case <-bound.C:
		return answer{}, fmt.Errorf("it gave no answer within %v and was killed", s.bound)
	case <-ctx.Done():
		return answer{}, fmt.Errorf("it gave no answer in time and was killed: %w", context.Cause(ctx))
	}
}

// kill kills the process, unless it has ended, and waits for it.
func (s *Sampler) kill() {
	select {
	case <-s.ended:
		return // its number may be another's by now
	default:
	}
	_ = killGroup(s.command) // which fails when it has just ended
	s.drain()
}

// drain reads until the process has been waited for.
func (s *Sampler) drain() {
	for range s.answers {
		// Nobody is left to be told.
	}
	<-s.ended
}

// lastWords returns what the process wrote to its standard error, for an error's
// text. The process must have ended.
func (s *Sampler) lastWords() string {
	if text := s.errors.String(); text != "" {
		return ": " + text
	}
	return ""
}

// Close ends the sampler and returns when its process is gone. One that does not
// end by itself is killed. The error says so, or how it ended if not well; after a
// failed request it is nil, because that has said it.
func (s *Sampler) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return nil
	}
	s.failure = errors.New("sampler: it was closed")
	_ = s.stdin.Close()
	bound := time.NewTimer(closeBound)
	defer bound.Stop()
	for open := true; open; {
		select {
		case _, open = <-s.answers:
		case <-bound.C:
			s.kill()
			return fmt.Errorf("sampler: it did not end within %v and was killed", closeBound)
		}
	}
	<-s.ended
	if state := s.command.ProcessState; state == nil || !state.Success() {
		return fmt.Errorf("sampler: it ended with %v%s", state, s.lastWords())
	}
	return nil
}

// tail keeps the end of what is written to it.
type tail struct {
	limit int
	mu    sync.Mutex
	kept  []byte // guarded by mu
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
