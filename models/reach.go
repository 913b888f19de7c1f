package models

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/staff"
	"lectern/models/store"
)

// Reach is the set of contacts that somebody may know: those of some events, or all of the organization. Operations
// that take a contact's id find nobody beyond it. A programme reaches the people of its own event unless Reaching
// widens it.
type Reach struct {
	everybody bool
	events    []string
}

// IsEverybody reports whether the reach is the whole organization.
func (r Reach) IsEverybody() bool { return r.everybody }

// Everybody is the reach of staff of all events, of the command line, and of people who act for themselves.
var Everybody = Reach{everybody: true}

// PeopleOf returns the reach of somebody who organizes only these events.
func PeopleOf(eventIDs ...string) Reach { return Reach{events: eventIDs} }

// ReachOf returns the reach of a member of staff: everybody if they organize all events, else the people of the events
// that they organize. Reviewers and viewers see an event's people but cannot take them elsewhere.
func ReachOf(u *staff.User) Reach {
	if u.RoleAt("").Covers(staff.Organizer) {
		return Everybody
	}
	var events []string
	for _, id := range slices.Sorted(maps.Keys(u.Roles)) {
		if u.RoleAt(id).Covers(staff.Organizer) {
			events = append(events, id)
		}
	}
	return PeopleOf(events...)
}

// ReachOfMember returns the present reach of a member of an organization's staff, which is empty once they are no
// member any more.
func (s *Store) ReachOfMember(ctx context.Context, organizationID, userID string) (Reach, error) {
	members, err := s.Staff.Team(s.Organization(organizationID, store.By{})).Members(ctx)
	for _, u := range members {
		if u.ID == userID {
			return ReachOf(u), nil
		}
	}
	return PeopleOf(), err
}

// Organizes reports whether somebody with this reach organizes an event.
func (r Reach) Organizes(eventID string) bool {
	return r.everybody || slices.Contains(r.events, eventID)
}

// Reaching returns the programme with a wider reach: its own event and r.
func (p *Programme) Reaching(r Reach) *Programme {
	wider := *p
	wider.reach = Reach{everybody: r.everybody, events: append([]string{p.event.ID}, r.events...)}
	return &wider
}

// Reaching returns the directory with a limit on whose profiles it may change. Whom it shows stays the same.
func (d *Directory) Reaching(r Reach) *Directory {
	narrower := *d
	narrower.reach = r
	return &narrower
}

// Reach returns the programme's reach.
func (p *Programme) Reach() Reach { return p.reach }

// reached returns the directory of all people within the reach, with what belongs to them at this event.
func (p *Programme) reached() *Directory {
	d := p.Directory()
	if d.events, d.isPart = p.reach.events, true; p.reach.everybody {
		d.events, d.isPart = nil, false
	}
	return d
}

// Unseen returns those of the given contacts who are beyond the programme's reach: operations must not accept their
// ids.
func (p *Programme) Unseen(db *gorm.DB, contactIDs []string) ([]string, error) {
	return p.allBut(db, p.reached().Seen, contactIDs)
}

// Joining returns those of the given contacts who would join the event as guests, because no event within the
// programme's reach has them as more than a guest. The values are the moment from which they are guests, that is now.
func (p *Programme) Joining(tx *store.Tx, contactIDs []string) (map[string]*store.Time, error) {
	guests := map[string]*store.Time{}
	joining, err := p.allBut(tx.DB, p.reached().known, contactIDs)
	for _, id := range joining {
		guests[id] = &tx.Now
	}
	return guests, err
}

// allBut returns those of the given contacts whom a filter drops; none if the reach is everybody.
func (p *Programme) allBut(db *gorm.DB, kept func(*gorm.DB) *gorm.DB, contactIDs []string) ([]string, error) {
	if p.reach.everybody || len(contactIDs) == 0 {
		return nil, nil
	}
	var ids []string
	err := kept(db.Session(&gorm.Session{NewDB: true}).Model(&Contact{})).Where("contacts.id IN ?", contactIDs).
		Pluck("contacts.id", &ids).Error
	return slices.DeleteFunc(slices.Clone(contactIDs), func(id string) bool { return slices.Contains(ids, id) }), err
}

// known narrows a query to the people of Seen who are more than guests.
func (d *Directory) known(db *gorm.DB) *gorm.DB {
	return d.at(db, "event_id IN ? AND guest_since IS NULL")
}

// Beyond returns those of the given contacts whose profile this handle may not change: people who are also at an event
// beyond its reach, and guests.
func (d *Directory) Beyond(db *gorm.DB, ids []string) (map[string]bool, error) {
	beyond := map[string]bool{}
	if d.reach.everybody || len(ids) == 0 {
		return beyond, nil
	}
	var found []string
	err := db.Session(&gorm.Session{NewDB: true}).Table("event_contacts h").
		Where("h.organization_id = ? AND h.contact_id IN ?", d.ID, ids).
		Where("(h.guest_since IS NOT NULL OR h.event_id NOT IN ?)", append([]string{""}, d.reach.events...)).
		Distinct("h.contact_id").Order("h.contact_id").Pluck("h.contact_id", &found).Error
	for _, id := range found {
		beyond[id] = true
	}
	return beyond, err
}

// Guests selects the rows h of people who are guests, and only guests, at the handle's events.
func (d *Directory) Guests(db *gorm.DB) *gorm.DB {
	events := d.events
	if d.event != nil {
		events = []string{d.event.ID}
	}
	return db.Session(&gorm.Session{NewDB: true}).Table("event_contacts h").
		Where("h.event_id IN ? AND h.guest_since IS NOT NULL", events).
		Where("NOT EXISTS (SELECT 1 FROM event_contacts o WHERE o.contact_id = h.contact_id AND o.event_id IN ? "+
			"AND o.guest_since IS NULL)", events)
}

// IsGuest reports whether somebody is only a guest at the handle's events.
func (d *Directory) IsGuest(ctx context.Context, contactID string) (bool, error) {
	if d.reach.everybody {
		return false, nil
	}
	var n int64
	err := d.Guests(d.Read(ctx)).Where("h.contact_id = ?", contactID).Count(&n).Error
	return n > 0, err
}

// Welcome makes a guest an ordinary contact of this event, because they act there themselves or somebody with full
// reach added them. With a narrower reach it does nothing.
func (p *Programme) Welcome(tx *store.Tx, contactID string) error {
	if !p.reach.everybody {
		return nil
	}
	return tx.Model(&EventContact{}).Where("event_id = ? AND contact_id = ? AND guest_since IS NOT NULL", p.event.ID, contactID).
		UpdateColumn("guest_since", nil).Error
}

// HoldActor locks the contact who acts at this event against a merge, because new rows will refer to them, and makes
// them an ordinary contact as Welcome does. Call it before any session is locked. It answers missing if the contact is
// gone.
func (p *Programme) HoldActor(tx *store.Tx, contactID string, missing error) error {
	if _, err := store.One[Contact](KeyShare(tx).Where("organization_id = ? AND id = ?", p.event.OrganizationID, contactID),
		missing); err != nil {
		return err
	}
	return p.Welcome(tx, contactID)
}

// mask hides phone, own fields and files of guests.
func (d *Directory) mask(db *gorm.DB, people map[string]*Person) error {
	if d.reach.everybody {
		return nil
	}
	var guests []string
	if d.event != nil {
		for _, id := range slices.Sorted(maps.Keys(people)) {
			if here := people[id].Here; here != nil && here.GuestSince != nil {
				guests = append(guests, id)
			}
		}
	} else if err := d.Guests(db).Where("h.contact_id IN ?", slices.Sorted(maps.Keys(people))).Distinct("h.contact_id").
		Order("h.contact_id").Pluck("h.contact_id", &guests).Error; err != nil {
		return err
	}
	for _, id := range guests {
		p := people[id]
		for _, value := range p.Own { // answers stay: they belong to the event
			delete(p.Files, value)
		}
		p.Phone, p.Own, p.IsGuest = "", map[string]string{}, true
	}
	return nil
}

// ErrShared answers a change of a profile that other events share.
var ErrShared = store.Invalidf("contact", "is also known outside of your events, so their profile is not yours to change. "+
	"Ask an owner, or who organizes all events, to change it")

// mayChange answers ErrShared if one of the contacts' profiles is beyond the handle's reach. The caller has locked
// their rows.
func (d *Directory) mayChange(tx *store.Tx, ids ...string) error {
	beyond, err := d.Beyond(tx.DB, ids)
	if err == nil && len(beyond) > 0 {
		return ErrShared
	}
	return err
}

// MayChange reports whether this directory may change somebody's profile.
func (d *Directory) MayChange(db *gorm.DB, contactID string) (bool, error) {
	beyond, err := d.Beyond(db, []string{contactID})
	return len(beyond) == 0, err
}
