package e2e

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

// TestSomebodyIsLedFromAnIdeaToAnInvitation goes the way of who looks for keynote speakers: cards are placed by name and
// in many, moved by button, by mouse and by keys, and who is won is invited.
func TestSomebodyIsLedFromAnIdeaToAnInvitation(t *testing.T) { journey(t, sourcingJourney) }

func sourcingJourney(t *testing.T, s *site) {
	w := s.owner()
	w.follow("Sourcing")
	w.sees("Whom would you like to hear?")
	w.accessible("board-empty")
	w.follow("Add the first")
	w.fill("Name", "Nomvula Dlamini")
	w.fill("E-mail", "not an address")
	w.press("Add to the board")
	w.sees("must be an address such as ana@example.org")
	w.fill("E-mail", "nomvula@example.org")
	w.fill("Company", "Ledgerline")
	w.press("Add to the board")
	w.sees("Nomvula Dlamini is on the board now.", "1 person: 1 on the way, 0 won, 0 lost.")

	w.follow("Stages")
	w.fill("Name", "Asked twice")
	w.press("Add stage")
	w.sees("“Asked twice” is added.")
	w.press("Move Asked twice up")
	w.sees("“Asked twice” has another place.")
	w.accessible("stages")
	w.follow("Remove Idea")
	w.sees("1 card of all events stand", "They go to")
	w.accessible("stage-remove")
	w.follow("Cancel")

	many(w)
	byButton(w)
	w.follow("Sourcing")
	if w.scripts {
		byMouse(t, w)
		byKeys(w)
	} else {
		w.follow("Move Nomvula Dlamini")
		w.press("Move to Won")
	}
	w.sees("Nomvula Dlamini is in Won now. You can invite them: their card has the button for it.")
	w.follow("Sourcing")
	w.accessible("board")
	w.press("Invite Nomvula Dlamini")
	w.sees("Nomvula Dlamini is invited. No letter was sent.", "Invited")

	w.follow("Nomvula Dlamini")
	w.fill("Add a note for the team", "Said yes on the telephone.")
	w.press("Add note")
	w.sees("The note is added.", "Said yes on the telephone.", "Idea", "Won", "Ada Byron")
	w.accessible("board-card")
	w.follow("Their page")
	w.sees("Invited", "Said yes on the telephone.")
	w.follow("Won")
	w.follow("Sourcing")
	w.sees("Said yes on the telephone.")
	w.resize(390, 844)
	w.fits("a board with a card in its last column")
	byButton(w) // also by thumb
	w.fits("a board after a move")
	w.resize(1440, 900)
	w.fill("Search", "ledger")
	w.press("Search")
	w.sees("1 person found: 0 on the way, 1 won, 0 lost.")
	w.doesNotSee("Bruno Silva")
	w.follow("Clear")
	w.follow("Bruno Silva")
	w.follow("Remove from the board")
	w.press("Remove from the board")
	w.sees("Bruno Silva is not on the board any more.")
}

// many places several people at once, from the contacts of the organization.
func many(w *window) {
	w.t.Helper()
	for _, name := range []string{"Bruno Silva", "Li Na"} {
		first, last, _ := strings.Cut(name, " ")
		w.follow("Contacts")
		w.follow("New contact")
		w.fill("First name", first)
		w.fill("Last name", last)
		w.press("Add person")
		w.sees(name + " is added.")
	}
	w.follow("Contacts")
	w.tick("Select Bruno Silva")
	w.tick("Select Li Na")
	w.press("Place…")
	w.choose("Stage", "Contacted")
	w.press("Place on the board")
	w.sees("2 people are on the board now, in Contacted.")
	w.follow("Sourcing")
	w.follow("Add people")
	w.fill("Search", "bruno")
	w.press("Search")
	w.sees("1 person matches.", "In Contacted")
	w.accessible("board-add")
	w.follow("Sourcing")
	w.sees("3 people: 3 on the way, 0 won, 0 lost.")
}

// byButton moves a card, and takes that back.
func byButton(w *window) {
	w.t.Helper()
	if w.scripts {
		w.touch("Move Bruno Silva")
		w.sees("Move Bruno Silva to")
		w.judge("board-dialog")
		w.press("In talks")
		w.sees("Bruno Silva is in In talks now.")
		w.focused("Bruno Silva")
	} else {
		w.follow("Move Bruno Silva")
		w.press("Move to In talks")
		w.sees("Bruno Silva is in In talks now.")
	}
	w.press("Undo")
	w.sees("Bruno Silva is in Contacted now.")
	if !w.scripts { // which leads to the card
		w.follow("Sourcing")
	}
}

// column is who is on a stage, in their order.
func (w *window) column(name, want string) {
	w.t.Helper()
	shown := ""
	if !within(patience, func() bool {
		shown, _ = js[string](w, `(name) => [...document.querySelectorAll(".board-column")]
			.filter((c) => c.querySelector("h2 [dir]").textContent === name)
			.flatMap((c) => [...c.querySelectorAll(".person-name")].map((a) => a.textContent)).join(", ")`, name)
		return shown == want
	}) {
		w.t.Fatalf("on %s are %q, want %q", name, shown, want)
	}
}

// byMouse drags a card to another stage, and over another card.
func byMouse(t *testing.T, w *window) {
	t.Helper()
	w.column("Contacted", "Bruno Silva, Li Na")
	cardOf := `((name) => [...document.querySelectorAll("[data-card]")]
		.find((c) => c.querySelector(".person-name").textContent === name)?.querySelector(".foot .meta"))`
	columnOf := `((name) => [...document.querySelectorAll(".board-column")]
		.find((c) => c.querySelector("h2 [dir]").textContent === name).querySelector("ul"))`
	mouse := func(kind proto.InputDispatchMouseEventType, x, y float64, buttons int) {
		t.Helper()
		w.check(proto.InputDispatchMouseEvent{Type: kind, X: x, Y: y, Button: proto.InputMouseButtonLeft, Buttons: &buttons,
			ClickCount: 1}.Call(w.page.Timeout(patience)), "mouse")
	}
	drag := func(name, finder, to string) {
		t.Helper()
		w.aim(finder, to) // which may scroll the board
		from, over := w.aim(cardOf, name), w.aim(finder, to)
		mouse(proto.InputDispatchMouseEventTypeMouseMoved, from.X, from.Y, 0)
		mouse(proto.InputDispatchMouseEventTypeMousePressed, from.X, from.Y, 1)
		mouse(proto.InputDispatchMouseEventTypeMouseMoved, from.X+9, from.Y+9, 1)
		mouse(proto.InputDispatchMouseEventTypeMouseMoved, over.X, over.Y, 1)
		w.leaves("dragging "+name, func() { mouse(proto.InputDispatchMouseEventTypeMouseReleased, over.X, over.Y, 0) })
	}
	drag("Li Na", columnOf, "Lost")
	w.sees("Li Na is in Lost now.")
	w.focused("Li Na")
	w.column("Lost", "Li Na")
	w.column("Contacted", "Bruno Silva")
	drag("Li Na", columnOf, "Contacted")
	w.sees("Li Na is in Contacted now.")
	w.column("Contacted", "Bruno Silva, Li Na")
	w.judge("board after a drag")
}

// byKeys goes from card to card, changes an order, and leads a card to Won.
func byKeys(w *window) {
	w.t.Helper()
	w.focus(byRole, "a", "Nomvula Dlamini")
	w.keys(input.ArrowRight)
	w.focused("Bruno Silva")
	w.keys(input.ArrowDown)
	w.focused("Li Na")
	w.leaves("Shift and Up", func() { w.keys(input.ShiftLeft, input.ArrowUp) })
	w.sees("Li Na has another place in Contacted.")
	w.focused("Li Na")
	w.column("Contacted", "Li Na, Bruno Silva")
	w.holds(`document.getElementById("announcements").textContent.includes("Li Na has another place")`)
	w.keys(input.ShiftLeft, input.ArrowUp)
	w.holds(`document.getElementById("announcements").textContent === "Li Na is the first."`)
	w.keys(input.ArrowLeft)
	w.focused("Nomvula Dlamini")
	for _, stage := range []string{"Contacted", "Asked twice", "In talks"} {
		w.leaves("Shift and Right", func() { w.keys(input.ShiftLeft, input.ArrowRight) })
		w.sees("Nomvula Dlamini is in " + stage + " now.")
		w.focused("Nomvula Dlamini")
	}
	w.holds(`document.getElementById("announcements").textContent.includes("Nomvula Dlamini is in In talks now.")`)
	w.keys(input.KeyM)
	w.sees("Move Nomvula Dlamini to")
	w.press("Won")
}
