package cfp_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/letters"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/views/words"
)

// TestLettersOfTheCallSpeakTheLanguageOfTheirReader writes to who reads German, to who read Spanish last and is away,
// and to who was never there, at an event that offers French and Spanish.
func TestLettersOfTheCallSpeakTheLanguageOfTheirReader(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		german := words.With(ctx, words.For("de"))
		modelstest.Fine(t, look.Of(f.Programme()).Save(ctx, look.Change{Languages: new("es fr")}))
		pl, s := c.Begin(t, f, "Ada", "Tides {{place_link}}")
		pl = c.Prove(t, f, pl)
		modelstest.Must(pl.InviteCoSpeaker(german, c.Event, s.ID, cfp.Asking{Email: "li@example.org", Role: models.Moderator}))(t)
		v := answers(c)
		v["title"] = "Tides {{place_link}}"
		p := saved(t, pl, c, s.ID, v)
		modelstest.Must(pl.Submit(german, c.Event, s.ID, cfp.Submitting{Token: p.Token()}))(t)
		modelstest.Fine(t, pl.LeaveOthers(german, c.Event))
		away := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "Wei",
			Email: "wei@example.org"}))(t)
		call := cfp.Of(f.Programme())
		modelstest.Fine(t, call.InviteToPlace(ctx, away.ID))
		modelstest.Fine(t, pl.Speaks(ctx, "es"))
		modelstest.Must(call.PlaceLink(ctx, pl.ContactID()))(t)
		c.Begin(t, f, "Kim", "Draft")
		f.Clock.Move(c.Closes.Sub(f.Clock.Now()) - 5*day)
		modelstest.Must(cfp.SendNotices(ctx, f.Store, 10))(t)

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
			if !found {
				t.Errorf("no letter %q has %q", w.subject, w.body)
			}
		}
		for _, l := range all {
			if strings.Contains(l.Subject+l.Body, "letter.") || strings.Contains(l.Body, "<no value>") ||
				strings.Count(l.Body, "{{") != 1 || !l.HasPlaceLink() {
				t.Errorf("%s\n%s", l.Subject, l.Body)
			}
		}
		modelstest.Want(t, "letters", len(all), len(want))
	})
}

// TestTheFirstInvitationToThePlaceSaysWhatItsStarterSays holds together what one person is sent, and what staff begin
// with who write to many.
func TestTheFirstInvitationToThePlaceSaysWhatItsStarterSays(t *testing.T) {
	said := []any{"Event", "{{event}}", "First", "{{first_name}}", "Link", models.PlaceLinkHere}
	l := words.English()
	if l.T("letter.place_subject", said...) != letters.PlaceInvitation.Subject ||
		l.T("letter.place", said...) != letters.PlaceInvitation.Body {
		t.Error("the catalogue says something else")
	}
}
