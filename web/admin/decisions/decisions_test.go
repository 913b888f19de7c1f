package decisions_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// queue puts submissions with a speaker each into a queue.
func queue(d *admintest.Desk, to models.Status, count int, title string) []string {
	d.T.Helper()
	ids := d.Submissions(count, title)
	for i, id := range ids {
		d.Speaker(d.T, d.Event, id, models.NewContact{FirstName: "P", LastName: fmt.Sprint(title, i),
			Email: title + fmt.Sprint(i) + "@example.org"})
		move(d, id, to)
	}
	return ids
}

func move(d *admintest.Desk, id string, to models.Status) {
	d.T.Helper()
	modelstest.SetStatus(d.T, d.Programme(), id, to)
}

// part returns one part of a commit's page, by its title.
func part(t *testing.T, page, title string) string {
	t.Helper()
	for _, section := range strings.Split(page, `<section class="commit-part">`)[1:] {
		if strings.Contains(section, "<h2>"+title+"</h2>") {
			return section
		}
	}
	t.Fatalf("there is no part %q", title)
	return ""
}

func TestAQueueIsLookedAtThenCommitted(t *testing.T) {
	d := admintest.Open(t)
	accepted, declined := queue(d, models.AcceptQueue, 4, "Yes"), queue(d, models.DeclineQueue, 2, "No")
	d.Speaker(t, d.Event, accepted[0], models.NewContact{FirstName: "Plum", LastName: "Nowhere"})
	secret := d.Foreign(models.NewSession{Title: "Secret", IsAbstract: true,
		SessionInput: models.SessionInput{Status: new(models.AcceptQueue)}})
	d.As(staff.Viewer).Get(d.At("/decisions"), 403)
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/decisions"), 200), "Look at all 6", "Look at 4", "Look at 2")
	admintest.Lacks(t, b.Text, "Committed")
	b.Post(d.At("/decisions"), url.Values{"queue": {"pending"}}, 403)
	at, _ := b.Post(d.At("/decisions"), url.Values{"queue": {"both"}}, 303)
	admintest.Wants(t, b.Get(at, 200), ">Commit 6 decisions</h1>", "4 accepted, 2 declined.", "It sends nothing",
		"<b>6</b>", "decision.committed", "<b>0</b>", "letters sent", "people will see it in their place",
		"person cannot be written to", "Plum Nowhere", "1 letter, 1 without address")
	admintest.Lacks(t, b.Text, "Secret", "Changed since", "hx-trigger=\"load")

	// What others do meanwhile is told, and not included.
	move(d, accepted[1], models.DeclineQueue)
	move(d, accepted[2], models.Pending)
	move(d, declined[1], models.Withdrawn)
	page := b.Get(at, 200)
	admintest.Wants(t, page, ">Commit 3 decisions</h1>", "Taken back by their speakers.")
	changed := part(t, page, "Changed since you opened this")
	admintest.Wants(t, changed, "moved it from accept queue to decline queue at", "Include as declined",
		"Cannot be included")
	admintest.Lacks(t, part(t, page, "Will change"), "Yes 2", "No 2")
	form := admintest.Fill(admintest.Fields(page), "include", accepted[1])
	admintest.Wants(t, b.Follow(b.Post(at+"/choose", form, 303)), ">Commit 4 decisions</h1>", "2 accepted, 2 declined.")
	form = admintest.Fields(b.Text)
	form["id"] = []string{accepted[0], accepted[1]} // the two others of the page are unticked
	page = b.Follow(b.Post(at+"/choose", form, 303))
	admintest.Wants(t, page, ">Commit 2 decisions</h1>", "Left out by you")
	if s := d.Read(accepted[0]); s.Status != models.AcceptQueue {
		t.Fatalf("looking decides: %s", s.Status)
	}
	form = admintest.Fields(page)
	form["id"] = append(form["id"], accepted[3])
	at2, _ := b.Post(at, form, 303)
	modelstest.Want(t, "it leads to", at2, at)
	admintest.Wants(t, b.Get(at, 200), ">Committing decisions</h1>", "1 of 6 done", `aria-busy="true"`,
		`http-equiv="refresh"`, "hx-trigger=\"load")
	d.Work()
	page = b.Get(at, 200)
	admintest.Wants(t, page, ">3 decisions committed</h1>", "6 of 6 done", "<b>3</b>", "statuses changed",
		"Look at the letters", "Undo these decisions…")
	admintest.Wants(t, part(t, page, "Left out"), "No 1")
	for id, want := range map[string]models.Status{accepted[0]: models.Accepted, accepted[1]: models.Declined,
		accepted[2]: models.Pending,
		accepted[3]: models.Accepted, declined[0]: models.DeclineQueue, declined[1]: models.Withdrawn} {
		if s := d.Read(id); s.Status != want {
			t.Errorf("%s is %s, want %s", s.Title, s.Status, want)
		}
	}
	// Committed again it shows the same, and changes nothing.
	modelstest.Emitted(t, d.Fixture)
	admintest.Wants(t, b.Follow(b.Post(at, form, 303)), ">3 decisions committed</h1>", "6 of 6 done")
	d.Work()
	if n := len(modelstest.Emitted(t, d.Fixture)); n != 0 || d.Read(declined[0]).Status != models.DeclineQueue {
		t.Errorf("committed again it emits %d", n)
	}
	admintest.Wants(t, b.Get(d.At("/decisions"), 200), "Committed", `href="`+at+`"`, "Look at 1")
	modelstest.Want(t, "another event's submission was decided",
		modelstest.Must(d.Elsewhere().Session(t.Context(), secret.ID))(t).Status, models.AcceptQueue)
	// All of it can be undone, after a question.
	admintest.Wants(t, b.Get(at+"/undo", 200), "Undo 3 decisions?", "Yes 1", "Letters that have not gone out never will")
	undone, _ := b.Post(at+"/undo", nil, 303)
	d.Work()
	admintest.Wants(t, b.Get(undone, 200), "3 of 3 done", "Accepted → Accept queue")
	admintest.Wants(t, b.Get(at, 200), ">undone</a>")
	admintest.Wants(t, b.Follow(b.Post(at+"/undo", nil, 303)), "3 of 3 done")
}

func TestWhatWasTickedOnTheListIsCommittedAlone(t *testing.T) {
	d := admintest.Open(t)
	ids := queue(d, models.AcceptQueue, 3, "Yes")
	b := d.As(staff.Organizer)
	b.Get(d.At("/submissions?status=accept_queue"), 200)
	at, _ := b.Post(d.At("/submissions/bulk"), url.Values{"query": {"status=accept_queue"}, "id": ids[:2],
		"do": {"accepted"}}, 303)
	admintest.Wants(t, b.Get(at, 200), ">Commit 2 decisions</h1>", "Yes 1", "Yes 2")
	admintest.Lacks(t, b.Page, "Yes 3")
	move(d, ids[0], models.Accepted)
	move(d, ids[1], models.Accepted)
	admintest.Wants(t, b.Get(at, 200), ">Nothing to commit</h1>", "There is nothing here to decide",
		"moved it from accept queue to accepted")
	admintest.Lacks(t, b.Text, `>Commit `)
	move(d, ids[2], models.Pending)
	b.Get(d.At("/decisions"), 200)
	admintest.Wants(t, b.Page, "No decision waits")
	page := b.Follow(b.Post(d.At("/decisions"), url.Values{"queue": {"both"}}, 303))
	admintest.Wants(t, page, "there is nothing to change")
}

func TestACommitHasPages(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(visit.RowsAPage+2, "Yes")
	for _, id := range ids {
		move(d, id, models.AcceptQueue)
	}
	b := d.As(staff.Organizer)
	at, _ := b.On(d.At("/decisions")).Post(d.At("/decisions"), url.Values{"queue": {"accept_queue"}}, 303)
	admintest.Wants(t, b.Get(at, 200), "1 to 50 of 52", "Nobody on it")
	form := admintest.Fields(b.Text)
	form["id"], form["page"] = form["id"][1:], []string{"2"}
	page := b.Follow(b.Post(at+"/choose", form, 303))
	admintest.Wants(t, page, "51 to 52 of 52", ">Commit 51 decisions</h1>", "Yes 52")
	b.Post(at, admintest.Fields(page), 303)
	d.Work()
	modelstest.Want(t, "what was left out on another page is", d.Read(ids[0]).Status, models.AcceptQueue)
	admintest.Wants(t, b.Get(at, 200), ">51 decisions committed</h1>", "1 to 50 of 51", `href="`+at+`?page=2"`)
	admintest.Wants(t, b.Leads(at+"?page=9"), at+"?page=2")
}

func TestAMistakenDecisionIsUndoneOnItsPage(t *testing.T) {
	d := admintest.Open(t)
	id := queue(d, models.AcceptQueue, 1, "Yes")[0]
	at := d.At("/sessions/" + id + "/undo-decision")
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Follow(b.Leads(at), ""), "stands on no decision")
	move(d, id, models.Accepted)
	d.As(staff.Viewer).Get(at, 403)
	admintest.Wants(t, b.Get(d.At("/sessions/"+id), 200), "Undo the decision…")
	admintest.Wants(t, b.Get(at, 200), "Undo the decision on A-1?", "Not decided: back to accept queue",
		"Not decided: back to pending", "Declined", "1 letter of it has not gone out",
		"Nobody was told, so nobody is written to")
	form := admintest.Fill(admintest.Fields(b.Text), "reason", strings.Repeat("x", models.MaxReason+1))
	admintest.Wants(t, b.Answer(at, form, 422), "Error: ", "at most 500")
	admintest.Fill(form, "reason", "The wrong row", "status", "declined")
	admintest.Wants(t, b.Follow(b.Post(at, form, 303)), "The decision is undone. It is declined now. 1 letter is drafted.",
		"undid the decision", "The wrong row")
	page := b.Follow(b.Post(at, form, 303)) // with the token of before
	admintest.Wants(t, page, "Somebody changed this since")
	form = admintest.Fill(admintest.Fields(b.Get(at, 200)), "everybody", "yes", "status", "pending")
	admintest.Wants(t, b.Follow(b.Post(at, form, 303)), "It is pending now. 1 letter is drafted.")
	admintest.Wants(t, b.Get(d.At("/letters"), 200), "Taken back")
	admintest.Wants(t, b.Get(d.At("/letters/templates/undone"), 200), "set our last letter aside")
	if n := len(regexp.MustCompile(`undid the decision on`).FindAllString(b.Get(d.At("/activity"), 200), -1)); n < 2 {
		t.Errorf("the activity shows %d undone decisions", n)
	}
}
