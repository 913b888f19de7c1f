package api_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

// TestTheContentStateIsNoPartOfTheContract: it is the organizers' own. Only the gate speaks of it.
func TestTheContentStateIsNoPartOfTheContract(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		asked := models.EventChange{AsksApproval: new(true)}
		modelstest.Must(d.Programme().UpdateEvent(t.Context(), asked))(t)
		abstract := d.create(t, object{"title": "A", "is_abstract": true, "status": "accepted"})
		d.letter(t, abstract["id"], models.LetterSent)
		s := d.compose(t, "", abstract)
		d.wantHeld(t, s["id"])
		d.put(t, s["id"], publish).wantError(400, "PublishGateError", "content is not approved")
		d.put(t, s["id"], `{"content_state": "approved"}`).wantError(400, "ValidationError", "content_state")
		d.put(t, s["id"], `{"ContentState": "approved"}`).wantError(400, "ValidationError", "ContentState")
		d.do(t, "POST", d.path("/sessions/create"), `{"title": "B", "content_state": "approved"}`).
			wantError(400, "ValidationError", "content_state")
		d.do(t, "POST", d.path("/sessions/search"), `{"filters": {"content_state": "draft"}}`).
			wantError(400, "ValidationError", "content_state")

		before := d.get(t, s["id"])
		d.unchanged(t, func() { d.put(t, s["id"], `{"content_state": "draft"}`).want(400) })
		review := models.SessionChange{ContentState: new(models.ContentInReview)}
		modelstest.Must(d.Programme().UpdateSession(t.Context(), s["id"].(string), review))(t)
		wantEqual(t, d.get(t, s["id"]), before) // its token too
		for _, answer := range []*answer{
			d.do(t, "GET", d.path("/sessions/"+s["id"].(string)), nil), d.do(t, "POST", d.path("/sessions/search"), `{}`),
			d.put(t, s["id"], `{"capacity": 7}`), d.do(t, "GET", "/v1/openapi.json", nil), d.do(t, "GET", d.path(""), nil),
		} {
			for _, leak := range []string{"content_state", "ContentState", "in_review", "asks_approval"} {
				if strings.Contains(string(answer.raw), leak) {
					t.Errorf("%q is shown: %.300s", leak, answer.raw)
				}
			}
		}
		for _, e := range modelstest.Emitted(t, d.Fixture) {
			if strings.Contains(string(e.Data), "content_state") || strings.Contains(string(e.Data), "in_review") {
				t.Errorf("receivers are told: %s", e.Data)
			}
		}
		approve := models.SessionChange{ContentState: new(models.ContentApproved)}
		modelstest.Must(d.Programme().UpdateSession(t.Context(), s["id"].(string), approve))(t)
		d.wantPublished(t, s["id"], publish)

		other := d.create(t, object{"title": "Other"})
		d.put(t, other["id"], publish).wantError(400, "PublishGateError", "letter", "approved")
		d.wantPublished(t, other["id"], `{"is_public": true, "publish_override": true}`)
	})
}
