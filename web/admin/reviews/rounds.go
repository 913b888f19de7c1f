package reviews

import (
	"context"
	"net/http"
	"slices"

	"lectern/models/reviews"
	"lectern/models/store"
	"lectern/views/layouts"
	pages "lectern/views/pages/reviews"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// round reads the round of the path.
func round(v *visit.Visit) (*reviews.Round, error) {
	v.Section = v.At("/reviews")
	return v.Rounds().Round(v.UserContext(), v.Params("round"))
}

func listRounds(v *visit.Visit) error {
	return roundsPage(v, http.StatusOK, pages.RoundForm{Blind: "yes"})
}

func roundsPage(v *visit.Visit, status int, form pages.RoundForm) error {
	v.Section = v.At("/reviews")
	all, err := v.Rounds().List(v.UserContext())
	if err != nil {
		return err
	}
	zone := v.Event.Location()
	p := pages.RoundsPage{Base: v.At("/rounds"), Form: form, Identifying: v.At("/identifying-answers"),
		OpensTwice: page.Twice(form.Opens, zone), ClosesTwice: page.Twice(form.Closes, zone)}
	for _, r := range all {
		base := v.At("/rounds/" + r.ID)
		row := pages.RoundsRow{Name: r.Name, URL: base, ResultsURL: base + "/results", State: roundState(v, &r.ReviewRound),
			Kind: roundKind(r), Progress: roundProgress(r), Reviewers: visit.Number(r.Reviewers)}
		if r.GivesAll {
			row.Reviewers = "All who are on no other"
		} else {
			row.Part, row.Whole = r.Answered, r.Assigned
		}
		p.Rounds = append(p.Rounds, row)
	}
	questions, err := v.Rounds().Questions(v.UserContext())
	if err != nil {
		return err
	}
	hidden, err := v.Rounds().Identifying(v.UserContext())
	if err != nil {
		return err
	}
	for _, key := range hidden { // includes questions that nobody answers any more
		if !slices.Contains(questions, key) {
			questions = append(questions, key)
		}
	}
	p.Questions = visit.Choices(questions, func(key string) (string, string) { return key, v.Sight().Label(key) },
		hidden...)
	return visit.Show(v, status, "Review rounds", pages.Rounds, p)
}

func roundKind(r *reviews.Round) string {
	switch {
	case r.GivesAll:
		return "Gives all submissions, with their people"
	case r.IsBlind:
		return "Blind, gives what is assigned"
	}
	return "Open, gives what is assigned"
}

func roundProgress(r *reviews.Round) string {
	if r.GivesAll {
		return visit.Counted(r.Answered, "review", "reviews")
	}
	if r.Assigned == 0 {
		return "Nothing assigned"
	}
	return Progress(r.Answered, r.Assigned-r.Answered)
}

// roundForm reads the form of a round.
func roundForm(v *visit.Visit) pages.RoundForm {
	return pages.RoundForm{Name: v.Value("name"), Blind: v.Value("is_blind"), Opens: v.Clock("opens_at"), Closes: v.Clock("closes_at"),
		UpdatedAt: v.Value("updated_at")}
}

func roundSettings(v *visit.Visit, f pages.RoundForm) (s reviews.Settings, err error) {
	s.Name, s.IsBlind = f.Name, f.Blind == "yes"
	opens, err := page.SentClock("opens_at", f.Opens, v.Event.Location())
	if err != nil {
		return s, err
	}
	closes, err := page.SentClock("closes_at", f.Closes, v.Event.Location())
	s.OpensAt, s.ClosesAt = opens.Value, closes.Value
	return s, err
}

func addRound(v *visit.Visit) error {
	form := roundForm(v)
	s, err := roundSettings(v, form)
	if err == nil {
		made, failed := visit.Made(v, func(ctx context.Context) (*reviews.Round, error) { return v.Rounds().Create(ctx, s) },
			func(r *reviews.Round) string { return v.At("/rounds/" + r.ID) })
		if err = failed; err == nil {
			return v.See(v.At("/rounds/"+made.ID), "The round is there. Say what its scorecard asks and who reviews.")
		}
	}
	return v.Again(err, func(status int) error { return roundsPage(v, status, form) })
}

func identifyAnswers(v *visit.Visit) error {
	err := v.Rounds().Identify(v.UserContext(), v.Values("identifying"))
	return v.Done(err, v.At("/rounds"), "Saved. Reviewers of blind rounds do not see these answers.")
}

func showRound(v *visit.Visit, r *reviews.Round) error { return roundAgain(v, http.StatusOK, r) }

// roundFormOf returns a round's settings as its form holds them.
func roundFormOf(v *visit.Visit, r *reviews.Round) pages.RoundForm {
	zone := v.Event.Location()
	form := pages.RoundForm{Name: r.Name, Opens: page.ClockText(page.ClockOf(r.OpensAt, zone)),
		Closes: page.ClockText(page.ClockOf(r.ClosesAt, zone)), UpdatedAt: r.UpdatedAt.String()}
	if r.IsBlind {
		form.Blind = "yes"
	}
	return form
}

func changeRound(v *visit.Visit, r *reviews.Round) error {
	form := roundForm(v)
	s, err := roundSettings(v, form)
	if err == nil {
		token, _ := store.ParseTime(form.UpdatedAt) // a missing token counts as stale
		s.UpdatedAt = &token
		err = v.Rounds().Change(v.UserContext(), r.ID, s)
	}
	if store.KindOf(err) == store.Stale { // what was typed stays, and overwrites the other change when it is sent again
		form.UpdatedAt = r.UpdatedAt.String()
		v.TellNow("Somebody else changed this round meanwhile: it is called “"+r.Name+"” now. Nothing was saved yet; send it again "+
			"to have it as it stands here.", nil, nil)
		return roundPage(v, http.StatusConflict, r, form)
	}
	return v.DoneOrAgain(err, v.At("/rounds/"+r.ID), "The settings are saved.",
		func(status int) error { return roundPage(v, status, r, form) })
}

// askDeleteRound asks for confirmation, and says what is deleted with a round and what its reviewers then see.
func askDeleteRound(v *visit.Visit, r *reviews.Round) error {
	p := layouts.ConfirmPage{Action: v.At("/rounds/" + r.ID + "/delete"), Cancel: v.At("/rounds/" + r.ID),
		Verb: "Delete the round",
		Text: "Its scorecard and what it assigned are gone then."}
	if r.Assigned > 0 {
		p.Points = append(p.Points, visit.Counted(r.Assigned, "assignment", "assignments")+" without a review")
	}
	if r.Reviewers > 0 {
		p.Points = append(p.Points, seeAllThen(visit.Counted(r.Reviewers, "person is", "people are")+" on it. "))
	}
	return v.Ask("Delete the round “"+r.Name+"”?", p)
}

// seeAllThen says what a reviewer sees after leaving their last round.
func seeAllThen(who string) string {
	return who + "Who is only a reviewer and on no other round sees what the round of all submissions gives: everything, " +
		"with its people, while that is open."
}

func deleteRound(v *visit.Visit, r *reviews.Round) error {
	err := v.Rounds().Delete(v.UserContext(), r.ID)
	return v.Done(err, v.At("/rounds"), "“"+visit.Cut(r.Name)+"” is deleted.")
}
