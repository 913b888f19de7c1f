package identity_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/jobs"
	"lectern/models/identity"
	"lectern/models/identity/identitytest"
	"lectern/models/staff"
)

const (
	google = "https://accounts.google.com"
	entra  = "https://login.microsoftonline.com/8a1c/v2.0"
)

// instead has a liar answer the requests to an issuer.
type instead struct{ issuer, liar string }

func (i instead) RoundTrip(r *http.Request) (*http.Response, error) {
	address := strings.Replace(r.URL.String(), i.issuer, i.liar, 1)
	at, err := http.NewRequestWithContext(r.Context(), r.Method, address, r.Body)
	if err != nil {
		return nil, err
	}
	at.Header, at.ContentLength = r.Header, r.ContentLength
	return http.DefaultTransport.RoundTrip(at)
}

// liesAs asks a liar, in the place of an issuer or as itself, who somebody is whose token or user info has more or
// other claims.
func liesAs(t *testing.T, issuer string, says, more map[string]any) *staff.Person {
	t.Helper()
	l, flow := identitytest.Lie(t), identity.FlowOf("secret")
	l.Nonce, l.Info = flow.Nonce, more
	l.Claims = func(claims map[string]any) {
		delete(claims, "email_verified")
		delete(claims, "groups")
		for name, value := range says {
			claims[name] = value
		}
	}
	client := identitytest.Client(time.Now)
	if issuer != "" {
		client = identity.New(&http.Client{Transport: instead{issuer, l.Issuer}}, jobs.IsBlocked, time.Now)
		l.Issuer = issuer
	}
	who, err := client.Who(t.Context(), registration(l.Issuer), back, flow, identity.Answer{Code: "1"})
	if err != nil {
		t.Fatal(err)
	}
	return who
}

func TestAnAddressIsVouchedForByWhatNamesIt(t *testing.T) {
	t.Parallel()
	type said = map[string]any
	none := []string{}
	const ours, theirs = "ada@example.org", "ada@elsewhere.org"
	for name, x := range map[string]struct {
		issuer      string
		token, info said
		want        bool
	}{
		"Microsoft, its own":  {entra, said{"xms_edov": true}, said{}, true},
		"Microsoft, the same": {entra, said{}, said{"email": ours, "xms_edov": true}, true},
		"Microsoft, another":  {entra, said{"email": theirs}, said{"email": ours, "xms_edov": true}, false},
		"Microsoft, none":     {entra, said{"email": "", "xms_edov": true}, said{"email": ours}, false},
		"Google, its own":     {google, said{"hd": "example.org", "email_verified": true}, said{}, true},
		"Google, another":     {google, said{"email_verified": true}, said{"email": theirs, "hd": "example.org"}, false},
		"Google, none": {google, said{"email": "", "hd": "example.org"}, said{"email": ours, "email_verified": true},
			false},
		"Microsoft, asked for more":   {entra, said{"groups": none}, said{"email": ours, "xms_edov": true}, true},
		"another provider, asked":     {"", said{"groups": none}, said{"email": ours, "email_verified": true}, true},
		"another provider, not":       {"", said{"groups": none, "email_verified": false}, said{"email_verified": true}, false},
		"another provider, its own":   {"", said{"email_verified": true}, said{}, true},
		"another provider, another's": {"", said{"email": theirs}, said{"email": ours, "email_verified": true}, false},
	} {
		x.info["sub"] = "ada"
		if who := liesAs(t, x.issuer, x.token, x.info); who.Verified != x.want {
			t.Errorf("%s: %+v", name, who)
		}
	}
}

func TestAnAddressThatOnlyLooksLikeAnotherIsNotVouchedFor(t *testing.T) {
	t.Parallel()
	for email, want := range map[string]bool{"sam@example.org": true, "SAM@Example.org": true, "søren@example.org": true,
		"ſam@example.org": false, "\u212aim@example.org": false, "sam@\u212aim.example.org": false} {
		says, more := map[string]any{"email": email, "email_verified": true}, map[string]any{"sub": "ada"}
		if who := liesAs(t, "", says, more); who.Verified != want {
			t.Errorf("%q: %+v", email, who)
		}
	}
}

func TestGroupsWithinAClaimAreAskedForToo(t *testing.T) {
	t.Parallel()
	for name, within := range map[string]any{"an empty claim": map[string]any{}, "another claim": "none",
		"a claim without them": map[string]any{"verified": true}} {
		who, err := liesOf(t, time.Now, "realm_access.roles", func(l *identitytest.Liar) {
			l.Claims = func(claims map[string]any) { claims["realm_access"] = within }
			l.Info = map[string]any{"sub": "ada", "realm_access": map[string]any{"roles": []string{"staff"}}}
		})
		if err != nil || !slices.Equal(who.Groups, []string{"staff"}) {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
}
