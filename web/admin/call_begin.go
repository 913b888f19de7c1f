package admin

import (
	"context"
	"net/http"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/views/pages"
)

// beginForm is what staff type to begin a proposal for somebody.
type beginForm struct {
	title  string
	people peopleForm
}

func newProposalForm(v *visit, _ *cfp.Form) error { return v.beginPage(http.StatusOK, beginForm{}) }

func (v *visit) beginPage(status int, f beginForm) (err error) {
	v.section = v.at("/submissions")
	p := pages.BeginForPage{Action: v.at("/call/proposals/new"), Cancel: v.at("/submissions"), TitleText: f.title,
		Says: "Call for papers: " + v.windowSays() + " Staff can add a proposal at any time."}
	if p.People, err = v.editedPeople(f.people, "proposals"); err != nil {
		return err
	}
	return show(v, status, "Add a proposal for somebody", pages.BeginFor, p)
}

// newProposal begins a proposal for somebody, and leads to its form.
func newProposal(v *visit, _ *cfp.Form) error {
	f := beginForm{title: v.Value("title"), people: v.peopleForm()}
	if f.people.changesPeople() {
		status, err := v.withPeople(&f.people)
		if err != nil {
			return err
		}
		return v.beginPage(status, f)
	}
	var s *models.Session
	err := v.Once(func(ctx context.Context) (_ string, err error) {
		if s, err = v.call().BeginFor(ctx, cfp.BeginningFor{Title: f.title, People: participations(f.people.all())}); err != nil {
			return "", err
		}
		return v.answersAt(s.ID), nil
	})
	if store.KindOf(err) == store.Invalid {
		v.Faults = peopleFaults(err)
		return v.beginPage(http.StatusUnprocessableEntity, f)
	}
	if err != nil {
		return err
	}
	return v.See(v.answersAt(s.ID), s.FriendlyID+" is a draft of theirs now. Go on with the form.")
}
