package call_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

var summaryLink = regexp.MustCompile(`<a class="inline-block py-1" href="#([^"]+)">([^<]+)</a>`)

// TestFaultsOfAQuestionSpeakAsItsForm has faults of each field, whose links lead to what is on the page.
func TestFaultsOfAQuestionSpeakAsItsForm(t *testing.T) {
	admintest.OnOne(t, func(t *testing.T, dialect string) {
		d := admintest.OpenOn(t, dialect, visit.Options{})
		modelstest.Fine(t, call.Of(d.Programme()).Start(t.Context()))
		b, part, n := d.As(staff.Organizer), d.Form().Parts[0].ID, 0
		refused := func(label string, more url.Values, want ...string) {
			t.Helper()
			more["part"] = []string{part}
			_, page := b.On(d.At("/call/questions/new")).Post(d.At("/call/questions/new"), admintest.Filled(label, more), 422)
			admintest.Wants(t, page, want...)
			links := summaryLink.FindAllStringSubmatch(page, -1)
			for _, link := range links {
				n++
				if !strings.Contains(page, `id="`+link[1]+`"`) {
					t.Errorf("%q leads to #%s, which is not there", link[2], link[1])
				}
			}
			if len(links) == 0 {
				t.Error("there is no link:", admintest.Body(page))
			}
		}
		refused("Size", url.Values{"type": {"choice"}, "choice": {"S", "", "a;b", "L"}},
			"Choice 2 must be one line without ; and |")
		refused("Size", url.Values{"type": {"choice"}, "choice": {"S", "", "L"}, "choice_limit": {"", "", "many"}},
			"Choice 2 must be a whole number")
		refused("Size", url.Values{"type": {"choice"}}, "Choices must")
		refused("Long", url.Values{"limit": {"9999"}}, "At most must be between 1 and 2000")
		refused("Long", url.Values{"limit": {"x"}}, "At most must be a whole number")
		refused("Slides", url.Values{"type": {"file"}, "size": {"90"}}, "Size at most, in MB must be between 1 and 20 MB")
		refused("Which", url.Values{"after": {"a\tb", "c\td"}}, "After an answer has answers to two questions")
		refused("", url.Values{"key": {"title"}}, "Question must", "Key in the API is that of another")
		refused(" FORMAT ", url.Values{}, "Question is what another question of this form asks already")
		if n < 9 {
			t.Errorf("%d links", n)
		}
		admintest.Wants(t, b.Get(d.At("/call/texts"), 200), "Texts and limits")
		form := b.Hidden("updated_at", "was_heading", "was_max_speakers")
		form["max_total"], form["max_speakers"] = []string{"many"}, []string{"4"}
		admintest.Wants(t, b.Answer(d.At("/call/texts"), form, 422), "Proposals in all, at most must be a whole number")
	})
}

func TestTwoQuestionsAreNotCalledTheSame(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, cfp := t.Context(), call.Of(f.Programme())
		modelstest.Fine(t, cfp.Start(ctx))
		form := modelstest.Must(cfp.Form(ctx))(t)
		in := call.QuestionInput{Type: field.Text, Label: "Town", Required: call.Optional, SeenBy: call.Reviewers}
		town := modelstest.Must(cfp.AddQuestion(ctx, form.Parts[0].ID, in))(t)
		_, err := cfp.AddQuestion(ctx, form.Parts[0].ID, in)
		modelstest.WantKind(t, "the same once more", err, store.Invalid)
		in.Help = "Where you live"
		modelstest.Must(cfp.ChangeQuestion(ctx, town.ID, in, nil))(t)
		in.Label = "title"
		_, err = cfp.ChangeQuestion(ctx, town.ID, in, nil)
		modelstest.WantKind(t, "that of another", err, store.Invalid)
		modelstest.Fine(t, cfp.RemoveQuestion(ctx, town.ID))
		in.Label = "Town"
		modelstest.Must(cfp.AddQuestion(ctx, form.Parts[0].ID, in))(t)
	})
}

func TestARecordSaysDatesInWordsAndWhenItWasSubmitted(t *testing.T) {
	admintest.OnOne(t, func(t *testing.T, dialect string) {
		d := admintest.OpenOn(t, dialect, visit.Options{})
		ctx, c := t.Context(), modelstest.OpenCall(t, d.Fixture)
		cfp := call.Of(d.Programme())
		modelstest.Must(cfp.AddQuestion(ctx, d.Form().Parts[1].ID, call.QuestionInput{Type: field.Date, Label: "From when",
			Required: call.Optional, SeenBy: call.Reviewers}))(t)
		_, s := c.Begin(t, d.Fixture, "Ada", "Tides")
		answers := models.AnswersInput{{Key: "from_when", Value: "2026-12-01"}, {Key: "else", Value: "2026-12-02"}}
		modelstest.Must(d.Programme().UpdateSession(ctx, s.ID, models.SessionChange{SessionInput: models.SessionInput{
			CustomFields: &answers, Description: new("<p>Up</p>")}}))(t)
		olga, record := d.As(staff.Organizer), d.At("/sessions/"+s.ID)
		admintest.Wants(t, olga.Get(record, 200), "1 December 2026", "2026-12-02", "Begun")
		begun := d.Clock.Now()
		d.Clock.Move(3 * time.Hour)
		token := d.Read(s.ID).UpdatedAt
		modelstest.Must(cfp.SubmitFor(ctx, s.ID, call.SubmittingFor{Token: token, AsItIs: true}))(t)
		page := olga.Get(record, 200)
		zone := d.Event.Location()
		at := d.Clock.Now().In(zone).Format("15:04")
		sent := regexp.MustCompile(`Sent in</dt>\s*<dd[^>]*>[^<]*` + at)
		if !sent.MatchString(page) || strings.Contains(page, "Sent in "+begun.In(zone).Format("15:04")) {
			t.Errorf("%s is not in: %s", at, admintest.Body(page))
		}
		admintest.Wants(t, olga.Get(d.At("/submissions.csv"), 200), "2026-12-01")
	})
}
