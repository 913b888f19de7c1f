package gallery

import (
	"lectern/views/components"
	"lectern/views/pages/agenda"
)

// suggestions adds the form that asks for suggested places, and their page.
func (s *shelf) suggestions() {
	asked := agenda.SuggestPage{Shell: in("Suggest places for 9"), Action: here, Agenda: here, Setup: here, Any: true,
		Lead: "9 accepted sessions have no room or no start.", From: "09:00", Until: "18:00", Gap: "0", Minutes: "30",
		Days: []components.Option{{Value: "2027-05-20", Name: "Thursday 20 May", Chosen: true},
			{Value: "2027-05-21", Name: "Friday 21 May", Chosen: true}, {Value: "2027-05-22", Name: "Saturday 22 May"}},
		Steps: []components.Option{{Value: "5", Name: "every 5 minutes", Chosen: true}, {Value: "15", Name: "every 15 minutes"}}}
	undated := asked
	undated.Days = nil
	of(s, "Suggest places", "", agenda.Suggest).is("asked", asked).is("without dates", undated).
		is("refused", asked, "days", "must be 1 to 31 of the event's days", "until", "must be later than the beginning of the day",
			"gap", "must be between 0 and 120 minutes")
	of(s, "Suggested places", "", agenda.Places).worded(suggested)
}

func suggested(w words) agenda.PlacesPage {
	row := func(id, time, room, seats string) agenda.PlaceRow {
		return agenda.PlaceRow{URL: here, Title: w.title, Meta: id + " · " + w.person, Time: time, Room: room, Seats: seats,
			Track: w.label, Color: "#C2502E"}
	}
	changed, taken := row("S-31", "11:20 to 11:50", "Net Shed", ""), row("S-40", "14:00 to 15:00", w.place, "600 seats")
	changed.Stays = "Changed since, so it stays as it is"
	taken.Stays = w.place + " has two sessions, 14:00 to 14:30, so it stays as it is"
	taken.Track = ""
	return agenda.PlacesPage{Shell: in("Places for 7 of 9"), Base: here, Agenda: here, Again: here, Verb: "Place 5 sessions",
		Lead: "On Thursday 20 May and Friday 21 May, 09:00 to 18:00. Found at 14:06. Nothing has moved yet.",
		Left: []agenda.PlaceRow{{URL: here, Title: w.title, Meta: "S-12 · " + w.person, Why: "no room holds 300"},
			{URL: here, Title: w.title, Meta: "S-19 · " + w.person, Why: w.person + " is away on all days"}},
		Days: []agenda.PlacesDay{
			{Name: "Thursday 20 May", Count: "4", Rows: []agenda.PlaceRow{row("S-8", "09:00 to 09:30", w.place, "600 seats"),
				row("S-9", "09:40 to 10:10", "Rope Loft", "40 seats"), changed, taken}},
			{Name: "Friday 21 May", Count: "1", Rows: []agenda.PlaceRow{row("S-22", "10:00 to 11:30", "Net Shed", "")}}},
		Numbers: []components.Figure{{Number: "5", Text: "sessions get a place"}, {Number: "5", Text: "events",
			Code: "session.updated"}, {Number: "2", Text: "stay, as they or their places changed since"},
			{Number: "2", Text: "stay without a place"}, {Number: "0", Text: "new conflicts"}, {Number: "0", Text: "letters sent"}}}
}
