package agenda

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"lectern/models/agenda"
	"lectern/views/components"
	pages "lectern/views/pages/agenda"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
	"lectern/web/page"
)

// moveForm shows the form that moves a session, with the conflicts of the chosen place.
func moveForm(v *visit.Visit) error {
	m, err := agendaMoveOf(v)
	if err != nil {
		return err
	}
	asked := v.Context().QueryArgs().Has("minutes") // the form itself was sent for a check
	faults := m.target()
	if !asked {
		return m.form(http.StatusOK, nil)
	}
	v.Faults = faults
	if len(faults) > 0 {
		return m.refused()
	}
	clash, err := m.clash()
	if err != nil {
		return err
	}
	if clash == nil {
		clash = &pages.Clash{Free: true}
	}
	return m.form(http.StatusOK, clash)
}

// form shows the page of the move.
func (m *agendaMove) form(status int, clash *pages.Clash) error {
	s := m.session
	p := pages.MovePage{Action: m.At("/agenda/move/" + s.ID), Back: m.backToAgenda(s), Name: s.Title,
		Was: placeText(s), From: m.ask("from", ""), View: m.ask("view", ""),
		Time: m.clock, Minutes: m.minutes, Clash: clash, Zone: m.Event.Timezone,
		Twice: page.Twice(page.ClockText(m.day+"T"+m.clock, m.which), m.Zone()), Placed: s.StartsAt != nil}
	if !m.Reads() { // the place that the user saw, not the present one
		p.Was = m.Value("was")
	}
	days := m.days
	if !slices.Contains(days, m.day) && m.day != "" {
		days = append(slices.Clone(days), m.day)
	}
	for _, day := range days {
		date, err := time.Parse(time.DateOnly, day)
		if err != nil {
			continue
		}
		p.Days = append(p.Days, components.Option{Value: day, Name: date.Format("Mon 2"), Chosen: day == m.day})
	}
	rooms := m.rooms()
	p.Rooms = append(p.Rooms, components.Option{Name: "No room yet", Chosen: m.room == ""})
	for _, r := range rooms {
		name := r.Name
		if n := seats(r.Capacity); n != "" {
			name += ", " + n
		}
		p.Rooms = append(p.Rooms, components.Option{Value: r.ID, Name: name, Chosen: r.ID == m.room})
	}
	if m.to.end != nil {
		p.Ends = m.to.end.In(m.Zone()).Format("15:04")
	}
	return visit.Show(m.Visit, status, "Move "+s.Title, pages.Move, p)
}

// clash returns the conflicts of the chosen place, and when it would be free; nil for none.
func (m *agendaMove) clash() (*pages.Clash, error) {
	moved := m.moved()
	for _, r := range m.rooms() {
		if moved.RoomID != nil && r.ID == *moved.RoomID {
			moved.Room = new(r.AsRoom())
		}
	}
	met, err := m.Programme.WouldConflict(m.UserContext(), moved)
	if err != nil || len(met) == 0 {
		return nil, err
	}
	clash := &pages.Clash{Lines: warn.Conflicts(m.Visit, met)}
	free, err := agenda.Of(m.Programme).NextFree(m.UserContext(), moved, 5*time.Minute)
	if err != nil || free == nil {
		return clash, err
	}
	at := free.In(m.Zone())
	wall, which := page.ClockOf(free, m.Zone())
	clash.Next = at.Format("15:04")
	clash.NextURL = m.At("/agenda/move/"+moved.ID) + "?" + m.query(wall[:10], wall[11:], which)
	return clash, nil
}

// query returns the form's fields with another start.
func (m *agendaMove) query(day, clock, which string) string {
	return url.Values{"from": {m.ask("from", "")}, "view": {m.ask("view", "")}, "day": {day}, "time": {clock},
		"time_which": {which}, "room_id": {m.room}, "minutes": {m.minutes}}.Encode()
}
