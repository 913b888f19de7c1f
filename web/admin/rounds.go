package admin

import (
	"context"
	"net/http"
	"slices"

	"lectern/models/review"
	"lectern/models/store"
	"lectern/views/pages"
	"lectern/web/page"
)

// round is the round of the address.
func round(v *visit) (*review.Round, error) {
	v.section = v.at("/reviews")
	return v.rounds().Round(v.UserContext(), v.Params("round"))
}

func listRounds(v *visit) error { return v.roundsPage(http.StatusOK, pages.RoundForm{Blind: "yes"}) }

func (v *visit) roundsPage(status int, form pages.RoundForm) error {
	v.section = v.at("/reviews")
	all, err := v.rounds().List(v.UserContext())
	if err != nil {
		return err
	}
	zone := v.event.Location()
	p := pages.RoundsPage{Base: v.at("/rounds"), Form: form, Identifying: v.at("/identifying-answers"),
		OpensTwice: page.Twice(form.Opens, zone), ClosesTwice: page.Twice(form.Closes, zone)}
	for _, r := range all {
		base := v.at("/rounds/" + r.ID)
		row := pages.RoundsRow{Name: r.Name, URL: base, ResultsURL: base + "/results", State: v.roundState(&r.ReviewRound),
			Kind: roundKind(r), Progress: roundProgress(r), Reviewers: number(r.Reviewers)}
		if r.GivesAll {
			row.Reviewers = "All who are on no other"
		} else {
			row.Part, row.Whole = r.Answered, r.Assigned
		}
		p.Rounds = append(p.Rounds, row)
	}
	questions, err := v.rounds().Questions(v.UserContext())
	if err != nil {
		return err
	}
	hidden, err := v.rounds().Identifying(v.UserContext())
	if err != nil {
		return err
	}
	for _, key := range hidden { // also where nobody answers it any more
		if !slices.Contains(questions, key) {
			questions = append(questions, key)
		}
	}
	p.Questions = choices(questions, func(key string) (string, string) { return key, v.sight().Label(key) }, hidden...)
	return show(v, status, "Review rounds", pages.Rounds, p)
}

func roundKind(r *review.Round) string {
	switch {
	case r.GivesAll:
		return "Gives all submissions, with their people"
	case r.IsBlind:
		return "Blind, gives what is assigned"
	}
	return "Open, gives what is assigned"
}

func roundProgress(r *review.Round) string {
	if r.GivesAll {
		return counted(r.Answered, "review", "reviews")
	}
	if r.Assigned == 0 {
		return "Nothing assigned"
	}
	return progress(r.Answered, r.Assigned-r.Answered)
}

// roundForm reads the settings of a round.
func (v *visit) roundForm() pages.RoundForm {
	return pages.RoundForm{Name: v.Value("name"), Blind: v.Value("is_blind"), Opens: v.Clock("opens_at"), Closes: v.Clock("closes_at"),
		UpdatedAt: v.Value("updated_at")}
}

func (v *visit) roundSettings(f pages.RoundForm) (s review.Settings, err error) {
	s.Name, s.IsBlind = f.Name, f.Blind == "yes"
	opens, err := page.SentClock("opens_at", f.Opens, v.event.Location())
	if err != nil {
		return s, err
	}
	closes, err := page.SentClock("closes_at", f.Closes, v.event.Location())
	s.OpensAt, s.ClosesAt = opens.Value, closes.Value
	return s, err
}

func addRound(v *visit) error {
	form := v.roundForm()
	s, err := v.roundSettings(form)
	if err == nil {
		var made *review.Round
		err = v.Once(func(ctx context.Context) (string, error) {
			if made, err = v.rounds().Create(ctx, s); err != nil {
				return "", err
			}
			return v.at("/rounds/" + made.ID), nil
		})
		if err == nil {
			return v.See(v.at("/rounds/"+made.ID), "The round is there. Say what its scorecard asks and who reviews.")
		}
	}
	return v.Again(err, func(status int) error { return v.roundsPage(status, form) })
}

func identifyAnswers(v *visit) error {
	err := v.rounds().Identify(v.UserContext(), v.Values("identifying"))
	return v.Done(err, v.at("/rounds"), "Saved. Reviewers of blind rounds do not see these answers.")
}

func showRound(v *visit, r *review.Round) error { return v.roundAgain(http.StatusOK, r) }

// roundFormOf are the settings of a round as the form holds them.
func (v *visit) roundFormOf(r *review.Round) pages.RoundForm {
	zone := v.event.Location()
	form := pages.RoundForm{Name: r.Name, Opens: page.ClockText(page.ClockOf(r.OpensAt, zone)),
		Closes: page.ClockText(page.ClockOf(r.ClosesAt, zone)), UpdatedAt: r.UpdatedAt.String()}
	if r.IsBlind {
		form.Blind = "yes"
	}
	return form
}

func changeRound(v *visit, r *review.Round) error {
	form := v.roundForm()
	s, err := v.roundSettings(form)
	if err == nil {
		token, _ := store.ParseTime(form.UpdatedAt) // none is as good as an old one
		s.UpdatedAt = &token
		err = v.rounds().Change(v.UserContext(), r.ID, s)
	}
	if store.KindOf(err) == store.Stale { // what was typed stays, and is saved over the other's change when it is sent again
		form.UpdatedAt = r.UpdatedAt.String()
		v.TellNow("Somebody else changed this round meanwhile: it is called “"+r.Name+"” now. Nothing was saved yet; send it again "+
			"to have it as it stands here.", nil, nil)
		return v.roundPage(http.StatusConflict, r, form)
	}
	if err != nil {
		return v.Again(err, func(status int) error { return v.roundPage(status, r, form) })
	}
	return v.See(v.at("/rounds/"+r.ID), "The settings are saved.")
}

// askDeleteRound says what goes with a round, and what its reviewers see then.
func askDeleteRound(v *visit, r *review.Round) error {
	p := pages.ConfirmPage{Action: v.at("/rounds/" + r.ID + "/delete"), Cancel: v.at("/rounds/" + r.ID), Verb: "Delete the round",
		Text: "Its scorecard and what it assigned are gone then."}
	if r.Assigned > 0 {
		p.Points = append(p.Points, counted(r.Assigned, "assignment", "assignments")+" without a review")
	}
	if r.Reviewers > 0 {
		p.Points = append(p.Points, seeAllThen(counted(r.Reviewers, "person is", "people are")+" on it. "))
	}
	return v.ask("Delete the round “"+r.Name+"”?", p)
}

// seeAllThen says what somebody sees who is taken off their last round.
func seeAllThen(who string) string {
	return who + "Who is only a reviewer and on no other round sees what the round of all submissions gives: everything, " +
		"with its people, while that is open."
}

func deleteRound(v *visit, r *review.Round) error {
	err := v.rounds().Delete(v.UserContext(), r.ID)
	return v.Done(err, v.at("/rounds"), "“"+cut(r.Name)+"” is deleted.")
}
