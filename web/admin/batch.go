package admin

import (
	"cmp"
	"strings"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

// batchPage shows how far a change of many records is. It asks for itself again
// while the change goes on.
func batchPage(v *visit) error {
	b, err := v.programme.Batch(v.ctx(), v.Params("batch"))
	if err != nil {
		return err
	}
	title, err := v.changeWords(b)
	if err != nil {
		return err
	}
	back := v.listBehind(v.Query("back"))
	v.section, _, _ = strings.Cut(back, "?")
	shell, err := v.shell(title)
	if err != nil {
		return err
	}
	p := pages.BatchPage{
		Shell: shell, Here: v.batchAt(b.ID, back), Action: v.at("/batches/" + b.ID), Back: back, BackName: backName(v, back),
		Running: b.State == models.BatchRunning, Done: b.Succeeded + b.Failed, Total: b.Total,
		Progress: number(int64(b.Succeeded)) + " of " + number(int64(b.Total)) + " done",
		CanRetry: b.Failed > 0 && b.State == models.BatchFinished, CanUndo: b.CanUndo(),
	}
	p.Facts = append(p.Facts, "Started by "+b.ActorName+", "+when(&b.CreatedAt, v.event.Location()))
	if b.Failed > 0 {
		p.Facts = append([]string{counted(int64(b.Failed), "record was not changed", "records were not changed")}, p.Facts...)
	}
	if p.Running {
		p.Refresh = "2"
	} else {
		p.Outcome = title + ": " + p.Progress
	}
	if b.UndoneBy != "" {
		p.UndoneURL = v.batchAt(b.UndoneBy, back)
	}
	if b.Change.Delete && !p.Running && b.Succeeded > 0 {
		p.TrashURL = v.at("/trash")
	}
	for _, f := range b.Failures {
		p.Failures = append(p.Failures, pages.BatchFailure{Label: f.FriendlyID, Title: f.Title, URL: v.at("/sessions/" + f.SessionID), Reason: reason(f.Message)})
	}
	if more := b.Failed - len(b.Failures); more > 0 && len(b.Failures) > 0 {
		p.MoreFailures = "and " + number(int64(more)) + " more"
	}
	if p.Changes, err = v.batchOutcomes(b); err != nil {
		return err
	}
	if more := b.Succeeded - len(b.Changes); more > 0 && len(b.Changes) > 0 {
		p.MoreChanges = "and " + number(int64(more)) + " more"
	}
	return v.show(pages.BatchProgress(p))
}

// batchOutcomes are the records that a batch went through, and what it did.
func (v *visit) batchOutcomes(b *models.Batch) ([]pages.BatchOutcome, error) {
	names, err := v.rowNames()
	if err != nil {
		return nil, err
	}
	var out []pages.BatchOutcome
	for _, item := range b.Changes {
		out = append(out, pages.BatchOutcome{Label: item.FriendlyID, Title: item.Title, URL: v.at("/sessions/" + item.SessionID), Text: outcome(b, item, names)})
	}
	return out, nil
}

func outcome(b *models.Batch, item *models.BatchItem, names map[string]string) string {
	switch {
	case b.Change.Delete:
		return "In the Trash now"
	case b.Change.Restore:
		return "Back from the Trash"
	}
	listed := func(ids ...string) string {
		var all []string
		for _, id := range ids {
			all = append(all, cmp.Or(names[id], "one that is gone"))
		}
		return cmp.Or(strings.Join(all, ", "), "none")
	}
	track := func(id *string) string {
		if id == nil {
			return "none"
		}
		return listed(*id)
	}
	var parts []string
	was, is := item.Before, item.After
	if was.Status != nil && is.Status != nil {
		parts = append(parts, components.StatusName(string(*was.Status))+" → "+components.StatusName(string(*is.Status)))
	}
	if was.TrackID.Set {
		parts = append(parts, "Track: "+track(was.TrackID.Value)+" → "+track(is.TrackID.Value))
	}
	if was.TagIDs != nil && is.TagIDs != nil {
		parts = append(parts, "Tags: "+listed(*was.TagIDs...)+" → "+listed(*is.TagIDs...))
	}
	return cmp.Or(strings.Join(parts, "; "), "Was so already")
}

func reason(message string) string {
	if message == "" {
		return "Something went wrong on our side. Try again."
	}
	message = strings.ToUpper(message[:1]) + message[1:]
	if !strings.HasSuffix(message, ".") {
		message += "."
	}
	return message
}

func backName(v *visit, back string) string {
	path, _, _ := strings.Cut(strings.TrimPrefix(back, v.at("/")), "?")
	return "Back to " + strings.ToLower(listTitles[path])
}

func retryBatch(v *visit) error {
	b, err := v.programme.RetryFailed(v.ctx(), v.Params("batch"))
	if err != nil {
		return err
	}
	return v.see(v.batchAt(b.ID, v.listBehind(v.value("back"))), "")
}

func undoBatch(v *visit) error {
	b, err := v.programme.UndoBatch(v.ctx(), v.Params("batch"))
	if err != nil {
		return err
	}
	return v.see(v.batchAt(b.ID, v.listBehind(v.value("back"))), "")
}
