package agenda

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/agenda"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
)

// stale handles a move after somebody else's change. If the session is still where the user saw it, the move is made;
// else the user chooses.
func (m *agendaMove) stale() error {
	s, err := agenda.Of(m.Programme).Card(m.UserContext(), m.session.ID)
	if err != nil {
		return err
	}
	m.session = s
	if m.Value("was") == placeText(s) {
		now, err := m.Programme.UpdateSession(m.UserContext(), s.ID, m.change(s.UpdatedAt))
		if store.KindOf(err) != store.Stale {
			if err != nil {
				return err
			}
			return m.showResult(now)
		}
	}
	who, err := m.Tenant().LastChangeBy(m.UserContext(), s.ID)
	if err != nil {
		return err
	}
	a := pages.Answered{Token: m.FormToken(), Text: cmp.Or(who, "Somebody") + " moved “" + visit.Cut(s.Title) + "” meanwhile: " +
		m.placeWords(s) + ", " + visit.Ago(s.UpdatedAt, m.Options.Now()) + ". You wanted " + m.placeWords(m.moved()) + ".",
		Action: m.At("/agenda/move/" + s.ID), Keep: m.backToAgenda(s), Fields: m.fieldsTo(m.moved(), s)}
	if m.dropped {
		return m.Render(http.StatusConflict, pages.Answer(a))
	}
	return visit.Show(m.Visit, http.StatusConflict, "Move "+s.Title, pages.Stale, pages.StalePage{Answer: a})
}

// fieldsTo returns the fields that move a session from its place in was to that in to.
func (m *agendaMove) fieldsTo(to, was *models.Session) []components.Hidden {
	return []components.Hidden{{Name: "to", Value: placeText(to)}, {Name: "was", Value: placeText(was)},
		{Name: "from", Value: m.Value("from")}, {Name: "view", Value: m.Value("view")}}
}

// backToAgenda returns the address of the agenda on the session's day, or on the day that the user came from.
func (m *agendaMove) backToAgenda(s *models.Session) string {
	day := m.ask("from", "")
	if s.StartsAt != nil {
		day = s.StartsAt.In(m.Zone()).Format(time.DateOnly)
	}
	if !slices.Contains(m.days, day) {
		day = ""
	}
	address := At(m.Visit, day, m.ask("view", ""))
	if s.StartsAt != nil {
		address += "#" + s.FriendlyID
	}
	return address
}

// placeWords says where and when a session is: "Slipway, Thursday 20 May, 12:00 to 12:30".
func (m *agendaMove) placeWords(s *models.Session) string {
	if s.StartsAt == nil {
		return "not placed"
	}
	room := "no room"
	if s.Room != nil {
		room = s.Room.Name
	}
	for _, r := range m.rooms() {
		if s.RoomID != nil && r.ID == *s.RoomID {
			room = r.Name
		}
	}
	start := s.StartsAt.In(m.Zone())
	text := room + ", " + start.Format(layoutOf(start, "Monday 2 January, 15:04"))
	if s.EndsAt != nil {
		text += " to " + s.EndsAt.In(m.Zone()).Format("15:04")
	}
	return text
}

// rooms returns the event's rooms, nil where they cannot be read.
func (m *agendaMove) rooms() []*models.Metadata {
	rows, err := m.Programme.Family(m.UserContext(), models.Rooms)
	if err != nil {
		return nil
	}
	return rows
}

// showResult says what was done and which conflicts it made, and offers to undo it.
func (m *agendaMove) showResult(now *models.Session) error {
	text := "“" + visit.Cut(now.Title) + "” is not placed any more."
	if now.StartsAt != nil {
		text = "“" + visit.Cut(now.Title) + "” is in " + m.placeWords(now) + " now."
		if now.RoomID == nil {
			text = "“" + visit.Cut(now.Title) + "” is on " + strings.TrimPrefix(m.placeWords(now), "no room, ") +
				" now, without a room."
		}
	}
	if now.IsPublic && now.StartsAt != nil {
		text += " Visitors see it at once."
	}
	warnings, err := warn.Collisions(m.Visit, now)
	if err != nil {
		return err
	}
	untold, err := warn.UntoldNow(m.Visit, now)
	if err != nil {
		return err
	}
	warnings = append(untold, warnings...)
	var undo *components.Undo
	if placeText(now) != placeText(m.session) && m.Value("undo") == "" {
		undo = &components.Undo{Action: m.At("/agenda/move/" + now.ID),
			Fields: append(m.fieldsTo(m.session, now), components.Hidden{Name: "undo", Value: "1"})}
	}
	if m.dropped {
		return m.Render(http.StatusOK, pages.Answer(pages.Answered{Token: m.FormToken(), Text: text, Undo: undo,
			Warnings: warnings}))
	}
	return m.Visit.SeeWarnings(m.backToAgenda(now), text, warnings, undo)
}
