package call_test

import (
	"net/url"
	"testing"

	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

// TestWhatTellsWhoSomebodyIsIsNotForBlindReviewersUnlessStaffSaySo adds questions without and with a word of who sees them.
func TestWhatTellsWhoSomebodyIsIsNotForBlindReviewersUnlessStaffSaySo(t *testing.T) {
	d := admintest.Open(t)
	modelstest.OpenCall(t, d.Fixture)
	olga := d.As(staff.Organizer)
	for _, c := range []struct {
		of          field.Type
		asked, seen cfp.Audience
	}{
		{field.File, "", cfp.OpenRounds}, {field.URL, "", cfp.OpenRounds}, {field.Email, "", cfp.OpenRounds},
		{field.Text, "", cfp.Reviewers}, {field.URL, cfp.Reviewers, cfp.Reviewers}, {field.File, cfp.StaffOnly, cfp.StaffOnly},
	} {
		page := olga.Get(d.At("/call/questions/new"), 200)
		admintest.Wants(t, page, "only who sees names sees it", "Keys, agents and webhooks")
		label := "A " + string(c.of) + " for " + string(c.asked)
		part := admintest.Between(page, `name="part"`, `</select>`)
		olga.Post(d.At("/call/questions/new"), url.Values{"label": {label}, "type": {string(c.of)}, "required": {"no"},
			"seen_by": {string(c.asked)}, "part": {admintest.Between(part, `<option value="`, `"`)}}, 303)
		form := modelstest.Must(cfp.FormOf(t.Context(), d.Store, d.Event))(t)
		for _, q := range form.Questions() {
			if q.Label == label && q.SeenBy != c.seen {
				t.Errorf("%s is seen by %s", label, q.SeenBy)
			}
		}
		admintest.Wants(t, olga.Get(d.At("/call"), 200), label)
	}
}
