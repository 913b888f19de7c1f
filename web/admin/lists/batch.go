package lists

import (
	"cmp"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/batch"
	"lectern/web/admin/batch"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// batchPage shows the progress and the results of a batch. The page refreshes itself while the batch runs.
func batchPage(v *visit.Visit) error {
	b, err := v.Programme.Batch(v.UserContext(), v.Params("batch"))
	if err != nil {
		return err
	}
	if own := ownPage(v, b); own != "" {
		return v.SeeInstead(own)
	}
	names, err := v.RowNames()
	if err != nil {
		return err
	}
	title := batchTitle(b, names)
	back := listBehind(v, v.Query("back"))
	v.Section, _, _ = strings.Cut(back, "?")
	shell, err := v.Shell(title)
	if err != nil {
		return err
	}
	p := pages.Page{
		Shell: shell, Here: batch.At(v, b.ID, back), Action: v.At("/batches/" + b.ID), Back: back, BackName: backName(v,
			back),
		Running: b.State == models.BatchRunning, Done: b.Succeeded + b.Failed, Total: b.Total,
		Changes:  batchOutcomes(v, b, names),
		Progress: visit.Number(int64(b.Succeeded)) + " of " + visit.Number(int64(b.Total)) + " done",
		CanRetry: b.Failed > 0 && b.State == models.BatchFinished && b.Change.Operation != models.BatchPlace,
		CanUndo:  b.CanUndo(),
	}
	p.Facts = batchFacts(v, b)
	if p.Running {
		p.Refresh = "2"
	} else {
		p.Outcome = title + ": " + p.Progress
	}
	if b.UndoneBy != "" {
		p.UndoneURL = batch.At(v, b.UndoneBy, back)
	}
	if verbOf(b.Change.Operation).fillsBin && !p.Running && b.Succeeded > 0 {
		p.TrashURL = v.At("/trash")
	}
	for _, f := range b.Failures {
		p.Failures = append(p.Failures, pages.Record{
			Label: f.FriendlyID, Title: f.Title, URL: v.At("/sessions/" + f.SessionID), Text: ReasonSentence(f.Message),
		})
	}
	p.MoreFailures = visit.AndMore(int64(b.Failed), len(b.Failures))
	p.MoreChanges = visit.AndMore(int64(b.Succeeded), len(b.Changes))
	return v.Show(pages.Progress(p))
}

// batchFacts returns what else the page says about a batch: reason, failures, who started it.
func batchFacts(v *visit.Visit, b *models.Batch) (facts []string) {
	if b.Change.Reason != "" {
		facts = append(facts, "Reason: "+b.Change.Reason)
	}
	if b.Failed > 0 {
		facts = append(facts, visit.Counted(int64(b.Failed), "record was not changed", "records were not changed"))
	}
	return append(facts, "Started by "+b.ActorName+", "+page.When(&b.CreatedAt, v.Event.Location()))
}

// ownPage returns the address of a batch whose kind has a page of its own, "" for others.
func ownPage(v *visit.Visit, b *models.Batch) string {
	switch {
	case b.Change.Operation == models.BatchCommit && b.Undoes == nil:
		return v.At("/decisions/" + b.ID)
	case b.Prepared:
		return v.At("/agenda/suggest/" + b.ID)
	}
	return ""
}

// batchOutcomes returns the records that a batch went through, with what it did to each.
func batchOutcomes(v *visit.Visit, b *models.Batch, names map[string]string) (out []pages.Record) {
	words := &visit.FactWords{Zone: v.Event.Location(), Names: names, Gone: gone}
	for _, item := range b.Changes {
		out = append(out, pages.Record{
			Label: item.FriendlyID, Title: item.Title, URL: v.At("/sessions/" + item.SessionID),
			Text: doneWords(b, words, item),
		})
	}
	return out
}

// doneWords says what a batch did to a record: in the verb's own words, unless there was nothing to publish or
// unpublish.
func doneWords(b *models.Batch, words *visit.FactWords, item *models.BatchItem) string {
	operation, own := b.Change.Operation, verbOf(b.Change.Operation).done
	if b.Undoes != nil {
		own = verbOf(operation).undone
	}
	if publishes := operation == models.BatchPublish || operation == models.BatchUnpublish; publishes && len(item.After) == 0 {
		own = ""
	}
	return cmp.Or(own, outcome(words, item))
}

// outcome lists the fields of a record that a batch changed.
func outcome(w *visit.FactWords, item *models.BatchItem) string {
	var parts []string
	for _, change := range w.Changes(item.Before, item.After) {
		if change.Field == "Status" {
			parts = append(parts, change.Before+" → "+change.After)
			continue
		}
		parts = append(parts, change.Field+": "+cmp.Or(change.Before, "none")+" → "+cmp.Or(change.After, "none"))
	}
	return cmp.Or(strings.Join(parts, "; "), "Was so already")
}

// ReasonSentence turns the error message of a record that was not changed into a sentence.
func ReasonSentence(message string) string {
	field, rest, _ := strings.Cut(message, " ")
	if !strings.Contains(field, "_") {
		field, rest = "", message
	}
	return cmp.Or(components.Sentence(components.Fault{Field: field, Message: rest}),
		"Something went wrong on our side. Try again.")
}

func backName(v *visit.Visit, back string) string {
	path, _, _ := strings.Cut(strings.TrimPrefix(back, v.At("/")), "?")
	if path == "agenda" {
		return "Back to the agenda"
	}
	return "Back to " + strings.ToLower(Titles[path])
}

func retryBatch(v *visit.Visit) error {
	b, err := v.Programme.RetryFailed(v.UserContext(), v.Params("batch"))
	if err != nil {
		return err
	}
	return v.See(batch.At(v, b.ID, listBehind(v, v.Value("back"))), "")
}

func undoBatch(v *visit.Visit) error {
	b, err := v.Programme.UndoBatch(v.UserContext(), v.Params("batch"))
	if store.KindOf(err) == store.Invalid { // it may have been undone before, which is what was asked for
		if done, _ := v.Programme.Batch(v.UserContext(), v.Params("batch")); done != nil && done.UndoneBy != "" {
			b, err = v.Programme.Batch(v.UserContext(), done.UndoneBy)
		}
	}
	if err != nil {
		return err
	}
	list := listBehind(v, v.Value("back"))
	kind, _, _ := strings.Cut(strings.TrimPrefix(list, v.At("/")), "?")
	if kind == "agenda" {
		kind = "sessions"
	}
	return batch.InPlace(v, b, list, saysBatch(v, kind))
}

// listBehind returns the list that a batch was started from, given in an address or a form; the submissions for
// anything else.
func listBehind(v *visit.Visit, given string) string {
	given = strings.TrimPrefix(given, v.At("/"))
	path, _, _ := strings.Cut(given, "?")
	if !slices.Contains([]string{"submissions", "sessions", "trash", "agenda", "publish"}, path) {
		return v.At("/submissions")
	}
	return v.At("/" + given)
}
