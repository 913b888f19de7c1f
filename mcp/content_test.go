package mcp_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestToolsDoNotShowTheContentState(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{AsksApproval: new(true)}))(t)
		s := d.session("Tides")
		d.change(s.ID, models.SessionChange{ContentState: new(models.ContentInReview)})
		for tool, arguments := range map[string]any{
			"get_schedule": nil, "list_events": nil, "list_submissions": nil, "get_submission": object{"submission_id": s.ID},
		} {
			text, _ := d.use(tool, arguments)
			if strings.Contains(text, "in_review") || strings.Contains(text, "content_state") {
				t.Errorf("%s shows it: %s", tool, text)
			}
		}
		modelstest.Want(t, "the schedule", d.titles("get_schedule", nil), "Tides")
	})
}
