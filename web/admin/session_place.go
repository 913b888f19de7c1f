package admin

import (
	"maps"
	"net/http"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// placeFields are those of the small form of a session's room and time.
var placeFields = []string{"room_id", "starts_at", "ends_at", "is_plenary"}

// placeForm is that form as a record's page shows it; nil where there is none to show.
func (v *visit) placeForm(s *models.Session) (*pages.PlaceForm, error) {
	if s.IsAbstract || s.DeletedAt != nil || !v.may(staff.Organizer) {
		return nil, nil
	}
	was := v.firstForm(s)
	f := v.placed(was)
	rooms, err := v.familyOptions("rooms", f.values["room_id"])
	if err != nil {
		return nil, err
	}
	zone := v.event.Location()
	p := &pages.PlaceForm{Action: v.at("/sessions/"+s.ID+"/place") + v.listingQuery(), Values: f.values, Rooms: rooms,
		Zone: v.event.Timezone, Open: s.StartsAt == nil || s.RoomID == nil,
		StartsTwice: page.Twice(f.values["starts_at"], zone), EndsTwice: page.Twice(f.values["ends_at"], zone)}
	for _, name := range placeFields {
		p.First = append(p.First, components.First(components.Hidden{Name: name, Value: was.values[name]})...)
		p.Open = p.Open || v.Faults.Of(name) != ""
	}
	return p, nil
}

// placed is a session's form with the room and time that were sent.
func (v *visit) placed(was sessionForm) sessionForm {
	f := sessionForm{values: maps.Clone(was.values), token: v.Value("updated_at")}
	for _, name := range placeFields {
		switch {
		case !v.Request().PostArgs().Has(name):
		case models.Field(name).Kind == models.TimeField:
			f.values[name] = v.Clock(name)
		default:
			f.values[name] = v.Value(name)
		}
	}
	return f
}

// changePlace changes the room and the time alone.
func changePlace(v *visit, s *models.Session) error {
	was := v.firstForm(s)
	f := v.placed(was)
	again := func(status int) error { return v.sessionPage(status, s, nil) }
	c, faults := f.change(was, v.event.Location())
	if len(faults) > 0 {
		v.Faults = faults
		return again(http.StatusUnprocessableEntity)
	}
	now, err := v.programme.UpdateSession(v.UserContext(), s.ID, c)
	if store.KindOf(err) == store.Stale {
		return v.sessionConflict(f, was)
	}
	if err != nil {
		return v.Again(err, again)
	}
	text := "Room and time are saved."
	if now.IsPublic {
		text += " Visitors see them now."
	}
	return v.changed(now, s, text)
}
