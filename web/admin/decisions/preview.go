package decisions

import (
	"net/http"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/decisions"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/decisions"
	"lectern/views/records"
	"lectern/web/admin/batch"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// commitPages returns the number of pages of the rows that are decided or left out.
func commitPages(c *decisions.Commit) int {
	return int(max(1, (c.Paged+visit.RowsAPage-1)/visit.RowsAPage))
}

// commitPage shows a commit that was opened or started.
func commitPage(v *visit.Visit, c *decisions.Commit, at int) error {
	base := v.At("/decisions/" + c.ID)
	p := pages.CommitPage{Base: base, Here: lists.CommitAt(v, c.ID, at), List: v.At("/decisions"), Prepared: c.Prepared,
		Running: c.AtWork(), Parts: commitParts(v, c), Numbers: commitNumbers(c)}
	n := c.Effects.Decisions()
	title := "Commit " + visit.Counted(int64(n), "decision", "decisions")
	opened := c.CreatedAt.In(v.Event.Location()).Format("15:04")
	p.Lead = "Opened at " + opened + ". Committing changes statuses and drafts letters. It sends nothing."
	switch {
	case c.Prepared && n > 0:
		p.Verb = title
	case c.Prepared:
		title = "Nothing to commit"
	default:
		title = visit.Counted(int64(n), "decision", "decisions") + " committed"
		p.Lead = "Started by " + c.ActorName + ", " + page.When(&c.CreatedAt, v.Event.Location()) + ". Nothing was sent."
		if p.Running {
			title = "Committing decisions"
		}
		commitDone(v, &p, c)
	}
	if pagesOf := commitPages(c); pagesOf > 1 {
		first := (at - 1) * visit.RowsAPage
		p.Shown = visit.Number(int64(first+1)) + " to " + visit.Number(min(int64(first+visit.RowsAPage), c.Paged)) +
			" of " + visit.Number(c.Paged)
		if at > 1 {
			p.Previous = visit.Number(int64(at - 1))
		}
		if at < pagesOf {
			p.Next = visit.Number(int64(at + 1))
		}
	}
	return visit.Show(v, http.StatusOK, title, pages.Commit, p)
}

// commitDone fills in the results of a commit that was started.
func commitDone(v *visit.Visit, p *pages.CommitPage, c *decisions.Commit) {
	p.Done, p.Total = c.Succeeded+c.Failed, c.Total
	p.Progress = visit.Number(int64(p.Done)) + " of " + visit.Number(int64(p.Total)) + " done"
	if p.Running {
		p.Refresh = "1"
		return
	}
	p.Outcome = p.Progress
	if c.Failed > 0 {
		p.Retry = v.At("/batches/" + c.ID + "/retry")
	}
	if c.Effects.Letters > 0 {
		p.Letters = v.At("/letters")
	}
	if c.CanUndo() && c.Effects.Decisions() > 0 {
		p.Undo = p.Base + "/undo"
	}
	if c.UndoneBy != "" {
		p.Undone = batch.At(v, c.UndoneBy, v.At("/submissions"))
	}
}

// commitNumbers returns the effects as they will be, or as they were.
func commitNumbers(c *decisions.Commit) []components.Figure {
	e, n := c.Effects, int64(c.Effects.Decisions())
	say := func(n int64, todo, done string) components.Figure {
		return components.Figure{Number: visit.Number(n), Text: map[bool]string{true: todo, false: done}[c.Prepared]}
	}
	one := func(n int64, one, many string) string { return map[bool]string{true: one, false: many}[n == 1] }
	emits := say(n, one(n, "event", "events"), one(n, "event", "events"))
	emits.Code = "decision.committed"
	if c.AtWork() { // the people of a running commit are not counted
		return []components.Figure{say(n, "", one(n, "status changed", "statuses changed")), emits,
			say(int64(e.Letters), "", one(int64(e.Letters), "letter drafted", "letters drafted")), say(0, "", "letters sent")}
	}
	numbers := []components.Figure{
		say(n, one(n, "status changes", "statuses change"), one(n, "status changed", "statuses changed")), emits,
		say(int64(e.Letters), one(int64(e.Letters), "letter drafted", "letters drafted"), one(int64(e.Letters),
			"letter drafted", "letters drafted")),
		say(int64(e.People), one(int64(e.People), "person will see it in their place", "people will see it in their place"),
			one(int64(e.People), "person sees it in their place", "people see it in their place")),
	}
	if e.Unreachable > 0 {
		none := say(int64(e.Unreachable), "", "")
		none.Text = one(int64(e.Unreachable), "person cannot be written to: no e-mail address",
			"people cannot be written to: no e-mail address")
		none.Names = visit.Enumerated(c.Nowhere)
		if more := e.Unreachable - len(c.Nowhere); more > 0 {
			none.Names = strings.Join(c.Nowhere, ", ") + " and " + visit.Number(int64(more)) + " more"
		}
		numbers = append(numbers, none)
	}
	return append(numbers, say(0, "letters sent", "letters sent"))
}

// commitHeads are the parts in order, with the words for each before and after.
var commitHeads = []struct {
	of                        models.CommitOutcome
	title, says, done, became string
}{
	{models.CommitDecides, "Will change", "", "Committed", ""},
	{models.CommitLeftOut, "Left out", "", "Left out", "Still in their queue."},
	{models.CommitChanged, "Changed since you opened this", "Not included until you look at them.",
		"Changed before it was their turn", "Not decided; look at them again."},
	{models.CommitDecided, "Already decided", "Nothing happens to these.", "Already decided",
		"Nothing happened to these."},
	{models.CommitWithdrawn, "Withdrawn", "Taken back by their speakers.", "Withdrawn", "Taken back by their speakers."},
	{models.CommitNoQueue, "In no queue", "Nothing happens to these.", "In no queue", "Nothing happened to these."},
}

func commitParts(v *visit.Visit, c *decisions.Commit) (parts []pages.CommitPart) {
	if failed := commitFailures(v, c); failed != nil {
		parts = append(parts, *failed)
	}
	for _, head := range commitHeads {
		of := c.Parts[head.of]
		if of == nil || c.Prepared && head.of == models.CommitLeftOut { // they stand unticked among the first part
			continue
		}
		part := pages.CommitPart{Title: head.title, Says: head.says, Count: visit.Number(of.Count),
			More: visit.AndMore(of.Count, len(of.Rows))}
		if !c.Prepared {
			part.Title, part.Says = head.done, head.became
		}
		if head.of == models.CommitDecides {
			part.Says, part.Pages, part.More = commitSplit(c), true, ""
		}
		part.Rows = store.Map(of.Rows, func(row *decisions.Row) pages.CommitRow { return commitRow(v, c, row) })
		parts = append(parts, part)
	}
	return parts
}

// commitSplit says how many submissions are accepted and how many declined.
func commitSplit(c *decisions.Commit) string {
	text := visit.Number(int64(c.Effects.Accepted)) + " accepted, " + visit.Number(int64(c.Effects.Declined)) +
		" declined."
	if c.Prepared {
		text += " Untick a row to leave it in its queue."
	}
	return text
}

// commitRow returns one submission with its outcome.
func commitRow(v *visit.Visit, c *decisions.Commit, r *decisions.Row) pages.CommitRow {
	row := pages.CommitRow{ID: r.SessionID, URL: v.At("/sessions/" + r.SessionID), Title: r.Title,
		Status: string(r.Status)}
	row.Meta = strings.Join(append([]string{r.FriendlyID}, visit.Names(r.People)...), " · ")
	switch r.Outcome {
	case models.CommitChanged, models.CommitDecided, models.CommitWithdrawn:
		if r.ChangedAt != nil {
			row.Meta = r.FriendlyID + " · " + commitChange(v, r)
		}
	case models.CommitDecides:
		row.Note, row.Tone = commitLetters(r)
	}
	if !c.Prepared {
		return row
	}
	switch {
	case r.Outcome == models.CommitDecides || r.Outcome == models.CommitLeftOut:
		row.CanTick, row.Ticked, row.Becomes = true, r.Outcome == models.CommitDecides, string(r.Decision())
		row.Note, row.Tone = commitLetters(r)
	case r.Outcome == models.CommitChanged && r.Status.IsQueue() && !r.Deleted:
		row.Include = "Include as " + strings.ToLower(components.StatusName(string(r.Decision())))
		row.Token = r.UpdatedAt.String()
	case r.Outcome == models.CommitChanged:
		row.Note = "Cannot be included"
	}
	return row
}

// commitLetters says how many letters a decision drafts, and how many people they cannot reach.
func commitLetters(r *decisions.Row) (note, tone string) {
	reachable := 0
	for _, x := range r.People {
		if x.Email != "" {
			reachable++
		}
	}
	switch {
	case len(r.People) == 0:
		return "Nobody on it", "warn"
	case reachable == 0:
		return "No e-mail address", "warn"
	case reachable < len(r.People):
		return visit.Counted(int64(reachable), "letter", "letters") + ", " + visit.Number(int64(len(r.People)-reachable)) +
			" without address", "warn"
	}
	return visit.Counted(int64(reachable), "letter", "letters"), ""
}

// commitChange says who changed a submission, how, and when.
func commitChange(v *visit.Visit, r *decisions.Row) string {
	at := r.ChangedAt.In(v.Event.Location())
	when := page.When(r.ChangedAt, v.Event.Location())
	if now := v.Options.Now().In(at.Location()); now.Format(time.DateOnly) == at.Format(time.DateOnly) {
		when = "at " + at.Format("15:04")
	}
	name := func(s models.Status) string { return strings.ToLower(components.StatusName(string(s))) }
	who, what := records.Doer(r.ChangedBy, r.ChangedDoor), "changed it "
	switch {
	case r.Deleted:
		what = "deleted it "
	case r.Status != r.SeenStatus:
		what = "moved it from " + name(r.SeenStatus) + " to " + name(r.Status) + " "
	case r.Outcome == models.CommitDecided || r.Outcome == models.CommitWithdrawn:
		return name(r.Status)[:1] + name(r.Status)[1:] + " before, last changed by " + who + " " + when
	}
	return who + " " + what + when
}

// commitFailures returns the submissions that could not be decided, with the reasons; nil for none.
func commitFailures(v *visit.Visit, c *decisions.Commit) *pages.CommitPart {
	if c.Failed == 0 || c.Prepared {
		return nil
	}
	part := &pages.CommitPart{Title: "Not decided", Count: visit.Number(int64(c.Failed)), Says: "Still in their queue.",
		More: visit.AndMore(int64(c.Failed), len(c.Failures))}
	for _, f := range c.Failures {
		part.Rows = append(part.Rows, pages.CommitRow{ID: f.SessionID, URL: v.At("/sessions/" + f.SessionID), Title: f.Title,
			Meta: f.FriendlyID + " · " + lists.ReasonSentence(f.Message)})
	}
	return part
}
