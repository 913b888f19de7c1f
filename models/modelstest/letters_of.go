package modelstest

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/store"
)

// Update changes a session.
func Update(t testing.TB, p *models.Programme, id string, in models.SessionInput) *models.Session {
	t.Helper()
	return Must(p.UpdateSession(t.Context(), id, models.SessionChange{SessionInput: in}))(t)
}

// SetStatus sets the status of a submission.
func SetStatus(t testing.TB, p *models.Programme, id string, status models.Status) {
	t.Helper()
	Update(t, p, id, models.SessionInput{Status: &status})
}

// Abstract makes an abstract.
func Abstract(t testing.TB, p *models.Programme, title string, status models.Status) *models.Session {
	t.Helper()
	return Must(p.CreateSession(t.Context(), models.NewSession{Title: title, IsAbstract: true,
		SessionInput: models.SessionInput{Status: &status}}))(t)
}

// Contact makes somebody at the event.
func Contact(t testing.TB, p *models.Programme, firstName, email string) *models.Contact {
	t.Helper()
	return Must(p.CreateContact(t.Context(), models.NewContact{FirstName: firstName, Email: email}))(t)
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
	return First(letters.Of(p).LettersIn(t.Context(), letters.DraftLetters, letters.Choice{Text: text},
		store.Page{Size: 100}))(t)
}

// Mailed returns the letters of a mailing.
func Mailed(t *testing.T, p *models.Programme, id string) []*models.LetterRow {
	t.Helper()
	return First(letters.Of(p).MailingLetters(t.Context(), id, "", store.Page{Size: 100}))(t)
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
