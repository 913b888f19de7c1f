package models_test

import (
	"context"
	"strings"
	"testing"
	"time"

	gojson "github.com/goccy/go-json"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/changes"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// asShown searches for all sessions as the API shows them, deleted ones too.
var asShown = models.SessionSearch{Page: store.Page{Size: store.MaxPageSize}, Spared: models.Spared{Columns: models.Unkept},
	Filter: models.SessionFilter{IncludeDeleted: true}}

// shownBy returns what a process shows of all sessions.
func shownBy(t *testing.T, f *modelstest.Fixture) (said string) {
	t.Helper()
	p := modelstest.Must(f.Programme().Anew(context.WithoutCancel(t.Context())))(t)
	rows := modelstest.First(p.SearchKept(t.Context(), asShown))(t)
	for _, row := range rows {
		said += string(row.JSON) + "\n"
		modelstest.Want(t, "it is kept", string(row.JSON), string(modelstest.Must(gojson.Marshal(row.Session))(t)))
	}
	return said
}

// TestSessionsThatAreKeptAreAsOthersReadThem changes everything that a search shows, by turns in two processes that
// cache sessions, and compares both with what a third process reads.
func TestSessionsThatAreKeptAreAsOthersReadThem(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, other := t.Context(), modelstest.Replica(t, f)
		of, called := f, modelstest.OpenCall(t, f)
		hall, cellar := modelstest.RowOf(t, f.Programme(), models.Rooms, "Hall"),
			modelstest.RowOf(t, f.Programme(), models.Rooms, "Cellar")
		keen, calm := modelstest.RowOf(t, f.Programme(), models.Tags, "Keen"),
			modelstest.RowOf(t, f.Programme(), models.Tags, "Calm")
		add := func(title string, isAbstract bool) string {
			return modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: title, IsAbstract: isAbstract,
				SessionInput: models.SessionInput{RoomID: store.Some(hall.ID), TagIDs: &[]string{keen.ID, calm.ID},
					Status: new(models.Accepted)}}))(t).ID
		}
		first, second, whole, half := add("First", false), add("Second", false), add("Whole", true), add("Half", true)
		ada := f.Speaker(t, f.Event, first, models.NewContact{FirstName: "Ada", Email: "ada@example.org"})
		eve := f.Speaker(t, f.Event, first, models.NewContact{FirstName: "Eve", Email: "eve@example.org"})
		f.Join(t, f.Event, whole, eve, models.Moderator)
		place, draft := called.Begin(t, f, "Zoe", "A draft")
		place = called.Prove(t, f, place)
		called.Begin(t, f, "Kay", "A beginning")
		var batch *models.Batch
		third := "" // composed of one abstract
		set := func(id string, in models.SessionInput) error {
			return modelstest.ErrorOf(of.Programme().UpdateSession(ctx, id, models.SessionChange{SessionInput: in}))
		}
		many := func(c models.BatchChange) (err error) {
			if batch, err = of.Programme().StartBatch(ctx, []string{first, second, half}, nil, c); err == nil {
				modelstest.Finish(t, of, batch.ID)
			}
			return err
		}
		imports := func(title, text string) error {
			return modelstest.ErrorOf(arrival.Of(of.Programme()).Import(ctx, modelstest.TwoTalks(t, title, text),
				arrival.Options{}))
		}
		for i, step := range []struct {
			name string
			do   func() error
		}{
			{"nothing", func() error { return nil }},
			{"a title", func() error {
				return modelstest.ErrorOf(of.Programme().UpdateSession(ctx, first, models.SessionChange{Title: new("Renamed")}))
			}},
			{"a text and answers", func() error {
				return set(half, models.SessionInput{Description: new("<p>a \"quoted\" {text}, \\ and [more]</p>"),
					CustomFields: &models.AnswersInput{{Key: "k", Value: "v"}}})
			}},
			{"a place", func() error {
				return set(first, models.SessionInput{RoomID: store.Some(cellar.ID),
					StartsAt: store.Some(store.At(time.Date(2027, 5, 20, 9, 0, 0, 0, time.UTC)))})
			}},
			{"fewer tags", func() error { return set(first, models.SessionInput{TagIDs: &[]string{calm.ID}}) }},
			{"published", func() error {
				return modelstest.ErrorOf(of.Programme().UpdateSession(ctx, first,
					models.SessionChange{IsPublic: new(true), PublishOverride: true}))
			}},
			{"a room's name", func() error {
				return modelstest.ErrorOf(metadata.Of(of.Programme()).Update(ctx, models.Rooms, cellar.ID,
					metadata.Change{Name: new("Vault")}))
			}},
			{"rooms in another order", func() error {
				return metadata.Of(of.Programme()).Move(ctx, models.Rooms, cellar.ID, 0)
			}},
			{"a tag that becomes another", func() error {
				return metadata.Of(of.Programme()).Delete(ctx, models.Tags, keen.ID, &calm.ID)
			}},
			{"a tag that is gone", func() error { return metadata.Of(of.Programme()).Delete(ctx, models.Tags, calm.ID, nil) }},
			{"a room that is gone", func() error {
				return metadata.Of(of.Programme()).Delete(ctx, models.Rooms, hall.ID, &cellar.ID)
			}},
			{"a person's name and address", func() error {
				return modelstest.ErrorOf(people.In(modelstest.DirectoryOf(of)).Update(ctx, ada,
					modelstest.Values("first_name", "Augusta", "email", "augusta@example.org")))
			}},
			{"a photo", func() error {
				return modelstest.ErrorOf(modelstest.DirectoryOf(of).SetPhoto(ctx, ada,
					models.Upload{Content: modelstest.Picture(t, 9, 9)}))
			}},
			{"no photo", func() error { return modelstest.ErrorOf(modelstest.DirectoryOf(of).RemovePhoto(ctx, ada)) }},
			{"a file of people", func() error {
				modelstest.ImportPeople(t, of, "Email,Company\neve@example.org,Engines\n", people.ImportOverwrite)
				return nil
			}},
			{"another event", func() error {
				return modelstest.ErrorOf(of.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Elsewhere",
					People: []models.Participation{{ContactID: ada}}}))
			}},
			{"a review", func() error {
				return of.Programme().GiveReview(ctx, f.Hire(t, "kim", "organizer"), half, models.Opinion{Score: 4})
			}},
			{"composed of two", func() error {
				return modelstest.ErrorOf(of.Programme().Compose(ctx, []string{whole, half}, second))
			}},
			{"a part's title", func() error {
				return modelstest.ErrorOf(of.Programme().ChangeText(ctx, half, models.TextChange{Title: new("The other half")}))
			}},
			{"what they are part of renamed", func() error {
				return modelstest.ErrorOf(of.Programme().UpdateSession(ctx, second, models.SessionChange{Title: new("Anew")}))
			}},
			{"one part less", func() error {
				return modelstest.ErrorOf(of.Programme().ComposeParts(ctx, models.Composition{Into: second,
					Parts: []models.Part{{AbstractID: half, Minutes: new(20)}}}))
			}},
			{"composed of one", func() error {
				into, err := of.Programme().Compose(ctx, []string{whole}, "")
				third = into.ID
				return err
			}},
			{"the text of both", func() error {
				return modelstest.ErrorOf(of.Programme().ChangeText(ctx, whole, models.TextChange{Title: new("Both")}))
			}},
			{"detached", func() error { return modelstest.ErrorOf(of.Programme().Detach(ctx, third)) }},
			{"linked again", func() error { return modelstest.ErrorOf(of.Programme().LinkAgain(ctx, third, nil)) }},
			{"what it is part of deleted", func() error { return modelstest.ErrorOf(of.Programme().DeleteSession(ctx, third)) }},
			{"many at once", func() error {
				return many(models.BatchChange{Operation: models.BatchUpdate, Status: new(models.Declined)})
			}},
			{"which are undone", func() error {
				undo, err := of.Programme().UndoBatch(ctx, batch.ID)
				if err == nil {
					modelstest.Finish(t, of, undo.ID)
				}
				return err
			}},
			{"many deleted", func() error { return many(models.BatchChange{Operation: models.BatchDelete}) }},
			{"many restored", func() error { return many(models.BatchChange{Operation: models.BatchRestore}) }},
			{"merged", func() error { modelstest.Merged(t, of, ada, eve); return nil }},
			{"erased", func() error { return people.In(modelstest.DirectoryOf(of)).Erase(ctx, ada) }},
			{"a proposal goes on", func() error {
				_, _, err := place.Save(ctx, called.Event, draft.ID, call.Saving{Values: call.Values{"title": "A better draft"}})
				return err
			}},
			{"a beginning that is swept", func() error {
				f.Clock.Move(call.BeginningLifetime + time.Hour)
				return modelstest.ErrorOf(call.SweepBeginnings(ctx, of.Store, 10))
			}},
			{"talks of a schedule", func() error { return imports("Imported", "Text") }},
			{"imported again", func() error { return imports("Imported anew", "Text") }},
			{"a part that is taken back", func() error { // as an undone move does, all at once
				return of.Programme().Write(ctx, func(tx *store.Tx) error {
					if err := tx.Exec("UPDATE sessions SET deleted_at = ?, updated_at = ? WHERE id = ?", tx.Now, tx.Now,
						half).Error; err != nil {
						return err
					}
					models.TouchRows(tx, f.Event.ID)
					return tx.Exec("DELETE FROM sessions WHERE id = ?", half).Error
				})
			}},
		} {
			of = []*modelstest.Fixture{f, other}[i%2]
			f.Clock.Move(time.Second)
			modelstest.WantKind(t, step.name, step.do(), 0)
			want := shownBy(t, modelstest.Replica(t, f))
			for _, by := range []*modelstest.Fixture{f, other} {
				for range 2 {
					modelstest.Want(t, step.name+": it says, and read anew", shownBy(t, by), want)
				}
			}
		}
	})
}

// TestASearchOfWhatIsKeptAsksForIdsAlone counts the statements of a search: one for the ids of the page, one more after
// a change in the event, and those that read the page's rows when one is not cached.
func TestASearchOfWhatIsKeptAsksForIdsAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		add := func(title string) *models.Session {
			return modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: title, IsAbstract: true}))(t)
		}
		first := add("First")
		add("Second")
		search := func(ctx context.Context, q models.SessionSearch) (n int) {
			p = modelstest.Must(p.Anew(ctx))(t)
			return len(f.Statement.During(func() { modelstest.Fine(t, third(p.SearchKept(ctx, q))) }))
		}
		want := func(name string, n int) {
			t.Helper()
			modelstest.Want(t, name+": statements", search(ctx, asShown), n)
		}
		want("at first", 3)
		want("kept", 1)
		few := asShown
		few.Spared = models.Spared{Participants: true, Tags: true, Rows: true, Columns: append([]string{"description"}, models.Unkept...)}
		modelstest.Want(t, "statements of a search for less", search(ctx, few), 1)
		more := asShown
		more.Spared.Columns = models.Unkept[1:]
		modelstest.Want(t, "statements of a search for more", search(ctx, more), 2)
		modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Elsewhere"}))(t)
		want("after a change elsewhere", 1)
		modelstest.RowOf(t, p, models.Tracks, "Tides")
		want("after a change of nothing that is shown", 2)
		want("after that", 1)
		modelstest.Must(p.UpdateSession(ctx, first.ID, models.SessionChange{Title: new("Renamed")}))(t)
		want("after a change of one", 4)
		want("which is kept", 1)
		modelstest.Fine(t, f.Write(ctx, func(tx *store.Tx) error {
			ctx := tx.Within(ctx)
			modelstest.Must(p.UpdateSession(ctx, first.ID, models.SessionChange{Title: new("Within")}))(t)
			for range 2 {
				modelstest.Want(t, "statements within a transaction", search(ctx, asShown), 2)
			}
			return nil
		}))
		want("after a transaction", 4)
	})
}

func third[A, B any](_ A, _ B, err error) error { return err }

// TestManySessionsAreForgotten has longer sessions than the cache holds.
func TestManySessionsAreForgotten(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		for range 8 {
			modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Long"}))(t)
		}
		modelstest.Exec(t, f.SQL, "UPDATE sessions SET description = replace('"+strings.Repeat("x", 1000)+"', 'x', '"+
			strings.Repeat("y", 1000)+"')")
		statements := func(page int) (n int) {
			q := asShown
			q.Page = store.Page{Number: page, Size: 1}
			return len(f.Statement.During(func() { modelstest.Fine(t, third(p.SearchKept(ctx, q))) }))
		}
		for page := range 8 {
			modelstest.Holds(t, statements(page+1) != 1, "page %d was kept before it was read", page+1)
		}
		modelstest.Want(t, "statements of the last page", statements(8), 1)
		modelstest.Holds(t, statements(1) != 1, "8 MB are kept")
	})
}

// TestNothingIsKeptOfADatabaseBeforeABackup changes a session as a restored backup does: the numbers of the changes are
// those of before.
func TestNothingIsKeptOfADatabaseBeforeABackup(t *testing.T) {
	for _, dialect := range modelstest.Engines() {
		t.Run(dialect, func(t *testing.T) {
			f := modelstest.Open(t, dialect)
			s := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Before"}))(t)
			shownBy(t, f)
			again := "DROP TRIGGER sessions_changed"
			if !f.Embedded() {
				again += " ON sessions"
			}
			for _, statement := range []string{again, "UPDATE sessions SET title = 'After' WHERE id = '" + s.ID + "'"} {
				modelstest.Exec(t, f.SQL, statement)
			}
			if is := shownBy(t, f); !strings.Contains(is, "Before") {
				t.Errorf("it says %s", is)
			}
			if f.Embedded() {
				modelstest.Fine(t, changes.Restored(t.Context(), f.Store))
			} else {
				for _, statement := range []string{"CREATE TABLE dumped AS SELECT * FROM change_numbers",
					"DROP TABLE change_numbers", "ALTER TABLE dumped RENAME TO change_numbers"} {
					modelstest.Exec(t, f.SQL, statement)
				}
			}
			if is := shownBy(t, f); !strings.Contains(is, "After") {
				t.Errorf("it says %s", is)
			}
		})
	}
}
