package gallery

import (
	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages/people"
	"lectern/views/toolbar"
)

// asked returns form fields of each kind.
func asked(w words) []people.FormField {
	return []people.FormField{
		{Control: field.OneLine, Field: components.Field{Name: "first_name", Label: "First name", Value: w.person}},
		{Control: field.OneLine, Field: components.Field{Name: "email", Label: "E-mail", Value: w.email, Type: "email"}},
		{Control: field.Lines, Field: components.Field{Name: "travel_notes", Label: w.label, Value: w.title}},
		{Control: field.Lines, IsHTML: true, Limit: 1000, Field: components.Field{Name: "about", Label: "Biography", Value: w.html}},
		{Control: field.Select, Field: components.Field{Name: "shirt", Label: w.label}, Options: option("None", w.place)},
		{Control: field.Checks, Field: components.Field{Name: "langs", Label: "Languages", Hint: w.title},
			Options: option("Portuguese", w.label)},
	}
}

// contactRows are people of an event in a list.
func contactRows(w words) []people.Row {
	years := func(names ...string) []people.Year {
		years := []people.Year{}
		for _, name := range names {
			years = append(years, people.Year{Short: name, Name: "Tideline"})
		}
		return years
	}
	return []people.Row{
		{ID: "p1", Name: w.person, Company: w.label, Email: w.email, URL: here, Photo: "/static/icon.svg",
			Cells: []people.Cell{{IsStatus: true, Status: models.Confirmed}, {Title: w.title, URL: here, Links: []toolbar.Choice{
				{Name: "2 sessions", URL: here}, {Name: "1 submission", URL: here}}},
				{Years: years("’25", "Small Craft 2026", "Tideline 2026")}, {Step: "good", Text: "Arrives " +
					w.place}, {Text: w.email, IsEmail: true}}},
		{ID: "p2", Name: "Li Wei", URL: here, Cells: []people.Cell{{IsStatus: true, Status: models.StatusDeclined},
			{Text: "None yet", IsMuted: true}, {Years: years("’26")}, {}, {IsEmail: true}}},
		{ID: "p3", Name: "Plum", URL: here, Cells: []people.Cell{{IsStatus: true}, {Text: w.title}, {Years: years()},
			{Step: "warn", Text: "Not known yet"}, {IsEmail: true}}},
	}
}

// contactColumns are the columns of contactRows.
var contactColumns = []toolbar.Column{{Key: "workflow_status", Name: "Status"}, {Key: "sessions", Name: "Sessions"},
	{Key: "events", Name: "Came before"}, {Key: "travel", Name: "Travel"}, {Key: "email", Name: "E-mail"}}

// contactBar returns the line above a list of people, with filters of each kind.
func contactBar(w words) toolbar.Bar {
	return toolbar.Bar{Base: here, Text: w.person, Placeholder: "Name, company or e-mail", Found: "143", Total: "1,204",
		What: "people", CSV: here, AllCSV: here, Clear: here, Chips: []toolbar.Chip{{Label: "Company", Text: w.label, Without: here}},
		Orders:  []toolbar.Choice{{Name: "By name", URL: here, Current: true}, {Name: "Lately changed", URL: here}},
		Columns: &toolbar.ColumnChoice{Base: here, Columns: option("Status", w.label), Legend: "Columns beside the name"},
		Filters: []toolbar.FilterGroup{{Name: "status", Label: "Status", Many: true, Options: option("Invited", "Confirmed"), On: 1},
			{Name: "own_x", Label: w.label, On: 1, Inputs: []toolbar.FilterInput{{Name: "own_x_from", Label: "From", Type: "date"},
				{Name: "own_x_is", Label: "Filled in or not", Options: option("Filled in", "Not filled in")}}}}}
}

// segmentsOf returns some segments.
func segmentsOf(w words) people.Segments {
	return people.Segments{Base: here, MayShare: true, All: []people.Segment{{Name: w.label, URL: here, Shared: true, Current: true},
		{Name: "Mine", URL: here}}}
}

func (s *shelf) contacts() {
	tabs := func(w words) []components.Tab {
		return []components.Tab{{Name: "Speakers", URL: here, Count: "143", Current: true}, {Name: "Everybody", URL: here,
			Count: "160"}, {Name: w.label, URL: here}}
	}
	changed, refused := segmentsOf(plain), segmentsOf(plain)
	changed.Current = &people.SegmentShown{Name: plain.label, URL: here, IsChanged: true, MayChange: true}
	refused.Open, refused.Name, refused.Faults = true, "Mine", components.Faults{{Field: "name", Message: "is taken"}}
	roster := func(menu people.Segments) people.Page {
		return people.Page{Base: here, OfEvent: true, MayChange: true, Segments: menu, Tabs: tabs(plain), Bar: contactBar(plain),
			People: contactRows(plain), Columns: contactColumns, Everyone: here, Pages: pager}
	}
	of(s, "Speakers", "Speakers", people.Contacts).
		worded(func(w words) people.Page {
			return people.Page{Base: here, Text: w.person, Words: store.SearchWords(w.label), Pages: pager, OfEvent: true,
				MayChange: true, People: contactRows(w), Columns: contactColumns, Narrowed: true, Everyone: here, Tabs: tabs(w),
				Segments: segmentsOf(w), Bar: contactBar(w), Imports: here, Bulk: &toolbar.Bulk{Action: here, All: "All 143 matching",
					Verbs: []toolbar.BulkVerb{{Do: "invited", Name: "Invited", Icon: "hourglass", Key: "i"}},
					Menus: []toolbar.BulkMenu{{Name: "Other status", Parts: []toolbar.BulkPart{{Fields: []toolbar.FilterField{{Name: "to",
						Label: "Status", Options: option("Declined")}}, Verb: toolbar.BulkVerb{Do: "other", Name: "Change status"}}}}}}}
		}).
		is("a segment, changed", roster(changed)).
		is("a segment, refused", roster(refused), "name", "is taken").
		is("empty", people.Page{Base: here, OfEvent: true, MayChange: true, Tabs: tabs(plain), Nobody: people.Nobody{
			Title: "No speakers yet", Text: "Whoever is on a submission or session, added or imported is listed here."}}).
		is("nobody matches", people.Page{Base: here, Text: "zeppelin", Everyone: here, OfEvent: true, Tabs: tabs(plain)})
	of(s, "Contacts", "Contacts", people.Contacts).
		worded(func(w words) people.Page {
			return people.Page{Base: here, Pages: pager, MayChange: true, People: contactRows(w), Columns: contactColumns,
				Compact: true, Events: "5 events", Everyone: here, Tabs: []components.Tab{{Name: "Everybody", URL: here, Count: "1,204", Current: true},
					{Name: "Overview", URL: here}}, Segments: segmentsOf(w), Bar: contactBar(w)}
		}).
		is("empty", people.Page{Base: here, Everyone: here, Events: "1 event"})
	of(s, "Segment", "Segment Mentors", people.SegmentEditor).
		worded(func(w words) people.SegmentPage {
			return people.SegmentPage{Action: here, Cancel: here, Delete: here, MayShare: true,
				Edit: edit("name", w.label, "shared", "yes")}
		}).
		is("conflict", people.SegmentPage{Edit: clashing})
	s.contactPages()
}

// contactPages adds the pages around the lists of people.
func (s *shelf) contactPages() {
	of(s, "Contacts overview", "People in numbers", people.Overview).
		worded(func(w words) people.OverviewPage {
			return people.OverviewPage{Base: here, Numbers: []people.OverviewRow{{Count: "1,204", Name: "People", URL: here},
				{Count: "96", Name: "At more than one event", URL: here}},
				Events:    []people.OverviewRow{{Name: w.label, Count: "143", URL: here}},
				Companies: []people.OverviewRow{{Name: w.place, Count: "12", URL: here}}}
		}).
		is("empty", people.OverviewPage{Base: here})
	of(s, "Person form", "Edit Ada", people.PersonForm).
		worded(func(w words) people.PersonFormPage {
			return people.PersonFormPage{Action: here, Cancel: here, Verb: "Save", RowToken: "t", Fields: asked(w)}
		}).
		is("new", people.PersonFormPage{Action: here, Cancel: here, Verb: "Add person", OfEvent: true, Fields: asked(plain)[:2]}).
		is("conflict", people.PersonFormPage{Conflict: new(conflict(plain))})
	of(s, "Fields of people", "Fields of people", people.OwnFieldsOfPeople).
		worded(func(w words) people.OwnFieldsPage {
			return people.OwnFieldsPage{Action: here, Back: here, Edit: edit("label", w.label), Types: option("Text"),
				Rows: []people.OwnFieldRow{{Label: w.label, Type: "Several choices", Options: w.title, Values: "12 people", URL: here}}}
		}).
		is("empty", people.OwnFieldsPage{Action: here, Back: here})
	of(s, "Field of people", "Field Shirt", people.OwnFieldOfPeople).
		is("choices", people.OwnFieldPage{Action: here, Cancel: here, Type: "One of several choices", HasOptions: true,
			Edit: edit("label", "Shirt", "options", "S\nM")})
}
