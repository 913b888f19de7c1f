package triage

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/triage"
	"lectern/web/admin/lists"
	"lectern/web/admin/sessions"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// before and onward are how many rows of the list are shown before a submission, and from it on.
const before, onward = 10, 30

// stepsShown is how many of the last steps are shown, and stepsKept how many can be undone.
const stepsShown, stepsKept = 3, 50

// showTriage shows the submissions to sort, with the submission of the path, or the first, open.
func showTriage(v *visit.Visit) error {
	l, err := lists.Valid(v, lists.Of(v, "triage"))
	if err != nil {
		return err
	}
	return show(v, http.StatusOK, l, v.Params("id"))
}

// triagePath returns the address of a submission in a list of triage, or of the list for "".
func triagePath(v *visit.Visit, l lists.List, id string) string {
	path := v.At("/triage")
	if id != "" {
		path += "/" + id
	}
	return path + l.With("page", "")
}

// triageUndo returns the address at which a step is undone.
func triageUndo(v *visit.Visit, l lists.List) string {
	return v.At("/triage/undo") + l.With("page", "")
}

// moveInTriage does what a key says, and leads to the next submission of the list that the user saw.
func moveInTriage(v *visit.Visit) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	l, err := lists.Valid(v, lists.Of(v, "triage"))
	if err != nil {
		return err
	}
	s, err := sessions.Live(v)
	if err != nil {
		return err
	}
	to := models.Status(v.Value("to"))
	b, err := v.Programme.MoveToQueue(v.UserContext(), s.ID, to, token)
	v.TellAt("reading")
	switch store.KindOf(err) {
	case store.Stale:
		return movedMeanwhile(v, l, s.ID, to)
	case store.Invalid:
		return v.SeeRefusal(triagePath(v, l, s.ID), s.FriendlyID+" "+err.Error()+".")
	}
	if err != nil {
		return err
	}
	next, err := v.Programme.NextTo(v.UserContext(), l.Search(), s)
	if err != nil {
		return err
	}
	if b == nil { // nothing changed
		return v.See(triagePath(v, l, next), "")
	}
	return v.SeeUndo(triagePath(v, l, next), s.FriendlyID+" is "+sessions.WhereIs(to)+".", triageUndo(v, l),
		components.Hidden{Name: "batch", Value: b.ID})
}

// movedMeanwhile shows a submission as somebody else left it since the user saw it. Nothing is overwritten.
func movedMeanwhile(v *visit.Visit, l lists.List, id string, to models.Status) error {
	s, err := sessions.Live(v)
	if err != nil {
		return err
	}
	who, err := v.WhoChanged(id, []string{s.FriendlyID}, s.UpdatedAt)
	if err != nil {
		return err
	}
	text := who + ", it is " + sessions.WhereIs(s.Status) + ". "
	if s.Status == to {
		text += "That is what you wanted too."
	} else {
		text += "Nothing was overwritten. Look at it again, then decide."
	}
	v.WarnNow(text)
	return show(v, http.StatusConflict, l, id)
}

// undoInTriage undoes one of the user's own steps, and leads to its submission.
func undoInTriage(v *visit.Visit) error {
	l, err := lists.Valid(v, lists.Of(v, "triage"))
	if err != nil {
		return err
	}
	steps, err := v.Programme.LastSteps(v.UserContext(), v.User.ID, stepsKept)
	if err != nil {
		return err
	}
	v.TellAt("reading")
	i := slices.IndexFunc(steps, func(s *models.Step) bool { return s.BatchID == v.Value("batch") })
	if i < 0 {
		return v.SeeWarning(triagePath(v, l, ""),
			"Nothing was undone: that was taken back before, or somebody moved it on since.")
	}
	step := steps[i]
	b, err := v.Programme.UndoBatch(v.UserContext(), step.BatchID)
	if err == nil {
		b, err = v.Programme.FinishBatch(v.UserContext(), b.ID)
	}
	back := triagePath(v, l, step.SessionID)
	if store.KindOf(err) == store.Invalid || err == nil && b.Failed > 0 {
		return v.SeeWarning(back, "Somebody changed "+step.FriendlyID+" at the same time, so nothing was undone.")
	}
	return v.Done(err, back, step.FriendlyID+" is "+sessions.WhereIs(step.From)+" again.")
}

// sorting is a page of triage while it is built.
type sorting struct {
	*visit.Visit
	l      lists.List
	rounds []*models.ReviewRound
	window *models.Window
	page   pages.Page
}

// show shows the page, with a submission open; "" is the first of the list.
func show(v *visit.Visit, status int, l lists.List, id string) (err error) {
	v.Section = v.At("/triage")
	s := &sorting{Visit: v, l: l, page: pages.Page{AtRecord: id != "", List: triagePath(v, l, ""),
		Undo: triageUndo(v, l)}}
	if s.window, err = v.Programme.Around(v.UserContext(), l.Search(), id, before, onward); err != nil {
		return err
	}
	if at := s.window.At; at != nil && (!at.IsAbstract || at.DeletedAt != nil) {
		return store.NoSuch("submission")
	}
	if s.rounds, err = v.Rounds().Named(v.UserContext()); err != nil {
		return err
	}
	for _, part := range []func() error{s.head, s.bar, s.steps, s.rows} {
		if err := part(); err != nil {
			return err
		}
	}
	if status != http.StatusOK {
		v.Set("HX-Push-Url", "false") // a refused form's address must not enter the browser's history
	}
	return visit.Show(v, status, "Triage", pages.Triage, s.page)
}

// head fills in how far the work is, and the list's tabs.
func (s *sorting) head() error {
	intake, err := s.Programme.Intake(s.UserContext())
	if err != nil {
		return err
	}
	s.quotas(intake)
	all := intake.Statuses
	queued := all[models.AcceptQueue] + all[models.DeclineQueue]
	sorted := queued + all[models.Accepted] + all[models.Declined]
	s.page.Standing = visit.Number(sorted) + " of " + visit.Number(sorted+all[models.Pending]) +
		" sorted. Nothing leaves the house until you commit."
	if queued > 0 {
		s.page.Commit = pages.Link{Text: "Commit " + visit.Counted(queued, "decision…", "decisions…"),
			URL: s.At("/decisions")}
	}
	here := all
	if s.l.Wide() != s.l.With("page", "") {
		if here, _, err = s.Programme.StatusCounts(s.UserContext(), s.l.Filter()); err != nil {
			return err
		}
	}
	current := cmp.Or(s.l.Status(), models.Pending)
	for _, tab := range []struct {
		status      models.Status
		name, value string
	}{{models.Pending, "Waiting", ""}, {models.AcceptQueue, "Accept queue", string(models.AcceptQueue)},
		{models.DeclineQueue, "Decline queue", string(models.DeclineQueue)}} {
		s.page.Tabs = append(s.page.Tabs, components.Tab{Name: tab.name, URL: s.At("/triage") + s.l.With("status", tab.value),
			Count: visit.Number(here[tab.status]), Current: current == tab.status})
	}
	s.page.Empty = pages.Empty{Title: "All sorted", Text: "No submission waits for a decision."}
	if wide := s.l.Wide(); wide != s.l.With("page", "") {
		s.page.Empty = pages.Empty{Title: "Nothing matches", Text: "No submission here has all of that.",
			Clear: s.At("/triage") + wide}
	} else if current != models.Pending {
		s.page.Empty = pages.Empty{Title: "The " + strings.TrimPrefix(sessions.WhereIs(current), "in the ") + " is empty",
			Text: "What is put there stands here until it is committed."}
	}
	return nil
}
