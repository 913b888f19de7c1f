package site

import (
	"time"

	"lectern/models/public"
	pages "lectern/views/pages/site"
	"lectern/web/page"
)

// theirs is the clock that the address asks for besides the event's, nil where it asks for none or none that there is.
func (v *visit) theirs() *time.Location {
	typed := v.query.Get("tz")
	if typed == "" || len(typed) > 64 {
		return nil
	}
	zone, err := time.LoadLocation(page.ZoneNamed(typed))
	if err != nil || zone == time.Local || zone.String() == v.zone.String() {
		return nil
	}
	return zone
}

// yours is a time by the clock that was asked for: "18:25 in Taipei", "" without one.
func (v *visit) yours(at time.Time) string {
	zone := v.theirs()
	if zone == nil {
		return ""
	}
	there := at.In(zone)
	text := v.TimeOf(there)
	if there.Format(time.DateOnly) != at.In(v.zone).Format(time.DateOnly) {
		text = v.Weekday(there) + " " + text
	}
	return v.T("agenda.yours", "Clock", text, "City", cityOf(zone))
}

// zonesOf says by which clock the times of some sessions are; of none that has a time it is nothing.
func (v *visit) zonesOf(some ...*public.Session) pages.Zones {
	for _, s := range some {
		if !s.StartsAt.IsZero() {
			return v.zones(s.StartsAt.Time)
		}
	}
	return pages.Zones{}
}

// zones says by which clock times of about a moment are.
func (v *visit) zones(at time.Time) pages.Zones {
	z := pages.Zones{Here: v.zoneName(at), City: v.query.Get("tz"), Kept: v.keepsBut("tz"), Off: v.here("tz", ""),
		Zone: v.zone.String(), Only: v.T("agenda.onlyhere", "Here", cityOf(v.zone))}
	if zone := v.theirs(); zone != nil {
		_, there := at.In(zone).Zone()
		_, here := at.In(v.zone).Zone()
		z.Yours = cityOf(zone) + ", " + offsetOf(there-here) + " h"
	} else if z.City != "" {
		z.Fault = v.T("agenda.nozone")
	}
	return z
}

// keepsBut are all values of the address but one.
func (v *visit) keepsBut(but string) (kept []pages.Hidden) {
	for _, name := range append([]string{"lang"}, v.route.reads...) {
		values := v.query[name]
		if name == "lang" {
			values = v.carried[name]
		}
		for _, value := range values {
			if name != but {
				kept = append(kept, pages.Hidden{Name: name, Value: value})
			}
		}
	}
	return kept
}
