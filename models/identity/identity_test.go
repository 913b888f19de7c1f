package identity_test

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"lectern/jobs"
	"lectern/models/identity"
	"lectern/models/identity/identitytest"
	"lectern/models/staff"
)

const back = "http://127.0.0.1/sign-in/back"

func registration(issuer string) identity.Registration {
	return identity.Registration{Issuer: issuer, ClientID: identitytest.ClientID, Secret: identitytest.Secret,
		GroupsClaim: "groups"}
}

// wantFault checks the words of a Fault, "" for none; what ends in … is only their beginning. Any other error fails the
// test.
func wantFault(t *testing.T, what string, err error, want string) {
	t.Helper()
	fault := &identity.Fault{}
	if err != nil && !errors.As(err, &fault) {
		t.Fatalf("%s: %v is no fault of a provider", what, err)
	}
	begin, goesOn := strings.CutSuffix(want, "…")
	if fault.Words != want && (!goesOn || err == nil || !strings.HasPrefix(fault.Words, begin)) {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
	if err != nil && strings.Contains(err.Error(), identitytest.Secret) {
		t.Errorf("%q tells the secret", err)
	}
}

func TestARealProviderSaysWhoSomebodyIs(t *testing.T) {
	t.Parallel()
	p := identitytest.Start(t, back)
	p.Has("ada", identitytest.Account{Email: "ada@example.org", Name: "Ada Byron", Groups: []string{"programme", "staff"}})
	client, flow := identitytest.Client(time.Now), identity.FlowOf("secret of the browser")
	wantFault(t, "at first", client.Try(t.Context(), p.Issuer), "")
	address, err := client.Address(t.Context(), registration(p.Issuer), back, flow)
	if err != nil {
		t.Fatal(err)
	}
	asked, _ := url.Parse(address)
	if q := asked.Query(); q.Get("code_challenge_method") != "S256" || q.Get("state") != flow.State ||
		strings.Contains(address, identitytest.Secret) {
		t.Errorf("the browser is sent to %s", address)
	}
	came, _ := url.Parse(p.SignIn(t, address, "ada"))
	if !flow.Is(came.Query().Get("state")) || identity.FlowOf("another").Is(came.Query().Get("state")) {
		t.Errorf("it came back by %s", came)
	}
	answer := identity.Answer{Code: came.Query().Get("code"), Issuer: came.Query().Get("iss")}
	_, err = client.Who(t.Context(), registration(p.Issuer), back, identity.FlowOf("another"), answer)
	wantFault(t, "a code that somebody else's browser began was taken", err, "…")
	address, _ = client.Address(t.Context(), registration(p.Issuer), back, flow)
	came, _ = url.Parse(p.SignIn(t, address, "ada"))
	answer.Code = came.Query().Get("code")
	who, err := client.Who(t.Context(), registration(p.Issuer), back, flow, answer)
	if err != nil || who.Subject != "ada" || who.Email != "ada@example.org" || !who.Verified || who.Name != "Ada Byron" ||
		!slices.Equal(who.Groups, []string{"programme", "staff"}) {
		t.Errorf("%+v, %v", who, err)
	}
	_, err = client.Who(t.Context(), registration(p.Issuer), back, flow, answer)
	wantFault(t, "a code was taken twice", err, "…")
	wrong := registration(p.Issuer)
	wrong.Secret = "another"
	address, _ = client.Address(t.Context(), wrong, back, flow)
	came, _ = url.Parse(p.SignIn(t, address, "ada"))
	answer.Code = came.Query().Get("code")
	_, err = client.Who(t.Context(), wrong, back, flow, answer)
	wantFault(t, "a wrong secret", err, "does not take our client id and secret")
}

// lies asks a lying provider who somebody is.
func lies(t *testing.T, now func() time.Time, lie func(*identitytest.Liar)) (*staff.Person, error) {
	t.Helper()
	return liesOf(t, now, "groups", lie)
}

// liesOf is lies for a provider whose groups are looked for in a claim.
func liesOf(t *testing.T, now func() time.Time, groups string, lie func(*identitytest.Liar)) (*staff.Person, error) {
	t.Helper()
	l, client, flow := identitytest.Lie(t), identitytest.Client(now), identity.FlowOf("secret")
	l.Nonce = flow.Nonce
	lie(l)
	r := registration(l.Issuer)
	r.GroupsClaim = groups
	return client.Who(t.Context(), r, back, flow, identity.Answer{Code: "1"})
}

func TestTokensThatAreNotGoodOpenNothing(t *testing.T) {
	t.Parallel()
	claim := func(name string, value any) func(*identitytest.Liar) {
		return func(l *identitytest.Liar) {
			l.Claims = func(claims map[string]any) { claims[name] = value }
		}
	}
	signed := func(sign func(*rsa.PrivateKey, []byte) string) func(*identitytest.Liar) {
		return func(l *identitytest.Liar) { l.Sign = sign }
	}
	ago := func(d time.Duration) int64 { return time.Now().Add(-d).Unix() }
	unsigned := func(_ *rsa.PrivateKey, payload []byte) string {
		encoded := base64.RawURLEncoding
		return encoded.EncodeToString([]byte(`{"alg":"none"}`)) + "." + encoded.EncodeToString(payload) + "."
	}
	const bad = "sent a token that is not good"
	for name, x := range map[string]struct {
		lie  func(*identitytest.Liar)
		want string
	}{
		"another issuer":      {claim("iss", "https://elsewhere.example.org"), bad},
		"another audience":    {claim("aud", "another"), bad},
		"no audience":         {claim("aud", nil), bad},
		"many audiences":      {claim("aud", []string{"lectern", "another"}), "sent a token that is for another client"},
		"another party":       {claim("azp", "another"), "sent a token that is for another client"},
		"another nonce":       {claim("nonce", "another"), "sent a token of another sign-in"},
		"no nonce":            {claim("nonce", nil), "sent a token of another sign-in"},
		"over":                {claim("exp", ago(identity.Skew+5*time.Second)), "sent a token that is over"},
		"without an end":      {claim("exp", nil), bad},
		"of the future":       {claim("iat", ago(-time.Hour)), "sent a token of the future"},
		"not yet":             {claim("nbf", ago(-time.Hour)), "sent a token of the future"},
		"of nobody":           {claim("sub", ""), "sent a token that names nobody"},
		"unsigned":            {signed(unsigned), bad},
		"signed by a secret":  {signed(hmacOf([]byte(identitytest.Secret + strings.Repeat("x", 32)))), bad},
		"signed by our key":   {signed(hmacOfKey), bad},
		"signed by another":   {signed(another), bad},
		"no token":            {signed(func(*rsa.PrivateKey, []byte) string { return "" }), bad},
		"a token that is cut": {signed(func(*rsa.PrivateKey, []byte) string { return "a.b" }), bad},
	} {
		who, err := lies(t, time.Now, x.lie)
		if wantFault(t, name, err, x.want+"…"); who != nil {
			t.Errorf("%s: %+v", name, who)
		}
	}
}

func hmacOf(secret []byte) func(*rsa.PrivateKey, []byte) string {
	return func(_ *rsa.PrivateKey, payload []byte) string {
		return identitytest.Signed(jose.HS256, secret, payload)
	}
}

// hmacOfKey signs with the public key as a shared secret.
func hmacOfKey(key *rsa.PrivateKey, payload []byte) string {
	public, _ := x509.MarshalPKIXPublicKey(key.Public())
	return identitytest.Signed(jose.HS256, public, payload)
}

func another(_ *rsa.PrivateKey, payload []byte) string {
	return identitytest.Signed(jose.RS256, identitytest.NewKey(), payload)
}

func TestClocksMayBeAMinuteApart(t *testing.T) {
	t.Parallel()
	for shift, want := range map[time.Duration]string{
		-50 * time.Second: "", -70 * time.Second: "sent a token of the future…", 5*time.Minute + 50*time.Second: "",
		5*time.Minute + 70*time.Second: "sent a token that is over…",
	} {
		now := func() time.Time { return time.Now().Add(shift) }
		_, err := lies(t, now, func(*identitytest.Liar) {})
		wantFault(t, "a clock that is ahead by "+shift.String(), err, want)
	}
}

func TestWhatIsWrongWithAProviderIsSaid(t *testing.T) {
	t.Parallel()
	answer := func(kind, text string, status int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			w.Write([]byte(text))
			return true
		}
	}
	for name, x := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request) bool
		want   string
	}{
		"a web page":    {answer("text/html; charset=utf-8", "<html>Sign in</html>", 200), "answers with a web page"},
		"nothing there": {answer("application/json", "{}", 404), "answers 404 where its description should be"},
		"a redirect":    {answer("application/json", "{}", 302), "answers 302 where its description should be"},
		"broken JSON":   {answer("application/json", "{", 200), "answers with something else than JSON"},
		"a long answer": {answer("application/json", `{"a":"`+strings.Repeat("x", 2<<20), 200),
			"answers with something else"},
		"another issuer": {answer("application/json", `{"issuer":"https://example.org"}`, 200),
			`calls itself "https://example.org"`},
		"cut off": {func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }, "cannot be reached"},
	} {
		l := identitytest.Lie(t)
		l.Answer = x.answer
		err := identitytest.Client(time.Now).Try(t.Context(), l.Issuer)
		wantFault(t, name, err, x.want+"…")
	}
}

func TestAddressesOfAProviderAreSafe(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"javascript:alert(1)", "http://example.org/auth", "", "/auth"} {
		l := identitytest.Lie(t)
		l.Answer = func(w http.ResponseWriter, r *http.Request) bool {
			d := l.Description()
			d["authorization_endpoint"] = address
			json.NewEncoder(w).Encode(d)
			return true
		}
		_, err := identitytest.Client(time.Now).Address(t.Context(), registration(l.Issuer), back, identity.FlowOf("1"))
		wantFault(t, address, err, "names no address with https:// as its authorization_endpoint")
	}
}

func TestAProviderThatIsAwayOrSlowKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	quick := identity.New(&http.Client{Timeout: 200 * time.Millisecond}, jobs.IsBlocked, time.Now)
	l := identitytest.Lie(t)
	l.Answer = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/.well-known/openid-configuration" {
			return false
		}
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done() // nobody waits any more
		return true
	}
	_, err := quick.Who(t.Context(), registration(l.Issuer), back, identity.FlowOf("1"), identity.Answer{Code: "1"})
	wantFault(t, "slow", err, "did not answer in time")
	wantFault(t, "away", identitytest.Client(time.Now).Try(t.Context(), "http://127.0.0.1:1"), "cannot be reached")
	guarded := identity.New(jobs.NewGuarded(nil, identity.Limit), jobs.IsBlocked, time.Now)
	wantFault(t, "guarded", guarded.Try(t.Context(), l.Issuer), "is in a private network…")
}

func TestADescriptionIsKeptForAnHour(t *testing.T) {
	t.Parallel()
	l, now := identitytest.Lie(t), time.Now()
	client := identitytest.Client(func() time.Time { return now })
	for _, x := range []struct {
		after time.Duration
		want  int
	}{{0, 1}, {59 * time.Minute, 1}, {2 * time.Minute, 2}} {
		now = now.Add(x.after)
		if _, err := client.Address(t.Context(), registration(l.Issuer), back, identity.FlowOf("1")); err != nil {
			t.Fatal(err)
		}
		if got := l.Asked["/.well-known/openid-configuration"]; got != x.want {
			t.Errorf("%s later it was asked %d times", x.after, got)
		}
	}
}

func TestAnswersOfAnotherProviderAreNotTaken(t *testing.T) {
	t.Parallel()
	l, client, flow := identitytest.Lie(t), identitytest.Client(time.Now), identity.FlowOf("1")
	l.Nonce = flow.Nonce
	for issuer, want := range map[string]string{l.Issuer: "", "": "",
		"https://elsewhere.example.org": "did not send this answer: it is another one's"} {
		_, err := client.Who(t.Context(), registration(l.Issuer), back, flow, identity.Answer{Code: "1", Issuer: issuer})
		wantFault(t, "an answer of "+issuer, err, want)
	}
}

func TestWhatATokenLeavesOutIsAskedFor(t *testing.T) {
	t.Parallel()
	small := func(info map[string]any) func(*identitytest.Liar) {
		return func(l *identitytest.Liar) {
			l.Claims = func(claims map[string]any) { delete(claims, "email"); delete(claims, "groups") }
			l.Info = info
		}
	}
	who, err := lies(t, time.Now, small(map[string]any{"sub": "ada", "email": "ada@example.org", "email_verified": "true",
		"groups": "staff"}))
	if err != nil || who.Email != "ada@example.org" || !who.Verified || !slices.Equal(who.Groups, []string{"staff"}) {
		t.Errorf("%+v, %v", who, err)
	}
	who, err = lies(t, time.Now, small(map[string]any{"sub": "ada", "email": "ada@example.org"}))
	if err != nil || who.Verified {
		t.Errorf("the token vouches for an address that it does not name: %+v, %v", who, err)
	}
	_, err = lies(t, time.Now, small(map[string]any{"sub": "eve", "email": "ada@example.org", "email_verified": true}))
	wantFault(t, "somebody else's", err, "says something of somebody else")
	who, err = lies(t, time.Now, func(l *identitytest.Liar) {
		l.Claims = func(claims map[string]any) {
			claims["email"] = "ada@elsewhere.org"
			delete(claims, "email_verified")
			delete(claims, "groups")
		}
		l.Info = map[string]any{"sub": "ada", "email": "ada@example.org", "email_verified": true}
	})
	if err != nil || who.Verified {
		t.Errorf("another address is vouched for: %+v, %v", who, err)
	}
	_, err = lies(t, time.Now, func(l *identitytest.Liar) {
		l.Claims = func(claims map[string]any) {
			delete(claims, "groups")
			claims["_claim_names"] = map[string]any{"groups": "src1"}
			claims["_claim_sources"] = map[string]any{"src1": map[string]any{"endpoint": "http://127.0.0.1:1"}}
		}
		l.Info = map[string]any{"sub": "ada"}
	})
	wantFault(t, "too many groups", err, "left the groups out…")
}

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
