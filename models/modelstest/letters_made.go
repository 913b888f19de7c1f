package modelstest

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/outbox"
	"lectern/models/store"
)

// EmissionCounts counts the emissions by type.
func EmissionCounts(t *testing.T, f *Fixture) map[outbox.EmissionType]int {
	t.Helper()
	kinds := map[outbox.EmissionType]int{}
	for _, e := range Emitted(t, f) {
		kinds[e.Type]++
	}
	return kinds
}

// Finish runs batches until there is nothing left to do, and returns the one with this id.
func Finish(t *testing.T, f *Fixture, id string) *models.Batch {
	t.Helper()
	for worked := true; worked; {
		worked = Must(f.RunBatch(t.Context(), 7))(t)
	}
	b := Must(f.Programme().Batch(t.Context(), id))(t)
	if b.State != models.BatchFinished || b.FinishedAt == nil || b.Succeeded+b.Failed != b.Total {
		t.Fatalf("the batch stands at %+v", b)
	}
	return b
}

// AllLetters returns the letters of the event under test.
func AllLetters(t *testing.T, f *Fixture) (letters []*models.Letter, err error) {
	err = f.Read(t.Context()).Where("event_id = ?", f.Event.ID).Order("created_at, id").Find(&letters).Error
	return letters, err
}

// SetLetter gives an abstract's decision one letter in this state, to nobody in particular, in place of the drafts of
// the decision. No token changes, and nothing is emitted.
func (f *Fixture) SetLetter(t testing.TB, event *models.Event, abstractID string, state models.LetterState) {
	t.Helper()
	db := f.SQL
	const at = "'2026-11-21T09:30:00.000Z'"
	sentAt, reason, message, claimed := "NULL", "''", "''", "NULL"
	switch state {
	case models.LetterTold:
		sentAt, reason = at, "'By telephone'"
	case models.LetterSent:
		sentAt, message = at, "'"+store.NewID()+"@post.test'"
	case models.LetterSending:
		claimed, message = at, "'"+store.NewID()+"@post.test'"
	case models.LetterUnknown:
		message = "'" + store.NewID() + "@post.test'"
	}
	of := "'" + abstractID + "'"
	for _, query := range []string{
		"DELETE FROM letters WHERE is_current AND session_id = " + of,
		`INSERT INTO decisions SELECT event_id, id, 1, status, '', '', ` + at + ` FROM sessions WHERE id = ` + of +
			` AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.session_id = sessions.id)`,
		`INSERT INTO letters (id, event_id, session_id, number, kind, contact_id, state, is_current, subject, body, missing,
			is_edited, template_version, message_id, sent_to, attempts, due_at, claimed_until, answer, reason, sent_at,
			created_at, updated_at)
			SELECT '` + store.NewID() + `', s.event_id, s.id, max(d.number), s.status, '` + store.NewID() + `', '` + string(state) +
			`', true, 'S', 'B', '', false, 1, ` + message + `, '', 0, NULL, ` + claimed + `, '', ` + reason + `, ` + sentAt + `, ` +
			at + `, ` + at + ` FROM sessions s JOIN decisions d ON d.session_id = s.id WHERE s.id = ` + of +
			` AND s.event_id = '` + event.ID + `' GROUP BY s.event_id, s.id, s.status`,
		"UPDATE event_counters SET sessions_version = sessions_version + 1 WHERE event_id = '" + event.ID + "'",
	} {
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
}

// SetStatus sets the status of a submission.
func SetStatus(t *testing.T, p *models.Programme, id string, status models.Status) {
	t.Helper()
	Must(p.UpdateSession(t.Context(), id, models.SessionChange{SessionInput: models.SessionInput{Status: &status}}))(t)
}

// AbstractOf makes a pending abstract with a person for each address ("" for one without), and returns its id.
func AbstractOf(t *testing.T, f *Fixture, title string, addresses ...string) string {
	t.Helper()
	id := Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: title, IsAbstract: true}))(t).ID
	for i, address := range addresses {
		f.Speaker(t, f.Event, id, models.NewContact{FirstName: fmt.Sprintf("Name%d", i), LastName: "Last", Email: address})
	}
	return id
}

// Drafts returns the drafts of decisions that match a text.
func Drafts(t *testing.T, p *models.Programme, text string) []*models.LetterRow {
	t.Helper()
	rows, _, err := letters.Of(p).LettersIn(t.Context(), letters.DraftLetters,
		letters.Choice{Text: text}, store.Page{Size: 100})
	Fine(t, err)
	return rows
}

// Mailed returns the letters of a mailing.
func Mailed(t *testing.T, p *models.Programme, id string) []*models.LetterRow {
	t.Helper()
	rows, _, err := letters.Of(p).MailingLetters(t.Context(), id, "", store.Page{Size: 100})
	Fine(t, err)
	return rows
}

// Composed makes an accepted session from an accepted abstract with one speaker, who was told of it or not.
func Composed(t *testing.T, f *Fixture, title string, told bool) *models.Session {
	t.Helper()
	id := AbstractOf(t, f, title, strings.ToLower(strings.ReplaceAll(title, " ", "-"))+"@x.org")
	SetStatus(t, f.Programme(), id, models.Accepted)
	if told {
		Fine(t, f.Programme().MarkTold(t.Context(), id, "", "By telephone"))
	}
	return Must(f.Programme().Compose(t.Context(), []string{id}, ""))(t)
}
