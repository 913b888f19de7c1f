package cfp

import (
	"context"
	"strings"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/views/words"
)

// confirmation returns the letter that confirms a submission to its author, in their language, with a copy of all
// answers.
func (p *Proposal) confirmation(a *Account, l *words.Language) models.CallLetter {
	letter := models.CallLetter{ContactID: p.ContactID, AboutID: p.ID, AccountID: a.ID}
	when := ClockIn(l, *p.Standing.SubmittedAt, p.Event)
	if !a.IsConfirmed() { // it may be a stranger's address: the letter quotes nothing by the author
		letter.Name, letter.Email, letter.Among = a.Email, a.Email, models.OfStrangers
		write(&letter, l, p.Event, "unproven", "Number", p.FriendlyID, "When", when)
		return letter
	}
	var until, success Lines
	if end := p.Standing.Window.End(); end != nil {
		until = Lines(l.T("letter.editable", "Until", ClockIn(l, *end, p.Event)))
	}
	if text := store.PlainText(p.Form.Success); text != "" {
		success = Lines("\n" + text + "\n")
	}
	letter.Name = a.Name
	write(&letter, l, p.Event, "submitted", "Name", a.Name, "Title", p.Title, "Number", p.FriendlyID, "When", when,
		"Editable", until, "Success", success, "Answers", Lines(p.copied(l)))
	return letter
}

// submission identifies a proposal that was submitted.
type submission struct{ EventID, SessionID string }

// submissions returns what an account submitted before its address was confirmed, and of which it has no copy yet.
func (o *opener) submissions(a *Account) (found []submission, err error) {
	err = o.tx.Table("proposals p").Joins("JOIN sessions s ON s.id = p.session_id").
		Joins("JOIN events e ON e.id = p.event_id").Select("p.event_id, p.session_id").
		Where("e.organization_id = ? AND p.contact_id = ? AND p.submitted_at IS NOT NULL", o.organizationID, a.ContactID).
		Where("s.deleted_at IS NULL AND s.status IN ?", taking).Order("p.submitted_at, p.session_id").Scan(&found).Error
	return found, err
}

// sendCopies mails the answers of each submission to the address that was just confirmed.
func (o *opener) sendCopies(ctx context.Context, a *Account) error {
	ctx = o.tx.Within(ctx)
	place := PlaceOf(o.store, &Login{Account: a}, store.By{})
	for _, s := range o.unread {
		event, err := o.store.EventBy(ctx, s.EventID)
		if err != nil {
			return err
		}
		p, err := place.Proposal(ctx, event, s.SessionID)
		if err != nil {
			return err
		}
		if err := place.in(event).SendCallLetters(o.tx, p.confirmation(a, spoken(o.tx))); err != nil {
			return err
		}
	}
	return nil
}

// copied returns all questions with their answers as text for a letter.
func (p *Proposal) copied(l *words.Language) string {
	var out strings.Builder
	for _, q := range p.Form.Asked(p.Values) {
		said := p.Words(q)
		if said == "" {
			said = "–"
		}
		joint := " "
		if q.Type == field.LongText || strings.Contains(said, "\n") {
			joint = "\n"
		}
		out.WriteString(l.TranslateDefault(q.Label) + ":" + joint + said + "\n\n")
	}
	return strings.TrimSpace(out.String())
}
