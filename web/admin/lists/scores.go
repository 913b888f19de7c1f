package lists

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// scoreChoice is a filter of submissions by their reviews: its value in the address, its name, the role that it needs,
// and how it narrows a search for the user me.
type scoreChoice struct {
	value, name string
	needs       staff.Role
	narrow      func(f *models.SessionFilter, me string)
}

// scoreChoices are all such filters. Reviewers do not see others' scores, which would influence their own.
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

// saysScore returns the chip, with a label where the name alone is a number.
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

// ownScores returns the scores that this user gave to these rows, or to any if there are none; nil where no column
// shows them.
func ownScores(v *visit.Visit, columns []toolbar.Column, rows ...*models.Session) (map[string]int, error) {
	if !shows(columns, "mine") {
		return nil, nil
	}
	return v.Programme.OwnScores(v.UserContext(), v.User.ID, IDsOf(rows)...)
}

func shows(columns []toolbar.Column, key string) bool {
	return slices.ContainsFunc(columns, func(c toolbar.Column) bool { return c.Key == key })
}

// IDsOf returns the ids of rows.
func IDsOf(rows []*models.Session) []string {
	return store.Map(rows, func(s *models.Session) string { return s.ID })
}
