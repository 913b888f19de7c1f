package e2e

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

func TestTracksFromFirstToLast(t *testing.T) {
	journey(t, trackJourney)
}

func trackJourney(t *testing.T, s *site) {
	w := s.owner()
	made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	event, key := made["event_id"].(string), made["key"].(string)
	w.follow("Tracks, rooms and tags")
	w.sees("No tracks yet")
	w.accessible("tracks-empty")
	for _, name := range []string{"Archives", "Open source", "Community"} {
		w.fill("Name of the new track", name)
		w.press("Add track")
		w.sees("“" + name + "” is added.")
		w.focused("Name of the new track") // the next one can be typed
	}
	// A colour that cannot be seen everywhere is taken, with a word of warning.
	w.follow("Edit Archives")
	if w.scripts {
		w.focused("Name")
	}
	w.accessible("tracks-edit")
	w.fill("Name", "Archives and letters")
	w.fill("Colour", "#1f4e5f")
	w.press("Save")
	w.sees("“Archives and letters” is saved.", "Its colour is hard to see on the dark page", "contrast is 1.8 to 1")
	w.accessible("tracks")
	// By keyboard: the button keeps the focus, so it can be pressed again.
	w.key("Move Community up")
	w.sees("“Community” is number 2 of 3 now.")
	if w.scripts {
		w.focused("Move Community up")
	}
	w.key("Move Community up")
	w.sees("“Community” is number 1 of 3 now.")
	w.order("Community", "Archives and letters", "Open source")
	w.fill("Position of Community", "3")
	w.leaves("Enter", func() { w.keys(input.Enter) })
	w.sees("“Community” is number 3 of 3 now.")
	w.order("Archives and letters", "Open source", "Community")
	if w.scripts {
		w.drag("Community", "Archives and letters")
	} else {
		w.fill("Position of Community", "1")
		w.press("Move Community to this position")
	}
	w.sees("“Community” is number 1 of 3 now.")
	w.order("Community", "Archives and letters", "Open source")
	// What used a deleted track gets another.
	tracks := s.ok(key, "POST", "/v1/event/"+event+"/tracks", `{}`)["results"].([]any)
	community := tracks[0].(map[string]any)["id"].(string)
	s.ok(key, "POST", "/v1/event/"+event+"/sessions/create",
		`{"title": "Saving a mailing list", "is_abstract": true, "track_id": "`+community+`"}`)
	w.reload()
	w.sees("1 submission")
	w.follow("Delete Community")
	w.sees("Delete track “Community”?")
	w.accessible("track-delete")
	w.choose("Put in its place", "Open source")
	w.press("Delete track")
	w.sees("“Community” is deleted; “Open source” stands in its place.")
	w.follow("1 submission")
	w.sees("Saving a mailing list", "Open source")
	w.follow("Activity")
	w.sees("Ada Byron", "deleted the track Community", "Reassigned to", "Saving a mailing list", "Community →",
		"Open source")
	w.accessible("activity")
}

func TestTwoBrowsersEditOneRoom(t *testing.T) {
	journey(t, roomJourney)
}

func roomJourney(t *testing.T, s *site) {
	ada := s.owner()
	ada.follow("Tracks, rooms and tags")
	ada.follow("Rooms")
	ada.fill("Name of the new room", "Great hall")
	ada.fill("Seats", "300")
	ada.press("Add room")
	ada.sees("“Great hall” is added.")
	li := s.window()
	li.signIn("ada@example.org")
	li.visit(ada.url())
	li.follow("Edit Great hall")
	ada.follow("Edit Great hall")
	li.fill("Name", "Grand hall")
	li.fill("Seats", "280")
	li.press("Save")
	li.sees("“Grand hall” is saved.")
	ada.fill("Name", "Hall of ropes")
	ada.press("Save")
	ada.sees("Ada Byron changed Name and Seats just now", "Hall of ropes", "Grand hall", "you did not change it")
	ada.accessible("room-conflict")
	ada.press("Save")
	ada.sees("“Hall of ropes” is saved.", "280")
	li.reload()
	li.fill("Name of the new room", strings.Repeat("x", 300))
	li.press("Add room")
	li.sees("Name is 300 characters long")
	li.fill("Name of the new room", "Cellar")
	li.press("Add room")
	li.press("Move Cellar up")
	li.sees("“Cellar” is number 1 of 2 now.")
}

// key presses a button by keyboard.
func (w *window) key(name string) {
	w.t.Helper()
	w.leaves(name, func() {
		w.focus(byRole, "button", name)
		w.keys(input.Enter)
	})
}

// order fails the test unless the rows of the list stand so.
func (w *window) order(names ...string) {
	w.t.Helper()
	if got := w.all("tbody .title"); !slices.Equal(got, names) {
		w.t.Errorf("the order is %q, want %q", got, names)
	}
}

// drag takes a row by its handle to the place of another.
func (w *window) drag(row, to string) {
	w.t.Helper()
	at := func(name string) (x, y float64) {
		point, err := js[[]float64](w, `(name) => {
			const row = [...document.querySelectorAll("tbody tr, [data-moves], .asks > li")].find(e =>
				e.querySelector(".title, .session-title, .ask").textContent === name);
			const box = row.querySelector("[data-handle]").getBoundingClientRect();
			return [box.x + box.width / 2, box.y + box.height / 2];
		}`, name)
		w.check(err, name)
		return point[0], point[1]
	}
	x, y := at(row)
	_, end := at(to)
	mouse := w.page.Mouse
	w.check(mouse.MoveTo(proto.NewPoint(x, y)), row)
	w.check(mouse.Down(proto.InputMouseButtonLeft, 1), row)
	w.check(mouse.MoveLinear(proto.NewPoint(x, end-12), 12), to)
	// Rows that are still making way take no notice of the pointer.
	for until := time.Now().Add(patience); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if _, now := at(to); now > end {
			break
		}
		end--
		w.check(mouse.MoveTo(proto.NewPoint(x, end-12)), to)
		end++
		w.check(mouse.MoveTo(proto.NewPoint(x, end-12)), to)
	}
	w.check(mouse.Up(proto.InputMouseButtonLeft, 1), to)
}
