package admin

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

// queue puts submissions with a speaker each into a queue.
func (d *desk) queue(to models.Status, count int, title string) []string {
	d.t.Helper()
	ids := d.submissions(count, title)
	for i, id := range ids {
		d.Speaker(d.t, d.Event, id, models.NewContact{FirstName: "P", LastName: fmt.Sprint(title, i),
			Email: title + fmt.Sprint(i) + "@example.org"})
		d.move(id, to)
	}
	return ids
}

func (d *desk) move(id string, to models.Status) {
	d.t.Helper()
	modelstest.Must(d.Programme().UpdateSession(d.t.Context(), id,
		models.SessionChange{SessionInput: models.SessionInput{Status: &to}}))(d.t)
}

// part is one part of a commit's page, by its title.
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
	d := open(t, Options{})
	accepted, declined := d.queue(models.AcceptQueue, 4, "Yes"), d.queue(models.DeclineQueue, 2, "No")
	d.Speaker(t, d.Event, accepted[0], models.NewContact{FirstName: "Plum", LastName: "Nowhere"})
	secret := modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Secret",
		IsAbstract:   true,
		SessionInput: models.SessionInput{Status: new(models.AcceptQueue)}}))(t)
	d.as(staff.Viewer).get(d.at("/decisions"), 403)
	b := d.as(staff.Organizer)
	page := b.get(d.at("/decisions"), 200)
	wants(t, page, "Look at all 6", "Look at 4", "Look at 2")
	lacks(t, page, "Committed")
	b.post(d.at("/decisions"), url.Values{"queue": {"pending"}}, 403)
	at, _ := b.post(d.at("/decisions"), url.Values{"queue": {"both"}}, 303)
	page = b.get(at, 200)
	wants(t, page, ">Commit 6 decisions</h1>", "4 accepted, 2 declined.", "It sends nothing", "<b>6</b>",
		"decision.committed",
		"<b>0</b>", "letters sent", "people will see it in their place", "person cannot be written to",
		"Plum Nowhere", "1 letter, 1 without address")
	lacks(t, page, "Secret", "Changed since", "hx-trigger=\"load")

	// What others do meanwhile is told, and not included.
	d.move(accepted[1], models.DeclineQueue)
	d.move(accepted[2], models.Pending)
	d.move(declined[1], models.Withdrawn)
	page = b.get(at, 200)
	wants(t, page, ">Commit 3 decisions</h1>", "Taken back by their speakers.")
	changed := part(t, page, "Changed since you opened this")
	wants(t, changed, "moved it from accept queue to decline queue at", "Include as declined", "Cannot be included")
	lacks(t, part(t, page, "Will change"), "Yes 2", "No 2")
	form := fields(page)
	form.Set("include", accepted[1])
	page = b.follow(b.post(at+"/choose", form, 303))
	wants(t, page, ">Commit 4 decisions</h1>", "2 accepted, 2 declined.")
	form = fields(page)
	form["id"] = []string{accepted[0], accepted[1]} // the two others of the page are unticked
	page = b.follow(b.post(at+"/choose", form, 303))
	wants(t, page, ">Commit 2 decisions</h1>", "Left out by you")
	if s := d.read(accepted[0]); s.Status != models.AcceptQueue {
		t.Fatalf("looking decides: %s", s.Status)
	}
	form = fields(page)
	form["id"] = append(form["id"], accepted[3])
	at2, _ := b.post(at, form, 303)
	if at2 != at {
		t.Errorf("it leads to %s", at2)
	}
	page = b.get(at, 200)
	wants(t, page, ">Committing decisions</h1>", "1 of 6 done", `aria-busy="true"`, `http-equiv="refresh"`,
		"hx-trigger=\"load")
	d.work()
	page = b.get(at, 200)
	wants(t, page, ">3 decisions committed</h1>", "6 of 6 done", "<b>3</b>", "statuses changed",
		"Look at the letters", "Undo these decisions…")
	wants(t, part(t, page, "Left out"), "No 1")
	for id, want := range map[string]models.Status{accepted[0]: models.Accepted, accepted[1]: models.Declined,
		accepted[2]: models.Pending,
		accepted[3]: models.Accepted, declined[0]: models.DeclineQueue, declined[1]: models.Withdrawn} {
		if s := d.read(id); s.Status != want {
			t.Errorf("%s is %s, want %s", s.Title, s.Status, want)
		}
	}
	// Committed again it shows the same, and changes nothing.
	modelstest.Emitted(t, d.Fixture)
	again := b.follow(b.post(at, form, 303))
	wants(t, again, ">3 decisions committed</h1>", "6 of 6 done")
	d.work()
	if n := len(modelstest.Emitted(t, d.Fixture)); n != 0 || d.read(declined[0]).Status != models.DeclineQueue {
		t.Errorf("committed again it emits %d", n)
	}
	page = b.get(d.at("/decisions"), 200)
	wants(t, page, "Committed", `href="`+at+`"`, "Look at 1")
	if s := modelstest.Must(d.Elsewhere().Session(t.Context(), secret.ID))(t); s.Status != models.AcceptQueue {
		t.Error("another event's submission was decided")
	}
	// All of it can be undone, after a question.
	page = b.get(at+"/undo", 200)
	wants(t, page, "Undo 3 decisions?", "Yes 1", "Letters that have not gone out never will")
	undone, _ := b.post(at+"/undo", nil, 303)
	d.work()
	wants(t, b.get(undone, 200), "3 of 3 done", "Accepted → Accept queue")
	wants(t, b.get(at, 200), ">undone</a>")
	wants(t, b.follow(b.post(at+"/undo", nil, 303)), "3 of 3 done")
}

func TestWhatWasTickedOnTheListIsCommittedAlone(t *testing.T) {
	d := open(t, Options{})
	ids := d.queue(models.AcceptQueue, 3, "Yes")
	b := d.as(staff.Organizer)
	b.get(d.at("/submissions?status=accept_queue"), 200)
	at, _ := b.post(d.at("/submissions/bulk"), url.Values{"query": {"status=accept_queue"}, "id": ids[:2],
		"do": {"accepted"}}, 303)
	wants(t, b.get(at, 200), ">Commit 2 decisions</h1>", "Yes 1", "Yes 2")
	lacks(t, b.page, "Yes 3")
	d.move(ids[0], models.Accepted)
	d.move(ids[1], models.Accepted)
	page := b.get(at, 200)
	wants(t, page, ">Nothing to commit</h1>", "There is nothing here to decide",
		"moved it from accept queue to accepted")
	lacks(t, page, `>Commit `)
	d.move(ids[2], models.Pending)
	b.get(d.at("/decisions"), 200)
	wants(t, b.page, "No decision waits")
	page = b.follow(b.post(d.at("/decisions"), url.Values{"queue": {"both"}}, 303))
	wants(t, page, "there is nothing to change")
}

func TestACommitHasPages(t *testing.T) {
	d := open(t, Options{})
	ids := d.submissions(rowsAPage+2, "Yes")
	for _, id := range ids {
		d.move(id, models.AcceptQueue)
	}
	b := d.as(staff.Organizer)
	b.get(d.at("/decisions"), 200)
	at, _ := b.post(d.at("/decisions"), url.Values{"queue": {"accept_queue"}}, 303)
	page := b.get(at, 200)
	wants(t, page, "1 to 50 of 52", "Nobody on it")
	form := fields(page)
	form["id"], form["page"] = form["id"][1:], []string{"2"}
	at2, _ := b.post(at+"/choose", form, 303)
	page = b.get(at2, 200)
	wants(t, page, "51 to 52 of 52", ">Commit 51 decisions</h1>", "Yes 52")
	b.post(at, fields(page), 303)
	d.work()
	if s := d.read(ids[0]); s.Status != models.AcceptQueue {
		t.Errorf("what was left out on another page is %s", s.Status)
	}
	wants(t, b.get(at, 200), ">51 decisions committed</h1>", "1 to 50 of 51", `href="`+at+`?page=2"`)
	wants(t, b.leads(at+"?page=9"), at+"?page=2")
}

func TestAMistakenDecisionIsUndoneOnItsPage(t *testing.T) {
	d := open(t, Options{})
	id := d.queue(models.AcceptQueue, 1, "Yes")[0]
	at := d.at("/sessions/" + id + "/undo-decision")
	b := d.as(staff.Organizer)
	wants(t, b.follow(b.leads(at), ""), "stands on no decision")
	d.move(id, models.Accepted)
	d.as(staff.Viewer).get(at, 403)
	page := b.get(d.at("/sessions/"+id), 200)
	wants(t, page, "Undo the decision…")
	page = b.get(at, 200)
	wants(t, page, "Undo the decision on A-1?", "Not decided: back to accept queue",
		"Not decided: back to pending", "Declined",
		"1 letter of it has not gone out", "Nobody was told, so nobody is written to")
	form := fields(page)
	form.Set("reason", strings.Repeat("x", models.MaxReason+1))
	_, page = b.post(at, form, 422)
	wants(t, page, "Error: ", "at most 500")
	form.Set("reason", "The wrong row")
	form.Set("status", "declined")
	page = b.follow(b.post(at, form, 303))
	wants(t, page, "The decision is undone. It is declined now. 1 letter is drafted.", "undid the decision",
		"The wrong row")
	page = b.follow(b.post(at, form, 303)) // with the token of before
	wants(t, page, "Somebody changed this since")
	form = fields(b.get(at, 200))
	form.Set("everybody", "yes")
	form.Set("status", "pending")
	page = b.follow(b.post(at, form, 303))
	wants(t, page, "It is pending now. 1 letter is drafted.")
	wants(t, b.get(d.at("/letters"), 200), "Taken back")
	wants(t, b.get(d.at("/letters/templates/undone"), 200), "set our last letter aside")
	if n := len(regexp.MustCompile(`undid the decision on`).FindAllString(b.get(d.at("/activity"), 200), -1)); n < 2 {
		t.Errorf("the activity shows %d undone decisions", n)
	}
}
