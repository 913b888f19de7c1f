package gallery

import (
	"lectern/views/components"
	"lectern/views/pages/people"
)

func (s *shelf) merge() {
	person := func(w words) people.PairPerson {
		return people.PairPerson{Name: w.person, Byline: w.label, Email: w.email, URL: here}
	}
	other := people.PairPerson{Name: "N. Dlamini", Email: "n.dlamini@ledgerline.example", URL: here}
	of(s, "Pairs", "Pairs that look alike", people.Pairs).
		worded(func(w words) people.PairsPage {
			return people.PairsPage{Base: here, Contacts: here, Total: "14 pairs", Pages: pager,
				Crowds: []string{"5,000 people have the same name as “" + w.person + "”: the oldest of them is shown with some of the " +
					"others at a time."},
				Pairs: []people.PairRow{{Value: "a:b", First: person(w), Second: other, Strength: "Very likely", Look: "accepted",
					Why: "Same phone number, same name and company.", URL: here},
					{Value: "c:d", First: other, Second: person(w), Strength: "Possibly", Look: "draft", Why: "Same name.", URL: here}}}
		}).
		is("none", people.PairsPage{Base: here, Contacts: here})
	of(s, "Compare", "Are these the same person?", people.Compare).
		worded(func(w words) people.ComparePage {
			return people.ComparePage{Base: here, List: here, Version: "v", Action: here, Swap: here, Later: here,
				Survivor: people.CompareSide{ID: "a", Name: w.person, Since: "Since 3 May 2023, 5 sessions", URL: here},
				Removed:  people.CompareSide{ID: "b", Name: "N. Dlamini", Since: "Since 22 November 2026, 1 session", URL: here},
				Rows: []people.CompareRow{
					{Name: "name", Label: "Name", Survivor: w.person, Removed: "N. Dlamini", Open: true},
					{Name: "email", Label: "E-mail", Survivor: w.email, Removed: "n@ledgerline.example", Open: true,
						Note: "The other stays as an alias, so later imports still match."},
					{Name: "job_title", Label: "Job title", Survivor: "Auditor", Removed: w.label, Open: true, Taken: true},
					{Name: "e.dietary", Label: "Dietary needs", Event: "Tideline 2027", Removed: "No shellfish", Taken: true,
						Note: "A blank never wins over a value."},
					{Name: "about", Label: "Biography", Survivor: w.html, Removed: "TBC", IsHTML: true, Open: true}},
				Same: []people.CompareRow{{Label: "Company", Survivor: w.label}, {Label: "Phone", Survivor: "+27 1 234"}},
				Ways: []people.MergeWay{{Email: w.email, Note: "The address of " + w.person + ": comes in if you choose it above."},
					{Email: "n@ledgerline.example", Note: "The address of N. Dlamini"},
					{Email: "nd@harbour.example", Ends: true, Note: "Typed for N. Dlamini and never proven; this ends"}},
				Moves: []people.Moving{{Count: "1", What: "session"}, {Count: "2", What: "letters"}, {Count: "1", What: "note"}},
				Doubled: []components.Linked{{Before: "Both are on ", Label: "S-8", Name: w.title, URL: here,
					After: ". One seat stays, as speaker."}}}
		}).
		is("nothing moves", people.ComparePage{Base: here, Action: here, List: here, Swap: here, Dismissed: true,
			Survivor: people.CompareSide{ID: "a", Name: "Plum", URL: here}, Removed: people.CompareSide{ID: "b", Name: "Plum", URL: here}})
	of(s, "Told apart", "Told apart", people.Dismissed).
		worded(func(w words) people.DismissedPage {
			return people.DismissedPage{Base: here, Pairs: []people.DismissedRow{{First: person(w), Second: other, FirstID: "a",
				SecondID: "b", When: "22 Nov 2026, 10:00, " + w.person}}}
		}).
		is("none", people.DismissedPage{Base: here})
	of(s, "Merge with", "", people.MergeWith).
		worded(func(w words) people.MergeWithPage {
			return people.MergeWithPage{Shell: in("Merge " + w.person + " with…"), Action: here, Back: here, Person: w.person, Text: "a",
				Searched: true, Found: []people.PairPerson{person(w), other}}
		}).
		is("nobody", people.MergeWithPage{Shell: in("Merge Plum with…"), Action: here, Back: here, Person: "Plum", Text: "x",
			Searched: true})
	of(s, "Merged", "", people.Merges).
		worded(func(w words) people.MergesPage {
			return people.MergesPage{Shell: in("Merged into " + w.person), Back: here, Person: w.person,
				Merges: []people.MergedAway{{Name: w.person, When: "22 Nov 2026, 10:00, Dana",
					Facts:  []components.Hidden{{Name: "First name", Value: w.person}, {Name: w.label, Value: w.title}},
					Before: []components.Hidden{{Name: "Job title", Value: "Auditor"}}}}}
		}).
		is("nobody", people.MergesPage{Shell: in("Merged into Plum"), Back: here, Person: "Plum"})
}
