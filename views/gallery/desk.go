package gallery

import (
	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages/desk"
	"lectern/views/pages/reviews"
)

// dashboards adds the dashboards of organizers and reviewers.
func (s *shelf) dashboards() {
	head := components.Masthead{When: "Lisbon, 20 to 22 May 2027", Lead: "180 days", Rest: "until it begins",
		Now: "Sunday 22 November, 14:06 in Lisbon"}
	of(s, "Dashboard", "Harbour Conference 2027", desk.Dashboard).
		is("empty", desk.DashboardPage{Masthead: components.Masthead{SetDatesURL: here, Now: head.Now},
			Bring: here, Launch: []desk.LaunchStep{
				{Name: "Dates and place", Text: "When it is, and where its clock is: Lisbon.", URL: here},
				{Name: "Tracks", Text: "Boats, Harbours, Tides and 4 more", Done: true, URL: here},
				{Name: "Reviewers", Text: "Who reads what comes in and scores it. An owner invites them."},
			}}).
		is("nothing waits", desk.DashboardPage{Masthead: head, Acts: true, Steps: yearSteps(),
			Created: desk.CreatedChart{Total: "3", Summary: "None in 60 days", Unit: "Day"}}).
		worded(func(w words) desk.DashboardPage { return dashboard(w, head) })
	of(s, "Dashboard of a reviewer", "Harbour Conference 2027", reviews.ReviewerDashboard).
		worded(func(w words) reviews.ReviewerDashboardPage {
			return reviews.ReviewerDashboardPage{Masthead: head, Desk: reviewDesk(w)}
		}).
		is("nothing waits", reviews.ReviewerDashboardPage{Masthead: head, Desk: reviews.Desk{Given: 12, Whole: 12,
			GivenCount: "12", WholeCount: "12", SubmissionsURL: here}})
	of(s, "Reviews", "Reviews", reviews.ReviewQueue).
		worded(func(w words) reviews.ReviewsPage {
			return reviews.ReviewsPage{Text: "12 of 38 reviewed", Desk: reviewDesk(w)}
		}).
		is("for an organizer", reviews.ReviewsPage{Text: "124 reviews so far", Desk: reviewDesk(plain), MayInvite: here, Everybody: []reviews.ReviewerRow{
			{Name: long.person, Given: "12", Waiting: "26", Part: 12, Whole: 38},
			{Name: rightToLeft.person, Given: "0", Waiting: "1,204", Whole: 1204},
		}}).
		is("nobody reviews", reviews.ReviewsPage{Everybody: []reviews.ReviewerRow{},
			Text: "No review was given yet.", Desk: reviews.Desk{SubmissionsURL: here}})
}

func yearSteps() []desk.YearStep {
	return []desk.YearStep{
		{Name: "Call open", Count: "1,204", Of: "submissions", Text: "Closes 2 November, in 5 days", URL: here, Part: 8, Whole: 9,
			Now: true},
		{Name: "Deciding", Count: "118", Of: "of 1,204 decided", Text: "96 wait, 55 to commit", URL: here, Part: 118, Whole: 1204,
			Now: true},
		{Name: "Placing", Count: "96", Of: "of 96 sessions", Text: "All have a room and a start", URL: here, Part: 96, Whole: 96},
		{Name: "Public", Count: "0", Of: "of 96 sessions", Text: "96 are not public yet", URL: here, Whole: 96},
	}
}

func dashboard(w words, head components.Masthead) desk.DashboardPage {
	p := desk.DashboardPage{
		Masthead: head, Steps: yearSteps(), Acts: true, Sessions: here,
		Next: []desk.NextStep{
			{Count: "3", Text: "deliveries to other systems wait, the oldest for 4 minutes", Action: "Open the log", URL: here},
			{Count: "1,204", Text: "submissions wait in the accept queue", Action: "Accept them", URL: here,
				Names: []string{w.title, w.label, "Another"}, More: "and 1,201 more"},
			{Count: "9", Text: "sessions share their room with another at one time", Action: "Part them", URL: here,
				More: "9 on Thursday 20"},
		},
		Days: []desk.DayRow{
			{Name: "Thursday 20", URL: here, Text: "52 sessions", Says: w.label + " 12, No track 40", Most: 52, Sharing: "9",
				Parts: []desk.DayPart{{Color: models.TrackColors[0], N: 12}, {Color: "#8C867D", N: 40}}},
			{Name: "Friday 21", URL: here, Text: "35 sessions", Most: 52, Parts: []desk.DayPart{{N: 35}}},
			{Name: "Saturday 22", URL: here, Text: "0 sessions", Most: 52},
		},
		Tracks: []desk.TrackRow{
			{Name: w.label, Color: models.TrackColors[0], URL: here, Sent: "400", Decided: "13 accepted, 4 queued", N: 400,
				Accepted: 130, Queued: 40},
			{Name: "Another", Color: models.TrackColors[1], URL: here, Sent: "0"},
			{Name: "No track", Sent: "12", N: 12},
		},
		Created: desk.CreatedChart{Total: "1,204", Summary: "214 in 60 days, most on 20 May 2027: 9", Unit: "Day", Most: 9},
		Lately:  desk.Lately{Name: "Today", URL: here},
	}
	for i := range 60 {
		p.Created.Spans = append(p.Created.Spans, desk.SpanBar{Name: "20 May 2027", Count: "3", N: int64(i * 7 % 10)})
	}
	for _, url := range []string{here, ""} {
		p.Lately.Lines = append(p.Lately.Lines, desk.ActivityLine{Time: "14:01", URL: url, Did: "changed ",
			ActivityEntry: &store.ActivityEntry{ID: "1", At: at(0), Actor: w.person, SubjectName: "A-12 " + w.title}})
	}
	return p
}

func reviewDesk(w words) reviews.Desk {
	row := reviews.QueuedRow{Label: "A-12", Title: w.title, People: w.person, Facts: w.label, URL: here}
	given := reviews.GivenRow{Label: "A-3", Title: w.title, URL: here, When: "2 hours ago", Score: 4}
	return reviews.Desk{
		Given: 12, Whole: 38, GivenCount: "12", WaitingCount: "26", WholeCount: "38",
		WaitingText: "submissions wait for your review", Queue: []reviews.QueuedRow{row, {Label: "A-13", Title: "Bare", URL: here}},
		More: "All 26 that wait", MoreURL: here, NextURL: here, Lately: []reviews.GivenRow{given, given}, SubmissionsURL: here,
		AllGivenURL: here,
	}
}
