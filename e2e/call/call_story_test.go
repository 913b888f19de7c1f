package call

import (
	"fmt"
	"strings"
	"testing"
	"time"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestFromTheCallToAYes goes the way of a proposal: staff build the form of a call, somebody begins with a title, comes
// back by the link in their mail, is asked what is asked of workshops alone, has somebody speak along, submits, edits,
// and comes too late; staff read every answer, reviewers those that are for them, programs what staff read; a letter
// with the decision leads to the place, where it stands, and where they say that they come. The receiver hears exactly
// what is to be told.
func TestFromTheCallToAYes(t *testing.T) { Journey(t, callStory) }

// caller is the conference of this story. Ingrid and Nour were known to it before.
type caller struct {
	*Site
	path, key, admin string
	hook             *Receiver
	office           *PostOffice
	talk             string // the id of the proposal
}

const (
	ingrid = "ingrid@example.org"
	nour   = "nour@example.org"
	bring  = "What do people need to bring?"
	needs  = "What do you need from us?"
)

func callStory(t *testing.T, s *Site) {
	c := announce(t, s)
	olga := s.Window()
	olga.SignIn("olga@example.org")
	c.build(olga)
	c.opens(olga, time.Now().AddDate(0, 0, 7))
	ada, home := s.Window(), s.Window()
	c.begins(ada)
	c.returns(home, ada)
	c.answers(home)
	c.joins(s.Window())
	c.submits(home)
	c.edits(home)
	c.misses(olga, home)
	c.reads(olga)
	c.readEverywhere()
	c.decides(olga, home)
	c.comes(s.Window(), olga)
	c.listens()
}

// announce makes the conference, its staff and its contacts, with a mail server and a receiver of its events.
func announce(t *testing.T, s *Site) *caller {
	t.Helper()
	s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	c := &caller{Site: s, hook: NewReceiver(t), office: s.OpenPost()}
	c.path, c.key = s.Conference()
	c.admin = Admin(c.path)
	s.Hire("Olga", "organizer")
	s.Hire("Grace", "reviewer")
	s.Run("contacts", "import", "--event", "harbour", File(s.T, "people.csv", "First name,Last name,Email,Company\n"+
		"Ingrid,Sørlie,"+ingrid+",Havnevesen\nNour,Mansour,"+nour+",Port Said\n"))
	s.Run("webhook", "create", "--url", c.hook.URL)
	s.Serve("serve")
	return c
}

// hears checks that the receiver heard of n events, these and nothing else, beside the two people who were
// imported.
func (c *caller) hears(n int, want string) {
	c.T.Helper()
	want = "contact.created 2, " + want
	modelstest.Want(c.T, "the receiver heard", c.hook.Heard(c.T, n+2), want)
}

// build makes the form: one question is asked for workshops alone, and one is for organizers alone.
func (c *caller) build(w *Window) {
	c.T.Helper()
	for _, name := range []string{"Talk", "Workshop"} {
		c.Ok(c.key, "POST", c.path+"/formats/create", `{"name": "`+name+`"}`)
	}
	w.Follow("Form and window")
	w.Press("Start a call")
	w.Sees("Have you given this talk before?", "Not open")
	w.Follow("Remove Track")
	w.Press("Stop asking")
	w.Follow("Add a question to Your session")
	w.Fill("Question", bring)
	w.Choose("Has to be answered", "Yes, before submitting")
	w.Press("For some formats")
	w.Tick("Workshop")
	w.Press("Add question")
	w.Sees("is asked now.", "Only if")
	w.Follow("Add a question to You")
	w.Fill("Question", needs)
	w.Choose("Answered with", "Several choices")
	w.Choose("Reviewers see the answer", "No, organizers alone")
	w.Fill("Choice 1", "Travel")
	w.Fill("Choice 2", "A hotel")
	w.Press("Add question")
	w.Sees(needs, "not for reviewers")
}

// opens sets the end of the call: at noon, which the clocks show once on every day.
func (c *caller) opens(w *Window, until time.Time) {
	c.T.Helper()
	noon := func(day time.Time) string { return day.UTC().Format("2006-01-02") + "T12:00" }
	w.Follow("Form and window")
	w.Follow("When it is open")
	w.Fill("Opens", noon(time.Now().AddDate(0, 0, -2)))
	w.Fill("Closes", noon(until))
	w.Press("Save when it is open")
	w.Sees("When it is open is saved.")
}

// begins starts a proposal with a title, and sets a password before the address is proven.
func (c *caller) begins(w *Window) {
	c.T.Helper()
	w.Visit("/events/harbour/call")
	w.Sees("days left", "Workshop")
	w.Follow("Start a proposal")
	w.Fill("Title", "Harbour pilots")
	w.Fill("Your name", "Ingrid Sørlie")
	w.Fill("E-mail address", ingrid)
	w.Fill("Password", "a pilot knows the water")
	time.Sleep(2 * time.Second) // as long as a person takes
	w.Press("Start")
	w.Sees("Your proposal", "Your draft is kept")
	c.hears(1, "session.created 1")
}

// returns goes on in another browser, by the link of the mail, which proves whose the address is: who only knew it, and
// set a password, is out.
func (c *caller) returns(w, before *Window) {
	c.T.Helper()
	link := c.office.Link(c.T, ingrid, "the way back to your proposal")
	w.Visit(link)
	w.Sees("Open your place")
	w.Accessible("call-story-link")
	w.Press("Open my place")
	w.Sees("Your address is confirmed.", "A password had been set before", "Harbour pilots", "to finish before you can submit")
	w.Accessible("call-story-place")
	before.Visit("/events/harbour/place")
	before.Sees("Come to your place")
	c.hears(2, "contact.merged 1, session.created 1")
	w.Follow("Continue")
}

// answers answers all questions, also the one for workshops alone, and invites a co-speaker.
func (c *caller) answers(w *Window) {
	c.T.Helper()
	w.Fill("Abstract", "Every ship that enters a harbour is handed over to a pilot who knows the water.")
	if w.Scripts {
		w.DoesNotSee(bring)
	}
	w.Tick("Workshop")
	w.Sees(bring)
	if w.Scripts {
		w.Sees("Asked because you chose Workshop", "Saved ")
	}
	w.Press("Check my answers")
	w.Sees("before you can submit", "“"+bring+"” has no answer yet")
	w.Fill(bring, "A pencil. We draw on sea charts.")
	w.Tick("A hotel")
	w.Tick("Travel")
	w.Fill("About you", "A pilot of thirty years.")
	w.Press("Save")
	w.Sees("Saved.")
	c.hears(2, "contact.merged 1, session.created 1")
	w.Fill("Name", "Nour Mansour")
	w.Fill("E-mail address", nour)
	w.Press("Invite")
	w.Sees("An invitation goes to "+nour, "Invited ")
	if got := w.Value(bring); !strings.HasPrefix(got, "A pencil.") {
		c.T.Errorf("what was typed is %q after somebody was invited", got)
	}
	c.talk = strings.Split(w.URL(), "/")[5]
}

// joins has the invited co-speaker say yes in a browser of their own, and fill in their profile.
func (c *caller) joins(w *Window) {
	c.T.Helper()
	w.Visit(c.office.Link(c.T, nour, "Invitation to speak at Harbour"))
	w.Sees("Will you speak along?", "Ingrid Sørlie", "Harbour pilots")
	w.Accessible("call-story-join")
	w.Press("Yes, I will")
	w.Sees("Harbour pilots", "Nour Mansour", "Ingrid Sørlie")
	w.Follow("Profile")
	w.Fill("Biography", "Draws charts of what moves.")
	w.Accessible("call-story-profile")
	w.Press("Save")
	w.Sees("Saved.")
	c.hears(3, "contact.merged 1, session.created 1, session.updated 1")
}

// submits goes on in the form that was opened before the co-speaker joined.
func (c *caller) submits(w *Window) {
	c.T.Helper()
	w.Fill("Have you given this talk before?", "Never")
	w.Press("Check my answers")
	w.Sees("Check your answers", "A pencil.", "Travel, A hotel", "Never", "Nour Mansour")
	w.DoesNotSee("not confirmed")
	w.Accessible("call-story-check")
	w.Press("Submit proposal")
	w.Sees("Thank you, we have it.", "A-1")
	w.Accessible("call-story-done")
	letter := c.office.Letter(c.T, ingrid, "we have “Harbour pilots” (A-1)")
	if !strings.Contains(letter, "/place/link/") || !strings.Contains(letter, "Travel, A hotel") {
		c.T.Errorf("the copy is\n%s", letter)
	}
	c.hears(4, "contact.merged 1, session.created 1, session.updated 2")
}

func (c *caller) edits(w *Window) {
	c.T.Helper()
	w.Follow("My proposals")
	w.Sees("Pending", "It is being read.")
	w.Follow("Harbour pilots")
	w.Follow("Edit what you submitted")
	w.Fill("Title", "Harbour pilots and their ships")
	w.Press("Save changes")
	w.Sees("Your changes are saved.", "Harbour pilots and their ships")
	w.Accessible("call-story-proposal")
	c.hears(5, "contact.merged 1, session.created 1, session.updated 3")
}

// misses has the call end while somebody still writes: what they send is refused, and shown to them.
func (c *caller) misses(staff, w *Window) {
	c.T.Helper()
	w.Follow("Edit what you submitted")
	form := w.URL()
	w.Fill("Title", "Too late")
	c.opens(staff, time.Now().AddDate(0, 0, -1))
	staff.Sees("Closed since")
	w.Press("Save changes")
	w.Sees("What you typed last was not saved", "Too late", "so the answers stay as they are")
	w.Accessible("call-story-late")
	w.Visit(form)
	w.Path(strings.TrimSuffix(form, "edit") + "check")
	w.Sees("Harbour pilots and their ships", "A pencil.")
	w.DoesNotSee("Submit proposal", "Change")
	status, err := JS[int](w, `async (to) => (await fetch(to, {method: "POST", body: new URLSearchParams({title: "Too late",
		_token: document.querySelector("[name=_token]").value})})).status`, strings.TrimSuffix(form, "edit")+"save")
	if err != nil || status != 422 {
		c.T.Errorf("what is sent after the end is answered %d %v", status, err)
	}
	stranger := c.Window()
	stranger.Visit("/events/harbour/call")
	stranger.Sees("The call closed on", "1 proposal")
	stranger.DoesNotSee("Start a proposal")
	modelstest.Want(c.T, "title after the end", c.read()["title"], "Harbour pilots and their ships")
}

// read returns the submission as the API shows it.
func (c *caller) read() map[string]any {
	c.T.Helper()
	return c.Ok(c.key, "GET", c.path+"/sessions/"+c.talk, "")
}

// reads finds every answer as staff, and as a reviewer only the answers that reviewers may read.
func (c *caller) reads(w *Window) {
	c.T.Helper()
	record := c.admin + "/sessions/" + c.talk
	w.Visit(record)
	w.Sees("Every ship that enters a harbour", "Workshop", bring, "A pencil.", needs, "Travel, A hotel",
		"Have you given this talk before?", "Never", "Submitted by Ingrid Sørlie", "Nour Mansour")
	w.Accessible("call-story-record")
	grace := c.Window()
	grace.SignIn("grace@example.org")
	grace.Visit(record)
	grace.Sees(bring, "A pencil.", "Never")
	if page := grace.HTML(); strings.Contains(page, needs) || strings.Contains(page, "hotel") {
		c.T.Error("a reviewer sees what is for organizers alone")
	}
}

// readEverywhere finds the same answers by the API and the tools.
func (c *caller) readEverywhere() {
	c.T.Helper()
	want := fmt.Sprint([]map[string]string{
		{"key": "what_do_people_need_to_bring", "value": "A pencil. We draw on sea charts."},
		{"key": "have_you_given_this_talk_before", "value": "Never"},
		{"key": "what_do_you_need_from_us", "value": "Travel, A hotel"},
	})
	rest := fmt.Sprint(c.read()["custom_fields"])
	tool := fmt.Sprint(c.Agent(Keyed(c.key)).Tool("get_submission", map[string]any{"submission_id": c.talk})["custom_fields"])
	if rest != want || tool != want {
		c.T.Errorf("the answers are %s by REST, and %s by the tool", rest, tool)
	}
}

// decides takes the submission through both queues, of which its speaker sees nothing, to a yes and its letters.
func (c *caller) decides(w, speaker *Window) {
	c.T.Helper()
	for _, queue := range []string{"decline queue", "accept queue"} {
		w.Press("To " + queue)
		w.Sees("It is in the " + queue + " now.")
		speaker.Visit("/events/harbour/place")
		speaker.Sees("Pending", "It is being read.")
		speaker.DoesNotSee("queue")
		if queue == "decline queue" {
			w.Press("Back to pending")
		}
	}
	w.Press("Accept…")
	w.Press("Accept A-1")
	speaker.Reload()
	speaker.Sees("Accepted", "We would like to have it.", "Answer whether you come")
	speaker.DoesNotSee("Your letter is here.")
	w.Follow("Letters")
	w.Follow("Send 2 letters…")
	w.Press("Send 2 letters")
	w.Press("Send now")
}

// comes follows the link of the letter with the decision, reads the letter in the place, and says yes.
func (c *caller) comes(w, staff *Window) {
	c.T.Helper()
	const subject = "yes to “Harbour pilots and their ships”"
	c.office.Letter(c.T, nour, subject)
	w.Visit(c.office.Link(c.T, ingrid, subject))
	w.Press("Open my place")
	w.Sees("Accepted", "Your letter is here.", "Harbour: "+subject)
	w.Accessible("call-story-accepted")
	w.Follow("Read and answer")
	w.Sees("Dear Ingrid,", "thank you for sending us", "Will you come?")
	w.Accessible("call-story-letter")
	w.Press("Yes, I am coming")
	w.Sees("You said yes.")
	staff.Visit(c.admin + "/sessions/" + c.talk)
	staff.Sees("Comes", "No answer yet")
}

// listens counts what the receiver heard: a session once, who joined, what was submitted and edited, two queues and the
// way back from one, and the decision.
func (c *caller) listens() {
	c.T.Helper()
	c.hears(10, "contact.merged 1, decision.committed 1, session.created 1, session.updated 7")
}
