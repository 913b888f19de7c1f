package metadata_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// with returns an input that names a row of the family.
func with(family models.Family, ids ...string) models.SessionInput {
	switch id := store.Some(ids[0]); family {
	case models.Tracks:
		return models.SessionInput{TrackID: id}
	case models.Rooms:
		return models.SessionInput{RoomID: id}
	case models.Formats:
		return models.SessionInput{FormatID: id}
	case models.Levels:
		return models.SessionInput{LevelID: id}
	}
	return models.SessionInput{TagIDs: &ids}
}

// labels returns the rows of a family that a session shows.
func labels(s *models.Session, family models.Family) string {
	var names []string
	switch {
	case family == models.Tracks && s.Track != nil:
		names = append(names, s.Track.Name)
	case family == models.Rooms && s.Room != nil:
		names = append(names, s.Room.Name)
	case family == models.Formats && s.Format != nil:
		names = append(names, s.Format.Name)
	case family == models.Levels && s.Level != nil:
		names = append(names, s.Level.Name)
	case family == models.Tags:
		for _, tag := range s.Tags {
			names = append(names, tag.Name)
		}
	}
	return strings.Join(names, " ")
}

// tagContact puts a tag on a new contact of the event and returns its id.
func tagContact(t *testing.T, f *modelstest.Fixture, tagIDs ...string) string {
	t.Helper()
	contact := modelstest.Must(f.Programme().CreateContact(t.Context(), models.NewContact{FirstName: "Ada"}))(t)
	db := f.SQL
	for _, id := range tagIDs {
		modelstest.Must(db.Exec("INSERT INTO contact_tags VALUES ($1, $2, $3)", f.Event.ID, contact.ID, id))(t)
	}
	return contact.ID
}

func lunchIn(room *string) models.NewBreak {
	noon := store.At(time.Date(2027, time.May, 20, 12, 0, 0, 0, time.UTC))
	return models.NewBreak{Kind: models.Pause, Title: "Lunch", StartsAt: noon, EndsAt: store.At(noon.Add(time.Hour)),
		RoomID: room}
}

func TestUsageCountsLiveSessionsAndContactsInOneStatement(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		for _, family := range models.Families {
			p := f.Programme()
			used, unused := modelstest.RowOf(t, p, family, "used"), modelstest.RowOf(t, p, family, "unused")
			for i := range 3 {
				s := modelstest.Must(f.Programme().CreateSession(ctx,
					models.NewSession{Title: "T", IsAbstract: i == 0, SessionInput: with(family, used.ID)}))(t)
				if i == 2 {
					modelstest.Must(p.DeleteSession(ctx, s.ID))(t)
				}
			}
			theirs := modelstest.RowOf(t, f.Elsewhere(), family, "theirs")
			modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "T",
				SessionInput: with(family, theirs.ID)}))(t)
			want := metadata.Usage{Submissions: 1, Sessions: 1}
			if family == models.Tags {
				tagContact(t, f, used.ID)
				want.People = 1
			}
			if family == models.Rooms {
				for _, room := range []*string{&used.ID, &used.ID, nil} { // the last is in all rooms
					modelstest.Must(agenda.Of(p).AddBreak(ctx, lunchIn(room)))(t)
				}
				gone := modelstest.Must(agenda.Of(p).AddBreak(ctx, lunchIn(&unused.ID)))(t)
				modelstest.Must(agenda.Of(p).DeleteBreak(ctx, gone.ID))(t)
				modelstest.Must(agenda.Of(f.Elsewhere()).AddBreak(ctx, lunchIn(&theirs.ID)))(t)
				want.Breaks = 2
			}
			var usage map[string]metadata.Usage
			statements := f.Statement.During(func() { usage = modelstest.Must(metadata.Of(p).Usage(ctx, family))(t) })
			if len(statements) != 1 || len(usage) != 1 || usage[used.ID] != want || usage[unused.ID].Total() != 0 {
				t.Errorf("%s: %v in %d statements", family, usage, len(statements))
			}
		}
		modelstest.Answers(metadata.Of(f.Programme()).Usage(ctx, "x; DROP TABLE sessions"))(t, "an unknown family",
			store.Invalid)
	})
}

func TestSessionsOfADeletedRowGetAnotherOrNone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		for _, family := range models.Families {
			for _, reassign := range []bool{true, false} {
				first, going, last := modelstest.RowOf(t, f.Programme(), family, "first"),
					modelstest.RowOf(t, f.Programme(), family, "going"), modelstest.RowOf(t, f.Programme(), family, "last")
				theirs := modelstest.RowOf(t, f.Elsewhere(), family, "theirs")
				elsewhere := modelstest.Must(f.Elsewhere().CreateSession(ctx,
					models.NewSession{Title: "T", SessionInput: with(family, theirs.ID)}))(t)
				add := func(ids ...string) *models.Session {
					return modelstest.Must(f.Programme().CreateSession(ctx,
						models.NewSession{Title: "T", SessionInput: with(family, ids...)}))(t)
				}
				one, deleted, other := add(going.ID), add(going.ID), add(last.ID)
				deleted = modelstest.Must(f.Programme().DeleteSession(ctx, deleted.ID))(t)
				both, want := one, "going"
				if family == models.Tags {
					both, want = add(going.ID, last.ID, first.ID), "first going last"
				}
				modelstest.Want(t, string(family), labels(both, family), want)
				modelstest.Emitted(t, f)
				before := f.Programme().Event()
				to, shown, shownBoth := (*string)(nil), "", ""
				if reassign {
					to, shown, shownBoth = &last.ID, "last", "last"
				}
				if family == models.Tags {
					shownBoth = "first last"
				}
				modelstest.Fine(t, metadata.Of(f.Programme()).Delete(ctx, family, going.ID, to))

				for s, want := range map[*models.Session]string{one: shown, deleted: shown, both: shownBoth} {
					now := modelstest.Must(f.Programme().Session(ctx, s.ID))(t)
					if got := labels(now, family); got != want || !now.UpdatedAt.After(s.UpdatedAt.Time) {
						t.Errorf("%s: a session shows %q, not %q, at %s after %s", family, got, want, now.UpdatedAt, s.UpdatedAt)
					}
					_, err := f.Programme().UpdateSession(ctx, s.ID, models.SessionChange{Title: new("New"), UpdatedAt: &s.UpdatedAt})
					if kind := store.KindOf(err); kind != store.Stale && s.DeletedAt == nil {
						t.Errorf("%s: the old token answers %v", family, err)
					}
				}
				if now := modelstest.Must(f.Programme().Session(ctx, other.ID))(t); labels(now, family) != "last" ||
					!now.UpdatedAt.Equal(other.UpdatedAt.Time) {
					t.Errorf("%s: a session without the row changed: %+v", family, now)
				}
				if now := modelstest.Must(f.Elsewhere().Session(ctx, elsewhere.ID))(t); labels(now, family) != "theirs" ||
					!now.UpdatedAt.Equal(elsewhere.UpdatedAt.Time) {
					t.Errorf("%s: the other event's session changed: %+v", family, now)
				}
				after := f.Programme().Event()
				if after.MetadataVersion == before.MetadataVersion || after.SessionsVersion == before.SessionsVersion {
					t.Errorf("%s: the versions went from %d, %d to %d, %d", family, before.MetadataVersion, before.SessionsVersion,
						after.MetadataVersion, after.SessionsVersion)
				}
				modelstest.Want(t, string(family)+": emissions", len(modelstest.Emitted(t, f)), 0)
				if got := order(t, f.Programme(), family); !strings.HasSuffix(got, "first last") {
					t.Errorf("%s are %s", family, got)
				}
				for s, want := range map[string]int{one.ID: 2, both.ID: 2, deleted.ID: 2} {
					// The deleted one has its creation and its deletion.
					modelstest.Want(t, string(family)+": lines of activity",
						len(modelstest.Must(f.Programme().Activity(ctx, s))(t)), want)
				}
				line := modelstest.Must(f.Programme().Activity(ctx, both.ID))(t)[0]
				if kept := line.Before + line.After; line.Action != "updated" || line.ActorName != modelstest.Tester.ActorName ||
					!strings.Contains(line.Before, going.ID) || strings.Contains(line.After, going.ID) ||
					strings.Contains(line.After, last.ID) != (reassign || family == models.Tags) ||
					!strings.Contains(kept, family.Singular()+"_id") {
					t.Errorf("%s: %+v", family, line)
				}
				if line := modelstest.Must(f.Programme().Activity(ctx, going.ID))(t)[0]; line.Action != "deleted" ||
					!strings.Contains(line.Before, "going") {
					t.Errorf("%s: %+v", family, line)
				}
				modelstest.Fine(t, metadata.Of(f.Programme()).Delete(ctx, family, first.ID, nil))
				modelstest.Fine(t, metadata.Of(f.Programme()).Delete(ctx, family, last.ID, nil))
			}
		}
	})
}

func TestContactsOfADeletedTagGetTheOther(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		going, other := modelstest.RowOf(t, f.Programme(), models.Tags, "going"), modelstest.RowOf(t, f.Programme(),
			models.Tags, "other")
		tagContact(t, f, going.ID)
		tagContact(t, f, going.ID, other.ID)
		modelstest.Fine(t, metadata.Of(f.Programme()).Delete(ctx, models.Tags, going.ID, &other.ID))
		if usage := modelstest.Must(metadata.Of(f.Programme()).Usage(ctx, models.Tags))(t); len(usage) != 1 ||
			usage[other.ID] != (metadata.Usage{People: 2}) {
			t.Errorf("%v", usage)
		}
		modelstest.Fine(t, metadata.Of(f.Programme()).Delete(ctx, models.Tags, other.ID, nil))
		modelstest.Want(t, "usage", len(modelstest.Must(metadata.Of(f.Programme()).Usage(ctx, models.Tags))(t)), 0)
	})
}

func TestTokensMoveOnAlsoWhenTheClockLagsBehind(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		row := modelstest.RowOf(t, f.Programme(), models.Tracks, "T")
		f.Clock.Move(time.Hour)
		s := modelstest.Must(f.Programme().CreateSession(ctx,
			models.NewSession{Title: "T", SessionInput: with(models.Tracks, row.ID)}))(t)
		f.Clock.Move(-time.Hour)
		modelstest.Fine(t, metadata.Of(f.Programme()).Delete(ctx, models.Tracks, row.ID, nil))
		if now := modelstest.Must(f.Programme().Session(ctx, s.ID))(t); now.UpdatedAt.Sub(
			s.UpdatedAt.Time) != time.Millisecond {
			t.Errorf("the token went from %s to %s", s.UpdatedAt, now.UpdatedAt)
		}
	})
}

func TestDeletingARowCostsTheSameHoweverManySessionsUseIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for family, most := range map[models.Family]int{models.Tracks: 13, models.Tags: 17} {
			for _, sessions := range []int{2, 40} {
				row, other := modelstest.RowOf(t, f.Programme(), family, "row"), modelstest.RowOf(t, f.Programme(), family, "other")
				for range sessions {
					modelstest.Must(f.Programme().CreateSession(t.Context(),
						models.NewSession{Title: "T", SessionInput: with(family, row.ID)}))(t)
				}
				p := f.Programme()
				statements := f.Statement.During(func() {
					modelstest.Fine(t, metadata.Of(p).Delete(t.Context(), family, row.ID, &other.ID))
				})
				if len(statements) > most {
					t.Errorf("%s used by %d sessions: %d statements\n%s", family, sessions, len(statements),
						strings.Join(statements, "\n"))
				}
				t.Log(family, sessions, len(statements))
			}
		}
	})
}

func TestASessionThatNamesARowDeletedMeanwhileIsInvalid(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		for _, family := range models.Families {
			row := modelstest.RowOf(t, f.Programme(), family, "going")
			s := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "T"}))(t)
			before := f.Programme() // as a request finds it that came before the deletion
			order(t, before, family)
			modelstest.Fine(t, metadata.Of(f.Programme()).Delete(ctx, family, row.ID, nil))
			_, created := before.CreateSession(ctx, models.NewSession{Title: "T", SessionInput: with(family, row.ID)})
			_, updated := before.UpdateSession(ctx, s.ID, models.SessionChange{SessionInput: with(family, row.ID)})
			for name, err := range map[string]error{"create": created, "update": updated} {
				modelstest.WantKind(t, name+" with a "+family.Singular()+" that went", err, store.Invalid)
			}
		}
	})
}

func TestARowThatIsUsedIsRemovedOnlyWithAWordOnIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		room, other := modelstest.RowOf(t, p, models.Rooms, "R"), modelstest.RowOf(t, p, models.Rooms, "Other")
		modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T",
			SessionInput: models.SessionInput{RoomID: store.Some(room.ID)}}))(t)
		used, err := metadata.Of(p).Remove(ctx, models.Rooms, room.ID, store.Optional[string]{})
		modelstest.WantKind(t, "without a word", err, store.Invalid)
		if used != (metadata.Usage{Sessions: 1}) || !strings.Contains(err.Error(), "1 session") {
			t.Errorf("%+v, %v", used, err)
		}
		used, err = metadata.Of(p).Remove(ctx, models.Rooms, room.ID, store.Some(other.ID))
		if err != nil || used != (metadata.Usage{Sessions: 1}) {
			t.Errorf("%+v, %v", used, err)
		}
		gone, err := p.MetadataRow(ctx, models.Rooms, room.ID)
		modelstest.WantKind(t, fmt.Sprintf("%+v", gone), err, store.NotFound)
		modelstest.Want(t, "string", (metadata.Usage{Submissions: 2, People: 1, Breaks: 3}).String(),
			"2 submissions, 1 contact, 3 breaks")
	})
}
