package against

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/isogate/isogate/reports"
)

// This file owns building both sides: the program that takes samples and the gate.

// The packages that are built, and the folder that holds the benchmarks.
const (
	samplerPackage = "./bench/sampler"
	gatePackage    = "./cmd/gate"
	benchFolder    = "bench"
)

// build builds a package of the module in root. Both sides are built by this, with
// the same flags, and nothing in the binary says where or from which commit.
func build(ctx context.Context, root, target, binary string) error {
	if err := linkHeaders(ctx, root); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
		return err
	}
	// A binary that is there is whole.
	unfinished := fmt.Sprintf("%s.%d.unfinished", binary, os.Getpid())
	out, err := goCommand(ctx, root, "build", "-trimpath", "-buildvcs=false", "-ldflags="+linkerFlags(), "-o", unfinished, target)
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", target, err, out)
	}
	return os.Rename(unfinished, binary)
}

// linkerFlags leaves out what debuggers read, and takes the gold linker where there is
// one: linking is most of the work. The symbol table stays, because instructions are
// counted by the names of functions.
func linkerFlags() string {
	flags := "-w"
	if _, err := exec.LookPath("ld.gold"); err == nil {
		flags += " -extldflags=-fuse-ld=gold"
	}
	return flags
}

// goCommand runs the go command in a module's root and returns what it prints.
func goCommand(ctx context.Context, root string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = root
	// A workspace around the checkout is not the reference's.
	command.Env = append(withoutGit(os.Environ()), "GOWORK=off")
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return strings.TrimSpace(out.String()), err
}

// linkHeaders puts V8's headers where package sandbox/v8 looks for them, as the
// Makefile does.
func linkHeaders(ctx context.Context, root string) error {
	link := filepath.Join(root, "sandbox", "v8", "include")
	if _, err := os.Stat(filepath.Dir(link)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Stat(filepath.Join(link, "v8.h")); err == nil {
		return nil
	}
	if out, err := goCommand(ctx, root, "mod", "download", "rogchap.com/v8go"); err != nil {
		return fmt.Errorf("V8's headers: %w\n%s", err, out)
	}
	module, err := goCommand(ctx, root, "list", "-m", "-f", "{{.Dir}}", "rogchap.com/v8go")
	if err != nil {
		return fmt.Errorf("V8's headers: %w\n%s", err, module)
	}
	if err := os.Remove(link); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Symlink(filepath.Join(module, "deps", "include"), link)
}

// reference is the built reference.
type reference struct {
	// folder keeps what was built.
	folder string
	// sampler and gate are binaries; gate is "" when claims are not compared.
	sampler, gate string
	harness       string
}

// harnessFile holds whose benchmarks a kept sampler has.
const harnessFile = "harness"

// buildReference builds the reference, or finds it built.
func (c *comparison) buildReference(ctx context.Context) (*reference, error) {
	digest, err := folderDigest(filepath.Join(c.Root, benchFolder))
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %s", c.commit, digest, runtime.Version(), linkerFlags()))
	folder := filepath.Join(c.workspace.folder, buildPrefix+c.commit[:12]+"-"+hex.EncodeToString(key[:6]))
	r := &reference{folder: folder, sampler: filepath.Join(folder, "sampler")}
	if !c.NoClaims {
		r.gate = filepath.Join(folder, "gate")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	if err := c.workspace.keep(folder); err != nil {
		return nil, err
	}
	harness, err := os.ReadFile(filepath.Join(folder, harnessFile))
	if err == nil && exists(r.sampler) && (r.gate == "" || exists(r.gate)) {
		r.harness = string(harness)
		return r, nil
	}
	tree, err := c.workspace.scratch(treePrefix)
	if err != nil {
		return nil, err
	}
	err = c.buildInTree(ctx, tree.path, r)
	if removeErr := c.workspace.discard(ctx, tree); err == nil && removeErr != nil {
		err = fmt.Errorf("removing the reference's worktree: %w", removeErr)
	}
	if err != nil {
		return nil, err
	}
	return r, os.WriteFile(filepath.Join(folder, harnessFile), []byte(r.harness), 0o644)
}

// buildInTree checks the reference out and builds it.
func (c *comparison) buildInTree(ctx context.Context, tree string, r *reference) error {
	root, err := c.workspace.repository.checkOut(ctx, c.commit, tree)
	if err != nil {
		return fmt.Errorf("checking out the reference %s: %w", c.Reference, err)
	}
	failed := func(err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("the reference %s does not build: %w", c.Reference, err)
	}
	if r.gate != "" {
		c.Progress.Note("building the gate of %s", c.Reference)
		if err := build(ctx, root, gatePackage, r.gate); err != nil {
			return failed(err)
		}
	}
	c.Progress.Note("building the sampler of %s", c.Reference)
	its, ours := filepath.Join(root, benchFolder), filepath.Join(c.Root, benchFolder)
	aside := filepath.Join(root, "_"+benchFolder)
	if exists(its) {
		if err := os.Rename(its, aside); err != nil {
			return err
		}
	}
	if err := os.CopyFS(its, os.DirFS(ours)); err != nil {
		return err
	}
	oursErr := build(ctx, root, samplerPackage, r.sampler)
	if oursErr == nil {
		r.harness = reports.HarnessOurs
		return nil
	}
	if ctx.Err() != nil || !exists(filepath.Join(aside, "sampler")) {
		return failed(fmt.Errorf("with the benchmarks of this state, because it has no sampler of its own: %w", oursErr))
	}
	c.Progress.Note("this state's benchmarks do not build against %s, its own measure it:\n%v", c.Reference, oursErr)
	if err := errors.Join(os.RemoveAll(its), os.Rename(aside, its)); err != nil {
		return err
	}
	if err := build(ctx, root, samplerPackage, r.sampler); err != nil {
		return failed(fmt.Errorf("with benchmarks of its own: %w\nand with those of this state: %w", err, oursErr))
	}
	r.harness = reports.HarnessIts
	return nil
}

// folderDigest returns a digest of the files in a folder, except tests.
func folderDigest(folder string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(text))
		sum.Write(text)
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// sameFile reports whether two files hold the same bytes.
func sameFile(a, b string) (bool, error) {
	var sums [2][]byte
	for i, name := range []string{a, b} {
		f, err := os.Open(name)
		if err != nil {
			return false, err
		}
		sum := sha256.New()
		_, err = io.Copy(sum, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return false, err
		}
		sums[i] = sum.Sum(nil)
	}
	return bytes.Equal(sums[0], sums[1]), nil
}
