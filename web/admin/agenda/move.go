package agenda

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/agenda"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// agendaMove is a request to move a session: by the fields of a form, or by dropping a card, as one text.
type agendaMove struct {
	*visit.Visit
	session *models.Session
	days    []string // days of the event, and other days with sessions
	dropped bool     // sent by a script, which expects a fragment

	day, room, clock, which, minutes string // fields of the form
	to                               agendaPlace
}

// agendaPlace is a room and a time; nil means none.
type agendaPlace struct {
	room       *string
	start, end *store.Time
}

// agendaMoveOf reads the session of the path.
func agendaMoveOf(v *visit.Visit) (*agendaMove, error) {
	v.Section = v.At("/agenda")
	id, err := v.Programme.SessionID(v.UserContext(), v.Params("id"))
	var s *models.Session
	if err == nil {
		s, err = agenda.Of(v.Programme).Card(v.UserContext(), id)
	}
	if store.KindOf(err) == store.NotFound {
		return nil, store.Missing("This session is not in the programme any more, so it has no place in the agenda.")
	}
	if err != nil {
		return nil, err
	}
	days, err := agenda.Of(v.Programme).Days(v.UserContext())
	if err != nil {
		return nil, err
	}
	m := &agendaMove{Visit: v, session: s, dropped: v.Get("HX-Request") != ""}
	m.days = store.Map(days.Days, func(d models.DayCount) string { return d.Day })
	return m, nil
}

// moved returns a copy of the session at its new place.
func (m *agendaMove) moved() *models.Session {
	s := new(*m.session)
	s.RoomID, s.StartsAt, s.EndsAt, s.Room = m.to.room, m.to.start, m.to.end, nil
	return s
}

var errNoPlace = store.Invalidf("to", "is no place in the agenda. Reload the page, then move it again")

// parsePlace reads what placeText wrote.
func parsePlace(text string) (to agendaPlace, err error) {
	parts := strings.Split(text, " ")
	if len(parts) != 3 {
		return to, errNoPlace
	}
	if parts[0] != "-" {
		to.room = &parts[0]
	}
	for i, at := range []**store.Time{&to.start, &to.end} {
		if parts[i+1] == "-" {
			continue
		}
		ms, err := strconv.ParseInt(parts[i+1], 10, 64)
		t, outside := store.ParseTime(store.At(time.UnixMilli(ms)).String())
		if err != nil || outside != nil {
			return to, errNoPlace
		}
		*at = &t
	}
	return to, nil
}

// ask returns a field of the form, or of the address that opens it, else or.
func (m *agendaMove) ask(name, or string) string {
	switch {
	case m.Reads() && m.Context().QueryArgs().Has(name):
		return strings.TrimSpace(m.Query(name))
	case !m.Reads() && m.Request().PostArgs().Has(name):
		return m.Value(name)
	}
	return or
}

// fields reads the form; for what nothing was chosen yet, it takes the session's present place.
func (m *agendaMove) fields() {
	m.day, m.clock, m.which = m.ask("from", ""), "09:00", ""
	if !slices.Contains(m.days, m.day) && len(m.days) > 0 {
		m.day = m.days[0]
	}
	if m.session.StartsAt != nil {
		wall, which := page.ClockOf(m.session.StartsAt, m.Zone())
		m.day, m.clock, _ = strings.Cut(wall, "T")
		m.which = which
	}
	m.day, m.clock = m.ask("day", m.day), m.ask("time", m.clock)
	m.which = m.ask("time_which", m.which)
	m.room = m.ask("room_id", visit.ValueOr(m.session.RoomID, ""))
	m.minutes = m.ask("minutes", strconv.Itoa(int(m.session.Length()/time.Minute)))
}

// target reads the place from the form's fields, and returns their faults.
func (m *agendaMove) target() (faults components.Faults) {
	m.fields()
	minutes, err := strconv.Atoi(m.minutes)
	switch {
	case err != nil:
		faults = append(faults, components.Fault{Field: "minutes", Message: "must be a number of minutes"})
	case minutes < 1:
		faults = append(faults, components.Fault{Field: "minutes", Message: "must be at least 1, or it would end before it starts"})
	case minutes > store.MaxMinutes:
		faults = append(faults, components.Fault{Field: "minutes", Message: "must be at most " + strconv.Itoa(store.MaxMinutes)})
	}
	at, err := page.SentClock("time", page.ClockText(m.day+"T"+m.clock, m.which), m.Zone())
	faults = append(faults, page.FaultsOf(err)...)
	if m.to.room = nil; m.room != "" {
		m.to.room = &m.room
	}
	if len(faults) == 0 {
		m.to.start = at.Value
		m.to.end = new(store.At(at.Value.Add(time.Duration(minutes) * time.Minute)))
		faults = m.check()
	}
	return faults
}

// check returns what is wrong with a place: a day that is not one of the event's, or an end before the start.
func (m *agendaMove) check() (faults components.Faults) {
	if m.to.start == nil {
		return nil
	}
	day := m.to.start.In(m.Zone())
	if len(m.Event.Dates()) > 0 && !slices.Contains(m.days, day.Format(time.DateOnly)) {
		faults = append(faults, components.Fault{Field: "day", Message: day.Format("Monday 2 January 2006") +
			" is no day of the event any more. Choose another one"})
	}
	if m.to.end != nil && m.to.end.Before(m.to.start.Time) {
		faults = append(faults, components.Fault{Field: "minutes", Message: "It would end before it starts"})
	}
	return faults
}

// moveSession moves a session.
func moveSession(v *visit.Visit) error {
	m, err := agendaMoveOf(v)
	if err != nil {
		return err
	}
	if v.Value("was") == "" {
		return page.OldForm
	}
	if v.Request().PostArgs().Has("to") {
		if m.to, err = parsePlace(v.Value("to")); err == nil {
			v.Faults = m.check()
		}
	} else {
		v.Faults = m.target()
		if len(v.Faults) == 0 && v.Value("anyway") == "" {
			if clash, err := m.clash(); err != nil {
				return err
			} else if clash != nil {
				return m.form(http.StatusUnprocessableEntity, clash)
			}
		}
	}
	if err != nil {
		v.Faults = page.FaultsOf(err)
	}
	if len(v.Faults) > 0 {
		return m.refused()
	}
	if v.Value("was") != placeText(m.session) {
		return m.stale()
	}
	now, err := v.Programme.UpdateSession(v.UserContext(), m.session.ID, m.change(m.session.UpdatedAt))
	switch store.KindOf(err) {
	case store.Stale:
		return m.stale()
	case store.Invalid:
		v.Faults = page.FaultsOf(err)
		return m.refused()
	}
	if err != nil {
		return err
	}
	return m.showResult(now)
}

func (m *agendaMove) change(token store.Time) models.SessionChange {
	c := models.SessionChange{UpdatedAt: &token}
	c.RoomID = store.Optional[string]{Set: true, Value: m.to.room}
	c.StartsAt = store.Optional[store.Time]{Set: true, Value: m.to.start}
	c.EndsAt = store.Optional[store.Time]{Set: true, Value: m.to.end}
	return c
}

// refused shows the faults: in the form, or as a sentence to somebody who dropped a card.
func (m *agendaMove) refused() error {
	for i, f := range m.Faults {
		if f.Field == "room_id" {
			m.Faults[i].Message = "is not there any more. Choose another one"
		}
	}
	if m.dropped {
		f := m.Faults[0]
		if f.Field == "day" || f.Field == "minutes" {
			f.Field = ""
		}
		text := components.Sentence(f)
		if f.Field == "to" {
			text = "That is no place in the agenda. Reload the page, then move it again."
		}
		return m.Render(http.StatusUnprocessableEntity, pages.Answer(pages.Answered{Token: m.FormToken(),
			Text: "Nothing was moved. " + text}))
	}
	if m.minutes == "" {
		m.fields()
	}
	return m.form(http.StatusUnprocessableEntity, nil)
}
