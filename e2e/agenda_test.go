package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

// agendaFile is a small programme: three rooms on two days, Li Na in two of them.
const agendaFile = `<schedule><conference><title>Harbour</title><start>2027-05-20</start><end>2027-05-21</end>
<time_zone_name>Europe/Lisbon</time_zone_name></conference>
<day index="1" date="2027-05-20"><room name="Great Hall">
<event id="1"><date>2027-05-20T09:00:00+01:00</date><start>09:00</start><duration>00:50</duration><title>Opening</title><persons><person id="1">Dana Demo</person></persons></event>
<event id="2"><date>2027-05-20T10:00:00+01:00</date><start>10:00</start><duration>00:30</duration><title>Queues that forget</title><persons><person id="2">Li Na</person></persons></event>
</room><room name="Chart Room">
<event id="3"><date>2027-05-20T11:00:00+01:00</date><start>11:00</start><duration>00:30</duration><title>The second team</title><persons><person id="2">Li Na</person></persons></event>
</room><room name="Rope Loft">
<event id="4"><date>2027-05-20T10:00:00+01:00</date><start>10:00</start><duration>00:10</duration><title>Knots</title><persons><person id="4">Plum</person></persons></event>
</room></day>
<day index="2" date="2027-05-21"><room name="Great Hall">
<event id="5"><date>2027-05-21T10:00:00+01:00</date><start>10:00</start><duration>00:30</duration><title>Tides</title><persons><person id="1">Dana Demo</person></persons></event>
</room></day></schedule>`

// planners are in front of the agenda of an event in which one session has no place.
func (s *site) planners(names ...string) (windows []*window) {
	s.t.Helper()
	path, key := s.conference()
	file := filepath.Join(s.t.TempDir(), "schedule.xml")
	if err := os.WriteFile(file, []byte(agendaFile), 0o600); err != nil {
		s.t.Fatal(err)
	}
	if _, stderr, err := s.try("", "import", file, "--event", "harbour"); err != nil {
		s.t.Fatal(stderr)
	}
	for _, name := range names {
		if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", name+"@example.org", "--name",
			name, "--role", "organizer"); err != nil {
			s.t.Fatal(stderr)
		}
	}
	s.serve("serve")
	s.ok(key, "POST", path+"/sessions/create", `{"title": "A spare talk"}`)
	for _, name := range names {
		w := s.window()
		w.signIn(name + "@example.org")
		w.resize(1440, 1000)
		w.follow("Agenda")
		w.sees("Thursday 20", "A spare talk")
		windows = append(windows, w)
	}
	return windows
}

// TestAnAgendaIsMade places what waits, and causes and clears a conflict of a room and of a person: by mouse, by clicks
// and by keys where there are scripts, by forms where there are none, and on a phone.
func TestAnAgendaIsMade(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		w := s.planners("Ada")[0]
		w.sees("No conflicts on this day.", "Not placed yet 1", "4 placed", "Times in Lisbon (WEST).")
		w.accessible("agenda")
		if w.scripts {
			agendaByMouse(w)
			agendaByClicks(w)
			agendaByKeys(w)
			agendaByTouch(w)
		}
		agendaByForms(w)
		agendaOnAPhone(w)
	})
}

// card finds the card of a session by its title.
const card = `((title) => [...document.querySelectorAll(".slot h3 a")].find((a) => a.textContent === title))`

// spot finds where in the grid a room has a time.
const spot = `(room, time) => {
	const head = [...document.querySelectorAll("[data-column]")].find((h) => h.dataset.name === room).getBoundingClientRect();
	const at = [...document.querySelectorAll(".times span")].find((s) => s.textContent === time).getBoundingClientRect();
	return {x: head.left + head.width / 2, y: at.top + 4};
}`

func (w *window) spot(room, time string) *target {
	w.t.Helper()
	at, err := js[*target](w, spot, room, time)
	w.check(err, room)
	return at
}

func (w *window) mouse(kind proto.InputDispatchMouseEventType, x, y float64, buttons int) {
	w.t.Helper()
	w.check(proto.InputDispatchMouseEvent{Type: kind, X: x, Y: y, Button: proto.InputMouseButtonLeft, Buttons: &buttons,
		ClickCount: 1}.Call(w.page.Timeout(patience)), "mouse")
}

// drags takes a card to a point.
func (w *window) drags(title string, to *target) {
	w.t.Helper()
	from := w.aim(card, title)
	w.mouse(proto.InputDispatchMouseEventTypeMouseMoved, from.X, from.Y, 0)
	w.mouse(proto.InputDispatchMouseEventTypeMousePressed, from.X, from.Y, 1)
	w.mouse(proto.InputDispatchMouseEventTypeMouseMoved, from.X+9, from.Y+9, 1)
	w.mouse(proto.InputDispatchMouseEventTypeMouseMoved, to.X, to.Y, 1)
	w.mouse(proto.InputDispatchMouseEventTypeMouseReleased, to.X, to.Y, 0)
}

func agendaByMouse(w *window) {
	w.t.Helper()
	w.drags("A spare talk", w.spot("Great Hall", "10:00"))
	w.sees("“A spare talk” is in Great Hall, Thursday 20 May, 10:00 to 10:30 now.", "1 conflict",
		"Great Hall has two sessions, 10:00 to 10:30", "Overlaps Queues that forget", "5 placed", "Every session has its place.")
	w.judge("agenda conflict")
	w.touch("Undo")
	w.sees("“A spare talk” is not placed any more.", "No conflicts on this day.", "Not placed yet 1", "4 placed")
	// Longer by its lower edge: over what follows in the room.
	edge, err := js[*target](w, `(title) => {
		const box = `+card+`(title).closest(".slot").getBoundingClientRect();
		return {x: box.left + box.width / 2, y: box.bottom - 3}; }`, "Opening")
	w.check(err, "edge")
	to := w.spot("Great Hall", "10:00")
	w.mouse(proto.InputDispatchMouseEventTypeMouseMoved, edge.X, edge.Y, 0)
	w.mouse(proto.InputDispatchMouseEventTypeMousePressed, edge.X, edge.Y, 1)
	w.mouse(proto.InputDispatchMouseEventTypeMouseMoved, edge.X, edge.Y+9, 1)
	w.mouse(proto.InputDispatchMouseEventTypeMouseMoved, to.X, to.Y+14, 1)
	w.mouse(proto.InputDispatchMouseEventTypeMouseReleased, to.X, to.Y+14, 0)
	w.sees("“Opening” is in Great Hall, Thursday 20 May, 09:00 to 10:10 now.", "Great Hall has two sessions, 10:00 to 10:10")
	w.touch("Undo")
	w.sees("09:00 to 09:50 now.", "No conflicts on this day.")
}

func agendaByClicks(w *window) {
	w.t.Helper()
	w.poke(w.aim(card, "A spare talk"))
	w.sees("Click where it shall begin.")
	w.poke(w.spot("Rope Loft", "11:00"))
	w.sees("“A spare talk” is in Rope Loft, Thursday 20 May, 11:00 to 11:30 now.", "Every session has its place.")
	shelf, err := js[*target](w, `() => { const b = document.querySelector(".agenda-shelf").getBoundingClientRect();
		return {x: b.left + b.width / 2, y: b.top + 20}; }`)
	w.check(err, "shelf")
	w.drags("A spare talk", shelf)
	w.sees("“A spare talk” is not placed any more.", "Not placed yet 1")
}

// agendaByKeys puts Li Na into two rooms at once, and out of there.
func agendaByKeys(w *window) {
	w.t.Helper()
	w.focus(card, "Queues that forget")
	w.keys(input.Enter)
	w.sees("Moving to Great Hall, 10:00 to 10:30.")
	for range 12 {
		w.keys(input.ArrowDown)
	}
	w.sees("Moving to Great Hall, 11:00 to 11:30.", "Li Na is also in “The second team” then.")
	w.keys(input.ShiftLeft, input.ArrowDown)
	w.sees("Moving to Great Hall, 11:00 to 11:35.")
	w.keys(input.Enter)
	w.sees("“Queues that forget” is in Great Hall, Thursday 20 May, 11:00 to 11:35 now.",
		"Li Na is in two rooms, 11:00 to 11:30", "Li Na is also in Chart Room")
	w.focused("Queues that forget")
	w.keys(input.KeyM)
	w.keys(input.ArrowUp)
	w.keys(input.Escape)
	w.sees("“Queues that forget” stays where it was.")
	w.focused("Queues that forget")
	w.keys(input.Enter)
	for range 12 {
		w.keys(input.ArrowUp)
	}
	w.keys(input.ShiftLeft, input.ArrowUp)
	w.keys(input.Enter)
	w.sees("10:00 to 10:30 now.", "No conflicts on this day.")
}

// agendaByForms goes by the page of a move, which a script shows as a sheet.
func agendaByForms(w *window) {
	w.t.Helper()
	w.visit(strings.TrimPrefix(w.href(moveButton("A spare talk")), w.base))
	w.sees("Move", "A spare talk")
	w.accessible("agenda-move")
	w.choose("Room", "Great Hall")
	w.fill("Starts", "10:00")
	if w.scripts {
		w.sees("also has S-2 “Queues that forget”", "Next free start: 10:30")
	} else {
		w.press("Move here")
		w.sees("also has S-2 “Queues that forget”", "Next free start: 10:30")
	}
	w.judge("agenda-move clash")
	w.press("Move here anyway")
	w.sees("“A spare talk” is in Great Hall, Thursday 20 May, 10:00 to 10:30 now.",
		"Great Hall has two sessions, 10:00 to 10:30")
	w.press("Undo")
	w.sees("“A spare talk” is not placed any more.", "No conflicts on this day.")
}

// moveButton is the selector of the button that moves a card.
func moveButton(title string) string { return `.slot a[aria-label="Move ` + title + `"]` }

// agendaOnAPhone moves a session from the list of the day.
// agendaByTouch moves a card by two taps. A finger that is drawn over a card scrolls, as it does everywhere.
func agendaByTouch(w *window) {
	w.t.Helper()
	w.check(proto.EmulationSetTouchEmulationEnabled{Enabled: true}.Call(w.page), "touch")
	w.finger(w.aim(card, "Knots"))
	w.sees("Click where it shall begin.")
	w.finger(w.spot("Chart Room", "10:00"))
	w.sees("“Knots” is in Chart Room, Thursday 20 May, 10:00 to 10:10 now.")
	w.tap("Undo")
	w.sees("“Knots” is in Rope Loft", "No conflicts on this day.")
	from := w.aim(card, "Knots")
	w.finger(from, &target{X: from.X, Y: from.Y - 40}, &target{X: from.X, Y: from.Y - 160}, &target{X: from.X, Y: from.Y - 240})
	w.doesNotSee("Click where it shall begin.", "“Knots” is in Chart Room")
}

func agendaOnAPhone(w *window) {
	w.t.Helper()
	w.resize(390, 844)
	w.visit(w.below("/agenda?day=2027-05-20"))
	w.fits("agenda")
	w.judge("agenda on a phone")
	if w.scripts {
		w.tap("Move Knots")
		w.sees("Take off the agenda")
		w.judge("agenda sheet")
	} else {
		w.follow("Move Knots")
	}
	w.choose("Room", "Great Hall")
	if w.scripts {
		w.sees("also has S-2 “Queues that forget”")
		w.leaves("Move here anyway", func() { w.tap("Move here anyway") })
	} else {
		w.press("Move here")
		w.press("Move here anyway")
	}
	w.sees("“Knots” is in Great Hall, Thursday 20 May, 10:00 to 10:10 now.", "Overlaps Queues that forget")
	w.press("Undo")
	w.sees("“Knots” is in Rope Loft", "No conflicts on this day.")
	w.resize(1440, 1000)
}

// below is an address below the event.
func (w *window) below(path string) string {
	w.t.Helper()
	at := strings.TrimPrefix(w.url(), w.base)
	parts := strings.SplitN(at, "/", 5)
	id, _, _ := strings.Cut(parts[3], "?")
	return "/admin/events/" + id + path
}

// TestTwoMakeOneAgenda has one see the other's moves without a reload, and choose where both moved one card.
func TestTwoMakeOneAgenda(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	both := s.planners("Ada", "Li")
	ada, li := both[0], both[1]
	ada.poke(ada.aim(card, "Knots"))
	ada.sees("Click where it shall begin.")
	// Nothing changes under a card that is on its way.
	li.drags("Queues that forget", li.spot("Chart Room", "10:00"))
	li.sees("“Queues that forget” is in Chart Room")
	li.drags("Knots", li.spot("Chart Room", "12:00"))
	li.sees("“Knots” is in Chart Room, Thursday 20 May, 12:00 to 12:10 now.")
	ada.poke(ada.spot("Great Hall", "12:00"))
	ada.sees("Li moved “Knots” meanwhile: Chart Room, Thursday 20 May, 12:00 to 12:10", "You wanted Great Hall",
		"Keep theirs")
	ada.judge("agenda stale")
	ada.touch("Apply mine")
	ada.sees("“Knots” is in Great Hall, Thursday 20 May, 12:00 to 12:10 now.")
	// What Ada did appears before Li by itself.
	li.holds(`[...document.querySelectorAll(".slot h3 a")].some((a) => a.textContent === "Knots" &&
		a.closest(".slot").querySelector(".where").textContent.includes("Great Hall"))`)
}
