package operating

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/files/bucket/buckettest"
	"lectern/models/modelstest"
)

// hands is an owner's client without a browser: its cookies and the token of the last form.
type hands struct {
	*http.Client
	t    *testing.T
	base string
}

func (c *hands) page(path string) (token, page string) {
	c.t.Helper()
	res := modelstest.Must(c.Get(c.base + path))(c.t)
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	if m := regexp.MustCompile(`name="_token" value="([^"]+)"`).FindSubmatch(b); m != nil {
		token = string(m[1])
	}
	return token, string(b)
}

// choosePhoto sends a picture by the admin's form.
func (c *hands) choosePhoto(path string, width int) int {
	c.t.Helper()
	token, _ := c.page("/admin/account")
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	form.WriteField("_token", token)
	file, _ := form.CreateFormFile("photo", "me.png")
	png.Encode(file, image.NewRGBA(image.Rect(0, 0, width, 40)))
	form.Close()
	res := modelstest.Must(c.Post(c.base+path, form.FormDataContentType(), &body))(c.t)
	res.Body.Close()
	return res.StatusCode
}

// signedIn returns the client of the owner Ada, signed in.
func signedIn(t *testing.T, base string) *hands {
	t.Helper()
	jar := modelstest.Must(cookiejar.New(nil))(t)
	c := &hands{&http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}, t, base}
	token, _ := c.page("/sign-in")
	res, err := c.PostForm(base+"/sign-in", url.Values{"_token": {token}, "email": {"ada@example.org"},
		"password": {"correct horse battery"}})
	if err != nil || res.StatusCode != 303 {
		t.Fatalf("%v %v", res, err)
	}
	res.Body.Close()
	return c
}

// photoAt fetches a photo without any key and returns its width.
func photoAt(t *testing.T, address string) (status, width int) {
	t.Helper()
	res := modelstest.Must(http.Get(address))(t)
	defer res.Body.Close()
	c, _ := jpeg.DecodeConfig(res.Body)
	return res.StatusCode, c.Width
}

// TestReplicasShareTheFilesInABucket: a photo that one replica took is served by the other one, also while the
// bucket was away in between, and found by a command.
func TestReplicasShareTheFilesInABucket(t *testing.T) {
	t.Parallel()
	s3 := buckettest.Serve(t)
	s := NewSite(t, Postgres(t))
	s.Env = append(s.Env, "LECTERN_FILES_URL="+s3.URL(), "LECTERN_SECRET_KEY="+strings.Repeat("A", 43)+"=",
		"LECTERN_BASE_URL=http://photos.example")
	event, key := s.Conference()
	s.Run("import", "../../models/frab/testdata/schedule.xml", "--event", "harbour")
	s.Hire("Ada", "owner")
	one := s.Serve("serve")
	other := s.Serve("serve")
	speakers := func() map[string]any {
		t.Helper()
		found := s.Ok(key, "POST", event+"/speakers/search", `{}`)["results"].([]any)
		return found[0].(map[string]any)
	}
	ada := speakers()["id"].(string)
	id := strings.TrimPrefix(event, "/v1/event/")
	path := "/admin/events/" + id + "/contacts/" + ada + "/photo"
	c := signedIn(t, one.Base)
	if status := c.choosePhoto(path, 400); status != 303 {
		t.Fatalf("the photo is answered %d", status)
	}
	address := speakers()["photo_url"].(string)
	if !strings.HasPrefix(address, "http://photos.example/photos/") {
		t.Fatalf("photo_url is %s", address)
	}
	there := other.Base + strings.TrimPrefix(address, "http://photos.example")
	if status, width := photoAt(t, there); status != 200 || width != 400 {
		t.Errorf("the other replica answers %d, %d pixels", status, width)
	}
	s3.Stop()
	if status, _ := photoAt(t, there); status != 503 {
		t.Errorf("without the bucket: %d", status)
	}
	modelstest.Want(t, "a new photo meanwhile", c.choosePhoto(path, 300), 503)
	if status, _, _ := readiness(s); status != 200 {
		t.Errorf("/readyz answers %d for the sake of a photo", status)
	}
	s3.Start()
	if status, width := photoAt(t, there); status != 200 || width != 400 {
		t.Errorf("afterwards %d, %d pixels", status, width)
	}
	verified(s)
	advice := refused(s, "s3://"+s3.Host, "backup", "a.dump")
	if strings.Contains(advice, "secret%2Fof") || strings.Contains(advice, "secret/of") {
		t.Errorf("the advice is %s", advice)
	}
	for _, srv := range []*Server{one, other} {
		if srv.Terminate(t); strings.Contains(srv.Log.String(), "secret%2Fof") || strings.Contains(srv.Log.String(), "secret/of") {
			t.Error("the secret is in the log")
		}
	}
}

func TestAFileStoreThatCannotServeIsSaidAtTheStart(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	s.Env = append(s.Env, "LECTERN_FILES_URL=file://"+filepath.Join("/dev/null", "files"))
	srv := s.Serve("serve")
	srv.Terminate(t)
	if !strings.Contains(srv.Log.String(), "files cannot be kept") {
		t.Errorf("%s", srv.Log)
	}
	for _, wrong := range []string{"s3://key:hush@host", "ftp://hush", "file://relative"} {
		s.Env = append(s.Env, "LECTERN_FILES_URL="+wrong)
		said := refused(s, "LECTERN_FILES_URL", "serve")
		modelstest.Want(t, wrong+": it says the key", strings.Contains(said, "hush"), false)
	}
}
