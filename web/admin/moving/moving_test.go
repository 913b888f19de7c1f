package moving_test

import (
	"net/url"
	"strings"
	"testing"

	"lectern/models/fetch"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

// sent sends the form of a move with a file, and returns where the answer redirects to, or the page.
func sent(b *admintest.Browser, name, content string, fields url.Values, status int) (location, page string) {
	b.T.Helper()
	return b.SendFile(b.At("/moves/new"), fields, "file", name, content, status)
}

// work lets the job work until nothing waits.
func work(d *admintest.Desk) {
	d.T.Helper()
	for modelstest.Must(moves.Run(d.T.Context(), d.Store, &fetch.Client{}))(d.T) {
	}
}

// wantsSteps tells of steps that are called otherwise.
func wantsSteps(t *testing.T, page string, want ...string) {
	t.Helper()
	page = admintest.Between(page, `<ol class="import-steps"`, "</ol>")
	var is []string
	for _, step := range strings.Split(page, "</span>")[1:] {
		step, _, _ = strings.Cut(step, "<")
		is = append(is, strings.TrimSpace(step))
	}
	modelstest.WantAll(t, "the steps are", is, want)
}

const table = "Title,Speakers,Where,Date,Start,End\nTides,Ada Ng <ada@example.org>,Hall,2027-05-20,10:00,11:00\n" +
	",Bo,Hall,,,\n"

func TestASheetIsBroughtReadAndUndone(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	admintest.Wants(t, b.Get("/admin/events/"+d.Event.ID, 200), d.At("/moves"), "Bring your conference")
	admintest.Wants(t, b.Get(d.At("/settings"), 200), d.At("/moves"))
	admintest.Wants(t, b.Get(d.At("/find?q=bring"), 200), d.At("/moves"))
	page := b.Get(d.At("/moves"), 200)
	for _, k := range moves.Kinds {
		if k.IsEvent {
			continue // for owners
		}
		admintest.Wants(t, page, k.Label, d.At("/moves/new?from="+k.Name))
	}
	page = b.Get(d.At("/moves/new?from=sheet"), 200)
	wantsSteps(t, page, "File", "Columns", "Check", "Import")
	wantsSteps(t, b.Get(d.At("/moves/new?from=calendar"), 200), "Where from", "Check", "Import")
	wantsSteps(t, b.Get(d.At("/imports"), 200), "File", "Columns", "Check", "Import") // of people
	_, page = sent(b, "", "", url.Values{"from": {"sheet"}}, 422)
	admintest.Wants(t, page, "choose a file")
	_, page = sent(b, "bomb.xlsx", "PK\x03\x04nonsense", url.Values{"from": {"sheet"}}, 422)
	admintest.Wants(t, page, "cannot be read as an XLSX file")
	here, _ := sent(b, "sessions.csv", table, url.Values{"from": {"sheet"}}, 303)
	columns := b.Leads(here)
	page = b.Get(columns, 200)
	admintest.Wants(t, page, "What is in which column?", "Tides", "Where", "Look at 2 rows", "Sure", "Comes as an answer")
	_, page = b.Post(columns, url.Values{"column": {"", "people", "room", "date", "start", "end"}}, 422)
	admintest.Wants(t, page, "have no title")
	b.Post(columns, url.Values{"column": {"title", "people", "room", "date", "start", "end"}}, 303)
	admintest.Wants(t, b.Get(here, 200), "In line", `hx-get="`+here+`"`, "Reload to see how far it is")
	work(d)
	page = b.Get(here, 200)
	admintest.Wants(t, page, "What would come", "Sessions and submissions", "1 session has a time, on 20 May 2027",
		"row 3", "has no title", "Bring it", "Send another file", here+"/faults.csv", "Download the rows to correct")
	admintest.Lacks(t, page, "Look again", "Correct it there")
	modelstest.Want(t, "the faults", b.Get(here+"/faults.csv", 200),
		"\ufeffTitle,Speakers,Where,Date,Start,End,Row in the file,What is wrong\r\n"+",Bo,Hall,,,,3,has no title.\r\n")
	b.Post(here+"/bring", nil, 303)
	admintest.Wants(t, b.Get(here, 200), "It is coming in")
	b.Post(here+"/bring", nil, 303)
	admintest.Wants(t, b.Get(here, 200), "This move is further on by now")
	work(d)
	admintest.Wants(t, b.Get(here, 200), "What came", "Submissions", "People", "Show the sessions",
		"Bring what changed since", "What did not come")
	admintest.Lacks(t, b.Text, `hx-get="`+here)
	admintest.Wants(t, b.Get(d.At("/moves"), 200), "sessions.csv", "1 session new, 0 changed")
	admintest.Wants(t, b.Get(here+"/undo", 200), "1 submission", "1 session", "1 person", "1 room", "Undo the move")
	var key string
	modelstest.Fine(t, d.SQL.QueryRow("SELECT file_key FROM moves").Scan(&key))
	modelstest.Fine(t, d.Store.Options.Files.Delete(t.Context(), key))
	b.Leads(here + "/faults.csv")
	admintest.Wants(t, b.Get(here, 200), "The file is kept for a day, and no longer")
	b.Post(here+"/undo", nil, 303)
	work(d)
	admintest.Wants(t, b.Get(here, 200), "The move is undone")
	admintest.Lacks(t, b.Get(d.At("/sessions"), 200), "Tides")
	admintest.Wants(t, b.Get(d.At("/activity"), 200), "took back what a move had brought")
}

// TestWhatIsGoneThereIsCalledByItsTitle: also in reports of 1.0, which have the key alone.
func TestWhatIsGoneThereIsCalledByItsTitle(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	var here string
	for _, rows := range []string{"7,Tides\n8,Ships\n", "8,Ships\n"} {
		b.Get(d.At("/moves/new?from=sheet"), 200)
		here, _ = sent(b, "sessions.csv", "Id,Title\n"+rows, url.Values{"from": {"sheet"}}, 303)
		b.On(b.Leads(here)).Post(here+"/columns", url.Values{"column": {"key", "title"}}, 303)
		work(d)
		b.On(here).Post(here+"/bring", nil, 303)
		work(d)
	}
	admintest.Wants(t, b.Get(here, 200), "Gone there", "id/7", "<strong>Tides</strong>")
	admintest.Lacks(t, b.Text, "sheet/sessions")
	modelstest.Exec(t, d.SQL, `UPDATE moves SET report = '{"gone_there":["sheet/sessions/id/7"],"gone_all":1}'`)
	admintest.Wants(t, b.Get(here, 200), "Gone there", "sheet/sessions/id/7")
}

func TestWhatCannotBeReadIsSaidAndTriedAgain(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	b.Get(d.At("/moves/new?from=schedule"), 200)
	here, _ := sent(b, "schedule.xml", "<html><p>Hello", url.Values{"from": {"schedule"}}, 303)
	work(d)
	page := b.Get(here, 200)
	admintest.Wants(t, page, "It could not be read", "Nothing was written", "Look again", "Take it off the list")
	b.Get(here+"/faults.csv", 404)
	b.Post(here+"/look", nil, 303)
	work(d)
	b.On(here).Post(here+"/forget", nil, 303)
	b.Get(here, 404)
	page = b.Get(d.At("/moves/new?from=pretalx"), 200)
	admintest.Wants(t, page, "Token", `type="password"`, "Any address of the event there")
	asked := func(token string) url.Values {
		return url.Values{"from": {"pretalx"}, "address": {"https://pretalx.com/harbour"}, "token": {token}}
	}
	_, page = sent(b, "", "", asked(""), 422)
	admintest.Wants(t, page, "https://pretalx.com/harbour", "Token is needed")
	here, _ = sent(b, "", "", asked("hidden-one"), 303)
	admintest.Lacks(t, b.Get(here, 200), "hidden-one")
	b.Post(here+"/stop", nil, 303)
	admintest.Wants(t, b.Get(here, 200), "Stopped by Ada organizer.")
	page = b.Get(d.At("/moves/new?after="+strings.TrimPrefix(here, d.At("/moves/"))), 200)
	admintest.Wants(t, page, `value="https://pretalx.com/harbour"`)
	admintest.Lacks(t, page, "hidden-one")
}

func TestOnlyOrganizersMoveAConference(t *testing.T) {
	d := admintest.Open(t)
	for _, role := range []staff.Role{staff.Viewer, staff.Reviewer} {
		b := d.As(role)
		b.Get(d.At("/moves"), 403)
		admintest.Lacks(t, b.Get("/admin/events/"+d.Event.ID, 200), d.At("/moves"))
		admintest.Lacks(t, b.Get(d.At("/find?q=bring"), 200), d.At("/moves"))
	}
}
