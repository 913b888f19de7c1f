package models_test

import (
	"reflect"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestAnEventIsReadWithAllItsColumns(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		f.Clock.Move(time.Hour)
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Name: new("Later")}))(t)
		modelstest.Must(f.SQL.ExecContext(t.Context(), `UPDATE events SET starts_on = '2027-05-20', ends_on = '2027-05-21',
			cfp_opens_at = created_at, cfp_closes_at = updated_at, asks_approval = true WHERE id = $1`, f.Event.ID))(t)
		s := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Moves the versions"}))(t)
		f.Speaker(t, f.Event, s.ID, models.NewContact{FirstName: "Ada"})
		modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{
			SessionInput: models.SessionInput{StartsAt: store.Some(clock("10:00"))}}))(t)
		modelstest.Must(f.Programme().CreateMetadata(t.Context(), models.Tags, models.NewMetadata{Name: "too"}))(t)
		for _, named := range []string{f.Event.ID, f.Event.Slug} {
			var want models.Event
			modelstest.Fine(t, f.Read(t.Context()).Joins("JOIN event_counters ON event_counters.event_id = events.id").
				Select("*").Where("id = ?", f.Event.ID).Take(&want).Error)
			e := modelstest.Must(f.EventBy(t.Context(), named))(t)
			if !reflect.DeepEqual(*e, want) {
				t.Errorf("%+v, not %+v", *e, want)
			}
			for i := range reflect.TypeFor[models.Event]().NumField() {
				if reflect.ValueOf(*e).Field(i).IsZero() {
					t.Errorf("%s is empty", reflect.TypeFor[models.Event]().Field(i).Name)
				}
			}
		}
		modelstest.Answers(f.EventBy(t.Context(), "none"))(t, "no event", store.NotFound)
	})
}
