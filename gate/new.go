package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isogate/isogate/threats"
)

// This file owns writing the first form of a claim or an attack.

// NewClaimOptions say what a new claim is. Empty fields are left to be filled in.
type NewClaimOptions struct {
	ID, Title string
	Boundary  threats.Boundary
	Severity  threats.Severity
	Owner     string // a file that enforces it, relative to the module's root
}

// NewAttackOptions say what a new attack is. Empty fields are left to be filled in.
type NewAttackOptions struct {
	Claim, Name   string
	Title, Source string
	TypeScript    bool
}

// NewClaim writes the skeleton of a claim into a folder of its own in the folder of
// claims, and returns the file's path. It is valid in form, says in comments what
// belongs where, and is marked as a draft, which the gate reports as incomplete. What
// is there already is never overwritten.
func NewClaim(folder string, o NewClaimOptions) (string, error) {
	if err := threats.CheckName(o.ID); err != nil {
		return "", fmt.Errorf("the claim's id: %w", err)
	}
	if o.Boundary == "" {
		o.Boundary = threats.BoundaryIsolate
	}
	if !slices.Contains(threats.Boundaries, o.Boundary) {
		return "", fmt.Errorf("there is no boundary %q; the boundaries are %s", o.Boundary, join(threats.Boundaries))
	}
	if o.Severity == "" {
		o.Severity = threats.SeverityHigh
	}
	if !slices.Contains(threats.Severities, o.Severity) {
		return "", fmt.Errorf("there is no severity %q; the severities are %s", o.Severity, join(threats.Severities))
	}
	if err := oneLineOnly("the title", o.Title); err != nil {
		return "", err
	}
	owners := "owners: []"
	if o.Owner != "" {
		if err := checkOwner(filepath.Join(folder, ".."), o.Owner); err != nil {
			return "", err
		}
		owners = "owners:\n  - " + o.Owner
	}
	text := strings.NewReplacer("ID", o.ID, "TITLE", quoted(o.Title, "What holds, in one line for people"), "BOUNDARY", string(o.Boundary),
		"SEVERITY", string(o.Severity), "OWNERS", owners).Replace(claimSkeleton)
	dir := filepath.Join(folder, o.ID)
	if err := os.Mkdir(dir, 0o755); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("%s is there already", dir)
		}
		return "", err
	}
	file := filepath.Join(dir, "claim.yaml")
	return file, writeNew(file, text)
}

// NewAttack writes the skeleton of an attack into the folder of its claim, and returns
// the file's path. It is valid in form and marked as a draft, see [NewClaim].
func NewAttack(folder string, o NewAttackOptions) (string, error) {
	for what, name := range map[string]string{"the claim's id": o.Claim, "the attack's name": o.Name} {
		if err := threats.CheckName(name); err != nil {
			return "", fmt.Errorf("%s: %w", what, err)
		}
	}
	for what, text := range map[string]string{"the title": o.Title, "the source": o.Source} {
		if err := oneLineOnly(what, text); err != nil {
			return "", err
		}
	}
	dir := filepath.Join(folder, o.Claim)
	if _, err := os.Stat(filepath.Join(dir, "claim.yaml")); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("there is no claim %q in %s; gate new claim %s writes one", o.Claim, folder, o.Claim)
		}
		return "", err
	}
	// The two languages share the attacks' names.
	for _, ext := range []string{".js", ".ts"} {
		if file := filepath.Join(dir, o.Name+ext); exists(file) {
			return "", fmt.Errorf("%s is there already", file)
		}
	}
	skeleton, ext := attackSkeleton, ".js"
	if o.TypeScript {
		skeleton, ext = strings.Replace(skeleton, "() => {", "(): string => {", 1), ".ts"
	}
	text := strings.NewReplacer("TITLE", quoted(o.Title, "what the program does, in a few words"), "SOURCE", quoted(o.Source, "own")).Replace(skeleton)
	file := filepath.Join(dir, o.Name+ext)
	return file, writeNew(file, text)
}

// writeNew writes a file that is not there yet.
func writeNew(file, text string) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already", file)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// checkOwner demands that the owner is a file of the source under root.
func checkOwner(root, owner string) error {
	if !fs.ValidPath(owner) {
		return fmt.Errorf("the owner %q must be the path of a file relative to the module's root", owner)
	}
	if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(owner))); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("the owner %s is no file of the source", owner)
	}
	return nil
}

func oneLineOnly(what, text string) error {
	if strings.ContainsAny(text, "\r\n") || strings.Contains(text, "---*/") {
		return fmt.Errorf("%s must be one line, without ---*/", what)
	}
	return nil
}

// quoted returns a text as a YAML scalar, or the other when it is empty.
func quoted(text, otherwise string) string {
	if text == "" {
		text = otherwise
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

func join[T ~string](names []T) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = string(name)
	}
	return strings.Join(texts, ", ")
}
