package mcp

import (
	"context"
	"time"
)

// zone returns the time zone of the event, from the list of events or the key; UTC and a note if neither can be read.
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

// wall returns a timestamp as local time in zone, such as 2027-05-15T10:30.
func wall(timestamp *string, zone *time.Location) *string {
	if timestamp == nil {
		return nil
	}
	t, err := time.Parse(time.RFC3339, *timestamp)
	if err != nil {
		return nil // never in an answer of the REST API
	}
	return new(t.In(zone).Format("2006-01-02T15:04"))
}

// date returns the day of a timestamp in zone, such as 2027-05-15; "" for nil.
func date(timestamp *string, zone *time.Location) string {
	if at := wall(timestamp, zone); at != nil {
		return (*at)[:len(time.DateOnly)]
	}
	return ""
}

// clock returns the time of day of a timestamp in zone, such as 10:30; "" for nil.
func clock(timestamp *string, zone *time.Location) string {
	if at := wall(timestamp, zone); at != nil {
		return (*at)[len("2006-01-02T"):]
	}
	return ""
}

// offsetForms are the accepted forms of a time with an offset.
var offsetForms = []string{time.RFC3339, "2006-01-02T15:04Z07:00"}

// localForms are the accepted forms of a time without an offset.
var localForms = []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateOnly}

// moment reads a time: with an offset, or in the event's time zone. It returns nil for none.
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

// dayOf returns the date of a moment in the event's time zone.
func (c *call) dayOf(ctx context.Context, at *time.Time) string {
	zone, _ := c.zone(ctx)
	return at.In(zone).Format(time.DateOnly)
}

// timestamp returns a time in the REST API's form.
func timestamp(t *time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
