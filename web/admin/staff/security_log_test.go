package staff_test

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
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// TestNothingIsOpenToWhoOwesASecondFactor walks the table of routes.
func TestNothingIsOpenToWhoOwesASecondFactor(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		d.Hire("Ada", staff.Owner, true, nil)
		late := d.Hire("Li", staff.Owner, true, nil) // signed in before it is required
		ada := d.Member("Ada")
		modelstest.WithTOTP(t, d.Fixture, ada, admintest.Password)
		modelstest.Fine(t, d.Team(t.Context(), ada).RequireSecondFactor(t.Context(), true))
		open := 0
		for _, r := range d.Routes() {
			path, name := admintest.At(r, d.Event.ID), r.Method+" "+r.Path
			if r.Needs == visit.Anyone {
				continue
			}
			status, location, page := late.Try(r.Method, path, nil)
			admintest.Lacks(t, page, d.Event.Name, d.Other.Name, `href="/admin/staff"`)
			switch {
			case r.Needs == visit.Enrolling:
				open++
				if location != "" || status >= 500 || strings.Contains(page, "second factor first") {
					t.Errorf("%s: %d %s", name, status, location)
				}
			case r.Method == "GET":
				if status != 303 || location != "/admin/account/second-factor?next="+url.QueryEscape(path) {
					t.Errorf("%s: %d %s, want the set-up of the second factor", name, status, location)
				}
			default:
				if status != 403 || !strings.Contains(page, "Set up your second factor first") {
					t.Errorf("%s: %d, want 403", name, status)
				}
			}
		}
		if open != 6 { // an app's three, a passkey's three
			t.Errorf("%d routes are open", open)
		}
		if status, _, _ := late.Try("GET", "/admin/find", func(r *http.Request) {
			r.Header.Set("HX-Request", "true")
		}); status != 403 {
			t.Errorf("a part of a page answers %d", status)
		}
		if status, location, page := late.Try("GET", "/admin/nowhere", nil); status != 404 || location != "" ||
			strings.Contains(page, d.Event.Name) {
			t.Errorf("no page: %d %s %s", status, location, page)
		}
	})
}

func TestOwnersReadWhatStrangersSend(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		owner, c := d.As(staff.Owner), modelstest.OpenCall(t, d.Fixture)
		admintest.Wants(t, owner.Get(visit.SecurityPath, 200), "Altogether", "0 files, 0.0 MB")
		admintest.Lacks(t, owner.Text, "Mails that wait", "Answers to the call")
		pl, s := c.Begin(t, d.Fixture, "Ada", "Tides")
		modelstest.Must(pl.AttachFile(t.Context(), c.Event, s.ID, "slides", models.Upload{Name: "a.pdf",
			Content: []byte("%PDF-1.7" + strings.Repeat("x", 1<<20))}))(t)
		modelstest.Fine(t, d.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.Exec("UPDATE stranger_mails SET mails = 200").Error
		}))
		c.Begin(t, d.Fixture, "Li", "Ebb")
		admintest.Wants(t, owner.Get(visit.SecurityPath, 200), "Answers to the call of "+c.Event.Name, "1 file, 1.0 MB",
			"Mails that wait", "1 mail to an address that nobody has confirmed waits")
	})
}

func TestWhoOwesASecondFactorSetsItUpAndGoesOn(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		owner, li := d.As(staff.Owner), d.As(staff.Viewer)
		admintest.Wants(t, owner.Get(visit.SecurityPath, 200), "Not required", "0 of 2 members of staff have one",
			"You have none yourself yet", "Turn on yours")
		admintest.Lacks(t, owner.Page, "Require it of all staff")
		_, page := owner.Post(visit.SecurityPath+"/second-factor", url.Values{"required": {"yes"}}, 422)
		admintest.Wants(t, page, "needs a second factor of your own first", "Not required")
		modelstest.WithTOTP(t, d.Fixture, d.Member("Ada owner"), admintest.Password)
		admintest.Wants(t, owner.Get(visit.SecurityPath, 200), "1 of 2 members of staff has one", "Ada viewer",
			"Require it of all staff")
		li.Get(d.At("/submissions"), 200)
		admintest.Wants(t, owner.Follow(owner.Post(visit.SecurityPath+"/second-factor",
			url.Values{"required": {"yes"}}, 303)), "All staff need a second factor now", ">Required<", "No longer require it")

		wanted := d.At("/submissions?status=pending")
		location := li.Leads(wanted)
		page = li.Get(location, 200)
		admintest.Wants(t, page, "Your organization requires a second factor of all staff", `action="/sign-out"`)
		admintest.Lacks(t, page, d.Event.Name, "Not now", `class="side"`)
		_, page = li.Post("/admin/account/second-factor", url.Values{"password": {admintest.Password}, "next": {wanted}}, 200)
		secret := admintest.AppSecret.FindStringSubmatch(page)[1]
		admintest.Lacks(t, page, "Cancel", `class="side"`)
		admintest.Wants(t, li.Answer("/admin/account/second-factor/confirm", url.Values{"code": {"000000"},
			"secret": {secret}, "next": {wanted}}, 422), secret, "The code is not what the app shows now")
		li.Leads(d.At("/submissions"))
		admintest.Wants(t, li.Answer("/admin/account/second-factor/confirm", url.Values{"code": {d.Code(secret)},
			"secret": {secret}, "next": {wanted}}, 200), "Your recovery codes", `href="`+wanted+`">I have kept them`)
		li.Get(wanted, 200)

		admintest.Wants(t, li.Get("/admin/account", 200), "and required of all staff")
		admintest.Lacks(t, li.Text, "Turn off")
		page = li.Get("/admin/account/second-factor", 200)
		admintest.Wants(t, page, "Your organization requires one of all staff, so it stays on.")
		admintest.Lacks(t, page, "/second-factor/off")
		_, page = li.Post("/admin/account/second-factor/off", url.Values{"password": {admintest.Password}}, 422)
		admintest.Wants(t, page, "Your organization requires a second factor of all staff, so yours stays on.")

		// Whoever runs the server helps who lost it; it is set up anew.
		modelstest.Must(d.Staff.EndSecondFactor(context.Background(), d.Member("Ada viewer").Email))(t)
		modelstest.Want(t, "leads to", li.Leads("/admin"), "/admin/account/second-factor?next=%2Fadmin")
		owner.Get(visit.SecurityPath, 200)
		owner.Follow(owner.Post(visit.SecurityPath+"/second-factor", url.Values{"required": {"no"}}, 303))
		li.Get(wanted, 200)
		li.On("/admin/account").Post(visit.SecurityPath+"/second-factor", url.Values{"required": {"no"}}, 403)
	})
}

func TestTurningTheSecondFactorOnOffersToEndOtherSignIns(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		for _, end := range []bool{true, false} {
			name := map[bool]staff.Role{true: staff.Organizer, false: staff.Viewer}[end]
			here := d.As(name)
			u := d.Member("Ada " + string(name))
			here.Get("/admin/account/second-factor", 200)
			_, page := here.Post("/admin/account/second-factor", url.Values{"password": {admintest.Password}}, 200)
			admintest.Lacks(t, page, "Sign out everywhere else") // there is nowhere else
			there, elsewhere := d.SignedIn(u.Email), d.SignedIn(u.Email)
			admintest.Wants(t, here.Answer("/admin/account/second-factor", url.Values{"password": {admintest.Password}}, 200),
				"Sign out everywhere else", "You are signed in on 2 other browsers", `name="sign_out" value="yes" checked`)
			secret := admintest.AppSecret.FindStringSubmatch(here.Text)[1]
			form := url.Values{"code": {"000000"}, "secret": {secret}}
			admintest.Wants(t, here.Answer("/admin/account/second-factor/confirm", form, 422), `name="sign_out" value="yes">`) // it was not ticked
			form.Set("code", d.Code(secret))
			if end {
				form.Set("sign_out", "yes")
			}
			_, page = here.Post("/admin/account/second-factor/confirm", form, 200)
			here.Get("/admin/account", 200)
			if end {
				admintest.Wants(t, page, "you are signed out everywhere else")
				there.Leads("/admin/account")
				elsewhere.Leads("/admin/account")
			} else {
				admintest.Lacks(t, page, "signed out")
				there.Get("/admin/account", 200)
				elsewhere.Get("/admin/account", 200)
			}
		}
	})
}

var tags = regexp.MustCompile(`<[^>]*>`)

// text returns the words of a page.
func text(page string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(admintest.Body(page), " "))), " ")
}

func TestOwnersReadWhatHappenedToSignIns(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		owner := d.As(staff.Owner)
		viewer := d.As(staff.Viewer)
		viewer.Get(visit.SecurityPath, 403)
		viewer.Get("/admin/events/"+d.StrangersEvent(), 404)
		guess := func(email string) {
			b := d.Browser()
			b.Get("/sign-in", 200)
			b.Address = "198.51.100.7"
			b.Post("/sign-in", url.Values{"email": {email}, "password": {"wrong"}}, 422)
		}
		guess(d.Member("Ada viewer").Email)
		guess("nobody@example.net")
		grant(owner, "/admin/staff/"+d.Member("Ada viewer").ID,
			url.Values{"role": {"events"}, "at-" + d.Event.ID: {"organizer"}}, 303)
		form := admintest.Fill(admintest.Fields(owner.Get(d.At("/keys/new"), 200)), "name", "Website")
		form["scopes"] = []string{"read:events"}
		owner.Post(d.At("/keys/new"), form, 200)
		modelstest.Fine(t, d.KeepSeen(t.Context()))
		page := text(owner.Get(visit.SecurityPath, 200))
		admintest.Wants(t, page, "Ada owner signed in from 192.0.2.1",
			"Ada viewer was refused a page that needs the role owner from 192.0.2.1",
			"Ada viewer was refused an event that is not theirs",
			"Somebody gave a wrong password for Ada viewer from 198.51.100.7",
			"Somebody gave a wrong password for n…@e… from 198.51.100.7", "Ada owner changed what Ada viewer may do",
			"At every event Yes → became No At single events "+d.Event.Name+": organizer",
			"The command line made Ada viewer a member of staff Role viewer At every event Yes",
			"Ada owner made the API key Website")
		admintest.Lacks(t, page, "nobody@example.net")
		page = text(owner.Get(visit.SecurityPath+"?kind=refused", 200))
		admintest.Wants(t, page, "gave a wrong password")
		admintest.Lacks(t, page, "signed in from", "changed what")
		owner.DropsOf(visit.SecurityPath+"?page=1", "kind=odd")
		modelstest.Want(t, "leads to", owner.Leads(visit.SecurityPath+"?page=9"), visit.SecurityPath+"?page=1")
	})
}

func TestTheLogIsNarrowedTakenAwayAndKept(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		owner, viewer := d.As(staff.Owner), d.As(staff.Viewer)
		owner.Send(d.At("/settings"), 303, "name", "=HYPERLINK(1)")
		modelstest.Fine(t, d.KeepSeen(t.Context()))
		page := text(owner.Get(visit.SecurityPath+"?kind=settings", 200))
		admintest.Wants(t, page, "Ada owner changed the settings of =HYPERLINK(1)")
		admintest.Lacks(t, page, "signed in from")
		of := visit.SecurityPath + "?person=" + d.Member("Ada viewer").ID
		page = text(owner.Get(of, 200))
		admintest.Wants(t, page, "Ada viewer signed in", "made Ada viewer a member of staff")
		admintest.Lacks(t, page, "Ada owner signed in")
		day := d.Store.Now().Format("2006-01-02")
		admintest.Wants(t, text(owner.Get(of+"&from="+day+"&until="+day, 200)), "Ada viewer signed in")
		for _, none := range []string{"&from=2100-01-01", "&until=2000-01-01"} {
			admintest.Wants(t, text(owner.Get(of+none, 200)), "Nothing matches")
		}
		for _, odd := range []string{"?person=odd", "?from=odd", "?until=2027-02-30", "?from=%00"} {
			admintest.Wants(t, text(owner.Get(visit.SecurityPath+odd, 200)), "Ada owner signed in")
		}

		ghost := d.Person(d.Programme(), "first_name", "Ghost")
		owner.Post("/admin/contacts/"+ghost+"/erase", url.Values{"confirm": {"yes"}}, 303)
		page = text(owner.Get(visit.SecurityPath+"?kind=erasures", 200))
		admintest.Wants(t, page, "Ada owner erased a person")
		admintest.Lacks(t, page, "Ghost", "changed the settings")
		endpoint, _ := modelstest.NewEndpoint(t, d.Webhooks(), "https://hooks.example.org/x")
		modelstest.Fine(t, d.Webhooks().SetEndpointActive(t.Context(), endpoint.ID, false))
		modelstest.Fine(t, d.Webhooks().DeleteEndpoint(t.Context(), endpoint.ID))
		page = text(owner.Get(visit.SecurityPath+"?kind=webhooks", 200))
		admintest.Wants(t, page, "added the webhook endpoint at hooks.example.org",
			"turned the webhook endpoint at hooks.example.org off", "deleted the webhook endpoint at hooks.example.org")
		admintest.Lacks(t, page, "/x")
		admintest.Wants(t, text(owner.Get(visit.SecurityPath+"?kind=settings", 200)), "added the event "+d.Event.Name)

		viewer.Get(visit.SecurityPath+"/log.csv", 403)
		admintest.Wants(t, owner.Get(visit.SecurityPath+"/log.csv?kind=settings", 200), "Time (UTC),Event,Who",
			"settings_changed,Ada owner,changed the settings of =HYPERLINK(1),admin")
		admintest.Lacks(t, owner.Text, ",=HYPERLINK", "signed_in")
		modelstest.Fine(t, d.KeepSeen(t.Context()))
		admintest.Wants(t, text(owner.Get(visit.SecurityPath+"?kind=exports", 200)), "Ada owner exported this log")

		admintest.Wants(t, owner.Follow(owner.Post(visit.SecurityPath+"/log-days", url.Values{"log_days": {"365"}}, 303)),
			"The log is kept for 1 year")
		admintest.Wants(t, text(owner.Page), "changed how long this log is kept", "For good → became 1 year")
		for _, odd := range []string{"", "1", "x"} {
			_, page := owner.Post(visit.SecurityPath+"/log-days", url.Values{"log_days": {odd}}, 422)
			admintest.Wants(t, page, "is none of the choices")
		}
		viewer.On("/admin/account").Post(visit.SecurityPath+"/log-days", url.Values{"log_days": {"0"}}, 403)
	})
}
