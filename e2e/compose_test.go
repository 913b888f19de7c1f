package e2e

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
)

// TestSubmissionsBecomeSessions composes two submissions into one session and the rest each into its own, edits a
// text that two records share, and looks at what a receiver heard and what the API answers.
func TestSubmissionsBecomeSessions(t *testing.T) { journey(t, composeJourney) }

// composeStage is an event with accepted submissions, and who listens.
type composeStage struct {
	*site
	t     *testing.T
	event string // of the API
	admin string
	key   string
	ids   map[string]string // by title
	hook  *receiver
}

func (c *composeStage) read(id string) map[string]any {
	c.t.Helper()
	return c.ok(c.key, "GET", c.event+"/sessions/"+id, "")
}

func (c *composeStage) status(id string) map[string]any {
	c.t.Helper()
	return c.read(id)["composition_status"].(map[string]any)
}

func composeJourney(t *testing.T, s *site) {
	s.env = append(s.env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	w := s.owner()
	made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	c := &composeStage{site: s, t: t, event: "/v1/event/" + made["event_id"].(string), key: made["key"].(string),
		admin: "/admin/events/" + made["event_id"].(string), ids: map[string]string{}, hook: newReceiver(t)}
	s.run("webhook", "create", "--url", c.hook.URL)
	for _, title := range []string{"Tides", "Moles", "Lamps", "Ropes"} {
		row := s.ok(c.key, "POST", c.event+"/sessions/create", `{"title": "`+title+`", "is_abstract": true,
			"status": "accepted",
			"description": "<p>About `+strings.ToLower(title)+`.</p>"}`)
		c.ids[title] = row["id"].(string)
	}
	for i, title := range []string{"Tides", "Moles"} { // one person on both
		w.visit(c.admin + "/sessions/" + c.ids[title])
		if i == 0 {
			w.press("Somebody new")
			w.fill("Name", "Li Na")
			w.press("Add this person")
		} else {
			w.fill("Add a person", "Li Na")
			w.press("Find")
			w.press("Add Li Na")
		}
		w.sees("Li Na is on A-")
	}
	two := c.twoIntoOne(w)
	late := s.window() // somebody who opens the page before the others are composed
	late.signIn("ada@example.org")
	late.visit(c.admin + "/compose?id=" + c.ids["Lamps"])
	c.restOneByOne(w)
	late.press("Compose 1 submission")
	late.sees("Something changed while you were composing", "Ada Byron composed it into S-2 meanwhile",
		"Take it out to go on")
	late.accessible("compose-conflict")
	late.press("Take Lamps out")
	late.sees("None yet.")
	c.oneText(w)
	c.heard()
	c.apart(w, two)
}

// twoIntoOne goes from the list through the page to the session, and returns that.
func (c *composeStage) twoIntoOne(w *window) string {
	w.visit(c.admin + "/submissions?status=accepted")
	w.tick("Select Tides")
	w.tick("Select Moles")
	w.press("Compose…")
	w.press("Into one session")
	w.sees("Compose into session", "from A-2, A-1",
		"Held back from the public until the letters of A-2 and A-1 are sent.")
	w.accessible("compose")
	w.fill("Minutes of Tides", "20")
	if w.scripts { // by hand, by keys, and by the button that is all there is without scripts
		w.leaves("the minutes", func() { w.focus(byLabel, "Minutes of Moles") })
		w.sees("minutes in all")
		w.leaves("drag", func() { w.drag("Tides", "Moles") })
		c.order(w, "Tides", "Moles")
		w.focus(byLabel, "Minutes of Tides")
		w.leaves("Alt and an arrow", func() { w.keys(input.AltLeft, input.ArrowDown) })
		c.order(w, "Moles", "Tides")
		w.focused("Move Tides down")
	}
	w.press("Move Moles down")
	c.order(w, "Tides", "Moles")
	w.fill("Minutes of Moles", "25")
	if w.scripts {
		w.leaves("the minutes", func() { w.focus(byLabel, "Minutes of Tides") })
	}
	w.press("Add a submission")
	w.press("Add A-4")
	c.order(w, "Tides", "Moles", "Ropes")
	w.press("Take Ropes out")
	c.order(w, "Tides", "Moles")
	w.tick("A new title")
	w.fill("New title", "Tides and moles")
	w.tick("All of them")
	w.choose("Role of Li Na", "Moderator")
	w.press("Compose 2 submissions")
	w.sees("S-1 is made of A-1 and A-2.", "Tides and moles", "20 min", "25 min", "45 min in all")
	w.accessible("session-with-parts")
	two := c.status(c.ids["Tides"])["target"].(map[string]any)["id"].(string)
	session := c.read(two)
	if got := session["description"]; got != "<h3>Tides</h3>\n<p>About tides.</p>\n<h3>Moles</h3>\n<p>About moles.</p>" {
		c.t.Errorf("its text is %v", got)
	}
	people := session["participants"].([]any)
	if len(people) != 1 || people[0].(map[string]any)["role"] != "moderator" {
		c.t.Errorf("on it are %v", people)
	}
	want := map[string]any{"role": "target", "source_count": 2.0, "target": nil, "is_linked": false,
		"is_read_only": false}
	if got := c.status(two); !maps.Equal(got, want) {
		c.t.Errorf("its composition is %v", got)
	}
	w.follow("A-2 Moles")
	w.sees("In the session S-1.", "S-1 Tides and moles")
	return two
}

// order waits until the parts stand so on the page.
func (c *composeStage) order(w *window, titles ...string) {
	c.t.Helper()
	got := []string{}
	if !within(patience, func() bool {
		got = w.all(".compose-parts .session-title")
		return slices.Equal(got, titles)
	}) {
		c.t.Fatalf("the parts are %q, want %q", got, titles)
	}
}

// restOneByOne composes all that is accepted and in no session as a batch.
func (c *composeStage) restOneByOne(w *window) {
	w.visit(c.admin)
	w.sees("accepted submissions are in no session")
	w.follow("Compose them")
	w.press("Compose all 2, each into a session of its own…")
	w.sees("Compose 2 submissions?", "2 sessions made, with 0 people on them", "2 of the sessions are held back")
	w.accessible("compose-preview")
	w.press("Compose 2 submissions")
	w.sees("2 of 2 done", "In a session of its own now")
	w.accessible("compose-batch")
}

// oneText edits the text of a session and its submission, while somebody else changes the submission.
func (c *composeStage) oneText(w *window) {
	lamps := c.ids["Lamps"]
	target := c.status(lamps)["target"].(map[string]any)
	session := target["id"].(string)
	status, refused := c.call(c.key, "PUT", c.event+"/sessions/"+lamps, `{"title": "Elsewhere"}`)
	if status != 400 || !strings.Contains(refused["message"].(string), "S-2") {
		c.t.Errorf("%d %v", status, refused)
	}
	w.visit(c.admin + "/sessions/" + session)
	w.sees("Linked: title and description are one text with A-3.")
	w.follow("Edit the text of both")
	w.accessible("text")
	w.fill("Title", "Lamps and lenses")
	c.ok(c.key, "PUT", c.event+"/sessions/"+lamps, `{"capacity": 12}`)
	if w.scripts {
		w.press("Edit as HTML")
	}
	w.fill("Description", `<p>About lenses.</p><script>alert("x")</script>`)
	w.press("Save both")
	w.sees("Removed on save", "A script")
	w.accessible("text-removed")
	w.press("Save both")
	w.sees("changed A-3", "Nothing of what you typed is lost")
	w.accessible("text-conflict")
	if got := w.value("Title"); got != "Lamps and lenses" {
		c.t.Errorf("the title is %q", got)
	}
	w.press("Save both")
	w.sees("Saved on S-2 and A-3. Removed: a script.", "Lamps and lenses")
	for _, id := range []string{session, lamps} {
		if row := c.read(id); row["title"] != "Lamps and lenses" || row["description"] != "<p>About lenses.</p>" {
			c.t.Errorf("%v reads %v %v", row["friendly_id"], row["title"], row["description"])
		}
	}
}

// heard checks all that the receiver was sent.
func (c *composeStage) heard() {
	c.t.Helper()
	want := map[string]int{"session.created A-1": 1, "session.created A-2": 1, "session.created A-3": 1,
		"session.created A-4": 1,
		"session.updated A-1": 1, "session.updated A-2": 1, // Li Na
		"session.created S-1": 1, "session.created S-2": 1, "session.created S-3": 1,
		"session.updated A-3": 2, "session.updated S-2": 1} // its capacity, and the text of both
	total := 0
	for _, n := range want {
		total += n
	}
	got := map[string]int{}
	for _, body := range c.hook.wait(c.t, total) {
		var sent struct {
			Data struct {
				FriendlyID string `json:"friendly_id"`
			}
			Metadata struct{ Event string }
		}
		if err := json.Unmarshal([]byte(body), &sent); err != nil {
			c.t.Fatal(err)
		}
		got[sent.Metadata.Event+" "+sent.Data.FriendlyID]++
	}
	if !maps.Equal(got, want) {
		c.t.Errorf("the receiver heard %v", got)
	}
}

// apart detaches a text and takes that back, and takes a part out of its session.
func (c *composeStage) apart(w *window, two string) {
	w.press("Detach from A-3")
	w.sees("have a text of their own each")
	if c.status(c.ids["Lamps"])["is_read_only"] != false {
		c.t.Error("it is still read-only")
	}
	w.press("Undo")
	w.sees("Linked: the text of S-2 is that of its submission too.")
	w.visit(c.admin + "/sessions/" + two)
	w.follow("Add, order or time the parts")
	w.press("Take Tides out")
	w.sees("A-1 leaves the session.")
	w.press("Save the parts of S-1")
	w.sees("S-1 is made of A-2.")
	if got := c.status(c.ids["Tides"])["role"]; got != "standalone" {
		c.t.Errorf("A-1 is %v", got)
	}
}
