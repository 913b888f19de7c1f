package agenda_test

import (
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// opening is an event with a plenary session in a hall, a talk beside it and one behind it, and the same at another
// event.
type opening struct {
	*yard
	hall                string
	plenary, beside, up *models.Session
}

func newOpening(t *testing.T, f *modelstest.Fixture) *opening {
	y := newYard(t, f)
	o := &opening{yard: y, hall: y.room("Hall", 0)}
	y.room("Loft", 0)
	o.beside = o.placed("Beside", "Loft", "20 09:30", "20 10:30")
	o.plenary = o.placed("Opening", "Hall", "20 09:00", "20 10:00")
	o.up = o.placed("Later", "Loft", "20 11:00", "20 12:00")
	for _, title := range []string{"Twin", "Twin opening"} {
		modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: title,
			SessionInput: models.SessionInput{IsPlenary: new(title == "Twin opening"), StartsAt: store.Some(y.at("20 11:00")),
				EndsAt: store.Some(y.at("20 12:00"))}}))(t)
	}
	return o
}

func (o *opening) isPlenary(s *models.Session, is bool) {
	o.t.Helper()
	modelstest.Must(o.Programme().UpdateSession(o.t.Context(), s.ID,
		models.SessionChange{SessionInput: models.SessionInput{IsPlenary: &is}}))(o.t)
}

// met returns the conflicts of a kind, and checks that every way to ask for them gives the same.
func (o *opening) met() string {
	o.t.Helper()
	ctx, p := o.t.Context(), o.Programme()
	var said []string
	for _, c := range modelstest.Must(agenda.Of(p).Conflicts(ctx))(o.t).All {
		if c.Need == models.NeedsPlenary {
			said = append(said, c.Of.Title+" "+c.Name)
		}
	}
	slices.Sort(said)
	counted := modelstest.Must(desk.Of(p).Dashboard(ctx,
		store.At(o.Clock.Now())))(o.t).Needs[models.Waiting{Need: models.NeedsPlenary}]
	found, _, err := p.SearchSessions(ctx, models.SessionSearch{Page: store.Page{Number: 1, Size: 50},
		Filter: models.SessionFilter{IsAbstract: new(false), Needs: models.NeedsPlenary}})
	modelstest.Fine(o.t, err)
	seen := 0
	for _, s := range []*models.Session{o.plenary, o.beside, o.up} {
		now := modelstest.Must(p.Session(ctx, s.ID))(o.t)
		alone := slices.ContainsFunc(modelstest.Must(p.Conflicts(ctx, now))(o.t)[s.ID], isOfPlenary)
		would := slices.ContainsFunc(modelstest.Must(p.WouldConflict(ctx, now))(o.t), isOfPlenary)
		in := slices.ContainsFunc(found, func(x *models.Session) bool { return x.ID == s.ID })
		if alone != would || alone != in {
			o.t.Errorf("%s: it sees %v, would see %v, is found %v", s.Title, alone, would, in)
		}
		if alone {
			seen++
		}
	}
	if int(counted) != seen || len(found) != seen {
		o.t.Errorf("the dashboard counts %d, the list has %d, %d see one", counted, len(found), seen)
	}
	return strings.Join(said, "; ")
}

func isOfPlenary(c models.Conflict) bool { return c.Need == models.NeedsPlenary }

func TestNothingMayBeBesideAPlenarySessionOrBreak(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		o, ctx := newOpening(t, f), t.Context()
		want := func(why, conflicts string) {
			t.Helper()
			modelstest.Want(t, why, o.met(), conflicts)
		}
		want("nothing is plenary", "")
		o.isPlenary(o.plenary, true)
		want("in another room", "Beside Opening")
		o.isPlenary(o.beside, true)
		want("both are", "Beside Opening")
		o.isPlenary(o.plenary, false)
		want("the other one is", "Beside Opening")
		o.isPlenary(o.beside, false)
		want("none is", "")

		b := modelstest.Must(agenda.Of(f.Programme()).AddBreak(ctx, models.NewBreak{
			Kind: models.Pause, Title: "Lunch", RoomID: &o.hall,
			StartsAt: o.at("20 11:30"), EndsAt: o.at("20 12:30")}))(t)
		want("a break in one room", "")
		b = modelstest.Must(agenda.Of(f.Programme()).UpdateBreak(ctx, b.ID, models.BreakChange{IsPlenary: new(true)}))(t)
		want("a plenary break", "Later Lunch")
		modelstest.Must(agenda.Of(f.Programme()).DeleteBreak(ctx, b.ID))(t)
		want("it is deleted", "")

		// What was declined takes no place.
		o.isPlenary(o.plenary, true)
		modelstest.SetStatus(t, f.Programme(), o.plenary.ID, models.Declined)
		want("declined", "")
	})
}

func TestPlacesAreSuggestedBesideNothingPlenary(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		y := newYard(t, f)
		hall, loft := y.room("Hall", 0), y.room("Loft", 0)
		y.placed("Opening", "Hall", "20 09:00", "20 10:00")
		keynote := y.session("Keynote", models.SessionInput{IsPlenary: new(true), FormatID: y.row(models.Formats, "Hour",
			60)})
		y.session("Talk", models.SessionInput{})
		modelstest.Must(agenda.Of(f.Programme()).AddBreak(t.Context(), models.NewBreak{
			Kind: models.Pause, Title: "Lunch", RoomID: &loft,
			IsPlenary: true, StartsAt: y.at("20 10:00"), EndsAt: y.at("20 10:30")}))(t)
		all := y.suggest(mornings("20"))
		wantPlaces(t, "around an opening and a break", says(all), "Keynote: Hall 20 10:30 to 20 11:30",
			"Talk: Loft 20 09:00 to 20 09:30")
		// Once the keynote has its place, nothing is suggested beside it, and it is free there alone.
		modelstest.Update(t, f.Programme(), keynote.ID, models.SessionInput{
			RoomID: store.Some(hall), StartsAt: store.Some(y.at("20 10:30")), EndsAt: store.Some(y.at("20 11:30"))})
		talk := modelstest.Must(f.Programme().Session(t.Context(), keynote.ID))(t)
		talk.ID, talk.IsPlenary, talk.RoomID, talk.StartsAt = "", false, &loft, new(y.at("20 10:15"))
		talk.EndsAt = new(y.at("20 10:45"))
		if at := modelstest.Must(agenda.Of(f.Programme()).NextFree(t.Context(), talk, 5*60e9))(t); at == nil ||
			!at.Equal(y.at("20 11:30").Time) {
			t.Errorf("the next free start is %v", at)
		}
	})
}

func TestAnAbstractIsNotPlenary(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Answers(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "A", IsAbstract: true,
			SessionInput: models.SessionInput{IsPlenary: new(true)}}))(t, "it answers", store.Invalid)
	})
}
