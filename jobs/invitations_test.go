package jobs_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

var invitationLink = regexp.MustCompile(`/invitations/([A-Za-z0-9_-]{43})\b`)

// TestTheLinkOfAnInvitationIsMadeAsItLeaves also puts one mail off, which leaves with another link, and withdraws the
// invitation of another one.
func TestTheLinkOfAnInvitationIsMadeAsItLeaves(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		office, at := openPost(t)
		owner := f.Hire(t, "Ada", staff.Owner)
		team := f.Team(ctx, owner)
		var notes []models.Note
		for _, email := range []string{"li@x.org", "later@x.org", "gone@x.org", "joined@x.org"} {
			token := modelstest.Must(team.Invite(ctx, staff.Invitation{Email: email, Role: staff.Viewer, Everywhere: true}))(t)
			if email == "joined@x.org" {
				modelstest.Must(f.Staff.AcceptInvitation(ctx, token, "Jo", modelstest.SecretPhrase))(t)
			}
			notes = append(notes, models.Note{Name: "Li <" + email + ">", Email: email, Subject: "Join",
				Text: "Come: " + models.InvitationLink})
		}
		modelstest.Want(t, "waiting",
			modelstest.Must(f.Mails(f.Event.OrganizationID, modelstest.Tester).Invite(ctx, notes...))(t), 0)
		for _, i := range modelstest.Must(team.Invitations(ctx))(t) {
			if i.Email == "gone@x.org" {
				modelstest.Fine(t, team.Withdraw(ctx, i.ID))
			}
		}
		letters := jobs.NewLetters(f.Store, at, "p@post.test")
		modelstest.Must(letters.SendDue(ctx))(t)
		f.Clock.Move(5 * time.Minute)
		modelstest.Must(letters.SendDue(ctx))(t)
		for _, email := range []string{"li@x.org", "later@x.org"} {
			mails := office.got(email)
			if len(mails) != 1 {
				t.Fatalf("%s got %d", email, len(mails))
			}
			found := invitationLink.FindStringSubmatch(strings.ReplaceAll(mails[0], "=\r\n", ""))
			if found == nil || strings.Contains(mails[0], models.InvitationLink) || strings.Contains(mails[0], "letters..") {
				t.Fatalf("%s got\n%s", email, mails[0])
			}
			if i := modelstest.Must(f.Staff.InvitationBy(ctx, found[1]))(t); i.Email != email {
				t.Errorf("the link of %s is for %s", email, i.Email)
			}
		}
		if len(office.got("gone@x.org"))+len(office.got("joined@x.org")) > 0 {
			t.Error("who was withdrawn or joined got a mail")
		}
		rows := modelstest.First(f.Mails(f.Event.OrganizationID, modelstest.Tester).Log(ctx, store.Page{Size: 100}))(t)
		for _, l := range rows {
			want := models.LetterSent
			if l.Email == "gone@x.org" || l.Email == "joined@x.org" {
				want = models.LetterFailed
			}
			if l.State != want || invitationLink.MatchString(l.Body) {
				t.Errorf("%s is %s (%s): %s", l.Email, l.State, l.Answer, l.Body)
			}
		}
	})
}
