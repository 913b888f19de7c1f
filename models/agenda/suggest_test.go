package agenda_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/decisions"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/store"
)

// yard is an event of three days in Lisbon with rooms and sessions to place.
type yard struct {
	*modelstest.Fixture
	t     *testing.T
	rooms map[string]string
}

func newYard(t *testing.T, f *modelstest.Fixture) *yard {
	modelstest.Dated(t, f, "Europe/Lisbon")
	y := &yard{f, t, map[string]string{}}
	p := f.Programme()
	rooms := modelstest.First(p.ListMetadata(t.Context(), models.Rooms, "", store.Page{Number: 1, Size: 100}))(t)
	for _, old := range rooms {
		modelstest.Fine(t, metadata.Of(p).Delete(t.Context(), models.Rooms, old.ID, nil))
	}
	return y
}

func (y *yard) room(name string, seats int) string {
	n := models.NewMetadata{Name: name}
	if seats > 0 {
		n.Capacity = &seats
	}
	y.rooms[name] = modelstest.Must(y.Programme().CreateMetadata(y.t.Context(), models.Rooms, n))(y.t).ID
	return y.rooms[name]
}

func (y *yard) row(family models.Family, name string, minutes int) store.Optional[string] {
	n := models.NewMetadata{Name: name}
	if minutes > 0 {
		n.DefaultMinutes = &minutes
	}
	return store.Some(modelstest.Must(y.Programme().CreateMetadata(y.t.Context(), family, n))(y.t).ID)
}

// at returns a moment of the event, such as "20 09:00".
func (y *yard) at(clock string) store.Time {
	zone := y.Event.Location()
	return store.At(modelstest.Must(time.ParseInLocation("2006-01-2 15:04", "2027-05-"+clock, zone))(y.t))
}

func (y *yard) session(title string, in models.SessionInput, people ...string) *models.Session {
	y.t.Helper()
	in.Status = new(models.Accepted)
	s := modelstest.Must(y.Programme().CreateSession(y.t.Context(), models.NewSession{Title: title,
		SessionInput: in}))(y.t)
	for _, id := range people {
		y.Join(y.t, y.Event, s.ID, id, models.Speaking)
	}
	return modelstest.Must(y.Programme().Session(y.t.Context(), s.ID))(y.t)
}

func (y *yard) placed(title, room, from, until string, people ...string) *models.Session {
	in := models.SessionInput{StartsAt: store.Some(y.at(from)), EndsAt: store.Some(y.at(until))}
	if room != "" {
		in.RoomID = store.Some(y.rooms[room])
	}
	return y.session(title, in, people...)
}

func (y *yard) person(name, away string) string {
	p := y.Programme()
	c := modelstest.Must(p.CreateContact(y.t.Context(), models.NewContact{FirstName: name}))(y.t)
	modelstest.Must(people.Of(p).PutAtEvent(y.t.Context(), c.ID))(y.t)
	if away != "" {
		modelstest.IsAway(y.t, y.Fixture, c.ID, away)
	}
	return c.ID
}

// mornings returns the placing rules of these tests for some days.
func mornings(days ...string) models.PlacingRules {
	for i := range days {
		days[i] = "2027-05-" + days[i]
	}
	return models.PlacingRules{Days: days, From: "09:00", Until: "12:00", Step: 5, Minutes: 30}
}

func (y *yard) suggest(r models.PlacingRules) *agenda.Placing {
	y.t.Helper()
	b := modelstest.Must(agenda.Of(y.Programme()).SuggestPlaces(y.t.Context(), r))(y.t)
	return modelstest.Must(agenda.Of(y.Programme()).Placing(y.t.Context(), b.ID))(y.t)
}

// says returns a placing as lines.
func says(s *agenda.Placing) (lines []string) {
	for _, place := range s.Places {
		lines = append(lines, fmt.Sprintf("%s: %s %s to %s", place.Title, place.Room.Name, lisbon(place.StartsAt),
			lisbon(place.EndsAt)))
	}
	for _, place := range s.Left {
		lines = append(lines, place.Title+": "+place.Why)
	}
	return lines
}

// lisbon formats a moment by the clocks of Lisbon in May.
func lisbon(at *store.Time) string { return at.In(time.FixedZone("WEST", 3600)).Format("2 15:04") }

func wantPlaces(t *testing.T, why string, got []string, want ...string) {
	t.Helper()
	modelstest.WantAll(t, why, slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)))
}

func TestPlacesAreSuggestedWhereNothingConflicts(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		y := newYard(t, f)
		y.room("Hall", 200)
		y.room("Loft", 40)
		tides, knots := y.row(models.Tracks, "Tides", 0), y.row(models.Tracks, "Knots", 0)
		long := y.row(models.Formats, "Workshop", 90)
		li, ada := y.person("Li", "2027-05-20 00:00-10:00"), y.person("Ada", "")
		// What is there: a session of a track in the loft, one of Ada's, and coffee.
		in := models.SessionInput{StartsAt: store.Some(y.at("20 09:00")), EndsAt: store.Some(y.at("20 09:30")),
			RoomID: store.Some(y.rooms["Loft"]), TrackID: tides}
		y.session("Ebb", in)
		y.placed("Elsewhere", "", "20 09:30", "20 10:00", ada)
		modelstest.Must(agenda.Of(y.Programme()).AddBreak(t.Context(),
			models.NewBreak{Kind: models.Pause, Title: "Coffee", StartsAt: y.at("20 10:30"), EndsAt: y.at("20 11:00")}))(t)

		y.session("Flood", models.SessionInput{TrackID: tides})
		y.session("Of Li", models.SessionInput{TrackID: knots}, li)
		y.session("Of Ada", models.SessionInput{TrackID: knots}, ada)
		y.session("Of both", models.SessionInput{FormatID: long}, li, ada)
		y.session("Large", models.SessionInput{Capacity: store.Some(150)})
		y.session("At its time", models.SessionInput{StartsAt: store.Some(y.at("20 11:30")),
			EndsAt: store.Some(y.at("20 11:45"))})
		y.session("In its room", models.SessionInput{RoomID: store.Some(y.rooms["Loft"])})
		pending := y.session("Pending", models.SessionInput{})
		modelstest.SetStatus(t, y.Programme(), pending.ID, models.Pending)
		deleted := y.session("Deleted", models.SessionInput{})
		modelstest.Must(y.Programme().DeleteSession(t.Context(), deleted.ID))(t)
		modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Of another event",
			SessionInput: models.SessionInput{Status: new(models.Accepted)}}))(t)

		first := y.suggest(mornings("20", "21"))
		wantPlaces(t, "suggested", says(first),
			"At its time: Hall 20 11:30 to 20 11:45", "In its room: Loft 20 09:30 to 20 10:00",
			"Large: Hall 20 09:00 to 20 09:30", "Of both: Hall 21 09:00 to 21 10:30", "Flood: Loft 20 10:00 to 20 10:30",
			"Elsewhere: Hall 20 09:30 to 20 10:00", "Of Li: Loft 21 10:30 to 21 11:00", "Of Ada: Loft 21 11:00 to 21 11:30")
		if again := says(y.suggest(mornings("21", "20"))); !slices.Equal(again, says(first)) {
			t.Errorf("again:\n%s", strings.Join(again, "\n"))
		}
		// Nothing is moved before somebody says so, and nobody hears of it.
		if s := modelstest.Must(y.Programme().Session(t.Context(),
			first.Places[0].ID))(t); s.RoomID != nil && s.StartsAt != nil {
			t.Errorf("%s is placed already", s.Title)
		}
		modelstest.Want(t, "a preview was made", modelstest.Must(f.RunBatch(t.Context(), 10))(t), false)
		if first.Total != 8 || first.Failed != 0 || first.Moves() != 8 {
			t.Errorf("%d, %d, %d", first.Total, first.Failed, first.Moves())
		}
		// With all of them where they were suggested, nothing conflicts that did not before.
		before := len(modelstest.Must(agenda.Of(y.Programme()).Conflicts(t.Context()))(t).All)
		modelstest.Must(agenda.Of(y.Programme()).StartPlaces(t.Context(), first.ID))(t)
		modelstest.Must(y.Programme().FinishBatch(t.Context(), first.ID))(t)
		if after := modelstest.Must(agenda.Of(y.Programme()).Conflicts(t.Context()))(t); len(after.All) != before {
			t.Errorf("%d conflicts, then %+v", before, after.All)
		}
		modelstest.Want(t, "left", modelstest.Must(agenda.Of(y.Programme()).CountUnplaced(t.Context()))(t), 0)
	})
}

func TestWhatFindsNoPlaceSaysWhy(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		y := newYard(t, f)
		y.session("Anything", models.SessionInput{})
		wantPlaces(t, "without rooms", says(y.suggest(mornings("20"))), "Anything: there are no rooms")
		y.room("Hall", 200)
		y.room("Loft", 40)
		away, early, late := y.person("Li", "2027-05-20"), y.person("Ada", "2027-05-20 10:00-24:00"), y.person("Bo",
			"2027-05-20 00:00-11:00")
		busy := y.person("Cy", "")
		y.placed("Keynote", "Hall", "20 09:00", "20 11:40", busy)
		y.placed("Other", "Loft", "20 09:00", "20 11:20")
		y.session("Crowd", models.SessionInput{Capacity: store.Some(300)})
		y.session("Of Li", models.SessionInput{}, away, busy)
		y.session("Of two", models.SessionInput{}, early, late)
		y.session("Busy", models.SessionInput{FormatID: y.row(models.Formats, "Hour", 60)}, busy)
		y.session("Endless", models.SessionInput{FormatID: y.row(models.Formats, "Camp", 600)})
		y.session("In the loft", models.SessionInput{RoomID: store.Some(y.rooms["Loft"]), Capacity: store.Some(50)})
		y.session("Early", models.SessionInput{}, early)
		y.session("Later", models.SessionInput{})
		wantPlaces(t, "on a full day", says(y.suggest(mornings("20"))),
			"Anything: Loft 20 11:20 to 20 11:50",
			"Crowd: no room holds 300", "Of Li: Li is away on all days", "Of two: its people are never there together for 30 minutes",
			"Busy: its people have no free 60 minutes together", "Endless: it takes 600 minutes, longer than a day from 09:00 to 12:00",
			"In the loft: Loft holds 40, and 50 are expected", "Early: no room is free for 30 minutes while its people are",
			"Later: no room has free 30 minutes left")
	})
}

func TestRulesOfPlacesAreChecked(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		y := newYard(t, f)
		y.room("Hall", 0)
		modelstest.Answers(agenda.Of(y.Programme()).SuggestPlaces(t.Context(), mornings("20")))(t, "nothing", store.Invalid)
		y.session("S", models.SessionInput{})
		for field, change := range map[string]func(*models.PlacingRules){
			"days":    func(r *models.PlacingRules) { r.Days = []string{"tomorrow"} },
			"from":    func(r *models.PlacingRules) { r.From = "9" },
			"until":   func(r *models.PlacingRules) { r.Until = "09:00" },
			"step":    func(r *models.PlacingRules) { r.Step = 7 },
			"gap":     func(r *models.PlacingRules) { r.Gap = -1 },
			"minutes": func(r *models.PlacingRules) { r.Minutes = 0 },
		} {
			r := mornings("20")
			change(&r)
			_, err := agenda.Of(y.Programme()).SuggestPlaces(t.Context(), r)
			if e := store.AsError(err); e == nil || e.Kind != store.Invalid || e.Fields[0].Field != field {
				t.Errorf("%s: %v", field, err)
			}
		}
		r := mornings("20")
		r.Gap, r.Step, r.Until = 10, 15, "24:00"
		y.placed("There", "Hall", "20 09:00", "20 09:40")
		wantPlaces(t, "with a gap", says(y.suggest(r)), "S: Hall 20 10:00 to 20 10:30")
		if d := modelstest.Must(agenda.Of(y.Programme()).PlacingDefaults(t.Context()))(t); d.From != "09:00" || d.Until != "10:00" ||
			!slices.Equal(d.Days, []string{"2027-05-20", "2027-05-21", "2027-05-22"}) {
			t.Errorf("defaults %+v", d)
		}
	})
}

func TestPlacesAreAppliedAsTheyWereSeenAndUndone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		y := newYard(t, f)
		y.room("Hall", 0)
		all := store.Map([]string{"A", "B", "C", "D"},
			func(title string) *models.Session { return y.session(title, models.SessionInput{}) })
		seen := y.suggest(mornings("20"))
		y.session("Longest", models.SessionInput{FormatID: y.row(models.Formats, "Day", 600)})
		// Meanwhile somebody renames B, deletes C, and puts another one where D was to be.
		modelstest.Must(y.Programme().UpdateSession(ctx, all[1].ID, models.SessionChange{Title: new("B2")}))(t)
		modelstest.Must(y.Programme().DeleteSession(ctx, all[2].ID))(t)
		y.placed("Cuckoo", "Hall", lisbon(seen.Places[3].StartsAt), lisbon(seen.Places[3].EndsAt))
		now := modelstest.Must(agenda.Of(y.Programme()).Placing(ctx, seen.ID))(t)
		if now.Moves() != 1 || !now.Places[1].Changed || !now.Places[2].Changed || len(now.Places[3].Taken) != 1 {
			t.Errorf("%d would move: %+v", now.Moves(), now.Places)
		}
		modelstest.Emitted(t, f) // what came before
		modelstest.WantKind(t, "another event", modelstest.ErrorOf(agenda.Of(f.Elsewhere()).StartPlaces(ctx, seen.ID)),
			store.NotFound)
		modelstest.WantKind(t, "another event", agenda.Of(f.Elsewhere()).DiscardPlaces(ctx, seen.ID), store.NotFound)
		modelstest.Must(agenda.Of(y.Programme()).StartPlaces(ctx, seen.ID))(t)
		modelstest.Must(agenda.Of(y.Programme()).StartPlaces(ctx, seen.ID))(t) // twice is once
		done := modelstest.Must(y.Programme().FinishBatch(ctx, seen.ID))(t)
		if done.Succeeded != 1 || done.Failed != 3 || !done.CanUndo() {
			t.Fatalf("%+v", done)
		}
		why := store.Map(done.Failures, func(f *models.BatchFailure) string { return f.Title + ": " + f.Message })
		wantPlaces(t, "left out", why, "B2: session was changed after places were suggested, so it stays as it is",
			"C: There is no such session in this event.", "D: session stays without a place: Hall has S-6 at that time by now")
		a := modelstest.Must(y.Programme().Session(ctx, all[0].ID))(t)
		if a.Room == nil || !a.StartsAt.Equal(seen.Places[0].StartsAt.Time) || !a.EndsAt.Equal(seen.Places[0].EndsAt.Time) {
			t.Errorf("A is at %v", a.StartsAt)
		}
		emitted := modelstest.Emitted(t, f)
		if len(emitted) != 1 || emitted[0].Type != outbox.SessionUpdated || emitted[0].ResourceID != a.ID {
			t.Errorf("emitted %+v", emitted)
		}
		modelstest.WantKind(t, "discarding what was applied", agenda.Of(y.Programme()).DiscardPlaces(ctx, seen.ID),
			store.Invalid)

		undo := modelstest.Must(y.Programme().UndoBatch(ctx, seen.ID))(t)
		modelstest.Must(y.Programme().FinishBatch(ctx, undo.ID))(t)
		if a = modelstest.Must(y.Programme().Session(ctx,
			all[0].ID))(t); a.RoomID != nil || a.StartsAt != nil || a.EndsAt != nil {
			t.Errorf("A is still at %v", a.StartsAt)
		}

		gone := y.suggest(mornings("21"))
		modelstest.Fine(t, agenda.Of(y.Programme()).DiscardPlaces(ctx, gone.ID))
		modelstest.Answers(agenda.Of(y.Programme()).Placing(ctx, gone.ID))(t, "discarded", store.NotFound)
		modelstest.Answers(decisions.Of(y.Programme()).Open(ctx, []string{all[0].ID}, nil))(t, "no commit", store.NotFound)
		_, err := y.Programme().StartBatch(ctx, []string{all[0].ID}, nil, models.BatchChange{Operation: models.BatchPlace})
		modelstest.WantKind(t, "no batch of lists", err, store.Invalid)
	})
}

func TestASessionOfTwoPartsLastsAsLongAsBothWhereItWaitsForAPlace(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		y := newYard(t, f)
		y.room("Hall", 0)
		talk := y.row(models.Formats, "Talk", 20)
		var abstracts []*models.Session
		for _, title := range []string{"Tides", "Sails", "Knots"} {
			abstracts = append(abstracts, modelstest.Must(f.Programme().CreateSession(t.Context(),
				models.NewSession{Title: title,
					IsAbstract: true, SessionInput: models.SessionInput{Status: new(models.Accepted), FormatID: talk}}))(t))
		}
		parts := []models.Part{{AbstractID: abstracts[0].ID, Minutes: new(30)}, {AbstractID: abstracts[1].ID,
			Minutes: new(30)}}
		both := modelstest.Must(f.Programme().ComposeParts(t.Context(), models.Composition{Parts: parts}))(t)
		alone := modelstest.Must(f.Programme().Compose(t.Context(), []string{abstracts[2].ID}, ""))(t)
		want := map[string]time.Duration{both.ID: time.Hour, alone.ID: 20 * time.Minute}

		day := modelstest.Must(agenda.Of(f.Programme()).Day(t.Context(), "2027-05-20", ""))(t)
		for _, s := range day.Unplaced {
			modelstest.Want(t, "in the tray "+s.Title+" takes", s.Length(), want[s.ID])
		}
		modelstest.Want(t, "its card takes", modelstest.Must(agenda.Of(f.Programme()).Card(t.Context(), both.ID))(t).Length(),
			time.Hour)
		b := modelstest.Must(agenda.Of(f.Programme()).SuggestPlaces(t.Context(),
			models.PlacingRules{Days: []string{"2027-05-20"},
				From: "09:00", Until: "18:00", Step: 5, Minutes: 45}))(t)
		found := modelstest.Must(agenda.Of(f.Programme()).Placing(t.Context(), b.ID))(t)
		for _, s := range found.Places {
			modelstest.Want(t, s.Title+" is suggested to take", s.Length(), want[s.ID])
		}
		if len(day.Unplaced) != 2 || len(found.Places) != 2 {
			t.Errorf("%d wait and %d have a place", len(day.Unplaced), len(found.Places))
		}
	})
}
