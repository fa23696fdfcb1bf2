package server

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

// This file owns what TLS is spoken, and that its files can be read again.

// TLSFiles is TLS as three PEM files say: the certificate and the key of a server
// and, if clients may show certificates, the authorities that may issue these, for
// [Certificates]. They are read when it is opened and by [TLSFiles.Reload]. Its
// methods may be called from any goroutine.
type TLSFiles struct {
	certificate, key, authorities string
	current                       atomic.Pointer[tls.Config]
}

// OpenTLSFiles reads the files; authorities may be "".
func OpenTLSFiles(certificate, key, authorities string) (*TLSFiles, error) {
	f := &TLSFiles{certificate: certificate, key: key, authorities: authorities}
	if err := f.Reload(); err != nil {
		return nil, err
	}
	return f, nil
}

// Reload reads the files again. Handshakes that begin from now on use what they say;
// connections stay, until [Server.Recheck] looks at them. If one cannot be used,
// nothing changes.
func (f *TLSFiles) Reload() error {
	config, err := readTLS(f.certificate, f.key, f.authorities)
	if err != nil {
		return fmt.Errorf("TLS: %w", err)
	}
	f.current.Store(config)
	return nil
}

// Config returns the configuration of a listener: TLS 1.3. A client may show a
// certificate where there are authorities; one that none of them has issued is
// refused by TLS itself. It stays true to the files as they were read last.
func (f *TLSFiles) Config() *tls.Config {
	config := f.current.Load().Clone()
	config.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) { return f.current.Load(), nil }
	return config
}

// Expires returns when the server's certificate does.
func (f *TLSFiles) Expires() time.Time { return f.current.Load().Certificates[0].Leaf.NotAfter }

// accepts reports whether the certificate that a client has shown would be accepted
// now.
func (f *TLSFiles) accepts(state *tls.ConnectionState) bool {
	if state == nil || len(state.PeerCertificates) == 0 {
		return false
	}
	between := x509.NewCertPool()
	for _, c := range state.PeerCertificates[1:] {
		between.AddCert(c)
	}
	authorities := f.current.Load().ClientCAs
	if authorities == nil {
		return false // Verify would take those of this machine
	}
	_, err := state.PeerCertificates[0].Verify(x509.VerifyOptions{
		Roots: authorities, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	return err == nil
}

// readTLS returns the configuration that the files say.
func readTLS(certificate, key, authorities string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}
	if pair.Leaf == nil {
		if pair.Leaf, err = x509.ParseCertificate(pair.Certificate[0]); err != nil {
			return nil, err
		}
	}
	config := &tls.Config{
		Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13, NextProtos: []string{"http/1.1"},
		// A resumed session would not be asked for its certificate again.
		SessionTicketsDisabled: true,
	}
	if authorities == "" {
		return config, nil
	}
	text, err := os.ReadFile(authorities)
	if err != nil {
		return nil, err
	}
	config.ClientCAs = x509.NewCertPool()
	if !config.ClientCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate", authorities)
	}
	config.ClientAuth = tls.VerifyClientCertIfGiven
	return config, nil
}
