package moving

import (
	"cmp"
	"net/http"

	"lectern/models/arrival"
	"lectern/models/frab"
	"lectern/models/moves"
	"lectern/models/store"
	pages "lectern/views/pages/moving"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// showMove shows how far a move is, or the step at which it waits.
func showMove(v *visit.Visit, m *moves.Move) error {
	here := v.At("/moves/" + m.ID)
	if m.State == moves.Choosing {
		return v.See(here+"/columns", "")
	}
	p := pages.MovePage{Base: v.At("/moves"), Here: here, Running: m.IsAtWork(), Step: pages.StepCheck, IsTable: m.HasRows(),
		Reason: m.Reason, About: fromWhere(m) + ". Asked for by " + m.UserName + ", " + page.When(&m.CreatedAt, v.Event.Location()) + "."}
	title := titles[m.State]
	switch m.State {
	case moves.Looking:
		seenSoFar(&p, m)
	case moves.Looked:
		looked(v, &p, m)
	case moves.Bringing, moves.Undoing:
		p.Step = pages.StepImport
		workSoFar(v, &p, m)
	case moves.Brought, moves.Undone:
		p.Step = pages.StepImport
		came(v, &p, m)
	case moves.Stopped:
		title = stopped(&p, m)
		p.Again, p.AgainVerb = after(v, m), "Begin again"
	}
	p.Outcome = title
	if p.Reason != "" {
		p.Outcome += ". " + p.Reason
	}
	return visit.Show(v, http.StatusOK, title, pages.Move, p)
}

var titles = map[moves.State]string{
	moves.Looking: "Looking at what is there", moves.Looked: "What would come", moves.Bringing: "It is coming in",
	moves.Brought: "What came", moves.Undoing: "It is being taken back", moves.Undone: "The move is undone",
}

// seenSoFar says how far a move's look is.
func seenSoFar(p *pages.MovePage, m *moves.Move) {
	p.Waits = "Reading what is there"
	if m.IsInLine() {
		p.Waits = "In line"
	}
	if s := m.Preview; s != nil && s.Event != nil {
		p.Progress = rowsSoFar(s.Event.Rows)
	} else if s != nil {
		p.Progress = lines(s.People.New+s.People.Here, s.Sessions.New+s.Sessions.Here, s.Reviews.New+s.Reviews.Here)
	}
}

// rowsSoFar counts the rows of an archive that were read so far.
func rowsSoFar(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{visit.Counted(int64(n), "row", "rows")}
}

// workSoFar says how far a move is that writes, or that takes back.
func workSoFar(v *visit.Visit, p *pages.MovePage, m *moves.Move) {
	p.Waits = "Bringing it here"
	if m.State == moves.Undoing {
		p.Waits = "Taking back what came"
	}
	if m.IsInLine() {
		p.Waits = "In line"
	}
	if isEvent(m.Kind) {
		p.Done, p.All = movesHere(v).Rows(m)
		p.Progress = rowsSoFar(p.Done)
		return
	}
	if r := m.Report; r != nil && m.State == moves.Bringing {
		sessions := max(r.Abstracts.All(), r.Sessions.All())
		p.Progress = lines(r.Contacts.All(), sessions, r.Reviews.All())
		p.Done = r.Contacts.All() + sessions + r.Reviews.All()
	}
	if s := m.Preview; s != nil && m.State == moves.Bringing {
		p.All = s.People.New + s.People.Here + s.Sessions.New + s.Sessions.Here + s.Reviews.New + s.Reviews.Here
	}
}

// lines count the people, sessions and reviews so far.
func lines(people, sessions, reviews int) (all []string) {
	for _, of := range []struct {
		n         int
		one, many string
	}{{people, "person", "people"}, {sessions, "session", "sessions"}, {reviews, "review", "reviews"}} {
		if of.n > 0 {
			all = append(all, visit.Counted(int64(of.n), of.one, of.many))
		}
	}
	return all
}

// looked says what a move would bring.
func looked(v *visit.Visit, p *pages.MovePage, m *moves.Move) {
	s := m.Preview
	add := func(name string, f arrival.Foreseen) {
		if f != (arrival.Foreseen{}) {
			p.Preview = append(p.Preview, pages.Counted{Name: name, New: visit.Number(int64(f.New)),
				Before: visit.Number(int64(f.Here))})
		}
	}
	add("Sessions and submissions", s.Sessions)
	add("People", s.People)
	add("Tracks, rooms, formats, levels and tags", s.Labels)
	add("Questions", s.Questions)
	add("Breaks", s.Breaks)
	add("Reviews", s.Reviews)
	if s.Placed > 0 {
		p.Facts = append(p.Facts, visit.Counted(int64(s.Placed), "session has", "sessions have")+" a time"+
			days(s.Starts, s.Ends)+".")
	}
	if s.Event != nil {
		p.Facts = append(ofEvent(v, s.Event), "It comes as a whole, or not at all. No letter is written. It cannot be undone: "+
			"look whether this is the archive that you want.")
	} else {
		p.Facts = append(p.Facts, "Of what is here already, what changed there is written. What you changed here stays, "+
			"unless it changed there too. No letter is written, and nothing becomes public.")
	}
	if len(p.Preview) == 0 && s.Event == nil {
		p.Facts = []string{"There is nothing that could come."}
	} else {
		p.Bring, p.BringVerb = p.Here+"/bring", "Bring it"
	}
	p.Look, p.Forget = p.Here+"/look", p.Here+"/forget"
	if m.FileName != "" { // a file does not change
		p.Look, p.Again, p.AgainVerb = "", after(v, m), "Send another file"
	}
	if len(m.Choices.Headings) > 0 {
		p.Columns = p.Here + "/columns"
	}
	p.Lists = append(p.Lists, skipped(p, m, "What cannot come", "What can come is not held up.", s.Skipped, s.SkippedAll)...)
}

// days says when an event is held.
func days(starts, ends string) string {
	switch {
	case starts == "":
		return ""
	case ends == "" || starts == ends:
		return ", on " + page.Date(starts).Format("2 January 2006")
	}
	return ", from " + page.Date(starts).Format("2 January") + " to " + page.Date(ends).Format("2 January 2006")
}

// came says what a move brought.
func came(v *visit.Visit, p *pages.MovePage, m *moves.Move) {
	reported(p, m)
	if m.Report != nil && m.Report.Event != nil {
		e := m.Report.Event
		p.IsEvent = true
		if p.Facts = ofEvent(v, e); e.Slug != "" {
			p.Facts = append(p.Facts, "It is an event of its own.")
		}
		p.Facts = append(p.Facts, "What was public where it comes from is public here. "+
			"Events are never deleted: one that you do not want rests once what is public of it is taken back under Publish.")
		if e.ID != "" {
			p.Event = "/admin/events/" + e.ID
		}
		return
	}
	p.Again, p.AgainVerb = after(v, m), "Bring it again"
	if m.State == moves.Brought {
		p.AgainVerb = "Bring what changed since"
		p.Sessions = v.At("/sessions")
		if m.Report.Abstracts.All() > m.Report.Sessions.All() {
			p.Sessions = v.At("/submissions")
		}
		p.Undo = p.Here + "/undo"
	}
}

// reported fills in the report of a move.
func reported(p *pages.MovePage, m *moves.Move) {
	r := m.Report
	if r == nil {
		return
	}
	add := func(name string, c arrival.Counts) {
		if c.All() > 0 {
			p.Report = append(p.Report, pages.Counted{Name: name, New: visit.Number(int64(c.Created)),
				Changed: visit.Number(int64(c.Updated)), Before: visit.Number(int64(c.Unchanged))})
		}
	}
	add("Submissions", r.Abstracts)
	add("Sessions", r.Sessions)
	add("People", r.Contacts)
	add("Breaks", r.Breaks)
	add("Questions", r.Questions)
	add("Reviews", r.Reviews)
	for _, of := range []struct {
		name string
		n    int
	}{{"Tracks", r.Tracks}, {"Rooms", r.Rooms}, {"Formats", r.Formats}, {"Levels", r.Levels}, {"Tags", r.Tags},
		{"Photos", r.Photos}} {
		if of.n > 0 {
			p.Report = append(p.Report, pages.Counted{Name: of.name, New: visit.Number(int64(of.n))})
		}
	}
	if r.StartsOn != "" {
		p.Facts = append(p.Facts, "The event has its days from there"+days(r.StartsOn, r.EndsOn)+".")
	}
	p.Lists = append(p.Lists, skipped(p, m, "What did not come", "Nothing comes twice.", r.Skipped, r.SkippedAll)...)
	p.Lists = append(p.Lists, list("replaced", "Changed here and there", "What stands there was written. The texts of "+
		"before are in the activity of each.", r.Replaced, r.ReplacedAll)...)
	gone := store.Map(r.Gone, func(g arrival.Gone) frab.Skipped {
		return frab.Skipped{ID: g.Key, Title: g.Title, Reason: "came before, and is there no more"}
	})
	p.Lists = append(p.Lists, list("gone", "Gone there", "It stays here. Delete what you do not want to keep.", gone,
		r.GoneAll)...)
	p.Lists = append(p.Lists, list("stayed", "What stayed", "Somebody changed it before it was taken back. Delete what you "+
		"do not want to keep.", r.Stayed, len(r.Stayed))...)
}

// list returns a list of single rows, none without rows.
func list(id, title, about string, rows []frab.Skipped, all int) []pages.List {
	if all == 0 {
		return nil
	}
	l := pages.List{ID: id, Title: title, About: about, Count: visit.Number(int64(all)),
		More: visit.AndMore(int64(all), len(rows))}
	for _, row := range rows {
		l.Rows = append(l.Rows, pages.Item{Key: cmp.Or(row.ID, row.GUID), Title: row.Title, Reason: row.Reason})
	}
	return []pages.List{l}
}

// skipped lists what does not come, and says how to correct it: in the other system, in the file, or in the rows of the
// table.
func skipped(p *pages.MovePage, m *moves.Move, title, besides string, rows []frab.Skipped, all int) []pages.List {
	about := "It stays there. Correct it there, and look again. "
	switch {
	case m.HasRows():
		about = "Download these rows and correct them, or correct the file, and send that as you sent this one. "
	case m.FileName != "":
		about = "Correct it in the file, and send that again. "
	case m.State != moves.Looked:
		about = "It stays there. Correct it there, and bring it again. "
	}
	lists := list("skipped", title, about+besides, rows, all)
	if len(lists) > 0 && m.HasRows() {
		lists[0].Download = p.Here + "/faults.csv"
	}
	return lists
}

// after returns the address at which a further move begins, by an address or a file, that brings what changed since
// this one.
func after(v *visit.Visit, m *moves.Move) string { return v.At("/moves/new?after=" + m.ID) }

// stopped says why a move ended early, and how to go on. It returns the page's title.
func stopped(p *pages.MovePage, m *moves.Move) string {
	switch m.StoppedIn {
	case moves.Looking:
		p.Look, p.Forget = p.Here+"/look", p.Here+"/forget"
		p.Facts = append(p.Facts, "Nothing was written.")
		if len(m.Choices.Headings) > 0 {
			p.Columns = p.Here + "/columns"
		}
		return "It could not be read"
	case moves.Undoing:
		p.Step, p.Undo = pages.StepImport, p.Here+"/undo"
		reported(p, m)
		return "The move is not wholly undone"
	}
	p.Step = pages.StepImport
	if isEvent(m.Kind) {
		p.Facts = append(p.Facts, "Nothing of it is here: an archive comes as a whole, or not at all.")
		p.Bring, p.BringVerb = p.Here+"/bring", "Bring it"
		return "The archive did not come"
	}
	reported(p, m)
	p.Facts = append(p.Facts, "What came so far is here. Going on makes nothing twice.")
	p.Bring, p.BringVerb, p.Undo = p.Here+"/bring", "Go on", p.Here+"/undo"
	return "The move stopped in the middle"
}
