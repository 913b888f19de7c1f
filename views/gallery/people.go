package gallery

import (
	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages/people"
	"lectern/views/pages/sessions"
	"lectern/views/records"
)

// peoplePart returns the people of a record for a reader who may change them.
func peoplePart(w words) sessions.PeoplePart {
	row := func(id, name, company, email string, role models.Role) sessions.PersonRow {
		return sessions.PersonRow{ID: id, Name: name, Company: company, Email: email, Role: string(role), URL: here,
			Roles: option("Speaker", "Moderator", "Chairperson")}
	}
	return sessions.PeoplePart{Action: here, Find: here, Rows: []sessions.PersonRow{
		row("p1", w.person, w.label, w.email, models.Speaking), row("p2", "Plum", "", "", models.Moderator)}}
}

// found returns the matches of a search for people.
func found(w words, editor string) records.FoundPeople {
	words := store.SearchWords("a")
	return records.FoundPeople{Text: "a", PeopleButtons: records.PeopleButtons{Editor: editor}, People: []records.FoundPerson{
		{ID: "p3", Name: w.person, Company: words.Mark(w.label), Email: words.Mark(w.email)},
		{ID: "p2", Name: "Plum", Here: true, On: true}}}
}

// newPeople returns the people of a record that is being created.
func newPeople(w words) sessions.PeoplePart {
	p := peoplePart(w)
	p.Creating, p.Found = true, found(w, here)
	p.Rows = append(p.Rows, sessions.PersonRow{Name: "Somebody", Roles: option("Speaker")})
	return p
}

func (s *shelf) people() {
	record := func(part sessions.PeoplePart, faults ...components.Fault) sessions.Page {
		part.Faults = faults
		return sessions.Page{Session: session("12", models.Pending, plain), Base: here, List: here,
			ListName: "Submissions", MayChange: true, People: part}
	}
	typed, told := peoplePart(plain), peoplePart(plain)
	typed.New = sessions.NewPerson{Name: "Li Wei", Email: "li"}
	told.Notice = layouts.Notice{Kind: "good", Text: "Li Wei is not on A-12 any more.", At: "people",
		Undo: &components.Undo{Action: here}}
	wrong := components.Fault{Field: "new_email", Message: "must be an address such as ana@example.org"}
	of(s, "People of a record", plain.title, sessions.Session).
		worded(func(w words) sessions.Page {
			part := peoplePart(w)
			part.Found = found(w, "")
			return record(part)
		}).
		is("just removed one", record(told)).
		is("none", record(sessions.PeoplePart{Action: here, Find: here})).
		is("faults", record(typed, wrong), wrong.Field, wrong.Message)
	of(s, "Editor", "New submission", sessions.Editor).is("new, with people", sessions.FormPage{
		Action: here, Cancel: here, New: true, Abstract: true, Verb: "Create submission", People: newPeople(plain), FormURL: here})
	of(s, "Person", "", people.Person).
		worded(func(w words) people.PersonPage {
			meeting := people.PersonSession{When: "Thu 20 May, 09:40", Label: "S-12", Title: w.title, URL: here, Room: w.place,
				Role: "Chairperson", Status: "accepted", Public: true}
			call := people.PersonSession{When: "Submission", Label: "A-3", Title: "Another", URL: here, Role: "Speaker",
				Status: "accept_queue"}
			return people.PersonPage{Shell: in(w.person), ListName: "Speakers", Base: here, MayChange: true, List: here,
				Place: here, PlaceOf: option(w.label, "Tideline 2026"), Write: here,
				Photo: "/static/icon.svg", PhotoForm: here, PhotoFile: people.PersonPhoto{Name: w.title + ".jpg", Who: w.person, When: "yesterday"},
				FirstHere: w.label, Aliases: []string{w.email, "old@example.org"}, At: []people.PersonAt{{Event: w.label, URL: here, Status: models.Invited}},
				Letters: []people.PersonLetter{{Title: w.title, URL: here, Decision: "accepted", State: "Sent", When: "yesterday"}},
				Here: &people.PersonHere{Event: w.label, Tasks: taskPart(w), Answers: []records.Answer{{Question: w.label, Text: w.text}, {Question: "Your pass", Text: w.label + ".pdf", URL: here}, {Question: "Shirt"}},
					Status: models.Confirmed, Card: here, Stage: w.place, Since: "12 days", TravelSaved: "Saved by " + w.person + ", yesterday", Statuses: option("No status", "Confirmed"),
					Tags: option("Mentor", w.place), Travel: asked(w)[2:3], Availability: []people.FormField{{
						Field:    components.Field{Name: "away", Label: "Away", Hint: "Tick the times at which they cannot come."},
						DayParts: []string{"until 12:00", "from 12:00"}, Options: option("Thu 20 May, 09:30 to 10:00"),
						Days: []people.DayOfParts{{Name: "Thu 20 May", Parts: []components.Option{{Value: "1", Name: "Thu 20 May, until 12:00"},
							{Value: "2", Name: "Thu 20 May, from 12:00", Chosen: true}}}}}, {Control: field.Lines,
						Field: components.Field{Name: "availability", Label: "Anything else about time", Value: w.title}}}},
				Facts: []components.Hidden{{Name: w.place, Value: w.label}},
				Files: []people.PersonFile{{Key: "a", Label: w.label, Name: w.title + ".pdf", Size: "1.2 MB", Who: w.person,
					When: "yesterday", URL: here}, {Key: "b", Label: w.place, URL: here}},
				Notes:    []people.PersonNote{{Who: w.person, When: "yesterday", Text: w.title, Event: w.label}},
				Activity: []records.Happening{{When: "yesterday", Who: w.person, What: "updated"}},
				Previous: here, Next: here, Position: "32 of 143",
				Care: &people.PersonCare{Base: here}, Byline: w.label + ", " + w.place, Count: 3, Person: &models.Contact{ID: store.NewID(), FullName: w.person, Email: w.email,
					About: w.html, WebsiteURL: "https://example.org/" + w.email, LinkedinURL: "https://linkedin.example/ada"},
				Events: []people.PersonEvent{{Name: "Tideline 2027", Zone: "Europe/Lisbon",
					Sessions: []people.PersonSession{meeting, call}},
					{Name: w.label, Zone: "UTC", Sessions: []people.PersonSession{meeting}}}}
		}).
		is("a guest, whom other events know", guest()).
		is("bare", people.PersonPage{Shell: in("Plum"), List: here, ListName: "Contacts", Person: &models.Contact{ID: "1", FullName: "Plum"}})
}

// guest returns the page of somebody whom other events know too; the reader may change only what is of this event.
func guest() people.PersonPage {
	return people.PersonPage{Shell: in("Plum"), List: here, ListName: "Speakers", Base: here, MayChange: true,
		Shared: "Plum is also known outside of your events.", Photo: "/static/icon.svg", PhotoForm: here,
		Here:   &people.PersonHere{Event: "Tideline", Status: models.Invited, Statuses: option("No status", "Invited")},
		Person: &models.Contact{ID: "1", FullName: "Plum", Email: "plum@example.org", About: "Of water."},
		Files:  []people.PersonFile{{Key: "a", Label: "Slides", URL: here}}}
}
