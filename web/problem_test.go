package web

import (
	"context"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
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
	if _, err := d.Store.CreateUser(context.Background(), models.NewUser{Email: email, Name: "Ada", Role: models.Organizer, Password: password}); err != nil {
		t.Fatal(err)
	}
	b := d.browser()
	b.signIn(email)
	form := entire(b.get(d.at("/submissions/new"), 200))
	form.Set("title", "Tides")
	form.Set("description", "<p>an hour's work</p>\n<p>& more</p>")
	form["answer_key"], form["answer_value"] = []string{"Needs", "Wants", ""}, []string{"a projector", "", ""}
	form.Set("level_id", models.NewID())
	d.Clock.Move(models.LoginLifetime + time.Minute)

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
		">Title</label>", "readonly>Tides</textarea>", "readonly>an hour&#39;s work\n&amp; more</textarea>", ">Needs</label>", "readonly>a projector<", "What you chose from lists is kept too")
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

func TestSecretsAreNotKeptForAnotherSignIn(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(models.Owner)
	form := entire(b.get("/admin/account", 200))
	form.Set("current_password", password)
	form.Set("password", "another horse battery")
	form.Set("note", "typed besides")
	delete(b.cookies, b.web.cookieName(loginCookie))
	_, page := b.submit("/admin/account/password", form, 403)
	lacks(t, page, password, "another horse", "Send it again")
	wants(t, page, "cannot be used any more", "typed besides", "passwords and codes are not kept", "Sign in in another tab")
}

func TestAFaultOfOursOffersToTryAgain(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(models.Organizer)
	form := entire(b.get(d.at("/submissions/new"), 200))
	form.Set("title", "Tides")
	if _, err := d.SQL(t).Exec("ALTER TABLE emissions RENAME TO lost"); err != nil {
		t.Fatal(err)
	}
	_, page := b.submit(d.at("/submissions/new"), form, 500)
	wants(t, page, "Something went wrong on our side", "request-1", "Send it again", `name="title" value="Tides"`)
	if _, err := d.SQL(t).Exec("ALTER TABLE lost RENAME TO emissions"); err != nil {
		t.Fatal(err)
	}
	location, _ := b.submit(d.at("/submissions/new"), entire(page), 303)
	wants(t, b.get(location, 200), "Tides")
}

func TestProblemsKeepTheMenuOfWhoIsSignedIn(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	viewer := d.as(models.Viewer)
	menu := []string{`aria-label="Main"`, "/admin/events/" + d.Event.ID + "/submissions", "Ada viewer", `action="/sign-out"`}
	wants(t, viewer.get(d.at("/keys"), 403), append(menu, "This page is not for your role", "organizer")...)
	wants(t, viewer.get(d.at("/sessions/"+models.NewID()), 404), menu...)
	wants(t, viewer.get("/admin/nowhere", 404), `aria-label="Main"`, "Ada viewer", "There is nothing here")
	lacks(t, d.browser().get("/admin/nowhere", 404), `aria-label="Main"`)
}
