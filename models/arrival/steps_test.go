package arrival_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/desk"
	"lectern/models/frab"
	"lectern/models/modelstest"
	"lectern/models/seed"
	"lectern/models/store"
)

// large returns a schedule of n items and n/2 people, in eight rooms and tracks.
func large(n int) *frab.Schedule {
	s := &frab.Schedule{Title: "Large", Start: "2027-05-20", End: "2027-05-21"}
	for i := range 8 {
		s.Rooms = append(s.Rooms, frab.Room{Name: fmt.Sprint("Room ", i)})
		s.Tracks = append(s.Tracks, frab.Track{Name: fmt.Sprint("Track ", i)})
	}
	start := time.Date(2027, 5, 20, 8, 0, 0, 0, time.UTC)
	for i := range n {
		id := fmt.Sprint(i)
		s.Events = append(s.Events, frab.Event{
			Index: i + 1, Key: id, ID: id, Title: "Item " + id, Description: "Text of " + id, Type: "talk",
			Room: s.Rooms[i%8].Name, Track: s.Tracks[i%8].Name, Start: start, End: start.Add(time.Hour),
			Persons: []frab.Person{{ID: fmt.Sprint(i / 2), Name: fmt.Sprint("Person ", i/2),
				Email: fmt.Sprintf("p%d@example.org", i/2)}},
		})
	}
	return s
}

// loads are the operations that bring many rows at once.
var loads = []struct {
	name string
	load func(context.Context, *models.Programme) error
}{
	{"import", func(ctx context.Context, p *models.Programme) error {
		return modelstest.ErrorOf(arrival.Of(p).Import(ctx, large(400), arrival.Options{}))
	}},
	{"import with submissions", func(ctx context.Context, p *models.Programme) error {
		return modelstest.ErrorOf(arrival.Of(p).Import(ctx, large(200), arrival.Options{AsSubmissions: true}))
	}},
	{"seed", func(ctx context.Context, p *models.Programme) error { return seed.Fill(ctx, p, 400, 200) }},
}

func count(t testing.TB, db *sql.DB, what string) (n int) {
	t.Helper()
	if err := db.QueryRow("SELECT count(*) FROM " + what).Scan(&n); err != nil {
		t.Error(err)
	}
	return n
}

// TestCreatesAndLoadsTakeNoNumberTwice creates sessions in one process while another one loads many.
func TestCreatesAndLoadsTakeNoNumberTwice(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		other := modelstest.Replica(t, f).Programme
		create := func() {
			for _, abstract := range []bool{true, false} {
				if _, err := other().CreateSession(t.Context(), models.NewSession{Title: "Between",
					IsAbstract: abstract}); err != nil {
					t.Error(err)
				}
			}
		}
		for _, l := range loads {
			var done atomic.Bool
			var wg sync.WaitGroup
			wg.Go(func() {
				defer done.Store(true)
				modelstest.WantKind(t, l.name, l.load(t.Context(), f.Programme()), 0)
			})
			for !done.Load() {
				create()
				time.Sleep(20 * time.Millisecond) // SQLite gives a file to whoever looks while nobody has it
			}
			wg.Wait()
			create()
		}
		db := f.SQL
		var abstracts, sessions int
		modelstest.Fine(t, db.QueryRow("SELECT last_abstract, last_session FROM event_counters WHERE event_id = $1",
			f.Event.ID).Scan(&abstracts, &sessions))
		if n := count(t, db, "sessions WHERE is_abstract"); n != abstracts {
			t.Errorf("%d abstracts have %d numbers", n, abstracts)
		}
		if n := count(t, db, "sessions WHERE NOT is_abstract"); n != sessions {
			t.Errorf("%d sessions have %d numbers", n, sessions)
		}
	})
}

// TestALoadWritesAtMostAHundredRowsAtOnce looks from outside, at each step, at the rows that the steps before have made
// visible.
func TestALoadWritesAtMostAHundredRowsAtOnce(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		db := f.SQL
		for _, l := range loads {
			before, steps := map[string]int{}, 0
			look := func() {
				steps++
				for _, table := range []string{"sessions", "contacts", "metadata"} {
					now := count(t, db, table)
					if now-before[table] > 100 {
						t.Errorf("%s: %d rows of %s appear at once", l.name, now-before[table], table)
					}
					before[table] = now
				}
			}
			for _, table := range []string{"sessions", "contacts", "metadata"} {
				before[table] = count(t, db, table)
			}
			stop := f.Statement.Watch(func(statement string) {
				if strings.HasPrefix(statement, "UPDATE event_counters SET last_abstract") ||
					strings.HasPrefix(statement, `INSERT INTO "contacts"`) ||
					strings.HasPrefix(statement, "INSERT INTO `contacts`") {
					look()
				}
			})
			err := l.load(t.Context(), f.Programme())
			stop()
			modelstest.Fine(t, err)
			look()
			if steps < 4 {
				t.Errorf("%s took %d steps", l.name, steps)
			}
		}
	})
}

// TestWritersDoNotWaitForTheEndOfALoad has another process write during a load, and counts the rows that were loaded
// while a write waited.
func TestWritersDoNotWaitForTheEndOfALoad(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		const rows = 1500
		other, db := modelstest.Replica(t, f).Programme, f.SQL
		modelstest.Must(other().CreateSession(t.Context(), models.NewSession{Title: "Between"}))(t) // which connects it
		var done atomic.Bool
		var wg sync.WaitGroup
		wg.Go(func() {
			defer done.Store(true)
			if err := seed.Fill(t.Context(), f.Programme(), rows, 100); err != nil {
				t.Error(err)
			}
		})
		loaded := func() int { return count(t, db, "sessions WHERE title <> 'Between'") }
		writes, most, longest := 0, 0, time.Duration(0)
		for !done.Load() {
			before, began := loaded(), time.Now()
			if _, err := other().CreateSession(t.Context(), models.NewSession{Title: "Between"}); err != nil {
				t.Error(err)
			}
			longest = max(longest, time.Since(began))
			most = max(most, loaded()-before)
			writes++
		}
		wg.Wait()
		t.Logf("%d writes, the longest %s, %d rows meanwhile", writes, longest, most)
		if most > rows*9/10 {
			t.Errorf("one of %d writes waited while %d rows were loaded", writes, most)
		}
	})
}

// TestAnImportThatWasCutShortGoesOnWhereItEnded cuts an import at many places.
func TestAnImportThatWasCutShortGoesOnWhereItEnded(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		options := arrival.Options{AsSubmissions: true}
		schedule := large(120)
		var want arrival.Summary
		statements := len(f.Statement.During(func() { want = *importInto(t, f.Elsewhere(), schedule, options) }))
		made := arrival.Summary{}
		for at := 1; at < statements; at += max(1, statements/6) {
			ctx, cancel := context.WithCancel(t.Context())
			ran := 0
			stop := f.Statement.Watch(func(string) {
				if ran++; ran == at {
					cancel() // as if the process ended here
				}
			})
			_, err := arrival.Of(f.Programme()).Import(ctx, schedule, options)
			stop()
			if err == nil && at < ran {
				t.Errorf("not cut short after %d of %d statements", at, ran)
			}
			cancel()
		}
		made = *importInto(t, f.Programme(), schedule, options)
		if got := made.Sessions; got.Created+got.Unchanged != want.Sessions.Created || got.Updated != 0 ||
			len(made.Skipped) != 0 {
			t.Errorf("the last of them: %+v, the whole: %+v", made, want)
		}
		var told int
		db := f.SQL
		rows := modelstest.Must(db.Query("SELECT after FROM activity WHERE action = 'imported' AND event_id = $1",
			f.Event.ID))(t)
		for rows.Next() {
			var text string
			var after struct {
				Created int `json:"sessions_created"`
			}
			modelstest.Fine(t, rows.Scan(&text))
			modelstest.Fine(t, json.Unmarshal([]byte(text), &after))
			told += after.Created
		}
		modelstest.Fine(t, rows.Close())
		modelstest.Want(t, "sessions of which the activity tells", told, 120)
		here, there := programmeText(t, f.Programme()), programmeText(t, f.Elsewhere())
		modelstest.WantAll(t, "lines", here, there)
		again := *importInto(t, f.Programme(), schedule, options)
		if again.Sessions.Unchanged != 120 || again.Abstracts.Unchanged != 120 || again.Contacts.Unchanged != 60 ||
			again.Rooms+again.Tracks+again.Formats != 0 {
			t.Errorf("once more: %+v", again)
		}
	})
}

// programmeText returns all that a programme shows, without ids.
func programmeText(t *testing.T, p *models.Programme) (lines []string) {
	t.Helper()
	err := p.EachSession(t.Context(), models.SessionSearch{Sort: models.ByTitle, Ascending: true},
		func(sessions []*models.Session) error {
			for _, s := range sessions {
				line := fmt.Sprint(s.Title, s.IsAbstract, s.Description, s.Status, s.StartsAt, s.EndsAt,
					s.CompositionStatus.Role, s.IsLinked)
				for _, x := range s.Participants {
					line += fmt.Sprint(" ", x.FullName, x.Role, x.Position)
				}
				if s.Track != nil {
					line += " " + s.Track.Name
				}
				if s.Room != nil {
					line += " " + s.Room.Name
				}
				lines = append(lines, line)
			}
			return nil
		})
	modelstest.Fine(t, err)
	slices.Sort(lines)
	return lines
}

func TestTwoImportsAtOnceMakeNothingTwice(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var created atomic.Int32
		processes := []*models.Programme{f.Programme(), modelstest.Replica(t, f).Programme()}
		modelstest.AllSucceed(t, 2, func(i int) error {
			s, err := arrival.Of(processes[i]).Import(t.Context(), large(150), arrival.Options{AsSubmissions: true})
			if err == nil {
				created.Add(int32(s.Sessions.Created + s.Abstracts.Created + s.Contacts.Created + s.Rooms))
			}
			return err
		})
		modelstest.Want(t, "rows were made", created.Load(), 150+150+75+8)
	})
}

func TestAnImportGivesTheEventDatesAndLeavesOneLine(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := large(3)
		s.Skipped = []frab.Skipped{{Index: 4, Title: "Late", Reason: "no start"}}
		before := f.Programme().Event()
		summary := importInto(t, f.Programme(), s, arrival.Options{})
		after := f.Programme().Event()
		if after.StartsOn == nil || *after.StartsOn != "2027-05-20" || *after.EndsOn != "2027-05-21" ||
			summary.StartsOn != "2027-05-20" || !after.UpdatedAt.After(before.UpdatedAt.Time) {
			t.Errorf("%+v, %+v", after, summary)
		}
		entries, _, err := desk.Of(f.Programme()).ActivityLog(t.Context(), desk.ActivityFilter{Subject: "event"},
			store.Page{})
		if err != nil || len(entries) != 1 || entries[0].Action != "imported" {
			t.Fatalf("%+v, %v", entries, err)
		}
		said, want := fmt.Sprint(entries[0].After),
			"map[ends_on:2027-05-21 formats_created:1 people_created:2 rooms_created:8 "+
				`sessions_created:3 skipped:["Late": no start] starts_on:2027-05-20 tracks_created:8]`
		modelstest.Want(t, "said", said, want)
		// Dates that staff gave, also only one, stay.
		modelstest.Must(f.Programme().UpdateEvent(t.Context(),
			models.EventChange{StartsOn: store.Some("2028-01-01"), EndsOn: store.Optional[string]{Set: true}}))(t)
		if summary = importInto(t, f.Programme(), s, arrival.Options{}); summary.StartsOn != "" ||
			*f.Programme().Event().StartsOn != "2028-01-01" {
			t.Errorf("%+v", summary)
		}
	})
}
