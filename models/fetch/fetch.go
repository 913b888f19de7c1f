// Package fetch reads addresses of another system: it waits as long as the other side asks for, tries again what breaks
// off, takes no more than a limit, and says in a sentence why there is no answer.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	tries      = 5
	photoTries = 3
	maxWait    = time.Minute      // for one answer that says when to come again
	maxWaits   = 30 * time.Minute // in all
	firstWait  = time.Second      // after a fault; each further one is twice as long
)

// Client reads from one system. It is used by one goroutine, but for Photo.
type Client struct {
	HTTP *http.Client // which guards where it goes and follows no redirect
	// IsBlocked tells of an error of HTTP that the address is in a network that is refused; nil of none.
	IsBlocked func(error) bool
	Agent     string
	Wait      func(context.Context, time.Duration) error // nil sleeps
	waited    time.Duration
}

// Ask is what is asked for.
type Ask struct {
	What, Address string
	Limit         int64 // bytes of the answer
	Header        map[string]string
	// Words are those of the other system for an answer that is none; "" takes the usual ones. nil has none.
	Words func(status int) string
	tries int
}

// Fault is why a system does not give what was asked for, in a sentence. Nothing of a move is lost: it goes on where it
// ended when it is done again.
type Fault struct {
	What   string // that was asked for
	Status int    // 0 without an answer
	Reason string
	cause  error // for the log: it may tell of servers that are ours
}

func (f *Fault) Error() string { return f.What + ": " + f.Reason }

// Get reads an address. It waits and asks again where the server says so, fails, or breaks off; waits for a limit do
// not count as tries.
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

// Photo is Get with fewer tries, whose waits count apart, so that several photos are fetched at a time.
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

// attempt asks once. With an error it says when to ask again: 0 soon, below 0 never.
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

// refused is why an answer is none, "" for one that is, and when to ask again.
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

// retryAfter is how long to wait, at least a second and at most maxWait.
func retryAfter(header string) time.Duration {
	wait := 5 * firstWait
	if seconds, err := strconv.Atoi(header); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(header); err == nil {
		wait = time.Until(at)
	}
	return min(max(wait, firstWait), maxWait)
}
