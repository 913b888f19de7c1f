package manual_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lectern/models/modelstest"
	"lectern/web/admin/visit"
	"lectern/web/manual"
	"lectern/web/page"
)

func get(t *testing.T, app *fiber.App, path string) (status int, body string) {
	t.Helper()
	request := modelstest.Must(http.NewRequest("GET", path, nil))(t)
	response := modelstest.Must(app.Test(request, -1))(t)
	defer response.Body.Close()
	text := modelstest.Must(io.ReadAll(response.Body))(t)
	return response.StatusCode, string(text)
}

func open(t *testing.T) *fiber.App {
	t.Helper()
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	app := fiber.New(fiber.Config{Immutable: true})
	manual.Register(app, f.Store, page.Options{Key: make([]byte, 32), Address: func(*fiber.Ctx) string { return "" }})
	return app
}

// TestEveryLinkOfTheDocumentationLeadsSomewhere follows all of them, from the contents on.
func TestEveryLinkOfTheDocumentationLeadsSomewhere(t *testing.T) {
	app := open(t)
	pages, seen := []string{"/docs"}, map[string]string{}
	for len(pages) > 0 {
		path := pages[0]
		pages = pages[1:]
		if _, known := seen[path]; known || path == "/docs/api-reference" {
			continue
		}
		status, body := get(t, app, path)
		seen[path] = body
		if status != 200 || body == "" {
			t.Errorf("%s answers %d", path, status)
		}
		for _, m := range regexp.MustCompile(`(?:href|src)="(/docs[^"#?]*)`).FindAllStringSubmatch(body, -1) {
			pages = append(pages, m[1])
		}
	}
	for _, file := range []string{"alerts.yml", "dashboard.json"} {
		if seen["/docs/monitoring/"+file] == "" {
			t.Errorf("no page leads to %s", file)
		}
	}
	if len(seen) < 20 {
		t.Errorf("%d pages", len(seen))
	}
	if strings.Contains(seen["/docs/architecture"], `<td><a href="/docs/people"`) {
		t.Error("the architecture leads to the guide where it means a page of its own")
	}
	for path, body := range seen {
		for _, m := range regexp.MustCompile(`href="(/docs/[a-z-]*)?#([^"]+)"`).FindAllStringSubmatch(body, -1) {
			if to := m[1]; to == "" && !strings.Contains(body, `id="`+m[2]+`"`) ||
				to != "" && !strings.Contains(seen[to], `id="`+m[2]+`"`) {
				t.Errorf("%s links to %s#%s, which is not there", path, to, m[2])
			}
		}
		if strings.Contains(body, ":.<") {
			t.Errorf("%s ends a sentence with a colon and a point", path)
		}
		if strings.Contains(body, ".md\"") || strings.Contains(body, "../") {
			t.Errorf("%s links to a file", path)
		}
	}
}

func TestTheDocumentationIsSearched(t *testing.T) {
	app := open(t)
	for asked, want := range map[string]string{
		"q=SCORECARD":                    `href="/docs/reviews#set-a-round-up"`,
		"q=second+factor":                `href="/docs/team#signing-in"`,
		"q=%22%3Cscript%3E":              "No page has all of these words",
		"q=xyzzy+nothing":                "No page has all of these words",
		"q=" + strings.Repeat("a", 3000): "No page has all of these words",
	} {
		status, body := get(t, app, "/docs?"+asked)
		if status != 200 || !strings.Contains(body, want) || strings.Contains(body, "<script>\"") {
			t.Errorf("%.40s: %d without %s", asked, status, want)
		}
	}
	if status, body := get(t, app, "/docs/nothing"); status != 404 || !strings.Contains(body, "There is no such page") {
		t.Errorf("%d", status)
	}
	if status, _ := get(t, app, "/docs/pictures/../docs.go"); status != 404 {
		t.Errorf("%d", status)
	}
}

func TestPagesOfTheAdminLeadToTheirGuide(t *testing.T) {
	app := open(t)
	for path, want := range map[string]string{
		"/admin/events/1":                     "/docs/start",
		"/admin/events/1/metadata/rooms":      "/docs/start",
		"/admin/events/1/call/questions/new":  "/docs/call",
		"/admin/events/1/reviews":             "/docs/reviews",
		"/admin/events/1/letters/templates/x": "/docs/decisions",
		"/admin/events/1/sessions/2":          "/docs/sessions",
		"/admin/events/1/agenda":              "/docs/agenda",
		"/admin/events/1/embeds/new":          "/docs/publish",
		"/admin/events/1/imports/2/check":     "/docs/people",
		"/admin/events/1/tasks/list":          "/docs/tasks",
		"/admin/events/1/keys":                "/docs/api",
		"/admin/contacts/pairs":               "/docs/people",
		"/admin/account/second-factor":        "/docs/team",
		"/admin/endpoints":                    "/docs/webhooks",
		"/admin/security":                     "/docs/team",
		"/admin/security/providers/1":         "/docs/sign-in",
		"/admin/events/1/elsewhere":           "/docs",
	} {
		got := visit.HelpOf(path)
		modelstest.Want(t, path+" leads to", got, want)
		if status, _ := get(t, app, got); status != 200 {
			t.Errorf("%s answers %d", got, status)
		}
	}
}
