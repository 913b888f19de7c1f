package admin

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
)

// person makes somebody at an event.
func (d *desk) person(at *models.Programme, pairs ...string) string {
	d.t.Helper()
	c := models.PersonChange{Values: map[string]string{}}
	for i := 0; i < len(pairs); i += 2 {
		c.Values[pairs[i]] = pairs[i+1]
	}
	x, _, err := people.Of(at).AddPerson(context.Background(), c)
	modelstest.Fine(d.t.(*testing.T), err)
	return x.ID
}

func TestTheDirectoryShowsWhoOneMaySee(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	here := d.person(d.Programme(), "first_name", "Here", "hotel", "Quay")
	there := d.person(d.Elsewhere(), "first_name", "There", "hotel", "Quiet quay")
	modelstest.Must(d.Directory(d.Event.OrganizationID, modelstest.Tester).CreatePerson(t.Context(),
		models.PersonChange{Values: map[string]string{"first_name": "Nowhere"}}))(t)
	modelstest.Must(people.Of(d.Elsewhere()).PutAtEvent(t.Context(), here))(t)
	modelstest.Must(d.Elsewhere().Directory().UpdatePerson(t.Context(), here,
		models.PersonChange{Values: map[string]string{"hotel": "Quiet hotel"}}))(t)
	modelstest.Must(people.Of(d.Elsewhere()).AddContactNote(t.Context(), here, "Quiet note"))(t)

	owner := d.as(staff.Owner)
	wants(t, owner.get("/admin/contacts", 200), "Here", "There", "Nowhere", "in 2 events.", "<strong>3</strong>", "/admin/contacts/new")
	wants(t, owner.get("/admin/contacts.csv", 200), "There", "Nowhere")
	wants(t, owner.get("/admin/contacts/"+there, 200), "There")
	lacks(t, owner.page, "Save travel") // what is an event's stands on the event's page
	owner.get("/admin/contacts/fields", 200)

	only := d.hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	get := func(path string, want int) string {
		t.Helper()
		status, _, page := only.try("GET", path, nil)
		if status != want {
			t.Errorf("%s: %d", path, status)
		}
		return page
	}
	wants(t, get("/admin/contacts", 200), "Here")
	for _, path := range []string{"/admin/contacts", "/admin/contacts.csv", "/admin/contacts/overview",
		"/admin/contacts?event=" + d.Other.ID, d.at("/speakers?who=all"), d.at("/speakers.csv?who=all")} {
		lacks(t, get(path, 200), "There", "Nowhere", "Quiet")
	}
	for _, path := range []string{"/admin/contacts/" + here, d.at("/speakers/" + here)} {
		lacks(t, get(path, 200), "Quiet")
		wants(t, owner.get(path, 200), "Quiet hotel", "Quiet note")
	}
	get("/admin/contacts/"+there, 404)
	for _, path := range []string{"/admin/contacts/new", "/admin/contacts/fields", "/admin/contacts/" + here + "/edit"} {
		get(path, 403)
	}

	reader := d.as(staff.Viewer)
	page := reader.get(d.at("/speakers/"+here), 200)
	lacks(t, page, "Quay", "Quiet", "Save travel", "Edit profile", "Add note")
	reader.get(d.at("/speakers/"+here+"/edit"), 403)
}

// Addresses leave in files of organizers alone, of the events that they organize, and the security log says so.
func TestAFileOfPeopleIsTheOrganizersAndIsLogged(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.person(d.Programme(), "first_name", "Here")
	d.person(d.Elsewhere(), "first_name", "Lookedon")
	both := d.hire("organizes here alone", staff.Viewer, false,
		map[string]staff.Role{d.Event.ID: staff.Organizer, d.Other.ID: staff.Viewer})
	b := d.browser()
	b.signIn(both.email)
	wants(t, b.get(contactsPath, 200), "Here", "Lookedon", ".csv")
	file := b.get(contactsPath+".csv", 200)
	wants(t, file, "Here")
	lacks(t, file, "Lookedon")
	b.get("/admin/events/"+d.Other.ID+"/speakers.csv?who=all", 403)
	viewer := d.as(staff.Viewer)
	for _, list := range []string{contactsPath, d.at("/speakers")} {
		lacks(t, viewer.get(list+"?who=all", 200), ".csv")
		viewer.get(list+".csv", 403)
	}
	modelstest.Fine(t, d.KeepSeen(t.Context()))
	wants(t, d.as(staff.Owner).get(securityPath+"?kind=exports", 200), both.name, "exported people with their addresses")
}

func TestARosterIsNarrowedByWhatAnAddressSays(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	all := d.Directory(d.Event.OrganizationID, modelstest.Tester)
	shirt := modelstest.Must(all.AddOwnField(t.Context(), models.OwnFieldInput{Label: "Shirt <b>", Type: field.Choice,
		Options: []string{"S", "M"}}))(t)
	d.person(d.Programme(), "first_name", "Ada", "company_name", "Quay", shirt.Key, "S", "workflow_status", "invited")
	d.person(d.Programme(), "first_name", "Bob", "email", "bob@example.org", "arrival_details", "=1+1")
	ada := d.person(d.Elsewhere(), "first_name", "Twice")
	for _, kind := range []bool{true, false} {
		s := modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "One title", IsAbstract: kind}))(t)
		d.Join(t, d.Other, s.ID, ada, models.Speaking)
	}
	b := d.as(staff.Owner)
	wants(t, b.get("/admin/events/"+d.Other.ID+"/speakers.csv", 200), "S-1 One title; A-1 One title")
	for query, want := range map[string]string{
		"": "", "?who=all": "Ada Bob", "?who=off": "Ada Bob", "?who=all&company=QUAY": "Ada", "?who=all&status=invited": "Ada",
		"?who=all&status=none": "Bob", "?who=all&missing=travel": "Ada", "?who=all&missing=email": "Ada",
		"?who=all&own_" + shirt.Key + "=is:S": "Ada", "?who=all&own_" + shirt.Key + "=none": "Bob", "?who=all&role=speaker": "",
		"?who=all&own_" + shirt.Key + "=is:S&own_" + shirt.Key + "=none": "Ada Bob", "?who=all&q=bob": "Bob",
		"?who=all&own_" + shirt.Key + "=is:XS": "", "?who=all&own_" + shirt.Key + "=XS": "Ada Bob", "?who=all&own_" + store.NewID() + "=x": "",
		"?who=all&status=nonsense&tag=x&track=y": "Ada Bob", // what no link of ours has
		"?who=all&columns=" + shirt.Key:          "Ada Bob",
	} {
		page := b.get(d.at("/speakers"+query), 200)
		var got []string
		for _, name := range []string{"Ada", "Bob"} {
			if strings.Contains(page, "Select "+name) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s shows %v, want %s", query, got, want)
		}
		lacks(t, page, "Shirt <b>")
	}
	file := b.get(d.at("/speakers.csv?who=all"), 200)
	wants(t, file, "First name,Last name,E-mail,Company,Status,Sessions,Came before,Travel",
		",'=1+1", "Invited")
	lacks(t, file, "Shirt <b>")
	file = b.get(d.at("/speakers.csv?who=all&columns=arrival_details,"+shirt.Key), 200)
	wants(t, file, "Company,Arrival details,Shirt <b>", "'=1+1", ",S")
	lacks(t, file, "Invited")
	wants(t, b.get(d.at("/speakers.csv?who=all&fields=all"), 200), "'=1+1", "Shirt <b>", "Invited", "Availability")
}

func TestTheDirectoryIsNarrowedByWhatPeopleAreAtAnyEventOrAtThatOne(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	tag := func(p *models.Programme, name string) *models.Metadata {
		return modelstest.Must(p.CreateMetadata(t.Context(), models.Tags, models.NewMetadata{Name: name}))(t)
	}
	here, there := tag(d.Programme(), "Mentor <b>"), tag(d.Elsewhere(), "mentor <B>")
	mentor := url.QueryEscape(here.NameKey)
	d.person(d.Programme(), "first_name", "Ada", "workflow_status", "confirmed", "tags", here.ID)
	d.person(d.Elsewhere(), "first_name", "Bob", "workflow_status", "invited", "tags", there.ID)
	b := d.as(staff.Owner)
	for query, want := range map[string]string{
		"?status=confirmed": "Ada", "?status=confirmed&status=invited": "Ada Bob", "?tag=" + mentor: "Ada Bob",
		"?status=confirmed&event=" + d.Other.ID: "", "?tag=" + mentor + "&event=" + d.Other.ID: "Bob", "?tag=gone": "",
		"?track=gone": "", "?role=speaker": "", "?status=nonsense": "Ada Bob",
	} {
		page := b.get("/admin/contacts"+query, 200)
		var got []string
		for _, name := range []string{"Ada", "Bob"} {
			if strings.Contains(page, "Select "+name) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s shows %v, want %s", query, got, want)
		}
		where := map[bool]string{true: "that event", false: "any event"}[strings.Contains(query, "event=")]
		wants(t, page, "Status at "+where)
		lacks(t, page, "Mentor <b>")
	}
	file := b.get("/admin/contacts.csv?tag="+mentor+"&event="+d.Event.ID, 200)
	wants(t, file, "Ada")
	lacks(t, file, "Bob")
}

func TestWhatIsWrongWithAPersonIsSaidAndNothingLost(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada := d.person(d.Programme(), "first_name", "Ada", "email", "ada@example.org")
	bob := d.person(d.Programme(), "first_name", "Bob")
	b := d.as(staff.Organizer)
	path := d.at("/speakers/" + bob)
	b.get(path+"/edit", 200)
	form := fields(b.page)
	form.Set("email", "ADA@example.org")
	form.Set("phone", "typed")
	_, page := b.post(path+"/edit", form, 422)
	wants(t, page, "belongs to another contact", `value="typed"`)
	expiry := modelstest.Must(d.Directory(d.Event.OrganizationID, modelstest.Tester).AddOwnField(t.Context(),
		models.OwnFieldInput{Label: "Passport expiry", Type: field.Date}))(t)
	for _, wrong := range []struct{ key, value, want string }{
		{expiry.Key, "soon", "Passport expiry must be a date"}, {"website_url", "no site", "Website must"},
		{"linkedin_url", "no site", "LinkedIn must"}, {"first_name", " ", "First or last name must not be empty."},
		{"email", "bob", "E-mail must be an address such as ana@example.org."},
	} {
		b.get(path+"/edit", 200)
		form = fields(b.page)
		form.Set(wrong.key, wrong.value)
		_, page = b.post(path+"/edit", form, 422)
		wants(t, page, `href="#`+wrong.key+`">`+wrong.want)
	}
	_, page = b.post(path+"/notes", url.Values{"note": {" "}}, 422)
	wants(t, page, "must not be empty")

	b.get(path, 200)
	old := fields(b.page)
	modelstest.Must(d.Programme().Directory().UpdatePerson(t.Context(), bob,
		models.PersonChange{Values: map[string]string{"hotel": "Theirs"}}))(t)
	travel := url.Values{"_token": old["_token"], "updated_at": {old.Get("updated_at")}, "hotel": {"Mine"}, "was_hotel": {""}}
	_, page = b.post(path+"/travel", travel, 409)
	wants(t, page, "changed Hotel", "Mine", "Theirs")

	b.get(d.at("/speakers?who=all"), 200)
	b.post(d.at("/speakers/status"), url.Values{"id": {ada, bob}, "do": {"nonsense"}}, 422)
	location, _ := b.post(d.at("/speakers/status"), url.Values{"do": {"invited"}}, 303)
	wants(t, b.follow(location, ""), "Nobody was ticked")
}

func TestAKnownAddressOpensThatPerson(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	there := d.person(d.Elsewhere(), "first_name", "Ada", "email", "ada@example.com", "phone", "1")
	b := d.as(staff.Owner)
	for base, want := range map[string]string{"/admin/contacts": "belongs to Ada. Nothing",
		d.at("/speakers"): "belongs to Ada, who is at this event now. Nothing"} {
		b.get(base+"/new", 200)
		form := fields(b.page)
		form.Set("first_name", "Somebody")
		form.Set("email", " ADA@example.com ")
		form.Set("phone", "2")
		location, _ := b.post(base+"/new", form, 303)
		wants(t, b.follow(location, base+"/"+there), want, "Ada")
		lacks(t, b.page, "Somebody")
	}
	if n := d.rows("contacts"); n != 1 {
		t.Errorf("%d contacts", n)
	}
}
