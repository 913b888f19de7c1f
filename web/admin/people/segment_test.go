package people_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

func TestASegmentIsKeptShownChangedAndDeleted(t *testing.T) {
	d := admintest.Open(t)
	all := d.Directory(d.Event.OrganizationID, modelstest.Tester)
	since := modelstest.Must(people.In(all).AddOwnField(t.Context(), people.OwnFieldInput{Label: "Since",
		Type: field.Date}))(t)
	d.Person(d.Programme(), "first_name", "Ada", "workflow_status", "invited", since.Key, "2026-05-01")
	d.Person(d.Programme(), "first_name", "Bob", since.Key, "2020-05-01")
	b := d.As(staff.Owner)
	list := d.At("/speakers")
	shows := func(page, want string) {
		t.Helper()
		modelstest.Want(t, "shows", whoOf(page), want)
	}
	query := "who=all&own_" + since.Key + "_from=01.01.2026&columns=" + since.Key + ",arrival"
	shows(b.Get(list+"?"+query, 200), "Ada")
	admintest.Wants(t, b.Page, "from 2026-01-01")
	_, page := b.Post(list+"/segments", url.Values{"name": {" "}, "query": {query}}, 422)
	admintest.Wants(t, page, "must not be empty", "from 2026-01-01")
	location, _ := b.Post(list+"/segments", url.Values{"name": {"New <ones>"}, "query": {query}, "shared": {"yes"}}, 303)
	if !strings.HasPrefix(location, list+"/segments/") {
		t.Fatalf("kept at %s", location)
	}
	shows(b.Follow(location, location), "Ada")
	admintest.Wants(t, b.Page, "“New &lt;ones&gt;” is kept for the team.", ">Arrival</th>", ">Since</th>",
		"All of the team have it")
	admintest.Lacks(t, b.Page, ">Travel</th>", "with changes")
	b.Get(list+"/segments/x", 404)
	b.Get("/admin/contacts/segments/"+location[strings.LastIndex(location, "/")+1:], 404) // of another list

	// What is changed is told, and kept in it.
	change := list + "?segment=" + location[strings.LastIndex(location, "/")+1:] + "&who=all&status=none"
	shows(b.Get(change, 200), "Bob")
	admintest.Wants(t, b.Page, "with changes", "Keep them in the segment")
	token := regexp.MustCompile(`name="updated_at" value="([^"]+)"`).FindStringSubmatch(b.Page)[1]
	form := url.Values{"query": {change[strings.Index(change, "?")+1:]}, "updated_at": {token}}
	b.Post(location+"/update", form, 303)
	shows(b.Get(location, 200), "Bob")
	admintest.Lacks(t, b.Page, "with changes")
	back, _ := b.Post(location+"/update", form, 303)
	admintest.Wants(t, b.Follow(back, back), "Somebody else changed")

	// Two who rename it at once choose.
	second := admintest.Fill(admintest.Fields(b.Get(location+"/edit", 200)), "name", "Second")
	b.Send(location+"/edit", 303, "name", "First")
	admintest.Wants(t, b.Answer(location+"/edit", second, 409), "changed Name just now", "First", "Second")

	reader := d.As(staff.Viewer)
	admintest.Wants(t, reader.Get(list, 200), ">First")
	shows(reader.Get(location+"?page=1", 200), "")
	reader.Get(location+"/edit", 404)
	reader.Post(location+"/delete", url.Values{}, 404)
	reader.Post(location+"/update", url.Values{"query": {"q=x"}}, 404)
	own, _ := reader.Post(list+"/segments", url.Values{"name": {"Mine"}, "query": {"q=ada"}}, 303)
	reader.On(list).Post(list+"/segments", url.Values{"name": {"Ours"}, "shared": {"yes"}}, 422)
	b.Get(own, 404)
	admintest.Lacks(t, b.Get(list, 200), "Mine")

	// A field that is deleted finds nobody, rather than all.
	b.Post(location+"/update", url.Values{"query": {query}, "updated_at": {""}}, 303)
	later, _ := b.Post(list+"/segments", url.Values{"name": {"Late"}, "query": {query}}, 303)
	modelstest.Must(people.In(all).DeleteOwnField(t.Context(), since.Key))(t)
	shows(b.Get(later, 200), "")
	admintest.Wants(t, b.Page, "A field that was deleted")

	b.Post(location+"/delete", url.Values{}, 303)
	admintest.Wants(t, b.Get(list, 200), "“First” is deleted; the people stay.", "Undo")
	shows(b.Undo(b.Page), "Bob")
	b.Get(location, 404)
}

func TestAStatusIsGivenToAllWhoMatchOnceConfirmed(t *testing.T) {
	d := admintest.Open(t)
	for i := range 103 {
		d.Person(d.Programme(), "first_name", "Ada", "last_name", strings.Repeat("x", i+1))
	}
	bob := d.Person(d.Programme(), "first_name", "Bob", "workflow_status", "confirmed")
	b := d.As(staff.Owner)
	admintest.Wants(t, b.Get(d.At("/speakers?who=all&q=ada"), 200), "All 103 matching", "Other status")
	form := url.Values{"query": {"who=all&q=ada"}, "scope": {"all"}, "do": {"other"}, "to": {"declined"}}
	_, page := b.Post(d.At("/speakers/status"), form, 200)
	admintest.Wants(t, page, "Give 103 people the status “Declined”?", "It sends nothing.")
	admintest.Wants(t, b.Get(d.At("/speakers?who=all&status=declined"), 200), "Nobody matches")
	form.Set("confirm", "yes")
	location, _ := b.Post(d.At("/speakers/status"), form, 303)
	admintest.Wants(t, b.Follow(location, d.At("/speakers?q=ada&who=all")), "Declined: 103 people.")
	admintest.Wants(t, b.Get(d.At("/speakers?who=all&status=declined"), 200), "<strong>103</strong>")
	modelstest.Want(t, "who does not match became",
		modelstest.Must(d.Programme().Directory().Person(t.Context(), bob))(t).Here.WorkflowStatus, "confirmed")
	for _, form := range []url.Values{{"do": {"other"}, "id": {bob}}, {"do": {"invited"}}} {
		location, _ := b.Post(d.At("/speakers/status"), form, 303)
		admintest.Wants(t, b.Follow(location, location), "nothing was changed")
	}
	b.Post(d.At("/speakers/status"), url.Values{"do": {"x"}, "id": {bob}}, 422)
}
