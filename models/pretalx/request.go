package pretalx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

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
		return nil, 0, &Fault{What: what,
			Reason: "the connection to " + c.base.Host + " broke off in the middle of an answer"}
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
		return "there were more requests than " + c.base.Host + " takes; try again later",
			retryAfter(r.Header.Get("Retry-After"))
	case status >= 500 && what == "event": // as a pretalx also answers of one that it does not know
		return fmt.Sprintf("%s fails (status %d). Is the event called “%s” there?", c.base.Host, status, c.event), 0
	case status >= 500:
		return fmt.Sprintf("%s fails (status %d)", c.base.Host, status), 0
	case status == http.StatusUnauthorized:
		return "the token is not known there, or is no longer valid", -1
	case status == http.StatusForbidden:
		return "the token may not read this. Give it the event “" + c.event + "” and all permissions to read, and use " +
			"that of somebody who may change submissions and see all reviews", -1
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
