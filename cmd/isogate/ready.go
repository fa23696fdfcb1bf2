package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// This file owns the command ready: what a container's health check runs, where there
// is no other program to ask with.

const readyHelp = `Ask a daemon whether it takes work: its /readyz, at the address that --observe gave
it, or through its unix socket. The exit status is 0 if it does. If it drains, has no
child process that works, or does not answer within five seconds, it is 4.`

// readyTimeout bounds how long a daemon may take to answer.
const readyTimeout = 5 * time.Second

func newReadyCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "ready ADDRESS",
		Short:   "Ask a daemon whether it takes work",
		Long:    readyHelp,
		Example: "  isogate ready http://127.0.0.1:9090\n  isogate ready unix:///run/isogate/socket",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			said, err := askReady(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), said)
			return err
		},
	}
}

// askReady returns what a daemon that takes work says, else why it does not.
func askReady(ctx context.Context, address string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	transport := &http.Transport{DisableKeepAlives: true}
	at := strings.TrimSuffix(address, "/")
	if path, ok := strings.CutPrefix(address, "unix://"); ok {
		at = "http://isogate"
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", path)
		}
	} else if !strings.HasPrefix(address, "http://") {
		return "", errors.New("the address is written as http://host:port or unix:///path")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at+"/readyz", nil)
	if err != nil {
		return "", err
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return "", &setupError{err}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	if err != nil {
		return "", &setupError{err}
	}
	said := strings.TrimSpace(string(body))
	if response.StatusCode != http.StatusOK {
		return "", &setupError{fmt.Errorf("%s: %s", response.Status, said)}
	}
	return said, nil
}
