package admin

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

func TestASegmentIsKeptShownChangedAndDeleted(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	all := d.Directory(d.Event.OrganizationID, modelstest.Tester)
	since := modelstest.Must(all.AddOwnField(t.Context(), models.OwnFieldInput{Label: "Since", Type: field.Date}))(t)
	d.person(d.Programme(), "first_name", "Ada", "workflow_status", "invited", since.Key, "2026-05-01")
	d.person(d.Programme(), "first_name", "Bob", since.Key, "2020-05-01")
	b := d.as(staff.Owner)
	list := d.at("/speakers")
	shows := func(page, want string) {
		t.Helper()
		var got []string
		for _, name := range []string{"Ada", "Bob"} {
			if strings.Contains(page, "Select "+name) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("shows %v, want %s", got, want)
		}
	}
	query := "who=all&own_" + since.Key + "_from=01.01.2026&columns=" + since.Key + ",arrival"
	shows(b.get(list+"?"+query, 200), "Ada")
	wants(t, b.page, "from 2026-01-01")
	_, page := b.post(list+"/segments", url.Values{"name": {" "}, "query": {query}}, 422)
	wants(t, page, "must not be empty", "from 2026-01-01")
	location, _ := b.post(list+"/segments", url.Values{"name": {"New <ones>"}, "query": {query}, "shared": {"yes"}}, 303)
	if !strings.HasPrefix(location, list+"/segments/") {
		t.Fatalf("kept at %s", location)
	}
	shows(b.follow(location, location), "Ada")
	wants(t, b.page, "“New &lt;ones&gt;” is kept for the team.", ">Arrival</th>", ">Since</th>", "All of the team have it")
	lacks(t, b.page, ">Travel</th>", "with changes")
	b.get(list+"/segments/x", 404)
	b.get("/admin/contacts/segments/"+location[strings.LastIndex(location, "/")+1:], 404) // of another list

	// What is changed is told, and kept in it.
	change := list + "?segment=" + location[strings.LastIndex(location, "/")+1:] + "&who=all&status=none"
	shows(b.get(change, 200), "Bob")
	wants(t, b.page, "with changes", "Keep them in the segment")
	token := regexp.MustCompile(`name="updated_at" value="([^"]+)"`).FindStringSubmatch(b.page)[1]
	form := url.Values{"query": {change[strings.Index(change, "?")+1:]}, "updated_at": {token}}
	b.post(location+"/update", form, 303)
	shows(b.get(location, 200), "Bob")
	lacks(t, b.page, "with changes")
	back, _ := b.post(location+"/update", form, 303)
	wants(t, b.follow(back, back), "Somebody else changed")

	// Two who rename it at once choose.
	b.get(location+"/edit", 200)
	first, second := fields(b.page), fields(b.page)
	first.Set("name", "First")
	b.post(location+"/edit", first, 303)
	second.Set("name", "Second")
	_, page = b.post(location+"/edit", second, 409)
	wants(t, page, "changed Name just now", "First", "Second")

	reader := d.as(staff.Viewer)
	wants(t, reader.get(list, 200), ">First")
	shows(reader.get(location+"?page=1", 200), "")
	reader.get(location+"/edit", 404)
	reader.post(location+"/delete", url.Values{}, 404)
	reader.post(location+"/update", url.Values{"query": {"q=x"}}, 404)
	own, _ := reader.post(list+"/segments", url.Values{"name": {"Mine"}, "query": {"q=ada"}}, 303)
	reader.get(list, 200)
	reader.post(list+"/segments", url.Values{"name": {"Ours"}, "shared": {"yes"}}, 422)
	b.get(own, 404)
	lacks(t, b.get(list, 200), "Mine")

	// A field that is deleted finds nobody, rather than all.
	b.post(location+"/update", url.Values{"query": {query}, "updated_at": {""}}, 303)
	later, _ := b.post(list+"/segments", url.Values{"name": {"Late"}, "query": {query}}, 303)
	modelstest.Must(all.DeleteOwnField(t.Context(), since.Key))(t)
	shows(b.get(later, 200), "")
	wants(t, b.page, "A field that was deleted")

	_, _ = b.post(location+"/delete", url.Values{}, 303)
	wants(t, b.get(list, 200), "“First” is deleted; the people stay.", "Undo")
	undo := fields(b.page[strings.Index(b.page, `class="undo`):])
	again, _ := b.post(list+"/segments", undo, 303)
	shows(b.follow(again, again), "Bob")
	b.get(location, 404)
}

func TestAStatusIsGivenToAllWhoMatchOnceConfirmed(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	for i := range 103 {
		d.person(d.Programme(), "first_name", "Ada", "last_name", strings.Repeat("x", i+1))
	}
	bob := d.person(d.Programme(), "first_name", "Bob", "workflow_status", "confirmed")
	b := d.as(staff.Owner)
	wants(t, b.get(d.at("/speakers?who=all&q=ada"), 200), "All 103 matching", "Other status")
	form := url.Values{"query": {"who=all&q=ada"}, "scope": {"all"}, "do": {"other"}, "to": {"declined"}}
	_, page := b.post(d.at("/speakers/status"), form, 200)
	wants(t, page, "Give 103 people the status “Declined”?", "It sends nothing.")
	wants(t, b.get(d.at("/speakers?who=all&status=declined"), 200), "Nobody matches")
	form.Set("confirm", "yes")
	location, _ := b.post(d.at("/speakers/status"), form, 303)
	wants(t, b.follow(location, d.at("/speakers?q=ada&who=all")), "Declined: 103 people.")
	wants(t, b.get(d.at("/speakers?who=all&status=declined"), 200), "<strong>103</strong>")
	if x := modelstest.Must(d.Programme().Directory().Person(t.Context(), bob))(t); x.Here.WorkflowStatus != "confirmed" {
		t.Errorf("who does not match became %s", x.Here.WorkflowStatus)
	}
	for _, form := range []url.Values{{"do": {"other"}, "id": {bob}}, {"do": {"invited"}}} {
		location, _ := b.post(d.at("/speakers/status"), form, 303)
		wants(t, b.follow(location, location), "nothing was changed")
	}
	b.post(d.at("/speakers/status"), url.Values{"do": {"x"}, "id": {bob}}, 422)
}
