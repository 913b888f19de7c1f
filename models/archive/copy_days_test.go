package archive_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/cfp"
	"lectern/models/desk"
	"lectern/models/embed"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/review"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/models/task"
)

// small is an event with one track, which its owner copies.
type small struct {
	*house
	track, talk *models.Metadata
}

// smallEvent makes an event in Brussels from 24 October 2026, whose call is open in its evenings.
func smallEvent(t *testing.T, f *modelstest.Fixture) *small {
	t.Helper()
	owner := modelstest.FirstOwner(t, f)
	h := &house{t, f, owner, f.Team(t.Context(), owner), f.Event}
	p := h.programme(f.Event)
	at := func(s string) store.Optional[store.Time] { return store.Some(modelstest.Must(store.ParseTime(s))(t)) }
	h.event = modelstest.Must(p.UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Brussels"),
		StartsOn: store.Some("2026-10-24"), EndsOn: store.Some("2026-10-25"), AsksApproval: new(true),
		CFPOpensAt: at("2026-03-01T08:00:00.250Z"), CFPClosesAt: at("2026-05-31T21:59:59.000Z")}))(t)
	s := &small{house: h}
	s.track = modelstest.Must(p.CreateMetadata(t.Context(), models.Tracks, models.NewMetadata{Name: "Systems"}))(t)
	s.talk = modelstest.Must(p.CreateMetadata(t.Context(), models.Formats, models.NewMetadata{Name: "Talk"}))(t)
	return s
}

func TestDaysOfACopyMoveAtTheSameHours(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := smallEvent(t, f)
		p := s.programme(s.event)
		modelstest.Fine(t, cfp.Of(p).Start(t.Context()))
		modelstest.Fine(t, cfp.Of(p).Change(t.Context(), cfp.SettingsChange{AnswersOn: store.Some("2026-06-30")}))
		opens := store.At(time.Date(2026, 6, 1, 7, 0, 0, 0, time.UTC))
		closes := store.At(time.Date(2026, 6, 20, 22, 0, 0, 0, time.UTC))
		first := review.Settings{Name: "First", OpensAt: &opens, ClosesAt: &closes}
		modelstest.Must(review.Of(p).Create(t.Context(), first))(t)
		view := desk.NewSavedView{Page: "sessions", Name: "Saturday", IsShared: true, Query: "day=2026-10-24&q=2026"}
		modelstest.Must(desk.Of(p).SaveView(t.Context(), s.owner.ID, view))(t)
		// 155 days later the clocks of Brussels are in another season for what was in summer.
		next := modelstest.Must(s.copy(archive.Copy{Name: "Spring", Slug: "spring", StartsOn: new("2027-03-28")}))(t)
		if *next.StartsOn != "2027-03-28" || *next.EndsOn != "2027-03-29" || next.Timezone != "Europe/Brussels" ||
			!next.AsksApproval || next.CFPOpensAt.String() != "2026-08-03T07:00:00.250Z" ||
			next.CFPClosesAt.String() != "2026-11-02T22:59:59.000Z" {
			t.Errorf("the copy is %+v, open from %s to %s", next, next.CFPOpensAt, next.CFPClosesAt)
		}
		copied := s.programme(next)
		modelstest.Want(t, "answers are told on", *modelstest.Must(cfp.Of(copied).Form(t.Context()))(t).AnswersOn,
			"2026-12-02")
		rounds := modelstest.Must(review.Of(copied).List(t.Context()))(t)
		if last := rounds[len(rounds)-1]; last.Name != "First" || last.OpensAt.String() != "2026-11-03T08:00:00.000Z" ||
			last.ClosesAt.String() != "2026-11-22T23:00:00.000Z" {
			t.Errorf("the round is %+v", last.ReviewRound)
		}
		views := modelstest.Must(desk.Of(copied).SavedViews(t.Context(), s.owner.ID, "sessions"))(t)
		if len(views) != 1 || views[0].Query != "day=2027-03-28&q=2026" {
			t.Errorf("the views are %+v", views)
		}
		open := modelstest.Must(s.copy(archive.Copy{Name: "Some day", Slug: "some-day"}))(t)
		if open.StartsOn != nil || open.EndsOn != nil || open.CFPOpensAt != nil || open.CFPClosesAt != nil {
			t.Errorf("a copy without a first day is %+v", open)
		}
		s.event = open
		again := modelstest.Must(s.copy(archive.Copy{Name: "A day", Slug: "a-day", StartsOn: new("2030-01-01")}))(t)
		if *again.StartsOn != "2030-01-01" || again.CFPOpensAt != nil {
			t.Errorf("a copy of one without days is %+v", again)
		}
	})
}

func TestConditionsAndFiltersNameTheRowsOfTheCopy(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := smallEvent(t, f)
		p := s.programme(s.event)
		call := cfp.Of(p)
		modelstest.Fine(t, call.Start(t.Context()))
		form := modelstest.Must(call.Form(t.Context()))(t)
		modelstest.Must(call.AddQuestion(t.Context(), form.Parts[0].ID, cfp.QuestionInput{Type: field.Text,
			Label: "Which system?", Required: cfp.Optional, SeenBy: cfp.Reviewers,
			AskedIf: cfp.Condition{Tracks: []string{s.track.ID}}}))(t)
		kind := embed.Sessions
		frame := modelstest.Must(embed.Of(p).Create(t.Context(), embed.Change{Name: new("Talks"), Kind: &kind,
			Filters: embed.Filters{"format": {s.talk.ID}}}))(t)
		tick, mine := task.Tick, task.OfSpeaker
		modelstest.Must(task.Of(p).Create(t.Context(), task.Change{Title: new("Travel"), Kind: &tick, AskedOf: &mine,
			Filters: &task.Filters{Tracks: []string{s.track.ID}}}))(t)
		session := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "T"}))(t)
		for name, query := range map[string]string{"Track": "track=" + s.track.ID, "Session": "session=" + session.ID} {
			modelstest.Must(desk.Of(p).SaveView(t.Context(), s.owner.ID,
				desk.NewSavedView{Page: "tasks", Name: name, Query: query, IsShared: true}))(t)
		}
		next := s.programme(modelstest.Must(s.copy(archive.Copy{Name: "N", Slug: "n"}))(t))
		rows := map[models.Family]string{}
		for _, family := range []models.Family{models.Tracks, models.Formats} {
			all := modelstest.Must(next.Family(t.Context(), family))(t)
			rows[family] = all[0].ID
		}
		theirs := modelstest.Must(cfp.Of(next).Form(t.Context()))(t)
		asked := theirs.Questions()[len(theirs.Parts[0].Questions)-1]
		if asked.Label != "Which system?" || !slices.Equal(asked.AskedIf.Tracks, []string{rows[models.Tracks]}) {
			t.Errorf("the question is %+v", asked)
		}
		frames := modelstest.Must(embed.Of(next).All(t.Context()))(t)
		if len(frames) != 1 || frames[0].ID == frame.ID || len(frames[0].ID) != len(frame.ID) ||
			frames[0].Filters["format"][0] != rows[models.Formats] {
			t.Errorf("the embeds are %+v", frames)
		}
		modelstest.Want(t, "the task is", modelstest.Must(task.Of(next).All(t.Context()))(t)[0].Filters.Tracks[0],
			rows[models.Tracks])
		if views := modelstest.Must(desk.Of(next).SavedViews(t.Context(), s.owner.ID, "tasks"))(t); len(views) != 1 ||
			views[0].Query != "track="+rows[models.Tracks] {
			t.Errorf("the views are %+v", views)
		}
	})
}

func TestACopyIsRefusedAsAnEventIs(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := smallEvent(t, f)
		before := len(s.rows("events", "1 = 1")) + len(s.rows("metadata", "1 = 1"))
		for name, c := range map[string]archive.Copy{
			"a taken name":   {Name: "N", Slug: s.event.Slug},
			"no name":        {Slug: "n"},
			"no slug":        {Name: "N", Slug: "Not one"},
			"no date":        {Name: "N", Slug: "n", StartsOn: new("soon")},
			"a far date":     {Name: "N", Slug: "n", StartsOn: new("9999-12-31")},
			"beyond a year":  {Name: "N", Slug: "n", StartsOn: new("10000-01-01")},
			"before a year":  {Name: "N", Slug: "n", StartsOn: new("0000-01-01")},
			"the first year": {Name: "N", Slug: "n", StartsOn: new("0001-01-01")},
		} {
			modelstest.Answers(s.copy(c))(t, name, store.Invalid)
		}
		s.team = f.Team(t.Context(), f.Hire(t, "Bob", staff.Organizer))
		modelstest.Answers(s.copy(archive.Copy{Name: "N", Slug: "n"}))(t, "an organizer", store.NotFound)
		if after := len(s.rows("events", "1 = 1")) + len(s.rows("metadata", "1 = 1")); after != before {
			t.Errorf("%d rows, then %d", before, after)
		}
		original := modelstest.Must(archive.Prepare(t.Context(), s.programme(s.event)))(t)
		failing := func(context.Context, models.NewEvent) (*models.Event, error) {
			return nil, store.Invalidf("slug", "is taken by another event")
		}
		if _, err := original.Copy(t.Context(), archive.Copy{Name: "N", Slug: "n"}, failing); err == nil ||
			!strings.Contains(err.Error(), "taken") {
			t.Error(err)
		}
	})
}
