package staff_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models/identity/identitytest"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

const redirect = "http://127.0.0.1" + visit.ProviderBackPath

// providerDesk opens the admin, in which an owner has added a provider by its form and turned it on.
func providerDesk(t *testing.T, issuer string, more url.Values) (*admintest.Desk, *admintest.Browser, string) {
	t.Helper()
	d := admintest.OpenOn(t, "sqlite", visit.Options{Providers: identitytest.Client(time.Now),
		Mail: admintest.Taken})
	owner := d.As(staff.Owner)
	const base = visit.SecurityPath + "/providers"
	admintest.Wants(t, owner.Get(base, 200), "No identity provider")
	admintest.Wants(t, owner.Get(base+"/new", 200), redirect)
	form := url.Values{"name": {"House"}, "issuer": {issuer}, "client_id": {identitytest.ClientID},
		"secret": {identitytest.Secret}, "domains": {"example.org"}, "groups_claim": {"groups"},
		"group": {"programme", "", "board"}, "may": {"organizer@" + d.Event.ID, "", "viewer"}}
	for name, values := range more {
		form[name] = values
	}
	location, _ := owner.Post(base+"/new", form, 303)
	admintest.Wants(t, owner.Get(location, 200), "House is added, and off.", "There is one. Leave it empty to keep it.")
	admintest.Lacks(t, owner.Text, identitytest.Secret)
	owner.Post(location+"/on", nil, 303)
	admintest.Wants(t, owner.Get(location, 200), "Its button stands on the sign-in page now.")
	return d, owner, strings.TrimPrefix(location, base+"/")
}

var onward = regexp.MustCompile(`^0; url=(.*)$`)

// setsOut starts a sign-in by a provider, and returns the provider's address.
func setsOut(b *admintest.Browser, provider string, form url.Values) string {
	b.T.Helper()
	admintest.Wants(b.T, b.Get("/sign-in", 200), "Sign in with House")
	return leaves(b, "/sign-in/with/"+provider, form)
}

func leaves(b *admintest.Browser, path string, form url.Values) string {
	b.T.Helper()
	res, page := b.Do(b.FormRequest(path, form), 200)
	to := onward.FindStringSubmatch(res.Header.Get("Refresh"))
	if to == nil {
		b.T.Fatalf("it leads nowhere:\n%s", admintest.Body(page))
	}
	admintest.Wants(b.T, page, "Go on to House")
	return to[1]
}

// path returns an address of ours without its host.
func path(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(address, redirect+"?") {
		t.Fatalf("the provider leads to %s", address)
	}
	return u.RequestURI()
}

func TestStaffSignInByARealProvider(t *testing.T) {
	t.Parallel()
	p := identitytest.Start(t, redirect)
	d, owner, id := providerDesk(t, p.Issuer, nil)
	owner.Post(visit.SecurityPath+"/providers/"+id+"/try", nil, 303)
	admintest.Wants(t, owner.Get(visit.SecurityPath+"/providers/"+id, 200), "House answers, and its keys are there.")
	p.Has("bob", identitytest.Account{Email: "bob@example.org", Name: "Bob Hope", Groups: []string{"programme"}})
	p.Has("cy", identitytest.Account{Email: "cy@example.org", Name: "Cy", Groups: []string{"others"}})

	bob := d.Browser()
	back := path(t, p.SignIn(t, setsOut(bob, id, url.Values{"next": {"/admin/account?a=b"}}), "bob"))
	modelstest.Want(t, "he is led to", bob.Leads(back), "/admin/account?a=b")
	admintest.Wants(t, bob.Get("/admin/account", 200), "Bob Hope", "Organizer at "+d.Event.Name, "Your groups there say",
		"Your identity provider asks for it")
	admintest.Lacks(t, bob.Get("/admin/account", 200), "Change your password", "Take off")

	// What was used opens nothing again, in no browser.
	bob.Cookies = map[string]string{}
	for _, b := range []*admintest.Browser{bob, d.Browser()} {
		admintest.Wants(t, b.Get(back, 422), "was not begun in this browser, was used already")
	}
	cy := d.Browser()
	back = path(t, p.SignIn(t, setsOut(cy, id, nil), "cy"))
	admintest.Wants(t, cy.Get(back, 422), "House knows you, but none of your groups is let in here. "+
		"Ask an owner to invite you.")

	// Out of the group, out of here.
	p.Has("bob", identitytest.Account{Email: "bob@example.org", Name: "Bob Hope"})
	back = path(t, p.SignIn(t, setsOut(bob, id, nil), "bob"))
	admintest.Wants(t, bob.Get(back, 422), "no longer has you in a group that is let in here")
	modelstest.Fine(t, d.KeepSeen(t.Context()))
	admintest.Wants(t, owner.Get(visit.SecurityPath, 200), "signed in with House", "Bob Hope", "joined",
		"added the identity provider", "came from House and was not let in")
}

func TestABrowserThatWasNotSentComesNotIn(t *testing.T) {
	t.Parallel()
	p := identitytest.Start(t, redirect)
	d, _, id := providerDesk(t, p.Issuer, nil)
	p.Has("eve", identitytest.Account{Email: "eve@example.org", Name: "Eve", Groups: []string{"board"}})
	eve, victim := d.Browser(), d.Browser()
	address := setsOut(eve, id, nil)
	back := path(t, p.SignIn(t, address, "eve"))
	// Eve sends her own way back to somebody who is on theirs.
	setsOut(victim, id, nil)
	admintest.Wants(t, victim.Get(back, 422), "was not begun in this browser")
	modelstest.Want(t, "the victim is signed in as Eve", victim.Cookies[visit.LoginCookie], "")
	modelstest.Want(t, "Eve's own way is lost by it", eve.Leads(back), "/admin")
	// A way that takes too long, and one that the provider refuses.
	late := d.Browser()
	back = path(t, p.SignIn(t, setsOut(late, id, nil), "eve"))
	d.Clock.Move(staff.ProviderVisitLifetime)
	admintest.Wants(t, late.Get(back, 422), "took longer than ten minutes")
	refused := d.Browser()
	state, _ := url.Parse(setsOut(refused, id, nil))
	back = visit.ProviderBackPath + "?error=access_denied&state=" + state.Query().Get("state")
	admintest.Wants(t, refused.Get(back, 422), "House did not let you in.")
	for _, next := range []string{"https://elsewhere.example", "//elsewhere.example", `/\elsewhere.example`,
		"javascript:1"} {
		b := d.Browser()
		back := path(t, p.SignIn(t, setsOut(b, id, url.Values{"next": {next}}), "eve"))
		modelstest.Want(t, next+" leads to", b.Leads(back), "/admin")
	}
}

func TestAProviderThatIsAwayLeavesTheOtherWaysIn(t *testing.T) {
	t.Parallel()
	l := identitytest.Lie(t)
	d, _, id := providerDesk(t, l.Issuer, nil)
	l.Answer = func(w http.ResponseWriter, r *http.Request) bool {
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	b := d.Browser()
	admintest.Wants(t, b.On("/sign-in").Answer("/sign-in/with/"+id, url.Values{}, 422), "House", "503", `name="password"`)
}

// arrives goes to a provider that says what the test wants, and returns the address that it sends the browser back to.
func arrives(b *admintest.Browser, provider string, l *identitytest.Liar) string {
	b.T.Helper()
	address := setsOut(b, provider, nil)
	l.Nonce = identitytest.NonceOf(address)
	u, _ := url.Parse(address)
	return visit.ProviderBackPath + "?code=1&state=" + u.Query().Get("state")
}

func TestAProviderThatFailsIsSaidToFail(t *testing.T) {
	t.Parallel()
	l := identitytest.Lie(t)
	d, owner, id := providerDesk(t, l.Issuer, nil)
	b := d.Browser()
	l.Claims = groups("board")
	modelstest.Want(t, "the right answer leads to", b.Leads(arrives(b, id, l)), "/admin")
	delete(b.Cookies, visit.LoginCookie)
	for want, claim := range map[string][2]any{
		"sent a token that is not good":       {"aud", "another"},
		"sent a token of another sign-in":     {"nonce", "another"},
		"sent a token that is over":           {"exp", 1000},
		"does not vouch for your e-mail":      {"sub", "somebody else"},
		"may not bring in people with an add": {"email", "x@example.com"},
	} {
		l.Claims = func(claims map[string]any) {
			groups("board")(claims)
			if claims[claim[0].(string)] = claim[1]; claim[0] == "sub" {
				claims["email_verified"] = false
			}
			if claim[0] == "email" {
				claims["sub"] = "a third"
			}
		}
		admintest.Wants(t, b.Get(arrives(b, id, l), 422), want)
	}
	way := arrives(b, id, l)
	l.Answer = func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<html>We are away</html>"))
		return true
	}
	admintest.Wants(t, b.Get(way, 422), "House gave an answer that is no token.")
	owner.Post(visit.SecurityPath+"/providers/"+id+"/try", nil, 303)
	admintest.Wants(t, owner.Get(visit.SecurityPath+"/providers/"+id, 200),
		"House answers with a web page where its description should be")
	modelstest.Want(t, "somebody is signed in", b.Cookies[visit.LoginCookie], "")
}

func groups(names ...string) func(map[string]any) {
	return func(claims map[string]any) { claims["groups"] = names }
}

func TestPasswordsGoAndAnInvitationLeadsToTheProvider(t *testing.T) {
	t.Parallel()
	p := identitytest.Start(t, redirect)
	d, owner, id := providerDesk(t, p.Issuer, url.Values{"domains": {""}, "group": {""}})
	p.Has("ada", identitytest.Account{Email: "ada@elsewhere.example", Unverified: true})
	p.Has("cy", identitytest.Account{Email: "cy@elsewhere.example", Name: "Cy Twombly"})
	passwords := visit.SecurityPath + "/providers/passwords"
	owner.Post(passwords, url.Values{"passwords": {"off"}}, 303)
	admintest.Wants(t, owner.Get(visit.SecurityPath+"/providers", 200), "Sign in by one of the providers yourself first")

	admintest.Wants(t, owner.Get("/admin/account", 200), "Link an account at", "House")
	_, page := owner.Post("/admin/account/link", url.Values{"provider": {id}, "link_password": {"wrong"}}, 422)
	admintest.Wants(t, page, "is not your password")
	address := leaves(owner, "/admin/account/link", url.Values{"provider": {id}, "link_password": {admintest.Password}})
	modelstest.Want(t, "linking leads to", owner.Leads(path(t, p.SignIn(t, address, "ada"))), "/admin/account")
	admintest.Wants(t, owner.Get("/admin/account", 200), "You can sign in with House from now on.",
		"ada@elsewhere.example")
	// Another browser, or somebody else in this one, cannot end what she began.
	address = leaves(owner, "/admin/account/link", url.Values{"provider": {id}, "link_password": {admintest.Password}})
	login := owner.Cookies[visit.LoginCookie]
	delete(owner.Cookies, visit.LoginCookie)
	admintest.Wants(t, owner.Get(path(t, p.SignIn(t, address, "cy")), 422), "was not begun in this browser")
	owner.Cookies[visit.LoginCookie] = login

	owner.On(visit.SecurityPath+"/providers").Post(passwords, url.Values{"passwords": {"off"}}, 303)
	admintest.Wants(t, owner.Get(visit.SecurityPath+"/providers", 200),
		"Staff sign in by the identity providers alone now.")
	b := d.Browser()
	admintest.Wants(t, b.Get("/sign-in", 200), "Sign in with House")
	admintest.Lacks(t, b.Text, `type="password"`, "I forgot my password")
	b.Leads("/reset")
	admintest.Wants(t, b.Get("/sign-in", 200), "There are no passwords here")

	owner.Get("/admin/staff/invite", 200)
	_, page = owner.Post("/admin/staff/invite", url.Values{"email": {"cy@example.org"}, "role": {"viewer"},
		"copy": {"yes"}}, 200)
	link := regexp.MustCompile(`/invitations/[\w-]+`).FindString(page)
	admintest.Wants(t, b.Get(link, 200), "Join with House", "The invitation was sent to cy@example.org.")
	admintest.Lacks(t, b.Text, `type="password"`)
	form := url.Values{"invitation": {strings.TrimPrefix(link, "/invitations/")}}
	modelstest.Want(t, "joining leads to", b.Leads(path(t, p.SignIn(t, leaves(b, "/sign-in/with/"+id, form), "cy"))),
		"/admin")
	admintest.Wants(t, b.Get("/admin/account", 200), "Cy Twombly", "Viewer at every event")
}

func TestWhoIsLinkedIsToldByMail(t *testing.T) {
	t.Parallel()
	l := identitytest.Lie(t)
	d, _, id := providerDesk(t, l.Issuer, nil)
	ada := d.Hire("ada", staff.Viewer, true, nil)
	for range 2 {
		b := d.Browser()
		modelstest.Want(t, "she is led to", b.Leads(arrives(b, id, l)), "/admin")
	}
	letters := admintest.MailLog(d, nil)
	if len(letters) != 1 || letters[0].Email != ada.Email || letters[0].Subject != "You can sign in with House" ||
		!strings.Contains(letters[0].Body, "http://127.0.0.1/admin/account") {
		t.Errorf("%+v", letters)
	}
}

func TestStrangersHaveLittleKeptOnTheirWayToAProvider(t *testing.T) {
	t.Parallel()
	p := identitytest.Start(t, redirect)
	d, _, id := providerDesk(t, p.Issuer, nil)
	for _, bytes := range []int{2000, 2001, 1 << 20} {
		setsOut(d.Browser(), id, url.Values{"next": {"/admin?q=" + strings.Repeat("x", bytes-len("/admin?q="))}})
	}
	var kept int
	err := d.SQL.QueryRow("SELECT sum(length(next)) FROM provider_visits").Scan(&kept)
	if err != nil || kept != 2000+2*len("/admin") {
		t.Errorf("%d bytes are kept, %v", kept, err)
	}
}
