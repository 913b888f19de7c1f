package admin

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// withFactor turns the second factor of a member on and returns its secret.
func (d *desk) withFactor(name string) (secret string) {
	d.t.Helper()
	u := d.member(name)
	secret, _, err := d.Staff.BeginTOTP(context.Background(), u, password)
	if err == nil {
		_, err = d.Staff.ConfirmTOTP(context.Background(), u, d.code(secret), "")
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return secret
}

// require has an owner require the second factor of all staff.
func (d *desk) require(owner string) {
	d.t.Helper()
	if err := d.Team(context.Background(), d.member(owner)).RequireSecondFactor(context.Background(), true); err != nil {
		d.t.Fatal(err)
	}
}

// eachDesk runs test on both databases.
func eachDesk(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			test(t, openOn(t, dialect, Options{}))
		})
	}
}

// TestNothingIsOpenToWhoOwesASecondFactor walks the table of routes.
func TestNothingIsOpenToWhoOwesASecondFactor(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.hire("Ada", staff.Owner, true, nil)
		late := d.hire("Li", staff.Owner, true, nil) // signed in before it is required
		d.withFactor("Ada")
		d.require("Ada")
		open := 0
		for _, r := range routesOf(addressesOf(d.web.options)) {
			path, name := r.at(d.Event.ID), r.method+" "+r.path
			if r.needs == anyone {
				continue
			}
			status, location, page := late.try(r.method, path, nil)
			lacks(t, page, d.Event.Name, d.Other.Name, `href="/admin/staff"`)
			switch {
			case r.needs == enrolling:
				open++
				if location != "" || status >= 500 || strings.Contains(page, "second factor first") {
					t.Errorf("%s: %d %s", name, status, location)
				}
			case r.method == "GET":
				if status != 303 || location != "/admin/account/second-factor?next="+url.QueryEscape(path) {
					t.Errorf("%s: %d %s, want the set-up of the second factor", name, status, location)
				}
			default:
				if status != 403 || !strings.Contains(page, "Set up your second factor first") {
					t.Errorf("%s: %d, want 403", name, status)
				}
			}
		}
		if open != 3 {
			t.Errorf("%d routes are open", open)
		}
		if status, _, _ := late.try("GET", "/admin/find", func(r *http.Request) {
			r.Header.Set("HX-Request", "true")
		}); status != 403 {
			t.Errorf("a part of a page answers %d", status)
		}
		if status, location, page := late.try("GET", "/admin/nowhere", nil); status != 404 || location != "" ||
			strings.Contains(page, d.Event.Name) {
			t.Errorf("no page: %d %s %s", status, location, page)
		}
	})
}

func TestOwnersReadWhatStrangersSend(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		owner, c := d.as(staff.Owner), modelstest.OpenCall(t, d.Fixture)
		page := owner.get(securityPath, 200)
		wants(t, page, "Altogether", "0 files, 0.0 MB")
		lacks(t, page, "Mails that wait", "Answers to the call")
		pl, s := c.Begin(t, d.Fixture, "Ada", "Tides")
		modelstest.Must(pl.AttachFile(t.Context(), c.Event, s.ID, "slides", models.Upload{Name: "a.pdf",
			Content: []byte("%PDF-1.7" + strings.Repeat("x", 1<<20))}))(t)
		modelstest.Fine(t, d.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.Exec("UPDATE stranger_mails SET mails = 200").Error
		}))
		c.Begin(t, d.Fixture, "Li", "Ebb")
		wants(t, owner.get(securityPath, 200), "Answers to the call of "+c.Event.Name, "1 file, 1.0 MB", "Mails that wait",
			"1 mail to an address that nobody has confirmed waits")
	})
}

func TestWhoOwesASecondFactorSetsItUpAndGoesOn(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		owner, li := d.as(staff.Owner), d.as(staff.Viewer)
		wants(t, owner.get(securityPath, 200), "Not required", "0 of 2 members of staff have one",
			"You have none yourself yet", "Turn on yours")
		lacks(t, owner.page, "Require it of all staff")
		_, page := owner.post(securityPath+"/second-factor", url.Values{"required": {"yes"}}, 422)
		wants(t, page, "needs a second factor of your own first", "Not required")
		d.withFactor("Ada owner")
		wants(t, owner.get(securityPath, 200), "1 of 2 members of staff has one", "Ada viewer", "Require it of all staff")
		li.get(d.at("/submissions"), 200)
		wants(t, owner.follow(owner.post(securityPath+"/second-factor", url.Values{"required": {"yes"}}, 303)),
			"All staff need a second factor now", ">Required<", "No longer require it")

		wanted := d.at("/submissions?status=pending")
		location := li.leads(wanted)
		page = li.get(location, 200)
		wants(t, page, "Your organization requires a second factor of all staff", `action="/sign-out"`)
		lacks(t, page, d.Event.Name, "Not now", `class="side"`)
		_, page = li.post("/admin/account/second-factor", url.Values{"password": {password}, "next": {wanted}}, 200)
		secret := appSecret.FindStringSubmatch(page)[1]
		lacks(t, page, "Cancel", `class="side"`)
		_, page = li.post("/admin/account/second-factor/confirm",
			url.Values{"code": {"000000"}, "secret": {secret}, "next": {wanted}}, 422)
		wants(t, page, secret, "The code is not what the app shows now")
		li.leads(d.at("/submissions"))
		_, page = li.post("/admin/account/second-factor/confirm",
			url.Values{"code": {d.code(secret)}, "secret": {secret}, "next": {wanted}}, 200)
		wants(t, page, "Your recovery codes", `href="`+strings.ReplaceAll(wanted, "&", "&amp;")+`">I have kept them`)
		li.get(wanted, 200)

		page = li.get("/admin/account", 200)
		wants(t, page, "and required of all staff")
		lacks(t, page, "Turn off")
		page = li.get("/admin/account/second-factor", 200)
		wants(t, page, "Your organization requires one of all staff, so it stays on.")
		lacks(t, page, "/second-factor/off")
		_, page = li.post("/admin/account/second-factor/off", url.Values{"password": {password}}, 422)
		wants(t, page, "Your organization requires a second factor of all staff, so yours stays on.")

		// Whoever runs the server helps who lost it; it is set up anew.
		modelstest.Must(d.Staff.EndTOTP(context.Background(), d.member("Ada viewer").Email))(t)
		if location := li.leads("/admin"); location != "/admin/account/second-factor?next=%2Fadmin" {
			t.Errorf("leads to %q", location)
		}
		owner.get(securityPath, 200)
		owner.follow(owner.post(securityPath+"/second-factor", url.Values{"required": {"no"}}, 303))
		li.get(wanted, 200)
		viewerPost := func() {
			li.get("/admin/account", 200)
			li.post(securityPath+"/second-factor", url.Values{"required": {"no"}}, 403)
		}
		viewerPost()
	})
}

func TestTurningTheSecondFactorOnOffersToEndOtherSignIns(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		for _, end := range []bool{true, false} {
			name := map[bool]staff.Role{true: staff.Organizer, false: staff.Viewer}[end]
			here := d.as(name)
			u := d.member("Ada " + string(name))
			here.get("/admin/account/second-factor", 200)
			_, page := here.post("/admin/account/second-factor", url.Values{"password": {password}}, 200)
			lacks(t, page, "Sign out everywhere else") // there is nowhere else
			there, elsewhere := d.browser(), d.browser()
			there.signIn(u.Email)
			elsewhere.signIn(u.Email)
			_, page = here.post("/admin/account/second-factor", url.Values{"password": {password}}, 200)
			wants(t, page, "Sign out everywhere else", "You are signed in on 2 other browsers",
				`name="sign_out" value="yes" checked`)
			secret := appSecret.FindStringSubmatch(page)[1]
			form := url.Values{"code": {"000000"}, "secret": {secret}}
			_, page = here.post("/admin/account/second-factor/confirm", form, 422)
			wants(t, page, `name="sign_out" value="yes">`) // it was not ticked
			form.Set("code", d.code(secret))
			if end {
				form.Set("sign_out", "yes")
			}
			_, page = here.post("/admin/account/second-factor/confirm", form, 200)
			here.get("/admin/account", 200)
			if end {
				wants(t, page, "you are signed out everywhere else")
				there.leads("/admin/account")
				elsewhere.leads("/admin/account")
			} else {
				lacks(t, page, "signed out")
				there.get("/admin/account", 200)
				elsewhere.get("/admin/account", 200)
			}
		}
	})
}

var tags = regexp.MustCompile(`<[^>]*>`)

// text is what a page says.
func text(page string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(body(page), " "))), " ")
}

func TestOwnersReadWhatHappenedToSignIns(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		owner := d.as(staff.Owner)
		viewer := d.as(staff.Viewer)
		viewer.get(securityPath, 403)
		viewer.get("/admin/events/"+d.strangersEvent(), 404)
		guess := func(email string) {
			b := d.browser()
			b.get("/sign-in", 200)
			b.address = "198.51.100.7"
			b.post("/sign-in", url.Values{"email": {email}, "password": {"wrong"}}, 422)
		}
		guess(d.member("Ada viewer").Email)
		guess("nobody@example.net")
		owner.grant("/admin/staff/"+d.member("Ada viewer").ID,
			url.Values{"role": {"events"}, "at-" + d.Event.ID: {"organizer"}}, 303)
		form := fields(owner.get(d.at("/keys/new"), 200))
		form.Set("name", "Website")
		form["scopes"] = []string{"read:events"}
		owner.post(d.at("/keys/new"), form, 200)
		if err := d.KeepSeen(t.Context()); err != nil {
			t.Fatal(err)
		}
		page := text(owner.get(securityPath, 200))
		wants(t, page, "Ada owner signed in from 192.0.2.1",
			"Ada viewer was refused a page that needs the role owner from 192.0.2.1",
			"Ada viewer was refused an event that is not theirs",
			"Somebody gave a wrong password for Ada viewer from 198.51.100.7",
			"Somebody gave a wrong password for n…@e… from 198.51.100.7", "Ada owner changed what Ada viewer may do",
			"At every event Yes → became No At single events "+d.Event.Name+": organizer",
			"The command line made Ada viewer a member of staff Role viewer At every event Yes",
			"Ada owner made the API key Website")
		lacks(t, page, "nobody@example.net")
		page = text(owner.get(securityPath+"?kind=refused", 200))
		wants(t, page, "gave a wrong password")
		lacks(t, page, "signed in from", "changed what")
		owner.dropsOf(securityPath+"?page=1", "kind=odd")
		if location := owner.leads(securityPath + "?page=9"); location != securityPath+"?page=1" {
			t.Errorf("leads to %q", location)
		}
	})
}
