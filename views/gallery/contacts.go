package gallery

import (
	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
)

// asked are fields of each kind, as a form asks for them.
func asked(w words) []pages.FormField {
	return []pages.FormField{
		{Control: field.OneLine, Field: components.Field{Name: "first_name", Label: "First name", Value: w.person}},
		{Control: field.OneLine, Field: components.Field{Name: "email", Label: "E-mail", Value: w.email, Type: "email"}},
		{Control: field.Lines, Field: components.Field{Name: "travel_notes", Label: w.label, Value: w.title}},
		{Control: field.Lines, IsHTML: true, Limit: 1000, Field: components.Field{Name: "about", Label: "Biography", Value: w.html}},
		{Control: field.Select, Field: components.Field{Name: "shirt", Label: w.label}, Options: option("None", w.place)},
		{Control: field.Checks, Field: components.Field{Name: "langs", Label: "Languages", Hint: w.title},
			Options: option("Portuguese", w.label)},
	}
}

// people of an event in a list.
func contactRows(w words) []pages.ContactRow {
	return []pages.ContactRow{
		{ID: "p1", Name: w.person, Company: w.label, Email: w.email, URL: here, Roles: "Speaker, Moderator", Submissions: 2,
			Sessions: 12, SubmissionsURL: here, SessionsURL: here,
			Cells: []pages.ContactCell{{Status: models.Confirmed}, {Text: w.title}}},
		{ID: "p2", Name: "Li Wei", URL: here, Roles: "Speaker", Cells: []pages.ContactCell{{Status: models.StatusDeclined}, {}}},
		{ID: "p3", Name: "Plum", URL: here, Cells: []pages.ContactCell{{}, {}}},
	}
}

func (s *shelf) contacts() {
	fields := func(w words) []pages.ContactFilterField {
		return []pages.ContactFilterField{
			{Field: components.Field{Name: "status", Label: "Status"}, Options: option("Any", "Invited")},
			{Field: components.Field{Name: "company", Label: "Company", Value: w.label}}}
	}
	of(s, "Speakers", "Speakers", pages.Contacts).
		worded(func(w words) pages.ContactsPage {
			return pages.ContactsPage{Base: here, Text: w.person, Words: store.SearchWords(w.label), Pages: pager, OfEvent: true,
				MayChange: true, Total: "143 people", People: contactRows(w), Fields: fields(w), Narrowed: true, CSV: here,
				Everyone: here, Chips: []pages.Chip{{Text: "Company: " + w.label, Without: here}},
				Tabs: []components.Tab{{Name: "Speakers", URL: here, Count: "143", Current: true}, {Name: "Everybody", URL: here,
					Count: "160"}}, Statuses: option("No status", "Invited", "Confirmed"),
				Place: pages.PlacePeople{Action: here, Stages: option("Idea", w.label)}, Choice: option("Status", w.label),
				Columns: []pages.Column{{Key: "workflow_status", Name: "Status"}, {Key: "arrival", Name: "Arrival"}}}
		}).
		is("empty", pages.ContactsPage{Base: here, OfEvent: true, Everyone: here, CSV: here}).
		is("nobody matches", pages.ContactsPage{Base: here, Text: "zeppelin", Everyone: here, CSV: here, OfEvent: true}).
		is("nobody passes", pages.ContactsPage{Base: here, Narrowed: true, Everyone: here, CSV: here, OfEvent: true})
	of(s, "Contacts", "Contacts", pages.Contacts).
		worded(func(w words) pages.ContactsPage {
			return pages.ContactsPage{Base: here, Pages: pager, MayChange: true, Total: "1,204 people", People: contactRows(w),
				Fields: fields(w), CSV: here, Everyone: here, Choice: option("Events"),
				Place:   pages.PlacePeople{Action: here, Events: option(w.label), Stages: option("Idea")},
				Columns: []pages.Column{{Key: "events", Name: "Events"}, {Key: "x", Name: w.label}}}
		}).
		is("empty", pages.ContactsPage{Base: here, Everyone: here, CSV: here})
	of(s, "Contacts overview", "People in numbers", pages.ContactOverview).
		worded(func(w words) pages.OverviewPage {
			return pages.OverviewPage{Base: here, Numbers: []pages.OverviewRow{{Count: "1,204", Name: "People", URL: here},
				{Count: "96", Name: "At more than one event", URL: here}},
				Events:    []pages.OverviewRow{{Name: w.label, Count: "143", URL: here}},
				Companies: []pages.OverviewRow{{Name: w.place, Count: "12", URL: here}}}
		}).
		is("empty", pages.OverviewPage{Base: here})
	of(s, "Person form", "Edit Ada", pages.PersonForm).
		worded(func(w words) pages.PersonFormPage {
			return pages.PersonFormPage{Action: here, Cancel: here, Verb: "Save", Token2: "t", Fields: asked(w)}
		}).
		is("new", pages.PersonFormPage{Action: here, Cancel: here, Verb: "Add person", OfEvent: true, Fields: asked(plain)[:2]}).
		is("conflict", pages.PersonFormPage{Conflict: &components.Conflict{Who: "Li changed Phone 2 minutes ago", Action: here,
			Discard: here, Clashes: []components.Clash{{Name: "phone", Label: "Phone", Mine: "1", Theirs: "2", MineShown: "1",
				TheirsShown: "2"}}}})
	of(s, "Fields of people", "Fields of people", pages.OwnFieldsOfPeople).
		worded(func(w words) pages.OwnFieldsPage {
			return pages.OwnFieldsPage{Action: here, Back: here, Form: pages.OwnFieldForm{Label: w.label, Types: option("Text")},
				Rows: []pages.OwnFieldRow{{Label: w.label, Type: "Several choices", Options: w.title, Values: "12 people", URL: here}}}
		}).
		is("empty", pages.OwnFieldsPage{Action: here, Back: here})
	of(s, "Field of people", "Field Shirt", pages.OwnFieldOfPeople).
		is("choices", pages.OwnFieldPage{Action: here, Cancel: here, Type: "One of several choices", HasOptions: true,
			Form: pages.OwnFieldForm{Label: "Shirt", Options: "S\nM"}})
}
