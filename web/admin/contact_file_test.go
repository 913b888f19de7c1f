package admin

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

func TestAFieldOfFilesIsDefinedFilledFilteredAndExported(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada, ben := d.person(d.Programme(), "first_name", "Ada"), d.person(d.Programme(), "first_name", "Ben")
	b := d.as(staff.Owner)
	wants(t, b.get("/admin/contacts/fields", 200), `<option value="file">File</option>`)
	b.post("/admin/contacts/fields", url.Values{"label": {"Stage rider"}, "type": {"file"}, "help": {"As a PDF"}}, 303)
	key := modelstest.Must(d.Programme().Directory().OwnFields(t.Context()))(t)[0].Key
	person, path := d.at("/speakers/"+ada), d.at("/contacts/"+ada+"/files/"+key)
	b.get(path, 404)
	bare := b.get(person, 200)
	wants(t, bare, "Stage rider", "As a PDF. Up to 20 MB", `enctype="multipart/form-data"`, "Add a file")
	lacks(t, bare, "Remove file")
	lacks(t, b.get(person+"/edit", 200), "Stage rider")

	b.get("/admin/account", 200)
	if location, _ := b.upload(path, `rider <1>.html`, []byte("<script>alert(1)</script>"), "", 303); location != person {
		t.Errorf("it leads to %s", location)
	}
	wants(t, b.get(person, 200), "The file is saved.", "rider &lt;1&gt;.html", "25 bytes", "brought by ", "Ada owner",
		`href="`+path+`" download`, "Replace or remove", "Stage rider")
	res, content := b.do(httptest.NewRequest("GET", path, nil), 200)
	for name, want := range map[string]string{"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "no-store"} {
		if got := res.Header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if content != "<script>alert(1)</script>" || !strings.HasPrefix(res.Header.Get("Content-Disposition"), "attachment;") {
		t.Errorf("saved %q as %s", content, res.Header.Get("Content-Disposition"))
	}
	for query, want := range map[string]string{"_is=filled": "Ada", "_is=empty": "Ben", "=rider": "Ada"} {
		page := b.get("/admin/contacts?own_"+key+query+"&columns="+key, 200)
		wants(t, page, ">"+want+"<")
		lacks(t, page, ">"+map[string]string{"Ada": "Ben", "Ben": "Ada"}[want]+"<")
	}
	wants(t, b.get("/admin/contacts?columns="+key, 200), "rider &lt;1&gt;.html")
	wants(t, b.get("/admin/contacts.csv?columns="+key, 200), "Stage rider", "rider <1>.html")

	b.get("/admin/account", 200)
	b.upload("/admin/contacts/"+ada+"/files/"+key, "two.pdf", []byte("two"), "", 303)
	wants(t, b.get(person, 200), "two.pdf", "rider &lt;1&gt;.html") // the activity says what it was
	for name, words := range map[string]string{"": "is missing; choose a file", "empty.pdf": "is empty"} {
		b.upload(path, name, nil, "", 303)
		wants(t, b.get("/admin/account", 200), "The file was not saved: it "+words)
	}
	b.upload(path, "x.pdf", []byte("x"), "forged", 403)
	b.post(person+"/edit", url.Values{"first_name": {"Ada"}, key: {"anything"}}, 303) // no form sets a file
	bens := models.Upload{Name: "ben.pdf", Content: []byte("b")}
	modelstest.Must(d.Programme().Directory().SetFile(t.Context(), ben, key, bens))(t)
	wants(t, b.get("/admin/contacts/"+ada+"/merge/"+ben, 200), "two.pdf, 3 bytes", "ben.pdf, 1 byte")
	b.get("/admin/account", 200)
	b.post(path+"/remove", url.Values{}, 303)
	b.get(path, 404)
	lacks(t, b.get(person, 200), "Remove file")
}

func TestFilesOfPeopleAreForThoseWhoSeeAndChangeThem(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada, there := d.person(d.Programme(), "first_name", "Ada"), d.person(d.Elsewhere(), "first_name", "There")
	all := d.Directory(d.Event.OrganizationID, modelstest.Tester)
	key := modelstest.Must(all.AddOwnField(t.Context(), models.OwnFieldInput{Label: "Rider", Type: field.File, IsOpen: true}))(t).Key
	for _, id := range []string{ada, there} {
		modelstest.Must(all.SetFile(t.Context(), id, key, models.Upload{Name: "r.pdf", Content: []byte("r")}))(t)
	}
	here, viewer := d.at("/contacts/"+ada+"/files/"+key), d.as(staff.Viewer)
	wants(t, viewer.get(d.at("/speakers/"+ada), 200), "r.pdf")
	lacks(t, viewer.page, `type="file"`, here+"/remove")
	reader := d.hire("reads", staff.Viewer, true, nil)
	only := d.hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	org := "/admin/contacts/"
	for _, c := range []struct {
		who          *caller
		method, path string
		want         int
	}{
		{reader, "GET", here, 200}, {reader, "POST", here + "/remove", 403}, {reader, "POST", here, 403},
		{only, "GET", org + ada + "/files/" + key, 200}, {only, "GET", org + there + "/files/" + key, 404},
		{only, "GET", d.at("/contacts/" + there + "/files/" + key), 404},
		{only, "POST", org + ada + "/files/" + key, 403},
		{only, "POST", d.at("/contacts/"+there+"/files/"+key) + "/remove", 404},
	} {
		if status, _, _ := c.who.try(c.method, c.path, nil); status != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, status, c.want)
		}
	}
	d.browser().get(here, 303)
}
