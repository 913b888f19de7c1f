package gallery

import (
	"strconv"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages/lists"
	"lectern/views/toolbar"
)

// listBar returns the line above a list, without an active filter.
func listBar(kind string, options []components.Option) toolbar.Bar {
	orders := []toolbar.Choice{{Name: "Best score first", URL: here, Current: true}, {Name: "By title", URL: here}}
	return toolbar.Bar{
		Base: here, Found: "1,204", What: kind, Placeholder: "Title, person or A-12", Orders: orders, CSV: here,
		Filters: []toolbar.FilterGroup{
			{Name: "score", Label: "Score", Options: option("4 and more", "Not reviewed")},
			{Name: "track", Label: "Track", Many: true, Options: options, On: len(options)},
			{Name: "format", Label: "Format", Many: true, Options: option("Talk", "Workshop", "Lightning talk")},
		},
		Columns: &toolbar.ColumnChoice{Base: here, Columns: option("Status", "Track")},
	}
}

// list returns a list of a kind, empty without rows.
func list(kind string, rows []*models.Session, change func(*lists.Page)) lists.Page {
	same := func(string) string { return here }
	p := lists.Page{
		Base: here, Kind: kind, MayChange: true, Record: same, Sort: same, Pages: pager, Bar: listBar(kind, nil),
		SortedBy: func(key string) string { return map[string]string{"score": "descending"}[key] },
		Day:      func(t store.Time) string { return t.Format("2 Jan") },
		Columns: []toolbar.Column{
			{Key: "no", Name: "No.", Sort: "friendlyId"}, {Key: "track", Name: "Track"}, {Key: "format", Name: "Format"},
			{Key: "score", Name: "Score", Sort: "score"}, {Key: "mine", Name: "Your score"},
			{Key: "status", Name: "Status", Sort: "status"}, {Key: "next", Name: "Next step"},
		},
		Own: map[string]int{"2": 4}, Scores: map[string][]int{}, Next: map[string]lists.RowStep{}, Gate: map[string]lists.RowStep{},
		Times: map[string]lists.Times{},
	}
	if len(rows) > 0 {
		p.Groups = []lists.RowGroup{{Rows: rows}}
	}
	next := []lists.RowStep{{Text: "Not handed in"}, {Text: "No review yet"}, {Text: "Decide", Yours: true},
		{Text: "Waits to be accepted"}, {Text: "In session", Label: "S-12", URL: here}, {Text: "Letter draft"}}
	gate := []lists.RowStep{{Text: "Public", Icon: "globe", Look: "good"}, {Text: "Ready", Icon: "check"},
		{Text: "Held", Icon: "circle-x", Look: "bad", Why: "Letter failed"}}
	for i, s := range rows {
		p.Scores[s.ID] = []int{3, 5, 5}[:1+i%3]
		p.Next[s.ID], p.Gate[s.ID] = next[i%len(next)], gate[i%len(gate)]
		p.Times[s.ID] = lists.Times{Start: "9:40", End: "10:" + strconv.Itoa(10+i), Again: i%3 > 0}
	}
	change(&p)
	return p
}

// days groups rows under the days of the agenda.
func days(rows []*models.Session) func(*lists.Page) {
	return func(p *lists.Page) {
		p.Standing = "22 are public, 9 have no time yet. Times in Lisbon."
		p.Tabs = []components.Tab{{Name: "All days", URL: here, Count: "96", Current: true},
			{Name: "Thursday", URL: here, Count: "52"}, {Name: "Not placed yet", URL: here, Count: "9"}}
		p.SortedBy = func(key string) string { return map[string]string{"startsAt": "ascending"}[key] }
		p.Columns = []toolbar.Column{{Key: "start", Name: "Time", Sort: "startsAt"}, {Key: "room", Name: "Room"},
			{Key: "track", Name: "Track"}, {Key: "conflicts", Name: "Conflicts"}, {Key: "public", Name: "Programme"}}
		p.Conflicts = map[string]lists.RowStep{rows[2].ID: {Label: "Li Na is in two rooms", URL: here}}
		p.Groups = []lists.RowGroup{{Title: "Thursday 20 May", Count: "52 sessions", Rows: rows[1:5]},
			{Title: "Friday 21 May", Count: "35 sessions", Rows: rows[5:]},
			{Title: "Not placed yet", Count: "9 sessions", Rows: rows[:1]}}
		delete(p.Times, rows[0].ID)
	}
}

func (s *shelf) lists() {
	tags := []toolbar.FilterField{{Name: "add_tag", Label: "Add a tag", Options: option("first-time speaker")},
		{Name: "remove_tag", Label: "Take a tag away", Options: option("first-time speaker")}}
	bulk := toolbar.Bulk{
		Action: here, All: "All 1,204 matching", Verbs: []toolbar.BulkVerb{
			{Do: "accept_queue", Name: "To accept queue", Icon: "clock", Key: "a"},
			{Do: "decline_queue", Name: "To decline queue", Icon: "clock", Key: "d"},
			{Do: "pending", Name: "Back to pending", Key: "p"},
		},
		Menus: []toolbar.BulkMenu{
			{Name: "Tag…", Parts: []toolbar.BulkPart{{Fields: tags, Verb: toolbar.BulkVerb{Do: "tag", Name: "Change tags"}}}},
			{Name: "More…", Parts: []toolbar.BulkPart{{Verb: toolbar.BulkVerb{Do: "delete", Name: "Delete", Icon: "trash-2",
				Danger: true, Asks: true}}}},
		},
	}
	of(s, "Submissions", "Submissions", lists.Sessions).
		worded(func(w words) lists.Page {
			return list("submissions", sessionsOf(w), func(p *lists.Page) {
				p.Standing = "96 wait for a decision, 14 of them for a first review."
				p.Tabs = []components.Tab{{Name: "All", URL: here, Count: "1,204", Current: true},
					{Name: "Pending", URL: here, Count: "12"}}
				p.Bulk, p.Text, p.Filtered, p.Ticked = &bulk, w.label, true, map[string]bool{"2": true}
				p.Words = store.SearchWords("a " + w.person)
				views := savedViews(w)
				views.Open = false
				p.Bar = listBar("submissions", option(w.label, "Another"))
				p.Bar.Views, p.Bar.Text, p.Bar.Total, p.Bar.Clear = toolbar.Views(views), w.label, "1,204", here
				p.Bar.Chips = []toolbar.Chip{{Label: "Track", Text: w.label, Without: here},
					{Label: "Format", Text: "Talk", Without: here}, {Label: "Format", Text: "Workshop", Without: here},
					{Text: "With " + w.person, Without: here}}
			})
		}).
		is("the accept queue", list("submissions", sessionsOf(plain), func(p *lists.Page) {
			queue := bulk
			queue.Verbs = []toolbar.BulkVerb{{Do: "accepted", Name: "Accept…", Icon: "check", Key: "a", Asks: true},
				{Do: "pending", Name: "Back to pending", Key: "p"}}
			p.Standing, p.Bulk = "96 wait for a decision, 14 of them for a first review.", &queue
			p.Whole = &toolbar.Whole{Action: here, Do: "accepted", Name: "Accept all 8…", Icon: "check"}
		})).
		is("compact, for a viewer", list("submissions", sessionsOf(plain), func(p *lists.Page) {
			p.Compact, p.MayChange = true, false
		})).
		is("sessions by day, long", list("sessions", sessionsOf(long), days(sessionsOf(long)))).
		is("no submissions", list("submissions", nil, func(*lists.Page) {}))
}
