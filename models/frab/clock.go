package frab

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// clock converts the times of a schedule to instants.
type clock struct {
	location  *time.Location
	dayChange time.Duration // since midnight; what starts earlier belongs to the evening before
}

func newClock(zone, dayChange string, fallback *time.Location) (clock, error) {
	c := clock{location: fallback}
	if c.location == nil {
		c.location = time.UTC
	}
	if zone = line(zone); zone != "" {
		location, err := time.LoadLocation(zone)
		if err != nil || location == time.Local {
			return c, fmt.Errorf("the conference's time_zone_name %q is not known", zone)
		}
		c.location = location
	}
	if dayChange = line(dayChange); dayChange != "" {
		change, err := timeOfDay(dayChange)
		if err != nil {
			return c, fmt.Errorf("the conference's day_change %q is no time of day", dayChange)
		}
		c.dayChange = change
	}
	return c, nil
}

// start returns when an item begins: at its own date, with the time of day if that is only a day; else at the time of
// day on the day that it is listed under, or in the following night.
func (c clock) start(date, day, at string) (time.Time, error) {
	if _, err := time.Parse(time.DateOnly, date); err == nil && at != "" {
		day, c.dayChange = date, 0
	} else if date != "" {
		return c.instant(date)
	}
	if at == "" {
		return time.Time{}, errors.New("no start")
	}
	offset, err := timeOfDay(at)
	if err != nil {
		return time.Time{}, fmt.Errorf("start %q is no time of day", at)
	}
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return time.Time{}, fmt.Errorf("its day's date %q is no date", day)
	}
	if offset < c.dayChange {
		d = d.AddDate(0, 0, 1)
	}
	// Not midnight plus offset: a day may have 23 hours.
	minutes := int(offset / time.Minute)
	seconds := int(offset % time.Minute / time.Second)
	return checked(time.Date(d.Year(), d.Month(), d.Day(), 0, minutes, seconds, 0, c.location))
}

func (c clock) instant(date string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, date)
	if err != nil {
		t, err = time.ParseInLocation("2006-01-02T15:04:05", date, c.location)
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("date %q is no timestamp", date)
	}
	return checked(t)
}

// checked refuses years that some databases or JSON cannot represent.
func checked(t time.Time) (time.Time, error) {
	if y := t.UTC().Year(); y < 1900 || y > 2999 {
		return time.Time{}, fmt.Errorf("the start's year %d is out of range", y)
	}
	return t, nil
}

var clockTime = regexp.MustCompile(`^(\d{1,3}):(\d{2})(?::(\d{2}))?$`)

// hms parses HH:MM or HH:MM:SS.
func hms(s string) (time.Duration, bool) {
	m := clockTime.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	hours, _ := strconv.Atoi(m[1])
	minutes, _ := strconv.Atoi(m[2])
	seconds, _ := strconv.Atoi(m[3]) // 0 if there are none
	if minutes > 59 || seconds > 59 {
		return 0, false
	}
	return time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute + time.Duration(seconds)*time.Second, true
}

func timeOfDay(s string) (time.Duration, error) {
	d, ok := hms(s)
	if !ok || d >= 24*time.Hour {
		return 0, errors.New("no time of day")
	}
	return d, nil
}

// maxMinutes is the limit of HH:MM.
const maxMinutes = 1000 * 60

// duration parses HH:MM, HH:MM:SS or whole minutes.
func duration(s string) (time.Duration, error) {
	if s == "" {
		return 0, errors.New("no duration")
	}
	if d, ok := hms(s); ok {
		return d, nil
	}
	if n, err := strconv.ParseUint(s, 10, 32); err == nil && n < maxMinutes {
		return time.Duration(n) * time.Minute, nil
	}
	return 0, fmt.Errorf("duration %q is neither HH:MM nor minutes", s)
}
