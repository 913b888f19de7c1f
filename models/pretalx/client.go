// Package pretalx reads a conference from the REST API, version v1, of a pretalx server.
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

	"lectern/models/fetch"
	"lectern/models/moving"
)

const (
	maxPage  = 64 << 20 // bytes of one answer
	maxPhoto = 10 << 20 // bytes of a photo
)

// Client reads one event. It is for one goroutine, except for Photo.
type Client struct {
	fetch     *fetch.Client
	base      *url.URL // of the server
	event     string   // its slug there
	token     string
	locale    string            // preferred language of texts
	questions map[int]*question // by id
	slots     map[string][]slot // by submission
}

// Options are what a client needs besides the address.
type Options struct {
	Fetch *fetch.Client
	Token string
	Event string // the slug, if the address has none
}

// New returns a client for the event at an address: of the server, of the event's pages, of its organizers' pages or of
// the API. It returns an error for an invalid address, and where neither address nor options name the event.
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
	return &Client{fetch: o.Fetch, base: &url.URL{Scheme: u.Scheme, Host: u.Host}, event: o.Event,
		token: strings.TrimSpace(o.Token)}, nil
}

// path returns the API address of something of the event.
func (c *Client) path(of string, query url.Values) string {
	u := *c.base
	u.Path = "/api/events/" + c.event + "/" + of
	u.RawQuery = query.Encode()
	return u.String()
}

// one reads a single object.
func (c *Client) one(ctx context.Context, what, of string, into any) error {
	body, err := c.get(ctx, what, c.path(of, nil))
	if err != nil {
		return err
	}
	return c.decode(what, body, into)
}

// decode decodes JSON.
func (c *Client) decode(what string, body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
			return &fetch.Fault{What: what, Reason: c.base.Host +
				" answers with a web page in place of data. Is this the address of a pretalx?"}
		}
		return &fetch.Fault{What: what, Reason: c.base.Host +
			" answers with something that is no list of pretalx: " + err.Error()}
	}
	return nil
}

// mostPages is more than ten large conferences need; a server with more pages would answer for ever.
const mostPages = 2000

// each reads a list page by page. It asks the same server for the next page, whatever address the answer gives, so that
// nobody else gets the token.
func each[T any](ctx context.Context, c *Client, what, of string, query url.Values, take func([]T) error) error {
	if query == nil {
		query = url.Values{}
	}
	seen := map[string]bool{}
	for {
		if seen[query.Encode()] {
			return &fetch.Fault{What: what, Reason: "its pages go in a circle, so the list has no end"}
		}
		if len(seen) == mostPages {
			return &fetch.Fault{What: what, Reason: fmt.Sprintf("it has more than %d pages, as if it had no end", mostPages)}
		}
		seen[query.Encode()] = true
		body, err := c.get(ctx, what, c.path(of, query))
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
			return &fetch.Fault{What: what, Reason: c.base.Host + " answers with something that is no list of pretalx"}
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
			return &fetch.Fault{What: what, Reason: "the address of its next page is none"}
		}
		query = next.Query()
	}
}

// Photo returns the content of an address. It does not send the token.
func (c *Client) Photo(ctx context.Context, address string) ([]byte, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, moving.NotGiven("its address is none")
	}
	body, err := c.fetch.Photo(ctx, address, maxPhoto)
	var fault *fetch.Fault
	if errors.As(err, &fault) {
		return nil, moving.NotGiven(fault.Reason)
	}
	return body, err
}

// get reads an address of the API.
func (c *Client) get(ctx context.Context, what, address string) ([]byte, error) {
	return c.fetch.Get(ctx, fetch.Ask{What: what, Address: address, Limit: maxPage,
		Header: map[string]string{"Authorization": "Token " + c.token, "Pretalx-Version": "v1", "Accept": "application/json"},
		Words:  func(status int) string { return c.words(what, status) }})
}

// words returns what an error status means for a pretalx server.
func (c *Client) words(what string, status int) string {
	switch {
	case status >= 500 && what == "event": // pretalx answers this for an unknown event too
		return fmt.Sprintf("%s fails (status %d). Is the event called “%s” there?", c.base.Host, status, c.event)
	case status == http.StatusUnauthorized:
		return "the token is not known there, or is no longer valid"
	case status == http.StatusForbidden:
		return "the token may not read this. Give it the event “" + c.event + "” and all permissions to read, and use " +
			"that of somebody who may change submissions and see all reviews"
	case status == http.StatusNotFound:
		return "there is none in the event “" + c.event + "” that the token may see. Is the event called that there?"
	}
	return ""
}

// Count counts, with few requests, what there is, before anything moves.
func (c *Client) Count(ctx context.Context) (*moving.Count, error) {
	f, err := c.Frame(ctx)
	if err != nil {
		return nil, err
	}
	n := &moving.Count{Labels: len(f.Labels), Questions: len(f.Questions) - len(facts), Breaks: len(f.Breaks)}
	for _, of := range []struct {
		what string
		n    *int
	}{{"speakers", &n.People}, {"submissions", &n.Submissions}, {"reviews", &n.Reviews}} {
		if *of.n, err = c.count(ctx, of.what); isForbidden(err) && of.n == &n.Reviews {
			n.Reviews, err = -1, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return n, nil
}

// count returns how many rows a list has.
func (c *Client) count(ctx context.Context, what string) (int, error) {
	body, err := c.get(ctx, what, c.path(what+"/", url.Values{"page_size": {"1"}}))
	if err != nil {
		return 0, err
	}
	var page struct{ Count int }
	return page.Count, c.decode(what, body, &page)
}

// isForbidden reports whether an error means that the token may not read something.
func isForbidden(err error) bool {
	fault, is := err.(*fetch.Fault)
	return is && fault.Status == 403
}
