package against

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// This file owns the folder that comparisons work in: worktrees, which are gone when a
// comparison has ended, and builds of references, which are kept.

// keptBuilds is how many builds of references are kept, the last ones.
const keptBuilds = 6

// The names in the folder.
const (
	treePrefix  = "tree-"
	lockSuffix  = ".lock"
	buildPrefix = "reference-"
	runPrefix   = "run-"
)

// workspace is the folder.
type workspace struct {
	folder     string
	repository repository
}

// openWorkspace makes the folder, and removes what comparisons left that were killed.
func openWorkspace(ctx context.Context, r repository, folder string) (*workspace, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	w := &workspace{folder, r}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	return w, w.prune(ctx)
}

// scratch is a folder of one comparison. While it lives its lock is held, which the
// system releases however the process ends.
type scratch struct {
	path string
	lock *os.File
}

// scratch makes the name of a folder that is this comparison's. The folder itself is
// not made, because git wants to make its own.
func (w *workspace) scratch(prefix string) (*scratch, error) {
	unlock, err := w.exclude()
	if err != nil {
		return nil, err
	}
	defer unlock()
	lock, err := os.CreateTemp(w.folder, prefix+"*"+lockSuffix)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", lock.Name(), err), lock.Close())
	}
	return &scratch{strings.TrimSuffix(lock.Name(), lockSuffix), lock}, nil
}

// exclude keeps other comparisons from looking at what is there until unlock is
// called: a new lock must not be seen before it is held.
func (w *workspace) exclude() (unlock func(), err error) {
	folder, err := os.Open(w.folder)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", w.folder, err), folder.Close())
	}
	return func() { folder.Close() }, nil
}

// discard removes a comparison's folder.
func (w *workspace) discard(ctx context.Context, s *scratch) error {
	// Also when the comparison was interrupted.
	ctx = context.WithoutCancel(ctx)
	var err error
	if strings.HasPrefix(filepath.Base(s.path), treePrefix) {
		err = w.repository.remove(ctx, s.path)
	} else {
		err = os.RemoveAll(s.path)
	}
	return errors.Join(err, os.Remove(s.lock.Name()), s.lock.Close())
}

// prune removes the folders of comparisons that do not live any more.
func (w *workspace) prune(ctx context.Context) error {
	unlock, err := w.exclude()
	if err != nil {
		return err
	}
	defer unlock()
	entries, err := os.ReadDir(w.folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := entry.Name()
		path := filepath.Join(w.folder, name)
		if !strings.HasPrefix(name, treePrefix) && !strings.HasPrefix(name, runPrefix) || strings.HasSuffix(name, lockSuffix) && exists(strings.TrimSuffix(path, lockSuffix)) {
			continue
		}
		// A lock without its folder is one whose comparison is about to make it, or dead.
		lockPath := strings.TrimSuffix(path, lockSuffix) + lockSuffix
		lock, err := os.OpenFile(lockPath, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			lock.Close() // it lives
			continue
		}
		if err := w.discard(ctx, &scratch{strings.TrimSuffix(lockPath, lockSuffix), lock}); err != nil {
			return fmt.Errorf("removing what a comparison left: %w", err)
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// keep marks a kept build as used now, and removes those that were not used for longest.
func (w *workspace) keep(used string) error {
	now := time.Now()
	if err := os.Chtimes(used, now, now); err != nil {
		return err
	}
	entries, err := os.ReadDir(w.folder)
	if err != nil {
		return err
	}
	type build struct {
		path string
		used time.Time
	}
	var builds []build
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && strings.HasPrefix(entry.Name(), buildPrefix) {
			builds = append(builds, build{filepath.Join(w.folder, entry.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(builds, func(a, b build) int { return b.used.Compare(a.used) })
	for _, old := range builds[min(keptBuilds, len(builds)):] {
		if err := os.RemoveAll(old.path); err != nil {
			return err
		}
	}
	return nil
}
