package people

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	. "lectern/e2e/drive"
)

// TestSomebodyIsLedFromAnIdeaToAnInvitation goes the way of who looks for keynote speakers: cards are placed by name
// and
// in many, moved by button, by mouse and by keys, and who is won is invited.
func TestSomebodyIsLedFromAnIdeaToAnInvitation(t *testing.T) {
	OnlyLong(t)
	Journey(t, sourcingJourney)
}

func sourcingJourney(t *testing.T, s *Site) {
	w := s.Owner()
	w.Follow("Sourcing")
	w.Sees("Whom would you like to hear?")
	w.Accessible("board-empty")
	w.Follow("Add the first")
	w.Fill("Name", "Nomvula Dlamini")
	w.Fill("E-mail", "not an address")
	w.Press("Add to the board")
	w.Sees("must be an address such as ana@example.org")
	w.Fill("E-mail", "nomvula@example.org")
	w.Fill("Company", "Ledgerline")
	w.Press("Add to the board")
	w.Sees("Nomvula Dlamini is on the board now.", "1 person: 1 on the way, 0 won, 0 lost.")

	w.Follow("Stages")
	w.Fill("Name", "Asked twice")
	w.Press("Add stage")
	w.Sees("“Asked twice” is added.")
	w.Press("Move Asked twice up")
	w.Sees("“Asked twice” has another place.")
	w.Accessible("stages")
	w.Follow("Remove Idea")
	w.Sees("1 card of all events stand", "They go to")
	w.Accessible("stage-remove")
	w.Follow("Cancel")

	many(w)
	byButton(w)
	w.Follow("Sourcing")
	if w.Scripts {
		byMouse(t, w)
		byKeys(w)
	} else {
		w.Follow("Move Nomvula Dlamini")
		w.Press("Move to Won")
	}
	w.Sees("Nomvula Dlamini is in Won now. You can invite them: their card has the button for it.")
	w.Follow("Sourcing")
	w.Accessible("board")
	w.Press("Invite Nomvula Dlamini")
	w.Sees("Nomvula Dlamini is invited. No letter was sent.", "Invited")

	w.Follow("Nomvula Dlamini")
	w.Fill("Add a note for the team", "Said yes on the telephone.")
	w.Press("Add note")
	w.Sees("The note is added.", "Said yes on the telephone.", "Idea", "Won", "Ada Byron")
	w.Accessible("board-card")
	w.Follow("Their page")
	w.Sees("Invited", "Said yes on the telephone.")
	w.Follow("Won")
	w.Follow("Sourcing")
	w.Sees("Said yes on the telephone.")
	w.Resize(390, 844)
	w.Fits("a board with a card in its last column")
	byButton(w) // also by thumb
	w.Fits("a board after a move")
	w.Resize(1440, 900)
	w.Fill("Search", "ledger")
	w.Press("Search")
	w.Sees("1 person found: 0 on the way, 1 won, 0 lost.")
	w.DoesNotSee("Bruno Silva")
	w.Follow("Clear")
	w.Follow("Bruno Silva")
	w.Follow("Remove from the board")
	w.Press("Remove from the board")
	w.Sees("Bruno Silva is not on the board any more.")
}

// many places several people at once, from the contacts of the organization.
func many(w *Window) {
	w.T.Helper()
	for _, name := range []string{"Bruno Silva", "Li Na"} {
		first, last, _ := strings.Cut(name, " ")
		w.Follow("Contacts")
		w.Follow("New contact")
		w.Fill("First name", first)
		w.Fill("Last name", last)
		w.Press("Add person")
		w.Sees(name + " is added.")
	}
	w.Follow("Contacts")
	w.Tick("Select Bruno Silva")
	w.Tick("Select Li Na")
	w.Press("Place…")
	w.Choose("Stage", "Contacted")
	w.Press("Place on the board")
	w.Sees("2 people are on the board now, in Contacted.")
	w.Follow("Sourcing")
	w.Follow("Add people")
	w.Fill("Search", "bruno")
	w.Press("Search")
	w.Sees("1 person matches.", "In Contacted")
	w.Accessible("board-add")
	w.Follow("Sourcing")
	w.Sees("3 people: 3 on the way, 0 won, 0 lost.")
}

// byButton moves a card, and takes that back.
func byButton(w *Window) {
	w.T.Helper()
	if w.Scripts {
		w.Touch("Move Bruno Silva")
		w.Sees("Move Bruno Silva to")
		w.Judge("board-dialog")
		w.Press("In talks")
		w.Sees("Bruno Silva is in In talks now.")
		w.Focused("Bruno Silva")
	} else {
		w.Follow("Move Bruno Silva")
		w.Press("Move to In talks")
		w.Sees("Bruno Silva is in In talks now.")
	}
	w.Press("Undo")
	w.Sees("Bruno Silva is in Contacted now.")
	if !w.Scripts { // which leads to the card
		w.Follow("Sourcing")
	}
}

// column is who is on a stage, in their order.
func column(w *Window, name, want string) {
	w.T.Helper()
	shown := ""
	if !Within(Patience, func() bool {
		shown, _ = JS[string](w, `(name) => [...document.querySelectorAll(".board-column")]
			.filter((c) => c.querySelector("h2 [dir]").textContent === name)
			.flatMap((c) => [...c.querySelectorAll(".person-name")].map((a) => a.textContent)).join(", ")`, name)
		return shown == want
	}) {
		w.T.Fatalf("on %s are %q, want %q", name, shown, want)
	}
}

// byMouse drags a card to another stage, and over another card.
func byMouse(t *testing.T, w *Window) {
	t.Helper()
	column(w, "Contacted", "Bruno Silva, Li Na")
	cardOf := `((name) => [...document.querySelectorAll("[data-card]")]
		.find((c) => c.querySelector(".person-name").textContent === name)?.querySelector(".foot .meta"))`
	columnOf := `((name) => [...document.querySelectorAll(".board-column")]
		.find((c) => c.querySelector("h2 [dir]").textContent === name).querySelector("ul"))`
	drag := func(name, finder, to string) {
		t.Helper()
		w.Aim(finder, to) // which may scroll the board
		w.Leaves("dragging "+name, func() { w.DragTo(w.Aim(cardOf, name), w.Aim(finder, to)) })
	}
	drag("Li Na", columnOf, "Lost")
	w.Sees("Li Na is in Lost now.")
	w.Focused("Li Na")
	column(w, "Lost", "Li Na")
	column(w, "Contacted", "Bruno Silva")
	drag("Li Na", columnOf, "Contacted")
	w.Sees("Li Na is in Contacted now.")
	column(w, "Contacted", "Bruno Silva, Li Na")
	w.Judge("board after a drag")
}

// byKeys goes from card to card, changes an order, and leads a card to Won.
func byKeys(w *Window) {
	w.T.Helper()
	w.Focus(ByRole, "a", "Nomvula Dlamini")
	w.Keys(input.ArrowRight)
	w.Focused("Bruno Silva")
	w.Keys(input.ArrowDown)
	w.Focused("Li Na")
	w.Leaves("Shift and Up", func() { w.Keys(input.ShiftLeft, input.ArrowUp) })
	w.Sees("Li Na has another place in Contacted.")
	w.Focused("Li Na")
	column(w, "Contacted", "Li Na, Bruno Silva")
	w.WaitFor(`document.getElementById("announcements").textContent.includes("Li Na has another place")`)
	w.Keys(input.ShiftLeft, input.ArrowUp)
	w.WaitFor(`document.getElementById("announcements").textContent === "Li Na is the first."`)
	w.Keys(input.ArrowLeft)
	w.Focused("Nomvula Dlamini")
	for _, stage := range []string{"Contacted", "Asked twice", "In talks"} {
		w.Leaves("Shift and Right", func() { w.Keys(input.ShiftLeft, input.ArrowRight) })
		w.Sees("Nomvula Dlamini is in " + stage + " now.")
		w.Focused("Nomvula Dlamini")
	}
	w.WaitFor(`document.getElementById("announcements").textContent.includes("Nomvula Dlamini is in In talks now.")`)
	w.Keys(input.KeyM)
	w.Sees("Move Nomvula Dlamini to")
	w.Press("Won")
}
