package against

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/reports"
)

// This file owns the comparison of what is claimed.

// verifyStop bounds how long a gate may take to end when it is told to.
const verifyStop = 20 * time.Second

// compareClaims has both sides replay the attacks of their own threat models.
func (c *comparison) compareClaims(ctx context.Context, r *reference, newGate string) error {
	before, err := c.verifyReference(ctx, r)
	if err != nil {
		return fmt.Errorf("the claims of the reference %s cannot be checked: %w", c.Reference, err)
	}
	now := filepath.Join(c.run, "new", "record.json")
	if err := c.verify(ctx, newGate, now, "claims now"); err != nil {
		return fmt.Errorf("the claims of this state cannot be checked: %w", err)
	}
	record, err := reports.ReadFile(now)
	if err != nil {
		return fmt.Errorf("%w (was this gate built from another state of the source? build it anew)", err)
	}
	c.record.Verify, c.record.Claims, c.record.NonClaims = record.Verify, record.Claims, record.NonClaims
	claims := make([]claim, len(record.Claims))
	for i, one := range record.Claims {
		claims[i] = claim{one.ID, one.Title, one.Verdict, one.Reason}
	}
	c.against.Claims, c.against.Compared = compareClaims(before, claims)
	return nil
}

// verifyReference returns the claims of the reference. Its record is kept, and is
// used again on the same kernel with the same seed and selection.
func (c *comparison) verifyReference(ctx context.Context, r *reference) ([]claim, error) {
	selection := sha256.Sum256([]byte(c.Claims + "\n" + gate.HostFacts().Kernel))
	record := filepath.Join(r.folder, "record-"+hex.EncodeToString(selection[:6])+".json")
	if kept, err := readClaims(record); err == nil && (!c.Seeded || kept.Verify.Seed == c.Seed) {
		c.Seed = kept.Verify.Seed
		c.Progress.Note("the claims of %s were checked before, with the seed %d", c.Reference, c.Seed)
		return kept.Claims, nil
	}
	unfinished := filepath.Join(c.run, "reference.json")
	if err := c.verify(ctx, r.gate, unfinished, "claims before"); err != nil {
		return nil, err
	}
	read, err := readClaims(unfinished)
	if err != nil {
		return nil, err
	}
	return read.Claims, os.Rename(unfinished, record)
}

// verify has a gate replay attacks and write its record. That attacks fail is in the
// record; the error says that there is none.
func (c *comparison) verify(ctx context.Context, binary, record, phase string) error {
	args := []string{"verify", "--seed", strconv.FormatUint(c.Seed, 10), "--source-checks=false", "--json", record}
	if c.Claims != "" {
		args = append(args, "--run", c.Claims)
	}
	command := exec.CommandContext(ctx, binary, args...)
	command.Dir = c.run
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = verifyStop
	said, writer := io.Pipe()
	command.Stderr = writer
	tail := make(chan string)
	go func() { tail <- follow(said, phase, c.Progress) }()
	err := command.Run()
	writer.Close()
	words := <-tail
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	// 1 says that something is violated, which the record tells.
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return fmt.Errorf("gate %s: %w\n%s", strings.Join(args, " "), err, words)
	}
	if !exists(record) {
		return fmt.Errorf("gate %s left no record\n%s", strings.Join(args, " "), words)
	}
	return nil
}

// stepLine is a line of a gate's progress: the phase, and how many steps are done.
var stepLine = regexp.MustCompile(`^\S+ (\d+)/(\d+)\b`)

// keptLines is how many of the last lines are kept of what a gate says.
const keptLines = 20

// follow shows the progress that a gate writes as this one's, and returns the last
// lines that are no progress.
func follow(r io.Reader, phase string, p gate.Progress) string {
	counted, end := gate.Counted(p, phase)
	defer end()
	var last []string
	reader := bufio.NewReader(r)
	for {
		line, err := reader.ReadString('\n')
		if step := stepLine.FindStringSubmatch(line); step != nil {
			done, _ := strconv.Atoi(step[1]) // digits; one too long shows no progress
			of, _ := strconv.Atoi(step[2])
			counted(done, of)
		} else if line = strings.TrimRight(line, "\n"); line != "" {
			last = append(last, line)
			last = last[max(0, len(last)-keptLines):]
		}
		if err != nil {
			return strings.Join(last, "\n")
		}
	}
}

// claim is what is compared of a claim.
type claim struct {
	ID      string          `json:"id"`
	Title   string          `json:"title"`
	Verdict reports.Verdict `json:"verdict"`
	Reason  string          `json:"reason"`
}

// claimsRecord is what is read of a record whose form may be that of another version.
type claimsRecord struct {
	Verify struct {
		Seed uint64 `json:"seed"`
	} `json:"verify"`
	Claims []claim `json:"claims"`
}

// readClaims reads the claims of a record of any version. Whatever else is in it is
// passed over; a claim without its id or verdict is an error.
func readClaims(name string) (*claimsRecord, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parseClaims(text, name)
}

func parseClaims(text []byte, name string) (*claimsRecord, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	r := claimsRecord{}
	if err := decoder.Decode(&r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(r.Claims) == 0 {
		return nil, fmt.Errorf("%s: there is no claim in it", name)
	}
	for i, c := range r.Claims {
		if c.ID == "" || c.Verdict == "" {
			return nil, fmt.Errorf("%s: claim %d lacks its id or verdict", name, i+1)
		}
	}
	return &r, nil
}

// compareClaims returns the claims whose verdicts differ, those that were held and
// are not any more first, and how many were looked at on both sides. One of which
// nothing was tried is as good as not there.
func compareClaims(before, now []claim) (changes []reports.ClaimChange, compared int) {
	tried := func(claims []claim) map[string]claim {
		out := map[string]claim{}
		for _, c := range claims {
			if c.Verdict != reports.NotRun {
				out[c.ID] = c
			}
		}
		return out
	}
	was, is := tried(before), tried(now)
	for _, c := range now {
		n, ok := is[c.ID]
		if !ok {
			continue
		}
		o, existed := was[c.ID]
		if existed {
			compared++
		}
		if n.Verdict != o.Verdict {
			changes = append(changes, reports.ClaimChange{ID: n.ID, Title: n.Title, Old: o.Verdict, New: n.Verdict, Reason: n.Reason})
		}
	}
	for _, c := range before {
		o, existed := was[c.ID]
		if _, exists := is[c.ID]; existed && !exists {
			changes = append(changes, reports.ClaimChange{ID: o.ID, Title: o.Title, Old: o.Verdict, Reason: "no attack of it was tried on this state"})
		}
	}
	slices.SortStableFunc(changes, func(a, b reports.ClaimChange) int { return cmp.Compare(rank(a), rank(b)) })
	return changes, compared
}

// rank returns where among the changes one belongs.
func rank(c reports.ClaimChange) int {
	switch {
	case c.Old == reports.Held && c.New != "":
		return 0 // broken
	case c.Old == reports.Held:
		return 1 // gone
	case c.New == reports.Violated || c.New == reports.Vacuous:
		return 2
	case c.New == "":
		return 3
	case c.Old == "":
		return 4 // new
	}
	return 5
}
