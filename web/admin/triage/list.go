package triage

import (
	"maps"
	"slices"
	"strconv"

	"lectern/models"
	"lectern/models/reviews"
	pages "lectern/views/pages/triage"
	"lectern/views/toolbar"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
)

// bar fills in the line above the list: search, filters and orders, including those by a round's result.
func (s *sorting) bar() (err error) {
	l, b := s.l, &s.page.Bar
	*b = toolbar.Bar{Base: s.At("/triage"), Text: l.Query.Get("q"), Placeholder: "Title, person or A-12",
		Orders: lists.Orders(s.Visit, l)}
	if len(s.rounds) > 1 { // the result of a single round is the score anyway
		for _, r := range s.rounds {
			by := visit.Listing{Kind: l.Kind, Query: maps.Clone(l.Query)}
			by.Set("sort", string(models.ByRound))
			by.Set("dir")
			b.Orders = append(b.Orders, toolbar.Choice{Name: "Best in “" + r.Name + "” first", URL: b.Base + by.With("round",
				r.ID),
				Current: l.Round() == r.ID})
		}
	}
	return lists.Narrow(s.Visit, b, l)
}

// quotas fills in how much of each track and format is taken.
func (s *sorting) quotas(intake *models.Intake) {
	said := false
	of := func(all []*models.Quota) (out []pages.Quota) {
		for _, q := range all {
			if said = said || q.Wanted != nil; q.Family == models.Formats && q.Wanted == nil && q.Taken() == 0 {
				continue // nobody needs to know about it
			}
			shown := pages.Quota{Name: q.Name, Accepted: q.Accepted, Queued: q.Queued, Wanted: q.Wanted,
				URL: s.At("/triage") + s.l.With(q.Family.Singular(), q.ID)}
			shown.Color = visit.ValueOr(q.Color, "")
			out = append(out, shown)
		}
		return out
	}
	s.page.Tracks, s.page.Formats = of(intake.Tracks), of(intake.Formats)
	if !said {
		s.page.QuotasURL = s.At("/metadata/tracks")
	}
	if at := s.window.At; at != nil {
		s.page.Record = &pages.Record{Answers: s.Shown(at.CustomFields), Over: overOf(at,
			slices.Concat(intake.Tracks, intake.Formats))}
	}
}

// overOf says which quotas of a submission's track and format are exceeded.
func overOf(s *models.Session, all []*models.Quota) (said []pages.Over) {
	for _, q := range all {
		mine := (s.TrackID != nil && *s.TrackID == q.ID) || (s.FormatID != nil && *s.FormatID == q.ID)
		if over := q.Over(); mine && over > 0 {
			said = append(said, pages.Over{Name: q.Name,
				Text: visit.Number(over) + " over its " + visit.Counted(int64(*q.Wanted), "session", "sessions")})
		}
	}
	return said
}

// steps fills in the user's last steps, which they may undo.
func (s *sorting) steps() error {
	steps, err := s.Programme.LastSteps(s.UserContext(), s.User.ID, stepsShown)
	for _, step := range steps {
		s.page.Steps = append(s.page.Steps, pages.Step{Batch: step.BatchID, Label: step.FriendlyID, Title: step.Title,
			Status: string(step.To), When: visit.Ago(step.CreatedAt, s.Options.Now()),
			URL: triagePath(s.Visit, s.l, step.SessionID)})
	}
	return err
}

// rows fills in the list around a submission, the submission itself, and the links to its neighbours.
func (s *sorting) rows() error {
	w := s.window
	ids := lists.IDsOf(w.Rows)
	if w.At != nil && !w.Stands() {
		ids = append(ids, w.At.ID)
	}
	outcomes, err := s.Visit.Rounds().Outcomes(s.UserContext(), ids)
	if err != nil {
		return err
	}
	for i, row := range w.Rows {
		shown := s.row(row, outcomes[row.ID])
		shown.Current = i == w.Before && w.Stands()
		s.page.Rows = append(s.page.Rows, shown)
	}
	if w.At == nil {
		return nil
	}
	next := w.Before
	if w.Stands() {
		next++
	}
	if w.Before > 0 {
		s.page.Previous = triagePath(s.Visit, s.l, w.Rows[w.Before-1].ID)
	}
	if next < len(w.Rows) {
		s.page.Next = triagePath(s.Visit, s.l, w.Rows[next].ID)
	}
	return s.record(s.page.Record, w.At, outcomes[w.At.ID])
}

func (s *sorting) row(of *models.Session, outcomes []*reviews.Outcome) pages.Row {
	row := pages.Row{ID: of.ID, Title: of.Title, URL: triagePath(s.Visit, s.l, of.ID), Score: s.score(of, outcomes)}
	if of.Track != nil {
		row.Color = of.Track.Color
	}
	row.People = visit.Names(of.Participants)
	if of.Format != nil {
		row.Facts = of.Format.Name
		if of.Format.DefaultMinutes != nil {
			row.Facts = strconv.Itoa(*of.Format.DefaultMinutes) + " min"
		}
	}
	return row
}

// score returns the result of reviews: in the round that the list is ordered by, or in all.
func (s *sorting) score(of *models.Session, outcomes []*reviews.Outcome) pages.Score {
	if id := s.l.Round(); id != "" {
		i := slices.IndexFunc(outcomes, func(o *reviews.Outcome) bool { return o.RoundID == id })
		if i < 0 {
			return pages.Score{}
		}
		return scoreOf(outcomes[i])
	}
	all := reviews.Together(outcomes)
	all.Mean = of.Score
	return scoreOf(all)
}

func scoreOf(o *reviews.Outcome) (score pages.Score) {
	if o.Mean == nil {
		return score
	}
	score = pages.Score{Mean: o.Mean.String(), Count: visit.Number(o.Scored)}
	if o.Scored > 1 {
		score.Spread = o.Spread().String()
	}
	return score
}
