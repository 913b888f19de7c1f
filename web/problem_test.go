package web

import (
	"context"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

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
	delete(b.cookies, b.web.cookieName(loginCookie)) // it has expired

	_, page := b.submit(d.at("/submissions/new"), form, 401)
	wants(t, page, "You are signed out", "kept on this page", "Sign in in another tab", "Send it again")
	kept := entire(page)
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
	delete(b.cookies, b.web.cookieName(loginCookie))
	_, page := b.submit("/admin/account/password", form, 403)
	lacks(t, page, password, "another horse")
	wants(t, page, "cannot be used any more")
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
