package gallery

import (
	"github.com/a-h/templ"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages"
)

// session is a record of the examples.
func session(n string, status models.Status, w words) *models.Session {
	label := models.Label{ID: "1", Name: w.label}
	return &models.Session{
		ID: n, FriendlyID: "A-" + n, Title: w.title, Description: w.html, Status: status, IsAbstract: true,
		StartsAt: new(at(0)), EndsAt: new(at(1)), Capacity: new(80), IsPublic: true, UpdatedAt: at(-40), CreatedAt: at(-900),
		Track:  &models.Track{Label: label, Color: models.TrackColors[0]},
		Room:   &models.Room{Label: models.Label{ID: "2", Name: w.place}, Capacity: new(300)},
		Format: &models.Format{Label: label, DefaultMinutes: new(30)}, Level: &models.Level{Label: label},
		Tags: []*models.Tag{{Label: label}, {Label: label}},
		Participants: []*models.Participant{{ContactID: "1", FullName: w.person, Email: w.email, CompanyName: w.label,
			Role: models.Speaking}},
		CustomFields: models.Answers{{Key: "Length", Value: "30 minutes"}, {Key: w.label, Value: w.text}},
		Score:        new(models.Score(433)), Reviews: 3,
	}
}

func sessions(w words) []*models.Session {
	rows := []*models.Session{{ID: "0", FriendlyID: "A-0", Title: "Bare", Status: models.Draft, CreatedAt: at(-3),
		UpdatedAt: at(-3)}}
	for i, status := range models.Statuses {
		rows = append(rows, session(string(rune('1'+i)), status, w))
	}
	return rows
}

func list(s layouts.Shell, kind string) pages.SessionsPage {
	same := func(string) string { return "/design" }
	return pages.SessionsPage{
		Shell: s, Base: "/design", Kind: kind, MayChange: true, Record: same, Sort: same, CSV: "/design", Pages: pager,
		SortedBy: func(key string) string { return map[string]string{"updatedAt": "descending"}[key] },
		When:     func(t *store.Time) string { return t.Format("Mon 2 Jan, 15:04") },
		Day:      func(t store.Time) string { return t.Format("2 Jan 2006") },
		Tabs: []components.Tab{{Name: "All", URL: "/design", Count: "1,204", Current: true},
			{Name: "Pending", URL: "/design", Count: "12"}},
		Filters: []pages.FilterField{{Name: "track", Label: "Track", Options: option("Any track", "Archives")}},
		Columns: []pages.Column{
			{Key: "status", Name: "Status", Sort: "status"}, {Key: "track", Name: "Track"},
			{Key: "score", Name: "Score", Sort: "score"}, {Key: "room", Name: "Room"},
			{Key: "start", Name: "Starts", Sort: "startsAt"}, {Key: "changed", Name: "Changed", Sort: "updatedAt"},
		},
	}
}

func (s *shelf) programme() {
	bulk := pages.BulkBar{
		All: "All 1,204 matching", Fields: []pages.FilterField{
			{Name: "status", Label: "New status", Options: option("Pending", "Accepted")},
			{Name: "track", Label: "New track", Options: option("Archives")},
			{Name: "add_tag", Label: "Add a tag", Options: option("first-time speaker")},
			{Name: "remove_tag", Label: "Take a tag away", Options: option("first-time speaker")},
		},
		Verbs: []pages.BulkVerb{
			{Do: "change", Name: "Apply"}, {Do: "delete", Name: "Delete", Icon: "trash-2", Danger: true},
		},
	}
	s.worded("Submissions", func(p layouts.Page, w words) templ.Component {
		page := list(shell(p, "Submissions", w), "submissions")
		page.Rows, page.Bulk, page.Text, page.Filtered = sessions(w), &bulk, w.label, true
		page.Words = store.SearchWords("a " + w.person)
		closed := savedViews(w)
		closed.Open = false
		page.Views, page.Ticked, page.Chips = pages.ListViews(closed), map[string]bool{"2": true},
			[]pages.Chip{{Text: w.person, Without: "/design"}}
		page.Columned = &pages.ColumnChoice{Base: "/design", Columns: option("Status", "Track")}
		return pages.Sessions(page)
	})
	s.add("Submissions", "compact, for a viewer", func(p layouts.Page) templ.Component {
		page := list(shell(p, "Submissions", plain), "submissions")
		page.Rows, page.Compact, page.MayChange = sessions(plain), true, false
		return pages.Sessions(page)
	})
	for _, kind := range []string{"submissions", "sessions", "trash"} {
		s.add("Submissions", "no "+kind, func(p layouts.Page) templ.Component {
			return pages.Sessions(list(shell(p, "Submissions", plain), kind))
		})
	}
	s.add("Submissions", "nothing matches", func(p layouts.Page) templ.Component {
		page := list(shell(p, "Submissions", plain), "submissions")
		page.Filtered, page.Text = true, "zeppelin"
		return pages.Sessions(page)
	})
	s.add("Submissions", "all done", func(p layouts.Page) templ.Component {
		page := list(shell(p, "Submissions", plain), "submissions")
		page.Filtered, page.Done = true, "The accept queue is empty."
		return pages.Sessions(page)
	})
	reviews := func(w words) *pages.Reviews {
		return &pages.Reviews{
			Form: &pages.ReviewForm{Score: "4", Comment: w.text}, Given: true, Score: new(models.Score(433)),
			All: []pages.Review{{Who: w.person, When: "2 hours ago", Score: 5, Comment: w.text},
				{Who: "Li", When: "yesterday", Score: 4}},
		}
	}
	s.worded("Submission", func(p layouts.Page, w words) templ.Component {
		return pages.Session(pages.SessionPage{
			Reviews: reviews(w),
			Shell:   shell(p, w.title, w), Session: session("12", models.AcceptQueue, w), Base: "/design", List: "/design",
			ListName: "Submissions", Previous: "/design", Next: "/design", Position: "3 of 41",
			MayChange: true, Statuses: option("Accept queue", "Accepted"), Starts: "Thu 20 May 2027, 09:30 WEST", Ends: "10:30",
			Created: "1 May 2027", Changed: "2 hours ago", Activity: happenings(w),
		})
	})
	review := func(state string, r *pages.Reviews, faults ...components.Fault) {
		s.add("Submission", state, func(p layouts.Page) templ.Component {
			r.Faults = faults
			return pages.Session(pages.SessionPage{Shell: shell(p, plain.title, plain, faults...),
				Session: session("12", models.Pending, plain), Base: "/design", List: "/design",
				ListName: "Submissions", Reviews: r})
		})
	}
	review("not reviewed yet", &pages.Reviews{Form: &pages.ReviewForm{}})
	review("cannot be reviewed", &pages.Reviews{Form: &pages.ReviewForm{},
		Closed: "You are on this submission yourself, so others review it."})
	review("review with faults", &pages.Reviews{Form: &pages.ReviewForm{Comment: plain.text}},
		components.Fault{Field: "score", Message: "is not chosen yet"},
		components.Fault{Field: "comment", Message: "is 10,001 characters long; at most 10,000 are allowed"})
	s.add("Submission", "bare, in the trash", func(p layouts.Page) templ.Component {
		bare := &models.Session{ID: "1", FriendlyID: "S-1", Title: "Bare", Status: models.Draft, DeletedAt: new(at(0))}
		return pages.Session(pages.SessionPage{Shell: shell(p, "Bare", plain), Session: bare, Base: "/design",
			List: "/design", ListName: "Trash", MayChange: true, Deleted: "today"})
	})
	editor := func(sh layouts.Shell, w words) pages.SessionFormPage {
		return pages.SessionFormPage{
			Shell: sh, Action: "/design", Cancel: "/design", Verb: "Save", Zone: "Europe/Lisbon",
			Form: pages.SessionForm{Answers: []models.Answer{{Key: w.label, Value: w.text}}, Values: map[string]string{
				"title": w.title, "description": w.html, "starts_at": "2027-05-20T09:30", "ends_at": "2027-10-31T01:30",
				"capacity": "80",
			}},
			Options: map[string][]components.Option{
				"status": option("Pending"), "track_id": option(w.label), "format_id": option(w.label),
				"level_id": option(w.label), "room_id": option(w.place), "tag_ids": option(w.label, "Another"),
			},
			EndsTwice: option("The first, 01:30 WEST", "The second, 01:30 WET"),
		}
	}
	s.worded("Editor", func(p layouts.Page, w words) templ.Component {
		return pages.SessionEditor(editor(shell(p, "Edit "+w.title, w), w))
	})
	s.add("Editor", "new", func(p layouts.Page) templ.Component {
		return pages.SessionEditor(pages.SessionFormPage{Shell: shell(p, "New session", plain), Action: "/design",
			Cancel: "/design", New: true, Verb: "Create session", Zone: "Europe/Lisbon"})
	})
	s.add("Editor", "faults", func(p layouts.Page) templ.Component {
		page := editor(shell(p, "Edit", plain, components.Fault{Field: "title", Message: "must not be empty"},
			components.Fault{Field: "description", Message: "is 50,012 characters long; at most 50,000 are allowed"},
			components.Fault{Field: "ends_at", Message: "must be after starts_at"},
			components.Fault{Field: "capacity", Message: "must be a whole number"}), plain)
		page.Form.Values["title"] = ""
		return pages.SessionEditor(page)
	})
	s.add("Editor", "conflict", func(p layouts.Page) templ.Component {
		page := editor(shell(p, "Edit", plain), plain)
		page.Conflict = &components.Conflict{Who: "Li changed Title and Room 2 minutes ago",
			Clashes: []components.Clash{{Name: "title", Label: "Title", Mine: plain.title, Theirs: long.title,
				MineShown: plain.title, TheirsShown: long.title}}}
		return pages.SessionEditor(page)
	})
	s.worded("Confirm", func(p layouts.Page, w words) templ.Component {
		return pages.Confirm(pages.ConfirmPage{Shell: shell(p, "Delete "+w.title+"?", w), Text: w.text,
			Points: []string{"It leaves the agenda.", w.place}, Action: "/design", Cancel: "/design", Verb: "Delete"})
	})
	s.add("Confirm", "from a form", func(p layouts.Page) templ.Component {
		return pages.Confirm(pages.ConfirmPage{Shell: shell(p, "Accept A-12?", plain), Text: plain.text,
			Points: []string{plain.text}, Action: "/design", Verb: "Accept A-12", Keeps: true, Again: true})
	})
	s.add("Editor", "status conflict", func(p layouts.Page) templ.Component {
		return pages.Clashing(pages.ClashPage{Shell: shell(p, plain.title, plain), Conflict: conflict(plain)})
	})
	s.worded("Confirm many", func(p layouts.Page, w words) templ.Component {
		return pages.Confirm(pages.ConfirmPage{Shell: shell(p, "Delete 214 submissions?", w), Action: "/design",
			Cancel: "/design", Text: w.text, Points: []string{"12 of them are published"}, Titles: []string{w.title, "Another"},
			More: "and 212 more", Verb: "Delete 214 submissions"})
	})
	s.add("Many at once", "running", func(p layouts.Page) templ.Component {
		return pages.BatchProgress(pages.BatchPage{Shell: shell(p, "Moving 214 submissions", plain), Here: "/design",
			Back: "/design", BackName: "Submissions", Running: true, Done: 80, Total: 214, Progress: "80 of 214",
			Action: "/design"})
	})
	s.worded("Many at once", func(p layouts.Page, w words) templ.Component {
		return pages.BatchProgress(pages.BatchPage{
			Shell: shell(p, "Moving 24 submissions", w), Here: "/design", Back: "/design", BackName: "Submissions", Done: 24,
			Total: 24, Outcome: "21 of 24 done", Facts: []string{"Track became " + w.label},
			Failures:     []pages.BatchFailure{{Label: "A-12", Title: w.title, URL: "/design", Reason: w.text}},
			MoreFailures: "and 2 more", CanRetry: true,
			Changes:     []pages.BatchOutcome{{Label: "A-13", Title: w.title, URL: "/design", Text: "Track: none → " + w.label}},
			MoreChanges: "and 20 more", CanUndo: true, Action: "/design",
		})
	})
	s.worded("Speakers", func(p layouts.Page, w words) templ.Component {
		return pages.Speakers(pages.SpeakersPage{Shell: shell(p, "Speakers", w), Base: "/design", Text: w.person, Words: store.SearchWords(w.label),
			People: []pages.Person{{Name: w.person, Company: w.label, Email: w.email, Submissions: "/design",
				Sessions: "/design"}, {Name: "Li Wei", Email: "li@example.org"}}, Pages: pager})
	})
	s.add("Speakers", "empty", func(p layouts.Page) templ.Component {
		return pages.Speakers(pages.SpeakersPage{Shell: shell(p, "Speakers", plain), Base: "/design"})
	})
}
