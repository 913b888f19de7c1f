package admin_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// TestWhoDoesNotOrganizeFindsDraftsNowhere has a draft that somebody unconfirmed began, and one that was submitted.
func TestWhoDoesNotOrganizeFindsDraftsNowhere(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		ctx, c := t.Context(), modelstest.OpenCall(t, d.Fixture)
		began, draft := c.Begin(t, d.Fixture, "Zephyrine", "Quaggas at sea")
		c.Prove(t, d.Fixture, began)
		change := func(s *models.Session, to models.SessionInput) {
			modelstest.Must(d.Programme().UpdateSession(ctx, s.ID, models.SessionChange{SessionInput: to}))(t)
		}
		change(draft, models.SessionInput{Description: new("<p>Of quaggas</p>")})
		_, sent := c.Begin(t, d.Fixture, "Nora", "Okapis ashore")
		change(sent, models.SessionInput{Status: new(models.Pending)})
		person := draft.Participants[0].ContactID
		ids := strings.NewReplacer(":event", d.Event.ID, ":id", draft.ID, ":contact", person, ":family", "tracks")
		rea, vic := d.As(staff.Reviewer), d.As(staff.Viewer)
		for _, b := range []*admintest.Browser{rea, vic} {
			for at := range b.EveryPage(ids, "", "?q=quagga", "?status=draft", "?who=all&record="+draft.ID) {
				if admintest.HasAny(at.Page, "Quaggas", "Of quaggas", "Zephyrine", "Drafts") {
					t.Errorf("%s tells of a draft:\n%s", at.Address, admintest.Body(at.Page))
				}
			}
		}
		record, whose := d.At("/sessions/"+draft.ID), d.At("/speakers/"+person)
		for _, b := range []*admintest.Browser{rea, vic} {
			b.Get(record, 404)
			b.Get(whose, 404)
			b.Get(visit.ContactsPath+"/"+person, 404)
			admintest.Wants(t, b.Get(d.At("/submissions"), 200), "Okapis ashore")
			admintest.Wants(t, b.Get(d.At("/find?q=okapis"), 200), "Okapis")
			admintest.Wants(t, b.Get(d.At("/activity"), 200), "Okapis ashore")
		}
		admintest.Wants(t, vic.Get(d.At("/speakers?who=all"), 200), "Nora")
		rea.Get(d.At("/speakers?who=all"), 404)
		rea.Post(record+"/review", map[string][]string{"score": {"5"}}, 404)
		olga := d.As(staff.Organizer)
		admintest.Wants(t, olga.Get(record, 200), "Quaggas at sea", "Zephyrine")
		admintest.Wants(t, olga.Get(d.At("/submissions?status=draft"), 200), "Quaggas at sea", "Drafts")
		admintest.Wants(t, olga.Get(d.At("/speakers?who=all"), 200), "Zephyrine")
		admintest.Wants(t, olga.Get(whose, 200), "Quaggas at sea")
		admintest.Wants(t, olga.Get(d.At("/find?q=quaggas"), 200), "Quaggas")
		admintest.Wants(t, olga.Get(d.At("/activity"), 200), "Quaggas at sea")
	})
}
