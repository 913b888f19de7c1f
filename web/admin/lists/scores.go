package lists

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/staff"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
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

func narrowScore(f *models.SessionFilter, l List, values []string) {
	for _, c := range scoreChoices {
		if c.value == values[0] {
			c.narrow(f, l.me)
		}
	}
}

// saysScore puts the label before what is a number alone.
func saysScore(_ *visit.Visit, value string) (chip toolbar.Chip, _ error) {
	for _, c := range scoreChoices {
		if c.value == value {
			chip.Text = c.name
		}
	}
	if strings.ContainsAny(value, "12345") {
		chip.Label = "Score"
	}
	return chip, nil
}

// ownScores are what this person gave, when a column shows it: to these rows, or to any.
func ownScores(v *visit.Visit, columns []toolbar.Column, rows ...*models.Session) (map[string]int, error) {
	if !shows(columns, "mine") {
		return nil, nil
	}
	return v.Programme.OwnScores(v.UserContext(), v.User.ID, IDsOf(rows)...)
}

func shows(columns []toolbar.Column, key string) bool {
	return slices.ContainsFunc(columns, func(c toolbar.Column) bool { return c.Key == key })
}

// IDsOf are the ids of rows.
func IDsOf(rows []*models.Session) []string {
	ids := make([]string, len(rows))
	for i, s := range rows {
		ids[i] = s.ID
	}
	return ids
}
