package gallery

import (
	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages/sessions"
	"lectern/views/records"
)

// record returns the page of a submission.
func record(w words, status models.Status, steps ...sessions.Step) sessions.Page {
	return sessions.Page{
		Shell: in(w.title), Session: session("12", status, w), Answers: answered(w), EditAnswers: here, Call: called(w), Tasks: taskPart(w),
		Base: here, List: here, ListName: "Submissions",
		Previous: here, Next: here, Position: "3 of 41", MayChange: true, Steps: steps, Statuses: option("Pending", "Accepted"),
		Stands: "Waits for a decision. Speakers see “Pending” until one is committed.",
		When:   "Thu 20 May 2027, 09:30 to 10:30 WEST", Created: "Sat 1 May 2027, 10:00 WEST",
		Changed: "Sun 2 May 2027, 10:00 WEST", ChangedBy: w.person, Activity: happenings(w), Entries: "14 entries",
		Reviews: &sessions.Reviews{
			Form: &sessions.ReviewForm{Score: "4", Comment: w.text}, Given: true, Score: new(models.Score(433)),
			All: []sessions.Review{{Who: w.person, When: "2 hours ago", Score: 5, Comment: w.text,
				Answers: []records.CriterionAnswer{{Question: "Relevance", Answer: "5 of 5"}, {Question: w.label, Answer: w.text}}},
				{Who: "Li", When: "yesterday", Answers: []records.CriterionAnswer{{Question: "To improve", Answer: "Fewer slides"}}}, {Who: "Noor", When: "yesterday", Score: 3}},
			Rounds: []sessions.SeatedRow{{Name: w.label, Text: "2 reviewers", URL: here},
				{Name: "Second look", Text: "No reviewer yet", URL: here}},
		},
	}
}

// programmed returns the page of a programme session.
func programmed(w words, change func(*sessions.Page)) sessions.Page {
	p := record(w, models.Accepted)
	p.Session.FriendlyID, p.Session.IsAbstract = "S-12", false
	p.ListName, p.Reviews, p.Stands = "Sessions", nil, "Placed. Published."
	p.Place = &sessions.PlaceForm{Action: here, Rooms: option(w.place, w.label), Zone: "Europe/Lisbon", Open: true,
		Values: map[string]string{"starts_at": "2027-05-20T09:30", "ends_at": "2027-05-20T10:30"}}
	change(&p)
	return p
}

var (
	toQueue = sessions.Step{Name: "To accept queue", Icon: "clock", Key: "a", Status: models.AcceptQueue, Primary: true}
	pending = sessions.Step{Name: "Back to pending", Icon: "undo-2", Key: "p", Status: models.Pending}
	accept  = sessions.Step{Name: "Accept…", Icon: "check", Key: "a", Status: models.Accepted, Primary: true}
	give    = sessions.Step{Name: "Give it a room and a time", Icon: "clock", Key: "t", URL: here, Primary: true}
)

func collisions(w words) []components.Linked {
	const after = ", 09:40 to 10:10, while this is 09:30 to 10:30."
	return []components.Linked{
		{Subject: w.place, Before: " also has ", Label: "S-3", Name: w.title, URL: here, After: after},
		{Subject: w.person, Before: " is also in ", Label: "S-4", Name: "Queues that forget nothing", URL: here, After: after},
	}
}

func (s *shelf) submission() {
	review := func(form sessions.ReviewForm, closed string, faults ...components.Fault) sessions.Page {
		return sessions.Page{Session: session("12", models.Pending, plain), Base: here, List: here,
			ListName: "Submissions", Stands: "Waits for a decision.",
			Reviews: &sessions.Reviews{Form: &form, Closed: closed, Faults: faults}}
	}
	noScore := components.Fault{Field: "score", Message: "is not chosen yet"}
	tooLong := components.Fault{Field: "comment", Message: "is 10,001 characters long; at most 10,000 are allowed"}
	twelve := record(plain, models.Pending, toQueue)
	for i := range 9 {
		twelve.Reviews.All = append(twelve.Reviews.All, sessions.Review{Who: "Li", When: "yesterday", Score: 4 + i%2})
	}
	of(s, "Submission", plain.title, sessions.Session).
		worded(func(w words) sessions.Page { return record(w, models.AcceptQueue, accept, pending) }).
		is("pending, with 12 reviews", twelve).
		is("not reviewed yet", review(sessions.ReviewForm{}, "")).
		is("cannot be reviewed", review(sessions.ReviewForm{}, "You are on this submission yourself, so others review it.")).
		is("review with faults", review(sessions.ReviewForm{Comment: plain.text}, "", noScore, tooLong),
			noScore.Field, noScore.Message, tooLong.Field, tooLong.Message).
		is("of other scripts", scripts()).
		is("linked to a session", linked()).
		is("bare, in the trash", sessions.Page{Shell: in("Bare"), Base: here, List: here, ListName: "Trash",
			MayChange: true, Stands: "In the Trash since today.", Session: &models.Session{ID: "1", FriendlyID: "S-1",
				Title: "Bare", Status: models.Draft, DeletedAt: new(at(0))}})
	of(s, "Session", plain.title, sessions.Session).
		worded(func(w words) sessions.Page {
			return programmed(w, func(p *sessions.Page) {
				p.Collides, p.Parts = collisions(w), parts(w, "")
			})
		}).
		is("not placed yet", programmed(plain, func(p *sessions.Page) {
			p.Session.Room, p.Session.StartsAt, p.Session.EndsAt, p.When, p.Session.IsPublic = nil, nil, nil, "", false
			p.Stands, p.Steps = "Not placed yet. Not published yet.", []sessions.Step{give}
		})).
		is("for a viewer, without text and people", programmed(plain, func(p *sessions.Page) {
			p.MayChange, p.Session.Description, p.Session.Participants, p.Answers = false, "", nil, nil
		})).
		is("linked to its submission", programmed(plain, func(p *sessions.Page) {
			p.Parts, p.Session.CompositionStatus.IsLinked = parts(plain, "A-3"), true
		})).
		is("detached", programmed(plain, func(p *sessions.Page) {
			p.Parts = parts(plain, "A-3")
			p.Parts.Linked, p.Parts.Alone = "", "A-3"
		})).
		is("with content to approve", programmed(plain, func(p *sessions.Page) {
			p.Versions, p.Content = 3, &sessions.Content{State: "in_review", Action: here, Choices: []components.Option{
				{Value: "approved", Name: "Approve content"}, {Value: "draft", Name: "Back to draft"}}}
		})).
		is("approved, for a viewer", programmed(plain, func(p *sessions.Page) {
			p.MayChange, p.Versions, p.Content = false, 1, &sessions.Content{State: "approved"}
		})).
		is("just saved", programmed(plain, func(p *sessions.Page) {
			p.Collides = collisions(plain)
			p.Notice.Kind, p.Notice.Text, p.Notice.Warnings, p.Notice.Warned = "warn", "Saved.", p.Collides, 5
		}))
}

// scripts returns a record whose title and people are in scripts that are never slanted.
func scripts() sessions.Page {
	p := record(plain, models.Pending, toQueue)
	p.Shell, p.Session.Title = in("信を守るために：港の四千の夜"), "信を守るために：港の四千の夜"
	for i, name := range []string{"山田 花子", "김민지", "ليلى حداد", "Ada Byron"} {
		role := []models.Role{models.Speaking, models.Speaking, models.Moderator, models.Chairperson}[i]
		p.Session.Participants = append(p.Session.Participants, &models.Participant{ContactID: "1", FullName: name, Role: role})
	}
	return p
}

// linked returns a submission that shares its text with a session.
func linked() sessions.Page {
	p := record(plain, models.Accepted)
	p.Session.CompositionStatus.IsLinked = true
	p.Stands, p.Composed = "In the session S-3.", []records.Record{{Label: "S-3", Name: "S-3 " + plain.title, URL: here,
		InTrash: true}}
	p.Session.CompositionStatus.IsReadOnly = true
	return p
}
