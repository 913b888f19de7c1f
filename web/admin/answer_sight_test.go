package admin_test

import (
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

// TestReviewersFindHiddenAnswersNowhere opens all pages that a reviewer may, of the event and of a round, with and
// without names, and looks for answers that are not for them.
func TestReviewersFindHiddenAnswersNowhere(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, true)
		p, ctx := d.Programme(), t.Context()
		call := cfp.Of(p)
		modelstest.Fine(t, call.Start(ctx))
		part := modelstest.Must(call.Form(ctx))(t).Parts[0].ID
		var answers models.AnswersInput
		for _, of := range []struct{ seenBy, label string }{{"staff", "Fee asked for"}, {"open_rounds", "Home town"},
			{"reviewers", "Given before"}} {
			q := modelstest.Must(call.AddQuestion(ctx, part, cfp.QuestionInput{Type: field.Text, Label: of.label,
				Required: cfp.Optional, SeenBy: cfp.Audience(of.seenBy)}))(t)
			answers = append(answers, models.Answer{Key: q.Key, Value: "Answer" + strings.ToUpper(of.seenBy)})
		}
		for _, value := range []string{"Before", ""} { // the activity tells of a change
			change := append(models.AnswersInput{}, answers...)
			for i := range change {
				change[i].Value += value
			}
			modelstest.Must(p.UpdateSession(ctx, d.Mine.ID,
				models.SessionChange{SessionInput: models.SessionInput{CustomFields: &change}}))(t)
		}
		open := modelstest.Must(review.Of(p).Create(ctx, review.Settings{Name: "With names"}))(t)
		modelstest.Fine(t, review.Of(p).AddReviewers(ctx, open.ID, []string{d.Reviewer}))
		modelstest.Fine(t, review.Of(p).AssignTo(ctx, open.ID, d.Mine.ID, []string{d.Reviewer}))
		bea := d.As(staff.Reviewer)
		for who, hidden := range map[*admintest.Browser][]string{bea: {"AnswerSTAFF"},
			d.Ada: {"AnswerSTAFF", "AnswerOPEN_ROUNDS"}} {
			for at := range who.EveryPage(d.IDs(), "", "?q=AnswerSTAFF") {
				page := strings.NewReplacer("q=AnswerSTAFF", "", "“AnswerSTAFF”", "", `value="AnswerSTAFF"`, "").Replace(at.Page)
				if admintest.HasAny(page, hidden...) {
					t.Errorf("%s tells a hidden answer:\n%s", at.Address, admintest.Body(page))
				}
				if strings.HasSuffix(at.Address, "/submissions?q=AnswerSTAFF") && strings.Contains(page, d.Mine.ID) {
					t.Errorf("%s finds a submission by a hidden answer", at.Address)
				}
			}
		}
		record := bea.Get(d.At("/sessions/"+d.Mine.ID), 200)
		admintest.Wants(t, record, "Home town", "AnswerOPEN_ROUNDS", "Given before", "AnswerREVIEWERS")
		admintest.Wants(t, bea.Get(d.At("/submissions.csv"), 200), "Home town: AnswerOPEN_ROUNDS")
		admintest.Wants(t, d.Ada.Get(d.Queue("/"+d.Mine.ID), 200), "Given before", "AnswerREVIEWERS")
		admintest.Wants(t, d.Olga.Get(d.At("/sessions/"+d.Mine.ID), 200), "Fee asked for", "AnswerSTAFF")
		admintest.Wants(t, d.Olga.Get(d.At("/submissions.csv"), 200), "Fee asked for: AnswerSTAFF")
	})
}
