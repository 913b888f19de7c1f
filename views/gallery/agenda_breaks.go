package gallery

import (
	"lectern/views/components"
	"lectern/views/pages/agenda"
)

// breaks adds the form of breaks and blocked rooms.
func (s *shelf) breaks() {
	kinds := option("Break", "Blocked room")
	values := func(title, ends string) components.Edit {
		return edit("title", title, "starts_at", "2027-10-31T12:00", "ends_at", ends)
	}
	twice := []components.Option{{Name: "Choose one"}, {Value: "1", Name: "The first, 01:30 WEST"},
		{Value: "2", Name: "The second, 01:30 WET"}}
	of(s, "Break", "Lunch", agenda.Break).
		worded(func(w words) agenda.BreakPage {
			return agenda.BreakPage{Action: here, Back: here, Exists: true, Edit: values(w.label, "2027-10-31T13:00"),
				Kinds: kinds, Rooms: option("All rooms", w.place), Zone: "Europe/Lisbon", MayChange: true, CanCopy: true}
		}).
		is("faults", agenda.BreakPage{Action: here, Back: here, Edit: values("", "2027-10-31T01:30"), Kinds: kinds,
			Rooms: option("All rooms", "Hall"), Zone: "Europe/Lisbon", MayChange: true, EndsTwice: twice},
			"title", "must not be empty", "ends_at", "must be after starts_at").
		is("conflict", agenda.BreakPage{Back: here, Edit: clashing})
}
