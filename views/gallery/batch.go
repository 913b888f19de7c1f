package gallery

import (
	"lectern/models"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages/batch"
	"lectern/views/pages/sessions"
)

// session returns an example of a record.
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
		CustomFields: answers(w),
		Score:        new(models.Score(433)), Reviews: 3,
	}
}

func answers(w words) models.Answers {
	return models.Answers{{Key: "Length", Value: "30 minutes"}, {Key: w.label, Value: w.text}}
}

func sessionsOf(w words) []*models.Session {
	rows := []*models.Session{{ID: "0", FriendlyID: "A-0", Title: "Bare", Status: models.Draft, CreatedAt: at(-3),
		UpdatedAt: at(-3)}}
	for i, status := range models.Statuses {
		rows = append(rows, session(string(rune('1'+i)), status, w))
	}
	return rows
}

func (s *shelf) programme() {
	s.lists()
	s.submission()
	s.versions()
	s.editor()
	s.breaks()
	s.many()
	s.contacts()
	s.merge()
	s.people()
	s.sourcing()
}

func (s *shelf) editor() {
	page := func(title string, w words, typed string) sessions.FormPage {
		return sessions.FormPage{
			Shell: in(title), Action: here, Cancel: here, Verb: "Save", Zone: "Europe/Lisbon", EndsTwice: twice,
			Form: sessions.Form{Answers: []models.Answer{{Key: w.label, Value: w.text}}, Values: map[string]string{
				"title": typed, "description": w.html, "starts_at": "2027-05-20T09:30", "ends_at": "2027-10-31T01:30",
				"capacity": "80",
			}},
			Options: map[string][]components.Option{
				"status": option("Pending"), "track_id": option(w.label), "format_id": option(w.label),
				"level_id": option(w.label), "room_id": option(w.place), "tag_ids": option(w.label, "Another"),
			},
		}
	}
	late := page("Edit", plain, plain.title)
	late.Conflict = new(conflict(plain))
	of(s, "Editor", "", sessions.Editor).
		worded(func(w words) sessions.FormPage { return page("Edit "+w.title, w, w.title) }).
		is("new", sessions.FormPage{Shell: in("New session"), Action: here, Cancel: here, New: true,
			Verb: "Create session", Zone: "Europe/Lisbon"}).
		is("faults", page("Edit", plain, ""), "title", "must not be empty",
			"description", "is 50,012 characters long; at most 50,000 are allowed",
			"ends_at", "must be after starts_at", "capacity", "must be a whole number").
		is("conflict", late)
	of(s, "Editor", plain.title, layouts.Clashing).is("status conflict", layouts.ClashPage{Conflict: conflict(plain)})
}

// many adds the page that confirms, and changes of many records.
func (s *shelf) many() {
	of(s, "Confirm", "", layouts.Confirm).
		worded(func(w words) layouts.ConfirmPage {
			return layouts.ConfirmPage{Shell: in("Delete " + w.title + "?"), Text: w.text,
				Points: []string{"It leaves the agenda.", w.place}, Action: here, Cancel: here, Verb: "Delete"}
		}).
		is("from a form", layouts.ConfirmPage{Shell: in("Accept A-12?"), Text: plain.text, Points: []string{plain.text},
			Action: here, Verb: "Accept A-12", Keeps: true, Again: true})
	of(s, "Confirm many", "Delete 214 submissions?", layouts.Confirm).worded(func(w words) layouts.ConfirmPage {
		return layouts.ConfirmPage{Action: here, Cancel: here, Text: w.text, Points: []string{"12 of them are published"},
			Titles: []string{w.title, "Another"}, More: "and 212 more", Verb: "Delete 214 submissions"}
	})
	begun := batch.Page{Here: here, Back: here, BackName: "Submissions", Action: here}
	running := begun
	running.Running, running.Done, running.Total, running.Progress = true, 80, 214, "80 of 214"
	of(s, "Many at once", "Moving 214 submissions", batch.Progress).is("running", running)
	of(s, "Many at once", "Moving 24 submissions", batch.Progress).worded(func(w words) batch.Page {
		p := begun
		p.Done, p.Total, p.Outcome, p.CanRetry, p.CanUndo = 24, 24, "21 of 24 done", true, true
		p.Facts, p.MoreFailures, p.MoreChanges = []string{"Track became " + w.label}, "and 2 more", "and 20 more"
		p.Failures = []batch.Record{{Label: "A-12", Title: w.title, URL: here, Text: w.text}}
		p.Changes = []batch.Record{{Label: "A-13", Title: w.title, URL: here, Text: "Track: none → " + w.label}}
		return p
	})
}
