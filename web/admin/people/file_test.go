package people_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

func TestAFieldOfFilesIsDefinedFilledFilteredAndExported(t *testing.T) {
	d := admintest.Open(t)
	ada, ben := d.Person(d.Programme(), "first_name", "Ada"), d.Person(d.Programme(), "first_name", "Ben")
	b := d.As(staff.Owner)
	admintest.Wants(t, b.Get("/admin/contacts/fields", 200), `<option value="file">File</option>`)
	b.Post("/admin/contacts/fields", url.Values{"label": {"Stage rider"}, "type": {"file"}, "help": {"As a PDF"}}, 303)
	key := modelstest.Must(d.Programme().Directory().OwnFields(t.Context()))(t)[0].Key
	person, path := d.At("/speakers/"+ada), d.At("/contacts/"+ada+"/files/"+key)
	b.Get(path, 404)
	bare := b.Get(person, 200)
	admintest.Wants(t, bare, "Stage rider", "As a PDF. Up to 20 MB", `enctype="multipart/form-data"`, "Add a file")
	admintest.Lacks(t, bare, "Remove file")
	admintest.Lacks(t, b.Get(person+"/edit", 200), "Stage rider")

	b.Get("/admin/account", 200)
	location, _ := b.Upload(path, `rider <1>.html`, []byte("<script>alert(1)</script>"), "", 303)
	modelstest.Want(t, "it leads to", location, person)
	admintest.Wants(t, b.Get(person, 200), "The file is saved.", "rider &lt;1&gt;.html", "25 bytes", "brought by ",
		"Ada owner", `href="`+path+`" download`, "Replace or remove", "Stage rider")
	res, content := b.Do(httptest.NewRequest("GET", path, nil), 200)
	for name, want := range map[string]string{"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "no-store"} {
		modelstest.Want(t, name+" is", res.Header.Get(name), want)
	}
	if content != "<script>alert(1)</script>" || !strings.HasPrefix(res.Header.Get("Content-Disposition"), "attachment;") {
		t.Errorf("saved %q as %s", content, res.Header.Get("Content-Disposition"))
	}
	for query, want := range map[string]string{"_is=filled": "Ada", "_is=empty": "Ben", "=rider": "Ada"} {
		admintest.Wants(t, b.Get("/admin/contacts?own_"+key+query+"&columns="+key, 200), ">"+want+"<")
		admintest.Lacks(t, b.Text, ">"+map[string]string{"Ada": "Ben", "Ben": "Ada"}[want]+"<")
	}
	admintest.Wants(t, b.Get("/admin/contacts?columns="+key, 200), "rider &lt;1&gt;.html")
	admintest.Wants(t, b.Get("/admin/contacts.csv?columns="+key, 200), "Stage rider", "rider <1>.html")

	b.Get("/admin/account", 200)
	b.Upload("/admin/contacts/"+ada+"/files/"+key, "two.pdf", []byte("two"), "", 303)
	admintest.Wants(t, b.Get(person, 200), "two.pdf", "rider &lt;1&gt;.html") // the activity says what it was
	for name, words := range map[string]string{"": "is missing; choose a file", "empty.pdf": "is empty"} {
		b.Upload(path, name, nil, "", 303)
		admintest.Wants(t, b.Get("/admin/account", 200), "The file was not saved: it "+words)
	}
	b.Upload(path, "x.pdf", []byte("x"), "forged", 403)
	b.Post(person+"/edit", url.Values{"first_name": {"Ada"}, key: {"anything"}}, 303) // no form sets a file
	bens := models.Upload{Name: "ben.pdf", Content: []byte("b")}
	modelstest.Must(people.In(d.Programme().Directory()).SetFile(t.Context(), ben, key, bens))(t)
	admintest.Wants(t, b.Get("/admin/contacts/"+ada+"/merge/"+ben, 200), "two.pdf, 3 bytes", "ben.pdf, 1 byte")
	b.On("/admin/account").Post(path+"/remove", url.Values{}, 303)
	b.Get(path, 404)
	admintest.Lacks(t, b.Get(person, 200), "Remove file")
}

func TestFilesOfPeopleAreForThoseWhoSeeAndChangeThem(t *testing.T) {
	d := admintest.Open(t)
	ada, there := d.Person(d.Programme(), "first_name", "Ada"), d.Person(d.Elsewhere(), "first_name", "There")
	all := d.Directory(d.Event.OrganizationID, modelstest.Tester)
	key := modelstest.Must(people.In(all).AddOwnField(t.Context(), people.OwnFieldInput{Label: "Rider", Type: field.File,
		IsOpen: true}))(t).Key
	for _, id := range []string{ada, there} {
		modelstest.Must(people.In(all).SetFile(t.Context(), id, key, models.Upload{Name: "r.pdf", Content: []byte("r")}))(t)
	}
	here, viewer := d.At("/contacts/"+ada+"/files/"+key), d.As(staff.Viewer)
	admintest.Wants(t, viewer.Get(d.At("/speakers/"+ada), 200), "r.pdf")
	admintest.Lacks(t, viewer.Page, `type="file"`, here+"/remove")
	reader := d.Hire("reads", staff.Viewer, true, nil)
	only := d.Hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	org := "/admin/contacts/"
	for _, c := range []struct {
		who          *admintest.Caller
		method, path string
		want         int
	}{
		{reader, "GET", here, 200}, {reader, "POST", here + "/remove", 403}, {reader, "POST", here, 403},
		{only, "GET", org + ada + "/files/" + key, 200}, {only, "GET", org + there + "/files/" + key, 404},
		{only, "GET", d.At("/contacts/" + there + "/files/" + key), 404},
		{only, "POST", org + ada + "/files/" + key, 403},
		{only, "POST", d.At("/contacts/"+there+"/files/"+key) + "/remove", 404},
	} {
		if status, _, _ := c.who.Try(c.method, c.path, nil); status != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, status, c.want)
		}
	}
	d.Browser().Get(here, 303)
}
