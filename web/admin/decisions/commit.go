package decisions

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/decisions"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/decisions"
	"lectern/web/admin/batch"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// commitsShown is how many earlier commits the page shows.
const commitsShown = 20

// commitQueues are the queues that the form names.
var commitQueues = map[string][]models.Status{
	"both":                      {models.AcceptQueue, models.DeclineQueue},
	string(models.AcceptQueue):  {models.AcceptQueue},
	string(models.DeclineQueue): {models.DeclineQueue},
}

// listDecisions shows what waits in the queues, and earlier commits.
func listDecisions(v *visit.Visit) error {
	counts, _, err := v.Programme.StatusCounts(v.UserContext(), models.SessionFilter{IsAbstract: new(true)})
	if err != nil {
		return err
	}
	p := pages.Page{Base: v.At("/decisions"), Triage: v.At("/submissions?status=pending")}
	all := counts[models.AcceptQueue] + counts[models.DeclineQueue]
	if counts[models.AcceptQueue] > 0 && counts[models.DeclineQueue] > 0 {
		p.Queues = append(p.Queues, pages.Queue{Value: "both", Name: "Look at all " + visit.Number(all)})
	}
	for _, queue := range commitQueues["both"] {
		if n := counts[queue]; n > 0 {
			p.Queues = append(p.Queues, pages.Queue{Value: string(queue), Status: string(queue),
				Name: "Look at " + visit.Number(n), Count: visit.Counted(n, "submission", "submissions"),
				URL: v.At("/submissions?status=" + string(queue))})
		}
	}
	commits, err := decisions.Of(v.Programme).Commits(v.UserContext(), commitsShown)
	if err != nil {
		return err
	}
	for _, c := range commits {
		done := pages.CommitDone{URL: v.At("/decisions/" + c.ID), Title: page.When(&c.CreatedAt, v.Event.Location()),
			By: c.ActorName, Decided: visit.Number(int64(c.Decided)), Letters: visit.Number(int64(c.Letters))}
		if c.State == models.BatchRunning {
			done.State = visit.Number(int64(c.Succeeded)) + " of " + visit.Number(int64(c.Total)) + " done"
		}
		p.Commits = append(p.Commits, done)
	}
	return visit.Show(v, http.StatusOK, "Decisions", pages.Decisions, p)
}

// openCommit records what is in a queue now, and leads to the page of what a commit would do.
func openCommit(v *visit.Visit) error {
	queues, known := commitQueues[v.Value("queue")]
	if !known {
		return page.OldForm
	}
	q := models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(true), Statuses: queues}}
	return lists.OpenCommitOf(v, nil, &q, v.At("/decisions"))
}

func showCommit(v *visit.Visit) error {
	n, _ := strconv.Atoi(v.Query("page"))
	c, err := decisions.Of(v.Programme).Commit(v.UserContext(), v.Params("commit"), store.Page{Number: max(1, min(n, 999)),
		Size: visit.RowsAPage})
	if err != nil {
		return err
	}
	if last := commitPages(c); n > last { // beyond the last page
		return v.SeeInstead(lists.CommitAt(v, c.ID, last))
	}
	return commitPage(v, c, max(1, n))
}

// commitChoice reads which of the rows shown are ticked.
func commitChoice(v *visit.Visit) (c decisions.Choice) {
	ticked := v.Values("id")
	for _, id := range v.Values("shown") {
		switch {
		case !store.IsID(id):
		case slices.Contains(ticked, id):
			c.In = append(c.In, id)
		default:
			c.Out = append(c.Out, id)
		}
	}
	if id := v.Value("include"); store.IsID(id) {
		if seen, err := store.ParseTime(v.Value("token-" + id)); err == nil {
			c.Include = map[string]store.Time{id: seen}
		}
	}
	return c
}

// chooseCommit saves what is left out, and shows the page that was asked for.
func chooseCommit(v *visit.Visit) error {
	id := strings.Clone(v.Params("commit"))
	if err := decisions.Of(v.Programme).Choose(v.UserContext(), id, commitChoice(v)); err != nil {
		return err
	}
	n, _ := strconv.Atoi(v.Value("page"))
	return v.See(lists.CommitAt(v, id, n), "")
}

// startCommit starts the commit. A form sent again shows the same commit.
func startCommit(v *visit.Visit) error {
	b, err := decisions.Of(v.Programme).Start(v.UserContext(), strings.Clone(v.Params("commit")), commitChoice(v))
	if err != nil {
		return err
	}
	return v.See(lists.CommitAt(v, b.ID, 1), "")
}

// askUndoCommit asks for confirmation before all decisions of a commit are undone.
func askUndoCommit(v *visit.Visit) error {
	c, err := decisions.Of(v.Programme).Commit(v.UserContext(), v.Params("commit"), store.Page{Number: 1,
		Size: visit.TitlesShown})
	if err != nil {
		return err
	}
	base := v.At("/decisions/" + c.ID)
	if !c.CanUndo() {
		return v.See(base, "")
	}
	decided := c.Parts[models.CommitDecides]
	n := visit.Counted(int64(c.Effects.Decisions()), "decision", "decisions")
	p := layouts.ConfirmPage{
		Action: base + "/undo", Cancel: base, Verb: "Undo " + n, Keeps: true,
		Text: "What was decided goes back to its queue. What was changed since stays as it is.",
		Points: []string{
			"Letters that have not gone out never will. Whoever has theirs gets a draft that takes it back.",
			"The decisions keep their numbers, and the activity shows both.", updatesHeard,
		},
	}
	for _, row := range decided.Rows {
		p.Titles = append(p.Titles, row.FriendlyID+"  "+row.Title)
	}
	p.More = visit.AndMore(decided.Count, len(decided.Rows))
	return v.Ask("Undo "+n+"?", p)
}

// updatesHeard says what an undo tells other systems.
const updatesHeard = "Other services hear that the submissions changed if a webhook is set up for that."

func undoCommit(v *visit.Visit) error {
	c, err := decisions.Of(v.Programme).Commit(v.UserContext(), v.Params("commit"), store.Page{Number: 1, Size: 1})
	if err != nil {
		return err
	}
	undo := c.UndoneBy
	if undo == "" {
		b, err := v.Programme.UndoBatch(v.UserContext(), c.ID)
		if store.KindOf(err) == store.Invalid {
			return v.SeeWarning(lists.CommitAt(v, c.ID, 1), components.Sentence(components.Fault{Message: err.Error()}))
		}
		if err != nil {
			return err
		}
		undo = b.ID
	}
	return v.See(batch.At(v, undo, v.At("/submissions")), "")
}
