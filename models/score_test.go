package models_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

// TestTheMeanIsRoundedAlikeOnBothDatabases takes sums whose mean lies half-way
// between two hundredths, which floating point shows as a little less.
func TestTheMeanIsRoundedAlikeOnBothDatabases(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, last := f.Programme(), f.Hire(t, "last", staff.Reviewer)
		for _, c := range []struct {
			scores string // of the others; the last one gives 1
			want   models.Score
		}{
			{"1", 100}, {"2", 150}, {"12", 133}, {"22", 167}, {"55", 367},
			{strings.Repeat("1", 38) + "2", 103},                               // 41 of 40, 1.025
			{strings.Repeat("1", 36) + "222", 108},                             // 43 of 40, 1.075
			{strings.Repeat("5", 38) + "2", 483},                               // 193 of 40, 4.825
			{strings.Repeat("1", 7), 100}, {strings.Repeat("1", 6) + "2", 113}, // 9 of 8, 1.125
		} {
			s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A", IsAbstract: true}))(t)
			reviewedBy(t, f, s, c.scores)
			modelstest.Fine(t, p.GiveReview(t.Context(), last, s.ID, models.Opinion{Score: 1}))
			if got := modelstest.Must(p.Session(t.Context(), s.ID))(t); got.Score == nil || *got.Score != c.want ||
				got.Reviews != len(c.scores)+1 {
				t.Errorf("1 and %s: %v of %d reviews, want %s", c.scores, got.Score, got.Reviews, c.want)
			}
		}
	})
}

// reviewedBy gives a session one review for each digit, of as many members of
// staff.
func reviewedBy(t *testing.T, f *modelstest.Fixture, s *models.Session, scores string) {
	t.Helper()
	db := f.SQL
	for i, score := range scores {
		user := fmt.Sprintf("reviewer-%d", i)
		for _, query := range []string{
			fmt.Sprintf(
				`INSERT INTO users (id, organization_id, email, email_key, name, role, password_hash, created_at, updated_at)
				SELECT '%s', organization_id, '%[1]s', '%[1]s', '%[1]s', role, '', created_at, updated_at FROM users WHERE email_key = 'last@example.org'
				ON CONFLICT DO NOTHING`, user),
			fmt.Sprintf(`INSERT INTO reviews (event_id, round_id, session_id, user_id, points, comment, created_at, updated_at)
				SELECT event_id, event_id, id, '%s', %c00, '', created_at, updated_at FROM sessions WHERE id = '%s'`, user, score, s.ID),
		} {
			modelstest.Must(db.Exec(query))(t)
		}
	}
}
