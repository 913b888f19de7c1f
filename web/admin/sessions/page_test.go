package sessions_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

// stepsOf returns the buttons of a record's next steps, by what they set or where they lead.
func stepsOf(page string) (steps []string) {
	for _, m := range regexp.MustCompile(`data-key="(.)"`).FindAllStringSubmatch(page, -1) {
		steps = append(steps, m[1])
	}
	return steps
}

func TestARecordSaysWhereItStandsAndWhatComesNext(t *testing.T) {
	d := admintest.Open(t)
	b, looks := d.As(staff.Organizer), d.As(staff.Viewer)
	hall := d.Room("Hall")
	status := func(status models.Status) models.SessionInput { return models.SessionInput{Status: &status} }
	abstract := func(s models.Status) *models.Session {
		return d.Session(models.NewSession{Title: "Tides", IsAbstract: true, SessionInput: status(s)})
	}
	composed := abstract(models.Accepted)
	modelstest.Must(d.Programme().Compose(t.Context(), []string{composed.ID}, ""))(t)
	public := d.Placed("Public", hall, "15:00", "16:00")
	modelstest.Must(d.Programme().UpdateSession(t.Context(), public.ID,
		models.SessionChange{IsPublic: new(true), PublishOverride: true}))(t)
	room := d.Session(models.NewSession{Title: "Room"})
	b.Send(d.At("/sessions/"+room.ID+"/edit"), 303, "room_id", hall)
	for _, c := range []struct {
		session *models.Session
		stands  string
		keys    string
	}{
		{abstract(models.Draft), "Not handed in yet", "p"},
		{abstract(models.Pending), "Waits for a decision", "a d"},
		{abstract(models.AcceptQueue), "Will be accepted", "a p"},
		{abstract(models.DeclineQueue), "Will be declined", "d p"},
		{abstract(models.Accepted), "In no session yet.", "c u"},
		{composed, "In the session S-1.", "u"},
		{abstract(models.Declined), "not part of the programme", "u"},
		{abstract(models.Withdrawn), "took it back", "p"},
		{d.Session(models.NewSession{Title: "S"}), "Not placed yet. Not published yet.", "t"},
		{room, "It has a room and no time yet.", "t"},
		{d.Placed("Time", "", "09:00", "10:00"), "It has a time and no room yet.", "t"},
		{d.Placed("Placed", hall, "09:00", "10:00"), "Placed. Not published yet.", ""},
		{public, "Placed. Published.", ""},
		{d.Session(models.NewSession{Title: "Away", SessionInput: status(models.Withdrawn)}), "takes no room and no time",
			"a"},
	} {
		page := b.Get(d.At("/sessions/"+c.session.ID), 200)
		admintest.Wants(t, page, c.stands, ">Edit", "Change status")
		modelstest.Want(t, c.stands, strings.Join(stepsOf(page), " "), c.keys)
		if c.session.Status == models.Draft { // which is for organizers
			looks.Get(d.At("/sessions/"+c.session.ID), 404)
			continue
		}
		admintest.Wants(t, looks.Get(d.At("/sessions/"+c.session.ID), 200), c.stands)
		admintest.Lacks(t, looks.Text, "data-key", ">Edit", "Change status", "/delete", "/status")
	}
}

func TestAQueueMoveIsOneButtonAndItsUndo(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	b := d.As(staff.Organizer)
	record := d.At("/sessions/" + s.ID)
	form := admintest.Fields(b.Get(record, 200))
	form.Set("status", "accept_queue") // as the button sends it
	page := b.Follow(b.Post(record+"/status", form, 303))
	admintest.Wants(t, page, "It is in the accept queue now.", "Accept…", "Back to pending")
	page = b.Undo(page)
	admintest.Wants(t, page, "Undone.", "To accept queue")
}

func TestTheHeadOfARecordIsAsAProgrammePrintsIt(t *testing.T) {
	d := admintest.Open(t)
	minutes := 90
	format := d.Add(d.Programme(), models.Formats, models.NewMetadata{Name: "Workshop", DefaultMinutes: &minutes})
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true,
		SessionInput: models.SessionInput{FormatID: store.Some(format.ID)}})
	b := d.As(staff.Organizer)
	record := d.At("/sessions/" + s.ID)
	admintest.Wants(t, b.Get(record, 200), "<bdi>Workshop</bdi>, 90 min", "There is none.", "Nobody is on it yet.",
		`data-copy="record-id"`)
	admintest.Lacks(t, b.Text, `class="byline"`)
	for _, who := range []struct {
		first, last string
		role        models.Role
	}{{"Ada", "Byron", models.Speaking}, {"花子", "山田", models.Speaking}, {"Li", "Na", models.Moderator}} {
		contact := modelstest.Must(d.Programme().CreateContact(t.Context(),
			models.NewContact{FirstName: who.first, LastName: who.last}))(t)
		d.Join(t, d.Event, s.ID, contact.ID, who.role)
	}
	by := regexp.MustCompile(`<[^>]+>`).ReplaceAllString(
		regexp.MustCompile(`(?s)<p class="byline">(.*?)</p>`).FindStringSubmatch(b.Get(record, 200))[1], "")
	if by = strings.TrimSpace(by); by != "Ada Byron and 花子 山田, moderated by Li Na" {
		t.Errorf("the byline is %q", by)
	}
	admintest.Wants(t, b.Page, `<bdi class="upright">`)
	modelstest.Want(t, "how often upright", strings.Count(b.Page, "upright"), 1)
}

func TestScoresAreDotsForWhoMayKnowThem(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	reviewer, organizer := d.As(staff.Reviewer), d.As(staff.Organizer)
	record := d.At("/sessions/" + s.ID)
	admintest.Lacks(t, organizer.Get(record, 200), `class="score-block"`)
	for b, score := range map[*admintest.Browser]string{reviewer: "5", organizer: "3"} {
		b.On(record).Post(record+"/review", url.Values{"score": {score}, "comment": {"said in confidence"}}, 303)
	}
	page := organizer.Get(record, 200)
	admintest.Wants(t, page, ">4.00<", `aria-label="Scores: 5 3"`, "2 reviews", "apart by 2")
	scale := admintest.Between(page, `class="score-block"`, "</header>")
	modelstest.Want(t, "how often <circle", strings.Count(scale, "<circle"), 2)
	admintest.Lacks(t, page, " style=")
	for _, b := range []*admintest.Browser{reviewer, d.As(staff.Viewer)} {
		admintest.Lacks(t, b.Get(record, 200), `class="score-block"`, "4.00", "Scores:")
	}
}

func TestActivityIsOneLineUntilItIsOpened(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "A title at first", IsAbstract: true})
	b := d.As(staff.Organizer)
	record := d.At("/sessions/" + s.ID)
	page := b.Get(record, 200)
	admintest.Wants(t, page, "1 entry. Last:", "created it")
	admintest.Lacks(t, activityOf(page), "A title at first") // the record has it
	d.Clock.Move(time.Minute)
	b.Send(record+"/edit", 303, "title", "A title later", "status", "draft")
	page = b.Get(record, 200)
	admintest.Wants(t, page, "2 entries. Last: <bdi>Ada organizer</bdi> changed title and status",
		"by <bdi>Ada organizer</bdi>")
	admintest.Wants(t, activityOf(page), "A title at first", "A title later")
}

func activityOf(page string) string {
	return admintest.Between(page, `id="activity"`, "<aside")
}
