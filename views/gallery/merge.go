package gallery

import (
	"lectern/views/components"
	"lectern/views/pages"
)

func (s *shelf) merge() {
	person := func(w words) pages.PairPerson {
		return pages.PairPerson{Name: w.person, Byline: w.label, Email: w.email, URL: here}
	}
	other := pages.PairPerson{Name: "N. Dlamini", Email: "n.dlamini@ledgerline.example", URL: here}
	of(s, "Pairs", "Pairs that look alike", pages.Pairs).
		worded(func(w words) pages.PairsPage {
			return pages.PairsPage{Base: here, Contacts: here, Total: "14 pairs", Pages: pager,
				Crowds: []string{"5,000 people have the same name as “" + w.person + "”: the oldest of them is shown with some of the " +
					"others at a time."},
				Pairs: []pages.PairRow{{Value: "a:b", First: person(w), Second: other, Strength: "Very likely", Look: "accepted",
					Why: "Same phone number, same name and company.", URL: here},
					{Value: "c:d", First: other, Second: person(w), Strength: "Possibly", Look: "draft", Why: "Same name.", URL: here}}}
		}).
		is("none", pages.PairsPage{Base: here, Contacts: here})
	of(s, "Compare", "Are these the same person?", pages.Compare).
		worded(func(w words) pages.ComparePage {
			return pages.ComparePage{Base: here, List: here, Version: "v", Action: here, Swap: here, Later: here,
				Survivor: pages.CompareSide{ID: "a", Name: w.person, Since: "Since 3 May 2023, 5 sessions", URL: here},
				Removed:  pages.CompareSide{ID: "b", Name: "N. Dlamini", Since: "Since 22 November 2026, 1 session", URL: here},
				Rows: []pages.CompareRow{
					{Name: "name", Label: "Name", Survivor: w.person, Removed: "N. Dlamini", Open: true},
					{Name: "email", Label: "E-mail", Survivor: w.email, Removed: "n@ledgerline.example", Open: true,
						Note: "The other stays as an alias, so later imports still match."},
					{Name: "job_title", Label: "Job title", Survivor: "Auditor", Removed: w.label, Open: true, Taken: true},
					{Name: "e.dietary", Label: "Dietary needs", Event: "Tideline 2027", Removed: "No shellfish", Taken: true,
						Note: "A blank never wins over a value."},
					{Name: "about", Label: "Biography", Survivor: w.html, Removed: "TBC", IsHTML: true, Open: true}},
				Same: []pages.CompareRow{{Label: "Company", Survivor: w.label}, {Label: "Phone", Survivor: "+27 1 234"}},
				Ways: []pages.MergeWay{{Email: w.email, Note: "The address of " + w.person + ": comes in if you choose it above."},
					{Email: "n@ledgerline.example", Note: "The address of N. Dlamini"},
					{Email: "nd@harbour.example", Ends: true, Note: "Typed for N. Dlamini and never proven; this ends"}},
				Moves: []pages.Moving{{Count: "1", What: "session"}, {Count: "2", What: "letters"}, {Count: "1", What: "note"}},
				Doubled: []components.Linked{{Before: "Both are on ", Label: "S-8", Name: w.title, URL: here,
					After: ". One seat stays, as speaker."}}}
		}).
		is("nothing moves", pages.ComparePage{Base: here, Action: here, List: here, Swap: here, Dismissed: true,
			Survivor: pages.CompareSide{ID: "a", Name: "Plum", URL: here}, Removed: pages.CompareSide{ID: "b", Name: "Plum", URL: here}})
	of(s, "Told apart", "Told apart", pages.Dismissed).
		worded(func(w words) pages.DismissedPage {
			return pages.DismissedPage{Base: here, Pairs: []pages.DismissedRow{{First: person(w), Second: other, FirstID: "a",
				SecondID: "b", When: "22 Nov 2026, 10:00, " + w.person}}}
		}).
		is("none", pages.DismissedPage{Base: here})
	of(s, "Merge with", "", pages.MergeWith).
		worded(func(w words) pages.MergeWithPage {
			return pages.MergeWithPage{Shell: in("Merge " + w.person + " with…"), Action: here, Back: here, Person: w.person, Text: "a",
				Searched: true, Found: []pages.PairPerson{person(w), other}}
		}).
		is("nobody", pages.MergeWithPage{Shell: in("Merge Plum with…"), Action: here, Back: here, Person: "Plum", Text: "x",
			Searched: true})
	of(s, "Merged", "", pages.Merges).
		worded(func(w words) pages.MergesPage {
			return pages.MergesPage{Shell: in("Merged into " + w.person), Back: here, Person: w.person,
				Merges: []pages.MergedAway{{Name: w.person, When: "22 Nov 2026, 10:00, Dana",
					Facts:  []components.Hidden{{Name: "First name", Value: w.person}, {Name: w.label, Value: w.title}},
					Before: []components.Hidden{{Name: "Job title", Value: "Auditor"}}}}}
		}).
		is("nobody", pages.MergesPage{Shell: in("Merged into Plum"), Back: here, Person: "Plum"})
}
