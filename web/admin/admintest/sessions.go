package admintest

import (
	"context"
	"fmt"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// Submissions makes pending submissions and returns their ids.
func (d *Desk) Submissions(count int, title string) []string {
	d.T.Helper()
	var ids []string
	for i := range count {
		n := models.NewSession{Title: fmt.Sprint(title, " ", i+1), IsAbstract: true}
		ids = append(ids, modelstest.Must(d.Programme().CreateSession(d.T.Context(), n))(d.T).ID)
	}
	return ids
}

// Work works off all batches.
func (d *Desk) Work() {
	d.T.Helper()
	for worked := true; worked; {
		worked = modelstest.Must(d.RunBatch(d.T.Context(), 10))(d.T)
	}
}

// Placed makes a session in a room, between two times in the event's zone: of 20 May 2027, unless they say the day too.
// "" stands for no room, or for no time.
func (d *Desk) Placed(title, room, from, to string) *models.Session {
	d.T.Helper()
	at := func(clock string) store.Optional[store.Time] {
		if len(clock) == len("15:04") {
			clock = "2027-05-20 " + clock
		}
		zone := d.Programme().Event().Location()
		return store.Some(store.At(modelstest.Must(time.ParseInLocation("2006-01-02 15:04", clock, zone))(d.T)))
	}
	var in models.SessionInput
	if from != "" {
		in.StartsAt, in.EndsAt = at(from), at(to)
	}
	if room != "" {
		in.RoomID = store.Some(room)
	}
	return d.Session(models.NewSession{Title: title, SessionInput: in})
}

func (d *Desk) Room(name string) string {
	d.T.Helper()
	return modelstest.RowOf(d.T, d.Programme(), models.Rooms, name).ID
}

// Accepted makes accepted submissions.
func (d *Desk) Accepted(titles ...string) (all []*models.Session) {
	for _, title := range titles {
		all = append(all, d.Session(models.NewSession{Title: title, IsAbstract: true,
			SessionInput: models.SessionInput{Status: new(models.Accepted), Description: new("<p>About " + title + "</p>")}}))
	}
	return all
}

// Composed reads the session that an abstract is part of.
func (d *Desk) Composed(s *models.Session) *models.Session {
	d.T.Helper()
	target := d.Read(s.ID).CompositionStatus.Target
	if target == nil {
		d.T.Fatalf("%s is in no session", s.FriendlyID)
	}
	return d.Read(target.ID)
}

func (d *Desk) Emissions() (out []string) {
	for _, e := range modelstest.Emitted(d.T, d.Fixture) {
		out = append(out, string(e.Type)+" "+d.Read(e.ResourceID).FriendlyID)
	}
	return out
}

// Add makes a metadata row at an event.
func (d *Desk) Add(p *models.Programme, family models.Family, n models.NewMetadata) *models.Metadata {
	d.T.Helper()
	return modelstest.Must(p.CreateMetadata(d.T.Context(), family, n))(d.T)
}

// Days gives the event its first and last day.
func (d *Desk) Days(first, last string) {
	d.T.Helper()
	modelstest.Must(d.Programme().UpdateEvent(d.T.Context(),
		models.EventChange{StartsOn: store.Some(first), EndsOn: store.Some(last)}))(d.T)
}

// Rows counts the rows of a table.
func (d *Desk) Rows(table string) (n int) {
	d.T.Helper()
	modelstest.Fine(d.T, d.SQL.QueryRow("SELECT count(*) FROM "+table).Scan(&n))
	return n
}

// Read reads a session of the event.
func (d *Desk) Read(id string) *models.Session {
	d.T.Helper()
	return modelstest.Must(d.Programme().Session(context.Background(), id))(d.T)
}

// Session makes a session of the event.
func (d *Desk) Session(n models.NewSession) *models.Session {
	d.T.Helper()
	return modelstest.Must(d.Programme().CreateSession(context.Background(), n))(d.T)
}

// Foreign makes a session of the other event.
func (d *Desk) Foreign(n models.NewSession) *models.Session {
	d.T.Helper()
	return modelstest.Must(d.Elsewhere().CreateSession(context.Background(), n))(d.T)
}
