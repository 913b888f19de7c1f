package models_test

import (
	"testing"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// TestDraftsAreInNoCountOfSubmissions has two submissions, a draft with somebody on it alone, a draft with nobody, and
// one of a speaker of a submission.
func TestDraftsAreInNoCountOfSubmissions(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		ada := modelstest.Must(p.Session(ctx, modelstest.AbstractOf(t, f, "In", "ada@x.org")))(t).Participants[0].ContactID
		modelstest.AbstractOf(t, f, "In too", "bob@x.org")
		mere := modelstest.AbstractOf(t, f, "Draft", "mere@x.org")
		more := modelstest.AbstractOf(t, f, "Hers")
		f.Join(t, f.Event, more, ada, models.Speaking)
		for _, id := range []string{mere, more, modelstest.AbstractOf(t, f, "Nobody's")} {
			modelstest.SetStatus(t, f.Programme(), id, models.Draft)
		}
		want := func(submissions, speakers int64) {
			t.Helper()
			p := f.Programme()
			if n, _, err := p.KindCounts(ctx); err != nil || n != submissions {
				t.Errorf("%d submissions, %v", n, err)
			}
			if n, err := p.SpeakerCount(ctx); err != nil || n != speakers {
				t.Errorf("%d speakers, %v", n, err)
			}
			if _, on, err := people.In(modelstest.DirectoryOf(f)).Counts(ctx, people.Filter{}); err != nil || on != speakers {
				t.Errorf("%d people on submissions, %v", on, err)
			}
			d := modelstest.Must(desk.Of(p).Dashboard(ctx, store.At(f.Clock.Now())))(t)
			var came int64
			for _, span := range d.Created {
				came += span.Count
			}
			if d.AbstractsTotal != submissions || came != submissions || len(d.Needs) != 0 {
				t.Errorf("the dashboard has %d, %d came in, %v", d.AbstractsTotal, came, d.Needs)
			}
			filter := models.SessionFilter{IsAbstract: new(true), NoDrafts: true}
			_, found, err := p.SearchSessions(ctx, models.SessionSearch{Filter: filter})
			if err != nil || found.TotalResults != submissions {
				t.Errorf("%d are found, %v", found.TotalResults, err)
			}
			// The API's speakers are all who are on a live session, as its contract says.
			_, all, err := p.Speakers(ctx, "", store.Page{})
			if err != nil || all.TotalResults != 3 {
				t.Errorf("the API has %d speakers, %v", all.TotalResults, err)
			}
		}
		want(2, 2)
		modelstest.SetStatus(t, f.Programme(), mere, models.Pending)
		want(3, 3)
		modelstest.SetStatus(t, f.Programme(), mere, models.Draft)
		want(2, 2)
	})
}
