package agenda

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	. "lectern/e2e/drive"
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

// planners returns a window for each name, at the agenda of an event in which one session has no place.
func planners(s *Site, names ...string) (windows []*Window) {
	s.T.Helper()
	path, key := s.Conference()
	s.Run("import", File(s.T, "schedule.xml", agendaFile), "--event", "harbour")
	for _, name := range names {
		s.Hire(name, "organizer")
	}
	s.Serve("serve")
	s.Ok(key, "POST", path+"/sessions/create", `{"title": "A spare talk"}`)
	for _, name := range names {
		w := s.Window()
		w.SignIn(name + "@example.org")
		w.Resize(1440, 1000)
		w.Follow("Agenda")
		w.Sees("Thursday 20", "A spare talk")
		windows = append(windows, w)
	}
	return windows
}

// TestAnAgendaIsMade places what waits, and causes and clears a conflict of a room and of a person: by mouse, by clicks
// and by keys where there are scripts, by forms where there are none, and on a phone.
func TestAnAgendaIsMade(t *testing.T) {
	Journey(t, func(t *testing.T, s *Site) {
		w := planners(s, "Ada")[0]
		w.Sees("No conflicts on this day.", "Not placed yet 1", "4 placed", "Times in Lisbon (WEST).")
		w.Accessible("agenda")
		if w.Scripts {
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
const findSpot = `(room, time) => {
	const head = [...document.querySelectorAll("[data-column]")].find((h) => h.dataset.name === room).getBoundingClientRect();
	const at = [...document.querySelectorAll(".times span")].find((s) => s.textContent === time).getBoundingClientRect();
	return {x: head.left + head.width / 2, y: at.top + 4};
}`

func spot(w *Window, room, time string) *Target {
	w.T.Helper()
	at, err := JS[*Target](w, findSpot, room, time)
	w.Check(err, room)
	return at
}

// drags takes a card to a point.
func drags(w *Window, title string, to *Target) {
	w.T.Helper()
	w.DragTo(w.Aim(card, title), to)
}

func agendaByMouse(w *Window) {
	w.T.Helper()
	drags(w, "A spare talk", spot(w, "Great Hall", "10:00"))
	w.Sees("“A spare talk” is in Great Hall, Thursday 20 May, 10:00 to 10:30 now.", "1 conflict",
		"Great Hall has two sessions, 10:00 to 10:30", "Overlaps Queues that forget", "5 placed", "Every session has its place.")
	w.Judge("agenda conflict")
	w.Touch("Undo")
	w.Sees("“A spare talk” is not placed any more.", "No conflicts on this day.", "Not placed yet 1", "4 placed")
	// Longer by its lower edge: over what follows in the room.
	edge, err := JS[*Target](w, `(title) => {
		const box = `+card+`(title).closest(".slot").getBoundingClientRect();
		return {x: box.left + box.width / 2, y: box.bottom - 3}; }`, "Opening")
	w.Check(err, "edge")
	to := spot(w, "Great Hall", "10:00")
	w.DragTo(edge, &Target{X: to.X, Y: to.Y + 14})
	w.Sees("“Opening” is in Great Hall, Thursday 20 May, 09:00 to 10:10 now.",
		"Great Hall has two sessions, 10:00 to 10:10")
	w.Touch("Undo")
	w.Sees("09:00 to 09:50 now.", "No conflicts on this day.")
}

func agendaByClicks(w *Window) {
	w.T.Helper()
	w.Poke(w.Aim(card, "A spare talk"))
	w.Sees("Click where it shall begin.")
	w.Poke(spot(w, "Rope Loft", "11:00"))
	w.Sees("“A spare talk” is in Rope Loft, Thursday 20 May, 11:00 to 11:30 now.", "Every session has its place.")
	shelf, err := JS[*Target](w, `() => { const b = document.querySelector(".agenda-shelf").getBoundingClientRect();
		return {x: b.left + b.width / 2, y: b.top + 20}; }`)
	w.Check(err, "shelf")
	drags(w, "A spare talk", shelf)
	w.Sees("“A spare talk” is not placed any more.", "Not placed yet 1")
}

// agendaByKeys puts Li Na into two rooms at once, and out of there.
func agendaByKeys(w *Window) {
	w.T.Helper()
	w.Focus(card, "Queues that forget")
	w.Keys(input.Enter)
	w.Sees("Moving to Great Hall, 10:00 to 10:30.")
	for range 12 {
		w.Keys(input.ArrowDown)
	}
	w.Sees("Moving to Great Hall, 11:00 to 11:30.", "Li Na is also in “The second team” then.")
	w.Keys(input.ShiftLeft, input.ArrowDown)
	w.Sees("Moving to Great Hall, 11:00 to 11:35.")
	w.Keys(input.Enter)
	w.Sees("“Queues that forget” is in Great Hall, Thursday 20 May, 11:00 to 11:35 now.",
		"Li Na is in two rooms, 11:00 to 11:30", "Li Na is also in Chart Room")
	w.Focused("Queues that forget")
	w.Keys(input.KeyM)
	w.Keys(input.ArrowUp)
	w.Keys(input.Escape)
	w.Sees("“Queues that forget” stays where it was.")
	w.Focused("Queues that forget")
	w.Keys(input.Enter)
	for range 12 {
		w.Keys(input.ArrowUp)
	}
	w.Keys(input.ShiftLeft, input.ArrowUp)
	w.Keys(input.Enter)
	w.Sees("10:00 to 10:30 now.", "No conflicts on this day.")
}

// agendaByForms moves sessions by the form of a move, which a script shows as a sheet.
func agendaByForms(w *Window) {
	w.T.Helper()
	if w.Scripts {
		w.Visit(strings.TrimPrefix(w.Href(moveButton("A spare talk")), w.Base))
	} else {
		w.Follow("A spare talk")
		w.Follow("Move it on the agenda")
	}
	w.Sees("Move", "A spare talk")
	w.Accessible("agenda-move")
	w.Choose("Room", "Great Hall")
	w.Fill("Starts", "10:00")
	if w.Scripts {
		w.Sees("also has S-2 “Queues that forget”", "Next free start: 10:30")
	} else {
		w.Press("Move here")
		w.Sees("also has S-2 “Queues that forget”", "Next free start: 10:30")
	}
	w.Judge("agenda-move clash")
	w.Press("Move here anyway")
	w.Sees("“A spare talk” is in Great Hall, Thursday 20 May, 10:00 to 10:30 now.",
		"Great Hall has two sessions, 10:00 to 10:30")
	w.Press("Undo")
	w.Sees("“A spare talk” is not placed any more.", "No conflicts on this day.")
}

// moveButton returns the selector of the button that moves a card.
func moveButton(title string) string { return `.slot a[aria-label="Move ` + title + `"]` }

// agendaByTouch moves a card by two taps. A finger that is drawn over a card scrolls, as it does everywhere.
func agendaByTouch(w *Window) {
	w.T.Helper()
	w.Check(proto.EmulationSetTouchEmulationEnabled{Enabled: true}.Call(w.Page), "touch")
	w.Finger(w.Aim(card, "Knots"))
	w.Sees("Click where it shall begin.")
	w.Finger(spot(w, "Chart Room", "10:00"))
	w.Sees("“Knots” is in Chart Room, Thursday 20 May, 10:00 to 10:10 now.")
	w.Tap("Undo")
	w.Sees("“Knots” is in Rope Loft", "No conflicts on this day.")
	from := w.Aim(card, "Knots")
	w.Finger(from, &Target{X: from.X, Y: from.Y - 40}, &Target{X: from.X, Y: from.Y - 160},
		&Target{X: from.X, Y: from.Y - 240})
	w.DoesNotSee("Click where it shall begin.", "“Knots” is in Chart Room")
}

// agendaOnAPhone moves a session from the list of the day.
func agendaOnAPhone(w *Window) {
	w.T.Helper()
	w.Resize(390, 844)
	w.Visit(below(w, "/agenda?day=2027-05-20"))
	w.Fits("agenda")
	w.Judge("agenda on a phone")
	if w.Scripts {
		w.Tap("Move Knots")
		w.Sees("Take off the agenda")
		w.Judge("agenda sheet")
	} else {
		w.Follow("Knots")
		w.Follow("Move it on the agenda")
	}
	w.Choose("Room", "Great Hall")
	if w.Scripts {
		w.Sees("also has S-2 “Queues that forget”")
		w.Leaves("Move here anyway", func() { w.Tap("Move here anyway") })
	} else {
		w.Press("Move here")
		w.Press("Move here anyway")
	}
	w.Sees("“Knots” is in Great Hall, Thursday 20 May, 10:00 to 10:10 now.", "Overlaps Queues that forget")
	w.Press("Undo")
	w.Sees("“Knots” is in Rope Loft", "No conflicts on this day.")
	w.Resize(1440, 1000)
}

// below returns an address below the event's.
func below(w *Window, path string) string {
	w.T.Helper()
	at := strings.TrimPrefix(w.URL(), w.Base)
	parts := strings.SplitN(at, "/", 5)
	id, _, _ := strings.Cut(parts[3], "?")
	return "/admin/events/" + id + path
}

// TestTwoMakeOneAgenda has one see the other's moves without a reload, and choose where both moved one card.
func TestTwoMakeOneAgenda(t *testing.T) {
	OnlyLong(t)
	t.Parallel()
	s := NewSite(t, "")
	both := planners(s, "Ada", "Li")
	ada, li := both[0], both[1]
	ada.Poke(ada.Aim(card, "Knots"))
	ada.Sees("Click where it shall begin.")
	// Nothing changes under a card that is on its way.
	drags(li, "Queues that forget", spot(li, "Chart Room", "10:00"))
	li.Sees("“Queues that forget” is in Chart Room")
	drags(li, "Knots", spot(li, "Chart Room", "12:00"))
	li.Sees("“Knots” is in Chart Room, Thursday 20 May, 12:00 to 12:10 now.")
	ada.Poke(spot(ada, "Great Hall", "12:00"))
	ada.Sees("Li moved “Knots” meanwhile: Chart Room, Thursday 20 May, 12:00 to 12:10", "You wanted Great Hall",
		"Keep theirs")
	ada.Judge("agenda stale")
	ada.Touch("Apply mine")
	ada.Sees("“Knots” is in Great Hall, Thursday 20 May, 12:00 to 12:10 now.")
	// What Ada did appears before Li by itself.
	li.WaitFor(`[...document.querySelectorAll(".slot h3 a")].some((a) => a.textContent === "Knots" &&
		a.closest(".slot").querySelector(".where").textContent.includes("Great Hall"))`)
}
