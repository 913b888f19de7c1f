package metadata_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// order returns a family's rows in their order, and whether their positions are dense.
func order(t *testing.T, p *models.Programme, family models.Family) string {
	t.Helper()
	rows := modelstest.First(p.ListMetadata(t.Context(), family, "", store.Page{Size: 100}))(t)
	var names []string
	for i, m := range rows {
		names = append(names, m.Name)
		modelstest.Want(t, m.Name+" is at", m.Position, i)
	}
	return strings.Join(names, " ")
}

// foreign returns ids that no row of the family in the event under test has.
func foreign(t *testing.T, f *modelstest.Fixture, family models.Family) []string {
	other := models.Families[(slices.Index(models.Families, family)+1)%len(models.Families)]
	return []string{modelstest.RowOf(t, f.Elsewhere(), family, "Theirs").ID,
		modelstest.RowOf(t, f.Programme(), other, "Another").ID, store.NewID(), "", "\x00", "' OR 1=1"}
}

func TestAChangeOfMetadataShowsOnSessionsAtOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		f.Clock.Move(time.Second)
		for family, c := range map[models.Family]metadata.Change{
			models.Tracks:  {Name: new(" New name "), Color: new("#123456")},
			models.Rooms:   {Name: new("New name"), Capacity: store.Some(20)},
			models.Tags:    {Name: new("New name")},
			models.Formats: {Name: new("New name"), DefaultMinutes: store.Some(45)},
			models.Levels:  {Name: new("New name")},
		} {
			row := modelstest.RowOf(t, f.Programme(), family, "Old name")
			version := f.Programme().Event().MetadataVersion
			changed := modelstest.Must(metadata.Of(f.Programme()).Update(ctx, family, row.ID, c))(t)
			rows, _, err := f.Programme().ListMetadata(ctx, family, "new NAME", store.Page{})
			if err != nil || len(rows) != 1 || rows[0].Name != "New name" || f.Programme().Event().MetadataVersion == version {
				t.Errorf("%s: %v, %v", family, rows, err)
			}
			if !changed.UpdatedAt.After(row.UpdatedAt.Time) ||
				fmt.Sprint(store.Fact(changed.Capacity), store.Fact(changed.DefaultMinutes)) != fmt.Sprint(store.Fact(c.Capacity.Value),
					store.Fact(c.DefaultMinutes.Value)) {
				t.Errorf("%s: %+v", family, changed)
			}
			lines := modelstest.Must(f.Programme().Activity(ctx, row.ID))(t)
			if len(lines) != 2 || lines[0].Action != "updated" || !strings.Contains(lines[0].After, "New name") ||
				!strings.Contains(lines[0].Before, "Old name") {
				t.Errorf("%s: %+v", family, lines)
			}
			// Nothing of it changes: no token, no activity.
			same := modelstest.Must(metadata.Of(f.Programme()).Update(ctx, family, row.ID, c))(t)
			if !same.UpdatedAt.Equal(changed.UpdatedAt.Time) ||
				len(modelstest.Must(f.Programme().Activity(ctx, row.ID))(t)) != 2 {
				t.Errorf("%s: the same again gives %+v", family, same)
			}
			if c.Capacity.Set {
				if m := modelstest.Must(metadata.Of(f.Programme()).Update(ctx, family, row.ID,
					metadata.Change{Capacity: store.Null[int]()}))(t); m.Capacity != nil {
					t.Errorf("the capacity is still %d", *m.Capacity)
				}
			}
		}
		track := modelstest.RowOf(t, f.Programme(), models.Tracks, "Before")
		s := modelstest.Must(f.Programme().CreateSession(ctx,
			models.NewSession{Title: "T", SessionInput: models.SessionInput{TrackID: store.Some(track.ID)}}))(t)
		modelstest.Emitted(t, f)
		modelstest.Must(metadata.Of(f.Programme()).Update(ctx, models.Tracks, track.ID,
			metadata.Change{Name: new("After")}))(t)
		shown := modelstest.Must(f.Programme().Session(ctx, s.ID))(t)
		if shown.Track.Name != "After" || !shown.UpdatedAt.Equal(s.UpdatedAt.Time) || len(modelstest.Emitted(t, f)) != 0 {
			t.Errorf("the session shows %+v", shown.Track)
		}
		for text, want := range map[string]int{"Before": 0, "After": 0, "T": 1} {
			if rows, _, err := f.Programme().SearchSessions(ctx,
				models.SessionSearch{Filter: models.SessionFilter{Text: text}}); err != nil || len(rows) != want {
				t.Errorf("%q finds %d sessions, %v", text, len(rows), err)
			}
		}
	})
}

func TestAStaleChangeOfMetadataIsRefused(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		room := modelstest.RowOf(t, p, models.Rooms, "R")
		read := room.UpdatedAt
		next := modelstest.Must(metadata.Of(p).Update(ctx, models.Rooms, room.ID,
			metadata.Change{Name: new("Mine"), UpdatedAt: &read}))(t)
		if row, err := metadata.Of(p).Update(ctx, models.Rooms, room.ID,
			metadata.Change{Name: new("Yours"), UpdatedAt: &read}); row != nil || store.KindOf(err) != store.Stale {
			t.Errorf("%v, %v", row, err)
		}
		modelstest.Must(metadata.Of(p).Update(ctx, models.Rooms, room.ID,
			metadata.Change{Name: new("Yours"), UpdatedAt: &next.UpdatedAt}))(t)
		modelstest.Must(metadata.Of(p).Update(ctx, models.Rooms, room.ID, metadata.Change{Name: new("Forced")}))(t)
	})
}

func TestAChangeOfMetadataThatBreaksARuleIsRefused(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		for _, c := range []struct {
			family models.Family
			field  string
			change metadata.Change
		}{
			{models.Tags, "name", metadata.Change{Name: new(" ")}},
			{models.Tags, "name", metadata.Change{Name: new("a\x00")}},
			{models.Tags, "name", metadata.Change{Name: new(strings.Repeat("x", 256))}},
			{models.Tracks, "color", metadata.Change{Color: new("red")}},
			{models.Tracks, "color", metadata.Change{Color: new("")}},
			{models.Rooms, "color", metadata.Change{Color: new("#123456")}},
			{models.Rooms, "capacity", metadata.Change{Capacity: store.Some(-1)}},
			{models.Tracks, "capacity", metadata.Change{Capacity: store.Null[int]()}},
			{models.Formats, "default_minutes", metadata.Change{DefaultMinutes: store.Some(0)}},
			{models.Levels, "default_minutes", metadata.Change{DefaultMinutes: store.Some(5)}},
		} {
			row := modelstest.RowOf(t, f.Programme(), c.family, "Name")
			_, err := metadata.Of(f.Programme()).Update(ctx, c.family, row.ID, c.change)
			if store.KindOf(err) != store.Invalid || !strings.HasPrefix(err.Error(), c.field) {
				t.Errorf("%s of %s: %v", c.field, c.family, err)
			}
		}
	})
}

func TestMetadataOfAnotherEventOrFamilyIsNotThere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		for _, family := range models.Families {
			mine := modelstest.RowOf(t, f.Programme(), family, "Mine")
			for _, id := range foreign(t, f, family) {
				_, err := metadata.Of(f.Programme()).Update(ctx, family, id, metadata.Change{Name: new("X")})
				for name, err := range map[string]error{
					"change": err,
					"move":   metadata.Of(f.Programme()).Move(ctx, family, id, 0),
					"delete": metadata.Of(f.Programme()).Delete(ctx, family, id, nil),
				} {
					if store.KindOf(err) != store.NotFound || strings.Contains(err.Error(), "Theirs") {
						t.Errorf("%s of %s %q: %v", name, family, id, err)
					}
				}
				modelstest.WantKind(t, string(family)+" replaced by "+id,
					metadata.Of(f.Programme()).Delete(ctx, family, mine.ID, &id), store.Invalid)
			}
			modelstest.WantKind(t, string(family)+" replaced by itself",
				metadata.Of(f.Programme()).Delete(ctx, family, mine.ID, &mine.ID), store.Invalid)
			modelstest.WantKind(t, "a row of no family", metadata.Of(f.Programme()).Move(ctx, models.Family("\x00"), mine.ID, 0),
				store.NotFound)
			modelstest.Want(t, "their "+string(family)+" are", order(t, f.Elsewhere(), family), "Theirs")
		}
	})
}

func TestMovingARowMakesTheOthersMoveAlong(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		rows := map[string]*models.Metadata{}
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			rows[name] = modelstest.RowOf(t, f.Programme(), models.Rooms, name)
			modelstest.RowOf(t, f.Elsewhere(), models.Rooms, name)
			modelstest.RowOf(t, f.Programme(), models.Levels, name)
		}
		for _, c := range []struct {
			name string
			to   int
			want string
		}{
			{"a", 4, "b c d e a"}, {"a", 0, "a b c d e"}, {"b", 3, "a c d b e"}, {"e", 1, "a e c d b"}, {"e", 1, "a e c d b"},
			{"d", 2, "a e d c b"},
		} {
			modelstest.Fine(t, metadata.Of(f.Programme()).Move(ctx, models.Rooms, rows[c.name].ID, c.to))
			modelstest.Want(t, fmt.Sprintf("after moving %s to %d the order is", c.name, c.to),
				order(t, f.Programme(), models.Rooms), c.want)
		}
		for _, position := range []int{-1, 5, 1 << 40} {
			modelstest.WantKind(t, fmt.Sprintf("moving to %d", position),
				metadata.Of(f.Programme()).Move(ctx, models.Rooms, rows["a"].ID, position), store.Invalid)
		}
		modelstest.Want(t, "others moved", order(t, f.Elsewhere(), models.Rooms)+order(t, f.Programme(),
			models.Levels), "a b c d ea b c d e")
		if lines := modelstest.Must(f.Programme().Activity(ctx, rows["e"].ID))(t); len(lines) != 2 ||
			lines[0].Action != "moved" {
			t.Errorf("%v", lines)
		}
	})
}

// A client that sends a row back as it read it would move it to its former position.
func TestARowThatMadeRoomIsNotSentBackAsItWasRead(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, m := t.Context(), metadata.Of(f.Programme())
		rows := map[string]*models.Metadata{}
		for _, name := range []string{"a", "b", "c", "d"} {
			rows[name] = modelstest.RowOf(t, f.Programme(), models.Rooms, name)
		}
		modelstest.Fine(t, m.Move(ctx, models.Rooms, rows["c"].ID, 0))
		modelstest.Fine(t, m.Delete(ctx, models.Rooms, rows["b"].ID, nil))
		for _, name := range []string{"a", "d"} {
			was := rows[name]
			back := metadata.Change{Position: &was.Position, UpdatedAt: &was.UpdatedAt}
			modelstest.Answers(m.Update(ctx, models.Rooms, was.ID, back))(t, name, store.Stale)
		}
		modelstest.Want(t, "the order", order(t, f.Programme(), models.Rooms), "c a d")
		still := modelstest.RowOf(t, f.Programme(), models.Rooms, "e")
		modelstest.Fine(t, m.Move(ctx, models.Rooms, rows["d"].ID, 1))
		back := metadata.Change{Position: &still.Position, UpdatedAt: &still.UpdatedAt}
		modelstest.Must(m.Update(ctx, models.Rooms, still.ID, back))(t) // it stood still
	})
}

func TestManyMovesAtOnceKeepThePositionsDense(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var rows []*models.Metadata
		for i := range 6 {
			rows = append(rows, modelstest.RowOf(t, f.Programme(), models.Tags, fmt.Sprint(i)))
		}
		modelstest.AllSucceed(t, len(rows), func(i int) error {
			err := metadata.Of(f.Programme()).Move(t.Context(), models.Tags, rows[i].ID, (i*5)%4)
			if err == nil && i == 5 {
				err = metadata.Of(f.Programme()).Delete(t.Context(), models.Tags, rows[i].ID, nil)
			}
			return err
		})
		modelstest.Want(t, "the order is", len(strings.Fields(order(t, f.Programme(), models.Tags))), 5)
	})
}

// Cached metadata serves a transaction too, but not one that changed it.
func TestATransactionSeesTheMetadataAsItStandsThere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		track := modelstest.RowOf(t, f.Programme(), models.Tracks, "Old")
		s := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "A",
			SessionInput: models.SessionInput{TrackID: store.Some(track.ID)}}))(t)
		p := f.Programme()
		modelstest.Must(p.Family(ctx, models.Tracks))(t) // is kept from here on
		title := func(ctx context.Context, title string) string {
			return modelstest.Must(p.UpdateSession(ctx, s.ID, models.SessionChange{Title: &title}))(t).Track.Name
		}
		err := p.Write(ctx, func(tx *store.Tx) error {
			inside := tx.Within(ctx)
			for _, statement := range f.Statement.During(func() { title(inside, "B") }) {
				if strings.Contains(strings.NewReplacer("`", "", `"`, "").Replace(statement), "FROM metadata") {
					t.Errorf("the rows are read again: %s", statement)
				}
			}
			for _, name := range []string{"New", "Newer"} {
				modelstest.Must(metadata.Of(p).Update(inside, models.Tracks, track.ID, metadata.Change{Name: &name}))(t)
				modelstest.Want(t, "the track is called", title(inside, name), name)
			}
			return errors.New("taken back")
		})
		if err == nil || title(ctx, "C") != "Old" {
			t.Errorf("%v, and the track has its new name", err)
		}
	})
}
