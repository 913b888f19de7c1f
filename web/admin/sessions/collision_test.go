package sessions_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/warn"
)

func TestASaveThatCollidesSaysWithWhat(t *testing.T) {
	d := admintest.Open(t)
	hall, cellar := d.Room("Great hall"), d.Room("Cellar")
	queues := d.Placed("Queues that <forget> nothing", hall, "09:40", "10:10")
	ada := d.Speaker(t, d.Event, queues.ID, models.NewContact{FirstName: "Li", LastName: "Na"})
	tides := d.Placed("Tides", cellar, "11:00", "12:00")
	d.Join(t, d.Event, tides.ID, ada, models.Moderator)
	b := d.As(staff.Organizer)
	record := d.At("/sessions/" + tides.ID)
	admintest.Lacks(t, b.Get(record, 200), "while this is")

	page := b.Follow(b.Send(record+"/edit", 303, "room_id", hall,
		"starts_at", "2027-05-20T09:50", "ends_at", "2027-05-20T10:20"))
	notice, rest, _ := strings.Cut(page, `<nav class="record-place"`)
	link := `<a href="` + d.At("/sessions/"+queues.ID) + `">S-1 “<bdi>Queues that &lt;forget&gt; nothing</bdi>”</a>`
	admintest.Lacks(t, rest, "while this is")
	for _, part := range []string{notice, b.Get(record, 200)} { // told once, and shown for as long as it is so
		admintest.Wants(t, part, "<bdi>Great hall</bdi> also has "+link+", 09:40 to 10:10, while this is 09:50 to 10:20.",
			"<bdi>Li Na</bdi> is also in "+link+", 09:40 to 10:10, while this is 09:50 to 10:20.")
	}
	admintest.Wants(t, notice, "Saved.", `class="notice warn"`, "Undo")
	admintest.Wants(t, b.Get(d.At("/sessions/"+queues.ID), 200), "while this is 09:40 to 10:10.")

	// What changes nothing of it is not told of again, and a title is no collision.
	form := admintest.Fill(admintest.Fields(b.Get(record+"/edit", 200)), "title", "Neap tides")
	notice, rest, _ = strings.Cut(b.Follow(b.Post(record+"/edit", form, 303)), `<nav class="record-place"`)
	admintest.Lacks(t, notice, "while this is")
	admintest.Wants(t, rest, "while this is")

	// A session that is withdrawn takes nothing; one that comes back is told of at once.
	withdrawn := admintest.Fields(b.Get(record, 200))
	withdrawn.Set("status", "withdrawn")
	admintest.Wants(t, b.Follow(b.Post(record+"/status", withdrawn, 303)), "takes no room and no time")
	admintest.Lacks(t, b.Text, "while this is")
	back := admintest.Fill(admintest.Fields(b.Text), "status", "accepted")
	notice, _, _ = strings.Cut(b.Follow(b.Post(record+"/status", back, 303)), `<nav class="record-place"`)
	admintest.Wants(t, notice, "It is accepted now.", "while this is", "Undo")
	admintest.Wants(t, b.Follow(b.Send(record+"/edit", 303, "starts_at", "2027-05-20T09:40",
		"ends_at", "2027-05-20T10:10")), link+" at the same time, 09:40 to 10:10.")

	// Mended, nothing is said.
	admintest.Lacks(t, b.Follow(b.Send(record+"/edit", 303, "starts_at", "2027-05-20T10:10",
		"ends_at", "2027-05-20T10:40")), "while this is")
}

func TestWhatIsMadeOrRestoredCollidesToo(t *testing.T) {
	d := admintest.Open(t)
	hall := d.Room("Hall")
	gone := d.Placed("Gone", hall, "09:00", "10:00")
	modelstest.Must(d.Programme().DeleteSession(t.Context(), gone.ID))(t)
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Follow(b.Send(d.At("/sessions/new"), 303, "title", "New", "room_id", hall,
		"starts_at", "2027-05-20T09:30")), "S-2 is created.")
	admintest.Lacks(t, b.Text, "while this is")
	page := b.Follow(b.Post(d.At("/sessions/"+gone.ID+"/restore"), nil, 303))
	admintest.Wants(t, page, "S-1 is back.", "<bdi>Hall</bdi> also has", ", 09:30, while this is 09:00 to 10:00.")
}

func TestTimesOfACollisionSayWhatIsNotTheSame(t *testing.T) {
	t.Parallel()
	brussels := modelstest.Must(time.LoadLocation("Europe/Brussels"))(t)
	for _, c := range []struct{ from, to, other, want string }{
		{"2027-05-20T07:50:00Z", "2027-05-20T08:20:00Z", "2027-05-20T08:00:00Z", "09:50 to 10:20"},
		{"2027-05-20T21:30:00Z", "2027-05-20T22:30:00Z", "2027-05-20T22:00:00Z", "Thu 20 May 23:30 to Fri 21 May 00:30"},
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
		modelstest.Want(t, "the span", warn.NewTimes(brussels, s.StartsAt, s.EndsAt, at(c.other)).Span(s), c.want)
	}
}

func TestTheListsOfCollisionsNameBothPartners(t *testing.T) {
	d := admintest.Open(t)
	hall := d.Room("Hall")
	one, two := d.Placed("One", hall, "09:00", "10:00"), d.Placed("Two", hall, "09:30", "10:30")
	ada := d.Speaker(t, d.Event, one.ID, models.NewContact{FirstName: "Ada"})
	three := d.Placed("Three", "", "09:10", "09:20")
	d.Join(t, d.Event, three.ID, ada, models.Chairperson)
	secret := d.Foreign(models.NewSession{Title: "Secret plan",
		SessionInput: models.SessionInput{StartsAt: store.Some(*one.StartsAt)}})
	b := d.As(staff.Viewer)
	admintest.Wants(t, b.Get(d.At("/sessions?needs=room"), 200), "1 to 2 of 2",
		"<bdi>Hall</bdi> also has <a href=\""+d.At("/sessions/"+two.ID), "S-1 “<bdi>One</bdi>”", "S-2 “<bdi>Two</bdi>”")
	admintest.Lacks(t, b.Text, "Ada</bdi> is also in", secret.ID)
	admintest.Wants(t, b.Get(d.At("/sessions?needs=person"), 200), "1 to 2 of 2",
		"<bdi>Ada</bdi> is also in <a href=\""+d.At("/sessions/"+three.ID), "S-1 “<bdi>One</bdi>”")
	admintest.Lacks(t, b.Text, "also has")
	admintest.Lacks(t, b.Get(d.At("/sessions"), 200), "while this is")
	admintest.Wants(t, d.As(staff.Organizer).Get(d.At(""), 200), "share their room with another at one time",
		"sessions?needs=room", "sessions?needs=person")
}

func TestAnUndoSaysWhatItCollidesWithAndDecidesNothing(t *testing.T) {
	d := admintest.Open(t)
	hall := d.Room("Hall")
	d.Placed("One", hall, "09:00", "10:00")
	two := d.Placed("Two", hall, "09:30", "10:30")
	abstract := d.Session(models.NewSession{Title: "A", IsAbstract: true})
	b := d.As(staff.Organizer)
	away := modelstest.Must(d.Programme().UpdateSession(t.Context(), two.ID,
		models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Withdrawn)}}))(t)
	page := b.Follow(b.On(d.At("/sessions/"+two.ID)).Post(d.At("/sessions/"+two.ID+"/put-back"),
		url.Values{"updated_at": {away.UpdatedAt.String()}, "status": {"accepted"}}, 303))
	admintest.Wants(t, page, "Undone.", "Hall</bdi> also has")
	page = b.Follow(b.On(d.At("/sessions/"+abstract.ID)).Post(d.At("/sessions/"+abstract.ID+"/put-back"),
		url.Values{"updated_at": {abstract.UpdatedAt.String()}, "status": {"accepted"}}, 303))
	admintest.Wants(t, page, "nothing was undone", "To accept queue")
}

func TestTheNumberOfConflictsStandsBesideTheAgendaOnEachPage(t *testing.T) {
	d := admintest.Open(t)
	hall := d.Room("Great hall")
	d.Placed("Ebb", hall, "09:00", "10:00")
	d.Placed("Flood", hall, "09:30", "10:30")
	d.Placed("Of another room", d.Room("Cellar"), "09:30", "10:30")
	b := d.As(staff.Viewer)
	const wrong = `<span class="count wrong">1</span>`
	admintest.Lacks(t, b.Get(d.At("/submissions"), 200), wrong)
	address := admintest.Between(b.Text, `data-number="`, `"`)
	modelstest.Want(t, address+" answers", b.Get(address, 200), wrong)
	admintest.Wants(t, b.Get(d.At("/submissions"), 200), wrong) // known by now
	admintest.Lacks(t, b.Page, "data-number")
	modelstest.Must(metadata.Of(d.Programme()).Update(t.Context(), models.Rooms, hall,
		metadata.Change{Name: new("Hall")}))(t)
	admintest.Wants(t, b.Get(d.At("/submissions"), 200), "data-number")
	modelstest.Want(t, "another event has", b.Get(strings.ReplaceAll(address, d.Event.ID, d.Other.ID), 200), "")
}
