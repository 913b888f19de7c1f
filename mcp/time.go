package mcp

import (
	"context"
	"time"
)

// zone is the time zone of the event, as the events list or the key has it; UTC, and a note, where neither can be read.
func (c *call) zone(ctx context.Context) (zone *time.Location, note string) {
	event := c.event
	if event.Timezone == "" {
		key, _ := c.theKey(ctx)
		event = key.Event
	}
	if zone, err := time.LoadLocation(event.Timezone); err == nil && event.Timezone != "" {
		return zone, ""
	}
	return time.UTC, "Times and days are in UTC: the event's time zone could not be read now."
}

// wall is a timestamp as clocks in zone show it, such as 2027-05-15T10:30.
func wall(timestamp *string, zone *time.Location) *string {
	if timestamp == nil {
		return nil
	}
	t, err := time.Parse(time.RFC3339, *timestamp)
	if err != nil {
		return nil // which the REST API never answers
	}
	return new(t.In(zone).Format("2006-01-02T15:04"))
}

// date is the day of a timestamp in zone, such as 2027-05-15; "" of no timestamp.
func date(timestamp *string, zone *time.Location) string {
	if at := wall(timestamp, zone); at != nil {
		return (*at)[:len(time.DateOnly)]
	}
	return ""
}

// clock is a time of day in zone, such as 10:30; "" of no timestamp.
func clock(timestamp *string, zone *time.Location) string {
	if at := wall(timestamp, zone); at != nil {
		return (*at)[len("2006-01-02T"):]
	}
	return ""
}

// offsetForms are how a time with an offset may be written.
var offsetForms = []string{time.RFC3339, "2006-01-02T15:04Z07:00"}

// localForms are how a time without an offset may be written.
var localForms = []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateOnly}

// moment reads a time: with an offset, or as clocks at the event show it. nil is none.
func (c *call) moment(ctx context.Context, a *arguments, name string) *time.Time {
	v := a.text(name)
	if v == "" {
		return nil
	}
	for _, form := range offsetForms {
		if t, err := time.Parse(form, v); err == nil {
			return &t
		}
	}
	zone, note := c.zone(ctx)
	for _, form := range localForms {
		t, err := time.ParseInLocation(form, v, zone)
		switch {
		case err != nil:
		case c.keyErr != nil:
			a.fail(c.keyErr)
			return nil
		case note != "":
			a.fail(badArgument(name, "needs an offset, such as 2027-05-15T10:30:00Z: the event's time zone is not known here"))
			return nil
		default:
			return &t
		}
	}
	a.fail(badArgument(name, "must be a time such as 2027-05-15T10:30 in the event's time zone, or with an offset"))
	return nil
}

// dayOf is the date of a moment by the clocks of the event.
func (c *call) dayOf(ctx context.Context, at *time.Time) string {
	zone, _ := c.zone(ctx)
	return at.In(zone).Format(time.DateOnly)
}

// timestamp writes a moment as the REST API reads it.
func timestamp(t *time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
