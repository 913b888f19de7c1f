package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layers are the rooms of the house: which of our packages each may know, with
// all those know in turn, and which packages of others must stay out of it. A
// room includes the packages below it; what must stay out of it, only one that is open lets in. What stands on top of the
// programme and knows no more than models is listed in beside alone.
var layers = map[string]struct {
	may, never []string
	open       bool
}{
	"models/files": {may: nil, never: []string{"gorm.io", "net/http"}},
	"models/files/bucket": {may: []string{"models/files"},
		never: []string{"gorm.io", "github.com/gofiber", "github.com/a-h"}, open: true}, // it asks a server
	"models/markup":  {may: nil, never: []string{"gorm.io", "net/http"}},
	"models/store":   {may: []string{"models/files", "models/markup"}},
	"models/signin":  {may: []string{"models/files", "models/markup", "models/store"}},
	"models/passkey": {may: []string{"models/files", "models/markup", "models/store", "models/signin"}},
	"models/passkey/webauthn": {may: []string{"models/files", "models/markup", "models/store", "models/signin",
		"models/passkey"},
		never: noPages, open: true}, // its library reads requests
	"models/staff": {may: []string{"models/files", "models/markup", "models/store", "models/signin", "models/passkey"}},
	"models/identity": {may: []string{"models/files", "models/markup", "models/store", "models/signin", "models/passkey",
		"models/staff"},
		never: noPages, open: true}, // it asks a server
	"models/outbox": {may: []string{"models/files", "models/markup", "models/store"}},
	"models/csv":    {may: []string{"models/files", "models/markup", "models/store"}},
	"models/field":  {may: []string{"models/files", "models/markup", "models/store"}},
	"models": {may: nil, never: []string{"net/http", "net/smtp", "github.com/gofiber", "github.com/danielgtaylor",
		"github.com/a-h", "github.com/mark3labs", "github.com/wneessen"}},
	"models/call":       {may: []string{"models", "views/words"}}, // its letters speak the reader's language
	"models/tasks":      {may: []string{"models", "views/words"}}, // on top of the programme and its call
	"models/revisions":  {may: []string{"models", "views/words"}},
	"models/moving":     {may: []string{"models", "views/words"}},
	"models/fetch":      {may: nil, never: []string{"gorm.io"}, open: true},                   // it asks a server
	"models/pretalx":    {may: []string{"models", "views/words"}, never: noPages, open: true}, // likewise
	"models/sessionize": {may: []string{"models", "views/words"}, never: noPages, open: true}, // likewise
	"models/sheet": {may: []string{"models", "views/words"}, never: noPages,
		open: true}, // its library of worksheets knows the network
	"models/moves":    {may: []string{"models", "views/words"}, never: noPages, open: true}, // it opens those
	"models/calendar": {may: []string{"models", "views/words"}},
	"models/demo":     {may: []string{"models", "views/words"}},
	"models/archive":  {may: []string{"models", "views/words"}}, // on top of all that an event has
	"models/archives": {may: []string{"models", "views/words"}}, // on top of archive
	"api": {may: []string{"models", "views/words", "web/request"},
		never: []string{"net/smtp", "github.com/a-h", "github.com/mark3labs", "github.com/wneessen"}},
	"mcp": {may: nil,
		never: []string{"gorm.io", "github.com/jackc", "modernc.org", "github.com/gofiber", "github.com/danielgtaylor"}},
	"jobs": {may: []string{"models", "views/words"},
		never: []string{"github.com/gofiber", "github.com/danielgtaylor", "github.com/a-h", "github.com/mark3labs"}},
	"jobs/tracing": {may: nil, never: []string{"gorm.io", "github.com/gofiber"}, open: true}, // it asks a collector
	"views":        {may: nil},
	"views/components": {may: []string{"models/markup", "views/words"},
		never: []string{"gorm.io", "github.com/gofiber", "github.com/danielgtaylor"}},
	"views/words":   {may: nil, never: []string{"gorm.io", "github.com/gofiber"}},
	"views/layouts": {may: []string{"models/markup", "views/components", "views/words"}},
	"views/records": {may: []string{"models", "views/components", "views/words"},
		never: noWeb}, // what records of several subjects show alike
	"views/toolbar": {may: []string{"models/markup", "views/components", "views/words"},
		never: []string{"gorm.io", "github.com/gofiber", "github.com/danielgtaylor"}}, // what stands above any list
	"views/pages":             {may: ofAPage, never: noWeb},
	"views/pages/call/public": {may: []string{"models", "views/components", "views/layouts", "views/words"}, never: noWeb},
	"views/pages/site": {may: []string{"models/markup", "views/components", "views/layouts", "views/words"},
		never: []string{"gorm.io", "github.com/gofiber", "github.com/danielgtaylor"}},
	"views/pages/manual": {may: []string{"models/markup", "views/components", "views/layouts", "views/words"}},
	"views/gallery":      {may: []string{"models", "views"}},
	// A room of the admin knows the visit and no other room; the admin puts them together.
	"web/admin":        {may: []string{"models", "views", "static", "web/page", "web/answers", "web/request"}, never: noDoors},
	"web/admin/visit":  {may: []string{"models", "views", "static", "web/page", "web/request"}},
	"web/admin/invite": {may: ofARoom}, // what two rooms do with a pasted list of addresses
	"web/admin/warn":   {may: ofARoom}, // what is told of a session that was saved
	"web/admin/batch":  {may: append([]string{"web/admin/warn"}, ofARoom...)},
	"web/admin/lists":  {may: append([]string{"web/admin/agenda", "web/admin/batch", "web/admin/warn"}, ofARoom...)},
	// A record carries the list that one came from, and shows what the agenda, the call and the rounds say of it.
	"web/admin/sessions": {may: ofARecord},
	// Sorting, deciding and composing go on from lists and records; the desk leads to all of them.
	"web/admin/triage":    {may: ofARecord},
	"web/admin/compose":   {may: ofARecord},
	"web/admin/decisions": {may: ofARecord},
	"web/admin/desk":      {may: append([]string{"web/admin/webhooks"}, ofARecord...)},
	"web/admin/agenda":    {may: append([]string{"web/admin/batch", "web/admin/warn"}, ofARoom...)},
	"web/admin/call":      {may: ofARoom},
	"web/admin/letters":   {may: ofARoom},
	"web/admin/moving":    {may: ofARoom},
	"web/admin/archives":  {may: ofARoom},
	"web/admin/people":    {may: ofARoom},
	"web/admin/providers": {may: ofARoom},
	"web/admin/revisions": {may: ofARoom},
	"web/admin/reviews":   {may: append([]string{"web/admin/invite"}, ofARoom...)},
	"web/admin/settings":  {may: ofARoom},
	"web/admin/staff":     {may: append([]string{"web/admin/invite"}, ofARoom...)},
	"web/admin/status":    {may: ofARoom},
	"web/admin/tasks":     {may: ofARoom},
	"web/admin/webhooks":  {may: ofARoom},
	"web/call": {may: []string{"models", "views/components", "views/layouts", "views/words", "views/pages/call/public", "static",
		"web/page", "web/poster", "web/answers",
		"web/request"}, never: noDoors},
	"web/answers": {may: []string{"models", "views/components", "views/layouts", "views/words", "views/pages/call/public",
		"static", "web/page", "web/request"},
		never: noDoors},
	"web/page": {may: []string{"models", "views/components", "views/layouts", "views/words", "static", "web/request"},
		never: noDoors},
	"web/site": {may: []string{"models", "views/components", "views/layouts", "views/words", "views/pages/site",
		"static", "web/page", "web/poster", "web/request"},
		never: noDoors},
	// What every request goes through knows all that answers.
	"docs": {may: nil},
	"web/manual": {may: []string{"docs", "models", "static", "views/components", "views/layouts", "views/pages/manual",
		"views/words", "web/page", "web/request"}},
	"web/server": {may: []string{"models", "views", "static", "api", "mcp", "docs", "jobs/tracing", "web/manual", "web/page", "web/answers", "web/request", "web/admin",
		"web/call", "web/site", "web/poster"}, never: []string{"github.com/wneessen"}},
	"web/poster": {may: nil, never: []string{"gorm.io", "github.com/gofiber", "github.com/a-h"}},
	"static":     {may: nil, never: []string{"gorm.io"}},
	"web/request": {may: nil, never: []string{"gorm.io", "github.com/danielgtaylor", "github.com/a-h",
		"github.com/mark3labs"}},
	"scripts":    {may: nil}, // judges code that it does not import
	"e2e":        {may: []string{"e2e/built", "e2e/child"}},
	"e2e/filled": {may: []string{"models", "views/words"}},
	"e2e/drive":  {may: []string{"models", "views/words", "jobs/mailtest", "e2e/built", "e2e/child"}}, // what a journey finds prepared, and its mail
}

// These are libraries of the other doors: what answers requests, the API and the tools, and mail.
var (
	noPages = []string{"github.com/gofiber", "github.com/a-h"}
	noWeb   = []string{"github.com/gofiber", "github.com/danielgtaylor"}
	noDoors = []string{"github.com/danielgtaylor", "github.com/mark3labs", "github.com/wneessen"}
)

// ofAPage is what pages of the admin may know.
var ofAPage = []string{"models", "views/components", "views/layouts", "views/records", "views/toolbar", "views/words"}

// ofARoom is what a room of the admin may know.
var ofARoom = []string{"models", "views", "static", "web/page", "web/answers", "web/request", "web/admin/visit"}

// ofARecord is what a record may know, and what stands on it.
var ofARecord = append([]string{"web/admin/sessions", "web/admin/lists", "web/admin/agenda", "web/admin/call",
	"web/admin/reviews", "web/admin/invite", "web/admin/batch", "web/admin/warn"}, ofARoom...)

func TestEachLayerKnowsOnlyItsOwn(t *testing.T) {
	t.Parallel()
	for _, fields := range listed(t, "Deps", "./...") {
		path, deps := strings.TrimPrefix(fields[0], "lectern/"), fields[1:]
		// the wiring, and what only tests import
		if path == "lectern" || path == "models/modelstest" || path == "jobs/mailtest" || path == "jobs/tracing/tracingtest" || path == "web/admin/admintest" ||
			path == "models/files/bucket/buckettest" || path == "models/identity/identitytest" ||
			path == "views/words/wordstest" {
			continue
		}
		room := roomOf(path)
		if room == "" {
			t.Errorf("%s stands in no layer; say in layers what it may know", path)
			continue
		}
		for _, dep := range deps {
			ours, found := strings.CutPrefix(dep, "lectern/")
			if found && !slices.ContainsFunc(append(layers[room].may, room), within(ours)) || isOtherPage(path, ours) {
				t.Errorf("%s knows %s, which is not its affair", path, ours)
			}
			for outer := range layers {
				if within(path)(outer) && (outer == room || !layers[room].open) && slices.ContainsFunc(layers[outer].never, within(dep)) {
					t.Errorf("%s depends on %s, which must stay out of %s", path, dep, outer)
				}
			}
		}
	}
}

// listed returns a line of go list for each package: its import path, and the packages that a field names.
func listed(t *testing.T, field string, packages string) (lines [][]string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-e", "-f", "{{.ImportPath}} {{join ."+field+" \" \"}}", packages).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		lines = append(lines, strings.Fields(line))
	}
	return lines
}

// isOtherPage tells of a subject's pages that know another's: what both show goes below. The form of the call is shown
// as speakers see it.
func isOtherPage(path, ours string) bool {
	return within(path)("views/pages") && within(ours)("views/pages") && path != ours && ours != "views/pages/call/public"
}

// roomOf is the innermost layer of a package.
func roomOf(path string) string {
	found := ""
	for room := range layers {
		if within(path)(room) && len(room) > len(found) {
			found = room
		}
	}
	return found
}

// within tells whether path is a room or lies below it.
func within(path string) func(room string) bool {
	return func(room string) bool { return path == room || strings.HasPrefix(path, room+"/") }
}

func TestOnlyTestsImportTheirFixture(t *testing.T) {
	t.Parallel()
	for _, fields := range listed(t, "Imports", "./...") {
		if slices.Contains([]string{"lectern/web/admin/admintest", "lectern/e2e/drive"}, fields[0]) { // fixtures on top of others
			continue
		}
		if slices.ContainsFunc(fields[1:], func(path string) bool {
			return slices.Contains([]string{"lectern/models/modelstest", "lectern/jobs/mailtest", "lectern/jobs/tracing/tracingtest", "lectern/web/admin/admintest", "lectern/models/files/bucket/buckettest",
				"lectern/views/words/wordstest"}, path)
		}) {
			t.Errorf("%s imports the fixture of the tests", fields[0])
		}
	}
}

// beside are the rooms of models that stand on top of the programme, each with those of the others that it imports. The
// rooms below them (store, files, field, staff and the like) are free to all.
var beside = map[string][]string{
	"apikey": nil, "changes": nil, "decisions": nil, "look": nil, "metadata": nil, "reviews": nil, "seed": nil, "setup": nil,
	"status": nil,

	"agenda":     {"changes"},
	"archive":    {"agenda", "arrival", "call", "desk", "embed", "letters", "look", "people", "reviews", "tasks"},
	"archives":   {"archive"},
	"arrival":    {"metadata"},
	"calendar":   {"arrival", "moving"},
	"call":       {"people"},
	"demo":       {"apikey", "arrival", "call", "desk", "letters", "look", "people", "reviews", "tasks"},
	"desk":       {"agenda"},
	"embed":      {"look"},
	"letters":    {"agenda", "people"},
	"moves":      {"archive", "arrival", "calendar", "call", "moving", "people", "pretalx", "reviews", "sessionize", "sheet"},
	"moving":     {"arrival", "call", "people", "reviews"},
	"people":     {"archives"},
	"pretalx":    {"arrival", "call", "moving"},
	"site":       {"changes"},
	"revisions":  {"call", "people"},
	"sessionize": {"arrival", "call", "moving"},
	"sheet":      {"arrival", "call", "moving"},
	"tasks":      {"call"},
	"upkeep":     {"look"},
}

func TestARoomOfModelsImportsOnlyTheseOthers(t *testing.T) {
	t.Parallel()
	onTop := func(path string) string {
		below, _ := strings.CutPrefix(path, "lectern/models/")
		name, _, _ := strings.Cut(below, "/")
		if _, isOnTop := beside[name]; isOnTop && below != path {
			return name
		}
		return ""
	}
	imported := map[string][]string{}
	for _, fields := range listed(t, "Imports", "./models/...") {
		room := onTop(fields[0])
		if room == "" && fields[0] != "lectern/models/modelstest" && slices.Contains(fields[1:], "lectern/models") {
			t.Errorf("%s stands on top of the programme; say in beside what it imports", fields[0])
		}
		for _, path := range fields[1:] {
			if of := onTop(path); room != "" && of != "" && of != room && !slices.Contains(imported[room], of) {
				imported[room] = append(imported[room], of)
			}
		}
	}
	for room, others := range beside {
		slices.Sort(imported[room])
		if !slices.Equal(imported[room], others) {
			t.Errorf("models/%s imports %v of the rooms beside it; beside says %v", room, imported[room], others)
		}
	}
}

func TestWhatServesStrangersKnowsNoStaff(t *testing.T) {
	t.Parallel()
	for _, room := range []string{"./web/page", "./web/answers", "./web/call", "./web/site", "./views/pages/call/public", "./views/pages/site",
		"./models/call", "./models/site"} {
		imports := listed(t, "Imports", room)[0][1:]
		if !slices.ContainsFunc(imports, func(path string) bool { return strings.HasPrefix(path, "lectern/") }) {
			t.Fatalf("%s imports %s", room, imports)
		}
		for _, staff := range []string{"lectern/models/staff", "lectern/models/letters", "lectern/models/reviews",
			"lectern/models/desk", "lectern/web/admin"} {
			if slices.Contains(imports, staff) {
				t.Errorf("%s serves strangers too: it must not know %s", room, staff)
			}
		}
	}
}
