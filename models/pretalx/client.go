// Package pretalx reads a conference from the REST API of a pretalx, in its version v1.
package pretalx

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models/moving"
)

const (
	pageTries  = 5
	photoTries = 3
	maxPage    = 64 << 20         // bytes of one answer
	maxPhoto   = 10 << 20         // bytes of a photo
	maxWait    = time.Minute      // for one answer that says when to come again
	maxWaits   = 30 * time.Minute // in all
	firstWait  = time.Second      // after a fault; each further one is twice as long
)

// Client reads one event. It is used by one goroutine, but for Photo.
type Client struct {
	http   *http.Client
	base   *url.URL // of the server
	event  string   // its slug there
	token  string
	agent  string
	wait   func(context.Context, time.Duration) error
	waited time.Duration
	tries  int
	// isBlocked tells of an error of http that the address is in a network that is refused.
	isBlocked func(error) bool
	locale    string            // in which texts of several languages are read
	questions map[int]*question // by their ids
	slots     map[string][]slot // by submission
}

// Options are what a client needs beside the address.
type Options struct {
	HTTP      *http.Client // which guards where it goes and follows no redirect
	IsBlocked func(error) bool
	Token     string
	Event     string // the slug there, where the address has none
	Agent     string
}

// New is a client of the event behind an address: of the server, of the event's pages, of its organizers' pages or of the
// API. It answers an error for an address that is none, and where neither it nor the options say the event.
func New(address string, o Options) (*Client, error) {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return nil, fmt.Errorf("%q is no address of a pretalx, such as https://pretalx.com/democon", address)
	}
	path := strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' })
	for _, before := range [][]string{{"api", "events"}, {"orga", "event"}, {}} {
		if len(path) > len(before) && slices.Equal(path[:len(before)], before) {
			o.Event = path[len(before)]
			break
		}
	}
	if o.Event == "" || slices.Contains([]string{"api", "orga"}, o.Event) {
		return nil, errors.New("which event? Give its address, such as " + u.Scheme + "://" + u.Host + "/democon")
	}
	if strings.TrimSpace(o.Token) == "" {
		return nil, errors.New("a token is needed; pretalx makes one under “API Access” of your account")
	}
	return &Client{http: o.HTTP, base: &url.URL{Scheme: u.Scheme, Host: u.Host}, event: o.Event,
		token: strings.TrimSpace(o.Token), agent: o.Agent, isBlocked: o.IsBlocked, wait: sleep, tries: pageTries}, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Fault is why a pretalx does not give what was asked for, in a sentence. Nothing of the move is lost: it goes on where it
// ended when it is done again.
type Fault struct {
	What   string // that was asked for
	Status int    // 0 without an answer
	Reason string
}

func (f *Fault) Error() string { return f.What + ": " + f.Reason }

// path is the address of something of the event.
func (c *Client) path(of string, query url.Values) string {
	u := *c.base
	u.Path = "/api/events/" + c.event + "/" + of
	u.RawQuery = query.Encode()
	return u.String()
}

// one reads something that is no list.
func (c *Client) one(ctx context.Context, what, of string, into any) error {
	body, err := c.get(ctx, what, c.path(of, nil), maxPage, true)
	if err != nil {
		return err
	}
	return c.decode(what, body, into)
}

// decode reads JSON.
func (c *Client) decode(what string, body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
			return &Fault{What: what, Reason: c.base.Host + " answers with a web page in place of data. Is this the address of a pretalx?"}
		}
		return &Fault{What: what, Reason: c.base.Host + " answers with something that is no list of pretalx: " + err.Error()}
	}
	return nil
}

// each reads a list page by page. The next page is asked of the same server, whatever the answer calls it, so that nobody
// else gets the token.
func each[T any](ctx context.Context, c *Client, what, of string, query url.Values, take func([]T) error) error {
	if query == nil {
		query = url.Values{}
	}
	seen := map[string]bool{}
	for {
		if seen[query.Encode()] {
			return &Fault{What: what, Reason: "its pages go in a circle, so the list has no end"}
		}
		seen[query.Encode()] = true
		body, err := c.get(ctx, what, c.path(of, query), maxPage, true)
		if err != nil {
			return err
		}
		var page struct {
			Next    *string
			Results *[]T
		}
		if err := c.decode(what, body, &page); err != nil {
			return err
		}
		if page.Results == nil {
			return &Fault{What: what, Reason: c.base.Host + " answers with something that is no list of pretalx"}
		}
		if len(*page.Results) > 0 {
			if err := take(*page.Results); err != nil {
				return err
			}
		}
		if page.Next == nil || *page.Next == "" {
			return nil
		}
		next, err := url.Parse(*page.Next)
		if err != nil {
			return &Fault{What: what, Reason: "the address of its next page is none"}
		}
		query = next.Query()
	}
}

// get reads an address. It waits and asks again where the server says so, fails, or breaks off, as often as tries says;
// waits for a limit do not count.
func (c *Client) get(ctx context.Context, what, address string, limit int64, authorized bool) ([]byte, error) {
	pause := firstWait
	for try := 1; ; {
		body, again, err := c.attempt(ctx, what, address, limit, authorized)
		if err == nil || ctx.Err() != nil {
			return body, errors.Join(err, ctx.Err())
		}
		switch {
		case again < 0 || try >= c.tries && again == 0:
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

// attempt asks once. With an error it says when to ask again: 0 soon, below 0 never.
func (c *Client) attempt(ctx context.Context, what, address string, limit int64, authorized bool) (
	body []byte, again time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, -1, err
	}
	request.Header.Set("User-Agent", c.agent)
	if authorized {
		request.Header.Set("Authorization", "Token "+c.token)
		request.Header.Set("Pretalx-Version", "v1")
		request.Header.Set("Accept", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.afterFailing(err), &Fault{What: what, Reason: c.unreached(err)}
	}
	defer response.Body.Close()
	if reason, again := c.refused(what, response); reason != "" {
		return nil, again, &Fault{What: what, Status: response.StatusCode, Reason: reason}
	}
	body, err = io.ReadAll(io.LimitReader(response.Body, limit+1))
	switch {
	case err != nil:
		return nil, 0, &Fault{What: what, Reason: "the connection to " + c.base.Host + " broke off in the middle of an answer"}
	case int64(len(body)) > limit:
		return nil, -1, &Fault{What: what, Reason: fmt.Sprintf("the answer is larger than %d MB", limit>>20)}
	}
	return body, 0, nil
}

// afterFailing says when to ask again who did not answer: not where the address is at fault.
func (c *Client) afterFailing(err error) time.Duration {
	if c.isBlocked != nil && c.isBlocked(err) {
		return -1
	}
	return 0
}

// unreached is why there was no answer.
func (c *Client) unreached(err error) string {
	var timeout interface{ Timeout() bool }
	switch {
	case c.isBlocked != nil && c.isBlocked(err):
		return c.base.Host + " is in a private network, which is not asked unless LECTERN_WEBHOOK_ALLOW_NETS names it"
	case errors.As(err, &timeout) && timeout.Timeout():
		return c.base.Host + " did not answer in time"
	}
	return c.base.Host + " cannot be reached: " + err.Error()
}

// refused is why an answer is none, "" for one that is, and when to ask again.
func (c *Client) refused(what string, r *http.Response) (reason string, again time.Duration) {
	switch status := r.StatusCode; {
	case status == http.StatusOK:
		return "", 0
	case status == http.StatusTooManyRequests:
		return "there were more requests than " + c.base.Host + " takes; try again later", retryAfter(r.Header.Get("Retry-After"))
	case status >= 500 && what == "event": // as a pretalx also answers of one that it does not know
		return fmt.Sprintf("%s fails (status %d). Is the event called “%s” there?", c.base.Host, status, c.event), 0
	case status >= 500:
		return fmt.Sprintf("%s fails (status %d)", c.base.Host, status), 0
	case status == http.StatusUnauthorized:
		return "the token is not known there, or is no longer valid", -1
	case status == http.StatusForbidden:
		return "the token may not read this. Give it the event “" + c.event + "” and all permissions to read, and use that of somebody " +
			"who may change submissions and see all reviews", -1
	case status == http.StatusNotFound:
		return "there is none in the event “" + c.event + "” that the token may see. Is the event called that there?", -1
	case status >= 300 && status < 400:
		return "the address leads elsewhere, to " + r.Header.Get("Location") + ". Give that address", -1
	default:
		return fmt.Sprintf("%s refuses (status %d)", c.base.Host, status), -1
	}
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

// Photo is the file of an address. Only the pretalx itself is shown the token.
func (c *Client) Photo(ctx context.Context, address string) ([]byte, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, moving.NotGiven("its address is none")
	}
	one := *c // its waits count apart
	one.tries = photoTries
	body, err := one.get(ctx, "photo", address, maxPhoto, false)
	var fault *Fault
	if errors.As(err, &fault) {
		return nil, moving.NotGiven(fault.Reason)
	}
	return body, err
}
