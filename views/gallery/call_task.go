package gallery

import (
	"lectern/models"
	callmodel "lectern/models/call"
	"lectern/models/field"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages/call/public"
)

// tasks adds the pages of speakers' tasks.
func (s *shelf) tasks() {
	of(s, "Tasks of a speaker", "Tasks", public.Tasks).
		worded(func(w words) public.TasksPage {
			return public.TasksPage{Public: taskSheet(w.person), Tasks: myTasks(w)}
		}).
		is("empty", public.TasksPage{Public: taskSheet(plain.person)})
	of(s, "Task with a file", "Your slides", public.Task).
		worded(fileTask).
		but("nothing yet", fileTask(plain), func(p *public.TaskPage) {
			p.State, p.Said, p.Due, p.Versions, p.Comments, p.Together = "open", "", &tomorrow, nil, nil, ""
		}).
		is("changes asked", askedAgain(plain)).
		but("refused", askedAgain(plain), func(p *public.TaskPage) {
			p.File = takes("slides.pdf", "The file is called .pdf, but its content is something else. Choose another.")
		}).
		but("approved", fileTask(plain), func(p *public.TaskPage) {
			p.State, p.Said, p.IsFixed = "approved", "Approved 11 April. Nothing is left for you to do here.", true
		})
	of(s, "Task to tick off", "Photo and biography", public.Task).
		worded(func(w words) public.TaskPage { return aTask(w, "tick", "open") }).
		but("done", aTask(plain, "tick", "done"), func(p *public.TaskPage) {
			p.Due, p.Said, p.Comments = nil, "Done 2 April.", nil
		}).
		but("not needed", aTask(plain, "tick", "waived"), func(p *public.TaskPage) {
			p.Due, p.Said, p.IsFixed = nil, "Not needed any more.", true
			p.Words, p.WordBy, p.WordAt = "You live around the corner.", "Solveig Aasen", "10 April 2027, 08:12"
		})
	of(s, "Task with a link", "Your recording", public.Task).
		but("empty", aTask(plain, "link", "open"), func(p *public.TaskPage) {
			p.Due, p.Optional = nil, true
		}).
		is("faults", aTask(plain, "link", "open"), "url", "must be a web address that starts with http:// or https://",
			"text", "is empty. Write something first")
	of(s, "Task with questions", "Travel and food", public.Task).
		worded(formTask).
		but("something missing", formTask(plain), func(p *public.TaskPage) {
			p.Form.Part.Questions[0].Fault, p.Form.Part.Questions[0].Value = "Not answered yet.", ""
			p.Form.Faults = public.FaultsView{Parts: []public.PartView{p.Form.Part}, IsOwn: true,
				Faults: []callmodel.Fault{{Key: "eats", Label: plain.title, Message: "Not answered yet.",
					Sentence: "“" + plain.title + "” has no answer yet."}}}
		}).
		is("nothing asked", aTask(plain, "form", "open")).
		but("fixed", aTask(plain, "form", "approved"), func(p *public.TaskPage) {
			p.Due, p.IsFixed, p.Said = nil, true, "Approved 11 April. Nothing is left for you to do here."
			p.FormSaid = []public.AnswerText{{Label: plain.title, Text: plain.label}}
		})
	of(s, "Task that was taken away", "This task is not yours any more", public.TaskGone).
		worded(func(w words) public.TaskGonePage {
			return public.TaskGonePage{Public: taskSheet(w.person), Back: here, HadOne: true,
				Text: "There is no such task here. It was taken away, or is not asked for any more.",
				Lost: []public.LostAnswer{{Label: w.label, Text: w.text}}}
		})
}

// taskSheet returns the frame of a place with tasks.
func taskSheet(who string) layouts.Public {
	p := eventSheet(who)
	p.Own[0].Current = false
	p.Own = append(p.Own[:1:1], layouts.SiteLink{Name: "Tasks (2)", URL: here, Current: true}, p.Own[1])
	return p
}

var tomorrow = public.TaskDue{Before: "Due tomorrow,", Is: "soon", Moment: components.Moment{Day: "11 April 2027",
	Clock: "23:59", City: "Oslo", Instant: "2027-04-11T21:59:00.000Z", Known: true, Yours: "17:59"}}

func myTasks(w words) public.TaskList {
	later := tomorrow
	later.Before, later.Is, later.Day = "Due", "", "28 May 2027"
	late := tomorrow
	late.Before, late.Is = "Was due on", "late"
	return public.TaskList{Open: 4, Rows: []public.TaskRow{
		{Title: w.title, URL: here, State: "changes", Due: &late, For: w.title, Takes: "PDF, up to 20 MB"},
		{Title: "Your slides", URL: here, State: "open", Due: &tomorrow, For: w.title, Takes: "PDF, up to 20 MB"},
		{Title: w.label, URL: here, State: "open", Due: &later, Takes: "3 questions"},
		{Title: "Tell us your stage name", URL: here, State: "open", Optional: true},
		{Title: "Photo and biography", URL: here, State: "done", Said: "Done 2 April."},
		{Title: "Recording", URL: here, State: "approved", Said: "Approved 4 April.", For: w.title},
		{Title: "Hotel", URL: here, State: "waived", Said: "Not needed any more."}}}
}

// aTask returns a task of a kind in a state, with a thread.
func aTask(w words, kind, state string) public.TaskPage {
	return public.TaskPage{Public: taskSheet(w.person), Back: here, Action: here, Title: w.title, Instructions: w.text,
		State: state, Kind: kind, Due: &tomorrow, ReadBy: "Only you and the organizers can open this.",
		Comments: []public.TaskComment{{Who: w.person, When: "9 April 2027, 21:40", Text: w.text},
			{Who: "Solveig Aasen", When: "10 April 2027, 08:12", Text: "Thank you.", IsOfStaff: true}}}
}

func takes(name, refused string) public.TaskFile {
	return public.TaskFile{Question: &callmodel.Question{Key: "file", FileKinds: []callmodel.FileKind{"pdf", "slides"},
		MaxBytes: new(20 << 20)}, Name: name, Refused: refused}
}

func fileTask(w words) public.TaskPage {
	p := aTask(w, "file", "done")
	p.Due, p.Said = nil, "Handed in 9 April. The organizers look at it next."
	p.For, p.ForURL, p.Together = w.title, here, "It is asked of you together with "+w.person+"."
	p.File = takes("", "")
	p.Versions = []public.TaskVersion{{Number: 2, Name: w.label + ".pdf", URL: here, IsLatest: true,
		When: "9 April 2027, 21:40", Who: w.person, Size: "12 MB"},
		{Number: 1, Name: "عرض-الميناء-مسودة.odp", URL: here,
			When: "8 April 2027, 08:12", Who: "نور الدين منصور", Size: "9.8 MB"}}
	return p
}

func askedAgain(w words) public.TaskPage {
	p := fileTask(w)
	p.State, p.Said, p.Due = "changes", "", &tomorrow
	p.Words = "Page 4 cannot be read from the last row.\nPlease use a larger type."
	p.WordBy, p.WordAt = "Solveig Aasen", "10 April 2027, 08:12"
	return p
}

func formTask(w words) public.TaskPage {
	p := aTask(w, "form", "open")
	part := public.PartView{ID: "part-2", Title: w.label, Help: w.text, Questions: []public.QuestionView{
		{Question: &callmodel.Question{ID: "1", Key: "eats", Type: field.Text, Label: w.title, Required: callmodel.Required},
			Value: w.label},
		{Question: &callmodel.Question{ID: "2", Key: "ticket", Type: field.File, Label: "Ticket", Required: callmodel.Required,
			FileKinds: []callmodel.FileKind{"pdf"}}, File: &models.File{Name: "ticket.pdf"}, FileURL: here}}}
	p.Form = &public.TaskForm{UpdatedAt: "1", Part: part}
	return p
}
