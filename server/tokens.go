package server

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"

	"github.com/isogate/isogate/protocol"
)

// This file owns bearer tokens: the file that holds their hashes, and the
// comparison.
//
// A token is 32 random bytes, so a plain hash of it cannot be turned back by
// guessing, and needs no salt.

// Tokens lets in callers with a token whose hash is in a file. Each line of it is
//
//	TENANT sha256:HEX [anything for people]
//
// and lines that are empty or begin with # are skipped.
type Tokens struct {
	path    string
	tenants map[string]*Tenant
	table   atomic.Pointer[[]tokenHash]
}

// tokenHash is one line of the file.
type tokenHash struct {
	tenant *Tenant
	hash   [sha256.Size]byte
}

// maxTokenFile bounds the file, in bytes.
const maxTokenFile = 1 << 20

// OpenTokens reads a file of tokens. Every tenant that it names must be among
// tenants, by name.
func OpenTokens(path string, tenants map[string]*Tenant) (*Tokens, error) {
	t := &Tokens{path: path, tenants: tenants}
	if err := t.Reload(); err != nil {
		return nil, err
	}
	return t, nil
}

// Reload reads the file again. When that fails, the tokens that were valid stay
// so, and the error says what is wrong, with the line.
func (t *Tokens) Reload() error {
	file, err := os.Open(t.path)
	if err != nil {
		return fmt.Errorf("tokens: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("tokens: %w", err)
	}
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("tokens: %s is no regular file", t.path)
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("tokens: %s can be written by others than its owner (mode %04o): chmod go-w it", t.path, info.Mode().Perm())
	case info.Size() > maxTokenFile:
		return fmt.Errorf("tokens: %s has %d bytes, the limit is %d", t.path, info.Size(), maxTokenFile)
	}
	table, err := readTokens(io.LimitReader(file, maxTokenFile), t.tenants)
	if err != nil {
		return fmt.Errorf("tokens: %s: %w", t.path, err)
	}
	t.table.Store(&table)
	return nil
}

// readTokens reads the lines of a file.
func readTokens(r io.Reader, tenants map[string]*Tenant) ([]tokenHash, error) {
	table := []tokenHash{}
	seen := map[[sha256.Size]byte]int{}
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) < 2 {
			return nil, fmt.Errorf("line %d: write it as TENANT sha256:HEX", number)
		}
		tenant := tenants[fields[0]]
		if tenant == nil {
			return nil, fmt.Errorf("line %d: there is no tenant %.100q", number, fields[0])
		}
		digits, ok := strings.CutPrefix(fields[1], "sha256:")
		hash, err := hex.DecodeString(digits)
		if !ok || err != nil || len(hash) != sha256.Size {
			return nil, fmt.Errorf("line %d: what follows the tenant is no hash: write sha256: and 64 hexadecimal digits, never the token itself", number)
		}
		key := [sha256.Size]byte(hash)
		if first, again := seen[key]; again {
			return nil, fmt.Errorf("line %d: the token is that of line %d", number, first)
		}
		seen[key] = number
		table = append(table, tokenHash{tenant, key})
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return table, nil
}

// find returns the tenant of a token's hash, or nil. It looks at every line, so
// that the time it takes does not tell how much of a hash was right.
func (t *Tokens) find(hash [sha256.Size]byte) *Tenant {
	var found *Tenant
	for _, line := range *t.table.Load() {
		if subtle.ConstantTimeCompare(line.hash[:], hash[:]) == 1 {
			found = line.tenant
		}
	}
	return found
}

// Authenticate implements [Authenticator].
func (t *Tokens) Authenticate(r *http.Request) (*Identity, error) {
	token, err := bearer(r)
	if token == "" || err != nil {
		return nil, err
	}
	hash := sha256.Sum256([]byte(token))
	tenant := t.find(hash)
	if tenant == nil {
		return nil, &protocol.Unauthorized{Reason: "the token is not known"}
	}
	return &Identity{Tenant: tenant, How: "token", Valid: func() bool { return t.find(hash) == tenant }}, nil
}

// bearerProtocol is what precedes a token that is offered as a subprotocol.
const bearerProtocol = Subprotocol + ".bearer."

// bearer returns the token that a request has, "" when it has none.
func bearer(r *http.Request) (string, error) {
	if values := r.Header.Values("Authorization"); len(values) > 0 {
		scheme, token, _ := strings.Cut(values[0], " ")
		if len(values) > 1 || !strings.EqualFold(scheme, "Bearer") || token == "" {
			return "", &protocol.Unauthorized{Reason: "the header Authorization must be: Bearer TOKEN"}
		}
		return token, nil
	}
	for _, value := range r.Header.Values("Sec-WebSocket-Protocol") {
		for offered := range strings.SplitSeq(value, ",") {
			if token, ok := strings.CutPrefix(strings.TrimSpace(offered), bearerProtocol); ok && token != "" {
				return token, nil
			}
		}
	}
	return "", nil
}

// NewToken makes a token, and the line by which a file of tokens knows it.
func NewToken(tenant string) (token, line string, err error) {
	if strings.ContainsAny(tenant, " \t\r\n") || tenant == "" || strings.HasPrefix(tenant, "#") {
		return "", "", errors.New("a tenant's name has no white space and does not begin with #")
	}
	var secret [32]byte
	if _, err := rand.Read(secret[:]); err != nil {
		return "", "", err
	}
	token = "isogate_" + base64.RawURLEncoding.EncodeToString(secret[:])
	return token, fmt.Sprintf("%s sha256:%x", tenant, sha256.Sum256([]byte(token))), nil
}
