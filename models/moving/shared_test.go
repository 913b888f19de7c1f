package moving_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestAReportDoesNotTellWhomTheOrganizationKnows brings a photo of somebody whom another event knows.
func TestAReportDoesNotTellWhomTheOrganizationKnows(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Must(f.Elsewhere().CreateContact(t.Context(), models.NewContact{FirstName: "Person", LastName: "0",
			Email: "p0@example.org"}))(t)
		r := moved(t, f.Store.Programme(f.Event, store.By{Door: store.ImportDoor, RequestID: store.NewID()}), newHarbour())
		if len(r.Skipped) == 0 {
			t.Error("the photo came")
		}
		for _, row := range r.Skipped {
			if strings.Contains(row.Reason, "outside of your events") {
				t.Errorf("%+v", row)
			}
		}
	})
}
