package agents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// world is a conference as the REST API shows it.
type world struct {
	*Site
	key, path string
	agent     *Agent
	event     struct{ ID, Name, Slug, Timezone string }
	zone      *time.Location
	sessions  []*record // of the programme
	abstracts []*record
	rooms     []place
	the       map[string]string // what questions name
	// At the time that questions name, a room that is blocked, and one whose session is withdrawn.
	blocked, freed string
}

type named struct{ Name string }

// place is a room.
type place struct {
	ID       string
	Name     string
	Capacity int
}

// record is a session or a submission.
type record struct {
	ID           string
	Label        string `json:"friendly_id"`
	Title        string
	Description  string
	Status       string
	IsPublic     bool       `json:"is_public"`
	StartsAt     *time.Time `json:"starts_at"`
	EndsAt       *time.Time `json:"ends_at"`
	UpdatedAt    string     `json:"updated_at"`
	Track        *named
	Room         *named
	Format       *named
	CustomFields []struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	} `json:"custom_fields"`
	Participants []struct {
		Name    string `json:"full_name"`
		Email   string
		Company string `json:"company_name"`
	}
	Composition struct{ Target *record } `json:"composition_status"`
	Gate        struct {
		Reasons []struct{ Message string }
	} `json:"publish_gate"`
}

// read asks the REST API below the event.
func (w *world) read(method, path, body string, into any) {
	w.T.Helper()
	modelstest.Fine(w.T, json.Unmarshal([]byte(canonical(w.T, w.Ok(w.key, method, path, body))), into))
}

// newWorld reads a conference that is served.
func newWorld(s *Site, key string) *world {
	s.T.Helper()
	w := &world{Site: s, key: key, agent: s.Agent(Keyed(key)), the: map[string]string{}}
	var events struct {
		Results []struct{ ID, Name, Slug, Timezone string }
	}
	w.read("GET", "/v1/events", "", &events)
	w.event, w.path = events.Results[0], "/v1/event/"+events.Results[0].ID
	w.zone = modelstest.Must(time.LoadLocation(w.event.Timezone))(s.T)
	var rooms struct{ Results []place }
	w.read("GET", w.path+"/rooms?pageSize=100", "", &rooms)
	w.rooms = rooms.Results
	w.readSessions()
	w.choose()
	w.trouble()
	w.readSessions()
	return w
}

func (w *world) readSessions() {
	w.T.Helper()
	w.sessions, w.abstracts = w.all(`{"is_abstract": false}`), w.all(`{"is_abstract": true}`)
}

// trouble takes two rooms that are free at the time that questions name: it blocks one, and puts a withdrawn session
// into the other.
func (w *world) trouble() {
	w.T.Helper()
	at := modelstest.Must(time.ParseInLocation("2006-01-02T15:04", w.the["time"], w.zone))(w.T)
	in := counted(those(w.sessions, w.during(w.the["time"])), func(r *record) string { return nameOf(r.Room) })
	free := slices.DeleteFunc(slices.Clone(w.rooms), func(p place) bool { return in[p.Name] > 0 })
	w.blocked, w.freed = free[0].Name, free[1].Name
	w.Block(w.event.Slug, free[0].ID, at.Add(-time.Hour), at.Add(time.Hour))
	w.Ok(w.key, "POST", w.path+"/sessions/create", canonical(w.T, object{"title": "Called off", "status": "withdrawn",
		"room_id": free[1].ID, "starts_at": at, "ends_at": at.Add(time.Hour)}))
}

// all reads the records that pass filters.
func (w *world) all(filters string) (found []*record) {
	w.T.Helper()
	for page := 1; ; page++ {
		var part struct{ Results []*record }
		w.read("POST", w.path+"/sessions/search", `{"pageSize": 100, "page": `+canonical(w.T, page)+`, "filters": `+filters+
			`, "sort": {"order": "friendlyId", "sort": "asc"}}`, &part)
		found = append(found, part.Results...)
		if len(part.Results) < 100 {
			return found
		}
	}
}

// record reads a session or submission as it is now.
func (w *world) record(label string) *record {
	w.T.Helper()
	var r record
	w.read("GET", w.path+"/sessions/"+label+"?expand=publish_gate", "", &r)
	return &r
}

// wall returns a time as clocks at the conference show it, "" for nil.
func (w *world) wall(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.In(w.zone).Format("2006-01-02T15:04")
}

func (w *world) day(r *record) string {
	day, _, _ := strings.Cut(w.wall(r.StartsAt), "T")
	return day
}

// those returns the records for which all conditions hold.
func those(all []*record, hold ...func(*record) bool) []*record {
	return slices.DeleteFunc(slices.Clone(all), func(r *record) bool {
		return slices.ContainsFunc(hold, func(holds func(*record) bool) bool { return !holds(r) })
	})
}

func status(wanted ...string) func(*record) bool {
	return func(r *record) bool { return slices.Contains(wanted, r.Status) }
}

func inTrack(name string) func(*record) bool {
	return func(r *record) bool { return nameOf(r.Track) == name }
}
func inRoom(name string) func(*record) bool {
	return func(r *record) bool { return nameOf(r.Room) == name }
}

func (w *world) on(day string) func(*record) bool {
	return func(r *record) bool { return w.day(r) == day }
}

func by(name string) func(*record) bool {
	return func(r *record) bool { return slices.Contains(r.names(), name) }
}

// during holds for records that take place at a time, given as clocks at the conference show it.
func (w *world) during(at string) func(*record) bool {
	return func(r *record) bool {
		starts, ends := w.wall(r.StartsAt), w.wall(r.EndsAt)
		return starts != "" && starts <= at && (at < ends || ends == "" && at == starts)
	}
}

// roomID returns the id of a room by its name.
func (w *world) roomID(name string) string {
	return w.rooms[slices.IndexFunc(w.rooms, func(p place) bool { return p.Name == name })].ID
}

func isUnscheduled(r *record) bool { return r.StartsAt == nil }
func isPrivate(r *record) bool     { return !r.IsPublic }

// nameOf returns a name, "(none)" for nil, as counts do.
func nameOf(n *named) string {
	if n == nil {
		return "(none)"
	}
	return n.Name
}

func (r *record) names() []string {
	names := []string{}
	for _, p := range r.Participants {
		names = append(names, p.Name)
	}
	return names
}

// byStart puts records in the order of their start.
func byStart(all []*record) []*record {
	return slices.SortedStableFunc(slices.Values(all), func(a, b *record) int { return a.StartsAt.Compare(*b.StartsAt) })
}

// labels returns the labels of records, in order.
func labels(all []*record) []string {
	return store.Map(all, func(r *record) string { return r.Label })
}

// counted counts records by what a function returns for them.
func counted(all []*record, of func(*record) string) map[string]int {
	out := map[string]int{}
	for _, r := range all {
		out[of(r)]++
	}
	return out
}

// most returns the name with the highest count, the first of several.
func most(counts map[string]int) string {
	return slices.MaxFunc(sortedKeys(counts), func(a, b string) int {
		return cmp.Or(counts[a]-counts[b], strings.Compare(b, a))
	})
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// sorted returns words in order.
func sorted[T any](words []T) []string {
	out := store.Map(words, func(word T) string { return fmt.Sprint(word) })
	slices.Sort(out)
	return out
}
