package people_test

import (
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// changed gives fields of a person other values, at an event.
func changed(d *admintest.Desk, at *models.Programme, id string, pairs ...string) {
	d.T.Helper()
	modelstest.Must(people.In(at.Directory()).Update(d.T.Context(), id, modelstest.Values(pairs...)))(d.T)
}

func TestTheDirectoryShowsWhoOneMaySee(t *testing.T) {
	d := admintest.Open(t)
	here := d.Person(d.Programme(), "first_name", "Here", "hotel", "Quay")
	there := d.Person(d.Elsewhere(), "first_name", "There", "hotel", "Quiet quay")
	modelstest.Must(people.In(d.Directory(d.Event.OrganizationID, modelstest.Tester)).Create(t.Context(),
		modelstest.Values("first_name", "Nowhere")))(t)
	modelstest.Must(people.Of(d.Elsewhere()).PutAtEvent(t.Context(), here))(t)
	changed(d, d.Elsewhere(), here, "hotel", "Quiet hotel")
	modelstest.Must(people.Of(d.Elsewhere()).AddContactNote(t.Context(), here, "Quiet note"))(t)

	owner := d.As(staff.Owner)
	admintest.Wants(t, owner.Get("/admin/contacts", 200), "Here", "There", "Nowhere", "in 2 events.",
		"<strong>3</strong>", "/admin/contacts/new")
	admintest.Wants(t, owner.Get("/admin/contacts.csv", 200), "There", "Nowhere")
	admintest.Wants(t, owner.Get("/admin/contacts/"+there, 200), "There")
	admintest.Lacks(t, owner.Page, "Save travel") // what is an event's stands on the event's page
	owner.Get("/admin/contacts/fields", 200)

	only := d.Hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	get := func(path string, want int) string {
		t.Helper()
		status, _, page := only.Try("GET", path, nil)
		modelstest.Want(t, path, status, want)
		return page
	}
	admintest.Wants(t, get("/admin/contacts", 200), "Here")
	for _, path := range []string{"/admin/contacts", "/admin/contacts.csv", "/admin/contacts/overview",
		"/admin/contacts?event=" + d.Other.ID, d.At("/speakers?who=all"), d.At("/speakers.csv?who=all")} {
		admintest.Lacks(t, get(path, 200), "There", "Nowhere", "Quiet")
	}
	for _, path := range []string{"/admin/contacts/" + here, d.At("/speakers/" + here)} {
		admintest.Lacks(t, get(path, 200), "Quiet")
		admintest.Wants(t, owner.Get(path, 200), "Quiet hotel", "Quiet note")
	}
	get("/admin/contacts/"+there, 404)
	for _, path := range []string{"/admin/contacts/new", "/admin/contacts/fields", "/admin/contacts/" + here + "/edit"} {
		get(path, 403)
	}

	reader := d.As(staff.Viewer)
	page := reader.Get(d.At("/speakers/"+here), 200)
	admintest.Lacks(t, page, "Quay", "Quiet", "Save travel", "Edit profile", "Add note")
	reader.Get(d.At("/speakers/"+here+"/edit"), 403)
}

// Addresses leave in files of organizers alone, of the events that they organize, and the security log says so.
func TestAFileOfPeopleIsTheOrganizersAndIsLogged(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		d.Person(d.Programme(), "first_name", "Here")
		d.Person(d.Elsewhere(), "first_name", "Lookedon")
		both := d.Hire("organizes here alone", staff.Viewer, false,
			map[string]staff.Role{d.Event.ID: staff.Organizer, d.Other.ID: staff.Viewer})
		b := d.SignedIn(both.Email)
		admintest.Wants(t, b.Get(visit.ContactsPath, 200), "Here", "Lookedon", ".csv")
		admintest.Wants(t, b.Get(visit.ContactsPath+".csv", 200), "Here")
		admintest.Lacks(t, b.Text, "Lookedon")
		b.Get("/admin/events/"+d.Other.ID+"/speakers.csv?who=all", 403)
		viewer := d.As(staff.Viewer)
		for _, list := range []string{visit.ContactsPath, d.At("/speakers")} {
			admintest.Lacks(t, viewer.Get(list+"?who=all", 200), ".csv")
			viewer.Get(list+".csv", 403)
		}
		// Files of submissions and sessions have addresses too, for organizers alone: only theirs are told of.
		reviewer := d.As(staff.Reviewer)
		for _, list := range []string{"submissions", "sessions"} {
			b.Get(d.At("/"+list+".csv"), 200)
			viewer.Get(d.At("/"+list+".csv"), 200)
			reviewer.Get(d.At("/"+list+".csv"), 200)
		}
		modelstest.Fine(t, d.KeepSeen(t.Context()))
		log := d.As(staff.Owner).Get(visit.SecurityPath+"?kind=exports", 200)
		admintest.Wants(t, log, both.Name, "exported people with their addresses", ": "+d.Event.Slug+"-submissions",
			d.Event.Slug+"-sessions")
		modelstest.Want(t, "exports that the log tells of", strings.Count(log, "exported people with their addresses"), 3)
	})
}

// Events have their years on the list of all people, or all of them their names: never some this way and some that.
func TestEventsOnTheListAreCalledAllByOneForm(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Person(d.Programme(), "first_name", "Ada")
	modelstest.Must(people.Of(d.Elsewhere()).PutAtEvent(t.Context(), ada))(t)
	starts := func(here, there string) string {
		modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{StartsOn: store.Some(here),
			EndsOn: store.Some(here)}))(t)
		modelstest.Must(d.Elsewhere().UpdateEvent(t.Context(), models.EventChange{StartsOn: store.Some(there),
			EndsOn: store.Some(there)}))(t)
		return admintest.Between(d.As(staff.Owner).Get(visit.ContactsPath, 200), "<tbody", "</tbody>")
	}
	admintest.Wants(t, starts("2026-05-20", "2027-05-20"), "’26", "’27")
	same := starts("2027-03-01", "2027-05-20")
	admintest.Wants(t, same, d.Event.Name, d.Other.Name)
	admintest.Lacks(t, same, "’27")
}

// What an organizer could not save of a guest, whom other events know, is not offered.
func TestAGuestsProfileIsNotOfferedForChange(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		guest := d.Person(d.Elsewhere(), "first_name", "Guestina", "email", "g@example.org", "about", "<p>Of water</p>")
		mine := d.Person(d.Programme(), "first_name", "Minna", "about", "<p>Of sand</p>")
		only := d.Hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
		b := d.SignedIn(only.Email)
		b.Get(d.At("/speakers/new"), 200)
		b.Post(d.At("/speakers/new"), url.Values{"first_name": {"G"}, "last_name": {"G"}, "email": {"g@example.org"}}, 303)
		offers := []string{"Edit profile", `type="file"`, "Save photo", "Versions of the biography"}
		page := b.Get(d.At("/speakers/"+guest), 200)
		admintest.Wants(t, page, "is also known outside of your events", "Change status", "Add note")
		admintest.Lacks(t, page, offers...)
		at := b.Leads(d.At("/speakers/" + guest + "/edit"))
		admintest.Wants(t, b.Get(at, 200), "is also known outside of your events")
		for _, all := range []*admintest.Browser{d.As(staff.Owner), b} {
			id := guest
			if all == b {
				id = mine
			}
			page = all.Get(d.At("/speakers/"+id), 200)
			admintest.Wants(t, page, offers...)
			admintest.Lacks(t, page, "also known outside")
			all.Get(d.At("/speakers/"+id+"/edit"), 200)
		}
	})
}

// whoOf names who of Ada and Bob is on the page of a list.
func whoOf(page string) string {
	var names []string
	for _, name := range []string{"Ada", "Bob"} {
		if strings.Contains(page, "Select "+name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

func TestARosterIsNarrowedByWhatAnAddressSays(t *testing.T) {
	d := admintest.Open(t)
	all := d.Directory(d.Event.OrganizationID, modelstest.Tester)
	shirt := modelstest.Must(people.In(all).AddOwnField(t.Context(), people.OwnFieldInput{Label: "Shirt <b>",
		Type: field.Choice, Options: []string{"S", "M"}}))(t)
	d.Person(d.Programme(), "first_name", "Ada", "company_name", "Quay", shirt.Key, "S", "workflow_status", "invited")
	d.Person(d.Programme(), "first_name", "Bob", "email", "bob@example.org", "arrival_details", "=1+1")
	ada := d.Person(d.Elsewhere(), "first_name", "Twice")
	for _, kind := range []bool{true, false} {
		s := d.Foreign(models.NewSession{Title: "One title", IsAbstract: kind})
		d.Join(t, d.Other, s.ID, ada, models.Speaking)
	}
	b := d.As(staff.Owner)
	admintest.Wants(t, b.Get("/admin/events/"+d.Other.ID+"/speakers.csv", 200), "S-1 One title; A-1 One title")
	for query, want := range map[string]string{
		"": "", "?who=all": "Ada Bob", "?who=off": "Ada Bob", "?who=all&company=QUAY": "Ada", "?who=all&status=invited": "Ada",
		"?who=all&status=none": "Bob", "?who=all&missing=travel": "Ada", "?who=all&missing=email": "Ada",
		"?who=all&own_" + shirt.Key + "=is:S": "Ada", "?who=all&own_" + shirt.Key + "=none": "Bob", "?who=all&role=speaker": "",
		"?who=all&own_" + shirt.Key + "=is:S&own_" + shirt.Key + "=none": "Ada Bob", "?who=all&q=bob": "Bob",
		"?who=all&own_" + shirt.Key + "=is:XS": "", "?who=all&own_" + shirt.Key + "=XS": "Ada Bob", "?who=all&own_" + store.NewID() + "=x": "",
		"?who=all&status=nonsense&tag=x&track=y": "Ada Bob", // what no link of ours has
		"?who=all&columns=" + shirt.Key:          "Ada Bob",
	} {
		page := b.Get(d.At("/speakers"+query), 200)
		modelstest.Want(t, query+" shows", whoOf(page), want)
		admintest.Lacks(t, page, "Shirt <b>")
	}
	file := b.Get(d.At("/speakers.csv?who=all"), 200)
	admintest.Wants(t, file, "First name,Last name,E-mail,Company,Status,Sessions,Came before,Travel", ",'=1+1", "Invited")
	admintest.Lacks(t, file, "Shirt <b>")
	file = b.Get(d.At("/speakers.csv?who=all&columns=arrival_details,"+shirt.Key), 200)
	admintest.Wants(t, file, "Company,Arrival details,Shirt <b>", "'=1+1", ",S")
	admintest.Lacks(t, file, "Invited")
	admintest.Wants(t, b.Get(d.At("/speakers.csv?who=all&fields=all"), 200), "'=1+1", "Shirt <b>", "Invited",
		"Availability")
}

func TestTheDirectoryIsNarrowedByWhatPeopleAreAtAnyEventOrAtThatOne(t *testing.T) {
	d := admintest.Open(t)
	here := modelstest.RowOf(t, d.Programme(), models.Tags, "Mentor <b>")
	there := modelstest.RowOf(t, d.Elsewhere(), models.Tags, "mentor <B>")
	mentor := url.QueryEscape(here.NameKey)
	d.Person(d.Programme(), "first_name", "Ada", "workflow_status", "confirmed", "tags", here.ID)
	d.Person(d.Elsewhere(), "first_name", "Bob", "workflow_status", "invited", "tags", there.ID)
	b := d.As(staff.Owner)
	for query, want := range map[string]string{
		"?status=confirmed": "Ada", "?status=confirmed&status=invited": "Ada Bob", "?tag=" + mentor: "Ada Bob",
		"?status=confirmed&event=" + d.Other.ID: "", "?tag=" + mentor + "&event=" + d.Other.ID: "Bob", "?tag=gone": "",
		"?track=gone": "", "?role=speaker": "", "?status=nonsense": "Ada Bob",
	} {
		page := b.Get("/admin/contacts"+query, 200)
		modelstest.Want(t, query+" shows", whoOf(page), want)
		where := map[bool]string{true: "that event", false: "any event"}[strings.Contains(query, "event=")]
		admintest.Wants(t, page, "Status at "+where)
		admintest.Lacks(t, page, "Mentor <b>")
	}
	admintest.Wants(t, b.Get("/admin/contacts.csv?tag="+mentor+"&event="+d.Event.ID, 200), "Ada")
	admintest.Lacks(t, b.Text, "Bob")
}

func TestWhatIsWrongWithAPersonIsSaidAndNothingLost(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Person(d.Programme(), "first_name", "Ada", "email", "ada@example.org")
	bob := d.Person(d.Programme(), "first_name", "Bob")
	b := d.As(staff.Organizer)
	path := d.At("/speakers/" + bob)
	_, page := b.Send(path+"/edit", 422, "email", "ADA@example.org", "phone", "typed")
	admintest.Wants(t, page, "belongs to another contact", `value="typed"`)
	expiry := modelstest.Must(people.In(d.Directory(d.Event.OrganizationID, modelstest.Tester)).AddOwnField(t.Context(),
		people.OwnFieldInput{Label: "Passport expiry", Type: field.Date}))(t)
	for _, wrong := range []struct{ key, value, want string }{
		{expiry.Key, "soon", "Passport expiry must be a date"}, {"website_url", "no site", "Website must"},
		{"linkedin_url", "no site", "LinkedIn must"}, {"first_name", " ", "First or last name must not be empty."},
		{"email", "bob", "E-mail must be an address such as ana@example.org."},
	} {
		_, page = b.Send(path+"/edit", 422, wrong.key, wrong.value)
		admintest.Wants(t, page, `href="#`+wrong.key+`">`+wrong.want)
	}
	admintest.Wants(t, b.Answer(path+"/notes", url.Values{"note": {" "}}, 422), "must not be empty")

	b.Get(path, 200)
	old := admintest.Fields(b.Page)
	changed(d, d.Programme(), bob, "hotel", "Theirs")
	travel := url.Values{"_token": old["_token"], "updated_at": {old.Get("updated_at")}, "hotel": {"Mine"}, "was_hotel": {""}}
	admintest.Wants(t, b.Answer(path+"/travel", travel, 409), "changed Hotel", "Mine", "Theirs")

	b.On(d.At("/speakers?who=all")).Post(d.At("/speakers/status"), url.Values{"id": {ada, bob}, "do": {"nonsense"}}, 422)
	location, _ := b.Post(d.At("/speakers/status"), url.Values{"do": {"invited"}}, 303)
	admintest.Wants(t, b.Follow(location, ""), "Nobody was ticked")
}

func TestAKnownAddressOpensThatPerson(t *testing.T) {
	d := admintest.Open(t)
	there := d.Person(d.Elsewhere(), "first_name", "Ada", "email", "ada@example.com", "phone", "1")
	b := d.As(staff.Owner)
	for base, want := range map[string]string{"/admin/contacts": "belongs to Ada. Nothing",
		d.At("/speakers"): "belongs to Ada, who is at this event now. Nothing"} {
		location, _ := b.Send(base+"/new", 303, "first_name", "Somebody", "email", " ADA@example.com ", "phone", "2")
		admintest.Wants(t, b.Follow(location, base+"/"+there), want, "Ada")
		admintest.Lacks(t, b.Page, "Somebody")
	}
	modelstest.Want(t, "rows of contacts", d.Rows("contacts"), 1)
}
