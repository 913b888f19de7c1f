package site_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-ical"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/embed"
	"lectern/models/frab"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// conference makes a public programme with all that is odd: a short slug, scripts, breaks, a night that is an hour
// longer, what is in no room, what has no end, what is over midnight and what was cancelled.
func conference(t *testing.T, f *modelstest.Fixture) (d *door, hall, track string,
	sessions map[string]*models.Session) {
	t.Helper()
	ctx := t.Context()
	modelstest.Must(f.Programme().UpdateEvent(ctx, models.EventChange{Slug: new("x-" + f.Event.ID[31:]),
		Name: new(`Ships & "Sails" <2027>`), Timezone: new("Europe/Lisbon")}))(t)
	f.Event.Slug = "x-" + f.Event.ID[31:]
	d = open(f)
	row := func(family models.Family, n models.NewMetadata) string {
		return modelstest.Must(f.Programme().CreateMetadata(ctx, family, n))(t).ID
	}
	hall = row(models.Rooms, models.NewMetadata{Name: "Hall", Capacity: new(300)})
	attic, other := row(models.Rooms, models.NewMetadata{Name: "Attic & <cellar>"}), row(models.Rooms,
		models.NewMetadata{Name: "Hall"})
	track = row(models.Tracks, models.NewMetadata{Name: "Größe, 東京; and more", Color: new("#AA3300")})
	format := row(models.Formats, models.NewMetadata{Name: "Talk", DefaultMinutes: new(30)})
	sessions = map[string]*models.Session{}
	night := store.At(time.Date(2027, 10, 31, 1, 30, 0, 0, time.UTC)) // 01:30 for the second time
	for title, in := range map[string]models.SessionInput{
		"東京":            {RoomID: store.Some(hall), TrackID: store.Some(track), FormatID: store.Some(format)},
		"No room":       {Description: new("<p>One &amp; two</p>\n<p>\"Three\"</p>")},
		"No end":        {RoomID: store.Some(other), StartsAt: store.Some(at("15:00"))},
		"Over midnight": {RoomID: store.Some(attic), StartsAt: store.Some(at("22:30")), EndsAt: store.Some(at("23:59"))},
		"Of the second hour": {RoomID: store.Some(attic), StartsAt: store.Some(night),
			EndsAt: store.Some(store.At(night.Add(time.Hour)))},
		"Cancelled, with a; reason\\": {RoomID: store.Some(hall), TrackID: store.Some(track)},
	} {
		sessions[title] = d.talk(t, title, in)
		d.change(t, sessions[title], public)
	}
	d.change(t, sessions["Cancelled, with a; reason\\"], models.SessionChange{IsPublic: new(false)})
	role := func(s *models.Session, name string, role models.Role) {
		id := f.Speaker(t, f.Event, s.ID, models.NewContact{FirstName: name, LastName: "O'Neil",
			Email: name + "@example.org"})
		if role != models.Speaking {
			modelstest.Exec(t, f.SQL, fmt.Sprintf("UPDATE participants SET role = '%s' WHERE contact_id = '%s'", role, id))
		}
	}
	role(sessions["東京"], "Zoë", models.Speaking)
	role(sessions["東京"], "مريم", models.Moderator)
	for _, b := range []models.NewBreak{
		{Kind: models.Pause, Title: "Lunch", StartsAt: at("12:00"), EndsAt: at("13:00")},
		{Kind: models.Blocker, Title: "Sound check", StartsAt: at("08:00"), EndsAt: at("09:00"), RoomID: &hall},
	} {
		modelstest.Must(agenda.Of(f.Programme()).AddBreak(ctx, b))(t)
	}
	return d, hall, track, sessions
}

func TestCalendarsAreReadByAnotherLibrary(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, hall, track, sessions := conference(t, f)
		gone := sessions["Cancelled, with a; reason\\"]
		for address, want := range map[string]string{
			d.home + "/calendar.ics": "Cancelled, with a; reason\\ CANCELLED 1, Lunch CONFIRMED 0, No end CONFIRMED 0, " +
				"No room CONFIRMED 0, Of the second hour CONFIRMED 0, Over midnight CONFIRMED 0, Sound check CONFIRMED 0, 東京 CONFIRMED 0",
			d.home + "/rooms/" + hall + ".ics": "Cancelled, with a; reason\\ CANCELLED 1, Lunch CONFIRMED 0, " +
				"Sound check CONFIRMED 0, 東京 CONFIRMED 0",
			d.home + "/tracks/" + track + ".ics":               "Cancelled, with a; reason\\ CANCELLED 1, 東京 CONFIRMED 0",
			d.home + "/sessions/" + gone.ID + ".ics":           "Cancelled, with a; reason\\ CANCELLED 1",
			d.home + "/sessions/" + sessions["東京"].ID + ".ics": "東京 CONFIRMED 0",
		} {
			body := d.get(t, address)
			calendar, err := ical.NewDecoder(strings.NewReader(body)).Decode()
			if err != nil {
				t.Fatalf("%s: %v in\n%s", address, err, body)
			}
			if err := ical.NewEncoder(io.Discard).Encode(calendar); err != nil { // which holds it to the rules
				t.Errorf("%s: %v", address, err)
			}
			var got []string
			for _, e := range calendar.Events() {
				title, _ := e.Props.Text("SUMMARY")
				uid, _ := e.Props.Text("UID")
				got = append(got, fmt.Sprintf("%s %s %s", title, e.Props.Get("STATUS").Value, e.Props.Get("SEQUENCE").Value))
				if s := sessions[title]; s != nil && uid != s.ID+"@lectern" {
					t.Errorf("%s calls %s %s", address, title, uid)
				}
				if text, _ := e.Props.Text("DESCRIPTION"); title == "No room" && text != "One & two\n\n\"Three\"" ||
					title == "東京" && text != "Zoë O'Neil, مريم O'Neil" {
					t.Errorf("%s says of %s %q", address, title, text)
				}
				if s := sessions[title]; s != nil {
					now := modelstest.Must(f.Programme().Session(t.Context(), s.ID))(t)
					if starts, err := e.DateTimeStart(time.UTC); err != nil || !starts.Equal(now.StartsAt.Time) {
						t.Errorf("%s has %s at %v, not %v: %v", address, title, starts, now.StartsAt, err)
					}
				}
			}
			slices.Sort(got)
			modelstest.Want(t, address+" has", strings.Join(got, ", "), want)
		}
	})
}

func TestAnEntryLeadsToItsPageAndSaysWhereItIs(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, sessions := conference(t, f)
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(embed.Agenda)})
		at := d.home + "/sessions/" + strings.ToLower(sessions["東京"].FriendlyID) + "-%E6%9D%B1%E4%BA%AC"
		place := func(changed look.Change) {
			modelstest.Fine(t, look.Of(f.Programme()).Save(t.Context(), changed))
		}
		says := func(where string) (entries []string) {
			for _, address := range []string{d.home + "/calendar.ics", d.home + "/sessions/" + sessions["東京"].ID + ".ics",
				"/embeds/" + e.ID + ".ics"} {
				body := strings.ReplaceAll(d.get(t, address), "\r\n ", "")
				says(t, body, []string{"\r\nURL:" + base + at + "\r\n", "\r\nLOCATION:" + where + "\r\n"}, nil)
				entries = append(entries, strings.Join(sequences.FindAllString(body, -1), " "))
			}
			return entries
		}
		before := says(`Hall\, Ships & "Sails" <2027>`)
		place(look.Change{Venue: new("Old; Docks"), City: new("Lisbon")})
		says(`Hall\, Old\; Docks\, Lisbon`)
		place(look.Change{Address: new("Quay 1, 1000 Lisbon")})
		modelstest.WantAll(t, "another venue is a change of sessions", says(`Hall\, Old\; Docks\, Quay 1\, 1000 Lisbon`),
			before)
		modelstest.Fine(t, xml.Unmarshal([]byte(d.get(t, d.home+"/sitemap.xml")), new(node)))
		for _, feed := range []string{"/sitemap.xml", "/schedule.xml", "/schedule.json"} {
			lacks(t, d.home+feed, d.shows(t, d.home+feed, base+at), "-東京")
		}
	})
}

// sequences is what tells of changes in calendars.
var sequences = regexp.MustCompile(`(SEQUENCE|DTSTAMP|LAST-MODIFIED):[^\r]*`)

// node is an element of a schedule.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []*node    `xml:",any"`
}

func (n *node) attribute(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// elements are those of the published schema: what may stand in each, "!" behind what must, and the form of its text.
var elements = map[string]struct{ children, attributes, form string }{
	"schedule":          {"generator url version! conference! day!", "", `^\s*$`},
	"generator":         {"", "name version", ""},
	"url":               {"", "", `^https?://.+$`},
	"base_url":          {"", "", `^https?://.+$`},
	"version":           {"", "", ""},
	"conference":        {"title! acronym! start end days timeslot_duration base_url url time_zone_name track", "", `^\s*$`},
	"acronym":           {"", "", `^[a-z0-9_]{4,}$`},
	"days":              {"", "", `^\d+$`},
	"timeslot_duration": {"", "", `^\d\d:\d\d$`},
	"time_zone_name":    {"", "", `^\S+$`},
	"end":               {"", "", `^\d{4}-\d\d-\d\d$`},
	"day":               {"room", "date! start! end! index!", `^\s*$`},
	"room":              {"event", "name guid", ""},
	"event": {"room! title! subtitle type! date! start! duration! abstract! slug track! persons language description links url",
		"id! guid!", `^\s*$`},
	"title": {}, "subtitle": {}, "type": {}, "language": {}, "abstract": {}, "description": {}, "links": {},
	"track":    {"", "name color", ""},
	"date":     {"", "", `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$`},
	"start":    {"", "", `^([0-2]\d:[0-5]\d(:[0-5]\d)?|\d{4}-\d\d-\d\d)$`},
	"duration": {"", "", `^\d{1,2}:\d\d(:\d{1,2})?$`},
	"slug":     {"", "", `^[a-z0-9]{4,}-[0-9]{1,6}-[a-z0-9_-]{4,}$`},
	"persons":  {"person", "", `^\s*$`},
	"person":   {"", "id guid", `.`},
}

var attributeForms = map[string]string{"id": `^[1-9]\d*$`, "index": `^[1-9]\d*$`,
	"guid": `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`, "color": `^#[0-9a-fA-F]{6}$`}

// check tells what of an element is not as the format has it.
func (n *node) check(tell func(format string, args ...any)) {
	rule, known := elements[n.XMLName.Local]
	if !known {
		tell("an element %s", n.XMLName.Local)
	}
	if rule.form != "" && !regexp.MustCompile(rule.form).MatchString(n.Text) {
		tell("%s is %q", n.XMLName.Local, n.Text)
	}
	present := map[string]bool{}
	for _, a := range n.Attrs {
		present[a.Name.Local] = true
		if !slices.Contains(strings.Fields(strings.ReplaceAll(rule.attributes, "!", "")), a.Name.Local) {
			tell("%s has %s", n.XMLName.Local, a.Name.Local)
		}
		if form := attributeForms[a.Name.Local]; form != "" && !regexp.MustCompile(form).MatchString(a.Value) {
			tell("%s of %s is %q", a.Name.Local, n.XMLName.Local, a.Value)
		}
	}
	for _, child := range n.Children {
		present[child.XMLName.Local] = true
		if !slices.Contains(strings.Fields(strings.ReplaceAll(rule.children, "!", "")), child.XMLName.Local) {
			tell("%s has %s", n.XMLName.Local, child.XMLName.Local)
		}
		child.check(tell)
	}
	for _, name := range strings.Fields(rule.children + " " + rule.attributes) {
		if name, must := strings.CutSuffix(name, "!"); must && !present[name] {
			tell("%s has no %s", n.XMLName.Local, name)
		}
	}
}

func TestTheScheduleKeepsToItsFormat(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _ := conference(t, f)
		body := d.get(t, d.home+"/schedule.xml")
		keepFor(t, "schedule.xml", body)
		keepFor(t, "schedule.json", d.get(t, d.home+"/schedule.json"))
		keepFor(t, "calendar.ics", d.get(t, d.home+"/calendar.ics"))
		var root node
		modelstest.Fine(t, xml.Unmarshal([]byte(body), &root))
		root.check(t.Errorf)
		unique := map[string]bool{}
		for _, day := range root.Children {
			for _, room := range day.Children {
				for _, event := range room.Children {
					for _, key := range []string{"id " + event.attribute("id"), "guid " + event.attribute("guid")} {
						if event.XMLName.Local == "event" && unique[key] {
							t.Errorf("%s is there twice", key)
						}
						unique[key] = true
					}
				}
			}
		}
		says(t, body, []string{`<day index="2" date="2027-10-31" start="2027-10-31T00:00:00+01:00" end="2027-11-01T00:00:00Z">`,
			`<date>2027-10-31T01:30:00Z</date>`, `<time_zone_name>Europe/Lisbon</time_zone_name>`, `color="#AA3300"`}, nil)
		var read struct {
			Schedule struct {
				Conference struct {
					Days  int   `json:"daysCount"`
					Rooms []any `json:"rooms"`
					List  []struct {
						Rooms map[string][]map[string]any `json:"rooms"`
					} `json:"days"`
				} `json:"conference"`
			} `json:"schedule"`
		}
		modelstest.Fine(t, json.Unmarshal([]byte(d.get(t, d.home+"/schedule.json")), &read))
		c := read.Schedule.Conference
		if c.Days != 2 || len(c.List) != 2 || len(c.Rooms) != 2 || len(c.List[0].Rooms["Hall"]) != 4 {
			t.Errorf("schedule.json is %+v", c)
		}
	})
}

// TestAScheduleTellsOfPeopleAsOthersReadThem has what apps look for in a person, a track and a room, and no address.
func TestAScheduleTellsOfPeopleAsOthersReadThem(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		ada := modelstest.Must(f.Programme().Session(t.Context(), shown.ID))(t).Participants[0].ContactID
		modelstest.Must(f.Programme().Directory().SetPhoto(t.Context(), ada, face(t, color.White)))(t)
		type person struct {
			GUID       string  `json:"guid"`
			PublicName string  `json:"public_name"`
			Name       string  `json:"name"`
			Biography  string  `json:"biography"`
			Avatar     *string `json:"avatar"`
			URL        string  `json:"url"`
			JobTitle   string  `json:"job_title"`
			Company    string  `json:"company"`
		}
		read := func(address string) (c struct {
			Rooms  []struct{ Name, Slug string }
			Tracks []struct{ Name, Slug, Color string }
			Days   []struct {
				Rooms map[string][]struct{ Persons []person }
			}
		},
		) {
			body := d.get(t, address)
			lacks(t, address+" tells an address", body, "@example.org", "MARKER", "email")
			var file struct{ Schedule struct{ Conference any } }
			file.Schedule.Conference = &c
			modelstest.Fine(t, json.Unmarshal([]byte(body), &file))
			return c
		}
		c := read(d.home + "/schedule.json")
		if len(c.Tracks) != 1 || c.Tracks[0].Name != "Web" || c.Tracks[0].Slug != "1-web" ||
			!look.IsColor(c.Tracks[0].Color) ||
			len(c.Rooms) != 1 || c.Rooms[0].Slug != "1-hall" {
			t.Errorf("rooms and tracks are %+v %+v", c.Rooms, c.Tracks)
		}
		got := c.Days[0].Rooms["Hall"][0].Persons[0]
		if got.PublicName != "Ada Čapek" || got.Name != got.PublicName || got.Biography != "<p>Sails <i>far</i></p>" ||
			got.Company != "Harbour Inc" || got.JobTitle != "Pilot" || got.GUID != ada {
			t.Errorf("somebody is %+v", got)
		}
		if got.Avatar == nil || !strings.HasPrefix(*got.Avatar, "https://") || !strings.HasPrefix(got.URL, base+"/events/") {
			t.Errorf("somebody's photo is at %v, their page at %s", got.Avatar, got.URL)
		} else if response, _ := d.ask(t, strings.TrimPrefix(got.URL, base)); response.StatusCode != http.StatusOK {
			t.Errorf("%s answers %d", got.URL, response.StatusCode)
		}
		// An embed tells what it shows alone.
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(embed.Agenda)})
		got = read("/embeds/" + e.ID + ".json").Days[0].Rooms["Hall"][0].Persons[0]
		if got.Biography != "" || got.Avatar != nil ||
			got.Company != "" || got.JobTitle != "" || got.PublicName != "Ada Čapek" {
			t.Errorf("an embed tells %+v", got)
		}
		// What was exported carries them into another event.
		got = c.Days[0].Rooms["Hall"][0].Persons[0]
		file := d.get(t, d.home+"/schedule.json")
		schedule := modelstest.Must(frab.Parse(strings.NewReader(file), time.UTC))(t)
		p := schedule.Events[0].Persons[0]
		if p.Biography != got.Biography || p.Company != got.Company || p.JobTitle != got.JobTitle {
			t.Errorf("it is read as %+v", p)
		}
	})
}

// The published schemas, where they lie beside the repository: they are others' work.
func TestThePublishedSchemaAcceptsTheSchedule(t *testing.T) {
	schema := modelstest.Must(filepath.Abs("../../../shared/data/schedule.xml.xsd"))(t)
	if _, err := os.Stat(schema); err != nil {
		t.Skip("the published schema of schedule.xml is not part of this repository")
	}
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("there is no xmllint; libxml2-utils has it")
	}
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _ := conference(t, f)
		check := exec.Command("xmllint", "--noout", "--schema", schema, "-")
		check.Stdin = strings.NewReader(d.get(t, d.home+"/schedule.xml"))
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
}
