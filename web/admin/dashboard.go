package admin

import (
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/pages"
	"lectern/web/page"
)

const aYear = 365 * 24 * 60 * 60

// dashboard is where an event stands; who reviews sees what waits for them, and nothing that they cannot do.
func dashboard(v *visit) error {
	now := store.At(v.options.Now())
	if v.role == staff.RoundReviewer {
		return v.SeeInstead(v.at("/reviews"))
	}
	if v.onlyReviews() {
		return v.reviewerDashboard(now)
	}
	d, err := v.programme.Dashboard(v.UserContext(), now)
	if err != nil {
		return err
	}
	shell, err := v.shell(v.event.Name)
	if err != nil {
		return err
	}
	p := pages.DashboardPage{Shell: shell, Masthead: v.masthead(now)}
	if d.AbstractsTotal+d.Abstracts[models.Draft]+d.Sessions == 0 {
		if p.Launch, err = v.launchSteps(); err != nil {
			return err
		}
		return v.Show(pages.Dashboard(p))
	}
	if p.Acts = v.may(staff.Organizer); p.Acts {
		behind, err := v.deliveriesBehind()
		if err != nil {
			return err
		}
		p.Next = append(append(behind, v.untoldStep(d)...), v.next(d)...)
	}
	p.Steps, p.Days, p.Sessions = v.yearSteps(d, now), v.dayRows(d), v.at("/sessions")
	p.Tracks, p.Created = v.trackRows(d), createdChart(d)
	if p.Lately, err = v.lately(now); err != nil {
		return err
	}
	return v.Show(pages.Dashboard(p))
}

// masthead says which event, when it is and how far away that is.
func (v *visit) masthead(now store.Time) pages.Masthead {
	place := page.City(v.event.Timezone)
	m := pages.Masthead{When: place, Now: now.In(v.event.Location()).Format("Monday 2 January, 15:04") + " in " + place}
	if v.event.StartsOn == nil {
		m.When, m.Rest = "", "No dates yet"
		if v.may(staff.Organizer) {
			m.SetDatesURL = v.at("/settings")
		}
		return m
	}
	m.When += ", " + page.EventDays(v.event)
	m.Lead, m.Rest = countdown(v.event, now)
	return m
}

// countdown is how far away an event with dates is, at its place.
func countdown(e *models.Event, now store.Time) (lead, rest string) {
	starts, ends := page.Span(e)
	today := page.Date(calendarDay(now, e.Location()))
	days := func(from, to time.Time) int64 { return int64(to.Sub(from) / (24 * time.Hour)) }
	switch before, after := days(today, starts), days(ends, today); {
	case before > 1:
		return number(before) + " days", "until it begins"
	case before == 1:
		return "Tomorrow", "it begins"
	case after <= 0 && starts.Equal(ends):
		return "Today", "is the day"
	case after <= 0:
		return "Day " + number(1-before), "of " + number(days(starts, ends)+1)
	case after == 1:
		return "Over", "since yesterday"
	default:
		return "Over", "for " + number(after) + " days"
	}
}

// latelyShown is how many lines of the activity a dashboard has.
const latelyShown = 6

// lately are the latest lines of the activity: today's alone, or all with their days.
func (v *visit) lately(now store.Time) (pages.Lately, error) {
	entries, err := v.programme.LatestActivity(v.UserContext(), latelyShown)
	if err != nil {
		return pages.Lately{}, err
	}
	zone := v.event.Location()
	today := func(t store.Time) bool { return calendarDay(t, zone) == calendarDay(now, zone) }
	l, format := pages.Lately{Name: "Today", URL: v.at("/activity")}, "15:04"
	if len(entries) > 0 && !today(entries[0].At) {
		l.Name, format = "Lately", "2 Jan"
	}
	for _, e := range entries {
		if l.Name == "Today" && !today(e.At) {
			break
		}
		l.Lines = append(l.Lines, pages.ActivityLine{ActivityEntry: e, Time: e.At.In(zone).Format(format),
			URL: v.recordURL(e), Did: did(e)})
	}
	return l, nil
}

// calendarDay is the date of a moment at a place.
func calendarDay(t store.Time, zone *time.Location) string { return t.In(zone).Format(time.DateOnly) }
