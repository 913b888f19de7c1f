package gallery

import (
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages/decisions"
)

// decisions adds the queues, a commit before, while and after it runs, and an undo.
func (s *shelf) decisions() {
	queues := []decisions.Queue{{Value: "both", Name: "Look at all 55"},
		{Value: "accept_queue", Status: "accept_queue", Name: "Look at 24", Count: "24 submissions", URL: here},
		{Value: "decline_queue", Status: "decline_queue", Name: "Look at 31", Count: "31 submissions", URL: here}}
	commits := func(w words) []decisions.CommitDone {
		return []decisions.CommitDone{{URL: here, Title: "Sun 22 Nov 2026, 10:00 WET", By: w.person, Decided: "52", Letters: "61"},
			{URL: here, Title: "Sat 21 Nov 2026, 9:00 WET", By: w.person, Decided: "3", Letters: "4", State: "3 of 12 done"}}
	}
	of(s, "Decisions", "Decisions", decisions.Decisions).
		worded(func(w words) decisions.Page {
			return decisions.Page{Base: here, Queues: queues, Commits: commits(w), Triage: here}
		}).
		is("none", decisions.Page{Base: here, Triage: here})
	s.commit()
	s.undoneDecision()
}

func commitNumbers(n, letters, people string) []components.Figure {
	return []components.Figure{{Number: n, Text: "statuses change"}, {Number: n, Text: "events", Code: "decision.committed"},
		{Number: letters, Text: "letters drafted"}, {Number: people, Text: "people will see it in their place"},
		{Number: "2", Text: "people cannot be written to: no e-mail address", Names: "Plum and 佐藤 健"}, {Number: "0", Text: "letters sent"}}
}

func (s *shelf) commit() {
	row := func(w words, id, status, becomes, note, tone string) decisions.CommitRow {
		return decisions.CommitRow{ID: id, URL: here, Title: w.title, Meta: "A-112 · " + w.person, Status: status, Becomes: becomes,
			CanTick: becomes != "", Ticked: id != "c", Note: note, Tone: tone}
	}
	opened := func(w words) decisions.CommitPage {
		changed := row(w, "e", "accept_queue", "", "", "")
		changed.Include, changed.Token = "Include as accepted", "2026-11-22T10:00:00.000Z"
		changed.Meta = "A-52 · " + w.person + " moved it from decline queue to accept queue at 14:09"
		decided := row(w, "g", "accepted", "", "", "")
		decided.Meta = "A-9 · " + w.person + " moved it from accept queue to accepted at 14:10"
		return decisions.CommitPage{Shell: in("Commit 52 decisions"), Base: here, Here: here, List: here, Prepared: true,
			Lead: "Opened at 14:06. Committing changes statuses and drafts letters. It sends nothing.", Verb: "Commit 52 decisions",
			Shown: "1 to 50 of 53", Next: "2", Numbers: commitNumbers("52", "61", "58"), Parts: []decisions.CommitPart{
				{Title: "Will change", Count: "52", Says: "21 accepted, 31 declined. Untick a row to leave it in its queue.", Pages: true,
					Rows: []decisions.CommitRow{row(w, "a", "accept_queue", "accepted", "2 letters", ""),
						row(w, "b", "decline_queue", "declined", "No e-mail address", "warn"),
						row(w, "c", "accept_queue", "accepted", "1 letter", "")}},
				{Title: "Changed since you opened this", Count: "2", Says: "Not included until you look at them.",
					Rows: []decisions.CommitRow{changed, row(w, "f", "pending", "", "Cannot be included", "")}},
				{Title: "Already decided", Count: "1", Says: "Nothing happens to these.", Rows: []decisions.CommitRow{decided}},
				{Title: "Withdrawn", Count: "60", Says: "Taken back by their speakers.", More: "and 10 more",
					Rows: []decisions.CommitRow{row(w, "h", "withdrawn", "", "", "")}}}}
	}
	nothing := decisions.CommitPage{Shell: in("Nothing to commit"), Base: here, Here: here, List: here, Prepared: true,
		Lead: "Opened at 14:06.", Numbers: commitNumbers("0", "0", "0")}
	running := decisions.CommitPage{Shell: in("Committing decisions"), Base: here, Here: here, List: here, Running: true, Done: 21, Total: 52,
		Lead: "Started by Ada Byron, Sun 22 Nov 2026, 10:00. Nothing was sent.", Progress: "21 of 52 done",
		Numbers: commitNumbers("21", "25", "24"), Parts: []decisions.CommitPart{{Title: "Committed", Count: "21",
			Says: "21 accepted, 0 declined.", Pages: true, Rows: []decisions.CommitRow{row(plain, "a", "accepted", "", "1 letter", "")}}}}
	committed := running.Parts
	running.Parts, running.Numbers = nil, running.Numbers[:3]
	done := running
	done.Shell, done.Running, done.Done, done.Progress = in("50 decisions committed"), false, 52, "52 of 52 done"
	done.Letters, done.Undo, done.Retry, done.Outcome = here, here, here, "52 of 52 done"
	failed := row(plain, "z", "", "", "", "")
	failed.Meta = "A-31 · Something went wrong on our side. Try again."
	done.Parts = append([]decisions.CommitPart{{Title: "Not decided", Count: "2", Says: "Still in their queue.",
		Rows: []decisions.CommitRow{failed}}}, committed...)
	undone := done
	undone.Undo, undone.Retry, undone.Undone, undone.Parts = "", "", here, committed
	of(s, "Commit", "", decisions.Commit).worded(opened).is("nothing", nothing).is("running", running).is("done in part", done).
		is("undone", undone)
}

func (s *shelf) undoneDecision() {
	ask := func(w words) decisions.UndoDecisionPage {
		return decisions.UndoDecisionPage{ConfirmPage: layouts.ConfirmPage{Shell: in("Undo the decision on A-112?"),
			Action: here, Cancel: here,
			Verb: "Undo the decision", Keeps: true, Text: "“" + w.title + "” is accepted. Decided by " + w.person + ", Sun 22 Nov 2026, 10:00.",
			Points: []string{"The decision keeps its number, and the activity shows that it was undone.",
				"1 letter of it has not gone out and never will.", "2 people were told of it, or may have been."}},
			Choices: []decisions.UndoChoice{{Value: "accept_queue", Name: "Not decided: back to accept queue", Chosen: true,
				Hint: "A letter is drafted to 2 people, which takes the last one back."},
				{Value: "declined", Name: "Declined", Hint: "That is a decision too: new letters are drafted in place of the last ones."}},
			Everybody: "1 person", Reason: w.text}
	}
	of(s, "Undo a decision", "", decisions.UndoDecision).worded(ask).is("refused", ask(plain), "reason", "has 900 characters; at most 500 are allowed")
}
