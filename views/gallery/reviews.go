package gallery

import (
	"lectern/views/components"
	"lectern/views/pages/reviews"
	"lectern/views/records"
)

// rounds adds the rounds of reviews, for organizers and for reviewers.
func (s *shelf) rounds() {
	form := reviews.RoundForm{Name: "First look", Blind: "yes", Closes: "2027-01-20T18:00"}
	of(s, "Review rounds", "Review rounds", reviews.Rounds).
		worded(func(w words) reviews.RoundsPage {
			return reviews.RoundsPage{Base: here, Identifying: here, Form: reviews.RoundForm{Blind: "yes"}, Rounds: []reviews.RoundsRow{
				{Name: "All submissions", URL: here, ResultsURL: here, Kind: "Gives all submissions, with their people", State: "Open",
					Progress: "124 reviews", Reviewers: "All who are on no other"},
				{Name: w.title, URL: here, ResultsURL: here, Kind: "Blind, gives what is assigned",
					State: "Open until Wed 20 Jan 2027, 18:00 WET", Progress: "12 of 38 reviewed", Reviewers: "3", Part: 12, Whole: 38},
			}, Questions: []components.Option{{Value: "a", Name: w.text, Chosen: true}, {Value: "b", Name: "Prior knowledge"}}}
		}).
		is("a name is missing", reviews.RoundsPage{Base: here, Form: form}, "name", "is needed")
	of(s, "Review round", "First look", reviews.Round).
		worded(func(w words) reviews.RoundPage { return roundPage(w, form) }).
		is("nobody yet", reviews.RoundPage{Base: here, Rounds: here, State: "Open", Form: form, Assigned: "Nothing assigned", AssignURL: here,
			ResultsURL: here, CardURL: here, Criteria: []reviews.CriterionRow{{Name: "Overall", Scale: "1 to 5, weight 1"}}}).
		is("all submissions", reviews.RoundPage{Base: here, Rounds: here, State: "Open", GivesAll: true, ResultsURL: here,
			Form: reviews.RoundForm{Name: "All submissions"}})
	of(s, "Scorecard", "Scorecard", reviews.Scorecard).
		worded(func(w words) reviews.ScorecardPage {
			return reviews.ScorecardPage{Base: here, Round: w.title, Rows: []reviews.CardRow{
				{At: "1", Name: "New to the audience", Kind: "number", Low: "1", High: "5", Weight: "2"},
				{At: "2", Name: w.label, Kind: "choice", Choices: "30 minutes\n45 minutes"}, {At: "3", Kind: "number", Low: "1", High: "5", Weight: "1"}}}
		}).
		is("refused", reviews.ScorecardPage{Base: here, Round: "First look", Rows: []reviews.CardRow{{At: "1", Name: "New", Kind: "number", Low: "5",
			High: "1", Weight: "1"}}}, "high_1", "must be above the lowest, both from 0 to 100")
	s.assigning()
	s.queues()
}

func roundPage(w words, form reviews.RoundForm) reviews.RoundPage {
	return reviews.RoundPage{Base: here, Rounds: here, State: "Open until Wed 20 Jan 2027, 18:00 WET", Form: form, AssignURL: here,
		ResultsURL: here, Assigned: "12 of 38 reviewed", MayInvite: true, Reminds: true,
		Criteria: []reviews.CriterionRow{{Name: w.label, Scale: "1 to 5, weight 2"}, {Name: "Length", Scale: "30 minutes, 45 minutes"}},
		Reviewers: []reviews.RoundReviewer{
			{Name: w.person, Email: "a@example.org", Assigned: "20", Waiting: "8", Part: 12, Whole: 20, Aside: "2 set aside", WaitsForThem: true},
			{Name: "Li Na", Email: "li@example.org", Assigned: "18", Waiting: "18", Whole: 18, WaitsForThem: true},
			{Name: "later@example.org", Email: "later@example.org", Invited: true, Assigned: "0", Waiting: "0"}},
		Candidates: []components.Option{{Value: "x", Name: "Dana Demo"}}}
}

func (s *shelf) assigning() {
	people := []components.Option{{Value: "a", Name: "Li Na", Chosen: true}, {Value: "b", Name: "Søren Kjær", Chosen: true}}
	tracks := []components.Option{{Name: "All tracks"}, {Value: "t", Name: "Safe harbour"}}
	of(s, "Assign submissions", "Assign submissions", reviews.Assign).
		is("empty", reviews.AssignPage{Base: here, Round: "First look", Tracks: tracks, Reviewers: people, Each: "2"}).
		worded(func(w words) reviews.AssignPage {
			return reviews.AssignPage{Base: here, Round: "First look", Tracks: tracks, Reviewers: people, Each: "2", Limit: "40",
				Plan: &reviews.AssignPlan{Text: "78 new assignments of 40 submissions", Button: "Assign 78", More: "And 1 more",
					Folded: []reviews.AssignShort{{Label: "A-18", Title: "Another", URL: here, Missing: "2 reviewers are missing"}},
					Rows:   []reviews.AssignRow{{Name: w.person, New: "39", Total: "40"}, {Name: "Li Na", New: "39", Total: "39"}},
					Short:  []reviews.AssignShort{{Label: "A-17", Title: w.title, URL: here, Missing: "1 reviewer is missing"}}}}
		})
	of(s, "Who reviews one", plain.title, reviews.AssignOne).
		is("plain", reviews.AssignOnePage{Base: here, Action: here, Round: "First look", Label: "A-17", SessionURL: here, Reviewers: people}).
		is("nobody reviews yet", reviews.AssignOnePage{Base: here, Action: here, Round: "First look", Label: "A-17",
			SessionURL: here})
	of(s, "Assign one by one", "Assign one by one", reviews.Cover).
		is("nothing found", reviews.CoverPage{Base: here, Round: "First look", Text: "nowhere"}).
		worded(func(w words) reviews.CoverPage {
			return reviews.CoverPage{Base: here, Round: w.label,
				Pages: components.Pages{From: "1", To: "2", Total: "80", What: "submissions", Next: here},
				Rows: []reviews.CoverRow{{Label: "A-17", Title: w.title, URL: here, Status: "pending", Reviewers: "No reviewer yet"},
					{Label: "A-2", Title: "Another", URL: here, Status: "accept_queue", Reviewers: "2 reviewers",
						Aside: "1 set aside"}}}
		})
	heads := []reviews.ResultHead{{Name: "Submission", URL: here}, {Name: "Track"}, {Name: "Status"},
		{Name: "Mean", URL: here, Sorted: "descending", Number: true}, {Name: "Scores", URL: here, Number: true},
		{Name: "Spread", URL: here, Number: true}, {Name: "Waiting", Number: true}}
	of(s, "Results of a round", "Results", reviews.Results).
		is("empty", reviews.ResultsPage{Base: here, Round: "First look", CSV: here, Tracks: tracks}).
		worded(func(w words) reviews.ResultsPage {
			return reviews.ResultsPage{Base: here, Round: "First look", CSV: here, Tracks: tracks, Heads: heads,
				Pages: components.Pages{From: "1", To: "2", Total: "38", What: "submissions", Next: here}, Rows: []reviews.ResultRow{
					{Label: "A-17", Title: w.title, URL: here, People: w.person + ", Wei Zhang (moderator)", Track: w.label, Status: "pending",
						Mean: "4.33", Count: "3", Spread: "0.47", Waiting: "0", AssignURL: here},
					{Label: "A-18", Title: "Another", URL: here, People: "Li Na", Status: "accept_queue", Count: "0", Waiting: "2", AssignURL: here}}}
		})
}

func (s *shelf) queues() {
	of(s, "Rounds of a reviewer", "Reviews", reviews.MyRounds).
		is("empty", reviews.MyRoundsPage{Text: "Nothing to review yet"}).
		worded(func(w words) reviews.MyRoundsPage {
			return reviews.MyRoundsPage{Text: "7 of 12 reviewed", Rounds: []reviews.MyRound{{Name: w.title, URL: here, Text: "7 of 12 reviewed",
				State: "Open until Wed 20 Jan 2027, 18:00 WET", Part: 7, Whole: 12},
				{Name: "Second", Text: "Nothing to review yet", State: "Opens Wed 3 Feb 2027, 09:00 WET"}}}
		})
	of(s, "Queue of a reviewer", "First look", reviews.MyQueue).
		is("all done", reviews.MyQueuePage{Rounds: here, Text: "12 of 12 reviewed", State: "Open"}).
		worded(func(w words) reviews.MyQueuePage {
			return reviews.MyQueuePage{Rounds: here, Text: "2 of 3 reviewed", State: "Open", NextURL: here,
				Waiting: []reviews.MyQueued{{Label: "A-17", Title: w.title, URL: here, Facts: w.label + ", Talk"}},
				Done: []reviews.MyQueued{{Label: "A-2", Title: w.title, URL: here, Said: "You gave 3.75", Facts: "Talk"},
					{Label: "A-3", Title: "Another", URL: here, Said: "You have a conflict of interest"}}}
		})
	of(s, "Submission of a round", plain.title, reviews.Sheet).
		worded(func(w words) reviews.SheetPage { return sheet(w, true) }).
		is("open round", sheet(plain, false)).
		is("closed", func() reviews.SheetPage {
			p := sheet(plain, true)
			p.Closed, p.Said = "This round is closed, so reviews stay as they are.", "You gave 3.75"
			return p
		}()).
		is("nothing chosen", sheet(plain, true), "answer-1", "is not chosen yet", "answer-2", "is not chosen yet")
}

func sheet(w words, blind bool) reviews.SheetPage {
	steps := func(texts ...string) (options []components.Option) {
		for _, text := range texts {
			options = append(options, components.Option{Value: text, Name: text})
		}
		return options
	}
	p := reviews.SheetPage{Queue: here, Round: "First look", Action: here, Label: "A-17", Facts: []string{w.label, "Talk", "Advanced"},
		Blind: blind, Text: "<p>" + w.text + "</p>", Progress: "7 of 12 reviewed",
		Answers: []records.Answer{{Question: "Has it been given before?", Text: w.text}},
		Criteria: []reviews.SheetCriterion{
			{Field: "answer-1", Name: "New to the audience", Kind: "number", Options: steps("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10")},
			{Field: "answer-2", Name: w.label, Kind: "number", Hint: "0 to 100"},
			{Field: "answer-3", Name: "Length", Kind: "choice", Options: steps("No answer", "30 minutes", "45 minutes")},
			{Field: "answer-4", Name: "What would make it better", Kind: "text", Value: w.text}}}
	if !blind {
		p.People = []reviews.SheetPerson{{Name: w.person}, {Name: "Wei Zhang", Role: "moderator"}}
	}
	return p
}
