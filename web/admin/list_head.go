package admin

import (
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// listHead is what stands over a list: where the work stands, and the tabs.
func (v *visit) listHead(p *pages.SessionsPage, l sessionList) (err error) {
	switch l.kind {
	case "submissions":
		if p.Tabs, err = v.statusTabs(p.Base, l); err == nil {
			p.Standing, err = v.submissionsStand()
		}
	case "sessions":
		if p.Tabs, err = v.dayTabs(p.Base, l); err == nil {
			p.Standing, err = v.sessionsStand()
		}
	default:
		p.Standing = "What is deleted waits here until it is restored."
	}
	return err
}

// submissionsStand says how many wait for a decision, and of these for what else.
func (v *visit) submissionsStand() (string, error) {
	submissions := models.SessionFilter{IsAbstract: new(true)}
	counts, total, err := v.programme.StatusCounts(v.UserContext(), submissions)
	if err != nil || total == counts[models.Draft] {
		return "", err
	}
	pending := counts[models.Pending]
	if pending == 0 {
		return "None waits for a decision.", nil
	}
	text := counted(pending, "waits for a decision", "wait for a decision")
	switch {
	case v.may(staff.Organizer):
		unread, err := v.programme.Unreviewed(v.UserContext(), submissions)
		if err != nil {
			return "", err
		}
		if unread > 0 {
			text += ", " + ofThem(unread, pending) + " for a first review"
		}
	case v.may(staff.Reviewer):
		mine, err := v.programme.AwaitingReview(v.UserContext(), v.user.ID)
		if err != nil {
			return "", err
		}
		if mine > 0 {
			text += ", " + ofThem(mine, pending) + " for your review"
		}
	}
	return text + ".", nil
}

// ofThem is a part of many.
func ofThem(part, all int64) string {
	if part == all {
		return map[bool]string{true: "also", false: "all of them"}[all == 1]
	}
	return number(part) + " of them"
}

// sessionsStand says how much of the programme is public and placed, and where its times are.
func (v *visit) sessionsStand() (string, error) {
	d, err := v.programme.SessionDays(v.UserContext(), models.SessionFilter{IsAbstract: new(false)})
	if err != nil {
		return "", err
	}
	zone := "Times in " + page.City(v.event.Timezone) + "."
	if d.Total == 0 {
		return zone, nil
	}
	text := counted(d.Public, "is public", "are public")
	if d.Unplaced > 0 {
		text += ", " + counted(d.Unplaced, "has no time yet", "have no time yet")
	}
	return text + ". " + zone, nil
}

func (v *visit) statusTabs(base string, l sessionList) ([]components.Tab, error) {
	counts, total, err := v.programme.StatusCounts(v.UserContext(), l.filter())
	if err != nil {
		return nil, err
	}
	chosen := l.query["status"]
	tabs := []components.Tab{{Name: "All", URL: base + l.with("status", ""), Count: number(total - counts[models.Draft]),
		Current: len(chosen) == 0}}
	shown := slices.Clone(models.Statuses[1:])
	if v.may(staff.Organizer) {
		shown = append(shown, models.Draft) // which stand apart
	}
	for _, status := range shown {
		tabs = append(tabs, components.Tab{
			Name: statusTabName(status), URL: base + l.with("status", string(status)),
			Count: number(counts[status]), Current: len(chosen) == 1 && chosen[0] == string(status),
		})
	}
	return tabs, nil
}

func statusTabName(status models.Status) string {
	if status == models.Draft {
		return "Drafts"
	}
	return components.StatusName(string(status))
}

// dayTabs are the days of the event and those with sessions, what has none yet, and what is published.
func (v *visit) dayTabs(base string, l sessionList) ([]components.Tab, error) {
	day, unplaced, published := l.query.Get("day"), l.query.Get("scheduled") == "no", l.onPublished()
	filter := l.filter()
	anyDay := listing{kind: l.kind, query: map[string][]string{}}
	for name, values := range l.query {
		if name != "scheduled" && name != "day" && !(published && name == "public") {
			anyDay.query[name] = values
		}
	}
	if published {
		filter.IsPublic = nil // what the tab says is no part of the others
	}
	d, err := v.programme.SessionDays(v.UserContext(), filter)
	if err != nil {
		return nil, err
	}
	tabs := []components.Tab{{Name: "All days", URL: base + anyDay.with("day", ""), Count: number(d.Total),
		Current: day == "" && !unplaced && !published}}
	for _, on := range d.Days {
		tabs = append(tabs, components.Tab{Name: v.tabDay(on.Day, d.Days), URL: base + anyDay.with("day", on.Day),
			Count: number(on.Count), Current: day == on.Day})
	}
	return append(tabs, components.Tab{Name: "Not placed yet", URL: base + anyDay.with("scheduled", "no"),
		Count: number(d.Unplaced), Current: unplaced}, components.Tab{Name: "Published",
		URL: base + anyDay.with("public", "yes"), Count: number(d.Public), Current: published}), nil
}

// onPublished tells whether the list is on the tab of what is published: of a day, that is a filter.
func (l sessionList) onPublished() bool {
	return l.kind == "sessions" && l.query.Get("public") == "yes" && l.query.Get("day") == "" &&
		l.query.Get("scheduled") != "no"
}

// tabDay is a day's name: Thursday, or Thu 20 May where all of them are more than a week.
func (v *visit) tabDay(day string, all []models.DayCount) string {
	at, _ := time.Parse(time.DateOnly, day)
	first, _ := time.Parse(time.DateOnly, all[0].Day)
	last, _ := time.Parse(time.DateOnly, all[len(all)-1].Day)
	if last.Sub(first) < 7*24*time.Hour {
		return at.Format("Monday")
	}
	return at.Format("Mon 2 Jan") + v.otherYear(at)
}

// otherYear is a date's year where it is none of the event's.
func (v *visit) otherYear(at time.Time) string {
	first := v.options.Now().In(v.event.Location()).Format(time.DateOnly)
	if v.event.StartsOn != nil {
		first = *v.event.StartsOn
	}
	last := first
	if v.event.EndsOn != nil {
		last = *v.event.EndsOn
	}
	if year := at.Format("2006"); year < first[:4] || year > last[:4] {
		return " " + year
	}
	return ""
}

// shortDay is a moment by its day, with the year where it is not the present one.
func (v *visit) shortDay(t store.Time) string {
	at := t.In(v.event.Location())
	if at.Year() == v.options.Now().In(v.event.Location()).Year() {
		return at.Format("2 Jan")
	}
	return at.Format("2 Jan 2006")
}

// byDay are the rows of a list that is ordered by time, under their days.
func (v *visit) byDay(l sessionList, rows []*models.Session) (groups []pages.RowGroup, err error) {
	d, err := v.programme.SessionDays(v.UserContext(), l.filter())
	if err != nil {
		return nil, err
	}
	zone, last := v.event.Location(), "none yet"
	for _, s := range rows {
		group := pages.RowGroup{Title: "Not placed yet"}
		count, day := d.Unplaced, ""
		if s.StartsAt != nil {
			at := s.StartsAt.In(zone)
			day = at.Format(time.DateOnly)
			group.Title, count = at.Format("Monday 2 January")+v.otherYear(at), d.On(day)
		}
		if day != last {
			group.Count = counted(count, "session", "sessions")
			groups, last = append(groups, group), day
		}
		groups[len(groups)-1].Rows = append(groups[len(groups)-1].Rows, s)
	}
	return groups, nil
}

// timesOf are the times of rows. In the order of the starts, rows stand under their days, and a start is said once.
func (v *visit) timesOf(rows []*models.Session, ordered bool) map[string]pages.Times {
	zone, times := v.event.Location(), map[string]pages.Times{}
	var above *store.Time
	for _, s := range rows {
		if s.StartsAt == nil {
			continue
		}
		t := pages.Times{Start: clock(*s.StartsAt, zone), Again: ordered && above != nil && above.Equal(s.StartsAt.Time)}
		if !ordered {
			at := s.StartsAt.In(zone)
			t.Day = at.Format("Mon 2 Jan") + v.otherYear(at)
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

// clock is the time of day, with the zone's label in an hour that the clocks show twice.
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
