package web

import (
	"strings"

	"lectern/models"
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
	return v.show(pages.BatchProgress(p))
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
