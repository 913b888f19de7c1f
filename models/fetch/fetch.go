// Package fetch reads addresses of other systems: it waits as long as the other side asks for, retries interrupted
// requests, limits the size of answers, and says in a sentence why there is no answer.
package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"syscall"
	"time"
)

const (
	tries      = 5
	photoTries = 3
	maxWait    = time.Minute      // for one answer that asks to wait
	maxWaits   = 30 * time.Minute // in total
	firstWait  = time.Second      // after a fault; doubled each time
)

// Client reads from one system. It is for one goroutine, except for Photo.
type Client struct {
	HTTP *http.Client // restricts where it goes and follows no redirect
	// IsBlocked, unless nil, tells whether an HTTP error means that the address is in a refused network.
	IsBlocked func(error) bool
	Agent     string
	Wait      func(context.Context, time.Duration) error // nil means to sleep
	waited    time.Duration
}

// Ask is one request.
type Ask struct {
	What, Address string
	Limit         int64 // of the answer, in bytes
	Header        map[string]string
	// Words, unless nil, returns words for an error status of the other system; "" means the usual ones.
	Words func(status int) string
	tries int
}

// Fault says, in a sentence, why a system does not give what was asked for. A move that it ends can be resumed.
type Fault struct {
	What   string // what was asked for
	Status int    // 0 if there was no answer
	Reason string
	cause  error // for the log only, as it may name our servers
}

func (f *Fault) Error() string { return f.What + ": " + f.Reason }

// Get reads an address. It retries when the server asks to wait, fails, or breaks off; waiting for a rate limit does
// not count as a try.
func (c *Client) Get(ctx context.Context, ask Ask) ([]byte, error) {
	if ask.tries == 0 {
		ask.tries = tries
	}
	pause := firstWait
	for try := 1; ; {
		body, again, err := c.attempt(ctx, &ask)
		if err == nil || ctx.Err() != nil {
			return body, errors.Join(err, ctx.Err())
		}
		switch {
		case again < 0 || try >= ask.tries && again == 0:
			note(err)
			return nil, err
		case again == 0:
			again, pause, try = pause, 2*pause, try+1
		}
		if c.waited += again; c.waited > maxWaits {
			return nil, err
		}
		if err := c.wait(ctx, again); err != nil {
			return nil, err
		}
	}
}

// Photo is Get with fewer tries. Its waits are counted separately, so that several goroutines can fetch photos.
func (c *Client) Photo(ctx context.Context, address string, limit int64) ([]byte, error) {
	one := *c
	one.waited = 0
	return one.Get(ctx, Ask{What: "photo", Address: address, Limit: limit, tries: photoTries})
}

func (c *Client) wait(ctx context.Context, d time.Duration) error {
	if c.Wait != nil {
		return c.Wait(ctx, d)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// attempt makes one request. With an error it returns when to try again: 0 for soon, below 0 for never.
func (c *Client) attempt(ctx context.Context, ask *Ask) (body []byte, again time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, ask.Address, nil)
	if err != nil {
		return nil, -1, &Fault{What: ask.What, Reason: "its address is none"}
	}
	request.Header.Set("User-Agent", c.Agent)
	for name, value := range ask.Header {
		request.Header.Set(name, value)
	}
	host := request.URL.Host
	response, err := c.HTTP.Do(request)
	if err != nil {
		reason, again := c.unreached(host, err)
		return nil, again, &Fault{What: ask.What, Reason: reason, cause: withoutAddress(err)}
	}
	defer response.Body.Close()
	if reason, again := refused(host, ask, response); reason != "" {
		return nil, again, &Fault{What: ask.What, Status: response.StatusCode, Reason: reason}
	}
	body, err = io.ReadAll(io.LimitReader(response.Body, ask.Limit+1))
	switch {
	case err != nil:
		return nil, 0, &Fault{What: ask.What, Reason: "the connection to " + host + " broke off in the middle of an answer"}
	case int64(len(body)) > ask.Limit:
		return nil, -1, &Fault{What: ask.What, Reason: fmt.Sprintf("the answer is larger than %d MB", ask.Limit>>20)}
	}
	return body, 0, nil
}

// refused returns why a response is not acceptable, "" if it is, and when to try again.
func refused(host string, ask *Ask, r *http.Response) (reason string, again time.Duration) {
	if r.StatusCode == http.StatusOK {
		return "", 0
	}
	if r.StatusCode < 500 {
		again = -1
	}
	if ask.Words != nil {
		reason = ask.Words(r.StatusCode)
	}
	switch status := r.StatusCode; {
	case status == http.StatusTooManyRequests:
		return "there were more requests than " + host + " takes; try again later", retryAfter(r.Header.Get("Retry-After"))
	case reason != "":
	case status >= 500:
		reason = fmt.Sprintf("%s fails (status %d)", host, status)
	case status == http.StatusNotFound:
		reason = host + " knows nothing at this address"
	case status >= 300 && status < 400 && r.Header.Get("Location") != "":
		reason = "the address leads elsewhere, to " + r.Header.Get("Location") + ". Give that address"
	default:
		reason = fmt.Sprintf("%s refuses (status %d)", host, status)
	}
	return reason, again
}

// retryAfter returns how long to wait, at least a second and at most maxWait.
func retryAfter(header string) time.Duration {
	wait := 5 * firstWait
	if seconds, err := strconv.Atoi(header); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(header); err == nil {
		wait = time.Until(at)
	}
	return min(max(wait, firstWait), maxWait)
}

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
