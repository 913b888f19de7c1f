package jobs_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/call"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/store"
)

var placeLink = regexp.MustCompile(`/events/conf/place/(link|join)/([A-Za-z0-9_-]{43})\b`)

// linkIn is the link in a mail as it came, folded for its way.
func linkIn(t *testing.T, mail string) (door, token string) {
	t.Helper()
	found := placeLink.FindStringSubmatch(strings.ReplaceAll(mail, "=\r\n", ""))
	if found == nil {
		t.Fatalf("there is no link in\n%s", mail)
	}
	return found[1], found[2]
}

// TestALinkIsMadeForEachAttemptAndKeptNowhere sends a decision, a letter of the call to somebody asked to speak
// along, and one to an address that is not its contact's.
func TestALinkIsMadeForEachAttemptAndKeptNowhere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		office, at := openPost(t)
		id := accepted(t, f, "Tides", person("later@x.org"), person("other@x.org"))
		s := modelstest.Must(p.Session(ctx, id))(t)
		first, second := s.Participants[0].ContactID, s.Participants[1].ContactID
		asked := &call.CoSpeaker{ID: store.NewID(), EventID: f.Event.ID, SessionID: id, InvitedBy: first, Role: "speaker",
			Email: "asked@x.org", EmailKey: "asked@x.org", State: "invited", CreatedAt: store.At(f.Clock.Now())}
		modelstest.Fine(t, p.Write(ctx, func(tx *store.Tx) error {
			if err := tx.Create(asked).Error; err != nil {
				return err
			}
			return p.SendCallLetters(tx,
				models.CallLetter{Email: "asked@x.org", CoSpeakerID: asked.ID, Subject: "Come", Body: "Come {{place_link}}"},
				models.CallLetter{Email: "gone@x.org", CoSpeakerID: store.NewID(), Subject: "Come", Body: "{{place_link}}"},
				models.CallLetter{ContactID: second, Email: "thief@x.org", Subject: "Come", Body: "{{place_link}}"})
		}))
		modelstest.Must(letters.Of(p).SendChosen(ctx, letters.Choice{}, 2))(t)
		f.Clock.Move(letters.Hold)
		sender := jobs.NewLetters(f.Store, at, "p@post.test")
		modelstest.Must(sender.SendDue(ctx))(t)
		f.Clock.Move(5 * time.Minute)
		modelstest.Must(sender.SendDue(ctx))(t)
		door, token := linkIn(t, office.got("asked@x.org")[0])
		modelstest.Want(t, "who is asked along gets", door, "join")
		door, other := linkIn(t, office.got("other@x.org")[0])
		_, third := linkIn(t, office.got("later@x.org")[0])
		if door != "link" || token == other || other == third {
			t.Error("links are not their own")
		}
		all := lettersOf(t, f)
		for _, address := range []string{"gone@x.org", "thief@x.org"} {
			if l := all[address]; l.State != models.LetterFailed || len(office.got(address)) != 0 ||
				l.Answer != "Whom its link is for is not there any more" {
				t.Errorf("%s: %s, %q", address, l.State, l.Answer)
			}
		}
		// later@ was tried twice
		modelstest.Want(t, "links", modelstest.RowsOf(t, f, "SELECT count(*) FROM speaker_links"), 4)
		for _, secret := range []string{token, other, third} {
			logged := strings.Contains(strings.Join(f.Log.Lines(), "\n"), secret)
			if kept := modelstest.TablesWith(t, f, secret); len(kept) > 0 || logged {
				t.Errorf("a token is kept in the clear: %v", kept)
			}
		}
		if kept := modelstest.TablesWith(t, f, "asked@x.org"); len(kept) < 2 {
			t.Errorf("what is kept is looked for in %v alone", kept)
		}
	})
}
