package identity

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2"

	"lectern/models/staff"
)

// Fault says why a provider could not tell who somebody is. Words continue a sentence that begins with its name, "did
// not answer in time", and contain no secret, so that a page may show them.
type Fault struct {
	Words string
	Cause error // nil if Words say everything
}

func (f *Fault) Error() string {
	if f.Cause == nil {
		return "the provider " + f.Words
	}
	return "the provider " + f.Words + ": " + f.Cause.Error()
}

func (f *Fault) Unwrap() error { return f.Cause }

func fault(words string, cause error) error { return &Fault{words, cause} }

func descriptionOf(issuer string) string {
	return strings.TrimSuffix(issuer, "/") + "/.well-known/openid-configuration"
}

// check compares a provider's description with the issuer that was asked.
func (d *description) check(issuer string) error {
	if d.IssuerURL != issuer {
		return fault(fmt.Sprintf("calls itself %.200q, not %.200q: the issuer must be entered exactly as it says",
			d.IssuerURL, issuer), nil)
	}
	for _, e := range []struct {
		name, address string
		optional      bool
	}{
		{"authorization_endpoint", d.AuthURL, false}, {"token_endpoint", d.TokenURL, false}, {"jwks_uri", d.JWKSURL, false},
		{"userinfo_endpoint", d.UserInfoURL, true},
	} {
		if e.optional && e.address == "" {
			continue
		}
		if u, err := url.Parse(e.address); err != nil || !staff.IsSafeAddress(u) {
			return fault("names no address with https:// as its "+e.name, nil)
		}
	}
	return nil
}

// read fetches JSON into into; what names it in error messages.
func (c *Client) read(ctx context.Context, address, what string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fault("has no address that can be asked", err)
	}
	request.Header.Set("Accept", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return c.unreached(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fault(fmt.Sprintf("answers %d where %s should be, at %.300s", response.StatusCode, what, address), nil)
	}
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		if c.isAway(err) {
			return c.unreached(err)
		}
		kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
		if kind == "text/html" {
			return fault(fmt.Sprintf("answers with a web page where %s should be, at %.300s", what, address), nil)
		}
		return fault(fmt.Sprintf("answers with something else than JSON where %s should be, at %.300s", what, address), err)
	}
	return nil
}

// isAway reports whether an error is a failure to reach the provider, not an answer of it.
func (c *Client) isAway(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// unreached returns the Fault of a request without an answer.
func (c *Client) unreached(err error) error {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var network net.Error
	switch {
	case c.isBlocked(err):
		return fault("is in a private network, which this server does not ask. Who runs the server can allow it by "+
			"LECTERN_WEBHOOK_ALLOW_NETS", err)
	case errors.As(err, &name):
		return fault("has an address that leads nowhere: there is no server of this name", err)
	case errors.As(err, &certificate), errors.As(err, &authority):
		return fault("has a certificate that this server does not trust", err)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return fault("did not answer in time", err)
	}
	return fault("cannot be reached", err)
}

// refused returns the Fault of a code for which no token was given.
func (c *Client) refused(err error) error {
	var no *oauth2.RetrieveError
	switch {
	case errors.As(err, &no) && (no.ErrorCode == "invalid_client" || no.ErrorCode == "unauthorized_client"):
		return fault("does not take our client id and secret", errors.New(no.ErrorCode))
	case errors.As(err, &no) && no.ErrorCode == "invalid_grant":
		return fault("says that this sign-in was used already or took too long", errors.New(no.ErrorCode))
	case errors.As(err, &no):
		// The body is not logged: some providers repeat in it what they were sent.
		return fault("gave no token", fmt.Errorf("status %d, error %.100q", no.Response.StatusCode, no.ErrorCode))
	case c.isBlocked(err), c.isAway(err):
		return c.unreached(err)
	}
	return fault("gave an answer that is no token", nil)
}
