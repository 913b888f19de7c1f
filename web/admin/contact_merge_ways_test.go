package admin

import (
	"net/url"
	"testing"

	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
)

// TestAMergeAsksWhoMayComeInAfterwards merges a known person with a stranger who proved a mailbox of their own and
// typed
// the same name.
func TestAMergeAsksWhoMayComeInAfterwards(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	for _, ticked := range []bool{false, true} {
		ada := d.person(d.Programme(), "first_name", "Ada", "last_name", "Mark", "email", "ada@example.org")
		eve := d.person(d.Programme(), "first_name", "Ada", "last_name", "Mark", "email", "eve@example.org")
		link := modelstest.Must(store.Make(t.Context(), d.Store.Write, func(tx *store.Tx) (string, error) {
			return cfp.NewLink(tx, cfp.LinkTo{OrganizationID: d.Event.OrganizationID, ContactID: eve})
		}))(t)
		in := modelstest.Must(cfp.OpenLink(t.Context(), d.Store, d.Event.OrganizationID, link, cfp.Browser{}, nil))(t)
		b, path := d.as(staff.Owner), pairAddress(ada, eve)
		wants(t, b.get("/admin/contacts/pairs", 200), "Possibly<")
		lacks(t, b.page, "Likely")
		wants(t, b.get(path, 200), "Who may come in afterwards", `name="keep" value="eve@example.org"`, "Came in last on",
			"Never came in.")
		lacks(t, b.page, `value="eve@example.org" checked`)
		form := fields(b.page)
		_, page := b.post("/admin/contacts/pairs", url.Values{"pair": {ada + ":" + eve}}, 200)
		wants(t, page, "sign-ins by eve@example.org end")
		b.get(path, 200)
		if form.Del("keep"); ticked {
			form.Set("keep", "eve@example.org")
		}
		b.post(path, form, 303)
		_, err := cfp.LoginBy(t.Context(), d.Store, in.Token)
		if (err == nil) != ticked {
			t.Errorf("ticked %t: the stranger's sign-in answers %v", ticked, err)
		}
		modelstest.Must(people.In(d.Directory(d.Event.OrganizationID, modelstest.Tester)).Erase(t.Context(), ada))(t)
	}
}
