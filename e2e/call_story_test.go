package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFromTheCallToAYes goes the way of a proposal: staff build the form of a call, somebody begins with a title, comes
// back by the link in their mail, is asked what is asked of workshops alone, has somebody speak along, submits, edits,
// and comes too late; staff read every answer, reviewers those that are for them, programs what staff read; a letter
// with the decision leads to the place, where it stands, and where they say that they come. The receiver hears exactly
// what is to be told.
func TestFromTheCallToAYes(t *testing.T) { journey(t, callStory) }

// caller is the conference of this story. Ingrid and Nour were known to it before.
type caller struct {
	*site
	path, key, admin string
	hook             *receiver
	office           *postOffice
	talk             string // the id of the proposal
}

const (
	ingrid = "ingrid@example.org"
	nour   = "nour@example.org"
	bring  = "What do people need to bring?"
	needs  = "What do you need from us?"
)

func callStory(t *testing.T, s *site) {
	c := announce(t, s)
	olga := s.window()
	olga.signIn("olga@example.org")
	c.build(olga)
	c.opens(olga, time.Now().AddDate(0, 0, 7))
	ada, home := s.window(), s.window()
	c.begins(ada)
	c.returns(home, ada)
	c.answers(home)
	c.joins(s.window())
	c.submits(home)
	c.edits(home)
	c.misses(olga, home)
	c.reads(olga)
	c.readEverywhere()
	c.decides(olga, home)
	c.comes(s.window(), olga)
	c.listens()
}

// announce makes the conference, its staff and its contacts, with a mail server and a receiver of its events.
func announce(t *testing.T, s *site) *caller {
	t.Helper()
	s.env = append(s.env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	c := &caller{site: s, hook: newReceiver(t), office: s.openPost()}
	c.path, c.key = s.conference()
	c.admin = "/admin/events/" + strings.TrimPrefix(c.path, "/v1/event/")
	for _, x := range []struct{ name, role string }{{"Olga", "organizer"}, {"Grace", "reviewer"}} {
		if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", x.name+"@example.org", "--name",
			x.name, "--role", x.role); err != nil {
			t.Fatal(stderr)
		}
	}
	people := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(people, []byte("First name,Last name,Email,Company\nIngrid,Sørlie,"+ingrid+",Havnevesen\n"+
		"Nour,Mansour,"+nour+",Port Said\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run("contacts", "import", "--event", "harbour", people)
	s.run("webhook", "create", "--url", c.hook.URL)
	s.serve("serve")
	return c
}

// hears wants the receiver to have heard so many events, these and nothing else, beside the two people who were imported.
func (c *caller) hears(n int, want string) {
	c.t.Helper()
	want = "contact.created 2, " + want
	if got := c.hook.heard(c.t, n+2); got != want {
		c.t.Errorf("the receiver heard %s, not %s", got, want)
	}
}

// build makes the form: one question is for workshops alone, and one for organizers alone.
func (c *caller) build(w *window) {
	c.t.Helper()
	for _, name := range []string{"Talk", "Workshop"} {
		c.ok(c.key, "POST", c.path+"/formats/create", `{"name": "`+name+`"}`)
	}
	w.follow("Form and window")
	w.press("Start a call")
	w.sees("Have you given this talk before?", "Not open")
	w.follow("Remove Track")
	w.press("Stop asking")
	w.follow("Add a question to Your session")
	w.fill("Question", bring)
	w.choose("Has to be answered", "Yes, before submitting")
	w.tick("Workshop")
	w.press("Add question")
	w.sees("is asked now.", "Only if")
	w.follow("Add a question to You")
	w.fill("Question", needs)
	w.choose("Answered with", "Several choices")
	w.choose("Reviewers see the answer", "No, organizers alone")
	w.fill("Choice 1", "Travel")
	w.fill("Choice 2", "A hotel")
	w.press("Add question")
	w.sees(needs, "not for reviewers")
}

// opens says until when the call is open: at noon, which the clocks show once on every day.
func (c *caller) opens(w *window, until time.Time) {
	c.t.Helper()
	noon := func(day time.Time) string { return day.Format("2006-01-02") + "T12:00" }
	w.follow("Form and window")
	w.follow("Texts and limits")
	w.fill("Opens", noon(time.Now().AddDate(0, 0, -2)))
	w.fill("Closes", noon(until))
	w.press("Save texts and limits")
	w.sees("Texts and limits are saved.")
}

// begins has somebody start with a title, and set a password before it is known whose the address is.
func (c *caller) begins(w *window) {
	c.t.Helper()
	w.visit("/events/harbour/call")
	w.sees("days left", "Workshop")
	w.follow("Start a proposal")
	w.fill("Title", "Harbour pilots")
	w.fill("Your name", "Ingrid Sørlie")
	w.fill("E-mail address", ingrid)
	w.fill("Password", "a pilot knows the water")
	time.Sleep(2 * time.Second) // as long as a person takes
	w.press("Start")
	w.sees("Your proposal", "Your draft is kept")
	c.hears(1, "session.created 1")
}

// returns goes on in another browser, by the link of the mail, which proves whose the address is: who only knew it, and
// set a password, is out.
func (c *caller) returns(w, before *window) {
	c.t.Helper()
	link := c.office.link(c.t, ingrid, "the way back to your proposal")
	w.visit(link)
	w.sees("Open your place")
	w.accessible("call-story-link")
	w.press("Open my place")
	w.sees("Your address is confirmed.", "A password had been set before", "Harbour pilots", "to finish before you can submit")
	w.accessible("call-story-place")
	before.visit("/events/harbour/place")
	before.sees("Come to your place")
	c.hears(2, "contact.merged 1, session.created 1")
	w.follow("Continue")
}

// answers fills in what is asked, among it what is asked of workshops alone, and invites somebody.
func (c *caller) answers(w *window) {
	c.t.Helper()
	w.fill("Abstract", "Every ship that enters a harbour is handed over to a pilot who knows the water.")
	if w.scripts {
		w.doesNotSee(bring)
	}
	w.tick("Workshop")
	w.sees(bring)
	if w.scripts {
		w.sees("Asked because you chose Workshop", "Saved ")
	}
	w.press("Check my answers")
	w.sees("before you can submit", "“"+bring+"” has no answer yet")
	w.fill(bring, "A pencil. We draw on sea charts.")
	w.tick("A hotel")
	w.tick("Travel")
	w.fill("About you", "A pilot of thirty years.")
	w.press("Save")
	w.sees("Saved.")
	c.hears(2, "contact.merged 1, session.created 1")
	w.fill("Name", "Nour Mansour")
	w.fill("E-mail address", nour)
	w.press("Invite")
	w.sees("An invitation goes to "+nour, "Invited ")
	if got := w.value(bring); !strings.HasPrefix(got, "A pencil.") {
		c.t.Errorf("what was typed is %q after somebody was invited", got)
	}
	c.talk = strings.Split(w.url(), "/")[5]
}

// joins has who was invited say yes in a browser of their own, and fill their profile.
func (c *caller) joins(w *window) {
	c.t.Helper()
	w.visit(c.office.link(c.t, nour, "invites you to speak at Harbour"))
	w.sees("Will you speak along?", "Ingrid Sørlie", "Harbour pilots")
	w.accessible("call-story-join")
	w.press("Yes, I will")
	w.sees("Harbour pilots", "Nour Mansour", "Ingrid Sørlie")
	w.follow("Profile")
	w.fill("Biography", "Draws charts of what moves.")
	w.accessible("call-story-profile")
	w.press("Save")
	w.sees("Saved.")
	c.hears(3, "contact.merged 1, session.created 1, session.updated 1")
}

// submits goes on in the form that was open since before somebody joined.
func (c *caller) submits(w *window) {
	c.t.Helper()
	w.fill("Have you given this talk before?", "Never")
	w.press("Check my answers")
	w.sees("Check your answers", "A pencil.", "Travel, A hotel", "Never", "Nour Mansour")
	w.doesNotSee("not confirmed")
	w.accessible("call-story-check")
	w.press("Submit proposal")
	w.sees("Thank you, we have it.", "A-1")
	w.accessible("call-story-done")
	letter := c.office.letter(c.t, ingrid, "we have “Harbour pilots” (A-1)")
	if !strings.Contains(letter, "/place/link/") || !strings.Contains(letter, "Travel, A hotel") {
		c.t.Errorf("the copy is\n%s", letter)
	}
	c.hears(4, "contact.merged 1, session.created 1, session.updated 2")
}

func (c *caller) edits(w *window) {
	c.t.Helper()
	w.follow("My proposals")
	w.sees("Pending", "It is being read.")
	w.follow("Harbour pilots")
	w.follow("Edit what you submitted")
	w.fill("Title", "Harbour pilots and their ships")
	w.press("Save changes")
	w.sees("Your changes are saved.", "Harbour pilots and their ships")
	w.accessible("call-story-proposal")
	c.hears(5, "contact.merged 1, session.created 1, session.updated 3")
}

// misses has the call end while somebody still writes: what they send then is refused, and shown to them.
func (c *caller) misses(staff, w *window) {
	c.t.Helper()
	w.follow("Edit what you submitted")
	form := w.url()
	w.fill("Title", "Too late")
	c.opens(staff, time.Now().AddDate(0, 0, -1))
	staff.sees("Closed since")
	w.press("Save changes")
	w.sees("What you typed last was not saved", "Too late", "so the answers stay as they are")
	w.accessible("call-story-late")
	w.visit(form)
	w.path(strings.TrimSuffix(form, "edit") + "check")
	w.sees("Harbour pilots and their ships", "A pencil.")
	w.doesNotSee("Submit proposal", "Change")
	status, err := js[int](w, `async (to) => (await fetch(to, {method: "POST", body: new URLSearchParams({title: "Too late",
		_token: document.querySelector("[name=_token]").value})})).status`, strings.TrimSuffix(form, "edit")+"save")
	if err != nil || status != 422 {
		c.t.Errorf("what is sent after the end is answered %d %v", status, err)
	}
	stranger := c.window()
	stranger.visit("/events/harbour/call")
	stranger.sees("The call closed on", "1 proposal")
	stranger.doesNotSee("Start a proposal")
	if got := c.read()["title"]; got != "Harbour pilots and their ships" {
		c.t.Errorf("it was called %v after the end", got)
	}
}

// read is the submission as the API has it.
func (c *caller) read() map[string]any {
	c.t.Helper()
	return c.ok(c.key, "GET", c.path+"/sessions/"+c.talk, "")
}

// reads has staff find every answer under the words of its question, and who reviews those for reviewers alone.
func (c *caller) reads(w *window) {
	c.t.Helper()
	record := c.admin + "/sessions/" + c.talk
	w.visit(record)
	w.sees("Every ship that enters a harbour", "Workshop", bring, "A pencil.", needs, "Travel, A hotel",
		"Have you given this talk before?", "Never", "Submitted by Ingrid Sørlie", "Nour Mansour")
	w.accessible("call-story-record")
	grace := c.window()
	grace.signIn("grace@example.org")
	grace.visit(record)
	grace.sees(bring, "A pencil.", "Never")
	if page := grace.html(); strings.Contains(page, needs) || strings.Contains(page, "hotel") {
		c.t.Error("a reviewer sees what is for organizers alone")
	}
}

// readEverywhere has programs and models find the same answers.
func (c *caller) readEverywhere() {
	c.t.Helper()
	want := fmt.Sprint([]map[string]string{
		{"key": "what_do_people_need_to_bring", "value": "A pencil. We draw on sea charts."},
		{"key": "have_you_given_this_talk_before", "value": "Never"},
		{"key": "what_do_you_need_from_us", "value": "Travel, A hotel"},
	})
	rest := fmt.Sprint(c.read()["custom_fields"])
	tool := fmt.Sprint(c.agent(keyed(c.key)).tool("get_submission", map[string]any{"submission_id": c.talk})["custom_fields"])
	if rest != want || tool != want {
		c.t.Errorf("the answers are %s by REST, and %s by the tool", rest, tool)
	}
}

// decides takes the submission through both queues, of which its speaker sees nothing, to a yes and its letters.
func (c *caller) decides(w, speaker *window) {
	c.t.Helper()
	for _, queue := range []string{"decline queue", "accept queue"} {
		w.press("To " + queue)
		w.sees("It is in the " + queue + " now.")
		speaker.visit("/events/harbour/place")
		speaker.sees("Pending", "It is being read.")
		speaker.doesNotSee("queue")
		if queue == "decline queue" {
			w.press("Back to pending")
		}
	}
	w.press("Accept…")
	w.press("Accept A-1")
	speaker.reload()
	speaker.sees("Accepted", "We would like to have it.", "Answer whether you come")
	speaker.doesNotSee("Your letter is here.")
	w.follow("Letters")
	w.follow("Send 2 letters…")
	w.press("Send 2 letters")
	w.press("Send now")
}

// comes follows the link of the letter with the decision, reads the letter in the place, and says yes.
func (c *caller) comes(w, staff *window) {
	c.t.Helper()
	const subject = "yes to “Harbour pilots and their ships”"
	c.office.letter(c.t, nour, subject)
	w.visit(c.office.link(c.t, ingrid, subject))
	w.press("Open my place")
	w.sees("Accepted", "Your letter is here.", "Harbour: "+subject)
	w.accessible("call-story-accepted")
	w.follow("Read and answer")
	w.sees("Dear Ingrid,", "thank you for sending us", "Will you come?")
	w.accessible("call-story-letter")
	w.press("Yes, I am coming")
	w.sees("You said yes.")
	staff.visit(c.admin + "/sessions/" + c.talk)
	staff.sees("Comes", "No answer yet")
}

// listens counts what the receiver heard: a session once, who joined, what was submitted and edited, two queues and the
// way back from one, and the decision.
func (c *caller) listens() {
	c.t.Helper()
	c.hears(10, "contact.merged 1, decision.committed 1, session.created 1, session.updated 7")
}
