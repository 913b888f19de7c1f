package admin

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

var linkPattern = regexp.MustCompile(`<code id="link">http://127\.0\.0\.1(/(?:invitations|reset)/[\w-]{43})</code>`)

// linkOn is the one-time link that a page shows.
func linkOn(t *testing.T, page string) string {
	t.Helper()
	m := linkPattern.FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no link on\n%s", page)
	}
	return m[1]
}

func (d *desk) member(name string) *staff.User {
	d.t.Helper()
	for _, u := range modelstest.Must(d.Staff.Team(d.Organization(d.Event.OrganizationID, store.By{})).
		Members(context.Background()))(d.t) {
		if u.Name == name {
			return u
		}
	}
	d.t.Fatalf("nobody is called %s", name)
	return nil
}

func TestAnInvitationIsShownOnceAndWorksOnce(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	owner := d.as(staff.Owner)
	wants(t, owner.get("/admin/staff", 200), "Ada owner", "Nobody is invited")
	wants(t, owner.get("/admin/staff/invite", 200), "There is no mail server", d.Event.Name, d.Other.Name)
	form := url.Values{"email": {"cy@"}, "role": {"events"}, "at-" + d.Event.ID: {"reviewer"}, "at-" + d.Other.ID: {""}}
	_, page := owner.post("/admin/staff/invite", form, 422)
	wants(t, page, "The e-mail address must be an address such as ana@example.org.", `>cy@</textarea>`,
		`value="reviewer" selected`,
		`id="role-events" name="role" value="events" required checked`)
	form.Set("email", "cy@example.org")
	_, page = owner.post("/admin/staff/invite", form, 200)
	link := linkOn(t, page)
	page = owner.get("/admin/staff", 200)
	wants(t, page, "cy@example.org", "Reviewer at "+d.Event.Name, "Sat 28 Nov 2026, 09:30 UTC")
	lacks(t, page, link)

	cy := d.browser()
	wants(t, cy.get(link, 200), "Ada owner invites you", "Reviewer at "+d.Event.Name, "cy@example.org")
	_, page = cy.post(link, url.Values{"name": {"Cy"}, "password": {"cy@example.org"}}, 422)
	wants(t, page, "Password must not be your own address or name.", `value="Cy"`)
	_, page = cy.post(link, url.Values{"name": {" "}, "password": {password}}, 422)
	wants(t, page, "Name must")
	lacks(t, page, password)
	if location, _ := cy.post(link, url.Values{"name": {"Cy"}, "password": {password}}, 303); location != "/admin" {
		t.Errorf("leads to %q", location)
	}
	cy.get("/admin/events/"+d.Event.ID, 200)
	cy.get("/admin/events/"+d.Other.ID, 404)
	wants(t, cy.get(link, 404), "This link was used, withdrawn or is too old.")
	wants(t, d.browser().get("/invitations/"+strings.Repeat("A", 43), 404), "This link was used")

	_, page = owner.post("/admin/staff/invite", url.Values{"email": {"CY@example.org"}, "role": {"viewer"}}, 422)
	wants(t, page, "The e-mail address belongs to a member of staff already.")
}

func TestAnInvitationCanBeWithdrawn(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	owner := d.as(staff.Owner)
	owner.get("/admin/staff/invite", 200)
	_, page := owner.post("/admin/staff/invite", url.Values{"email": {"cy@example.org"}, "role": {"organizer"}}, 200)
	link := linkOn(t, page)
	d.browser().get(link, 200)
	page = owner.get("/admin/staff", 200)
	withdraw := regexp.MustCompile(`/admin/staff/invitations/[\w-]+/withdraw`).FindString(page)
	wants(t, owner.follow(owner.post(withdraw, nil, 303)), "The invitation is withdrawn.", "Nobody is invited")
	d.browser().get(link, 404)
	owner.post(withdraw, nil, 404)
}

func TestJoiningSignsOutWhoWasThere(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	owner := d.as(staff.Owner)
	owner.get("/admin/staff/invite", 200)
	_, page := owner.post("/admin/staff/invite", url.Values{"email": {"cy@example.org"}, "role": {"viewer"}}, 200)
	was := owner.cookies[loginCookie]
	link := linkOn(t, page)
	wants(t, owner.get(link, 200), "This browser is signed in as Ada owner.")
	owner.post(link, url.Values{"name": {"Cy"}, "password": {password}}, 303)
	wants(t, owner.get("/admin/account", 200), "cy@example.org", "Viewer at every event")
	if _, err := d.Staff.LoginBy(context.Background(), was); store.KindOf(err) != store.Unauthorized {
		t.Errorf("the owner's login: %v", err)
	}
}

// mailed takes letters.
type mailed func(letter string) error

func (m mailed) Send(_ context.Context, l *models.OutgoingLetter) error {
	return m(l.Email + " " + l.Subject + " " + l.Body)
}

func (m mailed) SendLater(to, subject, text string, ended func(error)) {
	ended(m(to + " " + subject + " " + text))
}

func TestLinksAreShownWhenTheMailServerRefuses(t *testing.T) {
	t.Parallel()
	var letters []string
	broken := false
	d := open(t, Options{Mail: mailed(func(letter string) error {
		if broken {
			return errors.New("the mail server is away")
		}
		letters = append(letters, letter)
		return nil
	})})
	owner := d.as(staff.Owner)
	wants(t, owner.get("/admin/staff/invite", 200), "Each gets a letter", "Send the invitation")
	form := url.Values{"email": {"cy@example.org"}, "role": {"viewer"}}
	page := owner.follow(owner.post("/admin/staff/invite", form, 303))
	wants(t, page, "An invitation is on its way to cy@example.org.")
	if len(letters) != 1 || !strings.HasPrefix(letters[0], "cy@example.org Join the programme of ") ||
		!strings.Contains(letters[0], "http://127.0.0.1/invitations/") {
		t.Errorf("mailed %q", letters)
	}
	broken = true
	owner.get("/admin/staff/invite", 200)
	form.Del("_token")
	_, page = owner.post("/admin/staff/invite", form, 200)
	wants(t, page, "The mail server did not take the letter")
	d.browser().get(linkOn(t, page), 200)
	// Who rather hands it over gets it to copy, and nothing is mailed.
	broken = false
	owner.get("/admin/staff/invite", 200)
	form.Set("copy", "1")
	form.Del("_token")
	_, page = owner.post("/admin/staff/invite", form, 200)
	d.browser().get(linkOn(t, page), 200)
	if len(letters) != 1 {
		t.Errorf("mailed %q", letters)
	}
	// What was mailed stands in the log, without the link.
	page = owner.get("/admin/staff/mail", 200)
	wants(t, page, "cy@example.org", "Join the programme of ", "Sent", "Refused", "The mail server did not take it")
	lacks(t, page, "/invitations/")
	for _, l := range modelstest.Must(mailLog(d, nil))(t) {
		if strings.Contains(l.Body, "/invitations/") || !strings.Contains(l.Body, "kept nowhere") {
			t.Errorf("kept: %s", l.Body)
		}
	}
	d.as(staff.Organizer).get("/admin/staff/mail", 403)
}

// mailLog is what was written to the staff, of an event or of the organization.
func mailLog(d *desk, at *models.Programme) ([]*models.LetterRow, error) {
	log := d.Store.Mails(d.Event.OrganizationID, modelstest.Tester)
	if at != nil {
		log = at.Mails()
	}
	rows, _, err := log.Log(d.t.Context(), store.Page{Size: 100})
	return rows, err
}

func TestRolesOfStaffChangeFromTheNextPage(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	owner, viewer := d.as(staff.Owner), d.as(staff.Viewer)
	address := "/admin/staff/" + d.member("Ada viewer").ID
	wants(t, owner.get(address, 200), `id="role-viewer" name="role" value="viewer" required checked`)
	viewer.get("/admin/endpoints", 403)
	wants(t, owner.follow(owner.grant(address, url.Values{"role": {"organizer"}}, 303)),
		"What Ada viewer may do is changed", "Organizer at every event")
	viewer.get("/admin/endpoints", 200)
	wants(t, owner.follow(owner.grant(address, url.Values{"role": {"events"}, "at-" + d.Other.ID: {"organizer"}}, 303)),
		"Organizer at "+d.Other.Name)
	viewer.get("/admin/endpoints", 403)
	viewer.get("/admin/events/"+d.Event.ID, 404)
	viewer.get("/admin/events/"+d.Other.ID+"/settings", 200)
	lacks(t, viewer.get("/admin/account", 200), "Webhook endpoints", "/admin/staff")
	_, page := owner.grant(address, url.Values{"role": {"emperor"}}, 422)
	wants(t, page, "Role must be one of owner, organizer, reviewer, viewer.")
	_, page = owner.grant(address, url.Values{"role": {"events"}, "at-" + d.Other.ID: {"owner"}}, 422)
	wants(t, page, "Roles must be organizer, reviewer or viewer at each event.")
	owner.get("/admin/staff/"+store.NewID(), 404)
	owner.get("/admin/staff/x", 404)

	// The last owner stays; with another one they may go.
	self := "/admin/staff/" + d.member("Ada owner").ID
	_, page = owner.grant(self, url.Values{"role": {"viewer"}}, 422)
	wants(t, page, "Role stays owner, because there is no other one")
	_, page = owner.post(self+"/remove", nil, 422)
	wants(t, page, "Role stays owner, because there is no other one")
	owner.follow(owner.grant(address, url.Values{"role": {"owner"}}, 303))
	page = owner.follow(owner.grant(self, url.Values{"role": {"viewer"}}, 303))
	wants(t, page, "You are no owner any more.", "Viewer at every event")
	owner.get("/admin/staff", 403)
}

// grant sends the form of a member with these choices.
func (b *browser) grant(address string, choices url.Values, status int) (location, page string) {
	b.t.Helper()
	form := fields(b.get(address, 200))
	for name, values := range choices {
		form[name] = values
	}
	return b.post(address, form, status)
}

func TestTwoOwnersChangeOneMember(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada, li := d.as(staff.Owner), d.as(staff.Owner)
	d.as(staff.Viewer)
	address := "/admin/staff/" + d.member("Ada viewer").ID
	adas := fields(ada.get(address, 200))
	d.Clock.Move(time.Minute)
	li.follow(li.grant(address, url.Values{"role": {"events"}, "at-" + d.Event.ID: {"organizer"}}, 303))
	d.Clock.Move(2 * time.Minute)
	adas.Set("role", "reviewer")
	_, page := ada.post(address, adas, 409)
	wants(t, page, "Ada owner changed Role and Role at "+d.Event.Name+" 2 minutes ago", "Only at single events",
		"Reviewer at every event", `value="reviewer" checked`)
	if got := d.member("Ada viewer"); got.Everywhere || got.Roles[d.Event.ID] != staff.Organizer {
		t.Errorf("the late change was saved: %+v", got)
	}
	ada.follow(ada.post(address, fields(page), 303))
	if got := d.member("Ada viewer"); !got.Everywhere || got.Role != staff.Reviewer {
		t.Errorf("the choice was not saved: %+v", got)
	}
}

func TestRemovedStaffAreOutAtOnce(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	owner, viewer := d.as(staff.Owner), d.as(staff.Viewer)
	address := "/admin/staff/" + d.member("Ada viewer").ID
	wants(t, owner.get(address+"/remove", 200), "Remove Ada viewer?", "is signed out everywhere")
	viewer.get("/admin/account", 200)
	wants(t, owner.follow(owner.post(address+"/remove", nil, 303)), "Ada viewer is removed and signed out everywhere.")
	if location := viewer.leads("/admin/account"); location != "/sign-in?next=%2Fadmin%2Faccount" {
		t.Errorf("leads to %q", location)
	}
	owner.get(address, 404)
	owner.get("/admin/staff", 200)
	owner.post(address+"/remove", nil, 404)
	owner.get("/admin/staff", 200)
	owner.post(address+"/reset-link", nil, 404)

	self := "/admin/staff/" + d.member("Ada owner").ID
	d.as(staff.Owner) // so that the first one may go
	wants(t, owner.get(self+"/remove", 200), "Remove yourself?", "You are signed out and cannot come back by yourself.")
	wants(t, owner.follow(owner.post(self+"/remove", nil, 303)), "You are removed and signed out.")
	owner.leads("/admin/staff")
}

func TestAResetLinkOfAnOwner(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	owner, reviewer := d.as(staff.Owner), d.as(staff.Reviewer)
	u := d.member("Ada reviewer")
	b := d.browser()
	page := b.get("/reset", 200)
	wants(t, page, "This server sends no mail. Ask an owner")
	lacks(t, page, `action="/reset"`)
	owner.get("/admin/staff/"+u.ID, 200)
	_, page = owner.post("/admin/staff/"+u.ID+"/reset-link", nil, 200)
	link := linkOn(t, page)
	b.get("/sign-in", 200)
	_, page = b.post("/reset", url.Values{"email": {u.Email}}, 200) // ends no link
	wants(t, page, "This server sends no mail.")
	wants(t, b.get(link, 200), "For "+u.Email+".")
	_, page = b.post(link, url.Values{"password": {"short"}}, 422)
	wants(t, page, "Password must have 10 to 200 characters.")
	lacks(t, page, `value="short"`)
	wants(t, b.follow(b.post(link, url.Values{"password": {"another password"}}, 303)),
		"Your password is changed. Sign in with it.")
	b.get(link, 404)
	reviewer.leads("/admin/account") // signed out there
	b.get("/sign-in", 200)
	b.post("/sign-in", url.Values{"email": {u.Email}, "password": {"another password"}}, 303)
	b.get("/admin/account", 200)

	owner.get("/admin/staff/"+u.ID, 200)
	_, page = owner.post("/admin/staff/"+u.ID+"/reset-link", nil, 200)
	d.Clock.Move(staff.ResetLifetime + time.Second)
	wants(t, b.get(linkOn(t, page), 404), "This link was used, withdrawn or is too old.")
}
