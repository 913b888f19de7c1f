package agents

import (
	"slices"
	"testing"
	"time"

	"lectern/models/modelstest"
)

// statusOf returns the status of a submission, and when it was changed.
func (w *world) statusOf(label string) any {
	r := w.record(label)
	return []any{r.Status, r.UpdatedAt}
}

// move sets the status of a submission, as it was read.
func (a *asker) move(label, status string) any {
	read := rows(a.ask("list_submissions", object{"text": label, "limit": 1}))[0]
	moved := a.ask("update_submission", object{"submission_id": label, "status": status, "updated_at": read["updated_at"]})
	return []any{status, moved["updated_at"]}
}

// changeTasks change something, each a record that no other does.
var changeTasks = []task{
	{"Take up a submission for “{track}”: “What the harbour master wrote down”, 30 minutes, and say what is like it.",
		1, 215, func(a *asker) any {
			made := a.ask("capture_abstract", object{"title": "What the harbour master wrote down", "track": a.the["track"],
				"custom_fields": object{"length": "30 minutes"}})
			return []any{made["friendly_id"], made["status"], a.the["track"], "30 minutes", len(made["similar"].([]any)) == 0}
		},
		func(w *world) any {
			all := w.all(`{"is_abstract": true, "text": "\"What the harbour master wrote down\""}`)
			r := all[0]
			return []any{r.Label, "pending", nameOf(r.Track), r.CustomFields[0].Value, len(all) == 1}
		}},
	{"Put {submission} among those to be accepted.", 2, 450,
		func(a *asker) any { return a.move(a.the["submission"], "accept_queue") },
		func(w *world) any { return w.statusOf(w.the["submission"]) }},
	{"Take {queued} back from those to be accepted.", 2, 450,
		func(a *asker) any { return a.move(a.the["queued"], "pending") },
		func(w *world) any { return w.statusOf(w.the["queued"]) }},
	{"Give {unscheduled} half an hour in {room} on {day}, and say what it collides with.", 2, 450,
		func(a *asker) any {
			starts := a.askFreeHalfHour()
			placed := a.ask("schedule_session", object{"session_id": a.the["unscheduled"], "room": a.the["room"],
				"starts_at": starts, "ends_at": later(a.t, starts, 30*time.Minute)})
			return []any{starts, later(a.t, starts, 30*time.Minute), a.the["room"], len(placed["conflicts"].([]any))}
		},
		func(w *world) any {
			r := w.record(w.the["unscheduled"])
			collides := w.Ok(w.key, "GET", w.path+"/sessions/"+r.Label+"/conflicts", "")
			return []any{w.wall(r.StartsAt), w.wall(r.EndsAt), nameOf(r.Room), len(collides["results"].([]any))}
		}},
	{"Let {session} begin five minutes later.", 2, 450,
		func(a *asker) any {
			was := rows(a.ask("search_schedule", object{"text": a.the["session"], "limit": 1}))[0]
			moved := later(a.t, was["starts_at"].(string), 5*time.Minute)
			a.ask("schedule_session", object{"session_id": a.the["session"], "starts_at": moved,
				"updated_at": was["updated_at"]})
			return []any{moved, later(a.t, was["ends_at"].(string), 5*time.Minute), was["room"]}
		},
		func(w *world) any {
			r := w.record(w.the["session"])
			return []any{w.wall(r.StartsAt), w.wall(r.EndsAt), nameOf(r.Room)}
		}},
	{"Put {other} into the largest room.", 2, 1750,
		func(a *asker) any {
			largest := slices.MaxFunc(rows(a.ask("list_rooms", nil)), func(x, y object) int {
				return int(x["capacity"].(float64) - y["capacity"].(float64))
			})
			a.ask("schedule_session", object{"session_id": a.the["other"], "room": largest["name"]})
			return largest["name"]
		},
		func(w *world) any {
			seats := map[string]int{}
			for _, room := range w.rooms {
				seats[room.Name] = room.Capacity
			}
			now := nameOf(w.record(w.the["other"]).Room)
			if now != most(seats) {
				return "not the largest: " + now
			}
			return now
		}},
	{"{withdrawn} is withdrawn. Say what changed since you began.", 4, 600,
		func(a *asker) any {
			cursor := a.ask("list_changes", nil)["cursor"]
			a.move(a.the["withdrawn"], "withdrawn")
			changed := []any{}
			for _, row := range a.ask("list_changes", object{"since": cursor})["results"].([]any) {
				changed = append(changed, row.(object)["friendly_id"], row.(object)["status"])
			}
			return changed
		},
		func(w *world) any {
			r := w.record(w.the["withdrawn"])
			return []any{r.Label, r.Status}
		}},
	{"By which call of the REST API would a session be published?", 1, 2200,
		func(a *asker) any {
			for _, row := range a.ask("get_openapi", nil)["operations"].([]any) {
				if o := row.(object); o["operationId"] == "updateSession" {
					return []any{o["method"], o["path"], o["summary"]}
				}
			}
			return nil
		},
		func(w *world) any {
			paths := w.Ok(w.key, "GET", "/v1/openapi.json", "")["paths"].(object)
			const path = "/v1/event/{eventId}/sessions/{sessionId}"
			return []any{"PUT", path, paths[path].(object)["put"].(object)["summary"]}
		}},
}

// later moves on a time, given as clocks show it.
func later(t testing.TB, at string, by time.Duration) string {
	t.Helper()
	const form = "2006-01-02T15:04"
	was := modelstest.Must(time.Parse(form, at))(t)
	return was.Add(by).Format(form)
}
