package people_test

import (
	"fmt"
	"net/url"
	"testing"

	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	room "lectern/web/admin/people"
)

// TestAMergeAsksWhoMayComeInAfterwards merges a known person with a stranger who proved a mailbox of their own and
// typed
// the same name.
func TestAMergeAsksWhoMayComeInAfterwards(t *testing.T) {
	d := admintest.Open(t)
	for _, ticked := range []bool{false, true} {
		ada := d.Person(d.Programme(), "first_name", "Ada", "last_name", "Mark", "email", "ada@example.org")
		eve := d.Person(d.Programme(), "first_name", "Ada", "last_name", "Mark", "email", "eve@example.org")
		link := modelstest.Must(store.Make(t.Context(), d.Store.Write, func(tx *store.Tx) (string, error) {
			return cfp.NewLink(tx, cfp.LinkTo{OrganizationID: d.Event.OrganizationID, ContactID: eve})
		}))(t)
		in := modelstest.Must(cfp.OpenLink(t.Context(), d.Store, d.Event.OrganizationID, link, cfp.Browser{}, nil))(t)
		b, path := d.As(staff.Owner), room.PairAddress(ada, eve)
		admintest.Wants(t, b.Get("/admin/contacts/pairs", 200), "Possibly<")
		admintest.Lacks(t, b.Page, "Likely")
		admintest.Wants(t, b.Get(path, 200), "Who may come in afterwards", `name="keep" value="eve@example.org"`,
			"Came in last on", "Never came in.")
		admintest.Lacks(t, b.Page, `value="eve@example.org" checked`)
		form := admintest.Fields(b.Page)
		_, page := b.Post("/admin/contacts/pairs", url.Values{"pair": {ada + ":" + eve}}, 200)
		admintest.Wants(t, page, "sign-ins by eve@example.org end")
		b.Get(path, 200)
		if form.Del("keep"); ticked {
			form.Set("keep", "eve@example.org")
		}
		b.Post(path, form, 303)
		_, err := cfp.LoginBy(t.Context(), d.Store, in.Token)
		modelstest.Want(t, fmt.Sprint("the stranger's sign-in answers ", err), err == nil, ticked)
		modelstest.Fine(t, people.In(d.Directory(d.Event.OrganizationID, modelstest.Tester)).Erase(t.Context(), ada))
	}
}
