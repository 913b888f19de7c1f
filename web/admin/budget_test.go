package admin_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"html"
	"io"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/seed"
	"lectern/models/staff"
	"lectern/static"
	"lectern/web/admin/admintest"
)

// TestPagesCostAFixedNumberOfStatements pins what the pages of a filled event ask
// the database, with nothing kept from an earlier page but the metadata.
func TestPagesCostAFixedNumberOfStatements(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		modelstest.Fine(t, seed.Fill(context.Background(), d.Programme(), 400, 60))
		b := d.As(staff.Owner)
		record := regexp.MustCompile(`class="title" href="([^"]+)"`).
			FindStringSubmatch(b.Get(d.At("/submissions?status=pending"), 200))
		decided := regexp.MustCompile(`class="title" href="([^"]+)"`).
			FindStringSubmatch(b.Get(d.At("/submissions?status=declined"), 200))
		placed := regexp.MustCompile(`class="title" href="([^"]+)"`).
			FindStringSubmatch(b.Get(d.At("/sessions?needs=room"), 200))
		for range 40 { // so that more wait for a review than are shown
			d.Session(models.NewSession{Title: "waits", IsAbstract: true})
		}
		for path, most := range map[string]int{
			"": 18, "/reviews": 14, "/submissions": 13, "/submissions?status=pending&q=an&sort=title": 13, "/sessions": 16, "/trash": 13,
			"/activity": 13, "/letters": 13, "/letters/templates/accepted": 13, "/decisions": 13, "commit": 16, "undo": 14,
			"/metadata/tracks": 13, "/keys": 13, "/settings": 13, "record": 17, "record/edit": 13, "placed": 19,
			"/triage": 18, "triaged": 19, "/triage?q=an&status=accept_queue&sort=title": 19,
			"/sourcing": 13, "/sourcing?q=an": 13, "contacts/stages": 13,
			"/speakers": 13, "/speakers?q=an": 14, "person": 18, "/speakers?who=all&missing=travel&columns=tags": 15,
			"contacts": 13, "contacts?q=an&missing=email": 13, "contacts/overview": 13,
			"contacts?status=confirmed&track=x&tag=y&role=speaker":      13,
			"contacts?returning=speakers&sort=changed":                  13,
			"contacts?company=x&job=y&sort=newest&columns=events,email": 13,
			"segment": 13, "/speakers?status=confirmed&who=off&sort=changed": 13,
			"/publish": 17, "/publish?show=held": 17, "/publish/versions": 12,
			"/sessions?needs=room": 17, "/sessions?needs=person": 16,
			"/agenda": 19, "/agenda?view=list": 19, "/agenda?view=tracks": 19,
			"/tasks": 13, "/tasks/list": 12, "/tasks/new": 12,
		} {
			address := d.At(path)
			if strings.HasPrefix(path, "contacts") {
				address = "/admin/" + path
			}
			switch path {
			case "person":
				address = html.UnescapeString(regexp.MustCompile(`href="([^"]+/speakers/[0-9a-f-]{36})"`).FindStringSubmatch(
					b.Get(d.At("/speakers"), 200))[1])
			case "segment":
				address, _ = b.Post("/admin/contacts/segments", url.Values{"name": {"Mine"}, "query": {"missing=email"}}, 303)
			case "commit":
				address, _ = b.Post(d.At("/decisions"), url.Values{"queue": {"both"}}, 303)
			case "undo":
				address = regexp.MustCompile(`\?.*`).ReplaceAllString(html.UnescapeString(decided[1]), "") + "/undo-decision"
			case "placed":
				address = html.UnescapeString(placed[1])
			case "record":
				address = html.UnescapeString(record[1])
			case "triaged":
				address = d.At("/triage/" + regexp.MustCompile(`sessions/([^?]+)`).FindStringSubmatch(record[1])[1])
			case "record/edit":
				address = regexp.MustCompile(`\?.*`).ReplaceAllString(html.UnescapeString(record[1]), "") + "/edit"
			}
			// A change makes every count that is kept old.
			d.Session(models.NewSession{Title: "another", IsAbstract: true})
			var page string
			statements := d.Statement.During(func() { page = b.Get(address, 200) })
			if len(statements) > most {
				t.Errorf("%s takes %d statements, at most %d:\n%s", path, len(statements), most, statements)
			}
			if len(page) > 150_000 {
				t.Errorf("%s has %d bytes", path, len(page))
			}
		}
	})
}

// TestScriptsAndStyleAreSmall adds up what a page fetches, compressed: of those
// that have more than the rest.
func TestScriptsAndStyleAreSmall(t *testing.T) {
	d := admintest.Open(t)
	static.Register(d.App)
	b := d.As(staff.Owner)
	for _, path := range []string{"/metadata/tracks", "/submissions/new"} {
		total := 0
		for _, m := range regexp.MustCompile(`(?:src|href)="(/static/[^"]+\.(?:js|css)[^"]*)"`).
			FindAllStringSubmatch(b.Get(d.At(path), 200), -1) {
			total += compressed(t, d.App, m[1])
		}
		if total == 0 || total > 100_000 {
			t.Errorf("%s fetches %d bytes of script and style", path, total)
		}
		t.Log(path, total, "bytes")
	}
}

func compressed(t *testing.T, app *fiber.App, path string) int {
	t.Helper()
	res, err := app.Test(httptest.NewRequest("GET", path, nil), -1)
	if err != nil || res.StatusCode != 200 {
		t.Fatalf("%s: %v %v", path, res, err)
	}
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	modelstest.Must(io.Copy(writer, res.Body))(t)
	writer.Close()
	return out.Len()
}
