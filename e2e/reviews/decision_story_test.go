package reviews

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestFromSubmissionsToSessions goes the way of a programme committee: 40 submissions, two reviewers of a blind round
// and one of an open one, triage, the commit, letters through a mail server, sessions of what was accepted, and the
// publish gate. The receiver hears exactly what is to be told.
func TestFromSubmissionsToSessions(t *testing.T) { Journey(t, decisionStory) }

// committee is the conference of the story.
type committee struct {
	*Site
	path, key string
	hook      *Receiver
	office    *PostOffice
	ids       map[string]string // of records, by their title
	accepted  []string          // titles
}

// title returns the title of a submission. The fifth comes from somebody whose mailbox takes no mail.
func (c *committee) title(i int) string { return fmt.Sprintf("Talk %02d", i) }

func decisionStory(t *testing.T, s *Site) {
	c := gather(t, s)
	ada := s.Window()
	ada.SignIn("ada@example.org")
	c.bring(ada)
	c.makeRound(ada, "Blind look", true, "3", "Grace", "Linus")
	c.makeRound(ada, "Second look", false, "2", "Mary")
	for name, n := range map[string]int{"grace": 3, "linus": 3, "mary": 2} {
		c.review(name, n)
	}
	c.sort(ada)
	c.decide(ada)
	c.send(ada)
	c.composeAll(ada)
	c.publish()
	c.listen(t)
}

// gather makes the conference and its staff, with a mail server and a receiver of its events.
func gather(t *testing.T, s *Site) *committee {
	t.Helper()
	s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	c := &committee{Site: s, hook: NewReceiver(t), office: s.OpenPost(), ids: map[string]string{}}
	c.path, c.key = s.Conference()
	s.Hire("Ada", "organizer")
	for _, name := range []string{"Grace", "Linus", "Mary"} {
		s.Hire(name, "reviewer")
	}
	s.Run("webhook", "create", "--url", c.hook.URL)
	s.Serve("serve")
	return c
}

// bring creates 40 submissions with a speaker each.
func (c *committee) bring(w *Window) {
	c.T.Helper()
	for i := range 40 {
		title := c.title(i + 1)
		c.ids[title] = c.Ok(c.key, "POST", c.path+"/sessions/create",
			`{"title": "`+title+`", "is_abstract": true, "description": "<p>About `+title+`.</p>"}`)["id"].(string)
		email := fmt.Sprintf("person%d@example.org", i+1)
		if i+1 == 5 {
			email = "nobody@example.org"
		}
		status, err := JS[int](w, `async (record, name, email) => {
			const page = new DOMParser().parseFromString(await (await fetch(record)).text(), "text/html");
			const form = page.querySelector("[name=new_name]").form, sent = new URLSearchParams(new FormData(form));
			sent.set("new_name", name); sent.set("new_email", email);
			sent.set("do", page.querySelector("[name=do][value=new]").value);
			return (await fetch(form.getAttribute("action"), {method: "POST", body: sent})).status;
		}`, c.record(title), fmt.Sprintf("Person %d", i+1), email)
		if err != nil || status != 200 {
			c.T.Fatalf("%s is on nothing: %d %v", email, status, err)
		}
	}
}

// record returns the address of a submission's page.
func (c *committee) record(title string) string {
	return Admin(c.path) + "/sessions/" + c.ids[title]
}

func (c *committee) makeRound(w *Window, name string, blind bool, most string, reviewers ...string) {
	c.T.Helper()
	w.Follow("Reviews")
	w.Follow("Review rounds")
	w.Fill("Name", name)
	if !blind {
		w.Tick("Blind")
	}
	w.Press("Make the round")
	for _, reviewer := range reviewers {
		w.Tick(reviewer)
	}
	w.Press("Add those ticked")
	w.Follow("Assign submissions")
	w.Fill("Reviewers for each submission", "1")
	w.Fill("At most for each reviewer", most)
	w.Press("Preview")
	w.Press("Assign ")
	w.Sees("new assignments of")
}

// review has a reviewer score all that is assigned to them. Only the open round shows the names of the speakers.
func (c *committee) review(name string, n int) {
	c.T.Helper()
	w := c.Window()
	w.SignIn(name + "@example.org")
	w.Sees(fmt.Sprintf("0 of %d reviewed", n))
	w.Follow(map[string]string{"mary": "Second look"}[name] + map[bool]string{true: "", false: "Blind look"}[name == "mary"])
	w.Follow("Review the next one")
	for i := range n {
		modelstest.Want(c.T, name+" sees names", strings.Contains(w.HTML(), "Person "), name == "mary")
		w.Tick("4")
		w.Press("Save and next")
		if i+1 < n {
			w.Sees(fmt.Sprintf("%d of %d reviewed", i+1, n))
		}
	}
	w.Sees("Nothing else waits for you in this round.")
}

// sort moves six submissions to the accept queue and two to the decline queue one by one, and the other 32 to the
// decline queue at once.
func (c *committee) sort(w *Window) {
	c.T.Helper()
	event, _, _ := strings.Cut(c.record(""), "/sessions/")
	w.Visit(event + "/triage?q=Talk+05")
	for i := range 8 {
		title, err := JS[string](w, `() => document.querySelector("#reading h2").textContent.trim()`)
		w.Check(err, "title")
		if i < 6 {
			c.accepted = append(c.accepted, title)
			w.Press("Accept queue")
			w.Sees("is in the accept queue.")
		} else {
			w.Press("Decline queue")
			w.Sees("is in the decline queue.")
		}
		if i == 0 {
			w.Visit(event + "/triage")
		}
	}
	w.Sees("8 of 40 sorted")
	w.Follow("Submissions")
	w.Follow("Pending")
	if w.Scripts {
		w.Tick("Select this page")
	} else {
		for _, title := range w.All("tbody .title") {
			w.Tick("Select " + title)
		}
	}
	w.Press("To decline queue")
	w.Sees("32 submissions")
	w.Follow("Triage")
	w.ReloadsUntil("40 of 40 sorted")
}

// decide commits both queues; nothing is sent by that.
func (c *committee) decide(w *Window) {
	c.T.Helper()
	w.Follow("Decisions")
	w.Press("Look at all 40")
	w.Sees("statuses change", "events decision.committed", "people will see it in their place")
	if w.Scripts { // the button counts what is ticked
		w.Tick("Commit " + c.title(40))
		w.Sees("Commit 39 decisions")
		w.Tick("Commit " + c.title(40))
	}
	w.Press("Commit 40 decisions")
	w.ReloadsUntil("40 of 40 done")
	w.Follow("Decisions")
	w.Sees("No decision waits")
}

// send sends the letters to everybody, one of whom cannot be reached.
func (c *committee) send(w *Window) {
	c.T.Helper()
	w.Follow("Letters")
	w.Sees("Drafts 40")
	w.Follow("Send 40 letters…")
	w.Press("Send 40 letters")
	w.Press("Send now")
	w.Follow("Failed")
	w.ReloadsUntil("550 5.1.1")
	w.Follow("Sent")
	w.ReloadsUntil("39 letters")
	modelstest.Want(c.T, "letters arrived", c.office.Count(), 39)
}

// composeAll composes two submissions into one session, and each other accepted one into a session of its own. Then it
// edits the text of a session, which is also that of its submission.
func (c *committee) composeAll(w *Window) {
	c.T.Helper()
	both := slices.DeleteFunc(slices.Clone(c.accepted), func(title string) bool { return title == c.title(5) })[:2]
	w.Follow("Submissions")
	w.Follow("Accepted")
	for _, title := range both {
		w.Tick("Select " + title)
	}
	w.Press("Compose…")
	w.Press("Into one session")
	w.Sees("Compose 2 submissions")
	w.Press("Compose 2 submissions")
	w.Sees("S-1")
	w.Follow("Dashboard")
	w.Follow("Compose them")
	w.Press("Compose all 4, each into a session of its own…")
	w.Press("Compose 4 submissions")
	w.ReloadsUntil("4 of 4 done")
	edited := c.session(c.accepted[5])
	w.Visit(edited.page)
	w.Follow("Edit the text")
	w.Fill("Title", "Told anew")
	w.Press("Save both")
	w.Sees("Told anew")
	for _, id := range []string{edited.id, c.ids[c.accepted[5]]} {
		modelstest.Want(c.T, "one of the two has the title",
			c.Ok(c.key, "GET", c.path+"/sessions/"+id, "")["title"], "Told anew")
	}
}

// composed is a session that a submission was composed into.
type composed struct{ id, page string }

func (c *committee) session(submission string) composed {
	c.T.Helper()
	made := c.Ok(c.key, "GET", c.path+"/sessions/"+c.ids[submission], "")["composition_status"].(map[string]any)
	id := made["target"].(map[string]any)["id"].(string)
	return composed{id, Admin(c.path) + "/sessions/" + id}
}

// publish publishes each session without an override: the one whose speaker no letter reached is held.
func (c *committee) publish() {
	c.T.Helper()
	for _, title := range c.accepted {
		want := 200
		if title == c.title(5) {
			want = 400
		}
		status, answer := c.Call(c.key, "PUT", c.path+"/sessions/"+c.session(title).id, `{"is_public": true}`)
		if status != want {
			c.T.Errorf("%s: %d %v", title, status, answer)
		}
	}
}

// listen counts what the receiver heard.
func (c *committee) listen(t *testing.T) {
	t.Helper()
	// Created are the submissions and the sessions of them; updated are people, queues, decisions and a shared text.
	modelstest.Want(t, "the receiver heard", c.hook.Heard(t, 40+(40+5)+4+(40+40+40+2)),
		"decision.committed 40, session.created 45, session.published 4, session.updated 122")
}
