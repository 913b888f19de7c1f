package sessions

import (
	"maps"
	"net/http"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/sessions"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// placeFields are the fields of the small form of a session's room and time.
var placeFields = []string{"room_id", "starts_at", "ends_at", "is_plenary"}

// placeForm returns the form of a session's room and time; nil where the user may not change them.
func placeForm(v *visit.Visit, s *models.Session) (*pages.PlaceForm, error) {
	if s.IsAbstract || s.DeletedAt != nil || !v.May(staff.Organizer) {
		return nil, nil
	}
	was := firstForm(v, s)
	f := placed(v, was)
	rooms, err := v.FamilyOptions("rooms", f.values["room_id"])
	if err != nil {
		return nil, err
	}
	zone := v.Event.Location()
	p := &pages.PlaceForm{Action: v.At("/sessions/"+s.ID+"/place") + lists.PlaceQuery(v), Values: f.values, Rooms: rooms,
		Zone: v.Event.Timezone, Open: s.StartsAt == nil || s.RoomID == nil,
		StartsTwice: page.Twice(f.values["starts_at"], zone), EndsTwice: page.Twice(f.values["ends_at"], zone)}
	for _, name := range placeFields {
		p.First = append(p.First, components.First(components.Hidden{Name: name, Value: was.values[name]})...)
		p.Open = p.Open || v.Faults.Of(name) != ""
	}
	return p, nil
}

// placed returns a session's form with the room and time that were sent.
func placed(v *visit.Visit, was sessionForm) sessionForm {
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

// changePlace changes only the room and the time.
func changePlace(v *visit.Visit, s *models.Session) error {
	was := firstForm(v, s)
	f := placed(v, was)
	again := func(status int) error { return sessionPage(v, status, s, nil) }
	c, faults := f.change(was, v.Event.Location())
	if len(faults) > 0 {
		v.Faults = faults
		return again(http.StatusUnprocessableEntity)
	}
	now, err := v.Programme.UpdateSession(v.UserContext(), s.ID, c)
	if store.KindOf(err) == store.Stale {
		return sessionConflict(v, f, was)
	}
	if err != nil {
		return v.Again(err, again)
	}
	text := "Room and time are saved."
	if now.IsPublic {
		text += " Visitors see them now."
	}
	return changed(v, now, s, text)
}
