package agents

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models/store"
)

// pause is a break of the agenda, or a blocked room.
type pause struct {
	StartsAt  time.Time `json:"starts_at"`
	EndsAt    time.Time `json:"ends_at"`
	RoomID    *string   `json:"room_id"`
	IsPlenary bool      `json:"is_plenary"`
}

// freeHalfHour is when the first half hour begins, between 9:00 and 18:00 of the day, with nothing in the room; "" where
// there is none.
func (w *world) freeHalfHour() string {
	var busy [][2]string
	at := func(t time.Time) string { return w.wall(&t) }
	for _, r := range w.today() {
		busy = append(busy, [2]string{at(*r.StartsAt), at(*r.EndsAt)})
	}
	var pauses struct{ Results []pause }
	w.read("GET", w.path+"/breaks?pageSize=100", "", &pauses)
	for _, p := range pauses.Results {
		if p.IsPlenary || p.RoomID == nil || *p.RoomID == w.roomID(w.the["room"]) {
			busy = append(busy, [2]string{at(p.StartsAt), at(p.EndsAt)})
		}
	}
	starts := []string{w.the["day"] + "T09:00"}
	for _, b := range busy {
		starts = append(starts, b[1])
	}
	slices.Sort(starts)
	for _, from := range starts {
		until := later(w.T, from, 30*time.Minute)
		if from >= w.the["day"]+"T09:00" && until <= w.the["day"]+"T18:00" &&
			!slices.ContainsFunc(busy, func(b [2]string) bool { return b[0] < until && from < b[1] }) {
			return from
		}
	}
	return ""
}

// askFreeHalfHour asks for the same.
func (a *asker) askFreeHalfHour() string {
	found := rows(a.ask("find_free_slots", object{"day": a.the["day"], "room": a.the["room"], "minutes": 30,
		"from": "09:00", "until": "18:00"}))
	from, _, _ := strings.Cut(found[0]["free"].([]any)[0].(string), "–")
	return a.the["day"] + "T" + from
}

// fiveMinutes are the day of a time as clocks show it, and when five minutes from then on begin and end.
func fiveMinutes(t testing.TB, at string) (day, from, until string) {
	day, from, _ = strings.Cut(at, "T")
	_, until, _ = strings.Cut(later(t, at, 5*time.Minute), "T")
	return day, from, until
}

// freeNow are the rooms that are free at the time: not the one that is blocked, but the one whose session is withdrawn.
func (w *world) freeNow() []string {
	w.T.Helper()
	day, from, until := fiveMinutes(w.T, w.the["time"])
	var found struct{ Results []struct{ Room named } }
	w.read("GET", w.path+"/free?pageSize=100&minutes=5&day="+day+"&from="+from+"&until="+until, "", &found)
	free := []string{}
	for _, r := range found.Results {
		free = append(free, r.Room.Name)
	}
	if slices.Contains(free, w.blocked) || !slices.Contains(free, w.freed) {
		w.T.Errorf("%s is blocked and the session in %s withdrawn, and free are %q", w.blocked, w.freed, free)
	}
	return sorted(free)
}

// today is what is in the room on the day.
func (w *world) today() []*record {
	return byStart(those(w.sessions, isTimed, w.on(w.the["day"]), inRoom(w.the["room"])))
}

// agendaTasks ask about the programme.
var agendaTasks = []task{
	{"What is on in {room} on {day}?", 1, 1300,
		func(a *asker) any {
			return labelsIn(a.ask("search_schedule", object{"day": a.the["day"], "room": a.the["room"], "limit": 100}))
		},
		func(w *world) any { return labels(w.today()) }},
	{"What is on at {time}?", 1, 3850,
		func(a *asker) any {
			return sorted(labelsIn(a.ask("search_schedule", object{"at": a.the["time"], "limit": 100})))
		},
		func(w *world) any { return sorted(labels(those(w.sessions, w.during(w.the["time"])))) }},
	{"Which rooms are free at {time}?", 1, 250,
		func(a *asker) any {
			day, from, until := fiveMinutes(a.t, a.the["time"])
			return sorted(column(a.ask("find_free_slots", object{"day": day, "from": from, "until": until, "minutes": 5}),
				"room"))
		},
		func(w *world) any { return w.freeNow() }},
	{"Which sessions have no time yet?", 1, 850,
		func(a *asker) any {
			return sorted(labelsIn(a.ask("search_schedule", object{"scheduled": false, "limit": 100})))
		},
		func(w *world) any { return sorted(labels(those(w.sessions, isUnscheduled))) }},
	{"When and where is “{title}”, and who speaks?", 1, 200,
		func(a *asker) any {
			row := rows(a.ask("search_schedule", object{"text": `"` + a.the["title"] + `"`}))[0]
			return []any{row["starts_at"], row["room"], row["speakers"]}
		},
		func(w *world) any {
			r := w.record(w.the["session"])
			return []any{w.wall(r.StartsAt), nameOf(r.Room), r.names()}
		}},
	{"Which rooms hold 100 people or more?", 1, 1500,
		func(a *asker) any {
			large := []string{}
			for _, room := range rows(a.ask("list_rooms", nil)) {
				if seats, _ := room["capacity"].(float64); seats >= 100 {
					large = append(large, room["name"].(string))
				}
			}
			return sorted(large)
		},
		func(w *world) any {
			large := []string{}
			for _, room := range w.rooms {
				if room.Capacity >= 100 {
					large = append(large, room.Name)
				}
			}
			return sorted(large)
		}},
	{"When does {day} begin, and when does its last session start?", 2, 350,
		func(a *asker) any {
			first := a.ask("search_schedule", object{"day": a.the["day"], "limit": 1})
			last := a.ask("search_schedule", object{"day": a.the["day"], "limit": 1,
				"page": first["pagination"].(object)["totalPages"]})
			return []any{rows(first)[0]["starts_at"], rows(last)[0]["starts_at"]}
		},
		func(w *world) any {
			day := byStart(those(w.sessions, isTimed, w.on(w.the["day"])))
			return []any{w.wall(day[0].StartsAt), w.wall(day[len(day)-1].StartsAt)}
		}},
	{"When is half an hour free in {room} on {day}?", 1, 250,
		func(a *asker) any { return a.askFreeHalfHour() },
		func(w *world) any { return w.freeHalfHour() }},
	{"When and where does {speaker} speak?", 1, 300,
		func(a *asker) any {
			found := a.ask("search_schedule", object{"speaker": a.the["speaker"], "scheduled": true})
			return []any{column(found, "friendly_id"), column(found, "starts_at"), column(found, "room")}
		},
		func(w *world) any {
			all, at, where := byStart(those(w.sessions, isTimed, by(w.the["speaker"]))), []string{}, []string{}
			for _, r := range all {
				at, where = append(at, w.wall(r.StartsAt)), append(where, nameOf(r.Room))
			}
			return []any{labels(all), at, where}
		}},
	{"How is {speaker} reached, and what are they on?", 2, 650,
		func(a *asker) any {
			found := rows(a.ask("search_speakers", object{"query": a.the["speaker"]}))[0]
			one := a.ask("get_speaker", object{"speaker_id": found["id"]})
			on := []string{}
			for _, s := range one["sessions"].([]any) {
				on = append(on, s.(object)["friendly_id"].(string))
			}
			return []any{one["email"], one["company"], sorted(on)}
		},
		func(w *world) any {
			on := those(slices.Concat(w.sessions, w.abstracts), by(w.the["speaker"]))
			p := on[0].Participants[slices.Index(on[0].names(), w.the["speaker"])]
			return []any{p.Email, p.Company, sorted(labels(on))}
		}},
	{"What keeps {held} from being public?", 1, 550,
		func(a *asker) any {
			return a.ask("get_submission", object{"submission_id": a.the["held"]})["publishing_held_by"]
		},
		func(w *world) any {
			why := []string{}
			for _, reason := range w.record(w.the["held"]).Gate.Reasons {
				why = append(why, reason.Message)
			}
			return why
		}},
	{"How does {day} begin: the first 25 sessions?", 1, 3250,
		func(a *asker) any {
			return column(a.ask("get_schedule", object{"day": a.the["day"], "limit": 25}), "starts_at")
		},
		func(w *world) any {
			day := byStart(those(w.sessions, isTimed, w.on(w.the["day"])))
			return store.Map(day[:min(len(day), 25)], func(r *record) string { return w.wall(r.StartsAt) })
		}},
}
