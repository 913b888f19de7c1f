package reviews

import (
	"context"
	"slices"
	"strconv"

	"lectern/models"
	"lectern/models/store"
)

// Remind writes to those with these addresses for whom something waits in an open round, and returns how many they are.
// It answers Invalid where that is nobody.
func (r *Rounds) Remind(ctx context.Context, round *Round, emails []string) (int, error) {
	if !round.IsOpen(r.p.Now()) {
		return 0, &store.Error{Kind: store.Invalid, Message: "Nobody was reminded: the round is not open."}
	}
	on, err := r.Reviewers(ctx, round.ID)
	if err != nil {
		return 0, err
	}
	var notes []models.Note
	for _, one := range on {
		if one.UserID != "" && one.Waiting() > 0 && slices.Contains(emails, one.Email) {
			notes = append(notes, models.Note{Name: one.Name, Email: one.Email, Subject: "Reviews for " + r.p.Event().Name,
				Text: r.reminder(round, one)})
		}
	}
	if len(notes) == 0 {
		return 0, &store.Error{Kind: store.Invalid, Message: "Nobody was reminded: nothing waits for those who were ticked."}
	}
	return len(notes), r.p.Mails().Send(ctx, notes...)
}

func (r *Rounds) reminder(round *Round, to *Reviewer) string {
	event, waits := r.p.Event(), strconv.FormatInt(to.Waiting(), 10)+" submissions wait"
	if to.Waiting() == 1 {
		waits = "1 submission waits"
	}
	text := "Hello " + to.Name + ",\n\n" + waits + " for your review in the round “" + round.Name + "” of " + event.Name +
		".\n\n"
	if round.ClosesAt != nil {
		text += "The round closes on " + round.ClosesAt.In(event.Location()).Format("Mon 2 Jan 2006, 15:04 MST") + ".\n\n"
	}
	return text + r.p.Store().Options.BaseURL + "/admin/events/" + event.ID + "/reviews/" + round.ID + "\n"
}
