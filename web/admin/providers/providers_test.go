package providers_test

import (
	"net/url"
	"regexp"
	"testing"
	"time"

	"lectern/models/identity/identitytest"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

const base = visit.SecurityPath + "/providers"

func TestAProviderIsAddedChangedAndDeleted(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{Providers: identitytest.Client(time.Now)})
	b := d.As(staff.Owner)
	b.Get(base+"/new", 200)
	form := url.Values{"name": {"House"}, "issuer": {"http://login.example.org"}, "client_id": {""}, "secret": {"s3cret"},
		"domains": {"example"}, "groups_claim": {""}, "group": {"board", "readers"}, "may": {"viewer", ""}}
	admintest.Wants(t, b.Answer(base+"/new", form, 422), "Must begin with https://", "Client ID must not be empty",
		"such as example.org", "must give each group a role", `value="board"`, "http://login.example.org")
	admintest.Lacks(t, b.Text, "s3cret")
	admintest.Fill(form, "issuer", "https://login.example.org", "client_id", "lectern",
		"domains", "example.org; Example.com", "groups_claim", "groups")
	form["may"] = []string{"viewer", "reviewer@" + d.Event.ID}
	location, _ := b.Post(base+"/new", form, 303)
	admintest.Wants(t, b.Get(location, 200), "example.com, example.org", `value="readers"`, "Reviewer at "+d.Event.Name)
	admintest.Lacks(t, b.Text, "s3cret")
	stale := admintest.Fields(b.Text)
	form["updated_at"] = stale["updated_at"]
	admintest.Fill(form, "name", "Home", "secret", "")
	b.Post(location, form, 303)
	admintest.Wants(t, b.Get(location, 200), "Saved.", ">Home<", "There is one. Leave it empty to keep it.")
	b.Post(location, form, 409)
	b.On(location).Post(location+"/on", nil, 303)
	admintest.Wants(t, d.Browser().Get("/sign-in", 200), "Sign in with Home")
	b.On(location).Post(location+"/off", nil, 303)
	admintest.Lacks(t, d.Browser().Get("/sign-in", 200), "Sign in with Home")
	admintest.Wants(t, b.Get(base, 200), "Home", "https://login.example.org", "Off", "example.com")
	admintest.Wants(t, b.Get(visit.SecurityPath+"?kind=providers", 200), "added the identity provider",
		"changed the identity provider")
	admintest.Wants(t, b.Get(location+"/delete", 200), "Delete the provider", "Its client id and secret are forgotten.")
	b.Post(location+"/delete", nil, 303)
	admintest.Wants(t, b.Get(base, 200), "Home is deleted.", "No identity provider")
	b.Get(location, 404)
	admintest.Wants(t, b.Get(visit.SecurityPath, 200), "deleted the identity provider", "Home",
		"board (viewer), readers (reviewer, "+d.Event.Name+")", "E-mail domains")
}

var (
	mays   = regexp.MustCompile(`(?s)<select[^>]*name="may".*?</select>`)
	chosen = regexp.MustCompile(`value="([^"]+)" selected`)
)

func TestAGroupOfAnEventThatIsGoneKeepsNobodyFromSaving(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{Providers: identitytest.Client(time.Now)})
	b := d.As(staff.Owner)
	b.Get(base+"/new", 200)
	location, _ := b.Post(base+"/new", url.Values{"name": {"House"}, "issuer": {"https://login.example.org"},
		"client_id": {"lectern"}, "groups_claim": {"groups"}, "group": {"board", "readers"},
		"may": {"viewer", "reviewer@" + d.Event.ID}}, 303)
	modelstest.Must(d.SQL.Exec("UPDATE identity_providers SET grants = replace(grants, '" + d.Event.ID + "', '" +
		store.NewID() + "')"))(t)
	page := b.Get(location, 200)
	admintest.Wants(t, page, `value="board"`)
	admintest.Lacks(t, page, `value="readers"`)
	form := admintest.Fields(page)
	form.Del("may")
	for _, row := range mays.FindAllString(page, -1) {
		form["may"] = append(form["may"], append(chosen.FindStringSubmatch(row), "", "")[1])
	}
	form.Set("name", "Home")
	b.Post(location, form, 303)
	admintest.Wants(t, b.Get(location, 200), "Saved.", ">Home<", `value="board"`)
}
