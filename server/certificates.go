package server

import (
	"crypto/x509"
	"net/http"

	"github.com/isogate/isogate/protocol"
)

// This file owns callers that are known by their certificate (mutual TLS).

// Certificates lets in callers by a certificate that the listener's TLS
// configuration has verified, see [TLSFiles]: a name to its tenant. A name is one of the
// certificate's DNS names or URIs or, if it has neither, its common name.
type Certificates map[string]*Tenant

// Authenticate implements [Authenticator].
func (c Certificates) Authenticate(r *http.Request) (*Identity, error) {
	if r.TLS == nil || len(r.TLS.VerifiedChains) == 0 {
		return nil, nil
	}
	for _, name := range certificateNames(r.TLS.VerifiedChains[0][0]) {
		if tenant := c[name]; tenant != nil {
			return &Identity{Tenant: tenant, How: "certificate " + name}, nil
		}
	}
	return nil, &protocol.Unauthorized{Reason: "there is no rule for the names of the certificate"}
}

// CheckedBy returns an authenticator by the same names that also asks, for each
// request, whether the certificate's authority is still one of those in the files.
// So a connection is not let in by an authority that a reload took away.
func (c Certificates) CheckedBy(f *TLSFiles) Authenticator { return checkedCertificates{c, f} }

type checkedCertificates struct {
	rules Certificates
	files *TLSFiles
}

func (c checkedCertificates) Authenticate(r *http.Request) (*Identity, error) {
	who, err := c.rules.Authenticate(r)
	if who == nil || err != nil {
		return who, err
	}
	state := r.TLS
	who.Valid = func() bool { return c.files.accepts(state) }
	if !who.Valid() {
		return nil, &protocol.Unauthorized{Reason: "the certificate is not valid any more"}
	}
	return who, nil
}

// certificateNames returns the names that a certificate was issued for.
func certificateNames(c *x509.Certificate) []string {
	names := append([]string(nil), c.DNSNames...)
	for _, u := range c.URIs {
		names = append(names, u.String())
	}
	if len(names) == 0 && c.Subject.CommonName != "" {
		names = append(names, c.Subject.CommonName)
	}
	return names
}
