package threats

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"
)

// This file owns loading: from the copy embedded in the binary, or from any
// other file system.

//go:embed non-claims.yaml */claim.yaml */*.js */*.ts
var embedded embed.FS

const (
	claimFile     = "claim.yaml"
	nonClaimsFile = "non-claims.yaml"
)

// Load reads the threat model that is embedded in this binary.
func Load() (*Model, error) { return LoadFS(embedded, "threats") }

// LoadFS reads a threat model from a file system whose folders are claims, and
// which has a file of what is not claimed. The
// error joins every mistake, each an [Error]; dir is where the folders are, as
// positions in errors shall name them.
func LoadFS(fsys fs.FS, dir string) (*Model, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("threat model: %w", err)
	}
	m := new(Model)
	var errs []error
	for _, entry := range entries {
		if !entry.IsDir() {
			// Attacks belong into a claim's folder; the Go files of this package are here too.
			if ext := path.Ext(entry.Name()); ext != ".go" && entry.Name() != nonClaimsFile && !strings.HasPrefix(entry.Name(), ".") {
				errs = append(errs, &Error{Position{path.Join(dir, entry.Name()), 1, 1}, "neither a claim's folder nor " + nonClaimsFile})
			}
			continue
		}
		c, mistakes := loadClaim(fsys, dir, entry.Name())
		errs = append(errs, mistakes...)
		if c != nil {
			m.Claims = append(m.Claims, c)
		}
	}
	if len(m.Claims) == 0 && len(errs) == 0 {
		errs = append(errs, errors.New("threat model: there is no claim"))
	}
	switch text, err := fs.ReadFile(fsys, nonClaimsFile); {
	case err == nil:
		var mistakes []error
		m.NonClaims, mistakes = readNonClaims(path.Join(dir, nonClaimsFile), text)
		errs = append(errs, mistakes...)
	case !errors.Is(err, fs.ErrNotExist):
		errs = append(errs, err)
	}
	sort.Slice(m.Claims, func(i, j int) bool { return m.Claims[i].ID < m.Claims[j].ID })
	return m, errors.Join(errs...)
}

// loadClaim reads the folder of one claim.
func loadClaim(fsys fs.FS, dir, id string) (*Claim, []error) {
	entries, err := fs.ReadDir(fsys, id)
	if err != nil {
		return nil, []error{err}
	}
	text, err := fs.ReadFile(fsys, path.Join(id, claimFile))
	if err != nil {
		return nil, []error{&Error{Position{path.Join(dir, id, claimFile), 1, 1}, "the claim's file cannot be read: " + reason(err)}}
	}
	c, errs := readClaim(path.Join(dir, id, claimFile), id, text)
	for _, entry := range entries {
		file := path.Join(id, entry.Name())
		switch ext := path.Ext(file); {
		case entry.Name() == claimFile:
		case ext == ".js" || ext == ".ts":
			text, err := fs.ReadFile(fsys, file)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			a, mistakes := ReadAttack(path.Join(dir, file), id, text)
			errs = append(errs, mistakes...)
			c.Attacks = append(c.Attacks, a)
		default:
			errs = append(errs, &Error{Position{path.Join(dir, file), 1, 1}, "neither claim.yaml nor an attack (.js, .ts)"})
		}
	}
	return c, append(errs, crossCheck(c)...)
}

// reason returns what is wrong with a file without its path, which the position says.
func reason(err error) string {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err.Error()
	}
	return err.Error()
}

// crossCheck finds mistakes between the parts of one claim.
func crossCheck(c *Claim) []error {
	var errs []error
	names := map[string]bool{}
	for _, a := range c.Attacks {
		if names[a.Name] {
			errs = append(errs, &Error{a.At, fmt.Sprintf("a second attack named %q in the claim", a.Name)})
		}
		names[a.Name] = true
	}
	for _, n := range c.Native {
		if names[n.Name] {
			errs = append(errs, &Error{n.At, fmt.Sprintf("a second attack named %q in the claim", n.Name)})
		}
		names[n.Name] = true
	}
	for _, control := range c.Controls {
		for _, trip := range control.Trips {
			if !names[trip] {
				errs = append(errs, &Error{control.At, fmt.Sprintf("the control %q trips %q, which is no attack of the claim; the attacks are %s",
					control.Name, trip, strings.Join(c.AttackNames(), ", "))})
			}
		}
	}
	return errs
}
