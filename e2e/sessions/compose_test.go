package sessions

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestSubmissionsBecomeSessions composes two submissions into one session and the rest each into its own, edits a
// text that two records share, and looks at what a receiver heard and what the API answers.
func TestSubmissionsBecomeSessions(t *testing.T) { Journey(t, composeJourney) }

// composeStage is an event with accepted submissions and a receiver of its events.
type composeStage struct {
	*Site
	t     *testing.T
	event string // of the API
	admin string
	key   string
	ids   map[string]string // by title
	hook  *Receiver
}

func (c *composeStage) read(id string) map[string]any {
	c.t.Helper()
	return c.Ok(c.key, "GET", c.event+"/sessions/"+id, "")
}

func (c *composeStage) status(id string) map[string]any {
	c.t.Helper()
	return c.read(id)["composition_status"].(map[string]any)
}

func composeJourney(t *testing.T, s *Site) {
	s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	w := s.Owner()
	event, key := s.Key()
	c := &composeStage{Site: s, t: t, event: event, key: key, admin: Admin(event), ids: map[string]string{},
		hook: NewReceiver(t)}
	s.Run("webhook", "create", "--url", c.hook.URL)
	for _, title := range []string{"Tides", "Moles", "Lamps", "Ropes"} {
		row := s.Ok(c.key, "POST", c.event+"/sessions/create", `{"title": "`+title+`", "is_abstract": true,
			"status": "accepted",
			"description": "<p>About `+strings.ToLower(title)+`.</p>"}`)
		c.ids[title] = row["id"].(string)
	}
	for i, title := range []string{"Tides", "Moles"} { // one person on both
		w.Visit(c.admin + "/sessions/" + c.ids[title])
		if i == 0 {
			w.Press("Somebody new")
			w.Fill("Name", "Li Na")
			w.Press("Add this person")
		} else {
			w.Fill("Add a person", "Li Na")
			w.Press("Find")
			w.Press("Add Li Na")
		}
		w.Sees("Li Na is on A-")
	}
	two := c.twoIntoOne(w)
	late := s.Window() // somebody who opens the page before the others are composed
	late.SignIn("ada@example.org")
	late.Visit(c.admin + "/compose?id=" + c.ids["Lamps"])
	c.restOneByOne(w)
	late.Press("Compose 1 submission")
	late.Sees("Something changed while you were composing", "Ada Byron composed it into S-2 meanwhile",
		"Take it out to go on")
	late.Accessible("compose-conflict")
	late.Press("Take Lamps out")
	late.Sees("None yet.")
	c.oneText(w)
	c.heard()
	c.apart(w, two)
}

// twoIntoOne composes two submissions from the list, and returns their session.
func (c *composeStage) twoIntoOne(w *Window) string {
	w.Visit(c.admin + "/submissions?status=accepted")
	w.Tick("Select Tides")
	w.Tick("Select Moles")
	w.Press("Compose…")
	w.Press("Into one session")
	w.Sees("Compose into session", "from A-2, A-1",
		"Held back from the public until the letters of A-2 and A-1 are sent.")
	w.Accessible("compose")
	w.Fill("Minutes of Tides", "20")
	if w.Scripts { // by hand, by keys, and by the button that is all there is without scripts
		w.Leaves("the minutes", func() { w.Focus(ByLabel, "Minutes of Moles") })
		w.Sees("minutes in all")
		w.Leaves("drag", func() { w.Drag("Tides", "Moles") })
		c.order(w, "Tides", "Moles")
		w.Focus(ByLabel, "Minutes of Tides")
		w.Leaves("Alt and an arrow", func() { w.Keys(input.AltLeft, input.ArrowDown) })
		c.order(w, "Moles", "Tides")
		w.Focused("Move Tides down")
	}
	w.Press("Move Moles down")
	c.order(w, "Tides", "Moles")
	w.Fill("Minutes of Moles", "25")
	if w.Scripts {
		w.Leaves("the minutes", func() { w.Focus(ByLabel, "Minutes of Tides") })
	}
	w.Press("Add a submission")
	w.Press("Add A-4")
	c.order(w, "Tides", "Moles", "Ropes")
	w.Press("Take Ropes out")
	c.order(w, "Tides", "Moles")
	w.Tick("A new title")
	w.Fill("New title", "Tides and moles")
	w.Tick("All of them")
	w.Choose("Role of Li Na", "Moderator")
	w.Press("Compose 2 submissions")
	w.Sees("S-1 is made of A-1 and A-2.", "Tides and moles", "20 min", "25 min", "45 min in all")
	w.Accessible("session-with-parts")
	two := c.status(c.ids["Tides"])["target"].(map[string]any)["id"].(string)
	session := c.read(two)
	modelstest.Want(c.t, "its text",
		session["description"], "<h3>Tides</h3>\n<p>About tides.</p>\n<h3>Moles</h3>\n<p>About moles.</p>")
	people := session["participants"].([]any)
	if len(people) != 1 || people[0].(map[string]any)["role"] != "moderator" {
		c.t.Errorf("on it are %v", people)
	}
	want := map[string]any{"role": "target", "source_count": 2.0, "target": nil, "is_linked": false,
		"is_read_only": false}
	if got := c.status(two); !maps.Equal(got, want) {
		c.t.Errorf("its composition is %v", got)
	}
	w.Follow("A-2 Moles")
	w.Sees("In the session S-1.", "S-1 Tides and moles")
	return two
}

// order waits until the parts stand so on the page.
func (c *composeStage) order(w *Window, titles ...string) {
	c.t.Helper()
	got := []string{}
	if !Within(Patience, func() bool {
		got = w.All(".compose-parts .session-title")
		return slices.Equal(got, titles)
	}) {
		c.t.Fatalf("the parts are %q, want %q", got, titles)
	}
}

// restOneByOne composes all that is accepted and in no session as a batch.
func (c *composeStage) restOneByOne(w *Window) {
	w.Visit(c.admin)
	w.Sees("accepted submissions are in no session")
	w.Follow("Compose them")
	w.Press("Compose all 2, each into a session of its own…")
	w.Sees("Compose 2 submissions?", "2 sessions made, with 0 people on them", "2 of the sessions are held back")
	w.Accessible("compose-preview")
	w.Press("Compose 2 submissions")
	w.Sees("2 of 2 done", "In a session of its own now")
	w.Accessible("compose-batch")
}

// oneText edits the text of a session and its submission, while somebody else changes the submission.
func (c *composeStage) oneText(w *Window) {
	lamps := c.ids["Lamps"]
	target := c.status(lamps)["target"].(map[string]any)
	session := target["id"].(string)
	status, refused := c.Call(c.key, "PUT", c.event+"/sessions/"+lamps, `{"title": "Elsewhere"}`)
	if status != 400 || !strings.Contains(refused["message"].(string), "S-2") {
		c.t.Errorf("%d %v", status, refused)
	}
	w.Visit(c.admin + "/sessions/" + session)
	w.Sees("Linked: title and description are one text with A-3.")
	w.Follow("Edit the text of both")
	w.Accessible("text")
	w.Fill("Title", "Lamps and lenses")
	c.Ok(c.key, "PUT", c.event+"/sessions/"+lamps, `{"capacity": 12}`)
	if w.Scripts {
		w.Press("Edit as HTML")
	}
	w.Fill("Description", `<p>About lenses.</p><script>alert("x")</script>`)
	w.Press("Save both")
	w.Sees("Removed on save", "A script")
	w.Accessible("text-removed")
	w.Press("Save both")
	w.Sees("changed A-3", "Nothing of what you typed is lost")
	w.Accessible("text-conflict")
	modelstest.Want(c.t, "the title", w.Value("Title"), "Lamps and lenses")
	w.Press("Save both")
	w.Sees("Saved on S-2 and A-3. Removed: a script.", "Lamps and lenses")
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
	for _, body := range c.hook.Wait(c.t, total) {
		var sent struct {
			Data struct {
				FriendlyID string `json:"friendly_id"`
			}
			Metadata struct{ Event string }
		}
		modelstest.Fine(c.t, json.Unmarshal([]byte(body), &sent))
		got[sent.Metadata.Event+" "+sent.Data.FriendlyID]++
	}
	if !maps.Equal(got, want) {
		c.t.Errorf("the receiver heard %v", got)
	}
}

// apart removes a part from its session.
func (c *composeStage) apart(w *Window, two string) {
	w.Visit(c.admin + "/sessions/" + two)
	w.Follow("Add, order or time the parts")
	w.Press("Take Tides out")
	w.Sees("A-1 leaves the session.")
	w.Press("Save the parts of S-1")
	w.Sees("S-1 is made of A-2.")
	modelstest.Want(c.t, "A-1", c.status(c.ids["Tides"])["role"], "standalone")
}
