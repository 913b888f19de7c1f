package staff

import (
	"testing"

	"github.com/go-rod/rod/lib/input"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

func TestTracksFromFirstToLast(t *testing.T) {
	Journey(t, trackJourney)
}

// calm wants the pointer on nothing that destroys, where it was left, and the ring of what has the focus whole: within
// all that cuts off what sticks out.
func calm(w *Window) {
	w.T.Helper()
	if !w.Scripts {
		return
	}
	w.Settled()
	w.WaitFor(`![...document.querySelectorAll(":hover")].some(e => e.matches("button, a") && /delete|remove|erase/i.test(e.textContent +
		(e.getAttribute("aria-label") ?? "")))`)
	w.WaitFor(`(() => {
		const e = document.activeElement, ring = e.getBoundingClientRect(), look = getComputedStyle(e);
		const wide = parseFloat(look.outlineWidth) + parseFloat(look.outlineOffset);
		if (look.outlineStyle === "none") return false;
		for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
			if (getComputedStyle(p).overflowX === "visible") continue;
			const box = p.getBoundingClientRect();
			if (ring.left - wide < box.left || ring.right + wide > box.right) return false;
		}
		return ring.left - wide >= 0 && ring.right + wide <= innerWidth;
	})()`)
}

func trackJourney(t *testing.T, s *Site) {
	w := s.Owner()
	event, key := s.Key()
	w.Follow("Tracks, rooms and tags")
	w.Sees("No tracks yet")
	w.Accessible("tracks-empty")
	for _, name := range []string{"Archives", "Open source", "Community"} {
		w.Fill("Name of the new track", name)
		w.Press("Add track")
		w.Sees("“" + name + "” is added.")
		w.Focused("Name of the new track") // the next one can be typed
		calm(w)
	}
	// A colour that cannot be seen everywhere is taken, with a word of warning.
	w.Follow("Edit Archives")
	if w.Scripts {
		w.Focused("Name")
	}
	w.Accessible("tracks-edit")
	w.Fill("Name", "Archives and letters")
	w.Fill("Colour", "#1f4e5f")
	w.Press("Save")
	w.Sees("“Archives and letters” is saved.", "Its colour is hard to see on the dark page", "contrast is 1.8 to 1")
	w.Accessible("tracks")
	// By keyboard: the button keeps the focus, so it can be pressed again.
	pressKey(w, "Move Community up")
	w.Sees("“Community” is number 2 of 3 now.")
	if w.Scripts {
		w.Focused("Move Community up")
	}
	pressKey(w, "Move Community up")
	w.Sees("“Community” is number 1 of 3 now.")
	order(w, "Community", "Archives and letters", "Open source")
	w.Fill("Position of Community", "3")
	w.Leaves("Enter", func() { w.Keys(input.Enter) })
	w.Sees("“Community” is number 3 of 3 now.")
	order(w, "Archives and letters", "Open source", "Community")
	if w.Scripts {
		w.Drag("Community", "Archives and letters")
	} else {
		w.Fill("Position of Community", "1")
		w.Press("Move Community to this position")
	}
	w.Sees("“Community” is number 1 of 3 now.")
	order(w, "Community", "Archives and letters", "Open source")
	// What used a deleted track gets another.
	tracks := s.Ok(key, "POST", event+"/tracks", `{}`)["results"].([]any)
	community := tracks[0].(map[string]any)["id"].(string)
	s.Ok(key, "POST", event+"/sessions/create",
		`{"title": "Saving a mailing list", "is_abstract": true, "track_id": "`+community+`"}`)
	w.Reload()
	w.Sees("1 submission")
	w.Follow("Delete Community")
	w.Sees("Delete track “Community”?")
	w.Accessible("track-delete")
	w.Choose("Put in its place", "Open source")
	w.Press("Delete track")
	w.Sees("“Community” is deleted; “Open source” stands in its place.")
	w.Follow("1 submission")
	w.Sees("Saving a mailing list", "Open source")
	w.Follow("Activity")
	w.Sees("Ada Byron", "deleted the track Community", "Reassigned to", "Saving a mailing list", "Community →",
		"Open source")
	w.Accessible("activity")
}

// key presses a button by keyboard.
func pressKey(w *Window, name string) {
	w.T.Helper()
	w.Leaves(name, func() {
		w.Focus(ByRole, "button", name)
		w.Keys(input.Enter)
	})
}

// order fails the test unless the rows of the list stand so.
func order(w *Window, names ...string) {
	w.T.Helper()
	modelstest.WantAll(w.T, "the order", w.All("tbody .title"), names)
}
