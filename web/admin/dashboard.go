package admin

import (
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/pages"
)

const aYear = 365 * 24 * 60 * 60

func dashboard(v *visit) error {
	now := store.At(v.w.options.Now())
	d, err := v.programme.Dashboard(v.ctx(), now)
	if err != nil {
		return err
	}
	shell, err := v.shell(v.event.Name)
	if err != nil {
		return err
	}
	p := pages.DashboardPage{Shell: shell, When: eventDates(v.event, now)}
	if d.AbstractsTotal+d.Sessions == 0 {
		if p.Launch, err = v.launchSteps(d); err != nil {
			return err
		}
		return v.Show(pages.Dashboard(p))
	}
	waiting, err := v.awaitingReview()
	if err != nil {
		return err
	}
	behind, err := v.deliveriesBehind()
	if err != nil {
		return err
	}
	p.Attention, p.Tiles = append(behind, v.attention(d.Needs, waiting)...), v.tiles(d)
	p.Days, p.Total = daysChart(d.Created), number(d.AbstractsTotal)
	p.Status, p.Tracks = v.statusShares(d), v.trackShares(d)
	return v.Show(pages.Dashboard(p))
}

// awaitingReview is how many submissions wait for the review of a reviewer; who
// organizes has other things to do first.
func (v *visit) awaitingReview() (int64, error) {
	if !v.may(staff.Reviewer) || v.may(staff.Organizer) {
		return 0, nil
	}
	return v.programme.AwaitingReview(v.ctx(), v.user.ID)
}

func (v *visit) tiles(d *models.Dashboard) []pages.Tile {
	ofSessions := "of " + counted(d.Sessions, "session", "sessions")
	started := ofSessions + map[bool]string{true: " has a start", false: " have a start"}[d.Scheduled == 1]
	if placed := d.Sessions - d.Needs[models.Waiting{Need: models.NeedsPlace}]; placed < d.Scheduled {
		started += ", " + number(placed) + " a room too"
	}
	return []pages.Tile{
		{
			Count: number(d.AbstractsTotal), Name: "Submissions",
			Of: number(d.Abstracts[models.Pending]) + " pending", URL: v.at("/submissions"),
		},
		{Count: number(d.Sessions), Name: "Sessions", URL: v.at("/sessions")},
		{Count: number(d.Scheduled), Name: "Scheduled", Of: started, URL: v.at("/sessions?scheduled=yes")},
		{Count: number(d.Public), Name: "Published", Of: ofSessions, URL: v.at("/sessions?public=yes")},
		{Count: number(d.Speakers), Name: "Speakers", URL: v.at("/speakers")},
	}
}

func (v *visit) statusShares(d *models.Dashboard) []pages.Share {
	var shares []pages.Share
	for _, status := range models.Statuses {
		shares = append(shares, pages.Share{
			Name: string(status), Class: string(status), N: d.Abstracts[status], Count: number(d.Abstracts[status]),
			Total: d.AbstractsTotal, URL: v.at("/submissions?status=" + string(status)),
		})
	}
	return shares
}

func (v *visit) trackShares(d *models.Dashboard) []pages.Share {
	var shares []pages.Share
	without := d.AbstractsTotal
	for _, track := range d.Tracks {
		shares = append(shares, pages.Share{
			Name: track.Name, Color: track.Color, N: track.Abstracts, Count: number(track.Abstracts), Total: d.AbstractsTotal,
			URL: v.at("/submissions?track=" + track.ID),
		})
		without -= track.Abstracts
	}
	if without > 0 && len(shares) > 0 {
		shares = append(shares, pages.Share{
			Name: "No track", Color: "#8C867D", N: without, Count: number(without), Total: d.AbstractsTotal,
		})
	}
	return shares
}

func daysChart(days []models.DayCount) pages.DaysChart {
	var c pages.DaysChart
	var sum int64
	most := ""
	for _, day := range days {
		bar := pages.DayBar{Name: date(day.Day).Format("2 Jan 2006"), N: day.Count, Count: number(day.Count)}
		c.Days = append(c.Days, bar)
		sum += day.Count
		if day.Count > c.Most {
			c.Most, most = day.Count, bar.Name
		}
	}
	switch {
	case len(days) == 1:
		c.Summary = number(sum) + " today, the first day"
	case sum == 0:
		c.Summary = "None in the last " + counted(int64(len(days)), "day", "days")
	default:
		c.Summary = number(sum) + " in the last " + counted(int64(len(days)), "day", "days") +
			", most on " + most + ": " + number(c.Most)
	}
	return c
}

// eventDates say when the event is, and how far away that is: "20 to 22 May 2027, in 180 days".
func eventDates(e *models.Event, now store.Time) string {
	text := eventDays(e)
	if text == "" {
		return "No dates yet, times in " + e.Timezone
	}
	starts, ends := span(e)
	year, month, day := now.In(e.Location()).Date()
	today := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	switch before := int64(starts.Sub(today) / (24 * time.Hour)); {
	case before > 1:
		text += ", in " + number(before) + " days"
	case before == 1:
		text += ", tomorrow"
	case before == 0:
		text += ", today"
	case !today.After(ends):
		text += ", day " + number(1-before)
	}
	return text + " · " + e.Timezone
}
