package chaos

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// committee is somebody of the staff at a browser without scripts.
type committee struct {
	*site
	browser *http.Client
	token   string // of the last form
}

const committeePassword = "correct horse battery"

var tokenOfForm = regexp.MustCompile(`name="_token" value="([^"]+)"`)

func (s *site) newCommittee() *committee {
	s.Helper()
	cmd := exec.CommandContext(s.ctx, binary, "user", "create", "--email", "dana@harbour.test", "--name",
		"Dana", "--role", "owner")
	cmd.Env, cmd.Dir, cmd.Stdin = s.env, s.dir, strings.NewReader(committeePassword+"\n")
	s.check(cmd.Run())
	jar, err := cookiejar.New(nil)
	s.check(err)
	c := &committee{site: s, browser: &http.Client{Jar: jar, Timeout: 30 * time.Second}}
	c.read("/sign-in")
	c.send("/sign-in", url.Values{"email": {"dana@harbour.test"}, "password": {committeePassword}})
	return c
}

// read returns a page, and send that which a form leads to, with its path. A server that was killed is asked again.
func (c *committee) read(path string) (page, at string) {
	return c.ask(func(base string) (*http.Response, error) { return c.browser.Get(base + path) })
}

func (c *committee) send(path string, form url.Values) (page, at string) {
	form.Set("_token", c.token)
	return c.ask(func(base string) (*http.Response, error) { return c.browser.PostForm(base+path, form) })
}

func (c *committee) ask(once func(base string) (*http.Response, error)) (page, at string) {
	c.Helper()
	response, err := once(c.replicas[0].base.Load().(string))
	c.check(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	c.check(err)
	if response.StatusCode != http.StatusOK {
		c.Fatalf("%s: %d %.300s", response.Request.URL, response.StatusCode, body)
	}
	if found := tokenOfForm.FindSubmatch(body); found != nil {
		c.token = string(found[1])
	}
	return string(body), response.Request.URL.Path
}

// number reads one number from the database.
func (s *site) number(query string) (n int) {
	s.Helper()
	s.query(func(rows *sql.Rows) error { return rows.Scan(&n) }, query)
	return n
}

// TestKilledInTheMiddleOfACommit has two people commit the same queues while the server is killed again and again: each
// submission is decided once, with its letters and one decision.committed, and none is left.
func TestKilledInTheMiddleOfACommit(t *testing.T) {
	onBoth(t, "kill -9 while decisions are committed", func(s *site) {
		s.command("seed", "--event", "harbour", "--sessions", fmt.Sprint(sized(3000, 300)), "--contacts", "200")
		queued := s.number("SELECT count(*) FROM sessions WHERE is_abstract AND status IN ('accept_queue', 'decline_queue')")
		letters := s.number(`SELECT count(*) FROM sessions s JOIN participants x ON x.session_id = s.id
			JOIN contacts c ON c.id = x.contact_id
			WHERE s.is_abstract AND s.status IN ('accept_queue', 'decline_queue') AND c.email <> ''`)
		serving := s.replicas[0]
		serving.start()
		dana := s.newCommittee()
		decisions := "/admin/events/" + s.event + "/decisions"
		var opened []string
		for range 2 {
			dana.read(decisions)
			_, at := dana.send(decisions, url.Values{"queue": {"both"}})
			opened = append(opened, at)
		}
		for _, at := range opened {
			dana.read(at)
			dana.send(at, url.Values{})
		}
		kills := 0
		left := func() int { return s.number("SELECT count(*) FROM batches WHERE state = 'running'") }
		for ; left() > 0 && kills < sized(40, 5); kills++ {
			s.pause(s.between(20*time.Millisecond, 400*time.Millisecond))
			serving.kill()
			serving.start()
		}
		for left() > 0 {
			s.pause(50 * time.Millisecond)
		}
		for what, query := range map[string]string{
			"decisions":          "SELECT count(*) FROM decisions",
			"decided":            "SELECT count(DISTINCT session_id) FROM decisions WHERE number = 1",
			"decision.committed": "SELECT count(*) FROM emissions WHERE type = 'decision.committed'",
			"updated":            "SELECT count(*) FROM emissions WHERE type = 'session.updated'",
			"lines":              "SELECT count(*) FROM activity WHERE subject = 'session' AND action = 'updated'",
		} {
			s.expect(what, s.number(query), queued)
		}
		s.expect("letters", s.number("SELECT count(*) FROM letters WHERE state = 'draft' AND is_current"), letters)
		s.expect("left in a queue", s.number("SELECT count(*) FROM sessions WHERE is_abstract AND status LIKE '%_queue'"), 0)
		page, _ := dana.read(opened[0])
		if !strings.Contains(page, "Undo these decisions") && !strings.Contains(page, "0 decisions committed") {
			s.other.add("the page of the commit does not say that it is done")
		}
		s.acknowledged += queued
		s.note("%d kills, %d letters", kills, letters)
		s.done = true
	})
}

// expect counts what is missing and what is there twice.
func (s *site) expect(what string, is, want int) {
	for range want - is {
		s.lost.add("%s: %d of %d", what, is, want)
	}
	for range is - want {
		s.doubled.add("%s: %d in place of %d", what, is, want)
	}
}
