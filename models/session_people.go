package models

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// MaxParticipants limits the people of one session.
const MaxParticipants = 100

// Participation names a person for a session: a contact within the programme's reach, or a new one.
type Participation struct {
	ContactID string
	New       *NewContact // instead of the id; if the organization knows the address, its contact is meant
	Role      Role        // speaker when empty
}

// PeopleChange is the complete list of a session's people, in order.
type PeopleChange struct {
	People    []Participation // at most MaxParticipants
	UpdatedAt *store.Time     // the session's token as it was read; nil forces the write
}

// SetParticipants is ChangePeople without a token.
func (p *Programme) SetParticipants(ctx context.Context, sessionID string, people []Participation) (*Session, error) {
	return p.ChangePeople(ctx, sessionID, PeopleChange{People: people})
}

// ChangePeople replaces the participants of a session. In the same transaction new people become contacts, and people
// who were not at this event are added to it. It answers NotFound for a session that is not live; Stale when the token
// is outdated; and Invalid for somebody beyond reach or named twice, for a new person whose fields break a rule, and
// for too many people. It emits session.updated if anything changed, and nothing about contacts.
func (p *Programme) ChangePeople(ctx context.Context, sessionID string, c PeopleChange) (*Session, error) {
	return p.EditSession(ctx, sessionID, SessionEdit{Seat: c.People,
		Decide: func(_ *store.Tx, _ *Session, seated []*Participant) (SessionChange, error) {
			return SessionChange{People: &seated, UpdatedAt: c.UpdatedAt}, nil
		}})
}

// Participants returns the participants that a session of these people would have, in their order. It stores nothing,
// and new people have no id. It answers Invalid as ChangePeople does.
func (p *Programme) Participants(ctx context.Context, people []Participation) ([]*Participant, error) {
	seats, err := p.seats(p.Read(ctx), p.reached().Seen(p.Read(ctx)), people, store.Time{})
	if err != nil {
		return nil, err
	}
	participants, err := participantsOf(seats, nil)
	for i, s := range seats {
		if err == nil && s.isNew {
			participants[i].ContactID = ""
		}
	}
	return participants, err
}

// seat is a contact who is about to join a session.
type seat struct {
	*Contact
	role         Role
	isNew, known bool
}

// seat finds or creates the contacts of people and adds them to this event. The caller must not hold a session's lock.
func (p *Programme) seat(tx *store.Tx, people []Participation) ([]*Participant, error) {
	if len(people) == 0 {
		return []*Participant{}, nil
	}
	seats, err := p.seats(tx.DB, KeyShare(tx), people, tx.Now)
	if err != nil {
		return nil, err
	}
	if err := p.makeContacts(tx, seats); err != nil {
		return nil, err
	}
	guests, err := p.guests(tx, seats)
	if err != nil {
		return nil, err
	}
	participants, err := participantsOf(seats, guests)
	if err != nil {
		return nil, err
	}
	return participants, p.attachSeats(tx, seats, guests)
}

// guests is Joining for seats. It answers Invalid for a contact beyond the programme's reach who was not named by an
// address.
func (p *Programme) guests(tx *store.Tx, seats []*seat) (map[string]*store.Time, error) {
	ids := store.Map(seats, func(s *seat) string { return s.ID })
	unseen, err := p.Unseen(tx.DB, ids)
	if err != nil {
		return nil, err
	}
	for i, s := range seats {
		if !s.isNew && !s.known && slices.Contains(unseen, s.ID) {
			return nil, errNoContactAt(i)
		}
	}
	return p.Joining(tx, ids)
}

func errNoContactAt(i int) error {
	return store.Invalidf(fieldOf(i, "id"), "is nobody you know here; add them by their e-mail address")
}

// KeyShare locks the rows of a query against deletion, in particular by a merge.
func KeyShare(tx *store.Tx) *gorm.DB {
	if tx.Store.Embedded() {
		return tx.DB
	}
	return tx.Clauses(clause.Locking{Strength: "KEY SHARE"})
}

// seats resolves people to contacts: by id, by address, or as new ones that are not stored yet. held is the query for
// existing contacts; it may lock them or leave out those beyond reach.
func (p *Programme) seats(db, held *gorm.DB, people []Participation, now store.Time) ([]*seat, error) {
	if len(people) > MaxParticipants {
		return nil, store.Invalidf("participants", "has %d people; at most %d are allowed", len(people), MaxParticipants)
	}
	seats, ids, emails := make([]*seat, len(people)), []string{}, []string{}
	var f store.Faults
	for i, x := range people {
		s := &seat{role: cmp.Or(x.Role, Speaking)}
		if seats[i] = s; !slices.Contains(ParticipantRoles, s.role) {
			f.Add(store.Invalidf(fieldOf(i, "role"), "must be speaker, moderator or chairperson"))
		}
		if x.New == nil {
			ids = append(ids, x.ContactID)
			if !store.IsID(x.ContactID) {
				f.Add(errNoContactAt(i))
			}
			continue
		}
		n := *x.New
		if err := n.Clean(); err != nil {
			f.Add(inField(i, err))
		}
		s.Contact, s.isNew = n.Row(p.event.OrganizationID, now), true
		if n.Email != "" {
			emails = append(emails, s.EmailKey)
		}
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	aliases, err := AliasesOf(db, p.event.OrganizationID, emails)
	if err != nil {
		return nil, err
	}
	var contacts []*Contact
	if err := held.Where("organization_id = ? AND (id IN ? OR email_key <> '' AND email_key IN ?)", p.event.OrganizationID,
		append(ids, slices.Sorted(maps.Values(aliases))...), emails).Order("id").Find(&contacts).Error; err != nil {
		return nil, err
	}
	for i, s := range seats {
		s.become(contacts, aliases, people[i].ContactID)
		if s.Contact == nil {
			return nil, errNoContactAt(i)
		}
	}
	return seats, nil
}

// become fills the seat with the contact that has the seat's address, own or alias, or, for a known person, this id.
func (s *seat) become(contacts []*Contact, aliases map[string]string, id string) {
	for _, c := range contacts {
		switch {
		case !s.isNew && s.Contact == nil && c.ID == id:
			s.Contact = c
		case s.isNew && s.EmailKey != "" && (c.EmailKey == s.EmailKey || c.ID == aliases[s.EmailKey]) && c.ID != s.ID:
			s.Contact, s.isNew, s.known = c, false, true
		}
	}
}

// makeContacts inserts the new contacts. If an address was taken meanwhile, it uses the contact that has it.
func (p *Programme) makeContacts(tx *store.Tx, seats []*seat) error {
	var fresh []*Contact
	var emails []string
	for _, s := range seats {
		if s.isNew {
			fresh, emails = append(fresh, s.Contact), append(emails, s.EmailKey)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	if err := tx.WaitBriefly(); err != nil { // an import may bring the same address
		return err
	}
	made, err := InsertContacts(tx, fresh...)
	if err != nil {
		return err
	}
	if made < int64(len(fresh)) {
		taken, err := contactsByEmail(tx.DB, p.event.OrganizationID, emails)
		if err != nil {
			return err
		}
		for _, s := range seats {
			if c := taken[s.EmailKey]; s.isNew && c != nil && c.ID != s.ID {
				s.Contact, s.isNew, s.known = c, false, true
			}
		}
	}
	for _, s := range seats {
		if !s.isNew {
			continue
		}
		if err := p.Record(tx, store.Change{Subject: "contact", ID: s.ID, Action: "created"}); err != nil {
			return err
		}
	}
	return nil
}

// attachSeats adds the contacts to this event, in the order of ids to avoid deadlocks.
func (p *Programme) attachSeats(tx *store.Tx, seats []*seat, guests map[string]*store.Time) error {
	here := make([]*EventContact, len(seats))
	for i, s := range seats {
		here[i] = p.Attached(s.Contact, tx.Now)
		if !s.isNew {
			here[i].GuestSince = guests[s.ID]
		}
	}
	return p.AttachAll(tx, here)
}

// AttachAll inserts the missing rows of contacts for this event.
func (p *Programme) AttachAll(tx *store.Tx, here []*EventContact) error {
	slices.SortFunc(here, func(a, b *EventContact) int { return cmp.Compare(a.ContactID, b.ContactID) })
	return tx.Clauses(clause.OnConflict{DoNothing: true}).Create(here).Error
}

// participantsOf turns seats into participants and answers Invalid for a contact named twice. Its message does not
// reveal a guest's name.
func participantsOf(seats []*seat, guests map[string]*store.Time) ([]*Participant, error) {
	out, seen := make([]*Participant, len(seats)), map[string]bool{}
	for i, s := range seats {
		switch {
		case seen[s.ID] && s.known && guests[s.ID] != nil:
			return nil, store.Invalidf(fieldOf(i, "email"), "is that of somebody who is there already")
		case seen[s.ID] && s.known:
			return nil, store.Invalidf(fieldOf(i, "email"), "is that of %s, who is there already", s.FullName)
		case seen[s.ID]:
			return nil, store.Invalidf(fieldOf(i, "id"), "is there twice")
		}
		seen[s.ID] = true
		out[i] = s.As(s.role, i)
		out[i].Known = s.known
	}
	return out, nil
}

func fieldOf(i int, field string) string { return "participants[" + strconv.Itoa(i) + "]." + field }

// inField puts the entry of the list into the field names of a new person's faults.
func inField(i int, err error) error {
	e, found := errors.AsType[*store.Error](err)
	if !found {
		return err
	}
	var f store.Faults
	for _, field := range e.Fields {
		f.Add(store.Invalidf(fieldOf(i, field.Field), "%s", field.Message))
	}
	return f.Err()
}
