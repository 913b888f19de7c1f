package gallery

import (
	"fmt"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages/triage"
	"lectern/views/records"
)

// triageOf returns the triage page with one submission to read.
func triageOf(w words, change func(*triage.Page)) triage.Page {
	s := session("12", models.Pending, w)
	move := func(name, key, look, icon string, to models.Status) triage.Move {
		return triage.Move{Name: name, Key: key, Look: look, Icon: icon, Status: to}
	}
	three := triage.Score{Mean: "4.33", Count: "3", Spread: "0.94"}
	p := triage.Page{
		Shell: in("Triage"), AtRecord: true, List: here, Undo: here, Previous: here, Next: here,
		Standing: "118 of 214 sorted. Nothing leaves the house until you commit.",
		Commit:   triage.Link{Text: "Commit 55 decisions…", URL: here},
		Tracks: []triage.Quota{
			{Name: "Keeping it running", Color: "#1F7A9C", URL: here, Accepted: 9, Queued: 4, Wanted: new(14)},
			{Name: w.label, Color: "#C2502E", URL: here, Accepted: 8, Queued: 6, Wanted: new(12)},
			{Name: "People and pagers", Color: "#2E8049", URL: here, Accepted: 30, Queued: 20, Wanted: new(120)},
			{Name: "Small and slow", Color: "#3B5FC0", URL: here, Accepted: 2, Queued: 4, Wanted: new(6)},
			{Name: "Safe harbour", Color: "#A86A08", URL: here, Accepted: 3, Queued: 1}, {Name: "None yet",
				Color: "#7458B0", URL: here, Wanted: new(0)},
		},
		Formats: []triage.Quota{{Name: "Talk", URL: here, Accepted: 30, Queued: 8, Wanted: new(44)},
			{Name: w.label, URL: here, Accepted: 8, Queued: 2, Wanted: new(9)}},
		Tabs: []components.Tab{{Name: "Waiting", URL: here, Count: "96", Current: true},
			{Name: "Accept queue", URL: here, Count: "38"}, {Name: "Decline queue", URL: here, Count: "17"}},
		Bar: listBar("submissions", nil),
		Rows: []triage.Row{{ID: "12", Title: w.title, URL: here, Color: "#C2502E", People: []string{w.person,
			"Wei Zhang"}, Facts: "90 min",
			Score: three, Current: true}},
		Record: &triage.Record{Session: s, Answers: s.CustomFields, URL: here, With: "/speakers/", Action: here,
			Token: "2027-05-20T08:30:00.000Z", Activity: here,
			Over: []triage.Over{{Name: w.label, Text: "2 over its 12 sessions"}},
			Moves: []triage.Move{move("Accept queue", "a", "to-accept", "clock", models.AcceptQueue),
				move("Decline queue", "d", "to-decline", "clock", models.DeclineQueue), move("Leave pending", "p", "", "",
					models.Pending)},
			Rounds: []triage.Round{{Name: "All submissions", Score: three}, {Name: w.label, Aside: "1 stepped aside",
				Score: triage.Score{Mean: "3.75", Count: "1"}}},
			Reviews: []triage.Review{{Who: w.person, Round: w.label, Points: "5.00", Comment: w.text,
				Answers: []records.CriterionAnswer{{Question: "Relevance", Answer: "5 of 5"}, {Question: w.label, Answer: w.text}}},
				{Who: "Li Na", Round: "All submissions", Points: "3.00"}},
			Notes:   []triage.Note{{Of: w.person, Who: "Dana Demo", When: "Thu 20 May 2027, 09:30 WEST", Text: w.text}},
			History: happenings(w)},
	}
	p.Bar.Found, p.Bar.CSV, p.Bar.Columns = "", "", nil
	for i := range 12 {
		row := triage.Row{ID: fmt.Sprint("row", i),
			Title: "Checksums for people who were told the cloud would remember", URL: here,
			People: []string{"Hedda Lindqvist"}, Facts: "30 min"}
		if i%3 > 0 {
			row.Score, row.Color = triage.Score{Mean: fmt.Sprintf("%d.00", 4-i/4), Count: "1"}, "#2E8049"
		}
		p.Rows = append(p.Rows, row)
	}
	change(&p)
	return p
}

func (s *shelf) triage() {
	moved := func(p *triage.Page) {
		p.Steps = []triage.Step{{Batch: "1", Label: "A-187", Title: p.Record.Session.Title, Status: "accept_queue",
			When: "just now", URL: here},
			{Batch: "2", Label: "A-12", Title: "Pagers people can live with", Status: "pending", When: "2 minutes ago",
				URL: here}}
	}
	of(s, "Triage", "Triage", triage.Triage).
		worded(func(w words) triage.Page { return triageOf(w, func(*triage.Page) {}) }).
		is("the list of a phone", triageOf(plain, func(p *triage.Page) { p.AtRecord = false; moved(p) })).
		is("moved", triageOf(plain, moved)).
		is("in a queue", triageOf(plain, func(p *triage.Page) {
			p.Record.Session = session("12", models.AcceptQueue, plain)
			p.Record.Stands = "Its speakers see “Pending” until that is committed."
		})).
		is("decided", triageOf(plain, func(p *triage.Page) {
			p.Record.Session, p.Record.Moves = session("12", models.Accepted, plain), nil
			p.Record.Stands, p.Record.Over = "It is decided. Its status is changed on its page.", nil
			p.Rows = p.Rows[1:]
		})).
		is("no review", triageOf(plain, func(p *triage.Page) {
			r := p.Record
			r.Rounds, r.Reviews, r.Notes, r.History, r.Over = nil, nil, nil, nil, nil
			p.Rows[0].Score = triage.Score{}
		})).
		is("nobody said how many", triageOf(plain, func(p *triage.Page) {
			for i := range p.Tracks {
				p.Tracks[i].Wanted = nil
			}
			p.Formats, p.QuotasURL = nil, here
		})).
		is("nothing matches", emptyTriage(triage.Empty{Title: "Nothing matches",
			Text: "No submission here has all of that.", Clear: here}))
}

func emptyTriage(e triage.Empty) triage.Page {
	return triageOf(plain, func(p *triage.Page) {
		*p = triage.Page{Shell: layouts.Shell{Page: layouts.Page{Title: "Triage"}}, List: here, Undo: here,
			Empty: e, Tabs: p.Tabs, Bar: p.Bar,
			Tracks: p.Tracks, Standing: "214 of 214 sorted. Nothing leaves the house until you commit.", Commit: p.Commit}
	})
}
