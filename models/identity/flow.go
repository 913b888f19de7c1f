package identity

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"lectern/models/signin"
	"lectern/models/staff"
)

// Flow ties a provider's answer to the browser that was sent there. All its values are derived from one secret, which
// only that browser has.
type Flow struct{ State, Nonce, verifier string }

// FlowOf derives the flow from a secret of 256 random bits.
func FlowOf(secret string) Flow {
	of := func(label string) string {
		sum := sha256.Sum256([]byte("lectern " + label + "\x00" + secret))
		return base64.RawURLEncoding.EncodeToString(sum[:])
	}
	return Flow{State: of("state"), Nonce: of("nonce"), verifier: of("verifier")}
}

// Is reports whether state is the flow's, in constant time.
func (f Flow) Is(state string) bool {
	return subtle.ConstantTimeCompare([]byte(f.State), []byte(state)) == 1
}

// Address returns the address at the provider to which a browser is sent to sign in. Its errors are Faults.
func (c *Client) Address(ctx context.Context, r Registration, redirect string, f Flow) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	p, err := c.discovered(ctx, r.Issuer)
	if err != nil {
		return "", err
	}
	return p.config(r, redirect).AuthCodeURL(f.State, oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.verifier)), nil
}

// Answer is what a browser brings back from a provider.
type Answer struct{ Code, Issuer string }

// Who returns the person that a provider's answer is about. Its errors are Faults.
func (c *Client) Who(ctx context.Context, r Registration, redirect string, f Flow, a Answer) (*staff.Person, error) {
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, c.http), 2*Limit)
	defer cancel()
	p, err := c.discovered(ctx, r.Issuer)
	if err != nil {
		return nil, err
	}
	// Refuse an answer that another provider sent here in place of this one (RFC 9207).
	if a.Issuer != "" && a.Issuer != r.Issuer || a.Issuer == "" && p.NamesItself {
		return nil, fault("did not send this answer: it is another one's", nil)
	}
	token, err := p.config(r, redirect).Exchange(ctx, a.Code, oauth2.VerifierOption(f.verifier))
	if err != nil {
		return nil, c.refused(err)
	}
	raw, _ := token.Extra("id_token").(string)
	claims, err := c.verified(ctx, p, r, f, raw)
	if err != nil {
		return nil, err
	}
	if err := c.complete(ctx, p, r, token, claims); err != nil {
		return nil, err
	}
	return claims.person(r)
}

// signatures are algorithms with a key pair: a signature by the client secret, or none, proves nothing.
var signatures = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512,
	oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA}

// verified returns the claims of an ID token, after checking that the provider signed it for us, for this flow, and
// now.
func (c *Client) verified(ctx context.Context, p *provider, r Registration, f Flow, raw string) (claims, error) {
	// The times are checked below, with a smaller tolerance than the library's.
	verifier := p.Verifier(&oidc.Config{ClientID: r.ClientID, SupportedSigningAlgs: signatures, SkipExpiryCheck: true})
	token, err := verifier.Verify(ctx, raw)
	if err != nil {
		if c.isAway(err) {
			return nil, c.unreached(err)
		}
		return nil, fault("sent a token that is not good", err)
	}
	var times struct {
		NotBefore float64 `json:"nbf"`
		Party     string  `json:"azp"`
	}
	all := claims{}
	if token.Claims(&times) != nil || token.Claims(&all) != nil {
		return nil, fault("sent a token that cannot be read", nil)
	}
	now := c.now()
	switch begins := time.Unix(int64(times.NotBefore), 0); {
	case subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(f.Nonce)) != 1:
		return nil, fault("sent a token of another sign-in", nil)
	case len(token.Audience) > 1 && times.Party != r.ClientID, times.Party != "" && times.Party != r.ClientID:
		return nil, fault("sent a token that is for another client", nil)
	case token.Expiry.IsZero() || now.After(token.Expiry.Add(Skew)):
		return nil, fault("sent a token that is over, or its clock is behind by more than a minute", nil)
	case now.Before(token.IssuedAt.Add(-Skew)), now.Before(begins.Add(-Skew)):
		return nil, fault("sent a token of the future: its clock is ahead by more than a minute", nil)
	case token.Subject == "" || len(token.Subject) > 255:
		return nil, fault("sent a token that names nobody", nil)
	}
	return all, nil
}

// complete asks the provider's userinfo for what the token leaves out: many providers keep tokens small.
func (c *Client) complete(ctx context.Context, p *provider, r Registration, token *oauth2.Token, all claims) error {
	_, hasGroups := all.find(r.GroupsClaim)
	_, vouches := all[voucher(r.Issuer)]
	if p.UserInfoURL == "" || all.text("email") != "" && vouches && (r.GroupsClaim == "" || hasGroups) {
		return nil
	}
	info, err := p.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		if c.isAway(err) {
			return c.unreached(err)
		}
		return fault("does not say more of who signed in", errors.New(signin.Clip(err.Error(), 40)))
	}
	more := claims{}
	if info.Claims(&more) != nil || more.text("sub") != all.text("sub") {
		return fault("says something of somebody else", nil)
	}
	all.add(more, r.GroupsClaim)
	return nil
}
