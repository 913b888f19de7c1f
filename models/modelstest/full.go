package modelstest

import (
	"testing"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
)

// Full makes sessions with everything that a session can show.
func Full(t *testing.T, f *Fixture, count int) []*models.Session {
	t.Helper()
	var out []*models.Session
	row := func(family models.Family) string {
		return Must(f.Programme().CreateMetadata(t.Context(), family, models.NewMetadata{Name: "x"}))(t).ID
	}
	for range count {
		n := models.NewSession{Title: "T", SessionInput: models.SessionInput{
			TrackID: store.Some(row(models.Tracks)), RoomID: store.Some(row(models.Rooms)),
			FormatID: store.Some(row(models.Formats)),
			LevelID:  store.Some(row(models.Levels)), TagIDs: &[]string{row(models.Tags), row(models.Tags)},
		}}
		abstract := models.NewSession{Title: "T", IsAbstract: true, SessionInput: n.SessionInput}
		source := Must(f.Programme().CreateSession(t.Context(), abstract))(t)
		f.Speaker(t, f.Event, source.ID, models.NewContact{FirstName: "Ada"})
		f.Speaker(t, f.Event, source.ID, models.NewContact{FirstName: "Bob"})
		out = append(out, Must(f.Programme().Compose(t.Context(), []string{source.ID}, ""))(t))
	}
	return out
}

// Dated sets the event's days to 20 to 22 May 2027, and its zone.
func Dated(t *testing.T, f *Fixture, zone string) {
	t.Helper()
	f.Event = Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: &zone,
		StartsOn: store.Some("2027-05-20"), EndsOn: store.Some("2027-05-22")}))(t)
}

// IsAway sets when somebody is away.
func IsAway(t *testing.T, f *Fixture, contactID, text string) {
	t.Helper()
	Must(people.In(f.Programme().Directory()).Update(t.Context(), contactID, Values("away", text)))(t)
}
