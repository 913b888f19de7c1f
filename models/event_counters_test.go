package models_test

import (
	"fmt"
	"io/fs"
	"testing"

	"github.com/pressly/goose/v3"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestChangesLeaveTheRowOfTheirEventAsItIs keeps the checks of all that refers to an event quick: on PostgreSQL each
// walks over every version that is left of the event's row.
func TestChangesLeaveTheRowOfTheirEventAsItIs(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	db, p, ctx := f.SQL(t), f.Programme(), t.Context()
	version := func() (writer string) {
		modelstest.Fine(t, db.QueryRow("SELECT ctid || ' by ' || xmin FROM events WHERE id = $1", f.Event.ID).Scan(&writer))
		return writer
	}
	before, counted := version(), f.Programme().Event()
	tag := modelstest.Must(p.CreateMetadata(ctx, models.Tags, models.NewMetadata{Name: "T"}))(t)
	abstract := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "A", IsAbstract: true}))(t)
	f.Speaker(t, f.Event, abstract.ID, models.NewContact{FirstName: "Ada"})
	modelstest.Must(p.UpdateSession(ctx, abstract.ID, models.SessionChange{Title: new("B"),
		SessionInput: models.SessionInput{TagIDs: &[]string{tag.ID}}}))(t)
	modelstest.Must(p.SetParticipants(ctx, abstract.ID, nil))(t)
	modelstest.Must(p.DeleteSession(ctx, abstract.ID))(t)
	modelstest.Fine(t, p.DeleteMetadata(ctx, models.Tags, tag.ID, nil))
	if after := version(); after != before {
		t.Errorf("the event's row was written %s, and before %s", after, before)
	}
	if now := f.Programme().Event(); now.SessionsVersion == counted.SessionsVersion ||
		now.SpeakersVersion == counted.SpeakersVersion || now.MetadataVersion == counted.MetadataVersion {
		t.Errorf("the versions went from %+v to %+v", counted, now)
	}
	modelstest.Must(p.UpdateEvent(ctx, models.EventChange{Name: new("Another")}))(t)
	if after := version(); after == before {
		t.Error("a change of the event itself is not seen")
	}
}

// TestCountersSurviveTheirMigration goes down and up with rows: numbers go on where they were, and no cache believes
// that nothing has changed.
func TestCountersSurviveTheirMigration(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		for range 2 {
			modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "A", IsAbstract: true}))(t)
		}
		modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "S"}))(t)
		modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "S"}))(t)
		modelstest.Must(f.Programme().CreateMetadata(ctx, models.Tags, models.NewMetadata{Name: "T"}))(t)
		db := f.SQL(t)
		kept := func(table, id string) (counters string) {
			var n [5]int64
			modelstest.Fine(t, db.QueryRow("SELECT last_abstract, last_session, metadata_version, sessions_version, "+
				"speakers_version FROM "+table+" WHERE "+id+" = $1", f.Event.ID).Scan(&n[0], &n[1], &n[2], &n[3], &n[4]))
			return fmt.Sprint(n)
		}
		before := kept("event_counters", "event_id")
		dialect := map[string]goose.Dialect{"sqlite": goose.DialectSQLite3, "postgres": goose.DialectPostgres}[f.Dialect()]
		files := modelstest.Must(fs.Sub(store.Migrations(), "migrations/"+f.Dialect()))(t)
		provider := modelstest.Must(goose.NewProvider(dialect, db, files))(t)
		modelstest.Must(provider.DownTo(ctx, 30))(t)
		if down := kept("events", "id"); down != before {
			t.Errorf("down, %s became %s", before, down)
		}
		modelstest.Must(provider.Up(ctx))(t)
		if up := kept("event_counters", "event_id"); up != before {
			t.Errorf("up again, %s became %s", before, up)
		}
		next := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "A", IsAbstract: true}))(t)
		other := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "S"}))(t)
		if next.FriendlyID != "A-3" || other.FriendlyID != "S-2" {
			t.Errorf("the next are %s and %s", next.FriendlyID, other.FriendlyID)
		}
	})
}
