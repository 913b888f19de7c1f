package agents

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// choose picks what questions name: what the conference has most of, or what comes first.
func (w *world) choose() {
	w.T.Helper()
	timed := those(w.sessions, isTimed)
	days := sortedKeys(counted(timed, w.day))
	today := byStart(those(timed, w.on(days[0])))
	room := most(counted(those(today, func(r *record) bool { return r.Room != nil }), func(r *record) string { return r.Room.Name }))
	here := those(today, inRoom(room), func(r *record) bool { return len(r.Participants) > 0 })
	session, other := here[len(here)/2], here[0]
	pending := those(w.abstracts, status("pending"))
	composed := those(w.abstracts, func(r *record) bool { return r.Composition.Target != nil && len(r.Participants) > 0 })
	changed := slices.SortedFunc(slices.Values(w.abstracts), func(a, b *record) int {
		return strings.Compare(b.UpdatedAt, a.UpdatedAt)
	})
	long := slices.MaxFunc(w.abstracts, func(a, b *record) int { return len(a.Description) - len(b.Description) })
	answered := those(w.abstracts, func(r *record) bool { return len(r.CustomFields) > 0 })
	busy := map[string]int{}
	for _, r := range timed {
		for _, name := range r.names() {
			busy[name]++
		}
	}
	w.the = map[string]string{"day": days[0], "room": room, "session": session.Label, "title": session.Title,
		"time": w.wall(new(session.StartsAt.Add(10 * time.Minute))), "other": other.Label,
		"track":  most(counted(pending, func(r *record) string { return nameOf(r.Track) })),
		"author": composed[0].Participants[0].Name, "composed": composed[0].Label, "speaker": most(busy),
		"submission": pending[0].Label, "subject": pending[0].Title, "withdrawn": pending[1].Label, "long": long.Label,
		"since": changed[10].UpdatedAt, "answered": answered[0].Label,
		"queued":      those(w.abstracts, status("accept_queue"))[0].Label,
		"unscheduled": those(w.sessions, isUnscheduled)[0].Label,
	}
	w.the["held"] = w.held(timed)
	for _, c := range w.conflicts("") {
		if c.With != nil {
			w.the["colliding"] = c.Session.Label
			return
		}
	}
}

// held returns the first session that the publish gate holds.
func (w *world) held(timed []*record) string {
	w.T.Helper()
	for _, r := range those(timed, isPrivate) {
		if len(w.record(r.Label).Gate.Reasons) > 0 {
			return r.Label
		}
	}
	w.T.Fatal("no session is held")
	return ""
}

// collision is of two sessions, or of one with something else.
type collision struct{ Session, With *collider }

type collider struct {
	Label string `json:"friendly_id"`
}

// conflicts reads a page of the agenda's conflicts.
func (w *world) conflicts(page string) []collision {
	w.T.Helper()
	var found struct{ Results []collision }
	w.read("GET", w.path+"/conflicts"+page, "", &found)
	return found.Results
}

var aKey = regexp.MustCompile(`API key\s+(\S+)`)

// demonstration serves the conference of `lectern demo`.
func demonstration(t *testing.T) *world {
	t.Helper()
	s := NewSite(t, "")
	s.Env = append(s.Env, "TMPDIR="+s.Data) // where its database is
	srv, said := s.Serve("demo"), ""
	for !aKey.MatchString(said) {
		line := modelstest.Must(srv.Stdout.ReadString('\n'))(t)
		said = line
	}
	databases, err := filepath.Glob(filepath.Join(s.Data, "lectern-demo*", "lectern.db"))
	if err != nil || len(databases) != 1 {
		t.Fatal(err, databases)
	}
	s.Env = append(s.Env, "LECTERN_DATABASE_URL=sqlite://"+databases[0])
	return newWorld(s, aKey.FindStringSubmatch(said)[1])
}

const (
	largeSessions = 700
	largeSpare    = 12 // of them have no time
	largeRooms    = 35
	largeTracks   = 14
)

// large serves a programme of 700 sessions, each with the submission it was made of, and 100 submissions more.
func large(t *testing.T, s *Site) *world {
	t.Helper()
	path, key := s.Conference()
	file := modelstest.Must(json.Marshal(largeProgramme()))(t)
	s.Run("import", File(s.T, "schedule.json", string(file)), "--event", "harbour", "--as-submissions")
	s.Serve("serve")
	var tracks struct{ Results []struct{ ID string } }
	w := &world{Site: s, key: key}
	w.read("GET", path+"/tracks?pageSize=100", "", &tracks)
	statuses := []string{"pending", "accept_queue", "pending", "decline_queue", "pending", "declined", "draft"}
	var first, last, spare, public []object
	for i := range 100 {
		data := object{"title": fmt.Sprintf("Proposal p%03dq on tides", i), "is_abstract": true, "status": statuses[i%7],
			"track_id": tracks.Results[i*i%largeTracks].ID, "custom_fields": object{"length": fmt.Sprint(20+i%3*10, " minutes")},
			"description": "<p>" + strings.Repeat(fmt.Sprintf("Tide %d comes and goes &amp; so do we. ", i), 300-2*i) + "</p>"}
		if first = append(first, object{"action": "create", "data": data}); i >= 90 {
			first, last = first[:90], append(last, object{"action": "create", "data": data})
		}
	}
	for i := range largeSpare {
		spare = append(spare, object{"action": "create", "data": object{"title": fmt.Sprint("Spare ", i)}})
	}
	for _, r := range w.in(path).all(`{"is_abstract": false, "scheduled": true}`)[:50] {
		public = append(public, object{"action": "update", "id": r.ID,
			"data": object{"is_public": true, "publish_override": true}})
	}
	for _, operations := range [][]object{spare, public, first, last} {
		s.Ok(key, "POST", path+"/sessions/bulk", canonical(t, object{"operations": operations}))
	}
	return newWorld(s, key)
}

func (w *world) in(path string) *world { w.path = path; return w }

// largeProgramme returns two days with every second half hour free in each room, but for a few long sessions.
func largeProgramme() object {
	rooms, tracks, days := []object{}, []object{}, []object{}
	for i := range largeRooms {
		rooms = append(rooms, object{"name": fmt.Sprintf("Hall %02d", i), "capacity": 30 + 20*i})
	}
	for i := range largeTracks {
		tracks = append(tracks, object{"name": fmt.Sprintf("Track of harbours %02d", i), "color": "#225588"})
	}
	for day := range 2 {
		in := map[string][]object{}
		for i := day; i < largeSessions-largeSpare; i += 2 {
			place := i/2 + i/40 // one of twenty is free
			slot, room := place/largeRooms, fmt.Sprintf("Hall %02d", place%largeRooms)
			at := fmt.Sprintf("%02d:00", 8+slot)
			in[room] = append(in[room], object{"id": i + 1, "guid": fmt.Sprintf("00000000-0000-4000-8000-%012d", i),
				"date": fmt.Sprintf("2027-05-%dT%s:00+01:00", 20+day, at), "start": at, "room": room,
				"duration": []string{"00:30", "01:15"}[max(0, i%97-95)], "type": []string{"Talk", "Talk", "Workshop"}[i%3],
				"title": fmt.Sprintf("Session s%03dt about harbours", i), "track": tracks[i/3%largeTracks]["name"],
				"abstract": "<p>" + strings.Repeat("Harbours, ledgers and the tide. ", 15) + "</p>",
				"persons":  []object{largePerson(i / 2), largePerson(600 + i%233)}[:1+i%5/4]})
		}
		days = append(days, object{"index": day + 1, "date": fmt.Sprint("2027-05-", 20+day), "rooms": in})
	}
	return object{"schedule": object{"conference": object{"title": "Harbour", "time_zone_name": "Europe/Lisbon",
		"rooms": rooms, "tracks": tracks, "days": days}}}
}

func largePerson(i int) object {
	return object{"id": i + 1, "name": fmt.Sprintf("Ada Fisker%04d", i), "company": fmt.Sprint("Quay ", i%50),
		"email": fmt.Sprintf("fisker%04d@example.org", i)}
}
