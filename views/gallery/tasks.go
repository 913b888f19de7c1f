package gallery

import (
	"lectern/views/components"
	"lectern/views/pages/tasks"
	"lectern/views/records"
	"lectern/views/toolbar"
)

// taskRow returns a deliverable of a session, or of a person if it has no label.
func taskRow(w words, label string, b records.TaskBadge) records.TaskRow {
	r := records.TaskRow{URL: here, Task: "Slides", Label: label, Owner: w.title, People: w.person, Badge: b,
		Due: "10 May 2027, 18:00"}
	if label == "" {
		r.Owner, r.People = w.person, ""
	}
	return r
}

var (
	taskOpen     = records.TaskBadge{Look: "draft", Icon: "circle-dashed", Name: "Open"}
	taskLate     = records.TaskBadge{Look: "declined", Icon: "triangle-alert", Name: "Late"}
	taskToCheck  = records.TaskBadge{Look: "accept_queue", Icon: "inbox", Name: "To check"}
	taskChanges  = records.TaskBadge{Look: "decline_queue", Icon: "pencil", Name: "Changes asked"}
	taskApproved = records.TaskBadge{Look: "accepted", Icon: "check", Name: "Approved"}
	taskWaived   = records.TaskBadge{Look: "withdrawn", Icon: "minus", Name: "Waived"}
)

// taskRows returns deliverables in all their states.
func taskRows(w words) []records.TaskRow {
	late, checked, changes := taskRow(w, "", taskLate), taskRow(w, "A-12", taskToCheck), taskRow(w, "S-3", taskChanges)
	late.Far, late.IsLate, late.Task, late.Reminded = "3 days late", true, w.label, "reminded 2 hours ago"
	checked.Version, checked.File, checked.Asked = "Version 2", "tides-final-2.pdf", true
	changes.Far, changes.Extended, changes.Version, changes.File = "in 2 days", true, "Version 1", w.email
	undated := taskRow(w, "", taskOpen)
	undated.Due = ""
	return []records.TaskRow{late, checked, changes, undated, taskRow(w, "S-4", taskApproved), taskRow(w, "", taskWaived)}
}

// taskPart returns the deliverables of somebody who can be given another.
func taskPart(w words) *records.TaskPart {
	return &records.TaskPart{Rows: taskRows(w), Give: option(w.title, w.label), Action: here, Owner: w.label, Back: here}
}

func taskTabs(current string) []components.Tab {
	return []components.Tab{{Name: "Deliverables", URL: here, Count: "132", Current: current == "board"},
		{Name: "Files", URL: here, Current: current == "files"},
		{Name: "Tasks", URL: here, Count: "4", Current: current == "list"}}
}

// staffTasks adds the board of tasks, the list of tasks, the form of one, and a deliverable.
func (s *shelf) staffTasks() {
	shows := []components.Tab{{Name: "All", URL: here, Count: "132", Current: true}, {Name: "Late", URL: here, Count: "31"},
		{Name: "Missing", URL: here, Count: "128"}, {Name: "To check", URL: here, Count: "2"},
		{Name: "Waiting for an answer", URL: here, Count: "1"}, {Name: "Finished", URL: here, Count: "2"}}
	board := func(w words) tasks.BoardPage {
		return tasks.BoardPage{Base: here, Tabs: taskTabs("board"), Shows: shows, Rows: taskRows(w), Remind: "33 people",
			Ask: here, Check: here, Zone: "Lisbon", Pages: components.Pages{From: "1", To: "6", Total: "132",
				What: "deliverables", Next: here},
			Bar: toolbar.Bar{Base: here, Placeholder: "Name, title or label", Found: "132", What: "deliverables", CSV: here,
				Chips: []toolbar.Chip{{Label: "Track", Text: w.label, Without: here}}, Clear: here,
				Views: tasks.ListLayouts(tasks.Layouts{Saved: savedViews(w), All: []toolbar.Choice{{Name: "List", URL: here, Current: true},
					{Name: "People", URL: here}, {Name: "Sessions", URL: here}}}),
				Filters: []toolbar.FilterGroup{{Name: "task", Label: "Task", Options: []components.Option{{Value: "1", Name: "Slides"}}}}}}
	}
	table := func(w words) tasks.BoardPage {
		p := board(w)
		cell := func(b records.TaskBadge) tasks.Cell {
			return tasks.Cell{URL: here, Task: w.label, Badge: b, Due: "10 May", DueFull: "10 May 2027, 18:00"}
		}
		late, asked := cell(taskLate), cell(taskToCheck)
		late.IsLate, asked.Asked = true, true
		p.Rows, p.Table = nil, &tasks.Table{Whose: "Session", Tasks: []tasks.Column{{Title: w.label, URL: here}, {Title: w.title, URL: here},
			{Title: "Visa", URL: here}}, Rows: []tasks.TableRow{
			{URL: here, Label: "A-12", Owner: w.title, People: w.person, Cells: []tasks.Cell{late, asked, {}}},
			{URL: here, Owner: w.person, Cells: []tasks.Cell{cell(taskChanges), {}, cell(taskWaived)}}}}
		return p
	}
	none := tasks.BoardPage{Base: here, Tabs: taskTabs("board"), None: true}
	nothing := board(plain)
	nothing.Rows = nil
	of(s, "Deliverables", "Tasks", tasks.Board).worded(board).is("none", none).is("nothing matches", nothing).
		is("a table of long words", table(long))
	s.taskList()
	s.taskForm()
	s.taskGive()
	s.taskSheet()
}

func (s *shelf) taskGive() {
	give := func(w words) tasks.GivePage {
		return tasks.GivePage{Shell: in("Give “" + w.label + "”"), Here: here, Task: here, Tasks: here, Title: w.label,
			Says: "They have it beside everybody who fits its filters.", Text: "ti",
			Found: []tasks.Receiver{{ID: "1", Name: w.person, Meta: w.place, URL: here, Has: true},
				{ID: "2", Name: w.title, Meta: "A-12 · everybody who is on it now", URL: here}},
			Given: []tasks.Receiver{{ID: "1", Name: w.person, URL: here, TakeBack: here}}}
	}
	none := give(plain)
	none.Found, none.Given = nil, nil
	of(s, "Give a task", "Give “Slides”", tasks.Give).worded(give).is("nobody found", none)
}

func (s *shelf) taskList() {
	list := func(w words) tasks.ListPage {
		return tasks.ListPage{Base: here, Tabs: taskTabs("list"), Rows: []tasks.Defined{
			{ID: "1", Title: "Slides", Kind: "A file", Whom: "each session", Public: true, Due: "10 May 2027, 18:00", Finished: 12, All: 35,
				Says: "12 of 35", Waits: []tasks.Waits{{Text: "2 to check", URL: here}, {Text: "3 late", URL: here, IsLate: true}}, URL: here},
			{ID: "2", Title: w.title, Kind: "A tick", Whom: "each person", Optional: true, Finished: 33, All: 33, Says: "33 of 33", URL: here},
			{ID: "3", Title: w.label, Kind: "A form", Whom: "each person", Says: "Nobody has it now", URL: here}}}
	}
	of(s, "Tasks", "Tasks", tasks.List).worded(list).is("none", tasks.ListPage{Base: here, Tabs: taskTabs("list")})
}

func (s *shelf) taskForm() {
	form := func(w words) tasks.FormPage {
		options := func(names ...string) (all []components.Option) {
			for i, name := range names {
				all = append(all, components.Option{Value: name, Name: name, Chosen: i == 1})
			}
			return all
		}
		return tasks.FormPage{Shell: in("New task"), Action: here, Cancel: here, New: true, Zone: "Lisbon", CallURL: here,
			Kind: "file", Whose: "session", Edit: edit("title", w.title, "instructions", w.text, "due_at", "2027-05-10T18:00",
				"is_required", "yes", "is_reminded", "yes", "max_bytes", "10"),
			FileKinds: options("PDF", "Slides (PowerPoint, OpenDocument, Keynote)"), Roles: options("Speaker", "Moderator", "Chairperson"),
			Statuses: options("Accepted", "Pending"), Tracks: options(w.label, "Data"), Tags: options("recorded", "first-time speaker"),
			Preview: tasks.Preview{Says: "35 sessions have it, with 33 people.", Names: []string{"A-12 " + w.title, "S-3 " + w.title},
				More: "and 33 more"}}
	}
	kind := func(kind string, change func(*tasks.FormPage)) tasks.FormPage {
		p := form(plain)
		p.Kind = kind
		change(&p)
		return p
	}
	of(s, "Task", "New task", tasks.Form).worded(form).
		is("one that is there", kind("link", func(p *tasks.FormPage) {
			p.Shell, p.New, p.About, p.Delete = in("Recording"), false, "A link · of each person", here
			p.Give, p.Given, p.Values["only_given"] = here, "Given to 3 by now.", "yes"
		})).
		is("a form", kind("form", func(p *tasks.FormPage) {
			p.Parts = []components.Option{{Value: "1", Name: "About you", Chosen: true}}
		})).
		is("refused", kind("file", func(p *tasks.FormPage) {
			p.Preview = tasks.Preview{Fault: "Nobody can tell who gets it. Track name one that this event has no more."}
		}), "title", "is required", "max_bytes", "must be a number of MB, such as 10", "is_public", "needs a task of the session").
		is("changed meanwhile", kind("file", func(p *tasks.FormPage) {
			p.Shell, p.New, p.About = in("Slides"), false, "A file · of each session"
			p.Edit = clashing
		}))
}

func (s *shelf) taskSheet() {
	sheet := func(w words) tasks.SheetPage {
		row := taskRow(w, "A-12", taskToCheck)
		return tasks.SheetPage{Shell: in("Slides: " + w.title), Base: here, Here: here, Row: row, Kind: "A file",
			Stands: "Handed in by " + w.person + ", Fri 27 Nov 2026, 10:12 WET", Instructions: w.text, AllOf: here,
			Takes: "PDF or ZIP archive, up to 20 MB.", Endings: ".pdf,.zip", Bytes: 20 << 20, EditTask: here, OwnerURL: here,
			People: []tasks.Person{{Name: w.person, URL: here}, {Name: "佐藤 健", URL: here}},
			Versions: []tasks.Version{{Number: 2, Name: "tides-final-2.pdf", URL: here, Size: "4.2 MB", Who: w.person, When: "Fri 27 Nov 2026, 10:12 WET",
				Counts: true, Preview: here, IsPicture: true},
				{Number: 1, Name: w.email, URL: here, IsLink: true, Who: "Dana", When: "Thu 26 Nov 2026, 10:12 WET", ByStaff: true,
					ID: "1", CanCount: true}},
			Thread: []tasks.Comment{{Who: w.person, When: "Fri 27 Nov 2026, 10:12 WET", Text: w.text},
				{Who: "Dana", When: "Fri 27 Nov 2026, 11:12 WET", Text: "Thank you.", OfStaff: true}},
			Verdicts: tasks.Verdicts{Approve: true, Look: "primary", Ask: true, Waive: true, Reopen: true}, IsFile: true, HandsIn: true,
			Check: here, ToCheck: "3 to check", Zone: "Lisbon", TaskDue: "10 May 2027, 18:00", Reminded: "Mon 23 Nov 2026, 09:00 WET"}
	}
	form := sheet(plain)
	form.Row, form.Kind, form.Versions, form.Thread, form.HandsIn, form.Takes = taskRow(plain, "", taskOpen), "A form", nil, nil, false, ""
	form.Answers, form.Verdicts, form.Stands, form.Check = here, tasks.Verdicts{Waive: true, Done: true}, "Nothing was handed in yet.", ""
	link := sheet(plain)
	link.Row, link.IsFile, link.Versions, link.Typed.URL = taskRow(plain, "", taskLate), false, nil, "tideline"
	link.Row.Far, link.Row.IsLate, link.Row.Extended = "3 days late", true, true
	waived := sheet(plain)
	waived.Row.Badge, waived.Words, waived.WordsName = taskWaived, "A panel: there are no slides.", "Why it is waived"
	waived.Verdicts = tasks.Verdicts{Reopen: true}
	asked := sheet(plain)
	asked.Typed = tasks.Typed{Verdict: "ask"}
	of(s, "Deliverable", "", tasks.Sheet).worded(sheet).is("a form", form).is("a link, refused", link, "url", "must begin with https://").
		is("waived", waived).is("asked without words", asked, "words", "are empty. Say what is to be changed")
}
