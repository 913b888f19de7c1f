package archive_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/call"
	"lectern/models/demo"
	"lectern/models/desk"
	"lectern/models/embed"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/models/tasks"
)

// house is the demonstration, of which one event is copied.
type house struct {
	*testing.T
	*modelstest.Fixture
	owner *staff.User
	team  *staff.Team
	event *models.Event
}

func open(t *testing.T, f *modelstest.Fixture) *house {
	t.Helper()
	made := modelstest.Must(demo.Fill(t.Context(), f.Store, demo.Options{Password: modelstest.SecretPhrase,
		Receiver: "http://127.0.0.1:9/hook"}))(t)
	owner := made.Staff.Owner
	h := &house{t, f, owner, f.Team(t.Context(), owner), made.Event}
	h.event = modelstest.Everything(t, f, made.Event, h.programme(made.Event).By())
	return h
}

// in returns the house for a subtest.
func (h *house) in(t *testing.T) *house { other := *h; other.T = t; return &other }

func (h *house) programme(e *models.Event) *models.Programme {
	return h.Store.Programme(e, store.By{Door: "admin", ActorID: h.owner.ID, ActorName: h.owner.Name})
}

func (h *house) copy(c archive.Copy) (*models.Event, error) {
	h.Helper()
	original := modelstest.Must(archive.Prepare(h.Context(), h.programme(h.event)))(h.T)
	return original.Copy(h.Context(), c, func(ctx context.Context, n models.NewEvent) (*models.Event, error) {
		return h.AddEvent(ctx, h.team, n)
	})
}

// rows returns the rows of a table that meet a condition, each as its values by column.
func (h *house) rows(table, condition string) (rows []map[string]string) {
	h.Helper()
	found := modelstest.Must(h.SQL.Query("SELECT * FROM " + table + " WHERE " + condition))(h.T)
	names := modelstest.Must(found.Columns())(h.T)
	for found.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(any)
		}
		modelstest.Fine(h.T, found.Scan(values...))
		one := map[string]string{}
		for i, name := range names {
			if value := *values[i].(*any); value != nil {
				one[name] = fmt.Sprintf("%s", value)
			}
		}
		rows = append(rows, one)
	}
	modelstest.Fine(h.T, found.Err())
	return rows
}

// all returns the rows of an event in all tables of the schema.
func (h *house) all(e *models.Event) map[string][]map[string]string {
	h.Helper()
	all := map[string][]map[string]string{}
	for table, columns := range modelstest.Columns(h.T, h.Fixture) {
		if table == "events" || columns["event_id"] != "" {
			all[table] = h.rows(table, h.mine(table, e))
		}
	}
	return all
}

// mine returns the condition for an event's rows in a table.
func (h *house) mine(table string, e *models.Event) string {
	if table == "events" {
		return "id = '" + e.ID + "'"
	}
	return "event_id = '" + e.ID + "'"
}

// TestEveryTableOfAnEventIsDecided fails for a new table: say in tables.go whether a copy has it.
func TestEveryTableOfAnEventIsDecided(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		decided := archive.Decided()
		for table, columns := range modelstest.Columns(t, f) {
			if table == "sessions_search" {
				continue // triggers fill it from sessions
			}
			if reason, is := decided[table]; columns["event_id"] != "" && !is {
				t.Errorf("%s has rows of events; nobody said whether a copy of an event has them", table)
			} else if is && reason == "" {
				t.Errorf("nobody said why a copy has none of %s", table)
			}
			delete(decided, table)
		}
		for table := range decided {
			t.Errorf("there is no table %s", table)
		}
		for table := range archive.Archived() {
			has := modelstest.Columns(t, f)[table]
			delete(has, "seq") // SQLite numbers sessions for its search
			got, want := slices.Sorted(slices.Values(archive.ColumnsOf(table))), slices.Sorted(maps.Keys(has))
			if !slices.Equal(got, want) {
				t.Errorf("%s has the columns\n%v, known are\n%v", table, want, got)
			}
		}
	})
}

var anID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// copyIsAsItsOriginal compares a copy with its original in every table of the schema.
func copyIsAsItsOriginal(t *testing.T, h *house) {
	made := modelstest.Must(h.copy(archive.Copy{Name: "Next", Slug: "next", StartsOn: new("2031-05-20")}))(t)
	was, is := h.all(h.event), h.all(made)
	h.refersToItself(was, is)
	filled := 0
	for table, rule := range archive.Copied() {
		without := append(rule.Without, "id", "name", "slug", "created_at", "updated_at")
		original := h.rows(table, h.mine(table, h.event)+" AND "+rule.Rows)
		modelstest.WantAll(t, table, said(is[table], without), said(original, without))
		filled += len(is[table])
	}
	if filled < 60 {
		t.Errorf("the copy has %d rows", filled)
	}
	for table, rows := range is {
		_, copied := archive.Copied()[table]
		if !copied && len(rows) > 0 && !slices.Contains([]string{"event_counters", "activity", "changes"}, table) {
			t.Errorf("the copy has %d rows of %s", len(rows), table)
		}
	}
	if lines := is["activity"]; len(lines) != 1 || lines[0]["action"] != "event copied" {
		t.Errorf("the activity says %v", lines)
	}
}

// refersToItself checks that every id in a row of a copy, in whichever column, is that of a row of the copy or of the
// organization, and never of a person, and that the copy has its own pictures.
func (h *house) refersToItself(was, is map[string][]map[string]string) {
	h.Helper()
	known := map[string]bool{h.event.OrganizationID: true}
	for _, rows := range is {
		for _, one := range rows {
			known[one["id"]] = true
		}
	}
	for table, key := range map[string]string{"users": "id", "contact_fields": "key", "sourcing_stages": "id"} {
		for _, one := range h.rows(table, "organization_id = '"+h.event.OrganizationID+"'") {
			known[one[key]] = true
		}
	}
	for _, kind := range []string{"logo_id", "picture_id"} {
		before, now := was["event_looks"][0][kind], is["event_looks"][0][kind]
		if known[now] = true; before == now && before != "" {
			h.Errorf("the copy has the file of its original: %s", kind)
		}
	}
	for table, rows := range is {
		for _, one := range rows {
			for name, value := range one {
				for _, id := range anID.FindAllString(value, -1) {
					if !known[id] {
						h.Errorf("%s.%s of the copy is %s", table, name, value)
					}
				}
			}
		}
	}
}

// said returns rows as sorted lines, without their ids and without some columns.
func said(rows []map[string]string, without []string) (lines []string) {
	for _, one := range rows {
		line := []string{}
		for _, name := range slices.Sorted(maps.Keys(one)) {
			if !slices.Contains(without, name) {
				line = append(line, name+"="+anID.ReplaceAllString(one[name], "id"))
			}
		}
		lines = append(lines, strings.Join(line, " "))
	}
	slices.Sort(lines)
	return lines
}

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
	s.track = modelstest.RowOf(t, p, models.Tracks, "Systems")
	s.talk = modelstest.RowOf(t, p, models.Formats, "Talk")
	return s
}

func TestDaysOfACopyMoveAtTheSameHours(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := smallEvent(t, f)
		p := s.programme(s.event)
		modelstest.Fine(t, call.Of(p).Start(t.Context()))
		modelstest.Fine(t, call.Of(p).Change(t.Context(), call.SettingsChange{AnswersOn: store.Some("2026-06-30")}))
		opens := store.At(time.Date(2026, 6, 1, 7, 0, 0, 0, time.UTC))
		closes := store.At(time.Date(2026, 6, 20, 22, 0, 0, 0, time.UTC))
		first := reviews.Settings{Name: "First", OpensAt: &opens, ClosesAt: &closes}
		modelstest.Must(reviews.Of(p).Create(t.Context(), first))(t)
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
		modelstest.Want(t, "answers are told on", *modelstest.Must(call.Of(copied).Form(t.Context()))(t).AnswersOn,
			"2026-12-02")
		rounds := modelstest.Must(reviews.Of(copied).List(t.Context()))(t)
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
		cfp := call.Of(p)
		modelstest.Fine(t, cfp.Start(t.Context()))
		form := modelstest.Must(cfp.Form(t.Context()))(t)
		modelstest.Must(cfp.AddQuestion(t.Context(), form.Parts[0].ID, call.QuestionInput{Type: field.Text,
			Label: "Which system?", Required: call.Optional, SeenBy: call.Reviewers,
			AskedIf: call.Condition{Tracks: []string{s.track.ID}}}))(t)
		kind := embed.Sessions
		frame := modelstest.Must(embed.Of(p).Create(t.Context(), embed.Change{Name: new("Talks"), Kind: &kind,
			Filters: embed.Filters{"format": {s.talk.ID}}}))(t)
		tick, mine := tasks.Tick, tasks.OfSpeaker
		modelstest.Must(tasks.Of(p).Create(t.Context(), tasks.Change{Title: new("Travel"), Kind: &tick, AskedOf: &mine,
			Filters: &tasks.Filters{Tracks: []string{s.track.ID}}}))(t)
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
		theirs := modelstest.Must(call.Of(next).Form(t.Context()))(t)
		asked := theirs.Questions()[len(theirs.Parts[0].Questions)-1]
		if asked.Label != "Which system?" || !slices.Equal(asked.AskedIf.Tracks, []string{rows[models.Tracks]}) {
			t.Errorf("the question is %+v", asked)
		}
		frames := modelstest.Must(embed.Of(next).All(t.Context()))(t)
		if len(frames) != 1 || frames[0].ID == frame.ID || len(frames[0].ID) != len(frame.ID) ||
			frames[0].Filters["format"][0] != rows[models.Formats] {
			t.Errorf("the embeds are %+v", frames)
		}
		modelstest.Want(t, "the task is", modelstest.Must(tasks.Of(next).All(t.Context()))(t)[0].Filters.Tracks[0],
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
