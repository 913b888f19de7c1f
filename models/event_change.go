package models

import (
	"context"
	"time"

	"lectern/models/store"
)

// EventChange is a partial change of an event's settings. Nil, or an Optional
// that is not set, leaves a field alone.
type EventChange struct {
	Name         *string
	Slug         *string                // 1 to 63 of a-z, 0-9 and -, unique in the installation
	Timezone     *string                // IANA name
	StartsOn     store.Optional[string] // calendar dates such as 2027-05-20
	EndsOn       store.Optional[string] // not before StartsOn
	CFPOpensAt   store.Optional[store.Time]
	CFPClosesAt  store.Optional[store.Time] // after CFPOpensAt
	AsksApproval *bool                      // hold programme sessions back until their content is approved
	UpdatedAt    *store.Time                // the value last read; nil forces the write
}

func (c *EventChange) clean() error {
	var f store.Faults
	if c.Name != nil {
		c.Name = new(*c.Name)
		f.Clean(store.CleanName, "name", c.Name, store.MaxName)
	}
	if c.Slug != nil {
		f.Add(checkSlug(*c.Slug))
	}
	if c.Timezone != nil {
		f.Add(CheckTimezone(*c.Timezone))
	}
	f.Add(checkDate("starts_on", c.StartsOn.Value))
	f.Add(checkDate("ends_on", c.EndsOn.Value))
	return f.Err()
}

func checkSlug(slug string) error {
	if !slugPattern.MatchString(slug) {
		return store.Invalidf("slug", "must be 1 to 63 lower-case letters, digits and hyphens")
	}
	if store.IsID(slug) {
		return store.Invalidf("slug", "must not look like an id")
	}
	return nil
}

// CheckTimezone answers Invalid unless name is in the IANA time zone database.
func CheckTimezone(name string) error {
	if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" {
		return store.Invalidf("timezone", "must be the name of a time zone such as Europe/Brussels")
	}
	return nil
}

func checkDate(field string, date *string) error {
	if date == nil {
		return nil
	}
	if day, err := time.Parse(time.DateOnly, *date); err != nil || day.Year() < 1 {
		return store.Invalidf(field, "must be a date such as 2027-05-20")
	}
	return nil
}

// checkDates compares dates as text, which sorts alike.
func checkDates(startsOn, endsOn *string) error {
	if startsOn != nil && endsOn != nil && *endsOn < *startsOn {
		return store.Invalidf("ends_on", "must not be before starts_on")
	}
	return nil
}

func (e *Event) checkDates() error {
	var f store.Faults
	f.Add(checkDates(e.StartsOn, e.EndsOn))
	if e.CFPOpensAt != nil && e.CFPClosesAt != nil && !e.CFPClosesAt.After(e.CFPOpensAt.Time) {
		f.Add(store.Invalidf("cfp_closes_at", "must be after cfp_opens_at"))
	}
	return f.Err()
}

func (c *EventChange) apply(e *Event) error {
	set := func(to, from *string) {
		if from != nil {
			*to = *from
		}
	}
	set(&e.Name, c.Name)
	set(&e.Slug, c.Slug)
	set(&e.Timezone, c.Timezone)
	e.StartsOn, e.EndsOn = c.StartsOn.Or(e.StartsOn), c.EndsOn.Or(e.EndsOn)
	e.CFPOpensAt, e.CFPClosesAt = c.CFPOpensAt.Or(e.CFPOpensAt), c.CFPClosesAt.Or(e.CFPClosesAt)
	if c.AsksApproval != nil {
		e.AsksApproval = *c.AsksApproval
	}
	return e.checkDates()
}

// facts returns the settings that can change.
func (e *Event) facts() map[string]any {
	return map[string]any{
		"name": e.Name, "slug": e.Slug, "timezone": e.Timezone, "starts_on": store.Fact(e.StartsOn),
		"ends_on":      store.Fact(e.EndsOn),
		"cfp_opens_at": store.Fact(e.CFPOpensAt), "cfp_closes_at": store.Fact(e.CFPClosesAt),
		"asks_approval": e.AsksApproval,
	}
}

var eventColumns = []string{
	"name", "slug", "timezone", "starts_on", "ends_on", "cfp_opens_at", "cfp_closes_at", "asks_approval", "updated_at",
}

var errStaleEvent = store.Outdated(
	"Someone else changed these settings since you read them. Read them again, then repeat your change.")

var errRevisionsWait = store.Invalidf("asks_approval", "has to stay while changes of speakers wait under Revisions. Decide them first")

// UpdateEvent applies a partial change to the event's settings and returns the changed event; the programme's own
// handle keeps the old one. It answers Invalid for a field that breaks its rule, for a slug that is taken, and for an
// end of AsksApproval while revisions wait; and Stale when the token is outdated. A change without a difference writes
// nothing.
func (p *Programme) UpdateEvent(ctx context.Context, c EventChange) (*Event, error) {
	if err := c.clean(); err != nil {
		return nil, err
	}
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Event, error) {
		e, err := p.HoldEvent(tx)
		if err != nil {
			return nil, err
		}
		before := *e
		if err := c.apply(e); err != nil {
			return nil, err
		}
		if c.UpdatedAt != nil && !c.UpdatedAt.Equal(before.UpdatedAt.Time) {
			return nil, errStaleEvent
		}
		if before.AsksApproval && !e.AsksApproval {
			if err := store.Unless(tx.Table("revisions r").Joins("LEFT JOIN sessions s ON s.id = r.session_id").
				Where("r.event_id = ? AND (r.session_id IS NULL OR s.deleted_at IS NULL)", e.ID), errRevisionsWait); err != nil {
				return nil, err
			}
		}
		return e, p.saveEvent(tx, e, &before)
	})
}

func (p *Programme) saveEvent(tx *store.Tx, e, before *Event) error {
	was, is := store.Changes(before.facts(), e.facts())
	if len(is) == 0 {
		return nil
	}
	if err := store.Unless(tx.Model(&Event{}).Where("slug = ? AND id <> ?", e.Slug, e.ID), errSlugTaken); err != nil {
		return err
	}
	e.UpdatedAt = tx.Now.Following(before.UpdatedAt)
	if err := tx.Model(&Event{}).Where("id = ?", e.ID).Select(eventColumns).Updates(e).Error; err != nil {
		return err
	}
	return tx.Secure(e.OrganizationID, &e.ID, p.by, store.SettingsChanged,
		store.Change{ID: e.ID, Before: was, After: is})
}

// HoldEvent returns the event's row, locked until the transaction ends.
func (p *Programme) HoldEvent(tx *store.Tx) (*Event, error) {
	return store.One[Event](WithVersions(tx.Lock()).Where("id = ?", p.event.ID), errNoEvent)
}

// Touch raises the token of the event, whose row the caller has locked. It goes with every change of public pages that
// concerns neither a session nor metadata, because caches of these pages are keyed by the token.
func (e *Event) Touch(tx *store.Tx) error {
	e.UpdatedAt = tx.Now.Following(e.UpdatedAt)
	return tx.Model(&Event{}).Where("id = ?", e.ID).UpdateColumn("updated_at", e.UpdatedAt).Error
}
