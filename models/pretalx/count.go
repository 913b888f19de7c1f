package pretalx

import (
	"context"
	"net/url"

	"lectern/models/fetch"
	"lectern/models/moving"
)

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
