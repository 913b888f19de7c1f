package lists

import (
	"net/http"
	"net/url"
	"strconv"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/web/admin/visit"
)

// askOfComposing asks for confirmation before each of many submissions becomes a session of its own.
func askOfComposing(_ models.BatchChange, what string, found, _ int64) layouts.ConfirmPage {
	return layouts.ConfirmPage{
		Keeps: true, Verb: "Compose " + what,
		Text: "Each becomes a session of its own, with its people, track, format, level and tags; title and description are " +
			"one text with the submission's. It gets no room, no time and is not public.",
		Points: []string{"Other services hear session.created for each new session if a webhook is set up for that."},
	}
}

// composingInNumbers adds the numbers of what the batch would make to the question.
func composingInNumbers(v *visit.Visit, q models.SessionSearch, p *layouts.ConfirmPage) error {
	ids, search := q.Filter.IDs, &q
	if len(ids) > 0 {
		search = nil
	}
	plan, err := v.Programme.PlanCompose(v.UserContext(), ids, search)
	if err != nil {
		return err
	}
	if plan.Sessions == 0 {
		return &store.Error{Kind: store.Invalid,
			Message: "Nothing can be composed: these are not accepted, or in a session already. Select others"}
	}
	p.Verb = "Compose " + visit.Counted(plan.Sessions, "submission", "submissions")
	points := []string{visit.Counted(plan.Sessions, "session", "sessions") + " made, with " +
		visit.Counted(plan.People, "person", "people") + " on " + map[bool]string{true: "it",
		false: "them"}[plan.Sessions == 1]}
	add := func(n int64, one, many string) {
		if n > 0 {
			points = append(points, visit.Counted(n, one, many))
		}
	}
	add(plan.Composed, "submission stays as it is: it is in a session already",
		"submissions stay as they are: they are in a session already")
	add(plan.Undecided, "submission stays as it is: it is not accepted",
		"submissions stay as they are: they are not accepted")
	add(plan.Untold, "of the sessions is held back from the public until its letter is sent",
		"of the sessions are held back from the public until their letters are sent")
	p.Points = append(points, p.Points...)
	return nil
}

// composeSelected leads from a list to the page that composes the selected rows.
func composeSelected(v *visit.Visit, l List, form formOnList) error {
	ids := form.ticked
	if form.all {
		q := l.Search()
		q.Page = store.Page{Number: 1, Size: models.MaxParts + 1}
		rows, _, err := v.Programme.SearchSessions(v.UserContext(), q)
		if err != nil {
			return err
		}
		ids = IDsOf(rows)
	}
	if len(ids) > models.MaxParts {
		v.Faults = components.Faults{{Message: "A session has at most " + strconv.Itoa(models.MaxParts) +
			" parts. Select fewer, or compose each into a session of its own"}}
		return list(v, http.StatusUnprocessableEntity, l, form)
	}
	return v.Lead(ComposeAt(v, ids...))
}

// ComposeAt returns the address of the page that composes these submissions.
func ComposeAt(v *visit.Visit, ids ...string) string {
	return v.At("/compose?" + url.Values{"id": ids}.Encode())
}
