package site

import (
	"cmp"
	"slices"
	"time"

	"lectern/models/site"
	"lectern/views/components"
	pages "lectern/views/pages/site"
	"lectern/web/page"
)

// clockNamed returns the zone that somebody typed, nil for none.
func clockNamed(typed string) *time.Location {
	zone, err := time.LoadLocation(page.ZoneNamed(typed))
	if typed == "" || len(typed) > 64 || err != nil || zone == time.Local {
		return nil
	}
	return zone
}

// compareClocks sets the clock that the address asks for besides the event's. It drops one that shows the same as the
// event's at all sessions.
func (v *visit) compareClocks() {
	zone := clockNamed(v.carried.Get("tz"))
	if zone == nil || v.agenda == nil {
		return
	}
	differs := func(s *site.Session) bool { return apart(s.StartsAt.Time, v.zone, zone) != 0 }
	if len(v.agenda.Sessions) == 0 || slices.ContainsFunc(v.agenda.Sessions, differs) {
		v.theirs = zone
		return
	}
	v.carried.Del("tz")
	v.query.Del("tz")
}

// timeOf formats a time of day, with the zone's letters where the clock shows it twice: "02:30 CEST", in the night in
// which clocks go back.
func (v *visit) timeOf(at time.Time) string {
	text := v.Language.TimeOf(at)
	for _, minutes := range []time.Duration{-120, -60, -30, 30, 60, 120} { // clocks go back by these steps somewhere
		if other := at.Add(minutes * time.Minute); other.Format(time.DateTime) == at.Format(time.DateTime) {
			return text + " " + short(at, v.T("frame.utc"))
		}
	}
	return text
}

// apart returns by how many seconds one clock is ahead of another at a moment.
func apart(at time.Time, here, there *time.Location) int {
	_, is := at.In(here).Zone()
	_, theirs := at.In(there).Zone()
	return theirs - is
}

// yours returns a time by the clock that was asked for: "18:25 in Taipei", "" without one.
func (v *visit) yours(at time.Time) string {
	if v.theirs == nil {
		return ""
	}
	there := at.In(v.theirs)
	text := v.timeOf(there)
	if there.Format(time.DateOnly) != at.In(v.zone).Format(time.DateOnly) {
		text = v.Weekday(there) + " " + text
	}
	return v.T("agenda.yours", "Clock", text, "City", v.City(v.theirs.String()))
}

// startsOf returns the starts of the sessions that have one.
func startsOf(some ...*site.Session) (moments []time.Time) {
	for _, s := range some {
		if !s.StartsAt.IsZero() {
			moments = append(moments, s.StartsAt.Time)
		}
	}
	return moments
}

// zonesOf says by which clock the times of some sessions are; it is empty where none has a time.
func (v *visit) zonesOf(some ...*site.Session) pages.Zones { return v.zones(startsOf(some...)...) }

// zones says by which clock these moments are.
func (v *visit) zones(moments ...time.Time) pages.Zones {
	if len(moments) == 0 {
		return pages.Zones{}
	}
	z := pages.Zones{Here: v.zoneName(moments...), City: v.query.Get("tz"), Kept: v.kept(), Off: v.here("tz", ""),
		Zone: v.zone.String(), Only: v.T("agenda.onlyhere", "Here", v.cityHere())}
	switch {
	case v.mistyped != "":
		z.City, z.Fault = v.mistyped, v.T("agenda.nozone")
	case v.theirs != nil:
		z.Yours = v.City(v.theirs.String())
		ahead := same(moments, func(at time.Time) string { return offsetOf(apart(at, v.zone, v.theirs)) })
		if ahead != "" {
			z.Yours += ", " + v.T("session.hours", "Count", ahead)
		}
	}
	return z
}

// clock says by which clock moments are shown, where no other one can be chosen; "" for none.
func (v *visit) clock(moments []time.Time) string {
	if len(moments) == 0 {
		return ""
	}
	return v.T("agenda.clock", "Here", v.zoneName(moments...))
}

// cityHere returns the city of the event's clock: the one that organizers named, or that of its time zone.
func (v *visit) cityHere() string { return cmp.Or(v.look.City, v.City(v.zone.String())) }

// zoneName names the event's clock at some moments: "Brussels, CET", or the city alone where the letters differ.
func (v *visit) zoneName(moments ...time.Time) string {
	city, letters := v.cityHere(), v.letters(moments...)
	if letters == "" || letters == city {
		return city
	}
	return city + ", " + letters
}

// letters returns the letters of the event's clock at some moments, "" where they differ.
func (v *visit) letters(moments ...time.Time) string {
	return same(moments, func(at time.Time) string { return short(at.In(v.zone), v.T("frame.utc")) })
}

// same returns what of returns for all moments, "" where that differs.
func same(moments []time.Time, of func(time.Time) string) (all string) {
	for i, at := range moments {
		this := of(at)
		if i > 0 && this != all {
			return ""
		}
		all = this
	}
	return all
}

// kept returns all parameters of the address but the clock.
func (v *visit) kept() (kept []components.Hidden) {
	for _, name := range append([]string{"lang"}, v.route.reads...) {
		values := v.query[name]
		if name == "lang" {
			values = v.carried[name]
		}
		for _, value := range values {
			if name != "tz" {
				kept = append(kept, components.Hidden{Name: name, Value: value})
			}
		}
	}
	return kept
}
