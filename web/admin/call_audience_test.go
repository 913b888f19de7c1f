package admin

import (
	"net/url"
	"testing"

	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

// TestWhatTellsWhoSomebodyIsIsNotForBlindReviewersUnlessStaffSaySo adds questions without and with a word of who sees them.
func TestWhatTellsWhoSomebodyIsIsNotForBlindReviewersUnlessStaffSaySo(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	modelstest.OpenCall(t, d.Fixture)
	olga := d.as(staff.Organizer)
	for _, c := range []struct {
		of          field.Type
		asked, seen cfp.Audience
	}{
		{field.File, "", cfp.OpenRounds}, {field.URL, "", cfp.OpenRounds}, {field.Email, "", cfp.OpenRounds},
		{field.Text, "", cfp.Reviewers}, {field.URL, cfp.Reviewers, cfp.Reviewers}, {field.File, cfp.StaffOnly, cfp.StaffOnly},
	} {
		page := olga.get(d.at("/call/questions/new"), 200)
		wants(t, page, "only where they see names", "Keys, agents and webhooks")
		label := "A " + string(c.of) + " for " + string(c.asked)
		part := between(page, `name="part"`, `</select>`)
		olga.post(d.at("/call/questions/new"), url.Values{"label": {label}, "type": {string(c.of)}, "required": {"no"},
			"seen_by": {string(c.asked)}, "part": {between(part, `<option value="`, `"`)}}, 303)
		form := modelstest.Must(cfp.FormOf(t.Context(), d.Store, d.Event))(t)
		for _, q := range form.Questions() {
			if q.Label == label && q.SeenBy != c.seen {
				t.Errorf("%s is seen by %s", label, q.SeenBy)
			}
		}
		wants(t, olga.get(d.at("/call"), 200), label)
	}
}
