package models

import (
	"context"
	"regexp"
	"slices"
	"time"

	"lectern/models/staff"
	"lectern/models/store"
)

// Event is one conference.
type Event struct {
	ID              string      `json:"id" doc:"Event id, used as {eventId}"`
	OrganizationID  string      `json:"-"`
	Name            string      `json:"name"`
	Slug            string      `json:"slug"`
	Timezone        string      `json:"timezone" doc:"IANA time-zone name" example:"Europe/Brussels"`
	MetadataVersion int64       `json:"-" gorm:"->"` // the versions are columns of eventCounters
	SessionsVersion int64       `json:"-" gorm:"->"`
	SpeakersVersion int64       `json:"-" gorm:"->"`
	RowsVersion     int64       `json:"-" gorm:"->"`
	StartsOn        *string     `json:"-"` // calendar dates such as 2027-05-20
	EndsOn          *string     `json:"-"`
	CFPOpensAt      *store.Time `json:"-"`
	CFPClosesAt     *store.Time `json:"-"`
	AsksApproval    bool        `json:"-"` // programme sessions are held until their content is approved
	CreatedAt       store.Time  `json:"-"`
	UpdatedAt       store.Time  `json:"-"`
}

// Location returns the event's time zone.
func (e *Event) Location() *time.Location {
	zone, err := time.LoadLocation(e.Timezone)
	if err != nil {
		return time.UTC // refused on write, so only a lost tz database leads here
	}
	return zone
}

// NewEvent holds the fields of an event to be created.
type NewEvent struct {
	Name     string
	Slug     string  // 1 to 63 of a-z, 0-9 and -, unique, not in the form of an id
	Timezone string  // IANA name
	StartsOn *string // calendar dates such as 2027-05-20, or nil
	EndsOn   *string // not before StartsOn
}

var slugPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// Clean checks the fields and normalises them.
func (n *NewEvent) Clean() error {
	var f store.Faults
	f.Clean(store.CleanName, "name", &n.Name, store.MaxName)
	f.Add(checkSlug(n.Slug))
	f.Add(CheckTimezone(n.Timezone))
	f.Add(checkDate("starts_on", n.StartsOn))
	f.Add(checkDate("ends_on", n.EndsOn))
	if len(f) == 0 {
		f.Add(checkDates(n.StartsOn, n.EndsOn))
	}
	return f.Err()
}

// CreateEvent adds an event, and with the first one the organization. It answers Invalid when a field breaks its rule
// or the slug is taken.
func (s *Store) CreateEvent(ctx context.Context, n NewEvent) (*Event, error) {
	if err := n.Clean(); err != nil {
		return nil, err
	}
	return store.Make(ctx, s.Write, func(tx *store.Tx) (*Event, error) {
		organization, err := store.MakeOrganization(tx, n.Name)
		if err != nil {
			return nil, err
		}
		return createEvent(tx, s.Organization(organization.ID, store.CommandLine), n)
	})
}

// AddEvent adds an event to the organization of a team. It answers NotFound unless an owner acts, and otherwise what
// CreateEvent answers.
func (s *Store) AddEvent(ctx context.Context, team *staff.Team, n NewEvent) (*Event, error) {
	if err := n.Clean(); err != nil {
		return nil, err
	}
	return store.Make(ctx, team.Write, func(tx *store.Tx) (*Event, error) {
		if err := team.HoldAsOwner(tx); err != nil {
			return nil, err
		}
		return createEvent(tx, team.Tenant, n)
	})
}

// createEvent adds an event to an organization.
func createEvent(tx *store.Tx, t *store.Tenant, n NewEvent) (*Event, error) {
	if err := t.Hold(tx); err != nil {
		return nil, err
	}
	if err := store.Unless(tx.Model(&Event{}).Where("slug = ?", n.Slug), errSlugTaken); err != nil {
		return nil, err
	}
	event := &Event{
		ID: store.NewID(), OrganizationID: t.ID, Name: n.Name, Slug: n.Slug, Timezone: n.Timezone,
		StartsOn: n.StartsOn, EndsOn: n.EndsOn, CreatedAt: tx.Now, UpdatedAt: tx.Now,
	}
	if err := tx.Create(event).Error; err != nil {
		return nil, err
	}
	if err := tx.Create(&eventCounters{EventID: event.ID}).Error; err != nil {
		return nil, err
	}
	if err := t.Secure(tx, store.EventAdded, store.Change{ID: t.ID, After: map[string]any{"of": n.Name}}); err != nil {
		return nil, err
	}
	return event, tx.Create(allSubmissions(event, tx.Now)).Error
}

var errSlugTaken = store.Invalidf("slug", "is taken by another event")

// EventBy returns the event with this id or slug, or NotFound.
func (s *Store) EventBy(ctx context.Context, idOrSlug string) (*Event, error) {
	var e *Event // scanned by columns, which is faster: every request for a public page reads one
	err := store.EachRow(s.Read(ctx).Raw(`SELECT e.id, e.organization_id, e.name, e.slug, e.timezone, c.metadata_version,
			c.sessions_version, c.speakers_version, c.rows_version, e.starts_on, e.ends_on, e.cfp_opens_at, e.cfp_closes_at,
			e.asks_approval, e.created_at, e.updated_at
		FROM events e JOIN event_counters c ON c.event_id = e.id WHERE e.id = ? OR e.slug = ?`, idOrSlug, idOrSlug), func() []any {
		e = &Event{}
		return []any{&e.ID, &e.OrganizationID, &e.Name, &e.Slug, &e.Timezone, &e.MetadataVersion, &e.SessionsVersion,
			&e.SpeakersVersion, &e.RowsVersion, &e.StartsOn, &e.EndsOn, &e.CFPOpensAt, &e.CFPClosesAt, &e.AsksApproval,
			&e.CreatedAt, &e.UpdatedAt}
	})
	if err == nil && e == nil {
		err = store.Missing("There is no event with this id or slug.")
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

// EventsFor returns the events at which the user has a role, by name.
func (s *Store) EventsFor(ctx context.Context, u *staff.User) ([]*Event, error) {
	var all []*Event
	if err := WithVersions(s.Read(ctx)).Where("organization_id = ?", u.OrganizationID).Find(&all).Error; err != nil {
		return nil, err
	}
	return seenBy(u, all), nil
}

func seenBy(u *staff.User, events []*Event) []*Event {
	events = slices.DeleteFunc(events, func(e *Event) bool { return u.RoleAt(e.ID) == "" })
	slices.SortFunc(events, func(a, b *Event) int { return store.CompareNames(a.Name, a.ID, b.Name, b.ID) })
	return events
}

// EventsAndPeople returns EventsFor and the number of people in a directory, in one SQL statement: every page needs
// both.
func (s *Store) EventsAndPeople(ctx context.Context, u *staff.User, d *Directory) (_ []*Event, people int64, err error) {
	var rows []struct {
		Event  `gorm:"embedded"`
		People int64
	}
	if err := WithVersions(s.Read(ctx).Table("events")).Where("organization_id = ?", u.OrganizationID).
		Select("*, ? AS people", d.listedCount(ctx)).
		Find(&rows).Error; err != nil {
		return nil, 0, err
	}
	all := make([]*Event, len(rows))
	for i := range rows {
		all[i], people = &rows[i].Event, rows[i].People
	}
	return seenBy(u, all), people, nil
}

// EventFor returns an event, read anew, and the user's role there. It answers NotFound for an event of another
// organization and for one where the user has no role.
func (s *Store) EventFor(ctx context.Context, u *staff.User, id string) (*Event, staff.Role, error) {
	role := u.RoleAt(id)
	if role == "" || !store.IsID(id) {
		return nil, "", errNoEvent
	}
	e, err := store.One[Event](WithVersions(s.Read(ctx)).Where("organization_id = ? AND id = ?", u.OrganizationID, id),
		errNoEvent)
	if err != nil {
		return nil, "", err
	}
	return e, role, nil
}

var errNoEvent = store.Missing("There is no such event, or you have no role there.")
