package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/mcp/tokens"
	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestAnswersStaySmall(t *testing.T) {
	d := one(t)
	track := d.row(models.Tracks, "Design for year ten")
	for i := range 30 {
		d.abstract(fmt.Sprintf("Keeping harbour %d running on old code", i), models.SessionInput{Description: new("<p>" +
			strings.Repeat("The tide comes in twice a day, and so does the pager. ", 20) + "</p>"), TrackID: store.Some(track)})
	}
	text, _ := d.use("list_submissions", nil)
	page := decode(t, text)
	for _, row := range rows(t, page) {
		without := fmt.Sprintf(`{"id":%q,"title":%q,"status":%q,"track":%q},`, row["id"], row["title"],
			row["status"], row["track"])
		fits(t, "a row", without, 60)
	}
	// What a page costs today; ten percent more is worth a thought.
	for name, was := range map[string]int{"list_submissions": 2800, "list_events": 71, "list_tracks": 75} {
		text, _ := d.use(name, nil)
		fits(t, name, text, was*11/10)
	}
}

// fits checks that a text has at most this many tokens.
func fits(t *testing.T, what, text string, most int) {
	t.Helper()
	if n := tokens.Count(text); n > most {
		t.Errorf("%s has %d tokens, at most %d: %.1500s", what, n, most, text)
	} else {
		t.Logf("%s: %d tokens", what, n)
	}
}

// conference fills an event as large ones are: many tracks and rooms with long names, two days, and people with long
// descriptions on all of it.
func (d *desk) conference() {
	p := d.Programme()
	var tracks, rooms, people []string
	for i := range 40 {
		tracks = append(tracks, d.row(models.Tracks, fmt.Sprintf("Testing and automation %d", i)))
		person := modelstest.Must(p.CreateContact(d.t.Context(), models.NewContact{FirstName: "Grace",
			LastName: fmt.Sprint("Lovelace ", i), CompanyName: "Northern Lights",
			Email: fmt.Sprintf("grace.lovelace%d@example.org", i),
			About: strings.Repeat("She has kept old systems running for thirty years. ", 10)}))(d.t)
		people = append(people, person.ID)
	}
	for i := range 20 {
		rooms = append(rooms, d.row(models.Rooms, fmt.Sprintf("UB%d.137", i)))
	}
	for i := range 120 {
		in := models.SessionInput{TrackID: store.Some(tracks[i%40]), Status: new(models.Statuses[1+i%6]),
			Description: new("<p>" + strings.Repeat("The tide comes in twice a day, and so does the pager. ", 20) + "</p>")}
		if i%2 == 0 {
			in.Status, in.RoomID = new(models.Accepted), store.Some(rooms[i%20])
			in.StartsAt, in.EndsAt = d.at(15+i/60, 9+i%60/10, 5*(i%10)), d.at(15+i/60, 10+i%60/10, 5*(i%10))
		}
		s := d.create(i%2 == 1, fmt.Sprintf("Keeping harbour %d running on old code", i), []models.SessionInput{in})
		d.Join(d.t, d.Event, s.ID, people[i%40], models.Speaking)
	}
}

// crowd puts sessions into one room at one time, with the same people.
func (d *desk) crowd() {
	p, room := d.Programme(), d.row(models.Rooms, "The room of all")
	ada := modelstest.Must(p.CreateContact(d.t.Context(),
		models.NewContact{FirstName: "Augusta Ada", LastName: "King"}))(d.t)
	for i := range 30 {
		s := d.session(fmt.Sprintf("Keeping harbour %d running on old code", i),
			models.SessionInput{RoomID: store.Some(room), StartsAt: d.at(15, 20, 0), EndsAt: d.at(15, 21, 0)})
		d.Join(d.t, d.Event, s.ID, ada.ID, models.Speaking)
	}
}

func TestBudgetsOfALargeConference(t *testing.T) {
	d := one(t)
	d.conference()
	d.crowd()
	for _, c := range []struct {
		name      string
		arguments object
		most      int
	}{
		{"list_submissions", nil, 3000},
		{"search_schedule", nil, 3000},
		{"search_schedule", object{"is_public": false}, 3000},
		{"search_schedule", object{"needs": "person"}, 3000},
		{"search_schedule", object{"needs": "room"}, 3000},
		{"get_schedule", object{"limit": 25}, 3000},
		{"search_speakers", nil, 3000},
		{"get_event_overview", nil, 600},
		{"find_free_slots", object{"day": "2027-05-15", "minutes": 5}, 3000},
	} {
		text, failed := d.use(c.name, c.arguments)
		modelstest.Want(t, c.name+" fails", failed, false)
		fits(t, fmt.Sprint(c.name, c.arguments), text, c.most)
	}
}

func TestAPageOfComposedSubmissionsStaysSmall(t *testing.T) {
	d := one(t)
	d.conference()
	for _, row := range rows(t, d.tool("list_submissions", nil)) {
		id := row["id"].(string)
		d.change(id, models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Accepted)}})
		modelstest.Must(d.Programme().Compose(t.Context(), []string{id}, ""))(t)
	}
	text, _ := d.use("list_submissions", nil)
	fits(t, "a page", text, 3000)
	modelstest.Want(t, "composed", strings.Count(text, `"composed_into":"S-`), 25)
}
