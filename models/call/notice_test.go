package call_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/letters"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/views/words"
)

const day = 24 * time.Hour

// openCall opens an event's call that closes after some time.
func openCall(t *testing.T, f *modelstest.Fixture, p *models.Programme, closes time.Duration) *models.Event {
	t.Helper()
	modelstest.Fine(t, call.Of(p).Start(t.Context()))
	now := f.Clock.Now()
	modelstest.Must(p.UpdateEvent(t.Context(), models.EventChange{CFPOpensAt: store.Some(store.At(now.Add(-day))),
		CFPClosesAt: store.Some(store.At(now.Add(closes)))}))(t)
	return modelstest.Must(f.EventBy(t.Context(), p.Event().ID))(t)
}

func begun(t *testing.T, f *modelstest.Fixture, event *models.Event, title, email string) *call.Begun {
	t.Helper()
	return modelstest.Must(call.Begin(t.Context(), f.Store, event, call.Beginning{Name: "Ada Lovelace", Email: email,
		Title: title, Browser: call.Browser{Address: "192.0.2.9", Agent: "B"}}, store.By{Door: "call"}))(t)
}

func noticesTo(t *testing.T, f *modelstest.Fixture, address string) (n int) {
	t.Helper()
	for _, row := range lettersOf(t, f) {
		if row.Email == address {
			n++
		}
	}
	return n
}

func TestPeopleWithADraftAreToldTwiceBeforeTheEnd(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		event := openCall(t, f, f.Programme(), 10*day)
		other := openCall(t, f, f.Elsewhere(), 200*day)
		draft := begun(t, f, event, "Draft", "draft@x.org")
		longer := begun(t, f, event, "Longer", "longer@x.org")
		done := begun(t, f, event, "Submitted", "done@x.org")
		begun(t, f, other, "Elsewhere", "far@x.org")
		cfp := call.Of(f.Programme())
		_ = modelstest.Must(cfp.SubmitFor(ctx, done.Session.ID, call.SubmittingFor{Token: done.Session.UpdatedAt,
			AsItIs: true}))(t)
		confirmed := noticesTo(t, f, "done@x.org")
		tell := func() {
			t.Helper()
			modelstest.AllSucceed(t, 3, func(int) error { // as several processes would
				return modelstest.ErrorOf(call.SendNotices(ctx, f.Store, 100))
			})
		}
		want := func(when string, told, toldLonger int) {
			t.Helper()
			tell()
			modelstest.Want(t, when+": notices", noticesTo(t, f, "draft@x.org"), told)
			modelstest.Want(t, when+": notices of who may write longer", noticesTo(t, f, "longer@x.org"), toldLonger)
		}
		want("10 days before", 0, 0)
		modelstest.Fine(t, cfp.Extend(ctx, longer.Account.ContactID, new(store.At(f.Clock.Now().Add(20*day)))))
		f.Clock.Move(5*day - time.Second)
		want("a second too early", 0, 0)
		f.Clock.Move(time.Second)
		late := begun(t, f, event, "Late", "late@x.org")
		want("5 days before", 1, 0)
		modelstest.Want(t, "who has just begun is told", noticesTo(t, f, "late@x.org"), 0)
		modelstest.Fine(t, cfp.Lock(ctx, late.Session.ID, true))
		f.Clock.Move(4 * day)
		want("1 day before", 2, 0)
		f.Clock.Move(2 * day)
		want("after the end", 2, 0)
		f.Clock.Move(8 * day)
		want("a day before the end of who may write longer", 2, 1)
		for address, n := range map[string]int{"done@x.org": confirmed, "far@x.org": 0, "late@x.org": 0} {
			modelstest.Want(t, "letters to "+address, noticesTo(t, f, address), n)
		}
		modelstest.Want(t, "a notice changes the draft",
			modelstest.Must(f.Programme().Session(ctx, draft.Session.ID))(t).Status, models.Draft)
	})
}

// TestNoticesCutShortTellEachPersonOnce cuts the sending at each of its statements in turn, as a kill would, 5 days and
// 1 day before the end.
func TestNoticesCutShortTellEachPersonOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		event := openCall(t, f, f.Programme(), 10*day)
		people := []string{"ada@x.org", "bea@x.org", "cyd@x.org"}
		for _, email := range people {
			begun(t, f, event, "Draft", email)
		}
		f.Clock.Move(5 * day)
		for told, later := range []time.Duration{0, 4 * day} {
			f.Clock.Move(later)
			cuts := 0
			for at := 1; sendCut(t, f, at); at++ {
				cuts++
			}
			modelstest.Holds(t, cuts >= 10, "it was cut %d times", cuts)
			for _, email := range people {
				modelstest.Want(t, fmt.Sprint("notices of ", email, " after round ", told+1), noticesTo(t, f, email), told+1)
			}
		}
	})
}

// sendCut sends notices until the nth statement, and reports whether it was cut.
func sendCut(t *testing.T, f *modelstest.Fixture, at int) (wasCut bool) {
	t.Helper()
	ctx, cut := context.WithCancel(t.Context())
	defer cut()
	n := 0
	stop := f.Statement.Watch(func(string) {
		if n++; n == at {
			wasCut = true
			cut()
		}
	})
	defer stop()
	if _, err := call.SendNotices(ctx, f.Store, 100); !wasCut {
		modelstest.Fine(t, err)
	}
	return wasCut
}

// TestLettersOfTheCallSpeakTheLanguageOfTheirReader writes to a reader of German, to one whose last visit was in
// Spanish, and to one who was never there, at an event that offers French and Spanish.
func TestLettersOfTheCallSpeakTheLanguageOfTheirReader(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		german := words.With(ctx, words.For("de"))
		modelstest.Fine(t, look.Of(f.Programme()).Save(ctx, look.Change{Languages: new("es fr")}))
		pl, s := c.Begin(t, f, "Ada", "Tides {{place_link}}")
		pl = c.Prove(t, f, pl)
		modelstest.Must(pl.InviteCoSpeaker(german, c.Event, s.ID,
			call.Asking{Email: "li@example.org", Role: models.Moderator}))(t)
		v := answers(c)
		v["title"] = "Tides {{place_link}}"
		p := saved(t, pl, c, s.ID, v)
		modelstest.Must(pl.Submit(german, c.Event, s.ID, call.Submitting{Token: p.Token()}))(t)
		modelstest.Fine(t, pl.LeaveOthers(german, c.Event))
		away := modelstest.Contact(t, f.Programme(), "Wei", "wei@example.org")
		cfp := call.Of(f.Programme())
		modelstest.Fine(t, cfp.InviteToPlace(ctx, away.ID))
		modelstest.Fine(t, pl.Speaks(ctx, "es"))
		modelstest.Must(cfp.PlaceLink(ctx, pl.ContactID()))(t)
		c.Begin(t, f, "Kim", "Draft")
		f.Clock.Move(c.Closes.Sub(f.Clock.Now()) - 5*day)
		modelstest.Must(call.SendNotices(ctx, f.Store, 10))(t)

		want := []struct{ subject, body string }{
			{"Einladung, bei Conference mitzuwirken, von Ada", "Guten Tag,\n\nSie sind eingeladen, bei Conference mitzuwirken. " +
				"Ada schlägt dort „Tides { {place_link}“ vor und nennt Sie für die Moderation.\n"},
			{"Conference: „Tides {place_link}“ ist bei uns (A-1)", "Was Sie geschickt haben:\n\nTitel: Tides {place_link}\n\n"},
			{"Ihre Geräte bei Conference", "alle anderen Geräte abgemeldet"},
			{"Conference : vos sessions et ce dont nous avons besoin", "Bonjour Wei,\n"},
			{"Se ha copiado un enlace a su espacio en Conference", "Test key, de la organización de Conference"},
			{"Conference : une proposition n’est pas encore soumise", "c’est-à-dire dans 5 jours."},
		}
		all := lettersOf(t, f)
		for _, w := range want {
			found := false
			for _, l := range all {
				found = found || l.Subject == w.subject && strings.Contains(l.Body, w.body)
			}
			modelstest.Holds(t, found, "no letter %q has %q", w.subject, w.body)
		}
		for _, l := range all {
			modelstest.Holds(t, !strings.Contains(l.Subject+l.Body, "letter.") && !strings.Contains(l.Body, "<no value>") &&
				strings.Count(l.Body, "{{") == 1 && l.HasPlaceLink(), "%s\n%s", l.Subject, l.Body)
		}
		modelstest.Want(t, "letters", len(all), len(want))
	})
}

// TestTheFirstInvitationToThePlaceSaysWhatItsStarterSays compares the invitation that one person gets with the text
// that staff start from when they write to many.
func TestTheFirstInvitationToThePlaceSaysWhatItsStarterSays(t *testing.T) {
	said := []any{"Event", "{{event}}", "First", "{{first_name}}", "Link", models.PlaceLinkHere}
	l := words.English()
	modelstest.Holds(t, l.T("letter.place_subject", said...) == letters.PlaceInvitation.Subject &&
		l.T("letter.place", said...) == letters.PlaceInvitation.Body, "the catalogue says something else")
}
