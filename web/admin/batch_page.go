package admin

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// batchPage shows how far a change of many records is. It asks for itself again while the change goes on.
func batchPage(v *visit) error {
	b, err := v.programme.Batch(v.UserContext(), v.Params("batch"))
	if err != nil {
		return err
	}
	if own := v.ownPage(b); own != "" {
		return v.SeeInstead(own)
	}
	names, err := v.rowNames()
	if err != nil {
		return err
	}
	title := batchTitle(b, names)
	back := v.listBehind(v.Query("back"))
	v.section, _, _ = strings.Cut(back, "?")
	shell, err := v.shell(title)
	if err != nil {
		return err
	}
	p := pages.BatchPage{
		Shell: shell, Here: v.batchAt(b.ID, back), Action: v.at("/batches/" + b.ID), Back: back, BackName: backName(v, back),
		Running: b.State == models.BatchRunning, Done: b.Succeeded + b.Failed, Total: b.Total,
		Changes:  v.batchOutcomes(b, names),
		Progress: number(int64(b.Succeeded)) + " of " + number(int64(b.Total)) + " done",
		CanRetry: b.Failed > 0 && b.State == models.BatchFinished && b.Change.Operation != models.BatchPlace, CanUndo: b.CanUndo(),
	}
	p.Facts = v.batchFacts(b)
	if p.Running {
		p.Refresh = "2"
	} else {
		p.Outcome = title + ": " + p.Progress
	}
	if b.UndoneBy != "" {
		p.UndoneURL = v.batchAt(b.UndoneBy, back)
	}
	if verbOf(b.Change.Operation).fillsBin && !p.Running && b.Succeeded > 0 {
		p.TrashURL = v.at("/trash")
	}
	for _, f := range b.Failures {
		p.Failures = append(p.Failures, pages.BatchRecord{
			Label: f.FriendlyID, Title: f.Title, URL: v.at("/sessions/" + f.SessionID), Text: reason(f.Message),
		})
	}
	p.MoreFailures = andMore(int64(b.Failed), len(b.Failures))
	p.MoreChanges = andMore(int64(b.Succeeded), len(b.Changes))
	return v.Show(pages.BatchProgress(p))
}

// batchFacts are what is known of a batch besides how far it is.
func (v *visit) batchFacts(b *models.Batch) (facts []string) {
	if b.Change.Reason != "" {
		facts = append(facts, "Reason: "+b.Change.Reason)
	}
	if b.Failed > 0 {
		facts = append(facts, counted(int64(b.Failed), "record was not changed", "records were not changed"))
	}
	return append(facts, "Started by "+b.ActorName+", "+page.When(&b.CreatedAt, v.event.Location()))
}

// ownPage is the address of a batch that has a page of its own, "" of others.
func (v *visit) ownPage(b *models.Batch) string {
	switch {
	case b.Change.Operation == models.BatchCommit && b.Undoes == nil:
		return v.at("/decisions/" + b.ID)
	case b.Prepared:
		return v.at("/agenda/suggest/" + b.ID)
	}
	return ""
}

// andMore says how many of all are not shown; "" for none, or when none are.
func andMore(all int64, shown int) string {
	more := all - int64(shown)
	if more <= 0 || shown == 0 {
		return ""
	}
	return "and " + number(more) + " more"
}

// batchOutcomes are the records that a batch went through, and what it did.
func (v *visit) batchOutcomes(b *models.Batch, names map[string]string) (out []pages.BatchRecord) {
	words := &factWords{zone: v.event.Location(), names: names, gone: gone}
	for _, item := range b.Changes {
		out = append(out, pages.BatchRecord{
			Label: item.FriendlyID, Title: item.Title, URL: v.at("/sessions/" + item.SessionID),
			Text: doneWords(b, words, item),
		})
	}
	return out
}

// doneWords say what became of a record: the verb's own, unless it was so before.
func doneWords(b *models.Batch, words *factWords, item *models.BatchItem) string {
	operation, own := b.Change.Operation, verbOf(b.Change.Operation).done
	if b.Undoes != nil {
		own = verbOf(operation).undone
	}
	if publishes := operation == models.BatchPublish || operation == models.BatchUnpublish; publishes && len(item.After) == 0 {
		own = ""
	}
	return cmp.Or(own, words.outcome(item))
}

// outcome says what a batch changed of a record.
func (w *factWords) outcome(item *models.BatchItem) string {
	var parts []string
	for _, change := range w.changes(item.Before, item.After) {
		if change.Field == "Status" {
			parts = append(parts, change.Before+" → "+change.After)
			continue
		}
		parts = append(parts, change.Field+": "+cmp.Or(change.Before, "none")+" → "+cmp.Or(change.After, "none"))
	}
	return cmp.Or(strings.Join(parts, "; "), "Was so already")
}

// reason says why a record was left as it was.
func reason(message string) string {
	field, rest, _ := strings.Cut(message, " ")
	if !strings.Contains(field, "_") {
		field, rest = "", message
	}
	return cmp.Or(components.Sentence(components.Fault{Field: field, Message: rest}),
		"Something went wrong on our side. Try again.")
}

func backName(v *visit, back string) string {
	path, _, _ := strings.Cut(strings.TrimPrefix(back, v.at("/")), "?")
	if path == "agenda" {
		return "Back to the agenda"
	}
	return "Back to " + strings.ToLower(listTitles[path])
}

func retryBatch(v *visit) error {
	b, err := v.programme.RetryFailed(v.UserContext(), v.Params("batch"))
	return v.seeBatch(b, err)
}

func undoBatch(v *visit) error {
	b, err := v.programme.UndoBatch(v.UserContext(), v.Params("batch"))
	if store.KindOf(err) == store.Invalid { // perhaps since it was undone before, which is what was asked for
		if done, _ := v.programme.Batch(v.UserContext(), v.Params("batch")); done != nil && done.UndoneBy != "" {
			b, err = v.programme.Batch(v.UserContext(), done.UndoneBy)
		}
	}
	if err != nil {
		return err
	}
	return v.inPlace(b, v.listBehind(v.Value("back")))
}

func (v *visit) seeBatch(b *models.Batch, err error) error {
	if err != nil {
		return err
	}
	return v.See(v.batchAt(b.ID, v.listBehind(v.Value("back"))), "")
}

func (v *visit) batchAt(id, back string) string {
	return v.at("/batches/"+id) + "?back=" + url.QueryEscape(strings.TrimPrefix(back, v.at("/")))
}

// listBehind is the list that a batch was started on, from an address or a form.
func (v *visit) listBehind(given string) string {
	given = strings.TrimPrefix(given, v.at("/"))
	path, _, _ := strings.Cut(given, "?")
	if !slices.Contains([]string{"submissions", "sessions", "trash", "agenda", "publish"}, path) {
		return v.at("/submissions")
	}
	return v.at("/" + given)
}
