package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/files"
	"lectern/models/modelstest"
)

func photoForm(token string, content []byte) (kind, body string) {
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	form.WriteField("_token", token)
	file, _ := form.CreateFormFile("photo", "ada-before-the-wedding.png")
	file.Write(content)
	form.Close()
	return form.FormDataContentType(), out.String()
}

func TestAFileLargerThanAFormIsTakenWhereItIsAskedForAndFromWhoMaySendIt(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	address, _ := doors(t, f)
	modelstest.FirstOwner(t, f)
	ada := modelstest.Must(f.Programme().CreateContact(t.Context(), models.NewContact{FirstName: "Ada"}))(t)
	login := modelstest.First(modelstest.SignIn(t, f, "ada@example.org", modelstest.SecretPhrase))(t)
	cookie := "__Host-lectern=" + login
	_, account := ask(t, address, "GET", "/admin/account", "", "Cookie", cookie)
	token := regexp.MustCompile(`name="_token" value="([^"]+)"`).FindStringSubmatch(account)[1]
	path := "/admin/events/" + f.Event.ID + "/contacts/" + ada.ID + "/photo"
	post := func(path, kind, cookie, body string) (int, string) {
		t.Helper()
		conn := dial(t, address)
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: lectern.test\r\nConnection: close\r\nAccept: text/html\r\n"+
			"Content-Type: %s\r\nContent-Length: %d\r\nCookie: %s\r\n\r\n%s", path, kind, len(body), cookie, body)
		res := modelstest.Must(http.ReadResponse(bufio.NewReader(conn), nil))(t)
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(text)
	}
	kind, body := photoForm(token, modelstest.Noise(t, 1000))
	if len(body) <= bodyLimit {
		t.Fatal("the picture is too small for this test")
	}
	for _, x := range []struct {
		name, path, kind, cookie, body string
		status                         int
		says                           string
	}{
		{"elsewhere", "/admin/account/password", kind, cookie, body, 413, "2 MB in one form"},
		{"as another kind of form", path, "application/x-www-form-urlencoded", cookie, body, 413, ""},
		{"by nobody", path, kind, "", body, 401, ""},
		{"where it is asked for", path, kind, cookie, body, 303, ""},
		{"too large", path, kind, cookie, body + strings.Repeat("x", files.MaxPhotoBytes), 413,
			"A photo may have up to 10 MB."},
		{"people", "/admin/events/" + f.Event.ID + "/imports", kind, cookie, body + strings.Repeat("x", csv.MaxBytes), 413,
			"A file of people may have up to 20 MB."},
	} {
		if status, text := post(x.path, x.kind, x.cookie, x.body); status != x.status || !strings.Contains(text, x.says) {
			t.Errorf("%s: %d, not %d: %.300s", x.name, status, x.status, text)
		}
	}
	photo := modelstest.Must(f.Programme().Directory().Photo(t.Context(), ada.ID))(t)
	res, _ := ask(t, address, "GET", "/photos/"+photo.Key+".jpg", "")
	modelstest.Want(t, "the status code", res.StatusCode, 200)
	modelstest.Want(t, "Content-Type", res.Header.Get("Content-Type"), "image/jpeg")
	if told := fmt.Sprint(res.Header); photo.Name != "ada-before-the-wedding.png" || strings.Contains(told, "wedding") ||
		!strings.Contains(res.Header.Get("Content-Disposition"), "photo") {
		t.Errorf("%q is told to the public: %s", photo.Name, told)
	}
	res, _ = ask(t, address, "HEAD", "/photos/"+photo.Key+".jpg", "")
	modelstest.Want(t, "HEAD", res.StatusCode, 200)
	for _, wrong := range []string{"/photos/", "/photos/x", "/photos/" + photo.Key, "/photos/" + files.NewKey() + ".jpg"} {
		if res, _ := ask(t, address, "GET", wrong, ""); res.StatusCode != 404 ||
			res.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s", wrong, res.StatusCode, res.Header.Get("Cache-Control"))
		}
	}
	f.Options.Files = files.NewDisk("/dev/null")
	if res, _ := ask(t, address, "GET", "/photos/"+photo.Key+".jpg",
		""); res.StatusCode != http.StatusServiceUnavailable ||
		res.Header.Get("Retry-After") == "" {
		t.Errorf("without the file store: %d", res.StatusCode)
	}
}
