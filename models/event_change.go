package models

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
)

// EventChange is a partial change of an event's settings. Nil, or an Optional
// that is not set, leaves a field alone.
type EventChange struct {
	Name        *string
	Slug        *string          // 1 to 63 of a-z, 0-9 and -, unique in the installation
	Timezone    *string          // IANA name
	StartsOn    Optional[string] // calendar dates such as 2027-05-20
	EndsOn      Optional[string] // not before StartsOn
	CFPOpensAt  Optional[Time]
	CFPClosesAt Optional[Time] // after CFPOpensAt
	UpdatedAt   *Time          // the value last read; nil forces the write
}

func (c *EventChange) clean() error {
	var f faults
	if c.Name != nil {
		name, err := cleanName("name", *c.Name, MaxName)
		f.add(err)
		c.Name = &name
	}
	if c.Slug != nil {
		f.add(checkSlug(*c.Slug))
	}
	if c.Timezone != nil {
		f.add(CheckTimezone(*c.Timezone))
	}
	f.add(checkDate("starts_on", c.StartsOn.Value))
	f.add(checkDate("ends_on", c.EndsOn.Value))
	return f.err()
}

func checkSlug(slug string) error {
	if !slugPattern.MatchString(slug) {
		return invalid("slug", "must be 1 to 63 lower-case letters, digits and hyphens")
	}
	if IsID(slug) {
		return invalid("slug", "must not look like an id")
	}
	return nil
}

// CheckTimezone answers Invalid unless name is one of the IANA time zone database.
func CheckTimezone(name string) error {
	if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" {
		return invalid("timezone", "must be the name of a time zone such as Europe/Brussels")
	}
	return nil
}

func checkDate(field string, date *string) error {
	if date == nil {
		return nil
	}
	if day, err := time.Parse(time.DateOnly, *date); err != nil || day.Year() < 1 {
		return invalid(field, "must be a date such as 2027-05-20")
	}
	return nil
}

// checkDates compares as text, which is the order of dates.
func checkDates(startsOn, endsOn *string) error {
	if startsOn != nil && endsOn != nil && *endsOn < *startsOn {
		return invalid("ends_on", "must not be before starts_on")
	}
	return nil
}

func (e *Event) checkDates() error {
	var f faults
	f.add(checkDates(e.StartsOn, e.EndsOn))
	if e.CFPOpensAt != nil && e.CFPClosesAt != nil && !e.CFPClosesAt.After(e.CFPOpensAt.Time) {
		f.add(invalid("cfp_closes_at", "must be after cfp_opens_at"))
	}
	return f.err()
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
	e.StartsOn, e.EndsOn = c.StartsOn.or(e.StartsOn), c.EndsOn.or(e.EndsOn)
	e.CFPOpensAt, e.CFPClosesAt = c.CFPOpensAt.or(e.CFPOpensAt), c.CFPClosesAt.or(e.CFPClosesAt)
	return e.checkDates()
}

// facts are the settings that can change.
func (e *Event) facts() map[string]any {
	return map[string]any{
		"name": e.Name, "slug": e.Slug, "timezone": e.Timezone, "starts_on": fact(e.StartsOn), "ends_on": fact(e.EndsOn),
		"cfp_opens_at": fact(e.CFPOpensAt), "cfp_closes_at": fact(e.CFPClosesAt),
	}
}

var eventColumns = []string{
	"name", "slug", "timezone", "starts_on", "ends_on", "cfp_opens_at", "cfp_closes_at", "updated_at",
}

var errStaleEvent = &Error{
	Kind:    Stale,
	Message: "Someone else changed these settings since you read them. Read them again, then repeat your change.",
	Fields:  []FieldError{{Field: "updated_at", Message: "is outdated"}},
}

// UpdateEvent applies a partial change to the event's settings and returns the
// event as it is then; the programme's own handle stays as it was. It answers
// Invalid for a field that breaks its rule or a slug that is taken, and Stale
// when the token it carries is outdated. A change that changes nothing writes
// nothing.
func (p *Programme) UpdateEvent(ctx context.Context, c EventChange) (*Event, error) {
	if err := c.clean(); err != nil {
		return nil, err
	}
	var e *Event
	err := p.write(ctx, func(tx *Tx) error {
		e = &Event{}
		err := tx.lock().Where("id = ?", p.event.ID).Take(e).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return &Error{Kind: NotFound, Message: "There is no such event."}
		}
		if err != nil {
			return err
		}
		before := *e
		if err := c.apply(e); err != nil {
			return err
		}
		if c.UpdatedAt != nil && !c.UpdatedAt.Equal(before.UpdatedAt.Time) {
			return errStaleEvent
		}
		return p.saveEvent(tx, e, &before)
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

func (p *Programme) saveEvent(tx *Tx, e, before *Event) error {
	was, is := changes(before.facts(), e.facts())
	if len(is) == 0 {
		return nil
	}
	var taken int64
	if err := tx.Model(&Event{}).Where("slug = ? AND id <> ?", e.Slug, e.ID).Count(&taken).Error; err != nil {
		return err
	}
	if taken > 0 {
		return invalid("slug", "is taken by another event")
	}
	e.UpdatedAt = tx.now.after(before.UpdatedAt)
	if err := tx.Model(&Event{}).Where("id = ?", e.ID).Select(eventColumns).Updates(e).Error; err != nil {
		return err
	}
	return p.record(tx, activity{subject: "event", id: e.ID, action: "updated", before: was, after: is})
}
