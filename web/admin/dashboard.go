package admin

import (
	"time"

	"lectern/models"
	"lectern/views/pages"
)

func (w *Web) dashboardRoutes() []route {
	return []route{
		{"GET", event, viewer, dashboard},
	}
}

const aYear = 365 * 24 * 60 * 60

func dashboard(v *visit) error {
	now := models.At(v.w.options.Now())
	d, err := v.programme.Dashboard(v.ctx(), now)
	if err != nil {
		return err
	}
	shell, err := v.shell(v.event.Name)
	if err != nil {
		return err
	}
	v.setCookie(lastEventCookie, v.event.ID, aYear)
	p := pages.DashboardPage{Shell: shell, When: eventDates(v.event, now)}
	if d.AbstractsTotal+d.Sessions == 0 {
		if p.Launch, err = v.launchSteps(d); err != nil {
			return err
		}
		return v.show(pages.Dashboard(p))
	}
	waiting, err := v.awaitingReview()
	if err != nil {
		return err
	}
	behind, err := v.deliveriesBehind()
	if err != nil {
		return err
	}
	p.Attention, p.Tiles, p.Days, p.Total = append(behind, v.attention(d.Attention, waiting)...), v.tiles(d), daysChart(d.Created), number(d.AbstractsTotal)
	p.Status, p.Tracks = v.statusShares(d), v.trackShares(d)
	return v.show(pages.Dashboard(p))
}

// awaitingReview is how many submissions wait for the review of a reviewer; who
// organizes has other things to do first.
func (v *visit) awaitingReview() (int64, error) {
	if !v.may(models.Reviewer) || v.may(models.Organizer) {
		return 0, nil
	}
	return v.programme.AwaitingReview(v.ctx(), v.user.ID)
}

// attention are the rows of what waits, most pressing first.
func (v *visit) attention(a models.Attention, waiting int64) []pages.AttentionRow {
	var rows []pages.AttentionRow
	for _, x := range []struct {
		n                       int64
		one, many, action, path string
	}{
		{waiting, "submission waits for your review", "submissions wait for your review", "Review them", "/submissions?score=waits"},
		{a.Overlaps, "pair of sessions is in one room at one time", "pairs of sessions are in one room at one time", "Look at them", "/sessions?needs=room"},
		{a.AcceptQueue, "submission waits in the accept queue", "submissions wait in the accept queue", "Open the queue", "/submissions?status=accept_queue"},
		{a.DeclineQueue, "submission waits in the decline queue", "submissions wait in the decline queue", "Open the queue", "/submissions?status=decline_queue"},
		{a.LetterNotSent, "accepted submission whose people have no letter yet", "accepted submissions whose people have no letter yet", "Show them", "/submissions?needs=letter"},
		{a.NotComposed, "accepted submission is in no session", "accepted submissions are in no session", "Show them", "/submissions?needs=session"},
		{a.NotPlaced, "session has no room or no start", "sessions have no room or no start", "Place them", "/sessions?needs=place"},
		{a.AbstractsAlone, "submission has nobody on it", "submissions have nobody on them", "Show them", "/submissions?needs=people"},
		{a.SessionsAlone, "session has nobody on it", "sessions have nobody on them", "Show them", "/sessions?needs=people"},
	} {
		if x.n > 0 {
			text := x.many
			if x.n == 1 {
				text = x.one
			}
			rows = append(rows, pages.AttentionRow{Count: number(x.n), Text: text, Action: x.action, URL: v.at(x.path)})
		}
	}
	return rows
}

func (v *visit) tiles(d *models.Dashboard) []pages.Tile {
	ofSessions := "of " + counted(d.Sessions, "session", "sessions")
	started := ofSessions + map[bool]string{true: " has a start", false: " have a start"}[d.Scheduled == 1]
	if placed := d.Sessions - d.Attention.NotPlaced; placed < d.Scheduled {
		started += ", " + number(placed) + " a room too"
	}
	return []pages.Tile{
		{Count: number(d.AbstractsTotal), Name: "Submissions", Of: number(d.Abstracts[models.Pending]) + " pending", URL: v.at("/submissions")},
		{Count: number(d.Sessions), Name: "Sessions", URL: v.at("/sessions")},
		{Count: number(d.Scheduled), Name: "Scheduled", Of: started, URL: v.at("/sessions?scheduled=yes")},
		{Count: number(d.Public), Name: "Published", Of: ofSessions, URL: v.at("/sessions?public=yes")},
		{Count: number(d.Speakers), Name: "Speakers", URL: v.at("/speakers")},
	}
}

func (v *visit) statusShares(d *models.Dashboard) []pages.Share {
	var shares []pages.Share
	for _, status := range models.Statuses {
		n := d.Abstracts[status]
		shares = append(shares, pages.Share{
			Name: string(status), Class: string(status), N: n, Count: number(n), Total: d.AbstractsTotal, URL: v.at("/submissions?status=" + string(status)),
		})
	}
	return shares
}

func (v *visit) trackShares(d *models.Dashboard) []pages.Share {
	var shares []pages.Share
	without := d.AbstractsTotal
	for _, track := range d.Tracks {
		shares = append(shares, pages.Share{
			Name: track.Name, Color: track.Color, N: track.Abstracts, Count: number(track.Abstracts), Total: d.AbstractsTotal, URL: v.at("/submissions?track=" + track.ID),
		})
		without -= track.Abstracts
	}
	if without > 0 && len(shares) > 0 {
		shares = append(shares, pages.Share{Name: "No track", Color: "#8C867D", N: without, Count: number(without), Total: d.AbstractsTotal})
	}
	return shares
}

func daysChart(days []models.DayCount) pages.DaysChart {
	var c pages.DaysChart
	var sum int64
	most := ""
	for _, day := range days {
		bar := pages.DayBar{Name: dayName(day.Day), N: day.Count, Count: number(day.Count)}
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
		c.Summary = number(sum) + " in the last " + counted(int64(len(days)), "day", "days") + ", most on " + most + ": " + number(c.Most)
	}
	return c
}

func dayName(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.Format("2 Jan 2006")
}

// eventDates say when the event is, and how far away that is: "20 to 22 May
// 2027, in 180 days".
func eventDates(e *models.Event, now models.Time) string {
	if e.StartsOn == nil {
		return "No dates yet, times in " + e.Timezone
	}
	starts, err := time.Parse(time.DateOnly, *e.StartsOn)
	if err != nil {
		return *e.StartsOn
	}
	ends := starts
	if e.EndsOn != nil {
		if t, err := time.Parse(time.DateOnly, *e.EndsOn); err == nil {
			ends = t
		}
	}
	text := ends.Format("2 January 2006")
	switch {
	case starts.Equal(ends):
	case starts.Year() != ends.Year():
		text = starts.Format("2 January 2006") + " to " + text
	case starts.Month() != ends.Month():
		text = starts.Format("2 January") + " to " + text
	default:
		text = starts.Format("2") + " to " + text
	}
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

// launchSteps are what an event needs before submissions come.
func (v *visit) launchSteps(d *models.Dashboard) ([]pages.LaunchStep, error) {
	rooms, _, err := v.programme.ListMetadata(v.ctx(), models.Rooms, "", models.Page{})
	if err != nil {
		return nil, err
	}
	keys, err := v.programme.APIKeys(v.ctx())
	if err != nil {
		return nil, err
	}
	usable := 0
	for _, key := range keys {
		if key.RevokedAt == nil {
			usable++
		}
	}
	steps := []pages.LaunchStep{
		{Name: "Tracks and rooms", Text: "What submissions are sorted by, and where sessions take place.", Action: "Set up", URL: v.at("/metadata/tracks"), Done: len(d.Tracks) > 0 && len(rooms) > 0},
		{Name: "Dates of the call for papers", Text: "When it opens and closes.", Action: "Set the dates", URL: v.at("/settings"), Done: v.event.CFPOpensAt != nil && v.event.CFPClosesAt != nil},
		{Name: "API key", Text: "What your website or form sends submissions with.", Action: "Create a key", URL: v.at("/keys"), Done: usable > 0},
		{Name: "First submission", Text: "Sent through the API, or captured here.", Action: "Capture one", URL: v.at("/submissions/new")},
	}
	for i := range steps {
		if steps[i].Done || !v.may(models.Organizer) {
			steps[i].URL = ""
		}
	}
	return steps, nil
}
