package people_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	room "lectern/web/admin/people"
)

func TestTwoAreComparedAndMergedFieldByField(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Person(d.Programme(), "first_name", "Nomvula", "last_name", "Dlamini", "email", "n@x.example", "job_title",
		"Auditor", "company_name", "Ledger")
	twin := d.Person(d.Programme(), "first_name", "Nomvula", "last_name", "<b>Dlamini", "email", "n+talks@x.example",
		"job_title", "Head", "company_name", "Ledger", "phone", "+27 1 234 5678")
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get("/admin/contacts/pairs", 200), "Very likely", "e-mail address but for dots", "1 pair")
	path := "/admin/contacts/" + ada + "/merge/" + twin
	admintest.Wants(t, b.Get(path, 200), "Are these the same person?", "Very likely. Same e-mail address but for dots",
		"&lt;b&gt;Dlamini", "Auditor", "A blank never wins", "stays as an alias", "1 field is the same")
	admintest.Lacks(t, b.Text, "<b>Dlamini")
	form := admintest.Fill(admintest.Fields(b.Text), "f_job_title", "goes")
	changed(d, d.Programme(), twin, "website_url", "https://x.example")
	location, _ := b.Post(path, form, 303)
	admintest.Wants(t, b.Follow(location, path), "Nothing was merged", "changed one of the two meanwhile")
	form = admintest.Fill(admintest.Fields(b.Page), "f_job_title", "goes")
	location, _ = b.Post(path, form, 303)
	admintest.Wants(t, b.Follow(location, "/admin/contacts/"+ada), "is merged into", "Head, Ledger", "x.example",
		"Also known by", "n+talks@x.example</span>")
	admintest.Wants(t, b.Get("/admin/contacts/"+ada+"/merges", 200), "Auditor", "n+talks@x.example", "+27 1 234 5678")
	b.Get(path, 404)
	for _, base := range []string{"/admin/contacts/", d.At("/speakers/")} {
		location = b.Leads(base + twin)
		admintest.Wants(t, b.Follow(location, ""), "This contact was merged into")
		modelstest.Want(t, "who was merged is led to", location, base+ada)
	}
	b.Get("/admin/contacts/"+store.NewID(), 404)
	admintest.Wants(t, b.Get("/admin/contacts/pairs", 200), "Nobody looks like somebody else")
}

func TestTickedPairsAreShownBeforeTheyAreMerged(t *testing.T) {
	d := admintest.Open(t)
	var ids []string
	for _, last := range []string{"Lee", "Lee", "Ek", "Ek"} {
		ids = append(ids, d.Person(d.Programme(), "first_name", "Kim", "last_name", last))
	}
	changed(d, d.Programme(), ids[0], "email", "lee@example.org", "company_name", "Nets")
	changed(d, d.Programme(), ids[1], "company_name", "Nets")
	b := d.As(staff.Owner)
	admintest.Wants(t, b.Get("/admin/contacts/pairs", 200), `href="/admin/contacts/`+ids[3]+`"`)
	admintest.Wants(t, b.Page, `href="/admin/contacts/pairs?ticked=all"`)
	admintest.Lacks(t, b.Page, " checked")
	modelstest.Want(t, "pairs ticked", strings.Count(b.Get("/admin/contacts/pairs?ticked=all", 200), " checked"), 2)
	location, _ := b.Post("/admin/contacts/pairs", url.Values{}, 303)
	admintest.Wants(t, b.Follow(location, "/admin/contacts/pairs"), "no pair was ticked")
	_, page := b.Post("/admin/contacts/pairs", url.Values{"pair": {ids[0] + ":" + ids[1], ids[2] + ":" + ids[3]}}, 200)
	admintest.Wants(t, page, "Merge 2 pairs?", "Kim Lee (lee@example.org) ← Kim Lee (Nets)", "Kim Ek (no e-mail)",
		"cannot be undone")
	if n := d.Rows("contacts"); n != 4 {
		t.Fatalf("%d contacts before it was meant", n)
	}
	form := admintest.Fields(page)
	both := url.Values{"stays": {ids[0]}, "goes": {ids[1]}}
	if next, _ := b.Post("/admin/contacts/pairs/dismiss", both, 303); next != room.PairAddress(ids[2], ids[3]) {
		t.Errorf("the first pair leads to %s", next)
	}
	b.Post("/admin/contacts/pairs/bring-back", both, 303)
	form.Set("confirm", "yes")
	changed(d, d.Programme(), ids[3], "phone", "1")
	location, _ = b.Post("/admin/contacts/pairs", form, 303)
	admintest.Wants(t, b.Follow(location, "/admin/contacts/pairs"), "1 pair is merged. Left out:", "Look at them again")

	location, _ = b.Post("/admin/contacts/pairs/dismiss", url.Values{"stays": {ids[2]}, "goes": {ids[3]}}, 303)
	admintest.Wants(t, b.Follow(location, "/admin/contacts/pairs"), "not suggested again", "Nobody looks like")
	admintest.Wants(t, b.Get("/admin/contacts/pairs/dismissed", 200), "Kim Ek", "Suggest again")
	location, _ = b.Post("/admin/contacts/pairs/bring-back", url.Values{"stays": {ids[2]}, "goes": {ids[3]}}, 303)
	admintest.Wants(t, b.Follow(location, "/admin/contacts/pairs/dismissed"), "are suggested again")
	admintest.Wants(t, b.Get("/admin/contacts/"+ids[2]+"/merge?q=kim", 200), "/admin/contacts/"+ids[2]+"/merge/"+ids[3])
}

func TestSomebodyIsExportedAndErased(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Person(d.Programme(), "first_name", "Adamark", "hotel", "Quay")
	b := d.As(staff.Organizer)
	path := "/admin/contacts/" + ada
	admintest.Wants(t, b.Get(path, 200), "Export all that is kept", "Erase this person")
	_, page := b.Post(path+"/export", url.Values{}, 200)
	if !strings.HasPrefix(page, "PK") {
		t.Error("is no archive")
	}
	modelstest.Fine(t, d.KeepSeen(t.Context()))
	exported := store.SecurityFilter{Events: []store.SecurityEvent{store.PeopleExported}}
	if lines, _, err := d.Webhooks().SecurityLog(t.Context(), exported, store.Page{}); err != nil || len(lines) != 1 ||
		lines[0].After["of"] != "person-"+ada {
		t.Errorf("the log has %+v, %v", lines, err)
	}
	admintest.Wants(t, b.Get(path+"/erase", 200), "Erase Adamark?", "Sessions stay", "Backups", "24 hours")
	b.Post(path+"/erase", url.Values{}, 200)
	admintest.Wants(t, b.Get(path, 200), "Adamark")
	location, _ := b.Post(path+"/erase", url.Values{"confirm": {"yes"}}, 303)
	page = b.Follow(location, path)
	admintest.Wants(t, page, "Erased person", "Their places on sessions stay")
	admintest.Lacks(t, page, "Adamark", "Edit profile", "Choose a photo", "Erase this")
	admintest.Wants(t, page, "Nothing but their places on sessions is kept.")
	reader := d.As(staff.Viewer)
	admintest.Lacks(t, reader.Get(path, 200), "Export all", "Erase this")
}

func TestWhoSeesOneEventLearnsNothingOfOthersByAMerge(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Person(d.Programme(), "first_name", "Ada")
	twin := d.Person(d.Elsewhere(), "first_name", "Twin", "hotel", "Quiet hotel")
	modelstest.Must(people.In(d.Directory(d.Event.OrganizationID, modelstest.Tester)).Merge(t.Context(),
		[]people.MergePair{{SurvivorID: ada, RemovedID: twin}}))(t)
	only := d.Hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	for _, path := range []string{"/admin/contacts/" + ada, d.At("/speakers/" + ada)} {
		_, _, page := only.Try("GET", path, nil)
		admintest.Wants(t, page, "merged somebody else into them")
		admintest.Lacks(t, page, "Quiet", "Merge with")
	}
}

// TestAMergeAsksWhoMayComeInAfterwards merges a known person with a stranger who proved a mailbox of their own and typed
// the same name.
func TestAMergeAsksWhoMayComeInAfterwards(t *testing.T) {
	d := admintest.Open(t)
	for _, ticked := range []bool{false, true} {
		ada := d.Person(d.Programme(), "first_name", "Ada", "last_name", "Mark", "email", "ada@example.org")
		eve := d.Person(d.Programme(), "first_name", "Ada", "last_name", "Mark", "email", "eve@example.org")
		link := modelstest.Must(store.Make(t.Context(), d.Store.Write, func(tx *store.Tx) (string, error) {
			return call.NewLink(tx, call.LinkTo{OrganizationID: d.Event.OrganizationID, ContactID: eve})
		}))(t)
		in := modelstest.Must(call.OpenLink(t.Context(), d.Store, d.Event.OrganizationID, link, call.Browser{}, nil))(t)
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
		_, err := call.LoginBy(t.Context(), d.Store, in.Token)
		modelstest.Want(t, fmt.Sprint("the stranger's sign-in answers ", err), err == nil, ticked)
		modelstest.Fine(t, people.In(d.Directory(d.Event.OrganizationID, modelstest.Tester)).Erase(t.Context(), ada))
	}
}
