package agenda

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/agenda"
	"lectern/web/admin/batch"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
)

// suggestForm asks for the rules of a suggestion, filled in with the agenda's defaults or with those of an earlier
// suggestion.
func suggestForm(v *visit.Visit) error {
	rules, err := agenda.Of(v.Programme).PlacingDefaults(v.UserContext())
	if err != nil {
		return err
	}
	if before, err := agenda.Of(v.Programme).Placing(v.UserContext(), v.Query("again")); err == nil {
		rules = &before.Rules
	}
	return suggestPage(v, http.StatusOK, rules)
}

func suggestPage(v *visit.Visit, status int, r *models.PlacingRules) error {
	n, err := agenda.Of(v.Programme).CountUnplaced(v.UserContext())
	if err != nil {
		return err
	}
	defaults, err := agenda.Of(v.Programme).PlacingDefaults(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.SuggestPage{Action: v.At("/agenda/suggest"), Agenda: v.At("/agenda"), Setup: v.At("/settings"), Any: n > 0,
		From: r.From, Until: strings.Replace(r.Until, "24:00", "00:00", 1),
		Gap: strconv.Itoa(r.Gap), Minutes: strconv.Itoa(r.Minutes)}
	title := "Suggest places for " + visit.Number(n)
	switch {
	case n == 0:
		title = "Suggest places"
	case n == 1:
		p.Lead = "1 accepted session has no room or no start."
	default:
		p.Lead = visit.Number(n) + " accepted sessions have no room or no start."
	}
	if n > agenda.MaxSuggested {
		p.Lead += " " + visit.Number(agenda.MaxSuggested) + " are placed at a time: apply those, then come back for the rest."
	}
	p.Days = visit.Choices(defaults.Days, func(day string) (string, string) { return day, dayInWords(day) }, r.Days...)
	p.Steps = visit.Choices(models.PlacingSteps, func(step int) (string, string) {
		return strconv.Itoa(step), "every " + strconv.Itoa(step) + " minutes"
	}, strconv.Itoa(r.Step))
	return visit.Show(v, status, title, pages.Suggest, p)
}

func dayInWords(day string) string {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return date.Format("Monday 2 January")
}

// suggestPlaces finds places, and leads to them.
func suggestPlaces(v *visit.Visit) error {
	whole := func(name string) int {
		n, err := strconv.Atoi(strings.TrimSpace(v.Value(name)))
		if err != nil {
			return -1
		}
		return n
	}
	r := models.PlacingRules{From: v.Value("from"), Until: v.Value("until"), Step: whole("step"), Gap: whole("gap"),
		Minutes: whole("minutes"), Days: store.Map(v.Values("days"), strings.Clone)}
	if r.Until == "00:00" { // as browsers send the end of the day
		r.Until = "24:00"
	}
	b, err := agenda.Of(v.Programme).SuggestPlaces(v.UserContext(), r)
	if err != nil {
		return v.Again(err, func(status int) error { return suggestPage(v, status, &r) })
	}
	return v.See(v.At("/agenda/suggest/"+b.ID), "")
}

// showPlaces shows a suggestion, or its results once it was applied.
func showPlaces(v *visit.Visit) error {
	s, err := agenda.Of(v.Programme).Placing(v.UserContext(), v.Params("placing"))
	if err != nil {
		return err
	}
	if !s.Prepared {
		return v.SeeInstead(batch.At(v, s.ID, v.At("/agenda")))
	}
	base := v.At("/agenda/suggest/" + s.ID)
	moves := s.Moves()
	p := pages.PlacesPage{Base: base, Agenda: v.At("/agenda"), Again: v.At("/agenda/suggest") + "?again=" + s.ID,
		Lead: placingLead(v, s), Days: placesByDay(v, s)}
	if p.Rest, err = restUnplaced(v, s); err != nil {
		return err
	}
	if moves > 0 {
		p.Verb = "Place " + visit.Counted(int64(moves), "session", "sessions")
	}
	p.Left = store.Map(s.Left, func(left agenda.SuggestedPlace) pages.PlaceRow { return placeRow(v, left) })
	p.Numbers = placingNumbers(s)
	title := "Places for " + visit.Number(int64(len(s.Places))) + " of " + visit.Number(int64(s.Total))
	if len(s.Places) == 0 {
		title = "No places were found"
	}
	return visit.Show(v, http.StatusOK, title, pages.Places, p)
}

// restUnplaced says what to do with the sessions beyond the number that one suggestion places.
func restUnplaced(v *visit.Visit, s *agenda.Placing) (string, error) {
	if s.Total < agenda.MaxSuggested {
		return "", nil
	}
	n, err := agenda.Of(v.Programme).CountUnplaced(v.UserContext())
	rest := n - int64(s.Total)
	if err != nil || rest <= 0 {
		return "", err
	}
	return visit.Counted(rest, "more session waits", "more sessions wait") + " for a place. These are the first " +
		visit.Number(int64(s.Total)) + ": apply them, then suggest places for the rest.", nil
}

// placingLead says by which rules the places were found.
func placingLead(v *visit.Visit, s *agenda.Placing) string {
	lead := "On " + visit.Enumerated(store.Map(s.Rules.Days, dayInWords)) + ", " + s.Rules.From + " to " + s.Rules.Until
	if s.Rules.Gap > 0 {
		lead += ", with " + strconv.Itoa(s.Rules.Gap) + " minutes between sessions in a room"
	}
	return lead + ". Found at " + s.CreatedAt.In(v.Event.Location()).Format("15:04") + ". Nothing has moved yet."
}

// placesByDay returns the sessions at their suggested places, by day.
func placesByDay(v *visit.Visit, s *agenda.Placing) (days []pages.PlacesDay) {
	for _, place := range s.Places {
		day := dayInWords(place.StartsAt.In(v.Event.Location()).Format(time.DateOnly))
		if n := len(days); n == 0 || days[n-1].Name != day {
			days = append(days, pages.PlacesDay{Name: day})
		}
		last := &days[len(days)-1]
		last.Rows = append(last.Rows, placeRow(v, place))
		last.Count = visit.Number(int64(len(last.Rows)))
	}
	return days
}

// placeRow returns a session with its suggested place, or with why it has none.
func placeRow(v *visit.Visit, place agenda.SuggestedPlace) pages.PlaceRow {
	row := pages.PlaceRow{URL: v.At("/sessions/" + place.ID), Title: place.Title, Meta: place.FriendlyID, Why: place.Why}
	if names := peopleNames(place.Participants); names != "" {
		row.Meta += " · " + names
	}
	if place.Why != "" {
		return row
	}
	zone := v.Event.Location()
	row.Time = warn.NewTimes(zone, place.StartsAt, place.EndsAt).Span(place.Session)
	row.Room = place.Room.Name
	if place.Room.Capacity != nil {
		row.Seats = visit.Number(int64(*place.Room.Capacity)) + " seats"
	}
	if place.Track != nil {
		row.Track, row.Color = place.Track.Name, place.Track.Color
	}
	switch {
	case place.Changed:
		row.Stays = "Changed since, so it stays as it is"
	case len(place.Taken) > 0:
		row.Stays = warn.Line(place.Taken[0], zone) + ", so it stays as it is"
	}
	return row
}

func peopleNames(people []*models.Participant) string {
	names := visit.Names(people)
	if len(names) > 3 {
		return strings.Join(names[:3], ", ") + " and " + strconv.Itoa(len(names)-3) + " more"
	}
	return strings.Join(names, ", ")
}

// placingNumbers counts the effects of applying a suggestion.
func placingNumbers(s *agenda.Placing) []components.Figure {
	moves := int64(s.Moves())
	numbers := []components.Figure{
		{Number: visit.Number(moves), Text: map[bool]string{true: "session gets a place",
			false: "sessions get a place"}[moves == 1]},
		{Number: visit.Number(moves), Text: map[bool]string{true: "event", false: "events"}[moves == 1],
			Code: "session.updated"},
	}
	if stays := int64(len(s.Places)) - moves; stays > 0 {
		numbers = append(numbers, components.Figure{Number: visit.Number(stays),
			Text: map[bool]string{true: "stays, as it or its place changed since", false: "stay, as they or their places changed since"}[stays == 1]})
	}
	if left := int64(len(s.Left)); left > 0 {
		numbers = append(numbers, components.Figure{Number: visit.Number(left),
			Text: map[bool]string{true: "stays without a place", false: "stay without a place"}[left == 1]})
	}
	return append(numbers, components.Figure{Number: "0", Text: "new conflicts"},
		components.Figure{Number: "0", Text: "letters sent"})
}

// applyPlaces moves the sessions to the places that were shown. A form sent again shows the same result.
func applyPlaces(v *visit.Visit) error {
	b, err := agenda.Of(v.Programme).StartPlaces(v.UserContext(), strings.Clone(v.Params("placing")))
	if err != nil {
		return err
	}
	return batch.InPlace(v, b, v.At("/agenda"), func(done *models.Batch) (string, error) {
		return visit.Counted(int64(done.Succeeded), "session has its place.", "sessions have their places."), nil
	})
}

// discardPlaces deletes a suggestion.
func discardPlaces(v *visit.Visit) error {
	err := agenda.Of(v.Programme).DiscardPlaces(v.UserContext(), strings.Clone(v.Params("placing")))
	return v.DoneOrRefused(err, v.At("/agenda"), "The suggestions were discarded. Nothing has moved.")
}
