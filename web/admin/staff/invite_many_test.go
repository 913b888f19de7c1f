package staff_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// forty returns a list as somebody pastes it: new people, one who is staff already, a text that is no address, and an
// address that stands there twice.
func forty() string {
	list := []string{"Ada Example <ada@example.org>", "olga@example.org", "grace.example.org", "ADA@example.org"}
	for i := range 36 {
		list = append(list, fmt.Sprintf("\"Reviewer, %c.\" <r%d@example.org>", 'A'+i%26, i))
	}
	return strings.Join(list[:20], ", ") + ";\n" + strings.Join(list[20:], "\n")
}

func TestFortyReviewersAreInvitedAtOnce(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenOn(t, dialect, visit.Options{Mail: admintest.Mailed(func(string) error {
			t.Error("a mail left within the request")
			return nil
		})})
		owner := d.As(staff.Owner)
		modelstest.Must(d.Store.Staff.CreateUser(t.Context(), staff.NewUser{Email: "olga@example.org", Name: "Olga Member",
			Role: staff.Viewer, Password: admintest.Password}))(t)
		page := owner.Get("/admin/staff/invite?reviewers="+d.Event.ID, 200)
		admintest.Wants(t, page, `value="events" required checked`, "One, or a list of up to 100")
		form := url.Values{"email": {forty()}, "role": {"events"}, "at-" + d.Event.ID: {"reviewer"}, "at-" + d.Other.ID: {""}}
		admintest.Wants(t, owner.Answer("/admin/staff/invite", form, 200),
			"37 invitations are on the way. 1 address needs correcting, below.", ">grace.example.org</textarea>",
			"Works here already", "Olga Member", "Viewer at every event", "Stands twice in the list", "A. Reviewer",
			"Must be an address such as ana@example.org.", `name="at-`+d.Event.ID+`" value="reviewer"`)
		admintest.Lacks(t, owner.Text, "/invitations/")
		asked := modelstest.Must(d.Team(t.Context(), d.Member("Ada owner")).Invitations(t.Context()))(t)
		for _, i := range asked {
			if i.Everywhere || len(i.Roles) != 1 || i.Roles[d.Event.ID] != staff.Reviewer {
				t.Errorf("%s is asked to be %+v", i.Email, i.Roles)
			}
		}
		log := admintest.MailLog(d, nil)
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
		admintest.Wants(t, owner.Get("/admin/staff/mail", 200), "ada@example.org", "Waiting")

		// What is corrected goes out with the same role, and sent twice it is one invitation.
		again := url.Values{"email": {"grace@example.org\nada@example.org"}, "role": {"events"},
			"at-" + d.Event.ID: {"reviewer"}}
		_, page = owner.Post("/admin/staff/invite", again, 200)
		admintest.Wants(t, page, "2 invitations are on the way.", "Invited anew: the link that they had ends")
		owner.Post("/admin/staff/invite", again, 303)
		modelstest.Want(t, "mails", len(admintest.MailLog(d, nil)), 39)
	})
}

func TestWhatIsWrongWithAllInvitesNobody(t *testing.T) {
	d, owner := admintest.OpenAs(t, staff.Owner)
	owner.Get("/admin/staff/invite", 200)
	form := url.Values{"email": {"a@example.org, b@example.org"}, "role": {"events"}}
	_, page := owner.Post("/admin/staff/invite", form, 422)
	admintest.Wants(t, page, "Roles must name at least one event", ">a@example.org, b@example.org</textarea>")
	admintest.Fill(form, "email", strings.Repeat("x@example.org,", 101), "role", "viewer")
	admintest.Wants(t, owner.Answer("/admin/staff/invite", form, 422), "These are 101 people. Invite 100 at most at once.")
	if asked := modelstest.Must(d.Team(t.Context(), d.Member("Ada owner")).Invitations(t.Context()))(t); len(asked) > 0 {
		t.Errorf("%d invitations", len(asked))
	}
	d.As(staff.Organizer).Post("/admin/staff/invite", form, 403)
}

func TestLinksOfManyAreShownOnceWithoutAMailServer(t *testing.T) {
	d, owner := admintest.OpenAs(t, staff.Owner)
	owner.Get("/admin/staff/invite", 200)
	form := url.Values{"email": {"cy@example.org\nli@example.org\nnobody"}, "role": {"viewer"}}
	_, page := owner.Post("/admin/staff/invite", form, 200)
	admintest.Wants(t, page, "2 people are invited. Hand each their link", `name="copy" value="1"`)
	links := strings.Split(page, "/invitations/")[1:]
	if len(links) != 2 {
		t.Fatalf("%d links", len(links))
	}
	for i, email := range []string{"cy@example.org", "li@example.org"} {
		token, _, _ := strings.Cut(links[i], "<")
		admintest.Wants(t, d.Browser().Get("/invitations/"+token, 200), email, "Viewer at every event")
	}
	modelstest.Want(t, "mails", len(admintest.MailLog(d, nil)), 0)
}

// TestNotMoreMailsOfInvitationsLeaveThanAnHourTakes invites so many that the last wait for the next hour.
func TestNotMoreMailsOfInvitationsLeaveThanAnHourTakes(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{Mail: admintest.Taken})
	owner := d.As(staff.Owner)
	said := ""
	for i := range 3 {
		var list []string
		for n := range 90 {
			list = append(list, fmt.Sprintf("r%d-%d@example.org", i, n))
		}
		owner.Get("/admin/staff/invite", 200)
		_, said = owner.Post("/admin/staff/invite", url.Values{"email": {strings.Join(list, "\n")}, "role": {"viewer"}}, 200)
	}
	admintest.Wants(t, said, "90 invitations are on the way. 70 leave in a later hour")
	modelstest.Want(t, "the later", modelstest.RowsOf(t, d.Fixture, "SELECT count(*) FROM letters WHERE due_at > '"+
		store.At(d.Clock.Now()).String()+"'"), 70)
}
