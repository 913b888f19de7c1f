package admin

import (
	"context"
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
)

// submit sends a form as a browser of today does: it says where the form comes
// from.
func (b *browser) submit(path string, form url.Values, status int) (location, page string) {
	b.t.Helper()
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	res, page := b.do(r, status)
	return res.Header.Get("Location"), page
}

// entire is a page's first form with its proof.
func entire(page string) url.Values {
	form := fields(body(page))
	form.Set("_token", tokenPattern.FindStringSubmatch(page)[1])
	return form
}

func TestAFormOutlivesItsSignIn(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	const email = "ada@example.org"
	if _, err := d.Store.Staff.CreateUser(context.Background(),
		staff.NewUser{Email: email, Name: "Ada", Role: staff.Organizer, Password: password}); err != nil {
		t.Fatal(err)
	}
	b := d.browser()
	b.signIn(email)
	form := entire(b.get(d.at("/submissions/new"), 200))
	form.Set("title", "Tides")
	form.Set("description", "<p>an hour's work</p>\n<p>& more</p>")
	form["answer_key"], form["answer_value"] = []string{"Needs", "Wants", ""}, []string{"a projector", "", ""}
	form.Set("level_id", store.NewID())
	d.Clock.Move(staff.LoginLifetime + time.Minute)

	// Another site, or who does not say where it comes from, is shown nothing.
	foreign := httptest.NewRequest("POST", d.at("/submissions/new"), strings.NewReader(form.Encode()))
	foreign.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	_, page := b.do(foreign, 403)
	lacks(t, page, "Tides", "Send it again")
	foreign = httptest.NewRequest("POST", d.at("/submissions/new"), strings.NewReader(form.Encode()))
	foreign.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	foreign.Header.Set("Sec-Fetch-Site", "cross-site")
	_, page = b.do(foreign, 403)
	lacks(t, page, "Tides", "Send it again")

	_, page = b.submit(d.at("/submissions/new"), form, 401)
	wants(t, page, "You are signed out", "kept on this page", `target="_blank" rel="noopener"`, "Send it again",
		">Title</label>", "readonly>Tides</textarea>", "readonly>an hour&#39;s work\n&amp; more</textarea>", ">Needs</label>",
		"readonly>a projector<", "What you chose from lists is kept too")
	lacks(t, page, ">Level", ">Was", ">Token")
	kept := entire(page)
	for name, values := range form {
		if name != "_token" && !slices.Equal(kept[name], values) {
			t.Errorf("%s was %q and is kept as %q", name, values, kept[name])
		}
	}
	kept.Del("level_id") // there is none like it
	b.signIn(email)
	_, page = b.submit(d.at("/submissions/new"), kept, 403)
	wants(t, page, "Send it once more?")
	location, _ := b.submit(d.at("/submissions/new"), entire(page), 303)
	wants(t, b.get(location, 200), "Tides", "an hour&#39;s work", "&amp; more")
}

func TestAFormOutlivesARole(t *testing.T) {
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			d := openOn(t, dialect, Options{})
			ada := modelstest.Must(d.Store.Staff.CreateUser(t.Context(),
				staff.NewUser{Email: "ada@example.org", Name: "Ada", Role: staff.Organizer, Password: password}))(t)
			owner := modelstest.Must(d.Store.Staff.CreateUser(t.Context(),
				staff.NewUser{Email: "li@example.org", Name: "Li", Role: staff.Owner, Password: password}))(t)
			becomes := func(role staff.Role) {
				if err := d.Team(t.Context(), owner).Change(t.Context(), ada.ID, staff.Change{Role: &role}); err != nil {
					t.Fatal(err)
				}
			}
			b := d.browser()
			b.signIn(ada.Email)
			form := entire(b.get(d.at("/submissions/new"), 200))
			form.Set("title", "Tides <b>")
			form.Set("description", "an hour's work")
			becomes(staff.Viewer)
			_, page := b.submit(d.at("/submissions/new"), form, 403)
			wants(t, page, "It needs the role organizer", "Nothing was changed.", "readonly>Tides &lt;b&gt;</textarea>",
				"readonly>an hour&#39;s work</textarea>", "Send it again")
			// A button has nothing to keep, and another site's form is not looked at.
			_, page = b.submit(d.at("/sessions/"+store.NewID()+"/delete"), url.Values{"_token": form["_token"]}, 403)
			lacks(t, page, "What you typed", "Send it again")
			unproven := maps.Clone(form)
			unproven.Del("_token")
			_, page = b.submit(d.at("/submissions/new"), unproven, 403)
			lacks(t, page, "Tides", "Send it again")
			_, page = b.submit(d.at("/submissions/new"), form, 403)
			becomes(staff.Organizer)
			location, _ := b.submit(d.at("/submissions/new"), entire(page), 303)
			wants(t, b.get(location, 200), "Tides &lt;b&gt;", "an hour&#39;s work")
		})
	}
}

func TestAFormOutlivesItsRecord(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	path := d.at("/sessions/" + s.ID)
	form := entire(b.get(path+"/edit", 200))
	form.Set("title", "Better tides")
	modelstest.Must(d.Programme().DeleteSession(t.Context(), s.ID))(t)
	_, page := b.submit(path+"/edit", form, 404)
	wants(t, page, "Restore it from the Trash", "readonly>Better tides</textarea>", "Send it again")
	modelstest.Must(d.Programme().RestoreSession(t.Context(), s.ID))(t)
	_, page = b.submit(path+"/edit", entire(page), 409) // it was changed, if only back and forth
	b.submit(path+"/edit", entire(page), 303)
	wants(t, b.get(path, 200), "Better tides")
}

func TestSecretsAreShownToNobodyWhoLostTheRole(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Viewer)
	b.get(d.at("/submissions"), 200)
	form := url.Values{"_token": {tokenPattern.FindStringSubmatch(b.page)[1]}, "secret": {"whsec-1"},
		"password": {"horse"}, "code": {"123456"}, "url": {"https://example.org/hook"}}
	_, page := b.submit(endpoints+"/new", form, 403)
	wants(t, page, "readonly>https://example.org/hook</textarea>")
	lacks(t, page, "whsec-1", "horse", "123456", "Send it again")
}

func TestSecretsAreNotKeptForAnotherSignIn(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Owner)
	form := entire(b.get("/admin/account", 200))
	form.Set("current_password", password)
	form.Set("password", "another horse battery")
	form.Set("note", "typed besides")
	delete(b.cookies, loginCookie)
	_, page := b.submit("/admin/account/password", form, 403)
	lacks(t, page, password, "another horse", "Send it again")
	wants(t, page, "cannot be used any more", "typed besides", "passwords and codes are not kept",
		"Sign in in another tab")
}

func TestAFaultOfOursOffersToTryAgain(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	form := entire(b.get(d.at("/submissions/new"), 200))
	form.Set("title", "Tides")
	if _, err := d.SQL(t).Exec("ALTER TABLE emissions RENAME TO lost"); err != nil {
		t.Fatal(err)
	}
	_, page := b.submit(d.at("/submissions/new"), form, 500)
	wants(t, page, "Something went wrong on our side", "look before you send it again", "request-1", "Send it again", `name="title" value="Tides"`)
	if _, err := d.SQL(t).Exec("ALTER TABLE lost RENAME TO emissions"); err != nil {
		t.Fatal(err)
	}
	location, _ := b.submit(d.at("/submissions/new"), entire(page), 303)
	wants(t, b.get(location, 200), "Tides")
}

func TestProblemsKeepTheMenuOfWhoIsSignedIn(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	viewer := d.as(staff.Viewer)
	menu := []string{`aria-label="Main"`, "/admin/events/" + d.Event.ID + "/submissions", "Ada viewer",
		`action="/sign-out"`}
	wants(t, viewer.get(d.at("/keys"), 403), append(menu, "This page is not for your role", "organizer")...)
	wants(t, viewer.get(d.at("/sessions/"+store.NewID()), 404), menu...)
	wants(t, viewer.get("/admin/nowhere", 404), `aria-label="Main"`, "Ada viewer", "There is nothing here")
	lacks(t, d.browser().get("/admin/nowhere", 404), `aria-label="Main"`)
}

// TestAFormOutlivesAnImport has somebody edited whom an import holds, which is only PostgreSQL's to do.
func TestAFormOutlivesAnImport(t *testing.T) {
	t.Parallel()
	d := openOn(t, "postgres", Options{})
	d.Store.Options.BriefWait = 20 * time.Millisecond
	ada := d.person(d.Programme(), "first_name", "Ada", "email", "ada@example.org")
	b := d.as(staff.Organizer)
	path := d.at("/speakers/" + ada + "/edit")
	form := entire(b.get(path, 200))
	form.Set("phone", "typed")
	db := d.SQL(t)
	defer db.Close()
	tx := modelstest.Must(db.Begin())(t)
	defer tx.Rollback()
	modelstest.Must(tx.Exec("SELECT 1 FROM contacts WHERE id = $1 FOR NO KEY UPDATE", ada))(t)
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, page := b.do(r, 503)
	wants(t, page, "perhaps an import", "Try again in a few seconds", "readonly>typed</textarea>", "Send it again")
	if res.Header.Get("Retry-After") == "" {
		t.Error("it does not say when to try again")
	}
	modelstest.Fine(t, tx.Rollback())
	location, _ := b.submit(path, entire(page), 303)
	wants(t, b.get(location, 200), "typed")
}
