package desk

import (
	"slices"
	"time"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/desk"
	"lectern/web/admin/sessions"
	"lectern/web/admin/visit"
	"lectern/web/admin/webhooks"
	"lectern/web/page"
)

// dashboard shows the state of an event. Users who only review see what waits for them.
func dashboard(v *visit.Visit) error {
	now := store.At(v.Options.Now())
	if v.Role == staff.RoundReviewer {
		return v.SeeInstead(v.At("/reviews"))
	}
	if sessions.OnlyReviews(v) {
		return reviewerDashboard(v, now)
	}
	d, err := desk.Of(v.Programme).Dashboard(v.UserContext(), now)
	if err != nil {
		return err
	}
	shell, err := v.Shell(v.Event.Name)
	if err != nil {
		return err
	}
	p := pages.DashboardPage{Shell: shell, Masthead: masthead(v, now)}
	if d.AbstractsTotal+d.Abstracts[models.Draft]+d.Sessions == 0 {
		if v.May(staff.Organizer) {
			p.Bring = v.At("/moves")
		}
		if p.Launch, err = launchSteps(v); err != nil {
			return err
		}
		return v.Show(pages.Dashboard(p))
	}
	if p.Acts = v.May(staff.Organizer); p.Acts {
		behind, err := webhooks.DeliveriesBehind(v)
		if err != nil {
			return err
		}
		handed, err := speakerSteps(v)
		if err != nil {
			return err
		}
		p.Next = slices.Concat(behind, untoldStep(v, d), next(v, d), handed)
	}
	p.Steps, p.Days, p.Sessions = yearSteps(v, d, now), dayRows(v, d), v.At("/sessions")
	p.Tracks, p.Created = trackRows(v, d), createdChart(d)
	if p.Lately, err = lately(v, now); err != nil {
		return err
	}
	return v.Show(pages.Dashboard(p))
}

// masthead says which event it is, when it is, and how far away that is.
func masthead(v *visit.Visit, now store.Time) components.Masthead {
	place := page.City(v.Event.Timezone)
	m := components.Masthead{When: place,
		Now: now.In(v.Event.Location()).Format("Monday 2 January, 15:04") + " in " + place}
	if v.Event.StartsOn == nil {
		m.When, m.Rest = "", "No dates yet"
		if v.May(staff.Organizer) {
			m.SetDatesURL = v.At("/settings")
		}
		return m
	}
	m.When += ", " + page.EventDays(v.Event)
	m.Lead, m.Rest = countdown(v.Event, now)
	return m
}

// countdown says how far away an event with dates is, in its zone.
func countdown(e *models.Event, now store.Time) (lead, rest string) {
	starts, ends := page.Span(e)
	today := page.Date(calendarDay(now, e.Location()))
	days := func(from, to time.Time) int64 { return int64(to.Sub(from) / (24 * time.Hour)) }
	switch before, after := days(today, starts), days(ends, today); {
	case before > 1:
		return visit.Number(before) + " days", "until it begins"
	case before == 1:
		return "Tomorrow", "it begins"
	case after <= 0 && starts.Equal(ends):
		return "Today", "is the day"
	case after <= 0:
		return "Day " + visit.Number(1-before), "of " + visit.Number(days(starts, ends)+1)
	case after == 1:
		return "Over", "since yesterday"
	default:
		return "Over", "for " + visit.Number(after) + " days"
	}
}

// latelyShown is how many lines of activity a dashboard shows.
const latelyShown = 6

// lately returns the latest lines of activity: only today's, or if there are none today, the latest with their days.
func lately(v *visit.Visit, now store.Time) (pages.Lately, error) {
	entries, err := desk.Of(v.Programme).LatestActivity(v.UserContext(), latelyShown)
	if err != nil {
		return pages.Lately{}, err
	}
	zone := v.Event.Location()
	today := func(t store.Time) bool { return calendarDay(t, zone) == calendarDay(now, zone) }
	l, format := pages.Lately{Name: "Today", URL: v.At("/activity")}, "15:04"
	if len(entries) > 0 && !today(entries[0].At) {
		l.Name, format = "Lately", "2 Jan"
	}
	for _, e := range entries {
		if l.Name == "Today" && !today(e.At) {
			break
		}
		l.Lines = append(l.Lines, pages.ActivityLine{ActivityEntry: e, Time: e.At.In(zone).Format(format),
			URL: visit.RecordURL(v, e), Did: did(e)})
	}
	return l, nil
}

// calendarDay returns the date of a moment in a zone.
func calendarDay(t store.Time, zone *time.Location) string { return t.In(zone).Format(time.DateOnly) }
