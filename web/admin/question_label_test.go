package admin_test

import (
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/review"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

var elements = regexp.MustCompile(`<[^>]*>`)

// TestReviewersReadTheLabelOfAQuestionNeverItsKey opens all pages of reviewers, of all submissions and of a round, and
// those of reviews that an organizer has.
func TestReviewersReadTheLabelOfAQuestionNeverItsKey(t *testing.T) {
	admintest.OnOne(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, false)
		p, ctx := d.Programme(), t.Context()
		call := cfp.Of(p)
		modelstest.Fine(t, call.Start(ctx))
		part := modelstest.Must(call.Form(ctx))(t).Parts[0].ID
		modelstest.Must(call.AddQuestion(ctx, part, cfp.QuestionInput{Type: field.Text, Key: "marked_key",
			Label: "What is it about?", Required: cfp.Optional, SeenBy: "reviewers"}))(t)
		for _, value := range []string{"Boats", "Tides"} { // the activity tells of a change
			modelstest.Must(p.UpdateSession(ctx, d.Mine.ID, models.SessionChange{SessionInput: models.SessionInput{
				CustomFields: &models.AnswersInput{{Key: "marked_key", Value: value}}}}))(t)
		}
		modelstest.Must(review.Of(p).Create(ctx, review.Settings{Name: "With names"}))(t)
		seen := 0
		for _, who := range []*admintest.Browser{d.As(staff.Reviewer), d.Ada, d.Olga} {
			for at := range who.EveryPage(d.IDs(), "") {
				if who == d.Olga && !admintest.HasAny(at.Address, "/rounds", "/reviews", "/triage") {
					continue
				}
				page := elements.ReplaceAllString(at.Page, " ")
				if strings.Contains(page, "marked_key") {
					t.Errorf("%s says the key:\n%s", at.Address, page)
				}
				if strings.Contains(page, "What is it about?") {
					seen++
				}
			}
		}
		if seen < 4 { // record, sheet, triage, the choice of answers that tell who somebody is
			t.Errorf("the label stands on %d pages", seen)
		}
	})
}
