package models_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func room(t *testing.T, p *models.Programme, name string) string {
	t.Helper()
	return modelstest.Must(p.CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: name}))(t).ID
}

// clock returns a time on the first day of a conference.
func clock(at string) store.Time {
	day, err := time.Parse("2006-01-02 15:04", "2027-05-20 "+at)
	if err != nil {
		panic(err)
	}
	return store.At(day)
}

func lunch(roomID *string) models.NewBreak {
	return models.NewBreak{Kind: models.Pause, Title: " Lunch ", StartsAt: clock("12:00"), EndsAt: clock("13:00"),
		RoomID: roomID}
}

// breaksOf returns the titles of an event's breaks, with the names of their rooms.
func breaksOf(t *testing.T, p *models.Programme) string {
	t.Helper()
	var words []string
	rooms := modelstest.First(p.ListMetadata(t.Context(), models.Rooms, "", store.Page{}))(t)
	for _, b := range modelstest.Must(p.Breaks(t.Context(), store.Time{}, store.Time{}))(t) {
		name := "everywhere"
		for _, r := range rooms {
			if b.RoomID != nil && *b.RoomID == r.ID {
				name = r.Name
			}
		}
		words = append(words, b.Title+" "+name)
	}
	return strings.Join(words, ", ")
}

func TestABreakIsAddedChangedDeletedAndBroughtBack(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		hall := room(t, p, "Hall")
		modelstest.Must(agenda.Of(f.Elsewhere()).AddBreak(ctx, lunch(nil)))(t)
		before := p.Event().SessionsVersion
		b := modelstest.Must(agenda.Of(p).AddBreak(ctx, lunch(&hall)))(t)
		got := modelstest.Must(p.Break(ctx, b.ID))(t)
		modelstest.Holds(t, got.Title == "Lunch" && got.Kind == models.Pause && got.StartsAt == clock("12:00") &&
			got.EndsAt == clock("13:00") && *got.RoomID == hall && got.Sequence == 0, "%+v", got)
		modelstest.Holds(t, f.Programme().Event().SessionsVersion != before, "the agenda has no other version")
		modelstest.Answers(f.Elsewhere().Break(ctx, b.ID))(t, "a break of another event", store.NotFound)
		_, err := agenda.Of(f.Elsewhere()).UpdateBreak(ctx, b.ID, models.BreakChange{Title: new("Mine")})
		modelstest.WantKind(t, "a change from another event", err, store.NotFound)

		changed := modelstest.Must(agenda.Of(p).UpdateBreak(ctx, b.ID, models.BreakChange{Title: new("Dinner"),
			StartsAt: new(clock("18:00")), EndsAt: new(clock("19:30")), RoomID: store.Null[string](),
			UpdatedAt: &b.UpdatedAt}))(t)
		modelstest.Holds(t, changed.RoomID == nil && changed.Sequence == 1 && changed.UpdatedAt.After(b.UpdatedAt.Time),
			"%+v", changed)
		_, err = agenda.Of(p).UpdateBreak(ctx, b.ID, models.BreakChange{Title: new("Late"), UpdatedAt: &b.UpdatedAt})
		modelstest.WantKind(t, "an outdated token", err, store.Stale)
		same := modelstest.Must(agenda.Of(p).UpdateBreak(ctx, b.ID, models.BreakChange{Title: new("Dinner")}))(t)
		modelstest.Want(t, "a change that changes nothing was written", same.UpdatedAt, changed.UpdatedAt)

		modelstest.Must(agenda.Of(p).DeleteBreak(ctx, b.ID))(t)
		modelstest.Want(t, "breaks after the deletion", breaksOf(t, f.Programme()), "")
		modelstest.Answers(agenda.Of(p).DeleteBreak(ctx, b.ID))(t, "a second deletion", store.NotFound)
		_, err = agenda.Of(p).UpdateBreak(ctx, b.ID, models.BreakChange{Title: new("Gone")})
		modelstest.WantKind(t, "a change of a deleted one", err, store.NotFound)
		modelstest.Must(agenda.Of(p).RestoreBreak(ctx, b.ID))(t)
		modelstest.Answers(agenda.Of(p).RestoreBreak(ctx, b.ID))(t, "a second restore", store.NotFound)
		modelstest.Want(t, "breaks", breaksOf(t, f.Programme()), "Dinner everywhere")
		modelstest.Want(t, "breaks elsewhere", breaksOf(t, f.Elsewhere()), "Lunch everywhere")
		told := store.Map(modelstest.Must(p.Activity(ctx, b.ID))(t),
			func(line *store.Activity) string { return line.Subject + " " + line.Action })
		modelstest.Want(t, "the activity tells",
			strings.Join(told, ", "), "break restored, break deleted, break updated, break created")
		modelstest.WantAll(t, "emissions", modelstest.EmittedTypes(t, f), nil)
	})
}

func TestABreakThatBreaksARuleIsRefused(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		foreign := room(t, f.Elsewhere(), "Elsewhere")
		track := modelstest.Must(p.CreateMetadata(ctx, models.Tracks, models.NewMetadata{Name: "Track"}))(t).ID
		for name, spoil := range map[string]func(*models.NewBreak){
			"no kind":               func(n *models.NewBreak) { n.Kind = "" },
			"another kind":          func(n *models.NewBreak) { n.Kind = "session" },
			"no title":              func(n *models.NewBreak) { n.Title = " \u200b" },
			"a long title":          func(n *models.NewBreak) { n.Title = strings.Repeat("x", 256) },
			"no start":              func(n *models.NewBreak) { n.StartsAt = store.Time{} },
			"no end":                func(n *models.NewBreak) { n.EndsAt = store.Time{} },
			"an end at its start":   func(n *models.NewBreak) { n.EndsAt = n.StartsAt },
			"an end before it":      func(n *models.NewBreak) { n.EndsAt = clock("11:00") },
			"longer than four days": func(n *models.NewBreak) { n.EndsAt = store.At(n.StartsAt.Add(96*time.Hour + time.Millisecond)) },
			"a room of another":     func(n *models.NewBreak) { n.RoomID = &foreign },
			"a track for a room":    func(n *models.NewBreak) { n.RoomID = &track },
		} {
			n := lunch(nil)
			spoil(&n)
			modelstest.Answers(agenda.Of(p).AddBreak(ctx, n))(t, name, store.Invalid)
		}
		modelstest.Want(t, "breaks", breaksOf(t, f.Programme()), "")
	})
}

func TestABreakIsCopiedToTheRoomsWhereNoneStands(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		room(t, f.Elsewhere(), "Elsewhere")
		hall, attic, cellar := room(t, p, "Hall"), room(t, p, "Attic"), room(t, p, "Cellar")
		b := modelstest.Must(agenda.Of(p).AddBreak(ctx, lunch(&hall)))(t)
		there := lunch(&cellar) // overlaps in the cellar, touches in the attic
		there.Title, there.StartsAt, there.EndsAt = "Sound check", clock("12:30"), clock("14:00")
		modelstest.Must(agenda.Of(p).AddBreak(ctx, there))(t)
		there.RoomID, there.StartsAt = &attic, clock("13:00")
		modelstest.Must(agenda.Of(p).AddBreak(ctx, there))(t)
		copies, left, err := agenda.Of(p).CopyBreak(ctx, b.ID)
		if err != nil || len(copies) != 1 || *copies[0].RoomID != attic || left != 1 {
			t.Fatalf("%+v, %d left out, %v", copies, left, err)
		}
		copies, left, err = agenda.Of(p).CopyBreak(ctx, b.ID)
		modelstest.Holds(t, err == nil && len(copies) == 0 && left == 2, "once more: %+v, %d left out, %v", copies, left, err)
		garden := room(t, f.Programme(), "Garden") // a new room is usable at once
		copies, left, err = agenda.Of(f.Programme()).CopyBreak(ctx, b.ID)
		modelstest.Holds(t, err == nil && len(copies) == 1 && *copies[0].RoomID == garden && left == 2,
			"with a new room: %+v, %d left out, %v", copies, left, err)
		everywhere := lunch(nil)
		everywhere.StartsAt, everywhere.EndsAt = clock("08:00"), clock("09:00")
		all := modelstest.Must(agenda.Of(p).AddBreak(ctx, everywhere))(t)
		modelstest.Answers(agenda.Of(p).CopyBreak(ctx, all.ID))(t, "a break in all rooms", store.Invalid)
		modelstest.Answers(agenda.Of(f.Elsewhere()).CopyBreak(ctx, b.ID))(t, "a break of another event", store.NotFound)
	})
}

func TestARoomThatGoesTakesItsBreaksAlongOrLeavesThemToAnother(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		hall, attic := room(t, p, "Hall"), room(t, p, "Attic")
		b := modelstest.Must(agenda.Of(p).AddBreak(ctx, lunch(&hall)))(t)
		gone := modelstest.Must(agenda.Of(p).AddBreak(ctx, lunch(&hall)))(t)
		modelstest.Must(agenda.Of(p).DeleteBreak(ctx, gone.ID))(t)
		modelstest.Fine(t, metadata.Of(p).Delete(ctx, models.Rooms, hall, &attic))
		moved := modelstest.Must(f.Programme().Break(ctx, b.ID))(t)
		modelstest.Holds(t, *moved.RoomID == attic && moved.Sequence == 1 && moved.UpdatedAt.After(b.UpdatedAt.Time),
			"%+v", moved)
		modelstest.Must(agenda.Of(p).AddBreak(ctx, lunch(nil)))(t)
		before := f.Programme().Event().SessionsVersion
		modelstest.Fine(t, metadata.Of(f.Programme()).Delete(ctx, models.Rooms, attic, nil))
		modelstest.Want(t, "breaks", breaksOf(t, f.Programme()), "Lunch everywhere")
		modelstest.Holds(t, f.Programme().Event().SessionsVersion != before, "the agenda has no other version")
		_, err := agenda.Of(f.Programme()).RestoreBreak(ctx, gone.ID)
		modelstest.WantKind(t, "a break whose room is gone", err, store.NotFound)
	})
}

func TestBreaksAreFoundByWhenTheyLast(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		modelstest.Must(agenda.Of(p).AddBreak(ctx, lunch(nil)))(t)
		for span, want := range map[[2]string]int{{"11:00", "12:00"}: 0, {"11:00", "12:01"}: 1, {"12:30", "12:40"}: 1,
			{"12:59", "14:00"}: 1, {"13:00", "14:00"}: 0} {
			modelstest.Want(t, fmt.Sprint("breaks of ", span),
				len(modelstest.Must(p.Breaks(ctx, clock(span[0]), clock(span[1])))(t)), want)
		}
	})
}

// breakOperations returns changes of breaks and of the rooms that they are in.
func (r *race) breakOperations() map[string]operation {
	anyRoom := func(ctx context.Context, p *models.Programme, random *rand.Rand) (*string, error) {
		rows, _, err := p.ListMetadata(ctx, models.Rooms, "", store.Page{Size: 100})
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		return &rows[random.IntN(len(rows))].ID, nil
	}
	some := func(f func(ctx context.Context, p *models.Programme, random *rand.Rand, id string) error) operation {
		return func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			all, err := p.Breaks(ctx, store.Time{}, store.Time{})
			if err != nil || len(all) == 0 {
				return err
			}
			return f(ctx, p, random, all[random.IntN(len(all))].ID)
		}
	}
	return map[string]operation{
		"add a break": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			id, err := anyRoom(ctx, p, random)
			if err == nil {
				_, err = agenda.Of(p).AddBreak(ctx, lunch(id))
			}
			return err
		},
		"change a break": some(func(ctx context.Context, p *models.Programme, random *rand.Rand, id string) error {
			roomID, err := anyRoom(ctx, p, random)
			if err == nil {
				_, err = agenda.Of(p).UpdateBreak(ctx, id,
					models.BreakChange{RoomID: store.Optional[string]{Set: true, Value: roomID}})
			}
			return err
		}),
		"copy a break": some(func(ctx context.Context, p *models.Programme, _ *rand.Rand, id string) error {
			return modelstest.ErrorOf(agenda.Of(p).CopyBreak(ctx, id))
		}),
		"delete a break": some(func(ctx context.Context, p *models.Programme, random *rand.Rand, id string) error {
			_, err := agenda.Of(p).DeleteBreak(ctx, id)
			if err == nil && random.IntN(2) == 0 {
				_, err = agenda.Of(p).RestoreBreak(ctx, id)
			}
			return err
		}),
		"place in public": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			id, err := anyRoom(ctx, p, random)
			if err == nil {
				_, err = p.UpdateSession(ctx, one(random, r.sessions), models.SessionChange{IsPublic: new(true),
					PublishOverride: true, SessionInput: models.SessionInput{StartsAt: store.Some(clock("10:00")),
						EndsAt: store.Null[store.Time](), RoomID: store.Optional[string]{Set: true, Value: id}}})
			}
			return err
		},
		"call a room otherwise": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			id, err := anyRoom(ctx, p, random)
			if err == nil && id != nil {
				_, err = metadata.Of(p).Update(ctx, models.Rooms, *id, metadata.Change{Name: new(fmt.Sprint("Room ",
					random.Int()))})
			}
			return err
		},
		"delete a room with breaks": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			room, err := p.CreateMetadata(ctx, models.Rooms, models.NewMetadata{Name: "Room"})
			if err != nil {
				return err
			}
			if _, err := agenda.Of(p).AddBreak(ctx, lunch(&room.ID)); err != nil {
				return err
			}
			other, err := anyRoom(ctx, p, random)
			if err != nil || random.IntN(2) == 0 {
				other = nil
			}
			return metadata.Of(p).Delete(ctx, models.Rooms, room.ID, other)
		},
	}
}
