// Package pretalx reads a conference from the REST API of a pretalx, in its version v1.
package pretalx

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
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

// New is a client of the event behind an address: of the server, of the event's pages, of its organizers' pages or of
// the API. It answers an error for an address that is none, and where neither it nor the options say the event.
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

// Fault is why a pretalx does not give what was asked for, in a sentence. Nothing of the move is lost: it goes on
// where it ended when it is done again.
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
			return &Fault{What: what, Reason: c.base.Host +
				" answers with a web page in place of data. Is this the address of a pretalx?"}
		}
		return &Fault{What: what, Reason: c.base.Host + " answers with something that is no list of pretalx: " + err.Error()}
	}
	return nil
}

// each reads a list page by page. The next page is asked of the same server, whatever the answer calls it, so that
// nobody else gets the token.
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
