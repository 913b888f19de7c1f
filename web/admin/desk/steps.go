package desk

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/desk"
	"lectern/web/admin/agenda"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// yearSteps returns the steps of the event's year that apply now.
func yearSteps(v *visit.Visit, d *desk.Dashboard, now store.Time) []pages.YearStep {
	var steps []pages.YearStep
	if d.AbstractsTotal+d.Abstracts[models.Draft] > 0 {
		steps = append(steps, callStep(v, d, now), decidingStep(v, d))
	}
	if d.Sessions > 0 {
		steps = append(steps, placingStep(v, d), publicYearStep(v, d))
	}
	for i, step := range steps {
		steps[i].Now = steps[i].Now || step.Part > 0 && step.Part < step.Whole
	}
	return steps
}

func callStep(v *visit.Visit, d *desk.Dashboard, now store.Time) pages.YearStep {
	step := pages.YearStep{Name: "Submissions", Count: visit.Number(d.AbstractsTotal), URL: v.At("/submissions"),
		Of: map[bool]string{true: "submission", false: "submissions"}[d.AbstractsTotal == 1],
	}
	step.Text = visit.Counted(d.Abstracts[models.Draft], "draft", "drafts")
	day := func(t *store.Time) string { return t.In(v.Event.Location()).Format("2 January") }
	opens, closes := v.Event.CFPOpensAt, v.Event.CFPClosesAt
	switch {
	case opens != nil && opens.After(now.Time):
		step.Name, step.Text = "Call opens soon", "Opens "+day(opens)
	case closes != nil && !closes.After(now.Time):
		step.Name, step.Text, step.Part, step.Whole = "Call closed", "Closed "+day(closes), 1, 1
	case opens != nil && closes != nil:
		step.Part, step.Whole = int64(now.Sub(opens.Time)/time.Second), int64(closes.Sub(opens.Time)/time.Second)
		fallthrough
	case closes != nil:
		step.Name, step.Text, step.Now = "Call open", "Closes "+day(closes), true
		if left := closes.Sub(now.Time); left < 30*24*time.Hour {
			step.Text += ", in " + visit.Lasted(left)
		}
	case opens != nil:
		step.Name, step.Text, step.Now = "Call open", "Since "+day(opens), true
	}
	return step
}

func decidingStep(v *visit.Visit, d *desk.Dashboard) pages.YearStep {
	decided := d.Abstracts[models.Accepted] + d.Abstracts[models.Declined]
	queued := d.Abstracts[models.AcceptQueue] + d.Abstracts[models.DeclineQueue]
	waits := d.Abstracts[models.Pending]
	whole := decided + queued + waits
	step := pages.YearStep{Name: "Deciding", Count: visit.Number(decided), Of: "of " + visit.Number(whole) + " decided",
		Part: decided, Whole: whole, URL: v.At("/submissions?status=pending")}
	step.Text = cmp.Or(visit.JoinWords(", ", visit.SomeOf(waits, "waits", "wait"),
		visit.SomeOf(queued, "to commit", "to commit")), "All decided")
	return step
}

func placingStep(v *visit.Visit, d *desk.Dashboard) pages.YearStep {
	unplaced := d.Needs[models.Waiting{Need: models.NeedsPlace}]
	sharing := d.Needs[models.Waiting{Need: models.NeedsRoom}]
	step := pages.YearStep{Name: "Placing", Count: visit.Number(d.Sessions - unplaced), Part: d.Sessions - unplaced,
		Whole: d.Sessions, Of: "of " + visit.Counted(d.Sessions, "session", "sessions"), URL: v.At("/agenda"),
		Text: cmp.Or(visit.SomeOf(sharing, "shares a room", "share a room"), visit.SomeOf(unplaced, "to place", "to place"),
			"All have a room and a start")}
	return step
}

func publicYearStep(v *visit.Visit, d *desk.Dashboard) pages.YearStep {
	step := pages.YearStep{Name: "Public", Count: visit.Number(d.Public), Of: "of " +
		visit.Counted(d.Sessions, "session", "sessions"),
		Part: d.Public, Whole: d.Sessions, URL: v.At("/sessions?public=yes"),
		Text: cmp.Or(visit.SomeOf(d.Sessions-d.Public, "is not public yet", "are not public yet"), "All are public")}
	if v.May(staff.Organizer) {
		step.URL = v.At("/publish")
	}
	return step
}

// dayRows returns the days of the event, and other days with sessions.
func dayRows(v *visit.Visit, d *desk.Dashboard) []pages.DayRow {
	if d.Scheduled == 0 {
		return nil
	}
	plans := slices.Clone(d.Days)
	for _, day := range v.Event.Dates() {
		if !slices.ContainsFunc(plans, func(p desk.DayPlan) bool { return p.Day == day }) {
			plans = append(plans, desk.DayPlan{Day: day})
		}
	}
	slices.SortFunc(plans, func(a, b desk.DayPlan) int { return cmp.Compare(a.Day, b.Day) })
	tracks := store.ByKey(d.Tracks, func(t desk.TrackCount) string { return t.ID })
	var most int64
	for _, plan := range plans {
		most = max(most, plan.Sessions)
	}
	rows := make([]pages.DayRow, len(plans))
	for i, plan := range plans {
		rows[i] = pages.DayRow{Name: dayName(plan.Day, plans), URL: agenda.At(v, plan.Day, ""), Most: most,
			Text: visit.Counted(plan.Sessions, "session", "sessions"), Sharing: visit.Some(plan.Sharing)}
		var says []string
		for _, share := range plan.Tracks {
			name, color := "No track", trackless
			if track, known := tracks[share.TrackID]; known {
				name, color = track.Name, track.Color
			}
			rows[i].Parts = append(rows[i].Parts, pages.DayPart{Color: color, N: share.Sessions})
			says = append(says, name+" "+visit.Number(share.Sessions))
		}
		rows[i].Says = strings.Join(says, ", ")
		if len(plan.Tracks) == 0 && plan.Sessions > 0 {
			rows[i].Parts = []pages.DayPart{{N: plan.Sessions}}
		}
	}
	return rows
}

// dayName names a day as a programme does: "Thursday 20", with the month where the days span several.
func dayName(day string, among []desk.DayPlan) string {
	if among[0].Day[:7] == among[len(among)-1].Day[:7] {
		return page.Date(day).Format("Monday 2")
	}
	return page.Date(day).Format("Mon 2 January")
}

// trackless is the colour of sessions without a track.
const trackless = "#8C867D"

func trackRows(v *visit.Visit, d *desk.Dashboard) []pages.TrackRow {
	if d.AbstractsTotal == 0 {
		return nil
	}
	var rows []pages.TrackRow
	without := pages.TrackRow{Name: "No track", N: d.AbstractsTotal,
		Accepted: d.Abstracts[models.Accepted], Queued: d.Abstracts[models.AcceptQueue]}
	for _, t := range d.Tracks {
		row := pages.TrackRow{Name: t.Name, Color: t.Color, URL: v.At("/submissions?track=" + t.ID), N: t.Abstracts,
			Accepted: t.Accepted, Queued: t.Queued}
		rows = append(rows, row)
		without.N, without.Accepted, without.Queued = without.N-row.N, without.Accepted-row.Accepted,
			without.Queued-row.Queued
	}
	if without.N > 0 && len(rows) > 0 {
		rows = append(rows, without)
	}
	for i, row := range rows {
		rows[i].Sent = visit.Number(row.N)
		rows[i].Decided = visit.JoinWords(", ", visit.SomeOf(row.Accepted, "accepted", "accepted"),
			visit.SomeOf(row.Queued, "queued", "queued"))
	}
	return rows
}

func createdChart(d *desk.Dashboard) pages.CreatedChart {
	c := pages.CreatedChart{Total: visit.Number(d.AbstractsTotal), Unit: "Day"}
	var sum, days int64
	most := ""
	for _, s := range d.Created {
		bar := pages.SpanBar{Name: page.Date(s.Day).Format("2 Jan 2006"), N: s.Count, Count: visit.Number(s.Count)}
		if s.Days > 1 {
			c.Unit, bar.Name = "Week", "Week of "+bar.Name
		}
		c.Spans = append(c.Spans, bar)
		sum, days = sum+s.Count, days+int64(s.Days)
		if s.Count > c.Most {
			c.Most, most = s.Count, strings.TrimPrefix(bar.Name, "Week of ")
		}
	}
	in := " in " + visit.Counted(days, "day", "days")
	if c.Unit == "Week" {
		in, most = " in "+visit.Number(days/7)+" weeks", "in the week of "+most
	} else {
		most = "on " + most
	}
	switch {
	case len(d.Created) == 1:
		c.Summary = visit.Number(sum) + " on the first day"
	case sum == 0:
		c.Summary = "None" + in
	default:
		c.Summary = visit.Number(sum) + in + ", most " + most + ": " + visit.Number(c.Most)
	}
	return c
}
