package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// forty is a list as somebody pastes it: who is new, who is staff already, what is wrong, and somebody twice.
func forty() string {
	list := []string{"Ada Example <ada@example.org>", "olga@example.org", "grace.example.org", "ADA@example.org"}
	for i := range 36 {
		list = append(list, fmt.Sprintf("\"Reviewer, %c.\" <r%d@example.org>", 'A'+i%26, i))
	}
	return strings.Join(list[:20], ", ") + ";\n" + strings.Join(list[20:], "\n")
}

func TestFortyReviewersAreInvitedAtOnce(t *testing.T) {
	eachDialect(t, func(t *testing.T, dialect string) {
		d := openOn(t, dialect, Options{Mail: mailed(func(string) error {
			t.Error("a mail left within the request")
			return nil
		})})
		owner := d.as(staff.Owner)
		modelstest.Must(d.Store.Staff.CreateUser(t.Context(), staff.NewUser{Email: "olga@example.org", Name: "Olga Member",
			Role: staff.Viewer, Password: password}))(t)
		page := owner.get("/admin/staff/invite?reviewers="+d.Event.ID, 200)
		wants(t, page, `value="events" required checked`, "One, or a list of up to 100")
		form := url.Values{"email": {forty()}, "role": {"events"}, "at-" + d.Event.ID: {"reviewer"}, "at-" + d.Other.ID: {""}}
		_, page = owner.post("/admin/staff/invite", form, 200)
		wants(t, page, "37 invitations are on the way. 1 address needs correcting, below.", ">grace.example.org</textarea>",
			"Works here already", "Olga Member", "Viewer at every event", "Stands twice in the list", "A. Reviewer",
			"Must be an address such as ana@example.org.", `name="at-`+d.Event.ID+`" value="reviewer"`)
		lacks(t, page, "/invitations/")
		asked := modelstest.Must(d.Team(t.Context(), d.member("Ada owner")).Invitations(t.Context()))(t)
		for _, i := range asked {
			if i.Everywhere || len(i.Roles) != 1 || i.Roles[d.Event.ID] != staff.Reviewer {
				t.Errorf("%s is asked to be %+v", i.Email, i.Roles)
			}
		}
		log := modelstest.Must(mailLog(d, nil))(t)
		if len(asked) != 37 || len(log) != 37 {
			t.Errorf("%d invitations, %d mails", len(asked), len(log))
		}
		for _, l := range log {
			if l.State != models.LetterQueued || strings.Contains(l.Body, "/invitations/") ||
				!strings.Contains(l.Body, "Ada owner invites you") {
				t.Errorf("%s %s:\n%s", l.Email, l.State, l.Body)
			}
			if l.Email == "ada@example.org" && !strings.HasPrefix(l.Body, "Hello Ada Example,") {
				t.Errorf("Ada is greeted: %s", l.Body)
			}
		}
		wants(t, owner.get("/admin/staff/mail", 200), "ada@example.org", "Waiting")

		// What is corrected goes out with the same role, and sent twice it is one invitation.
		again := url.Values{"email": {"grace@example.org\nada@example.org"}, "role": {"events"},
			"at-" + d.Event.ID: {"reviewer"}}
		_, page = owner.post("/admin/staff/invite", again, 200)
		wants(t, page, "2 invitations are on the way.", "Invited anew: the link that they had ends")
		owner.post("/admin/staff/invite", again, 303)
		if log := modelstest.Must(mailLog(d, nil))(t); len(log) != 39 {
			t.Errorf("%d mails", len(log))
		}
	})
}

func TestWhatIsWrongWithAllInvitesNobody(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	owner := d.as(staff.Owner)
	owner.get("/admin/staff/invite", 200)
	form := url.Values{"email": {"a@example.org, b@example.org"}, "role": {"events"}}
	_, page := owner.post("/admin/staff/invite", form, 422)
	wants(t, page, "Roles must name at least one event", ">a@example.org, b@example.org</textarea>")
	form.Set("email", strings.Repeat("x@example.org,", 101))
	form.Set("role", "viewer")
	_, page = owner.post("/admin/staff/invite", form, 422)
	wants(t, page, "These are 101 people. Invite 100 at most at once.")
	if asked := modelstest.Must(d.Team(t.Context(), d.member("Ada owner")).Invitations(t.Context()))(t); len(asked) > 0 {
		t.Errorf("%d invitations", len(asked))
	}
	d.as(staff.Organizer).post("/admin/staff/invite", form, 403)
}

func TestLinksOfManyAreShownOnceWithoutAMailServer(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	owner := d.as(staff.Owner)
	owner.get("/admin/staff/invite", 200)
	form := url.Values{"email": {"cy@example.org\nli@example.org\nnobody"}, "role": {"viewer"}}
	_, page := owner.post("/admin/staff/invite", form, 200)
	wants(t, page, "2 people are invited. Hand each their link", `name="copy" value="1"`)
	links := strings.Split(page, "/invitations/")[1:]
	if len(links) != 2 {
		t.Fatalf("%d links", len(links))
	}
	for i, email := range []string{"cy@example.org", "li@example.org"} {
		token, _, _ := strings.Cut(links[i], "<")
		wants(t, d.browser().get("/invitations/"+token, 200), email, "Viewer at every event")
	}
	if log := modelstest.Must(mailLog(d, nil))(t); len(log) != 0 {
		t.Errorf("%d mails", len(log))
	}
}

func TestManyAreInvitedToARound(t *testing.T) {
	eachDialect(t, func(t *testing.T, dialect string) {
		d := openBlind(t, dialect, true)
		owner := d.as(staff.Owner)
		base := d.at("/rounds/" + d.round)
		owner.get(base, 200)
		form := url.Values{"do": {"invite"}, "invite": {"Li <li@example.org>, ada@example.org, x"}}
		_, page := owner.post(base+"/reviewers", form, 200)
		wants(t, page, "1 person is invited.", "Works here already", `name="do" value="invite"`, ">x</textarea>")
		li := d.browser()
		token := between(page, "/invitations/", "<")
		li.get("/invitations/"+token, 200)
		li.post("/invitations/"+token, url.Values{"name": {"Li"}, "password": {password}}, 303)
		wants(t, li.get(d.at("/reviews"), 200), "First look", "Nothing to review yet")
		li.get(d.at("/submissions"), 404)
	})
}

// TestNotMoreMailsOfInvitationsLeaveThanAnHourTakes invites so many that the last wait for the next hour.
func TestNotMoreMailsOfInvitationsLeaveThanAnHourTakes(t *testing.T) {
	t.Parallel()
	d := open(t, Options{Mail: mailed(func(string) error { return nil })})
	owner := d.as(staff.Owner)
	said := ""
	for i := range 3 {
		var list []string
		for n := range 90 {
			list = append(list, fmt.Sprintf("r%d-%d@example.org", i, n))
		}
		owner.get("/admin/staff/invite", 200)
		_, said = owner.post("/admin/staff/invite", url.Values{"email": {strings.Join(list, "\n")}, "role": {"viewer"}}, 200)
	}
	wants(t, said, "90 invitations are on the way. 70 leave in a later hour")
	var later int64
	modelstest.Fine(t, d.Store.Read(t.Context()).Table("letters").Where("due_at > ?", store.At(d.Clock.Now())).Count(&later).Error)
	if later != 70 {
		t.Errorf("%d wait", later)
	}
}
