package sessions

import (
	"context"
	"net/http"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	pages "lectern/views/pages/sessions"
	"lectern/web/admin/visit"
)

// beginForm is what staff type to begin a proposal for somebody.
type beginForm struct {
	title  string
	people peopleForm
}

func newProposalForm(v *visit.Visit, _ *call.Form) error {
	return beginPage(v, http.StatusOK, beginForm{})
}

func beginPage(v *visit.Visit, status int, f beginForm) (err error) {
	v.Section = v.At("/submissions")
	p := pages.BeginForPage{Action: v.At("/call/proposals/new"), Cancel: v.At("/submissions"), TitleText: f.title,
		Says: "Call for papers: " + visit.WindowSays(v) + " Staff can add a proposal at any time."}
	if p.People, err = editedPeople(v, f.people, "proposals"); err != nil {
		return err
	}
	return visit.Show(v, status, "Add a proposal for somebody", pages.BeginFor, p)
}

// newProposal begins a proposal for somebody, and leads to its form.
func newProposal(v *visit.Visit, _ *call.Form) error {
	f := beginForm{title: v.Value("title"), people: sentPeople(v)}
	if f.people.changesPeople() {
		status, err := withPeople(v, &f.people)
		if err != nil {
			return err
		}
		return beginPage(v, status, f)
	}
	s, err := visit.Made(v, func(ctx context.Context) (*models.Session, error) {
		return theCallOf(v).BeginFor(ctx, call.BeginningFor{Title: f.title, People: participations(f.people.all())})
	}, func(s *models.Session) string { return answersAt(v, s.ID) })
	if store.KindOf(err) == store.Invalid {
		v.Faults = peopleFaults(err)
		return beginPage(v, http.StatusUnprocessableEntity, f)
	}
	if err != nil {
		return err
	}
	return v.See(answersAt(v, s.ID), s.FriendlyID+" is a draft of theirs now. Go on with the form.")
}
