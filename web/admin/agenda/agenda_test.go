package agenda_test

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	pages "lectern/web/admin/agenda"
)

// agendaDesk opens the admin of an event of two days in Brussels with a room.
func agendaDesk(t *testing.T) (d *admintest.Desk, room *models.Metadata) {
	t.Helper()
	d = admintest.Open(t)
	d.Days("2027-05-20", "2027-05-21")
	room = d.Add(d.Programme(), models.Rooms, models.NewMetadata{Name: "Great Hall", Capacity: new(40)})
	return d, room
}

func TestTheAgendaShowsADayWithAllRooms(t *testing.T) {
	d, hall := agendaDesk(t)
	modelstest.RowOf(t, d.Programme(), models.Rooms, "Empty loft")
	first := d.Placed("Opening", hall.ID, "09:00", "09:40")
	second := d.Placed("Ten minutes", hall.ID, "09:30", "09:40")
	d.Placed("Over midnight", "", "23:30", "2027-05-21 00:30")
	d.Placed("Beyond the event", hall.ID, "2027-06-01 10:00", "2027-06-01 11:00")
	d.Placed("Waits <b>", "", "", "")
	d.Placed("Waits too", "", "", "")
	d.Foreign(models.NewSession{Title: "leaks"})
	b := d.As(staff.Viewer)
	admintest.Wants(t, b.Get(d.At("/agenda"), 200), "Thursday 20", "Friday 21", "Tuesday 1", "1 conflict",
		"Great Hall has two sessions, 09:30 to 09:40", "Overlaps Ten minutes", "40 seats", "Empty loft", "No room yet",
		"Waits &lt;b&gt;", `id="`+first.FriendlyID+`"`, "rh0 rm0 lh0 lm8 ct0 cu1", "rh0 rm6 lh0 lm2 ct0 cu1 on1 tiny",
		"Times in Brussels (CEST).")
	admintest.Lacks(t, b.Text, "leaks", "/agenda/move/", "agenda.js", "<style", ` style="`)
	// Who may move cards gets what it needs for that.
	admintest.Wants(t, d.As(staff.Organizer).Get(d.At("/agenda"), 200), `data-agenda="`+d.At("/agenda")+`"`, "agenda.js",
		"data-mover")
	admintest.Wants(t, d.As(staff.Organizer).Get(d.At("/sessions/"+second.ID), 200), d.At("/agenda/move/"+second.ID))
	admintest.Wants(t, b.Get(d.At("/agenda?day=2027-05-21"), 200), "Since Thursday, 23:30", "Goes on from the day before",
		"until 00:30")
	admintest.Wants(t, b.Get(d.At("/agenda?day=2027-06-01"), 200), "Beyond the event")
	admintest.Wants(t, b.Get(d.At("/agenda?view=list&q=too"), 200), "agenda-list", "Waits too", "1 found", "Opening")
	admintest.Lacks(t, b.Text, "data-scroller", "Waits &lt;b&gt;")
	admintest.Wants(t, b.Get(d.At("/agenda?view=tracks"), 200), "No track", "Opening")
	modelstest.Want(t, "a day that is none leads to", b.Leads(d.At("/agenda?day=2031-01-01")), d.At("/agenda"))
	admintest.Wants(t, b.Get(d.At("/agenda"), 200), "The event has no such day.")
	admintest.Wants(t, b.Get(d.At("/sessions"), 200), `<span class="count wrong">1</span>`) // as the agenda found them
	// A new room is usable at once.
	modelstest.RowOf(t, d.Programme(), models.Rooms, "Boat <shed>")
	admintest.Wants(t, b.Get(d.At("/agenda"), 200), "Boat &lt;shed&gt;")
}

func TestACardOfTheAgendaIsLight(t *testing.T) {
	d, hall := agendaDesk(t)
	b := d.As(staff.Organizer)
	weight := func() (elements, bytes int) {
		page := b.Get(d.At("/agenda"), 200)
		return strings.Count(page, "<") - strings.Count(page, "</"), len(page)
	}
	const title = "Talk 1234 about harbours, ledgers and the tide"
	place := func(hour int) {
		s := d.Placed(title, hall.ID, fmt.Sprintf("%02d:00", hour), fmt.Sprintf("%02d:30", hour))
		for range 2 {
			d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Person", LastName: fmt.Sprint(1000 + hour)})
		}
	}
	place(9)
	few, frame := weight()
	for i := range 10 {
		place(10 + i)
	}
	// A day has up to some hundreds of cards, so each has as few elements and bytes as can be: no page is heavier than
	// that, and one of 480 cards has 250 KB at most.
	all, whole := weight()
	if each := (all - few) / 10; each > 12 {
		t.Errorf("a card has %d elements", each)
	}
	if page := frame + (whole-frame)/10*480; page > 250_000 {
		t.Errorf("a page of 480 cards has %d bytes, of which the frame is %d", page, frame)
	}
}

func TestAnEventWithoutDaysHasNoAgendaYet(t *testing.T) {
	d := admintest.Open(t)
	admintest.Wants(t, d.As(staff.Organizer).Get(d.At("/agenda"), 200), "When is it?")
}

func TestRowsOfTheAgendaAreRemembered(t *testing.T) {
	d, _ := agendaDesk(t)
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/agenda"), 200), "step5 ")
	at, _ := b.Post(d.At("/agenda/rows"), url.Values{"step": {"15"}, "day": {"2027-05-21"}, "view": {"tracks"}}, 303)
	modelstest.Want(t, "it leads to", at, d.At("/agenda?day=2027-05-21&view=tracks"))
	admintest.Wants(t, b.Get(at, 200), "step15 ")
	admintest.Wants(t, b.Get(d.At("/agenda?step=60"), 200), "step60 ")
	for _, odd := range []string{"7", "", "x\x00y"} {
		b.Post(d.At("/agenda/rows"), url.Values{"step": {odd}}, 303)
	}
	admintest.Wants(t, b.Get(d.At("/agenda"), 200), "step15 ")
}

func TestTheVersionOfAnAgendaIsAnotherAfterEachChange(t *testing.T) {
	d, hall := agendaDesk(t)
	s := d.Placed("Opening", hall.ID, "09:00", "09:40")
	b := d.As(staff.Viewer)
	ask := func(tag string, status int) string {
		r := httptest.NewRequest("GET", d.At("/agenda/version"), nil)
		r.Header.Set("If-None-Match", tag)
		res, _ := b.Do(r, status)
		return res.Header.Get("ETag")
	}
	tag := ask("", 200)
	if n := len(d.Statement.During(func() { ask(tag, 304) })); n > 3 {
		t.Errorf("a look costs %d statements", n)
	}
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Another")}))(t)
	if next := ask(tag, 200); next == tag {
		t.Error("a change leaves the version as it was")
	}
	modelstest.Must(agenda.Of(d.Programme()).AddBreak(t.Context(), models.NewBreak{Kind: models.Pause, Title: "Coffee",
		StartsAt: *s.StartsAt, EndsAt: *s.EndsAt}))(t)
	ask(tag, 200)
	admintest.Wants(t, b.Get(d.At("/agenda"), 200), "band", "Coffee</bdi>, 09:00 to 09:40")
}

// drop returns the form that the script sends when a card is dropped.
func drop(s *models.Session, to string) url.Values {
	return url.Values{"to": {to}, "was": {pages.PlaceText(s)}, "from": {"2027-05-20"}}
}

// span returns the time between two instants as the address of a card's place has it, with a space before.
func span(t *testing.T, from, until string) string {
	text := ""
	for _, at := range []string{from, until} {
		text += " " + strconv.FormatInt(modelstest.Must(store.ParseTime("2027-"+at))(t).UnixMilli(), 10)
	}
	return text
}

// drops sends the form of a dropped card as the script does, and returns the answer.
func drops(b *admintest.Browser, path string, form url.Values, status int) string {
	b.T.Helper()
	r := b.FormRequest(path, form)
	r.Header.Set("HX-Request", "true")
	_, said := b.Do(r, status)
	return said
}

func TestADroppedCardMovesItsSession(t *testing.T) {
	d, hall := agendaDesk(t)
	d.Placed("Opening", hall.ID, "09:00", "09:40")
	s := d.Placed("Tides", "", "", "")
	b := d.As(staff.Organizer)
	b.Get(d.At("/agenda"), 200)
	move := d.At("/agenda/move/" + s.ID)
	to := hall.ID + span(t, "05-20T07:30:00.000Z", "05-20T08:00:00.000Z")
	var said string
	if n := d.Statement.During(func() { said = drops(b, move, drop(s, to), 200) }); len(n) > 25 {
		t.Errorf("a move costs %d statements: %s", len(n), strings.Join(n, "\n"))
	}
	admintest.Wants(t, said, "“Tides” is in Great Hall, Thursday 20 May, 09:30 to 10:00 now.", "also has", "Opening",
		"Undo")
	admintest.Lacks(t, said, "<html")
	now := d.Read(s.ID)
	modelstest.Want(t, "the place text", pages.PlaceText(now), to)
	// Undone by the form that was offered.
	admintest.Wants(t, drops(b, move, admintest.Fields(said), 200), "“Tides” is not placed any more.")
	now = d.Read(s.ID)
	modelstest.Want(t, "the place text", pages.PlaceText(now), "- - -")
	// Over midnight, and over the hour that comes twice.
	over := hall.ID + span(t, "05-20T21:30:00.000Z", "05-20T23:00:00.000Z")
	admintest.Wants(t, drops(b, move, drop(now, over), 200), "23:30 to 01:00 now.")
	d.As(staff.Reviewer).Post(move, drop(now, to), 403)
	d.As(staff.Viewer).Post(move, drop(now, to), 403)
}

func TestADropThatCannotBeIsSaidInWords(t *testing.T) {
	d, hall := agendaDesk(t)
	foreign := modelstest.RowOf(t, d.Elsewhere(), models.Rooms, "leaks")
	gone := modelstest.RowOf(t, d.Programme(), models.Rooms, "Gone")
	s := d.Placed("Tides", hall.ID, "09:00", "09:40")
	b := d.As(staff.Organizer)
	b.Get(d.At("/agenda"), 200)
	modelstest.Fine(t, metadata.Of(d.Programme()).Delete(t.Context(), models.Rooms, gone.ID, nil))
	move, then := d.At("/agenda/move/"+s.ID), span(t, "05-20T07:30:00.000Z", "05-20T08:00:00.000Z")
	for to, words := range map[string]string{
		gone.ID + then:    "Nothing was moved. The room is not there any more. Choose another one.",
		foreign.ID + then: "Nothing was moved. The room is not there any more. Choose another one.",
		hall.ID + span(t, "05-20T07:30:00.000Z", "05-20T07:00:00.000Z"): "Nothing was moved. It would end before it starts.",
		hall.ID + span(t, "05-29T07:30:00.000Z", "05-29T08:00:00.000Z"): "Saturday 29 May 2027 is no day of the event any more.",
		"nonsense":                        "Nothing was moved. That is no place in the agenda.",
		"- yesterday -":                   "Nothing was moved. That is no place in the agenda.",
		"- - 1810798200000":               "Nothing was moved.",
		"x y z " + strings.Repeat("a", 9): "Nothing was moved. That is no place in the agenda.",
	} {
		said := drops(b, move, drop(s, to), 422)
		admintest.Wants(t, said, words)
		admintest.Lacks(t, said, "leaks")
	}
	now := d.Read(s.ID)
	modelstest.Want(t, "it was moved to", pages.PlaceText(now), pages.PlaceText(s))
	form := drop(s, hall.ID+then)
	form.Del("was")
	drops(b, move, form, 403)
	for _, id := range []string{"x", store.NewID(), d.Foreign(models.NewSession{Title: "leaks"}).ID} {
		admintest.Wants(t, drops(b, d.At("/agenda/move/"+id), drop(s, hall.ID+then), 404), "not in the programme any more")
	}
	modelstest.Must(d.Programme().DeleteSession(t.Context(), s.ID))(t)
	admintest.Wants(t, drops(b, move, drop(s, hall.ID+then), 404), "not in the programme any more")
}

func TestADropThatComesTooLateIsAskedAbout(t *testing.T) {
	d, hall := agendaDesk(t)
	s := d.Placed("Tides", hall.ID, "09:00", "09:40")
	b := d.As(staff.Organizer)
	b.Get(d.At("/agenda"), 200)
	move, mine := d.At("/agenda/move/"+s.ID), hall.ID+span(t, "05-20T12:00:00.000Z", "05-20T12:40:00.000Z")
	// Another title is no reason to ask.
	d.Clock.Move(time.Second)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Tides and moons")}))(t)
	admintest.Wants(t, drops(b, move, drop(s, mine), 200),
		"“Tides and moons” is in Great Hall, Thursday 20 May, 14:00 to 14:40 now.")
	// Another place is.
	theirs := hall.ID + span(t, "05-20T13:00:00.000Z", "05-20T13:40:00.000Z")
	said := drops(b, move, drop(s, theirs), 409)
	admintest.Wants(t, said, "meanwhile: Great Hall, Thursday 20 May, 14:00 to 14:40",
		"You wanted Great Hall, Thursday 20 May, 15:00 to 15:40.", "Keep theirs", "Apply mine")
	now := d.Read(s.ID)
	modelstest.Want(t, "the place text", pages.PlaceText(now), mine)
	admintest.Wants(t, drops(b, move, admintest.Fields(said), 200), "15:00 to 15:40 now.")
	// Without scripts the choice is a page.
	admintest.Wants(t, b.Answer(move, drop(s, mine), 409), "<html", "Keep theirs", "Apply mine", "Somebody was faster")
}

func TestAMoveIsAskedForByAForm(t *testing.T) {
	d, hall := agendaDesk(t)
	d.Placed("Opening", hall.ID, "09:00", "09:40")
	s := d.Placed("Tides", "", "", "")
	b := d.As(staff.Organizer)
	move := d.At("/agenda/move/" + s.ID)
	admintest.Wants(t, b.Get(move+"?from=2027-05-21", 200), "Great Hall, 40 seats", `value="30"`,
		`value="2027-05-21" checked`, "Move here")
	form := url.Values{"day": {"2027-05-20"}, "room_id": {hall.ID}, "time": {"09:30"}, "minutes": {"30"},
		"was": {pages.PlaceText(s)}}
	// A look says what meets there, and changes nothing.
	admintest.Wants(t, b.Get(move+"?"+form.Encode(), 200), "also has", "Opening", "Next free start", ">09:40<",
		"Move here anyway")
	admintest.Wants(t, b.Answer(move, form, 422), "also has", "Move here anyway", `name="anyway"`)
	form.Set("anyway", "1")
	page := b.Follow(b.Post(move, form, 303))
	admintest.Wants(t, page, "“Tides” is in Great Hall, Thursday 20 May, 09:30 to 10:00 now.", "Undo", "1 conflict")
	now := d.Read(s.ID)
	form.Set("was", pages.PlaceText(now))
	for field, bad := range map[string][]string{"minutes": {"0", "-5", "x", "999999"}, "time": {"", "25:00", "x"},
		"room_id": {store.NewID(), "x"}, "day": {"2027-05-29", "", "x"}} {
		for _, value := range bad {
			wrong := url.Values{}
			for name, v := range form {
				wrong[name] = v
			}
			wrong.Set(field, value)
			b.On(move).Post(move, wrong, 422)
		}
	}
	admintest.Wants(t, b.Follow(b.On(move).Post(move, url.Values{"to": {"- - -"}, "was": {pages.PlaceText(now)}}, 303)),
		"“Tides” is not placed any more.")
}

func TestAMoveOverTheNightInWhichTheClocksChange(t *testing.T) {
	d, hall := agendaDesk(t)
	d.Days("2027-03-28", "2027-03-28")
	s := d.Placed("Night watch", hall.ID, "2027-10-31 01:30", "2027-10-31 04:00")
	b := d.As(staff.Organizer)
	// The hour that comes twice stands twice beside the rows.
	admintest.Wants(t, b.Get(d.At("/agenda?day=2027-10-31"), 200), "02:00 CEST", "02:00 CET", "210 min")
	move := d.At("/agenda/move/" + s.ID)
	form := url.Values{"day": {"2027-10-31"}, "room_id": {hall.ID}, "time": {"02:30"}, "minutes": {"30"},
		"was": {pages.PlaceText(s)}}
	_, page := b.On(move).Post(move, form, 422)
	admintest.Wants(t, page, "comes twice that night", "The first, 02:30 CEST", "The second, 02:30 CET")
	form.Set("day", "2027-03-28")
	admintest.Wants(t, b.Answer(move, form, 422), "does not exist in Europe/Brussels", "28 Mar 2027, 03:00 or later")
	admintest.Fill(form, "day", "2027-10-31", "time_which", "2")
	admintest.Wants(t, b.Follow(b.Post(move, form, 303)), "02:30 CET to 03:00 now.")
}

func TestTheSidebarsWidthIsRememberedWhereThePageNeedsIt(t *testing.T) {
	d := admintest.Open(t)
	d.Days("2027-05-20", "2027-05-21")
	b := d.As(staff.Viewer)
	at := d.At("/agenda?day=2027-05-21&view=list")
	admintest.Wants(t, b.Get(at, 200), `class="shell narrow"`, `title="Submissions"`, "Show the names")
	form := url.Values{"back": admintest.Fields(b.Text)["back"][:1], "sidebar": {"wide"}}
	location, _ := b.Post("/admin/sidebar", form, 303)
	modelstest.Want(t, "it leads to", location, at)
	admintest.Wants(t, b.Get(at, 200), `class="shell"`, "Icons alone")
	admintest.Lacks(t, b.Text, "shell narrow")
	admintest.Lacks(t, b.Get(d.At("/submissions"), 200), "/admin/sidebar", "shell narrow")
	b.Post("/admin/sidebar", url.Values{"back": {"https://elsewhere.example"}, "sidebar": {"x"}}, 303)
	admintest.Lacks(t, b.Get(at, 200), "shell narrow") // what is no width changes none
	form.Set("sidebar", "narrow")
	b.Post("/admin/sidebar", form, 303)
	admintest.Wants(t, b.Get(at, 200), "shell narrow")
}
