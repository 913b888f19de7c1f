package gallery

import (
	"lectern/views/components"
	"lectern/views/pages/moving"
)

func (s *shelf) moving() {
	kinds := []moving.Kind{
		{Label: "pretalx", About: "Submissions, speakers with photos, and the schedule.", URL: here},
		{Label: "A sheet of sessions", About: "A row for each session, with any columns.", URL: here}}
	of(s, "Moves", "Bring your conference", moving.Moves).
		is("first", moving.MovesPage{Kinds: kinds}).
		worded(func(w words) moving.MovesPage {
			return moving.MovesPage{Kinds: kinds, Before: []moving.Row{
				{From: w.title, URL: here, When: "20 May 2027, 09:40", By: w.person, Outcome: "142 sessions new, 31 changed"},
				{From: w.title, URL: here, When: "19 May 2027, 18:02", By: w.person, Outcome: "Could not be read", IsBad: true}}}
		})
	begin := moving.BeginPage{Base: here, Action: here, Kind: "pretalx", HasToken: true, About: kinds[0].About,
		AddressHint: "Any address of the event there, such as https://pretalx.com/harbour2027"}
	of(s, "Move, begin", "From pretalx", moving.Begin).is("pretalx", begin).
		is("faults", begin, "token", "is needed; pretalx makes one under “API Access” of your account").
		is("sheet", moving.BeginPage{Base: here, Action: here, Kind: "sheet", Files: ".xlsx, .csv", IsTable: true,
			About: kinds[1].About}).
		is("schedule", moving.BeginPage{Base: here, Action: here, Kind: "schedule", Files: ".xml, .json", IsSchedule: true,
			AddressHint: "Where the schedule is published, such as https://example.org/schedule.xml"}).
		is("archive", moving.BeginPage{Base: here, Action: here, Kind: "archive", Files: ".zip", IsEvent: true, MostBytes: "1 GB",
			Slug: "harbour", About: "All of an event."}, "slug", "“harbour” is taken by another event; give another one")
	of(s, "Move, columns", "What is in which column?", moving.Columns).worded(func(w words) moving.ColumnsPage {
		return moving.ColumnsPage{Base: here, Here: here, About: w.title, Verb: "Look at 200 rows", Columns: []moving.Column{
			{Field: "columns[0]", Name: w.label, Samples: []string{w.title, "", "Plum"}, Options: option("Title"), Sure: "Sure",
				Look: "good"},
			{Field: "columns[1]", Name: "Where", Samples: []string{w.text}, Options: option("An answer", w.label),
				Sure: "Comes as an answer"}}}
	}).is("no title", moving.ColumnsPage{Base: here, Here: here, Verb: "Look at 200 rows", Columns: []moving.Column{
		{Field: "columns[0]", Name: "Name", Options: []components.Option{{Name: "Left out"}}, Sure: "Left out"}}}, "columns",
		"have no title; choose the one in which titles stand")
	s.moves()
}

// moves adds the states of one move.
func (s *shelf) moves() {
	skipped := func(w words) []moving.List {
		return []moving.List{{ID: "skipped", Title: "What cannot come", Count: "12", About: "It stays there.", Download: here,
			More: "and 11 more",
			Rows: []moving.Item{{Key: "row 14", Title: w.title, Reason: "has no title"}}}}
	}
	of(s, "Move", "What would come", moving.Move).
		is("coming in", moving.MovePage{Base: here, Here: here, Step: moving.StepImport, Running: true,
			Waits: "Bringing it here", Done: 400, All: 1240, Progress: []string{"300 people", "100 sessions"}}).
		worded(func(w words) moving.MovePage {
			return moving.MovePage{Base: here, Here: here, Step: moving.StepCheck, IsTable: true, About: w.title,
				Bring: here, BringVerb: "Bring it", Look: here, Columns: here, Forget: here,
				Preview: []moving.Counted{{Name: "Sessions", New: "1,204", Before: "36"},
					{Name: "People", New: "980", Before: "41"}},
				Facts: []string{"1,100 sessions have a time."}, Lists: skipped(w)}
		}).
		is("brought", moving.MovePage{Base: here, Here: here, Step: moving.StepImport, About: plain.title, Sessions: here, Again: here,
			AgainVerb: "Bring what changed since", Undo: here,
			Report: []moving.Counted{{Name: "Submissions", New: "1,204", Changed: "3", Before: "33"}, {Name: "Rooms", New: "8"}},
			Lists:  skipped(plain)}).
		is("archive", moving.MovePage{Base: here, Here: here, Step: moving.StepImport, About: plain.title, Event: here, IsEvent: true,
			Facts:  []string{"It is an event of its own.", plain.text},
			Report: []moving.Counted{{Name: "Sessions", New: "1,204"}, {Name: "People", New: "1,310", Before: "31"}}}).
		is("stopped", moving.MovePage{Base: here, Here: here, Step: moving.StepImport, About: plain.title, Bring: here,
			BringVerb: "Go on", Undo: here,
			Reason: "Submissions: pretalx.com did not answer in time.", Facts: []string{"What came so far is here."}})
}
