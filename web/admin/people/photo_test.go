package people_test

import (
	"context"
	"image/jpeg"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/page"
)

func TestAPhotoIsChosenDownloadedAndRemoved(t *testing.T) {
	d := admintest.Open(t)
	page.RegisterPictures(d.App, d.Store)
	b := d.As(staff.Organizer)
	ada := modelstest.Must(d.Programme().CreateContact(context.Background(), models.NewContact{FirstName: "Ada"}))(t)
	person, path := d.At("/speakers/"+ada.ID), d.At("/contacts/"+ada.ID+"/photo")
	b.Get("/admin/account", 200)

	b.Get(path, 404)
	admintest.Wants(t, b.Get(person, 200), `class="avatar large"`, `type="file"`)
	admintest.Lacks(t, b.Text, "Download photo", "Remove photo", "<img")
	admintest.Lacks(t, d.As(staff.Viewer).Get(person, 200), `class="person-photo"`)
	location, _ := b.Upload(path, `Ünïcode "quoted".png`, modelstest.Picture(t, 2048, 64), "", 303)
	modelstest.Want(t, "it leads to", location, person)
	admintest.Wants(t, b.Get("/admin/account", 200), "The photo is changed.")
	shown := modelstest.Must(d.Programme().Directory().Photo(context.Background(), ada.ID))(t)
	admintest.Wants(t, b.Get(person, 200), `src="/photos/`+shown.Key+`.jpg"`, `name="photo" type="file"`,
		`enctype="multipart/form-data"`, `href="`+path+`" download`, `action="`+path+`/remove"`)
	of := d.As(staff.Viewer).Get(person, 200)
	admintest.Wants(t, of, `src="/photos/`+shown.Key+`.jpg"`, `href="`+path+`" download`)
	admintest.Lacks(t, of, `type="file"`, path+"/remove")
	res, content := b.Do(httptest.NewRequest("GET", path, nil), 200)
	if made, err := jpeg.DecodeConfig(strings.NewReader(content)); err != nil || made.Width != 1024 {
		t.Errorf("%+v %v", made, err)
	}
	for name, want := range map[string]string{"Content-Type": "image/jpeg", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "no-store"} {
		modelstest.Want(t, name+" is", res.Header.Get(name), want)
	}
	if got := res.Header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment; filename*=utf-8''") ||
		!strings.HasSuffix(got, ".jpg") {
		t.Errorf("it is saved as %s", got)
	}
	photo := modelstest.Must(d.Programme().Directory().Photo(context.Background(), ada.ID))(t)
	if !strings.HasPrefix(photo.UploadedByName, "Ada organizer") {
		t.Errorf("%s brought it", photo.UploadedByName)
	}

	// Whoever knows its address sees it, and keeps it.
	stranger := d.Browser()
	public := "/photos/" + photo.Key + ".jpg"
	res, again := stranger.Do(httptest.NewRequest("GET", public, nil), 200)
	if again != content || res.Header.Get("Cache-Control") != "public, max-age=86400" ||
		res.Header.Get("Content-Type") != "image/jpeg" || !strings.HasPrefix(res.Header.Get("Content-Disposition"), "inline;") ||
		len(res.Cookies()) > 0 {
		t.Errorf("%v", res.Header)
	}
	known := httptest.NewRequest("GET", public, nil)
	known.Header.Set("If-None-Match", res.Header.Get("ETag"))
	if _, body := stranger.Do(known, 304); body != "" {
		t.Error("it is sent again")
	}
	stranger.Get(path, 303)

	for _, x := range []struct {
		name, words string
		content     []byte
	}{
		{"", "is missing; choose a file", nil}, {"empty.jpg", "is empty", nil}, {"x.svg", "is no photo that the server can read; choose a JPEG, PNG or WebP", []byte("<svg>")},
		{"half.png", "is damaged", modelstest.Picture(t, 90, 90)[:60]},
	} {
		b.Upload(path, x.name, x.content, "", 303)
		admintest.Wants(t, b.Get("/admin/account", 200), "The photo was not changed: the file "+x.words)
	}
	modelstest.Want(t, "what was refused took its place",
		modelstest.Must(d.Programme().Directory().Photo(context.Background(), ada.ID))(t).ID, photo.ID)
	b.Upload(path, "x.png", modelstest.Picture(t, 1, 1), "forged", 403)
	d.As(staff.Viewer).Get(path, 200)

	location, _ = b.Post(path+"/remove", url.Values{}, 303)
	modelstest.Want(t, "it leads to", location, person)
	b.Get(path, 404)
	stranger.Get(public, 404)
	stranger.Get("/photos/"+strings.ToUpper(photo.Key)+".jpg", 404)
	stranger.Get("/photos/..%2F..%2Fsecret.key", 404)
	b.Upload(d.At("/contacts/"+store.NewID()+"/photo"), "x.png", modelstest.Picture(t, 1, 1), "", 404)
}

func TestAPhotoSaysWhoBroughtItAndIsChosenInTheDirectoryToo(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Person(d.Programme(), "first_name", "Ada")
	there := d.Person(d.Elsewhere(), "first_name", "There")
	b := d.As(staff.Owner)
	b.Get("/admin/account", 200)
	path := "/admin/contacts/" + ada
	location, _ := b.Upload(path+"/photo", "Ada <in> Porto.png", modelstest.Picture(t, 64, 64), "", 303)
	modelstest.Want(t, "it leads to", location, path)
	for _, person := range []string{path, d.At("/speakers/" + ada)} {
		admintest.Wants(t, b.Get(person, 200), "Ada &lt;in&gt; Porto.png", "brought by ", "Ada owner", "Download photo")
	}
	admintest.Wants(t, b.Get("/admin/contacts", 200), `<img class="avatar" src="/photos/`)
	b.Do(httptest.NewRequest("GET", path+"/photo", nil), 200)

	only := d.Hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	for _, c := range []struct {
		method, path string
		want         int
	}{{"GET", path + "/photo", 200}, {"GET", "/admin/contacts/" + there + "/photo", 404}, {"POST", path + "/photo/remove", 403}} {
		if status, _, _ := only.Try(c.method, c.path, nil); status != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, status, c.want)
		}
	}
	b.On("/admin/account").Post(path+"/photo/remove", url.Values{}, 303)
	admintest.Lacks(t, b.Get(path, 200), "Download photo", "Porto")
}
