package fetch

import (
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/url"
	"syscall"
	"time"
)

// unreached returns why there was no answer, and when to ask again; below 0 for never, where the address is at fault.
func (c *Client) unreached(host string, err error) (reason string, again time.Duration) {
	var (
		timeout     interface{ Timeout() bool }
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
	)
	switch {
	case c.IsBlocked != nil && c.IsBlocked(err):
		return host + " is in a private network, which is not asked unless LECTERN_WEBHOOK_ALLOW_NETS names it", -1
	case errors.As(err, &name) && name.IsNotFound:
		return "there is no server called " + host + ". Look whether the address is right", 0
	case errors.As(err, &name):
		return "the name " + host + " cannot be looked up at the moment; try again later", 0
	case errors.As(err, &timeout) && timeout.Timeout():
		return host + " did not answer in time", 0
	case errors.As(err, &certificate):
		return host + " has a certificate that this server does not trust", -1
	case errors.Is(err, syscall.ECONNREFUSED):
		return host + " cannot be reached: it takes no connections there", 0
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF):
		return host + " breaks the connection off", 0
	}
	return host + " cannot be reached", 0
}

// withoutAddress returns an HTTP error without the address, which may contain a secret.
func withoutAddress(err error) error {
	if asked, is := errors.AsType[*url.Error](err); is {
		return asked.Err
	}
	return err
}

// note logs why a request was given up, for whoever runs the server.
func note(err error) {
	if fault, is := errors.AsType[*Fault](err); is && fault.cause != nil {
		slog.Warn("another system is not reached", "what", fault.What, "error", fault.cause.Error())
	}
}
