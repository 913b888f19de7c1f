package admin

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// placed is a session in a room, "" for none, from one time to another of 20 May 2027 in the event's zone.
func (d *desk) placed(title, room, from, to string) *models.Session {
	d.t.Helper()
	at := func(clock string) store.Optional[store.Time] {
		t := modelstest.Must(time.ParseInLocation("2006-01-02 15:04", "2027-05-20 "+clock, d.Event.Location()))(d.t)
		return store.Some(store.At(t))
	}
	in := models.SessionInput{StartsAt: at(from), EndsAt: at(to)}
	if room != "" {
		in.RoomID = store.Some(room)
	}
	return d.session(models.NewSession{Title: title, SessionInput: in})
}

func (d *desk) room(name string) string {
	d.t.Helper()
	return modelstest.Must(d.Programme().CreateMetadata(d.t.Context(), models.Rooms, models.NewMetadata{Name: name}))(d.t).ID
}

func TestASaveThatCollidesSaysWithWhat(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	hall, cellar := d.room("Great hall"), d.room("Cellar")
	queues := d.placed("Queues that <forget> nothing", hall, "09:40", "10:10")
	ada := d.Speaker(t, d.Event, queues.ID, models.NewContact{FirstName: "Li", LastName: "Na"})
	tides := d.placed("Tides", cellar, "11:00", "12:00")
	d.Join(t, d.Event, tides.ID, ada, models.Moderator)
	b := d.as(staff.Organizer)
	record := d.at("/sessions/" + tides.ID)
	lacks(t, b.get(record, 200), "while this is")

	form := fields(b.get(record+"/edit", 200))
	form.Set("starts_at", "2027-05-20T09:50")
	form.Set("ends_at", "2027-05-20T10:20")
	form.Set("room_id", hall)
	page := b.follow(b.post(record+"/edit", form, 303))
	notice, rest, _ := strings.Cut(page, `<nav class="record-place"`)
	link := `<a href="` + d.at("/sessions/"+queues.ID) + `">S-1 “<bdi>Queues that &lt;forget&gt; nothing</bdi>”</a>`
	lacks(t, rest, "while this is")
	for _, part := range []string{notice, b.get(record, 200)} { // told once, and shown on the record for as long as it is so
		wants(t, part, "<bdi>Great hall</bdi> also has "+link+", 09:40 to 10:10, while this is 09:50 to 10:20.",
			"<bdi>Li Na</bdi> is also in "+link+", 09:40 to 10:10, while this is 09:50 to 10:20.")
	}
	wants(t, notice, "Saved.", `class="notice warn"`, "Undo")
	wants(t, b.get(d.at("/sessions/"+queues.ID), 200), "while this is 09:40 to 10:10.")

	// What changes nothing of it is not told of again, and a title is no collision.
	form = fields(b.get(record+"/edit", 200))
	form.Set("title", "Neap tides")
	notice, rest, _ = strings.Cut(b.follow(b.post(record+"/edit", form, 303)), `<nav class="record-place"`)
	lacks(t, notice, "while this is")
	wants(t, rest, "while this is")

	// A session that is withdrawn takes nothing; one that comes back is told of at once.
	withdrawn := fields(b.get(record, 200))
	withdrawn.Set("status", "withdrawn")
	page = b.follow(b.post(record+"/status", withdrawn, 303))
	wants(t, page, "takes no room and no time")
	lacks(t, page, "while this is")
	back := fields(page)
	back.Set("status", "accepted")
	notice, _, _ = strings.Cut(b.follow(b.post(record+"/status", back, 303)), `<nav class="record-place"`)
	wants(t, notice, "It is accepted now.", "while this is", "Undo")
	form = fields(b.get(record+"/edit", 200))
	form.Set("starts_at", "2027-05-20T09:40")
	form.Set("ends_at", "2027-05-20T10:10")
	wants(t, b.follow(b.post(record+"/edit", form, 303)), link+" at the same time, 09:40 to 10:10.")

	// Mended, nothing is said.
	form = fields(b.get(record+"/edit", 200))
	form.Set("starts_at", "2027-05-20T10:10")
	form.Set("ends_at", "2027-05-20T10:40")
	lacks(t, b.follow(b.post(record+"/edit", form, 303)), "while this is")
}

func TestWhatIsMadeOrRestoredCollidesToo(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	hall := d.room("Hall")
	gone := d.placed("Gone", hall, "09:00", "10:00")
	modelstest.Must(d.Programme().DeleteSession(t.Context(), gone.ID))(t)
	b := d.as(staff.Organizer)
	form := fields(b.get(d.at("/sessions/new"), 200))
	form.Set("title", "New")
	form.Set("room_id", hall)
	form.Set("starts_at", "2027-05-20T09:30")
	page := b.follow(b.post(d.at("/sessions/new"), form, 303))
	wants(t, page, "S-2 is created.")
	lacks(t, page, "while this is")
	page = b.follow(b.post(d.at("/sessions/"+gone.ID+"/restore"), nil, 303))
	wants(t, page, "S-1 is back.", "<bdi>Hall</bdi> also has", ", 09:30, while this is 09:00 to 10:00.")
}

func TestTimesOfACollisionSayWhatIsNotTheSame(t *testing.T) {
	t.Parallel()
	brussels := modelstest.Must(time.LoadLocation("Europe/Brussels"))(t)
	for _, c := range []struct{ from, to, other, want string }{
		{"2027-05-20T07:50:00Z", "2027-05-20T08:20:00Z", "2027-05-20T08:00:00Z", "09:50 to 10:20"},
		{"2027-05-20T21:30:00Z", "2027-05-20T22:30:00Z", "2027-05-20T22:00:00Z",
			"Thu 20 May 23:30 to Fri 21 May 00:30"},
		{"2027-10-31T00:30:00Z", "2027-10-31T01:30:00Z", "2027-10-31T01:00:00Z", "02:30 CEST to 02:30 CET"},
		{"2027-05-20T07:50:00Z", "", "2027-05-20T07:50:00Z", "09:50"},
	} {
		at := func(text string) *store.Time {
			if text == "" {
				return nil
			}
			return new(modelstest.Must(store.ParseTime(text))(t))
		}
		s := &models.Session{StartsAt: at(c.from), EndsAt: at(c.to)}
		if got := newTimes(brussels, s.StartsAt, s.EndsAt, at(c.other)).span(s); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestTheListsOfCollisionsNameBothPartners(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	hall := d.room("Hall")
	one, two := d.placed("One", hall, "09:00", "10:00"), d.placed("Two", hall, "09:30", "10:30")
	ada := d.Speaker(t, d.Event, one.ID, models.NewContact{FirstName: "Ada"})
	three := d.placed("Three", "", "09:10", "09:20")
	d.Join(t, d.Event, three.ID, ada, models.Chairperson)
	secret := modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Secret plan",
		SessionInput: models.SessionInput{StartsAt: store.Some(*one.StartsAt)}}))(t)
	b := d.as(staff.Viewer)
	page := b.get(d.at("/sessions?needs=room"), 200)
	wants(t, page, "1 to 2 of 2", "<bdi>Hall</bdi> also has <a href=\""+d.at("/sessions/"+two.ID), "S-1 “<bdi>One</bdi>”",
		"S-2 “<bdi>Two</bdi>”")
	lacks(t, page, "Ada</bdi> is also in", secret.ID)
	page = b.get(d.at("/sessions?needs=person"), 200)
	wants(t, page, "1 to 2 of 2", "<bdi>Ada</bdi> is also in <a href=\""+d.at("/sessions/"+three.ID), "S-1 “<bdi>One</bdi>”")
	lacks(t, page, "also has")
	lacks(t, b.get(d.at("/sessions"), 200), "while this is")
	wants(t, d.as(staff.Organizer).get(d.at(""), 200), "share their room with another at one time",
		"sessions?needs=room", "sessions?needs=person")
}

func TestAnUndoSaysWhatItCollidesWithAndDecidesNothing(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	hall := d.room("Hall")
	d.placed("One", hall, "09:00", "10:00")
	two := d.placed("Two", hall, "09:30", "10:30")
	abstract := d.session(models.NewSession{Title: "A", IsAbstract: true})
	b := d.as(staff.Organizer)
	away := modelstest.Must(d.Programme().UpdateSession(t.Context(), two.ID,
		models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Withdrawn)}}))(t)
	b.get(d.at("/sessions/"+two.ID), 200)
	page := b.follow(b.post(d.at("/sessions/"+two.ID+"/put-back"),
		url.Values{"updated_at": {away.UpdatedAt.String()}, "status": {"accepted"}}, 303))
	wants(t, page, "Undone.", "Hall</bdi> also has")
	b.get(d.at("/sessions/"+abstract.ID), 200)
	page = b.follow(b.post(d.at("/sessions/"+abstract.ID+"/put-back"),
		url.Values{"updated_at": {abstract.UpdatedAt.String()}, "status": {"accepted"}}, 303))
	wants(t, page, "nothing was undone", "To accept queue")
}

func TestTheNumberOfConflictsStandsBesideTheAgendaOnEachPage(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	hall := d.room("Great hall")
	d.placed("Ebb", hall, "09:00", "10:00")
	d.placed("Flood", hall, "09:30", "10:30")
	d.placed("Of another room", d.room("Cellar"), "09:30", "10:30")
	b := d.as(staff.Viewer)
	const wrong = `<span class="count wrong">1</span>`
	page := b.get(d.at("/submissions"), 200)
	lacks(t, page, wrong)
	address := between(page, `data-number="`, `"`)
	if got := b.get(address, 200); got != wrong {
		t.Errorf("%s answers %q", address, got)
	}
	wants(t, b.get(d.at("/submissions"), 200), wrong) // known by now
	lacks(t, b.page, "data-number")
	modelstest.Must(d.Programme().UpdateMetadata(t.Context(), models.Rooms, hall, models.MetadataChange{Name: new("Hall")}))(t)
	wants(t, b.get(d.at("/submissions"), 200), "data-number")
	if got := b.get(strings.ReplaceAll(address, d.Event.ID, d.Other.ID), 200); got != "" {
		t.Errorf("another event has %q", got)
	}
}
