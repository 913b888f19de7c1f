package pretalx

import (
	"context"
	"fmt"
	"net/http"

	"lectern/models/fetch"
)

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
