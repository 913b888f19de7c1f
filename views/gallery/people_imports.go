package gallery

import "lectern/views/pages/people"

func (s *shelf) imports() {
	at := func(w words, step int) people.ImportShell {
		return people.ImportShell{Base: here, Here: here, Step: step, File: w.title, Told: "Checked 200 rows of " + w.title + "."}
	}
	counts := []people.ImportCount{{Number: "142", Name: "New", About: "nobody with this e-mail"},
		{Number: "31", Name: "Known, with changes", About: "47 fields would be filled"},
		{Number: "15", Name: "Known, nothing new", About: "stay as they are"},
		{Number: "12", Name: "To correct", About: "correct and upload again", Bad: true}}
	of(s, "Import", "Import people", people.Imports).
		is("first", people.ImportsPage{ImportShell: at(plain, 1)}).
		is("faults", people.ImportsPage{ImportShell: at(plain, 1)}, "file", "cannot be imported. The file is empty.").
		worded(func(w words) people.ImportsPage {
			return people.ImportsPage{ImportShell: at(w, 1), Before: []people.ImportRow{
				{Name: w.title, URL: here, When: "20 May 2027, 09:40", By: w.person, Outcome: "142 new, 31 changed"}}}
		})
	of(s, "Import, columns", "What is in which column?", people.ImportColumns).worded(func(w words) people.ImportColumnsPage {
		return people.ImportColumnsPage{ImportShell: at(w, 2), Rows: "200, and one heading", Earlier: "No.", Verb: "Check 200 rows",
			Encodings: option("UTF-8", "Windows-1252"), Separated: option("Semicolons", "Commas"), Columns: []people.ImportColumn{
				{Field: "columns[0]", Name: w.label, Samples: []string{w.person, "", "Plum"}, Options: option("First name"),
					Sure: "Sure", Look: "good"},
				{Field: "columns[1]", Name: "Name2", Samples: []string{"N. D."}, Options: option("Leave out", w.label),
					Sure: "Please look", Look: "warn"},
				{Field: "columns[2]", Name: w.label, Samples: []string{w.text}, Options: option("Leave out"), Sure: "Left out",
					Why: "Speakers answer this for themselves."}}}
	}).is("nothing chosen", people.ImportColumnsPage{ImportShell: at(plain, 2), Verb: "Check 200 rows"}, "columns",
		"must tell the name: the first and the last name, or the full name")
	of(s, "Import, check", "173 people can come in, 12 rows cannot", people.ImportCheck).
		worded(func(w words) people.ImportCheckPage {
			return people.ImportCheckPage{ImportShell: at(w, 3), Counts: counts, Count: "12", More: "and 11 more",
				Faults: []people.ImportFault{{Row: "14", Person: w.person, Column: w.label, Text: w.email, Reason: "The part after @ has no dot."}},
				Policies: []people.ImportPolicy{{Value: "fill", Name: "Fill what is blank", About: "47 fields in 31 contacts.", Chosen: true},
					{Value: "skip", Name: "Leave them alone", About: "Only 142 new people come in."}},
				LeftOut: []people.ImportLeftOut{{Name: w.label}, {Name: w.label,
					Why: "Speakers answer this for themselves."}},
				Named:   w.person + " is at this event without an e-mail address. The row of the file is taken for them.",
				ByName:  "2 people have no e-mail address. They come in by their name.",
				Earlier: "This very file was imported by " + w.person + ".", EarlierURL: here}
		}).is("nothing to import", people.ImportCheckPage{ImportShell: at(plain, 3), IsEmpty: true})
	of(s, "Import, progress", "People are coming in", people.ImportProgress).
		is("at work", people.ImportProgressPage{ImportShell: at(plain, 4), Running: true, Done: 40, Total: 173,
			Progress: "40 of 173 people written"}).
		worded(func(w words) people.ImportProgressPage {
			return people.ImportProgressPage{ImportShell: at(w, 4), IsGood: true, Counts: counts, People: here,
				Facts: []string{"Imported by " + w.person + "."}, Failed: "Download 12 rows to correct"}
		}).is("failed", people.ImportProgressPage{ImportShell: at(plain, 4), Again: here,
		Facts: []string{"The server stopped in the middle of it. Nothing was imported; start it again."}})
}
