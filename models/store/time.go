package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"regexp"
	"time"
)

// timeWidth is the length of a stored time, such as 2026-11-21T09:30:00.000Z; it is fixed, so that times sort as text
// in SQLite.
const timeWidth = len("2006-01-02T15:04:05.000Z")

// Time is an instant in UTC with millisecond precision, the one form in which times are stored, compared and shown.
type Time struct{ time.Time }

// At returns t as a Time, in UTC and cut to the millisecond.
func At(t time.Time) Time { return Time{t.UTC().Truncate(time.Millisecond)} }

// TimePattern is the form of RFC 3339; time.Parse alone accepts more.
const TimePattern = `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`

var timeForm = regexp.MustCompile(TimePattern)

// ParseTime reads an RFC 3339 timestamp of any offset within the years 1 to 9999.
func ParseTime(s string) (Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || !timeForm.MatchString(s) {
		return Time{}, fmt.Errorf("must be an RFC 3339 timestamp such as 2026-11-21T09:30:00.000Z")
	}
	at := At(t)
	if y := at.Year(); y < 1 || y > 9999 {
		return Time{}, fmt.Errorf("must lie between the years 1 and 9999")
	}
	return at, nil
}

// Moments returns the instants at which clocks in a zone show a wall time (its own zone is ignored): one on most days,
// none when clocks skip it, and two, in order, when they show it twice.
func Moments(wall time.Time, zone *time.Location) (found []Time) {
	const form = "2006-01-02T15:04:05"
	wall = time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, time.UTC)
	// The offset in effect is that of the day before or of the day after.
	for _, near := range []time.Time{wall.Add(-26 * time.Hour), wall.Add(26 * time.Hour)} {
		_, offset := near.In(zone).Zone()
		at := wall.Add(-time.Duration(offset) * time.Second)
		if at.In(zone).Format(form) != wall.Format(form) {
			continue
		}
		if len(found) == 0 || !found[0].Equal(at) {
			found = append(found, At(at))
		}
	}
	if len(found) == 2 && found[1].Before(found[0].Time) {
		found[0], found[1] = found[1], found[0]
	}
	return found
}

func (t Time) String() string { return string(t.append(make([]byte, 0, timeWidth))) }

// append writes the fixed form. Package time has a fast path for RFC 3339, but not for milliseconds.
func (t Time) append(b []byte) []byte {
	b = t.UTC().AppendFormat(b, time.RFC3339)
	ms := t.Nanosecond() / int(time.Millisecond)
	return append(b[:len(b)-1], '.', '0'+byte(ms/100), '0'+byte(ms/10%10), '0'+byte(ms%10), 'Z')
}

// MarshalJSON writes the fixed form 2026-11-21T09:30:00.000Z.
func (t Time) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, timeWidth+2), '"')
	return append(t.append(b), '"'), nil
}

// UnmarshalJSON reads what ParseTime reads.
func (t *Time) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return fmt.Errorf("must be a timestamp")
	}
	at, err := ParseTime(string(b[1 : len(b)-1]))
	*t = at
	return err
}

// Value returns the fixed form, which both databases accept.
func (t Time) Value() (driver.Value, error) { return t.String(), nil }

// Scan reads what either database returns.
func (t *Time) Scan(v any) error {
	switch v := v.(type) {
	case time.Time:
		*t = At(v)
		return nil
	case string:
		at, err := time.Parse(time.RFC3339Nano, v)
		*t = At(at)
		return err
	case []byte:
		return t.Scan(string(v))
	}
	return fmt.Errorf("cannot read a time from %T", v)
}

// GormDataType keeps gorm from setting the fields by itself.
func (Time) GormDataType() string { return "timestamp" }

// Following returns the concurrency token after previous: strictly later, whatever the clock says.
func (t Time) Following(previous Time) Time {
	if t.Time.After(previous.Time) {
		return t
	}
	return Time{previous.Add(time.Millisecond)}
}

// Rest waits for d, or returns the error of ctx if that ends first.
func Rest(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
