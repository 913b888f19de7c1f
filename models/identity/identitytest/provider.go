// Package identitytest starts identity providers for tests: a real one, by the certified library of Zitadel, and one
// that lies as it is told. Only tests import it.
package identitytest

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"

	"lectern/jobs"
	"lectern/models/identity"
)

// ClientID and Secret are what Lectern is registered with at the providers.
const (
	ClientID = "lectern"
	Secret   = "a secret of the client"
)

// Password is everybody's password at a provider.
const Password = "verysecure"

// Client returns a client for providers on this machine, which the guard would refuse.
func Client(now func() time.Time) *identity.Client {
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	return identity.New(jobs.NewGuarded(loopback, identity.Limit), jobs.IsBlocked, now)
}

// Account is somebody's account at a provider.
type Account struct {
	Email, Name string
	Unverified  bool
	Groups      []string
}

// Provider is a real provider.
type Provider struct {
	Issuer   string
	mu       sync.Mutex
	accounts map[string]Account // by name
}

// Start starts a provider that sends browsers back to redirect.
func Start(t testing.TB, redirect string) *Provider {
	t.Helper()
	p := &Provider{accounts: map[string]Account{}}
	server := httptest.NewUnstartedServer(nil)
	p.Issuer = "http://" + server.Listener.Addr().String()
	clients := map[string]*storage.Client{ClientID: storage.WebClient(ClientID, Secret, redirect)}
	server.Config.Handler = exampleop.SetupServer(p.Issuer,
		&people{storage.NewStorageWithClients(p, clients), p}, nil, false)
	server.Start()
	t.Cleanup(server.Close)
	return p
}

// Has creates or changes the account with this name.
func (p *Provider) Has(name string, a Account) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.accounts[name] = a
}

// GetUserByUsername returns an account in the library's form; its subject is its name.
func (p *Provider) GetUserByUsername(name string) *storage.User {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, known := p.accounts[name]
	if !known {
		return nil
	}
	first, last, _ := strings.Cut(a.Name, " ")
	return &storage.User{ID: name, Username: name, Password: Password, FirstName: first, LastName: last, Email: a.Email,
		EmailVerified: !a.Unverified}
}

// GetUserByID returns the same, as the subject is the name.
func (p *Provider) GetUserByID(id string) *storage.User { return p.GetUserByUsername(id) }

// ExampleClientID is required by the library.
func (p *Provider) ExampleClientID() string { return "nobody" }

// people adds somebody's groups to what the library answers.
type people struct {
	*storage.Storage
	of *Provider
}

// SetUserinfoFromToken answers userinfo.
func (s *people) SetUserinfoFromToken(ctx context.Context, info *oidc.UserInfo, token, subject, origin string) error {
	s.of.mu.Lock()
	groups := s.of.accounts[subject].Groups
	s.of.mu.Unlock()
	if len(groups) > 0 {
		info.AppendClaims("groups", groups)
	}
	return s.Storage.SetUserinfoFromToken(ctx, info, token, subject, origin)
}

var requestPattern = regexp.MustCompile(`name="id" value="([^"]+)"`)

// SignIn signs somebody in at the provider, as its page does, and returns the address that their browser is sent back
// to.
func (p *Provider) SignIn(t testing.TB, address, name string) string {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	back := ""
	browser := &http.Client{Jar: jar, Timeout: 20 * time.Second}
	browser.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if !strings.HasPrefix(r.URL.String(), p.Issuer) {
			back = r.URL.String()
			return http.ErrUseLastResponse
		}
		return nil
	}
	read := func(response *http.Response, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		page, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(page)
	}
	page := read(browser.Get(address))
	id := requestPattern.FindStringSubmatch(page)
	if id == nil {
		t.Fatalf("the provider shows no form:\n%s", page)
	}
	form := url.Values{"id": {id[1]}, "username": {name}, "password": {Password}}
	page = read(browser.PostForm(p.Issuer+"/login/username", form))
	if back == "" {
		t.Fatalf("the provider lets %s not in:\n%s", name, page)
	}
	return back
}
