package chaos

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// staff is somebody of the staff at a browser without scripts.
type staff struct {
	*site
	browser *http.Client
	page    string // the last one
}

const staffPassword = "correct horse battery"

// newStaff makes an owner and signs them in.
func (s *site) newStaff() *staff {
	s.Helper()
	cmd := exec.CommandContext(s.ctx, binary, "user", "create", "--email", "dana@harbour.test", "--name", "Dana",
		"--role", "owner")
	cmd.Env, cmd.Dir, cmd.Stdin = s.env, s.dir, strings.NewReader(staffPassword+"\n")
	s.check(cmd.Run())
	jar, err := cookiejar.New(nil)
	s.check(err)
	d := &staff{site: s, browser: &http.Client{Jar: jar, Timeout: 30 * time.Second}}
	d.read("/sign-in")
	d.send("/sign-in", url.Values{"email": {"dana@harbour.test"}, "password": {staffPassword}})
	return d
}

// read opens a page, and send a form of the last one; both return the path that they end at.
func (d *staff) read(path string) string {
	d.Helper()
	return d.answered(d.browser.Get(d.replicas[0].base.Load().(string) + path))
}

var tokenOfForm = regexp.MustCompile(`name="_token" value="([^"]+)"`)

func (d *staff) send(path string, form url.Values) string {
	d.Helper()
	form.Set("_token", tokenOfForm.FindStringSubmatch(d.page)[1])
	return d.answered(d.browser.PostForm(d.replicas[0].base.Load().(string)+path, form))
}

func (d *staff) answered(response *http.Response, err error) string {
	d.Helper()
	d.check(err)
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	d.check(err)
	if d.page = string(page); response.StatusCode != http.StatusOK {
		d.Fatalf("%s: %d %.300s", response.Request.URL, response.StatusCode, page)
	}
	return response.Request.URL.Path
}
