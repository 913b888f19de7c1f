package models

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Role is what a participant does on a session.
type Role string

const (
	Speaking    Role = "speaker"
	Moderator   Role = "moderator"
	Chairperson Role = "chairperson"
)

// ParticipantRoles lists all roles, the strongest first.
var ParticipantRoles = []Role{Speaking, Moderator, Chairperson}

// Participant is a contact on a session.
type Participant struct {
	ContactID   string  `json:"id" doc:"Contact id"`
	Email       string  `json:"email"`
	FullName    string  `json:"full_name"`
	CompanyName string  `json:"company_name"`
	About       string  `json:"about" doc:"Sanitised HTML"`
	PhotoURL    *string `json:"photo_url"`
	Role        Role    `json:"role" enum:"speaker,moderator,chairperson"`
	Position    int     `json:"order"`
	SessionID   string  `json:"-"`
	FirstName   string  `json:"-"`
	Known       bool    `json:"-"` // set if somebody was added as new by an address that this contact already has
}

// As returns the contact as a participant.
func (c *Contact) As(role Role, position int) *Participant {
	return &Participant{ContactID: c.ID, Email: c.Email, FirstName: c.FirstName, FullName: c.FullName,
		CompanyName: c.CompanyName, About: c.About, PhotoURL: c.PhotoURL, Role: role, Position: position}
}

func peopleFacts(people []*Participant) []map[string]any {
	return store.Map(people, func(x *Participant) map[string]any {
		return map[string]any{"id": x.ContactID, "role": x.Role}
	})
}

// LoadParticipants reads the participants of all sessions in one query.
func LoadParticipants(db *gorm.DB, eventID string, sessions map[string]*Session) error {
	l := &links{eventID: eventID}
	if err := store.EachRows(l.asked(db, slices.Sorted(maps.Keys(sessions)), Spared{Tags: true})); err != nil {
		return err
	}
	l.seat(sessions)
	return nil
}

// linksToPeople and linksToTags read the links of sessions; a link to a tag has no role.
const (
	linksToPeople = `SELECT p.session_id, p.contact_id, c.email, c.first_name, c.full_name, c.company_name, c.about,
		c.photo_url, p.role, p.position FROM participants p JOIN contacts c ON c.id = p.contact_id
		WHERE p.event_id = ? AND p.session_id ?`
	linksToTags = `SELECT session_id, tag_id, '', '', '', '', '', NULL, '', 0 FROM session_tags
		WHERE event_id = ? AND session_id ?`
)

// links collects the participants and tags of sessions, read with one query.
type links struct {
	eventID string
	row     Participant // the row being read; a tag's has no role
	people  []*Participant
	tags    []sessionTag
}

// asked returns the query for the links of the sessions with these ids, without people or without tags.
func (l *links) asked(db *gorm.DB, ids []string, spared Spared) store.Asked {
	var queries []string
	var values []any
	if !spared.Participants {
		queries, values = append(queries, linksToPeople), append(values, l.eventID, store.AnyOf(ids))
	}
	if !spared.Tags {
		queries, values = append(queries, linksToTags), append(values, l.eventID, store.AnyOf(ids))
	}
	x := &l.row
	into := []any{&x.SessionID, &x.ContactID, &x.Email, &x.FirstName, &x.FullName, &x.CompanyName, &x.About, &x.PhotoURL,
		&x.Role, &x.Position}
	return store.Asked{Query: db.Raw(strings.Join(queries, " UNION ALL "), values...), Targets: func() []any {
		l.take()
		return into
	}}
}

// take keeps the row that was read last.
func (l *links) take() {
	switch x := &l.row; {
	case x.SessionID == "": // nothing was read yet
	case x.Role == "":
		l.tags = append(l.tags, sessionTag{l.eventID, x.SessionID, x.ContactID})
	default:
		l.people = append(l.people, new(*x))
	}
	l.row.SessionID = ""
}

// seat adds the people who were read to their sessions.
func (l *links) seat(sessions map[string]*Session) {
	l.take()
	for _, x := range l.people {
		if s := sessions[x.SessionID]; s != nil {
			s.Participants = append(s.Participants, x)
		}
	}
	for _, s := range sessions {
		slices.SortFunc(s.Participants, func(a, b *Participant) int {
			return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ContactID, b.ContactID))
		})
	}
}

// seatedAs returns copies of people with positions in the given order.
func seatedAs(people []*Participant) []*Participant {
	out := make([]*Participant, len(people))
	for i, x := range people {
		out[i] = new(*x)
		out[i].Position = i
	}
	return out
}

func samePeople(a, b []*Participant) bool {
	return slices.EqualFunc(a, b, func(a, b *Participant) bool {
		return a.ContactID == b.ContactID && a.Role == b.Role && a.Position == b.Position
	})
}

// ReindexSessions updates the search text, which contains names, of the contacts' sessions. It does not count as a
// change of the sessions. The caller must not hold a session's lock.
func ReindexSessions(tx *store.Tx, contactIDs []string) error {
	var all []*Session
	for some := range slices.Chunk(contactIDs, heldAtOnce) {
		var theirs []*Session
		if err := tx.Select("id, is_abstract").Where("id IN (SELECT session_id FROM participants WHERE contact_id IN ?)", some).
			Find(&theirs).Error; err != nil {
			return err
		}
		all = append(all, theirs...)
	}
	slices.SortFunc(all, func(a, b *Session) int { // as SessionOrder
		if a.IsAbstract != b.IsAbstract {
			return map[bool]int{true: 1, false: -1}[a.IsAbstract]
		}
		return cmp.Compare(a.ID, b.ID)
	})
	all = slices.CompactFunc(all, func(a, b *Session) bool { return a.ID == b.ID })
	for some := range slices.Chunk(all, heldAtOnce) {
		ids := store.Map(some, func(s *Session) string { return s.ID })
		var sessions []*Session
		if err := tx.Lock().Select(readColumns).Where("id IN ?", ids).Order(SessionOrder).Find(&sessions).Error; err != nil {
			return err
		}
		if err := reindex(tx, sessions); err != nil {
			return err
		}
	}
	return nil
}

// heldAtOnce is how many rows one statement locks.
const heldAtOnce = 500

// reindex updates the search text of sessions, which may be of several events, if it differs.
func reindex(tx *store.Tx, sessions []*Session) error {
	events := map[string]map[string]*Session{}
	for _, s := range sessions {
		if events[s.EventID] == nil {
			events[s.EventID] = map[string]*Session{}
		}
		events[s.EventID][s.ID] = s
	}
	for _, event := range slices.Sorted(maps.Keys(events)) {
		if err := LoadParticipants(tx.Session(&gorm.Session{NewDB: true}), event, events[event]); err != nil {
			return err
		}
	}
	for _, s := range sessions {
		was := s.Search
		if s.Index(); s.Search == was {
			continue
		}
		Touch(tx, s.EventID)
		if err := tx.Model(&Session{}).Where("id = ?", s.ID).UpdateColumn("search", s.Search).Error; err != nil {
			return err
		}
	}
	return nil
}
