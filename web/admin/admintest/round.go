package admintest

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/web/admin/visit"
)

// BlindRound is a round whose submissions are by people with marked facts; one is assigned to a reviewer and one is
// not.
type BlindRound struct {
	*Desk
	Ada, Olga    *Browser
	Reviewer     string // id of the reviewer Ada
	Round        string
	Mine, Others *models.Session
	Contact      string
}

// OpenBlind makes a BlindRound on a database.
func OpenBlind(t *testing.T, dialect string, blind bool) *BlindRound {
	t.Helper()
	return OpenBlindWith(t, dialect, blind, visit.Options{})
}

// OpenBlindWith is OpenBlind with options of the admin.
func OpenBlindWith(t *testing.T, dialect string, blind bool, options visit.Options) *BlindRound {
	t.Helper()
	d := &BlindRound{Desk: OpenOn(t, dialect, options)}
	p := d.Programme()
	add := func(title string) *models.Session {
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: title, IsAbstract: true,
			SessionInput: models.SessionInput{Description: new("<p>About tides</p>"), CustomFields: &models.AnswersInput{
				{Key: "Where do you work?", Value: "At Markedworks"}, {Key: "Has it been given before?", Value: "Never before"}}}}))(t)
		d.Contact = d.Speaker(t, d.Event, s.ID, models.NewContact{Email: "marked-" + strings.ToLower(title) + "@example.org", FirstName: "Markedfirst",
			LastName: "Of" + title, CompanyName: "MarkedCorp", About: "<p>Markedbio</p>", JobTitle: "Markedjob"})
		return s
	}
	d.Mine, d.Others = add("Mine"), add("Markedother")
	d.Speaker(t, d.Event, d.Mine.ID,
		models.NewContact{Email: "co-marked@example.org", FirstName: "Markedco", LastName: "Speaker"})
	rounds := reviews.Of(p)
	round := modelstest.Must(rounds.Create(t.Context(), reviews.Settings{Name: "First look", IsBlind: blind}))(t)
	d.Round = round.ID
	modelstest.Fine(t, rounds.Identify(t.Context(), []string{"Where do you work?"}))
	d.Reviewer = modelstest.Must(d.Staff.CreateUser(t.Context(), staff.NewUser{Email: "ada@example.org", Name: "Ada",
		Role: staff.Reviewer, Password: Password}))(t).ID
	modelstest.Fine(t, rounds.AddReviewers(t.Context(), round.ID, []string{d.Reviewer}))
	modelstest.Fine(t, rounds.AssignTo(t.Context(), round.ID, d.Mine.ID, []string{d.Reviewer}))
	d.Ada, d.Olga = d.SignedIn("ada@example.org"), d.As(staff.Organizer)
	return d
}

// IDs returns a replacer that fills the paths of routes with the round's ids; more holds further names and ids in turn.
func (d *BlindRound) IDs(more ...string) *strings.Replacer {
	return strings.NewReplacer(append(more, ":event", d.Event.ID, ":id", d.Mine.ID, ":contact", d.Contact,
		":round", d.Round, ":family", "tracks", ":user", d.Reviewer)...)
}

// Queue returns an address below the reviewer's page of the round.
func (d *BlindRound) Queue(rest string) string { return d.At("/reviews/" + d.Round + rest) }
