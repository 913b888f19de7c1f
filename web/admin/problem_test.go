package admin_test

import (
	"maps"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// submit sends a form as a browser of today does: it says where the form comes
// from.
func submit(b *admintest.Browser, path string, form url.Values, status int) (location, page string) {
	b.T.Helper()
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	res, page := b.Do(r, status)
	return res.Header.Get("Location"), page
}

func TestAFormOutlivesItsSignIn(t *testing.T) {
	d := admintest.Open(t)
	email := d.Fixture.Hire(t, "ada", staff.Organizer).Email
	b := d.SignedIn(email)
	form := admintest.Fill(admintest.Entire(b.Get(d.At("/submissions/new"), 200)), "title", "Tides",
		"description", "<p>an hour's work</p>\n<p>& more</p>")
	form["answer_key"], form["answer_value"] = []string{"Needs", "Wants", ""}, []string{"a projector", "", ""}
	form.Set("level_id", store.NewID())
	d.Clock.Move(staff.LoginLifetime + time.Minute)

	// Another site, or who does not say where it comes from, is shown nothing.
	admintest.Lacks(t, b.Answer(d.At("/submissions/new"), form, 403), "Tides", "Send it again")
	foreign := b.FormRequest(d.At("/submissions/new"), form)
	foreign.Header.Set("Sec-Fetch-Site", "cross-site")
	_, page := b.Do(foreign, 403)
	admintest.Lacks(t, page, "Tides", "Send it again")

	_, page = submit(b, d.At("/submissions/new"), form, 401)
	admintest.Wants(t, page, "You are signed out", "kept on this page", `target="_blank" rel="noopener"`, "Send it again",
		">Title</label>", "readonly>Tides</textarea>", "readonly>an hour&#39;s work\n&amp; more</textarea>", ">Needs</label>",
		"readonly>a projector<", "What you chose from lists is kept too")
	admintest.Lacks(t, page, ">Level", ">Was", ">Token")
	kept := admintest.Entire(page)
	for name, values := range form {
		if name != "_token" && !slices.Equal(kept[name], values) {
			t.Errorf("%s was %q and is kept as %q", name, values, kept[name])
		}
	}
	kept.Del("level_id") // there is none like it
	b.SignIn(email)
	_, page = submit(b, d.At("/submissions/new"), kept, 403)
	admintest.Wants(t, page, "Send it once more?")
	location, _ := submit(b, d.At("/submissions/new"), admintest.Entire(page), 303)
	admintest.Wants(t, b.Get(location, 200), "Tides", "an hour&#39;s work", "&amp; more")
}

func TestAFormOutlivesARole(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		ada, owner := d.Fixture.Hire(t, "ada", staff.Organizer), d.Fixture.Hire(t, "li", staff.Owner)
		becomes := func(role staff.Role) {
			modelstest.Fine(t, d.Team(t.Context(), owner).Change(t.Context(), ada.ID, staff.Change{Role: &role}))
		}
		b := d.SignedIn(ada.Email)
		form := admintest.Fill(admintest.Entire(b.Get(d.At("/submissions/new"), 200)), "title", "Tides <b>",
			"description", "an hour's work")
		becomes(staff.Viewer)
		_, page := submit(b, d.At("/submissions/new"), form, 403)
		admintest.Wants(t, page, "It needs the role organizer", "Nothing was changed.", "readonly>Tides &lt;b&gt;</textarea>",
			"readonly>an hour&#39;s work</textarea>", "Send it again")
		// A button has nothing to keep, and another site's form is not looked at.
		_, page = submit(b, d.At("/sessions/"+store.NewID()+"/delete"), url.Values{"_token": form["_token"]}, 403)
		admintest.Lacks(t, page, "What you typed", "Send it again")
		unproven := maps.Clone(form)
		unproven.Del("_token")
		_, page = submit(b, d.At("/submissions/new"), unproven, 403)
		admintest.Lacks(t, page, "Tides", "Send it again")
		_, page = submit(b, d.At("/submissions/new"), form, 403)
		becomes(staff.Organizer)
		location, _ := submit(b, d.At("/submissions/new"), admintest.Entire(page), 303)
		admintest.Wants(t, b.Get(location, 200), "Tides &lt;b&gt;", "an hour&#39;s work")
	})
}

func TestAFormOutlivesItsRecord(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	path := d.At("/sessions/" + s.ID)
	form := admintest.Fill(admintest.Entire(b.Get(path+"/edit", 200)), "title", "Better tides")
	modelstest.Must(d.Programme().DeleteSession(t.Context(), s.ID))(t)
	_, page := submit(b, path+"/edit", form, 404)
	admintest.Wants(t, page, "Restore it from the Trash", "readonly>Better tides</textarea>", "Send it again")
	modelstest.Must(d.Programme().RestoreSession(t.Context(), s.ID))(t)
	_, page = submit(b, path+"/edit", admintest.Entire(page), 409) // it was changed, if only back and forth
	submit(b, path+"/edit", admintest.Entire(page), 303)
	admintest.Wants(t, b.Get(path, 200), "Better tides")
}

func TestSecretsAreShownToNobodyWhoLostTheRole(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Viewer)
	b.Get(d.At("/submissions"), 200)
	form := url.Values{"_token": {admintest.TokenPattern.FindStringSubmatch(b.Page)[1]}, "secret": {"whsec-1"},
		"password": {"horse"}, "code": {"123456"}, "url": {"https://example.org/hook"}}
	_, page := submit(b, "/admin/endpoints/new", form, 403)
	admintest.Wants(t, page, "readonly>https://example.org/hook</textarea>")
	admintest.Lacks(t, page, "whsec-1", "horse", "123456", "Send it again")
}

func TestSecretsAreNotKeptForAnotherSignIn(t *testing.T) {
	_, b := admintest.OpenAs(t, staff.Owner)
	form := admintest.Fill(admintest.Entire(b.Get("/admin/account", 200)), "current_password", admintest.Password,
		"password", "another horse battery", "note", "typed besides")
	delete(b.Cookies, visit.LoginCookie)
	_, page := submit(b, "/admin/account/password", form, 403)
	admintest.Lacks(t, page, admintest.Password, "another horse", "Send it again")
	admintest.Wants(t, page, "cannot be used any more", "typed besides", "passwords and codes are not kept",
		"Sign in in another tab")
}

func TestAFaultOfOursOffersToTryAgain(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	form := admintest.Fill(admintest.Entire(b.Get(d.At("/submissions/new"), 200)), "title", "Tides")
	modelstest.Must(d.SQL.Exec("ALTER TABLE emissions RENAME TO lost"))(t)
	_, page := submit(b, d.At("/submissions/new"), form, 500)
	admintest.Wants(t, page, "Something went wrong on our side", "look before you send it again", "request-1",
		"Send it again", `name="title" value="Tides"`)
	modelstest.Must(d.SQL.Exec("ALTER TABLE lost RENAME TO emissions"))(t)
	location, _ := submit(b, d.At("/submissions/new"), admintest.Entire(page), 303)
	admintest.Wants(t, b.Get(location, 200), "Tides")
}

func TestProblemsKeepTheMenuOfWhoIsSignedIn(t *testing.T) {
	d, viewer := admintest.OpenAs(t, staff.Viewer)
	menu := []string{`aria-label="Main"`, "/admin/events/" + d.Event.ID + "/submissions", "Ada viewer",
		`action="/sign-out"`}
	admintest.Wants(t, viewer.Get(d.At("/keys"), 403), append(menu, "This page is not for your role", "organizer")...)
	admintest.Wants(t, viewer.Get(d.At("/sessions/"+store.NewID()), 404), menu...)
	admintest.Wants(t, viewer.Get("/admin/nowhere", 404), `aria-label="Main"`, "Ada viewer", "There is nothing here")
	admintest.Lacks(t, d.Browser().Get("/admin/nowhere", 404), `aria-label="Main"`)
}

// TestAFormOutlivesAnImport has somebody edited whom an import holds, which is only PostgreSQL's to do.
func TestAFormOutlivesAnImport(t *testing.T) {
	t.Parallel()
	d := admintest.OpenOn(t, "postgres", visit.Options{})
	d.Store.Options.BriefWait = 20 * time.Millisecond
	ada := d.Person(d.Programme(), "first_name", "Ada", "email", "ada@example.org")
	b := d.As(staff.Organizer)
	path := d.At("/speakers/" + ada + "/edit")
	form := admintest.Fill(admintest.Entire(b.Get(path, 200)), "phone", "typed")
	db := d.SQL
	tx := modelstest.Must(db.Begin())(t)
	defer tx.Rollback()
	modelstest.Must(tx.Exec("SELECT 1 FROM contacts WHERE id = $1 FOR NO KEY UPDATE", ada))(t)
	res, page := b.Do(b.FormRequest(path, form), 503)
	admintest.Wants(t, page, "perhaps an import", "Try again in a few seconds", "readonly>typed</textarea>",
		"Send it again")
	if res.Header.Get("Retry-After") == "" {
		t.Error("it does not say when to try again")
	}
	modelstest.Fine(t, tx.Rollback())
	location, _ := submit(b, path, admintest.Entire(page), 303)
	admintest.Wants(t, b.Get(location, 200), "typed")
}
