package admin

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

// TestWhoDoesNotOrganizeFindsDraftsNowhere has a draft that somebody unconfirmed began, and one that was submitted.
func TestWhoDoesNotOrganizeFindsDraftsNowhere(t *testing.T) {
	eachDialect(t, func(t *testing.T, dialect string) {
		d := openOn(t, dialect, Options{})
		ctx, c := t.Context(), modelstest.OpenCall(t, d.Fixture)
		_, draft := c.Begin(t, d.Fixture, "Zephyrine", "Quaggas at sea")
		change := func(s *models.Session, to models.SessionInput) {
			modelstest.Must(d.Programme().UpdateSession(ctx, s.ID, models.SessionChange{SessionInput: to}))(t)
		}
		change(draft, models.SessionInput{Description: new("<p>Of quaggas</p>")})
		_, sent := c.Begin(t, d.Fixture, "Nora", "Okapis ashore")
		change(sent, models.SessionInput{Status: new(models.Pending)})
		person := draft.Participants[0].ContactID
		ids := strings.NewReplacer(":event", d.Event.ID, ":id", draft.ID, ":contact", person, ":family", "tracks")
		rea, vic := d.as(staff.Reviewer), d.as(staff.Viewer)
		for _, r := range routesOf(addressesOf(d.web.options)) {
			if r.method != "GET" || r.needs == anyone || strings.HasPrefix(r.path, "/design") {
				continue
			}
			path := parameter.ReplaceAllString(ids.Replace(r.path), "00000000-0000-7000-8000-000000000000")
			for _, query := range []string{"", "?q=quagga", "?status=draft", "?who=all", "?record=" + draft.ID} {
				for _, b := range []*browser{rea, vic} {
					res, err := d.app.Test(b.with(httptest.NewRequest("GET", path+query, nil)), -1)
					modelstest.Fine(t, err)
					page := string(modelstest.Must(io.ReadAll(res.Body))(t))
					if hasAny(page, "Quaggas", "Of quaggas", "Zephyrine", "Drafts") {
						t.Errorf("%s%s tells of a draft:\n%s", path, query, body(page))
					}
				}
			}
		}
		record, whose := d.at("/sessions/"+draft.ID), d.at("/speakers/"+person)
		for _, b := range []*browser{rea, vic} {
			b.get(record, 404)
			b.get(whose, 404)
			b.get(contactsPath+"/"+person, 404)
			wants(t, b.get(d.at("/submissions"), 200), "Okapis ashore")
			wants(t, b.get(d.at("/find?q=okapis"), 200), "Okapis")
			wants(t, b.get(d.at("/activity"), 200), "Okapis ashore")
		}
		wants(t, vic.get(d.at("/speakers?who=all"), 200), "Nora")
		rea.get(d.at("/speakers?who=all"), 404)
		rea.post(record+"/review", map[string][]string{"score": {"5"}}, 404)
		olga := d.as(staff.Organizer)
		wants(t, olga.get(record, 200), "Quaggas at sea", "Zephyrine")
		wants(t, olga.get(d.at("/submissions?status=draft"), 200), "Quaggas at sea", "Drafts")
		wants(t, olga.get(d.at("/speakers?who=all"), 200), "Zephyrine")
		wants(t, olga.get(whose, 200), "Quaggas at sea")
		wants(t, olga.get(d.at("/find?q=quaggas"), 200), "Quaggas")
		wants(t, olga.get(d.at("/activity"), 200), "Quaggas at sea")
	})
}
