package admin

import (
	"lectern/models"
	"lectern/views/pages"
)

// askOfComposing asks before each of many submissions becomes a session of its own.
func askOfComposing(_ string, _ models.BatchChange, what string, found, _ int64) pages.ConfirmPage {
	return pages.ConfirmPage{
		Keeps: true, Verb: "Compose " + what,
		Text: "Each becomes a session of its own, with its people, track, format, level and tags; title and description are " +
			"one text with the submission's. It gets no room, no time and is not public.",
		Points: []string{"Other services hear session.created for each new session if a webhook is set up for that."},
	}
}

// composingInNumbers is what the batch comes to.
func composingInNumbers(v *visit, q models.SessionSearch) (points []string, err error) {
	ids := q.Filter.IDs
	search := &q
	if len(ids) > 0 {
		search = nil
	}
	plan, err := v.programme.PlanCompose(v.ctx(), ids, search)
	if err != nil {
		return nil, err
	}
	points = []string{counted(plan.Sessions, "session", "sessions") + " made, with " + counted(plan.People, "person", "people") +
		" on " + map[bool]string{true: "it", false: "them"}[plan.Sessions == 1]}
	add := func(n int64, one, many string) {
		if n > 0 {
			points = append(points, counted(n, one, many))
		}
	}
	add(plan.Composed, "submission stays as it is: it is in a session already", "submissions stay as they are: they are in a session already")
	add(plan.Undecided, "submission stays as it is: it is not accepted", "submissions stay as they are: they are not accepted")
	add(plan.Untold, "of the sessions is held back from the public until its letter is sent",
		"of the sessions are held back from the public until their letters are sent")
	return points, nil
}
