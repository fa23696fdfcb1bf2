package gate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// This file owns which controls a change needs.
//
// A control is run when something changed, between the point where the branch left
// the given revision and the files as they are now, that may turn its outcome:
//
//   - the claim: a file of its folder, or one of its owners;
//   - what is mutated: a file that the control edits, or any file of a package that
//     the packages of those files depend on, their own included;
//   - how everything is tried: the gate and its attacks, the format of claims, the
//     executor that all attacks go through, the modules.
//
// Tests and documents turn nothing. What is left is a change of a package that uses
// the mutated one: the attacks go through it as well, and it could hide a removed
// protection. That is left to runs of all controls.

// sharedByAll are the folders and files whose change needs all controls.
var sharedByAll = []string{"gate", "cmd/gate", "executor", "threats", "go.mod", "go.sum"}

// change is the files that changed.
type change struct {
	since string
	files []string // paths in the module, sorted by git
	// dependencies are the folders of the module's packages that each one depends on,
	// its own included, by its folder; "." is the root.
	dependencies map[string][]string
}

// changedSince asks git and the go command what changed between the merge base with
// a revision and the files as they are, those that git does not know yet included.
func changedSince(ctx context.Context, root, since string) (*change, error) {
	c := &change{since: since}
	// A revision is never taken for an option.
	commit, err := output(ctx, root, "git", "rev-parse", "--verify", "--quiet", "--end-of-options", since+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("git knows no commit %q: %w", since, err)
	}
	base, err := output(ctx, root, "git", "merge-base", strings.TrimSpace(commit), "HEAD")
	if err != nil {
		return nil, fmt.Errorf("%q and the present commit have nothing in common: %w", since, err)
	}
	changed, err := output(ctx, root, "git", "diff", "--relative", "--name-only", "--no-renames", "-z", strings.TrimSpace(base))
	if err != nil {
		return nil, err
	}
	unknown, err := output(ctx, root, "git", "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	for _, file := range strings.Split(changed+unknown, "\x00") {
		if file != "" {
			c.files = append(c.files, file)
		}
	}
	c.dependencies, err = packageFolders(ctx, root)
	return c, err
}

// packageFolders returns the folders that each package of the module depends on.
func packageFolders(ctx context.Context, root string) (map[string][]string, error) {
	out, err := output(ctx, root, "go", "list", "-e", "-json=ImportPath,Dir,Deps", "./...")
	if err != nil {
		return nil, err
	}
	type listed struct {
		ImportPath, Dir string
		Deps            []string
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, err
	}
	folders := map[string]string{}
	var packages []listed
	decoder := json.NewDecoder(strings.NewReader(out))
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		dir, err := filepath.EvalSymlinks(p.Dir)
		if err != nil {
			return nil, err
		}
		folder, err := filepath.Rel(root, dir)
		if err != nil {
			return nil, err
		}
		folders[p.ImportPath] = filepath.ToSlash(folder)
		packages = append(packages, p)
	}
	dependencies := map[string][]string{}
	for _, p := range packages {
		folder := folders[p.ImportPath]
		dependencies[folder] = append(dependencies[folder], folder)
		for _, d := range p.Deps {
			if other, ok := folders[d]; ok {
				dependencies[folder] = append(dependencies[folder], other)
			}
		}
	}
	return dependencies, nil
}

// output runs a command in a folder and returns what it prints; the error has what it
// says of what is wrong.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return "", fmt.Errorf("%s %s: %w: %s", name, args[0], err, tail(string(exit.Stderr)))
	}
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, args[0], err)
	}
	return string(out), nil
}

// needed returns the controls that the change needs, and a line that says what is
// left out, if anything is.
func (c *change) needed(jobs []*controlJob) ([]*controlJob, []string) {
	var out []*controlJob
	for _, job := range jobs {
		if c.needs(job) {
			out = append(out, job)
		}
	}
	if len(out) == len(jobs) {
		return out, nil
	}
	return out, []string{fmt.Sprintf("%d of %d controls, which nothing that changed since %s concerns (%d changed files)", len(jobs)-len(out), len(jobs), c.since, len(c.files))}
}

// needs reports whether a changed file concerns a control.
func (c *change) needs(job *controlJob) bool {
	folder := path.Join("threats", job.claim.ID)
	owned := map[string]bool{}
	for _, o := range job.claim.Owners {
		owned[o.File] = true
	}
	packages := map[string]bool{}
	for _, e := range job.control.Edits {
		owned[e.File] = true
		for _, other := range c.dependencies[c.packageOf(e.File)] {
			packages[other] = true
		}
	}
	for _, file := range c.files {
		if owned[file] || within(file, folder) {
			return true
		}
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, ".md") {
			continue
		}
		if packages[c.packageOf(file)] || concernsAll(file) {
			return true
		}
	}
	return false
}

// concernsAll reports whether a file has a part in how every attack is tried. Of the
// threat model that is the code; claims concern their own controls.
func concernsAll(file string) bool {
	for _, name := range sharedByAll {
		if name == "threats" && path.Dir(file) != name {
			continue
		}
		if within(file, name) {
			return true
		}
	}
	return false
}

// within reports whether a file is the given one or lies in the given folder.
func within(file, folder string) bool {
	return file == folder || strings.HasPrefix(file, folder+"/")
}

// packageOf returns the folder of the package that a file is part of: the nearest one
// above it, as with files that a package embeds; "" is none.
func (c *change) packageOf(file string) string {
	for folder := path.Dir(file); ; folder = path.Dir(folder) {
		if c.dependencies[folder] != nil {
			return folder
		}
		if folder == "." || folder == "/" {
			return ""
		}
	}
}
