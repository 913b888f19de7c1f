package chaos

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestKilledWhileFilesComeAndGo has staff upload files and take archives along while the server is killed again and again:
// what was acknowledged is there as a whole, what was not is there as a whole or not at all, no part of an archive opens,
// and the next start leaves nothing behind that nobody knows.
func TestKilledWhileFilesComeAndGo(t *testing.T) {
	onlyLong(t)
	onBoth(t, "kill -9 during uploads and archives", func(s *site) {
		s.env = append(s.env, "TMPDIR="+s.dir)
		s.command("seed", "--event", "harbour", "--sessions", "60", "--contacts", "20")
		serving := s.replicas[0]
		serving.start()
		dana := s.newStaff()
		run := &courier{staff: dana, owners: dana.askForSlides(), kept: map[string]bool{}}
		var running sync.WaitGroup
		for n := range 3 {
			running.Go(func() { run.bring(n) })
		}
		running.Go(run.take)
		const kills = 25
		for range kills {
			s.pause(s.between(150*time.Millisecond, 900*time.Millisecond))
			serving.kill()
			serving.start()
		}
		for !run.hasBrought() { // where all is slow, each of them was cut short
			s.pause(100 * time.Millisecond)
		}
		run.over.Store(true)
		running.Wait()
		serving.kill() // in the middle of nothing: what is left now is left for good
		serving.start()
		run.audit()
		s.note("%d kills, %d uploads and %d archives cut short", kills, run.cut.Load(), run.torn.Load())
		s.done = true
	})
}

// courier brings files and takes archives along.
type courier struct {
	*staff
	owners    []string // addresses of deliverables
	over      atomic.Bool
	cut, torn atomic.Int64
	mu        sync.Mutex
	kept      map[string]bool // names of files whose upload was acknowledged
}

var deliverableAt = regexp.MustCompile(`href="([^"]*/tasks/[0-9a-f-]{36}/[0-9a-f-]{36})"`)

// askForSlides makes a task of each session, and returns where some have it.
func (d *staff) askForSlides() (owners []string) {
	d.Helper()
	at := "/admin/events/" + d.event + "/tasks"
	d.read(at + "/new")
	d.send(at+"/new", url.Values{"title": {"Slides"}, "kind": {"file"}, "asked_of": {"session"}})
	d.read(at)
	for _, found := range deliverableAt.FindAllStringSubmatch(d.page, 8) {
		owners = append(owners, found[1])
	}
	if len(owners) == 0 {
		d.Fatalf("nobody has the task: %.300s", d.page)
	}
	d.read(owners[0]) // with a form's token
	return owners
}

// bring uploads one file after the other, of two megabytes, until it is over.
func (c *courier) bring(n int) {
	for i := 0; !c.over.Load() && c.ctx.Err() == nil; i++ {
		name := fmt.Sprintf("slides-%d-%d.pdf", n, i)
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		form.WriteField("_token", tokenOfForm.FindStringSubmatch(c.page)[1])
		part, _ := form.CreateFormFile("file", name)
		io.WriteString(part, "%PDF-1.7 "+name+strings.Repeat("\n% of no use", 180_000))
		form.Close()
		address := c.replicas[0].base.Load().(string) + c.owners[(n+i)%len(c.owners)] + "/file"
		response, err := c.browser.Post(address, form.FormDataContentType(), &body)
		if err != nil {
			c.cut.Add(1)
			sleep(c.ctx, 20*time.Millisecond)
			continue
		}
		page, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err == nil && response.StatusCode == http.StatusOK && bytes.Contains(page, []byte("is kept as the latest version")) {
			c.mu.Lock()
			c.kept[name] = true
			c.mu.Unlock()
		}
	}
}

// hasBrought tells whether an upload was acknowledged.
func (c *courier) hasBrought() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.kept) > 0
}

// take fetches the archive of all files again and again: what opens has whole files.
func (c *courier) take() {
	for !c.over.Load() && c.ctx.Err() == nil {
		response, err := c.browser.Get(c.replicas[0].base.Load().(string) + "/admin/events/" + c.event + "/tasks/files.zip")
		if err != nil {
			sleep(c.ctx, 20*time.Millisecond)
			continue
		}
		content, _ := io.ReadAll(response.Body) // one that broke behind its last byte is whole
		response.Body.Close()
		if response.Header.Get("Content-Type") != "application/zip" {
			continue
		}
		files, broken := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if broken != nil {
			c.torn.Add(1)
			continue
		}
		for _, f := range files.File {
			if f.Name == "Missing files.txt" || f.UncompressedSize64 < 2_000_000 {
				c.odd("an archive has %s with %d bytes", f.Name, f.UncompressedSize64)
			}
		}
	}
}

// audit counts what is there against what was acknowledged, and looks for what nobody knows.
func (c *courier) audit() {
	c.Helper()
	for name := range c.kept {
		c.acknowledged++
		c.expect(name, c.number("SELECT count(*) FROM files WHERE name = '"+name+"'"), 1)
	}
	versions := c.number("SELECT count(*) FROM deliverable_versions")
	for what, query := range map[string]string{
		"files": "SELECT count(*) FROM files WHERE purpose = 'deliverable'",
		"lines": "SELECT count(*) FROM activity WHERE action = 'handed_in'",
	} {
		c.expect(what, c.number(query), versions)
	}
	c.expect("handed in", c.number("SELECT count(*) FROM deliverables WHERE state = 'done'"),
		c.number("SELECT count(DISTINCT session_id) FROM deliverable_versions"))
	said, _ := json.Marshal(c.command("verify"))
	if !strings.Contains(string(said), `"wrong":0}`) || strings.Contains(string(said), "does not know") {
		c.odd("verify says %s", said)
	}
	left := c.leftBehind()
	for end := time.Now().Add(time.Minute); len(left) > 0 && time.Now().Before(end); left = c.leftBehind() {
		c.pause(50 * time.Millisecond) // it is removed beside the first requests
	}
	for _, name := range left {
		c.odd("%s is left behind", name)
	}
}

// leftBehind are files of which a process that was killed made a part.
func (c *courier) leftBehind() (names []string) {
	c.check(filepath.WalkDir(c.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		name := filepath.Base(path)
		if strings.HasSuffix(name, ".part") || strings.HasPrefix(name, "multipart-") || strings.HasPrefix(name, ".check-") {
			names = append(names, path)
		}
		return nil
	}))
	return names
}
