package admin_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/static"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// TestPagesCostAFixedNumberOfStatements pins what the pages of a filled event ask
// the database, with nothing kept from an earlier page but the metadata.
func TestPagesCostAFixedNumberOfStatements(t *testing.T) {
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			d := admintest.OpenOn(t, dialect, visit.Options{})
			if err := d.Programme().Seed(context.Background(), 400, 60); err != nil {
				t.Fatal(err)
			}
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
				"": 16, "/reviews": 13, "/submissions": 12, "/submissions?status=pending&q=an&sort=title": 12, "/sessions": 15, "/trash": 12,
				"/activity": 12, "/letters": 12, "/letters/templates/accepted": 12, "/decisions": 12, "commit": 15, "undo": 13,
				"/metadata/tracks": 12, "/keys": 12, "/settings": 12, "record": 15, "record/edit": 12, "placed": 17,
				"/triage": 17, "triaged": 18, "/triage?q=an&status=accept_queue&sort=title": 18,
				"/sourcing": 12, "/sourcing?q=an": 12, "contacts/stages": 12,
				"/speakers": 12, "/speakers?q=an": 13, "person": 16, "/speakers?who=all&missing=travel&columns=tags": 14,
				"contacts": 12, "contacts?q=an&missing=email": 12, "contacts/overview": 12,
				"contacts?status=confirmed&track=x&tag=y&role=speaker":      12,
				"contacts?returning=speakers&sort=changed":                  12,
				"contacts?company=x&job=y&sort=newest&columns=events,email": 12,
				"segment": 12, "/speakers?status=confirmed&who=off&sort=changed": 12,
				"/publish": 16, "/publish?show=held": 16, "/publish/versions": 11,
				"/sessions?needs=room": 16, "/sessions?needs=person": 15,
				"/agenda": 18, "/agenda?view=list": 18, "/agenda?view=tracks": 18,
			} {
				address := d.At(path)
				if strings.HasPrefix(path, "contacts") {
					address = "/admin/" + path
				}
				switch path {
				case "person":
					address = admintest.Unescape(regexp.MustCompile(`href="([^"]+/speakers/[0-9a-f-]{36})"`).FindStringSubmatch(
						b.Get(d.At("/speakers"), 200))[1])
				case "segment":
					address, _ = b.Post("/admin/contacts/segments", url.Values{"name": {"Mine"}, "query": {"missing=email"}}, 303)
				case "commit":
					address, _ = b.Post(d.At("/decisions"), url.Values{"queue": {"both"}}, 303)
				case "undo":
					address = regexp.MustCompile(`\?.*`).ReplaceAllString(admintest.Unescape(decided[1]), "") + "/undo-decision"
				case "placed":
					address = admintest.Unescape(placed[1])
				case "record":
					address = admintest.Unescape(record[1])
				case "triaged":
					address = d.At("/triage/" + regexp.MustCompile(`sessions/([^?]+)`).FindStringSubmatch(record[1])[1])
				case "record/edit":
					address = regexp.MustCompile(`\?.*`).ReplaceAllString(admintest.Unescape(record[1]), "") + "/edit"
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
}

// TestScriptsAndStyleAreSmall adds up what a page fetches, compressed: of those
// that have more than the rest.
func TestScriptsAndStyleAreSmall(t *testing.T) {
	t.Parallel()
	d := admintest.Open(t, visit.Options{})
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
	if _, err := io.Copy(writer, res.Body); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	return out.Len()
}
