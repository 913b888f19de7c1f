package admin

import (
	"slices"

	"lectern/models"
	"lectern/models/staff"
	"lectern/views/components"
	"lectern/views/pages"
)

// scoreChoice is a filter of submissions by what reviewers think of them: what the address says, how it is
// called, who may use it and what it asks of the programme for the one who looks.
type scoreChoice struct {
	value, name string
	needs       staff.Role
	narrow      func(f *models.SessionFilter, me string)
}

// scoreChoices are all. Reviewers do not see what the others think, lest they think the same.
var scoreChoices = []scoreChoice{
	{"waits", "Waits for my review", staff.Reviewer, func(f *models.SessionFilter, me string) { f.AwaitsReviewBy = me }},
	{"mine", "Reviewed by me", staff.Reviewer, func(f *models.SessionFilter, me string) { f.ReviewedBy = me }},
	scoreFrom("4.5", 450), scoreFrom("4", 400), scoreFrom("3.5", 350), scoreFrom("3", 300), scoreFrom("2", 200),
	scoreBelow("3", 300), scoreBelow("2", 200),
	{"none", "Not reviewed", staff.Organizer, func(f *models.SessionFilter, _ string) { f.Reviewed = new(false) }},
}

func scoreFrom(name string, score models.Score) scoreChoice {
	return scoreChoice{name + "-and-more", name + " and more", staff.Organizer,
		func(f *models.SessionFilter, _ string) { f.ScoreFrom = &score }}
}

func scoreBelow(name string, score models.Score) scoreChoice {
	return scoreChoice{"below-" + name, "Below " + name, staff.Organizer,
		func(f *models.SessionFilter, _ string) { f.ScoreBelow = &score }}
}

// ownScores are what this person gave, when a column shows it: to these rows, or to any.
func (v *visit) ownScores(columns []pages.Column, rows ...*models.Session) (map[string]int, error) {
	if !slices.ContainsFunc(columns, func(c pages.Column) bool { return c.Key == "mine" }) {
		return nil, nil
	}
	ids := make([]string, len(rows))
	for i, s := range rows {
		ids[i] = s.ID
	}
	return v.programme.OwnScores(v.ctx(), v.user.ID, ids...)
}

// scoreField is the choice of these above a list of submissions, for who may use one.
func (v *visit) scoreField(l listing) []pages.FilterField {
	if l.kind != "submissions" || !v.may(staff.Reviewer) {
		return nil
	}
	field := pages.FilterField{Name: "score", Label: "Score", Options: []components.Option{{Name: "Any score"}}}
	if !v.may(staff.Organizer) {
		field.Label, field.Options[0].Name = "Review", "Any review"
	}
	for _, c := range scoreChoices {
		if v.may(c.needs) {
			field.Options = append(field.Options, components.Option{Value: c.value, Name: c.name,
				Chosen: c.value == l.query.Get("score")})
		}
	}
	return []pages.FilterField{field}
}
