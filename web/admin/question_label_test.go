package admin_test

import (
	"io"
	"net/http/httptest"
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
	"lectern/web/admin/visit"
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
		open := modelstest.Must(review.Of(p).Create(ctx, review.Settings{Name: "With names"}))(t)
		ids := strings.NewReplacer(":event", d.Event.ID, ":id", d.Mine.ID, ":contact", d.Contact, ":round", d.Round,
			":family", "tracks", ":user", d.Reviewer)
		bea, seen := d.As(staff.Reviewer), 0
		for _, r := range d.Routes() {
			if r.Method != "GET" || r.Needs == visit.Anyone || strings.HasPrefix(r.Path, "/design") {
				continue
			}
			path := admintest.Parameter.ReplaceAllString(ids.Replace(r.Path), open.ID)
			readers := []*admintest.Browser{bea, d.Ada}
			if strings.Contains(path, "/rounds") || strings.Contains(path, "/reviews") || strings.Contains(path, "/triage") {
				readers = append(readers, d.Olga)
			}
			for _, who := range readers {
				res, err := d.App.Test(who.With(httptest.NewRequest("GET", path, nil)), -1)
				modelstest.Fine(t, err)
				page := elements.ReplaceAllString(string(modelstest.Must(io.ReadAll(res.Body))(t)), " ")
				if strings.Contains(page, "marked_key") {
					t.Errorf("%s says the key:\n%s", path, page)
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
