package models

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/staff"
	"lectern/models/store"
)

// Reach is whose contacts somebody may know: those of some events, or all that the organization has. An operation that
// takes a contact's id finds nobody beyond the reach of its handle. A programme reaches the people of its own event
// unless Reaching says more.
type Reach struct {
	everybody bool
	events    []string
}

// IsEverybody tells of the reach of all that the organization has.
func (r Reach) IsEverybody() bool { return r.everybody }

// Everybody is the reach of who sees all events, of the command line, and of people who act for themselves.
var Everybody = Reach{everybody: true}

// PeopleOf is the reach of who organizes these events alone.
func PeopleOf(eventIDs ...string) Reach { return Reach{events: eventIDs} }

// ReachOf is the reach of a member of staff: everybody for who organizes all events, and else the people of the events
// that they organize. A reviewer or viewer of an event sees its people there and may take none elsewhere.
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

// ReachOfMember is the reach of a member of an organization's staff now, that of nobody for who is none any more.
func (s *Store) ReachOfMember(ctx context.Context, organizationID, userID string) (Reach, error) {
	members, err := s.Staff.Team(s.Organization(organizationID, store.By{})).Members(ctx)
	for _, u := range members {
		if u.ID == userID {
			return ReachOf(u), nil
		}
	}
	return PeopleOf(), err
}

// Reaching is the programme for somebody whose reach goes beyond its event.
func (p *Programme) Reaching(r Reach) *Programme {
	wider := *p
	wider.reach = Reach{everybody: r.everybody, events: append([]string{p.event.ID}, r.events...)}
	return &wider
}

// Reaching is the directory for who may change the identity of no more people than those of a reach. It sees whom it
// saw before.
func (d *Directory) Reaching(r Reach) *Directory {
	narrower := *d
	narrower.reach = r
	return &narrower
}

// Reach is whose contacts may be known by it.
func (p *Programme) Reach() Reach { return p.reach }

// Reached are the people within the reach of the programme, with what is kept of them at its event.
func (p *Programme) Reached() *Directory {
	d := p.Directory()
	if d.events, d.isPart = p.reach.events, true; p.reach.everybody {
		d.events, d.isPart = nil, false
	}
	return d
}

// Joining are those of some contacts who are beyond the reach of the programme, with the moment from which they are
// guests at its event, should they come to it.
func (p *Programme) Joining(tx *store.Tx, contactIDs []string) (map[string]*store.Time, error) {
	strangers := map[string]*store.Time{}
	if p.reach.everybody {
		return strangers, nil
	}
	var known []string
	err := p.Reached().Seen(tx.Model(&Contact{})).Where("contacts.id IN ?", contactIDs).Pluck("contacts.id", &known).Error
	for _, id := range contactIDs {
		if !slices.Contains(known, id) {
			strangers[id] = &tx.Now
		}
	}
	return strangers, err
}

// Beyond are those of some contacts whose shared identity this handle may not change: who is also at an event beyond
// its reach, or is a guest.
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

// guests are the rows h for events of who is a guest there, and at no event of the handle's anything else.
func (d *Directory) guests(db *gorm.DB) *gorm.DB {
	events := d.events
	if d.event != nil {
		events = []string{d.event.ID}
	}
	return db.Session(&gorm.Session{NewDB: true}).Table("event_contacts h").
		Where("h.event_id IN ? AND h.guest_since IS NOT NULL", events).
		Where("NOT EXISTS (SELECT 1 FROM event_contacts o WHERE o.contact_id = h.contact_id AND o.event_id IN ? "+
			"AND o.guest_since IS NULL)", events)
}

// isGuest tells whether the handle knows somebody as a guest alone.
func (d *Directory) isGuest(ctx context.Context, contactID string) (bool, error) {
	if d.reach.everybody {
		return false, nil
	}
	var n int64
	err := d.guests(d.Read(ctx)).Where("h.contact_id = ?", contactID).Count(&n).Error
	return n > 0, err
}

// Welcome ends that a contact is a guest at this event: they act there themselves, or who knows everybody put them
// there. By a narrower reach it does nothing. It joins the transaction at hand.
func (p *Programme) Welcome(tx *store.Tx, contactID string) error {
	if !p.reach.everybody {
		return nil
	}
	return tx.Model(&EventContact{}).Where("event_id = ? AND contact_id = ? AND guest_since IS NOT NULL", p.event.ID, contactID).
		UpdateColumn("guest_since", nil).Error
}

// mask leaves of guests what their event may know: who a programme prints, and an address.
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
	} else if err := d.guests(db).Where("h.contact_id IN ?", slices.Sorted(maps.Keys(people))).Distinct("h.contact_id").
		Order("h.contact_id").Pluck("h.contact_id", &guests).Error; err != nil {
		return err
	}
	for _, id := range guests {
		p := people[id]
		for _, value := range p.Own { // answers at the event are the event's
			delete(p.Files, value)
		}
		p.Phone, p.Own, p.IsGuest = "", map[string]string{}, true
	}
	return nil
}

// ErrShared answers who would change what other events have of somebody too.
var ErrShared = store.Invalidf("contact", "is also known outside of your events, so their profile is not yours to change. "+
	"Ask an owner, or who organizes all events, to change it")

// mayChange answers ErrShared for contacts whose identity is beyond the reach of the handle. Their rows are held.
func (d *Directory) mayChange(tx *store.Tx, ids ...string) error {
	beyond, err := d.Beyond(tx.DB, ids)
	if err == nil && len(beyond) > 0 {
		return ErrShared
	}
	return err
}

// MayChange tells whether the profile of somebody may be changed by whoever has this directory.
func (d *Directory) MayChange(db *gorm.DB, contactID string) (bool, error) {
	beyond, err := d.Beyond(db, []string{contactID})
	return len(beyond) == 0, err
}
