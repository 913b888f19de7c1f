package staff_test

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

var linkPattern = regexp.MustCompile(`<code id="link">http://127\.0\.0\.1(/(?:invitations|reset)/[\w-]{43})</code>`)

// linkOn returns the one-time link that a page shows.
func linkOn(t *testing.T, page string) string {
	t.Helper()
	m := linkPattern.FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no link on\n%s", page)
	}
	return m[1]
}

func TestAnInvitationIsShownOnceAndWorksOnce(t *testing.T) {
	d, owner := admintest.OpenAs(t, staff.Owner)
	admintest.Wants(t, owner.Get("/admin/staff", 200), "Ada owner", "Nobody is invited")
	admintest.Wants(t, owner.Get("/admin/staff/invite", 200), "There is no mail server", d.Event.Name, d.Other.Name)
	form := url.Values{"email": {"cy@"}, "role": {"events"}, "at-" + d.Event.ID: {"reviewer"}, "at-" + d.Other.ID: {""}}
	admintest.Wants(t, owner.Answer("/admin/staff/invite", form, 422),
		"The e-mail address must be an address such as ana@example.org.", `>cy@</textarea>`, `value="reviewer" selected`,
		`id="role-events" name="role" value="events" required checked`)
	form.Set("email", "cy@example.org")
	_, page := owner.Post("/admin/staff/invite", form, 200)
	link := linkOn(t, page)
	page = owner.Get("/admin/staff", 200)
	admintest.Wants(t, page, "cy@example.org", "Reviewer at "+d.Event.Name, "Sat 28 Nov 2026, 09:30 UTC")
	admintest.Lacks(t, page, link)

	cy := d.Browser()
	admintest.Wants(t, cy.Get(link, 200), "Ada owner invites you", "Reviewer at "+d.Event.Name, "cy@example.org")
	_, page = cy.Post(link, url.Values{"name": {"Cy"}, "password": {"cy@example.org"}}, 422)
	admintest.Wants(t, page, "Password must not be your own address or name.", `value="Cy"`)
	admintest.Wants(t, cy.Answer(link, url.Values{"name": {" "}, "password": {admintest.Password}}, 422), "Name must")
	admintest.Lacks(t, cy.Text, admintest.Password)
	location, _ := cy.Post(link, url.Values{"name": {"Cy"}, "password": {admintest.Password}}, 303)
	modelstest.Want(t, "leads to", location, "/admin")
	cy.Get("/admin/events/"+d.Event.ID, 200)
	cy.Get("/admin/events/"+d.Other.ID, 404)
	admintest.Wants(t, cy.Get(link, 404), "This link was used, withdrawn or is too old.")
	admintest.Wants(t, d.Browser().Get("/invitations/"+strings.Repeat("A", 43), 404), "This link was used")

	_, page = owner.Post("/admin/staff/invite", url.Values{"email": {"CY@example.org"}, "role": {"viewer"}}, 422)
	admintest.Wants(t, page, "The e-mail address belongs to a member of staff already.")
}

func TestAnInvitationCanBeWithdrawn(t *testing.T) {
	d, owner := admintest.OpenAs(t, staff.Owner)
	owner.Get("/admin/staff/invite", 200)
	_, page := owner.Post("/admin/staff/invite", url.Values{"email": {"cy@example.org"}, "role": {"organizer"}}, 200)
	link := linkOn(t, page)
	d.Browser().Get(link, 200)
	page = owner.Get("/admin/staff", 200)
	withdraw := regexp.MustCompile(`/admin/staff/invitations/[\w-]+/withdraw`).FindString(page)
	admintest.Wants(t, owner.Follow(owner.Post(withdraw, nil, 303)), "The invitation is withdrawn.", "Nobody is invited")
	d.Browser().Get(link, 404)
	owner.Post(withdraw, nil, 404)
}

func TestJoiningSignsOutWhoWasThere(t *testing.T) {
	d, owner := admintest.OpenAs(t, staff.Owner)
	owner.Get("/admin/staff/invite", 200)
	_, page := owner.Post("/admin/staff/invite", url.Values{"email": {"cy@example.org"}, "role": {"viewer"}}, 200)
	was := owner.Cookies[visit.LoginCookie]
	link := linkOn(t, page)
	admintest.Wants(t, owner.Get(link, 200), "This browser is signed in as Ada owner.")
	owner.Post(link, url.Values{"name": {"Cy"}, "password": {admintest.Password}}, 303)
	admintest.Wants(t, owner.Get("/admin/account", 200), "cy@example.org", "Viewer at every event")
	if _, err := d.Staff.LoginBy(context.Background(), was); store.KindOf(err) != store.Unauthorized {
		t.Errorf("the owner's login: %v", err)
	}
}

func TestLinksAreShownWhenTheMailServerRefuses(t *testing.T) {
	t.Parallel()
	var letters []string
	broken := false
	d := admintest.OpenOn(t, "sqlite", visit.Options{Mail: admintest.Mailed(func(letter string) error {
		if broken {
			return errors.New("the mail server is away")
		}
		letters = append(letters, letter)
		return nil
	})})
	owner := d.As(staff.Owner)
	admintest.Wants(t, owner.Get("/admin/staff/invite", 200), "Each gets a letter", "Send the invitation")
	form := url.Values{"email": {"cy@example.org"}, "role": {"viewer"}}
	page := owner.Follow(owner.Post("/admin/staff/invite", form, 303))
	admintest.Wants(t, page, "An invitation is on its way to cy@example.org.")
	if len(letters) != 1 || !strings.HasPrefix(letters[0], "cy@example.org Join the programme of ") ||
		!strings.Contains(letters[0], "http://127.0.0.1/invitations/") {
		t.Errorf("mailed %q", letters)
	}
	broken = true
	owner.Get("/admin/staff/invite", 200)
	form.Del("_token")
	_, page = owner.Post("/admin/staff/invite", form, 200)
	admintest.Wants(t, page, "The mail server did not take the letter")
	d.Browser().Get(linkOn(t, page), 200)
	// Who rather hands it over gets it to copy, and nothing is mailed.
	broken = false
	owner.Get("/admin/staff/invite", 200)
	form.Set("copy", "1")
	form.Del("_token")
	_, page = owner.Post("/admin/staff/invite", form, 200)
	d.Browser().Get(linkOn(t, page), 200)
	modelstest.Want(t, "mailed", len(letters), 1)
	// What was mailed stands in the log, without the link.
	admintest.Wants(t, owner.Get("/admin/staff/mail", 200), "cy@example.org", "Join the programme of ", "Sent", "Refused",
		"The mail server did not take it")
	admintest.Lacks(t, owner.Text, "/invitations/")
	for _, l := range admintest.MailLog(d, nil) {
		if strings.Contains(l.Body, "/invitations/") || !strings.Contains(l.Body, "kept nowhere") {
			t.Errorf("kept: %s", l.Body)
		}
	}
	d.As(staff.Organizer).Get("/admin/staff/mail", 403)
}

func TestRolesOfStaffChangeFromTheNextPage(t *testing.T) {
	d := admintest.Open(t)
	owner, viewer := d.As(staff.Owner), d.As(staff.Viewer)
	address := "/admin/staff/" + d.Member("Ada viewer").ID
	admintest.Wants(t, owner.Get(address, 200), `id="role-viewer" name="role" value="viewer" required checked`)
	viewer.Get("/admin/endpoints", 403)
	admintest.Wants(t, owner.Follow(grant(owner, address, url.Values{"role": {"organizer"}}, 303)),
		"What Ada viewer may do is changed", "Organizer at every event")
	viewer.Get("/admin/endpoints", 200)
	admintest.Wants(t, owner.Follow(grant(owner, address, url.Values{"role": {"events"},
		"at-" + d.Other.ID: {"organizer"}}, 303)), "Organizer at "+d.Other.Name)
	viewer.Get("/admin/endpoints", 403)
	viewer.Get("/admin/events/"+d.Event.ID, 404)
	viewer.Get("/admin/events/"+d.Other.ID+"/settings", 200)
	admintest.Lacks(t, viewer.Get("/admin/account", 200), "Webhook endpoints", "/admin/staff")
	_, page := grant(owner, address, url.Values{"role": {"emperor"}}, 422)
	admintest.Wants(t, page, "Role must be one of owner, organizer, reviewer, viewer.")
	_, page = grant(owner, address, url.Values{"role": {"events"}, "at-" + d.Other.ID: {"owner"}}, 422)
	admintest.Wants(t, page, "Roles must be organizer, reviewer or viewer at each event.")
	owner.Get("/admin/staff/"+store.NewID(), 404)
	owner.Get("/admin/staff/x", 404)

	// The last owner stays; with another one they may go.
	self := "/admin/staff/" + d.Member("Ada owner").ID
	_, page = grant(owner, self, url.Values{"role": {"viewer"}}, 422)
	admintest.Wants(t, page, "Role stays owner, because there is no other one")
	admintest.Wants(t, owner.Answer(self+"/remove", nil, 422), "Role stays owner, because there is no other one")
	owner.Follow(grant(owner, address, url.Values{"role": {"owner"}}, 303))
	page = owner.Follow(grant(owner, self, url.Values{"role": {"viewer"}}, 303))
	admintest.Wants(t, page, "You are no owner any more.", "Viewer at every event")
	owner.Get("/admin/staff", 403)
}

// grant sends the form of a member with these choices.
func grant(b *admintest.Browser, address string, choices url.Values, status int) (location, page string) {
	b.T.Helper()
	form := admintest.Fields(b.Get(address, 200))
	for name, values := range choices {
		form[name] = values
	}
	return b.Post(address, form, status)
}

func TestTwoOwnersChangeOneMember(t *testing.T) {
	d := admintest.Open(t)
	ada, li := d.As(staff.Owner), d.As(staff.Owner)
	d.As(staff.Viewer)
	address := "/admin/staff/" + d.Member("Ada viewer").ID
	adas := admintest.Fields(ada.Get(address, 200))
	d.Clock.Move(time.Minute)
	li.Follow(grant(li, address, url.Values{"role": {"events"}, "at-" + d.Event.ID: {"organizer"}}, 303))
	d.Clock.Move(2 * time.Minute)
	adas.Set("role", "reviewer")
	_, page := ada.Post(address, adas, 409)
	admintest.Wants(t, page, "Ada owner changed Role and Role at "+d.Event.Name+" 2 minutes ago", "Only at single events",
		"Reviewer at every event", `value="reviewer" checked`)
	if got := d.Member("Ada viewer"); got.Everywhere || got.Roles[d.Event.ID] != staff.Organizer {
		t.Errorf("the late change was saved: %+v", got)
	}
	ada.Follow(ada.Post(address, admintest.Fields(page), 303))
	if got := d.Member("Ada viewer"); !got.Everywhere || got.Role != staff.Reviewer {
		t.Errorf("the choice was not saved: %+v", got)
	}
}

func TestRemovedStaffAreOutAtOnce(t *testing.T) {
	d := admintest.Open(t)
	owner, viewer := d.As(staff.Owner), d.As(staff.Viewer)
	address := "/admin/staff/" + d.Member("Ada viewer").ID
	admintest.Wants(t, owner.Get(address+"/remove", 200), "Remove Ada viewer?", "is signed out everywhere")
	viewer.Get("/admin/account", 200)
	admintest.Wants(t, owner.Follow(owner.Post(address+"/remove", nil, 303)),
		"Ada viewer is removed and signed out everywhere.")
	modelstest.Want(t, "leads to", viewer.Leads("/admin/account"), "/sign-in?next=%2Fadmin%2Faccount")
	owner.Get(address, 404)
	owner.On("/admin/staff").Post(address+"/remove", nil, 404)
	owner.On("/admin/staff").Post(address+"/reset-link", nil, 404)

	self := "/admin/staff/" + d.Member("Ada owner").ID
	d.As(staff.Owner) // so that the first one may go
	admintest.Wants(t, owner.Get(self+"/remove", 200), "Remove yourself?",
		"You are signed out and cannot come back by yourself.")
	admintest.Wants(t, owner.Follow(owner.Post(self+"/remove", nil, 303)), "You are removed and signed out.")
	owner.Leads("/admin/staff")
}

func TestAResetLinkOfAnOwner(t *testing.T) {
	d := admintest.Open(t)
	owner, reviewer := d.As(staff.Owner), d.As(staff.Reviewer)
	u := d.Member("Ada reviewer")
	b := d.Browser()
	admintest.Wants(t, b.Get("/reset", 200), "This server sends no mail. Ask an owner")
	admintest.Lacks(t, b.Text, `action="/reset"`)
	_, page := owner.On("/admin/staff/"+u.ID).Post("/admin/staff/"+u.ID+"/reset-link", nil, 200)
	link := linkOn(t, page)
	_, page = b.On("/sign-in").Post("/reset", url.Values{"email": {u.Email}}, 200) // ends no link
	admintest.Wants(t, page, "This server sends no mail.")
	admintest.Wants(t, b.Get(link, 200), "For "+u.Email+".")
	admintest.Wants(t, b.Answer(link, url.Values{"password": {"short"}}, 422), "Password must have 10 to 200 characters.")
	admintest.Lacks(t, b.Text, `value="short"`)
	admintest.Wants(t, b.Follow(b.Post(link, url.Values{"password": {"another password"}}, 303)),
		"Your password is changed. Sign in with it.")
	b.Get(link, 404)
	reviewer.Leads("/admin/account") // signed out there
	b.On("/sign-in").Post("/sign-in", url.Values{"email": {u.Email}, "password": {"another password"}}, 303)
	b.Get("/admin/account", 200)

	_, page = owner.On("/admin/staff/"+u.ID).Post("/admin/staff/"+u.ID+"/reset-link", nil, 200)
	d.Clock.Move(staff.ResetLifetime + time.Second)
	admintest.Wants(t, b.Get(linkOn(t, page), 404), "This link was used, withdrawn or is too old.")
}
