package lists

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/lists"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// listHead fills in what stands above a list: a sentence on the state of the work, and the tabs.
func listHead(v *visit.Visit, p *pages.Page, l List) (err error) {
	switch l.Kind {
	case "submissions":
		if p.Tabs, err = statusTabs(v, p.Base, l); err == nil {
			p.Standing, err = submissionsStand(v)
		}
	case "sessions":
		if p.Tabs, err = dayTabs(v, p.Base, l); err == nil {
			p.Standing, err = sessionsStand(v)
		}
	default:
		p.Standing = "What is deleted waits here until it is restored."
	}
	return err
}

// submissionsStand says how many submissions wait for a decision, and how many of these wait for a review.
func submissionsStand(v *visit.Visit) (string, error) {
	submissions := models.SessionFilter{IsAbstract: new(true)}
	counts, total, err := v.Programme.StatusCounts(v.UserContext(), submissions)
	if err != nil || total == counts[models.Draft] {
		return "", err
	}
	pending := counts[models.Pending]
	if pending == 0 {
		return "None waits for a decision.", nil
	}
	text := visit.Counted(pending, "waits for a decision", "wait for a decision")
	unread, what := int64(0), " for a first review"
	switch {
	case v.May(staff.Organizer):
		unread, err = v.Programme.Unreviewed(v.UserContext(), submissions)
	case v.May(staff.Reviewer):
		what = " for your review"
		unread, err = v.Programme.AwaitingReview(v.UserContext(), v.User.ID)
	}
	if unread > 0 {
		text += ", " + ofThem(unread, pending) + what
	}
	return text + ".", err
}

// ofThem words a part of all.
func ofThem(part, all int64) string {
	if part == all {
		return map[bool]string{true: "also", false: "all of them"}[all == 1]
	}
	return visit.Number(part) + " of them"
}

// sessionsStand says how much of the programme is public and placed, and in which zone times are.
func sessionsStand(v *visit.Visit) (string, error) {
	d, err := v.Programme.SessionDays(v.UserContext(), models.SessionFilter{IsAbstract: new(false)})
	if err != nil {
		return "", err
	}
	zone := "Times in " + page.City(v.Event.Timezone) + "."
	if d.Total == 0 {
		return zone, nil
	}
	text := visit.Counted(d.Public, "is public", "are public")
	if d.Unplaced > 0 {
		text += ", " + visit.Counted(d.Unplaced, "has no time yet", "have no time yet")
	}
	return text + ". " + zone, nil
}

func statusTabs(v *visit.Visit, base string, l List) ([]components.Tab, error) {
	counts, total, err := v.Programme.StatusCounts(v.UserContext(), l.Filter())
	if err != nil {
		return nil, err
	}
	chosen := l.Query["status"]
	tabs := []components.Tab{{Name: "All", URL: base + l.With("status", ""),
		Count:   visit.Number(total - counts[models.Draft]),
		Current: len(chosen) == 0}}
	shown := slices.Clone(models.Statuses[1:])
	if v.May(staff.Organizer) {
		shown = append(shown, models.Draft) // last, since drafts stand apart
	}
	for _, status := range shown {
		tabs = append(tabs, components.Tab{
			Name:  cmp.Or(map[models.Status]string{models.Draft: "Drafts"}[status], components.StatusName(string(status))),
			URL:   base + l.With("status", string(status)),
			Count: visit.Number(counts[status]), Current: len(chosen) == 1 && chosen[0] == string(status),
		})
	}
	return tabs, nil
}

// dayTabs returns the tabs of a list of sessions: the days, what is not placed, and what is published.
func dayTabs(v *visit.Visit, base string, l List) ([]components.Tab, error) {
	day, unplaced, published := l.Query.Get("day"), l.Query.Get("scheduled") == "no", l.onPublished()
	filter := l.Filter()
	anyDay := visit.Listing{Kind: l.Kind, Query: map[string][]string{}}
	for name, values := range l.Query {
		if name != "scheduled" && name != "day" && !(published && name == "public") {
			anyDay.Query[name] = values
		}
	}
	if published {
		filter.IsPublic = nil // the tab's own filter does not narrow the others' counts
	}
	d, err := v.Programme.SessionDays(v.UserContext(), filter)
	if err != nil {
		return nil, err
	}
	tabs := []components.Tab{{Name: "All days", URL: base + anyDay.With("day", ""), Count: visit.Number(d.Total),
		Current: day == "" && !unplaced && !published}}
	for _, on := range d.Days {
		tabs = append(tabs, components.Tab{Name: tabDay(v, on.Day, d.Days), URL: base + anyDay.With("day", on.Day),
			Count: visit.Number(on.Count), Current: day == on.Day})
	}
	return append(tabs, components.Tab{Name: "Not placed yet", URL: base + anyDay.With("scheduled", "no"),
		Count: visit.Number(d.Unplaced), Current: unplaced}, components.Tab{Name: "Published",
		URL: base + anyDay.With("public", "yes"), Count: visit.Number(d.Public), Current: published}), nil
}

// onPublished tells whether the list shows the tab of published sessions. Together with a day, public is a filter.
func (l List) onPublished() bool {
	return l.Kind == "sessions" && l.Query.Get("public") == "yes" && l.Query.Get("day") == "" &&
		l.Query.Get("scheduled") != "no"
}

// tabDay names a day: Thursday, or Thu 20 May where the days span more than a week.
func tabDay(v *visit.Visit, day string, all []models.DayCount) string {
	at, _ := time.Parse(time.DateOnly, day)
	first, _ := time.Parse(time.DateOnly, all[0].Day)
	last, _ := time.Parse(time.DateOnly, all[len(all)-1].Day)
	if last.Sub(first) < 7*24*time.Hour {
		return at.Format("Monday")
	}
	return at.Format("Mon 2 Jan") + otherYear(v, at)
}

// otherYear returns a date's year if it is outside the event's years, else "".
func otherYear(v *visit.Visit, at time.Time) string {
	first := v.Options.Now().In(v.Event.Location()).Format(time.DateOnly)
	if v.Event.StartsOn != nil {
		first = *v.Event.StartsOn
	}
	last := first
	if v.Event.EndsOn != nil {
		last = *v.Event.EndsOn
	}
	if year := at.Format("2006"); year < first[:4] || year > last[:4] {
		return " " + year
	}
	return ""
}

// shortDay formats a moment as its day, with the year unless it is the present one.
func shortDay(v *visit.Visit, t store.Time) string {
	at := t.In(v.Event.Location())
	if at.Year() == v.Options.Now().In(v.Event.Location()).Year() {
		return at.Format("2 Jan")
	}
	return at.Format("2 Jan 2006")
}

// byDay groups the rows of a list that is ordered by time under their days.
func byDay(v *visit.Visit, l List, rows []*models.Session) (groups []pages.RowGroup, err error) {
	d, err := v.Programme.SessionDays(v.UserContext(), l.Filter())
	if err != nil {
		return nil, err
	}
	zone, last := v.Event.Location(), "none yet"
	for _, s := range rows {
		group := pages.RowGroup{Title: "Not placed yet"}
		count, day := d.Unplaced, ""
		if s.StartsAt != nil {
			at := s.StartsAt.In(zone)
			day = at.Format(time.DateOnly)
			group.Title, count = at.Format("Monday 2 January")+otherYear(v, at), d.On(day)
		}
		if day != last {
			group.Count = visit.Counted(count, "session", "sessions")
			groups, last = append(groups, group), day
		}
		groups[len(groups)-1].Rows = append(groups[len(groups)-1].Rows, s)
	}
	return groups, nil
}

// timesOf returns the times of rows. Where rows are ordered by start, a repeated start is shown once.
func timesOf(v *visit.Visit, rows []*models.Session, ordered bool) map[string]pages.Times {
	zone, times := v.Event.Location(), map[string]pages.Times{}
	var above *store.Time
	for _, s := range rows {
		if s.StartsAt == nil {
			continue
		}
		t := pages.Times{Start: clock(*s.StartsAt, zone), Again: ordered && above != nil && above.Equal(s.StartsAt.Time)}
		if !ordered {
			at := s.StartsAt.In(zone)
			t.Day = at.Format("Mon 2 Jan") + otherYear(v, at)
		}
		if s.EndsAt != nil {
			if t.End = clock(*s.EndsAt, zone); s.EndsAt.In(zone).YearDay() != s.StartsAt.In(zone).YearDay() {
				t.End = s.EndsAt.In(zone).Format("Mon ") + t.End
			}
		}
		times[s.ID], above = t, s.StartsAt
	}
	return times
}

// clock formats the time of day, with the zone's label in an hour that the clocks show twice.
func clock(t store.Time, zone *time.Location) string {
	at := t.In(zone)
	text := strings.TrimPrefix(at.Format("15:04"), "0")
	for _, shift := range []time.Duration{-time.Hour, time.Hour} {
		if at.Add(shift).Format("2 15:04") == at.Format("2 15:04") {
			return text + at.Format(" MST")
		}
	}
	return text
}
