package models_test

import (
	"testing"

	"lectern/models"
	"lectern/models/metadata"
	"lectern/models/modelstest"
)

// TestChangesLeaveTheRowOfTheirEventAsItIs keeps the checks of all that refers to an event quick: on PostgreSQL each
// walks over every version that is left of the event's row.
func TestChangesLeaveTheRowOfTheirEventAsItIs(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	db, p, ctx := f.SQL, f.Programme(), t.Context()
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
	modelstest.Fine(t, metadata.Of(p).Delete(ctx, models.Tags, tag.ID, nil))
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
