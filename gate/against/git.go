package against

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isogate/isogate/reports"
)

// This file owns what is asked of git.

// repository is the repository of a checkout.
type repository struct {
	// root is the folder of go.mod.
	root string
}

// git runs git in the module's root and returns what it prints, without the end of
// the last line. The error holds what git says.
func (r repository) git(ctx context.Context, args ...string) (string, error) {
	command := exec.CommandContext(ctx, "git", args...)
	command.Dir = r.root
	command.Env = withoutGit(os.Environ())
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if said := strings.TrimSpace(stderr.String()); said != "" {
			return "", fmt.Errorf("git %s: %s", args[0], said)
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimRight(stdout.String(), "\n"), nil
}

// withoutGit removes the variables by which git tells its hooks which repository they
// are in: they would be taken for the worktree's.
func withoutGit(environment []string) []string {
	return slices.DeleteFunc(environment, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX"}, name)
	})
}

// commit returns the commit that a reference names.
func (r repository) commit(ctx context.Context, reference string) (string, error) {
	if _, err := r.git(ctx, "rev-parse", "--git-dir"); err != nil {
		return "", fmt.Errorf("a reference is a commit, and %s is in no git repository: %w", r.root, err)
	}
	commit, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", reference+"^{commit}")
	if err == nil {
		return commit, nil
	}
	if ctx.Err() != nil {
		return "", err
	}
	// Quiet, git says nothing of why.
	said := fmt.Sprintf("the reference %q is no commit of this repository", reference)
	if shallow, err := r.git(ctx, "rev-parse", "--is-shallow-repository"); err == nil && shallow == "true" {
		said += ", which is a shallow clone: older commits must be fetched first (git fetch --unshallow)"
	}
	return "", errors.New(said)
}

// describe makes a build's facts those of the checkout, which may be newer than the
// binary that asks.
func (r repository) describe(ctx context.Context, b *reports.Build) error {
	revision, err := r.git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	changed, err := r.git(ctx, "status", "--porcelain")
	if err != nil {
		return err
	}
	b.Revision, b.Modified = revision, changed != ""
	return nil
}

// checkOut makes a worktree of the commit in a folder that does not exist, and returns
// the folder of go.mod in it.
func (r repository) checkOut(ctx context.Context, commit, folder string) (string, error) {
	// The module need not be at the top of its repository.
	prefix, err := r.git(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	if _, err := r.git(ctx, "worktree", "add", "--detach", "--quiet", "--force", folder, commit); err != nil {
		return "", err
	}
	root := filepath.Join(folder, filepath.FromSlash(prefix))
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		return "", fmt.Errorf("the reference has no module: %w", err)
	}
	return root, nil
}

// remove removes a worktree, whatever became of it.
func (r repository) remove(ctx context.Context, folder string) error {
	// What git removes it also forgets. It refuses what it does not know for a worktree
	// any more, such as one that was made in part.
	_, _ = r.git(ctx, "worktree", "remove", "--force", "--force", folder)
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	_, err := r.git(ctx, "worktree", "prune")
	return err
}
