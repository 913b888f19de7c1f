// Package identity asks the identity providers of organizations who somebody is, by OpenID Connect. It does not know
// which users they are, nor what they may do here.
package identity

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const (
	// Limit is how long a request to a provider may take.
	Limit = 10 * time.Second
	// Skew is how far the clocks of a provider and of this server may differ.
	Skew = time.Minute
	// kept is how long a provider's description and keys are cached.
	kept = time.Hour
	// answerLimit is how many bytes are read of an answer.
	answerLimit = 1024 * 1024
)

// Client asks providers, and caches their descriptions.
type Client struct {
	http      *http.Client
	isBlocked func(error) bool
	now       func() time.Time
	mu        sync.Mutex
	known     map[string]*provider // by issuer
}

// New returns a client over a guarded HTTP client; isBlocked recognises the guard's refusals of private networks.
func New(asks *http.Client, isBlocked func(error) bool, now func() time.Time) *Client {
	bounded := *asks
	bounded.Transport = limited{asks.Transport}
	return &Client{http: &bounded, isBlocked: isBlocked, now: now, known: map[string]*provider{}}
}

// limited cuts answers off at answerLimit.
type limited struct{ http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	inner := l.RoundTripper
	if inner == nil {
		inner = http.DefaultTransport
	}
	response, err := inner.RoundTrip(r)
	if err == nil {
		response.Body = http.MaxBytesReader(nil, response.Body, answerLimit)
	}
	return response, err
}

// Registration is what an organization and a provider agreed on.
type Registration struct {
	Issuer, ClientID string
	Secret           string // "" for a client without a secret
	GroupsClaim      string // "" if groups are not asked for
}

// provider is a provider with its description, cached until until.
type provider struct {
	description
	*oidc.Provider
	until time.Time
}

// description is what is read of openid-configuration.
type description struct {
	oidc.ProviderConfig
	Scopes        []string `json:"scopes_supported"`
	SecretMethods []string `json:"token_endpoint_auth_methods_supported"`
	NamesItself   bool     `json:"authorization_response_iss_parameter_supported"`
}

// discovered returns the provider of an issuer, described within the last hour.
func (c *Client) discovered(ctx context.Context, issuer string) (*provider, error) {
	c.mu.Lock()
	p := c.known[issuer]
	c.mu.Unlock()
	if p != nil && c.now().Before(p.until) {
		return p, nil
	}
	return c.discover(ctx, issuer)
}

// discover asks a provider for its description, and caches it.
func (c *Client) discover(ctx context.Context, issuer string) (*provider, error) {
	p := &provider{}
	if err := c.read(ctx, descriptionOf(issuer), "its description", &p.description); err != nil {
		return nil, err
	}
	if err := p.description.check(issuer); err != nil {
		return nil, err
	}
	p.Provider = p.ProviderConfig.NewProvider(oidc.ClientContext(context.Background(), c.http))
	p.until = c.now().Add(kept)
	c.mu.Lock()
	defer c.mu.Unlock()
	for other, old := range c.known {
		if !c.now().Before(old.until) {
			delete(c.known, other)
		}
	}
	c.known[issuer] = p
	return p, nil
}

// Try asks a provider for its description and its keys, ignoring the cache. Its errors are Faults that say what is
// wrong.
func (c *Client) Try(ctx context.Context, issuer string) error {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	p, err := c.discover(ctx, issuer)
	if err != nil {
		return err
	}
	var keys struct {
		Keys []any `json:"keys"`
	}
	if err := c.read(ctx, p.JWKSURL, "its keys", &keys); err != nil {
		return err
	}
	if len(keys.Keys) == 0 {
		return fault("has no keys to sign with", nil)
	}
	return nil
}

// config returns the OAuth settings for a provider.
func (p *provider) config(r Registration, redirect string) *oauth2.Config {
	endpoint := p.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if r.Secret == "" || len(p.SecretMethods) > 0 && !slices.Contains(p.SecretMethods, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	scopes := []string{oidc.ScopeOpenID, "email", "profile"}
	if r.GroupsClaim != "" && slices.Contains(p.Scopes, "groups") {
		scopes = append(scopes, "groups")
	}
	return &oauth2.Config{ClientID: r.ClientID, ClientSecret: r.Secret, Endpoint: endpoint, RedirectURL: redirect,
		Scopes: scopes}
}
