package admin

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"image/png"
	"mime/multipart"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/page"
)

func pictureOf(t *testing.T, width, height int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewRGBA(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// upload sends a form with a file, as the field that the address ends with, and the proof of the last page unless it
// is told another one.
func (b *browser) upload(path, name string, content []byte, proof string, status int) (location, page string) {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if m := tokenPattern.FindStringSubmatch(b.page); m != nil && proof == "" {
		proof = m[1]
	}
	form.WriteField("_token", proof)
	if name != "" {
		file, err := form.CreateFormFile(path[strings.LastIndex(path, "/")+1:], name)
		if err != nil {
			b.t.Fatal(err)
		}
		file.Write(content)
	}
	form.Close()
	r := httptest.NewRequest("POST", path, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	res, page := b.do(r, status)
	return res.Header.Get("Location"), page
}

func TestAPhotoIsChosenDownloadedAndRemoved(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	page.RegisterPictures(d.app, d.Store)
	b := d.as(staff.Organizer)
	ada := modelstest.Must(d.Programme().CreateContact(context.Background(), models.NewContact{FirstName: "Ada"}))(t)
	person, path := d.at("/speakers/"+ada.ID), d.at("/contacts/"+ada.ID+"/photo")
	b.get("/admin/account", 200)

	b.get(path, 404)
	bare := b.get(person, 200)
	wants(t, bare, `class="avatar large"`, `type="file"`)
	lacks(t, bare, "Download photo", "Remove photo", "<img")
	lacks(t, d.as(staff.Viewer).get(person, 200), `class="person-photo"`)
	if location, _ := b.upload(path, `Ünïcode "quoted".png`, pictureOf(t, 2048, 64), "", 303); location != person {
		t.Errorf("it leads to %s", location)
	}
	wants(t, b.get("/admin/account", 200), "The photo is changed.")
	shown := modelstest.Must(d.Programme().Directory().Photo(context.Background(), ada.ID))(t)
	wants(t, b.get(person, 200), `src="/photos/`+shown.Key+`.jpg"`, `name="photo" type="file"`, `enctype="multipart/form-data"`,
		`href="`+path+`" download`, `action="`+path+`/remove"`)
	of := d.as(staff.Viewer).get(person, 200)
	wants(t, of, `src="/photos/`+shown.Key+`.jpg"`, `href="`+path+`" download`)
	lacks(t, of, `type="file"`, path+"/remove")
	res, content := b.do(httptest.NewRequest("GET", path, nil), 200)
	if made, err := jpeg.DecodeConfig(strings.NewReader(content)); err != nil || made.Width != 1024 {
		t.Errorf("%+v %v", made, err)
	}
	for name, want := range map[string]string{"Content-Type": "image/jpeg", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "no-store"} {
		if got := res.Header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
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
	stranger := d.browser()
	public := "/photos/" + photo.Key + ".jpg"
	res, again := stranger.do(httptest.NewRequest("GET", public, nil), 200)
	if again != content || res.Header.Get("Cache-Control") != "public, max-age=86400" ||
		res.Header.Get("Content-Type") != "image/jpeg" || !strings.HasPrefix(res.Header.Get("Content-Disposition"), "inline;") ||
		len(res.Cookies()) > 0 {
		t.Errorf("%v", res.Header)
	}
	known := httptest.NewRequest("GET", public, nil)
	known.Header.Set("If-None-Match", res.Header.Get("ETag"))
	if _, body := stranger.do(known, 304); body != "" {
		t.Error("it is sent again")
	}
	stranger.get(path, 303)

	for _, x := range []struct {
		name, words string
		content     []byte
	}{
		{"", "is missing; choose a file", nil}, {"empty.jpg", "is empty", nil}, {"x.svg", "is no photo that the server can read; choose a JPEG, PNG or WebP", []byte("<svg>")},
		{"half.png", "is damaged", pictureOf(t, 90, 90)[:60]},
	} {
		b.upload(path, x.name, x.content, "", 303)
		wants(t, b.get("/admin/account", 200), "The photo was not changed: the file "+x.words)
	}
	if now := modelstest.Must(d.Programme().Directory().Photo(context.Background(), ada.ID))(t); now.ID != photo.ID {
		t.Error("what was refused took its place")
	}
	b.upload(path, "x.png", pictureOf(t, 1, 1), "forged", 403)
	d.as(staff.Viewer).get(path, 200)

	if location, _ := b.post(path+"/remove", url.Values{}, 303); location != person {
		t.Errorf("it leads to %s", location)
	}
	b.get(path, 404)
	stranger.get(public, 404)
	stranger.get("/photos/"+strings.ToUpper(photo.Key)+".jpg", 404)
	stranger.get("/photos/..%2F..%2Fsecret.key", 404)
	b.upload(d.at("/contacts/"+store.NewID()+"/photo"), "x.png", pictureOf(t, 1, 1), "", 404)
}

func TestAPhotoSaysWhoBroughtItAndIsChosenInTheDirectoryToo(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada := d.person(d.Programme(), "first_name", "Ada")
	there := d.person(d.Elsewhere(), "first_name", "There")
	b := d.as(staff.Owner)
	b.get("/admin/account", 200)
	path := "/admin/contacts/" + ada
	if location, _ := b.upload(path+"/photo", "Ada <in> Porto.png", pictureOf(t, 64, 64), "", 303); location != path {
		t.Errorf("it leads to %s", location)
	}
	for _, person := range []string{path, d.at("/speakers/" + ada)} {
		wants(t, b.get(person, 200), "Ada &lt;in&gt; Porto.png", "brought by ", "Ada owner", "Download photo")
	}
	wants(t, b.get("/admin/contacts", 200), `<img class="avatar" src="/photos/`)
	b.do(httptest.NewRequest("GET", path+"/photo", nil), 200)

	only := d.hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	for _, c := range []struct {
		method, path string
		want         int
	}{{"GET", path + "/photo", 200}, {"GET", "/admin/contacts/" + there + "/photo", 404}, {"POST", path + "/photo/remove", 403}} {
		if status, _, _ := only.try(c.method, c.path, nil); status != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, status, c.want)
		}
	}
	b.get("/admin/account", 200)
	b.post(path+"/photo/remove", url.Values{}, 303)
	lacks(t, b.get(path, 200), "Download photo", "Porto")
}
