package agents

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	. "lectern/e2e/drive"
)

// some are the counts of an answer that are more than none.
func some(counts any) object {
	out := maps.Clone(counts.(object))
	maps.DeleteFunc(out, func(_ string, n any) bool { return n == 0.0 })
	return out
}

var aLabel = regexp.MustCompile(`[AS]-\d+`)

// stateTasks ask where the conference stands.
var stateTasks = []task{
	{"What is the conference called, in which time zone is it, and on which days are there sessions?", 1, 600,
		func(a *asker) any {
			o := a.ask("get_event_overview", nil)
			return []any{o["name"], o["timezone"], sortedKeys(some(o["days"]))}
		},
		func(w *world) any {
			days := counted(those(w.sessions, isTimed), w.day)
			return []any{w.event.Name, w.event.Timezone, sortedKeys(days)}
		}},
	{"How many submissions came in, and how many of them wait for a decision?", 1, 600,
		func(a *asker) any {
			all := a.ask("get_event_overview", nil)["submissions"].(object)
			open := 0.0
			for _, status := range undecided {
				n, _ := all["by_status"].(object)[status].(float64)
				open += n
			}
			return []any{all["total"], open}
		},
		func(w *world) any { return []any{len(w.abstracts), len(those(w.abstracts, status(undecided...)))} }},
	{"How many sessions start on each day?", 1, 600,
		func(a *asker) any { return some(a.ask("get_event_overview", nil)["days"]) },
		func(w *world) any { return counted(those(w.sessions, isTimed), w.day) }},
	{"How many sessions have no time yet, and how many are not public?", 1, 600,
		func(a *asker) any {
			programme := a.ask("get_event_overview", nil)["sessions"].(object)
			return []any{programme["unscheduled"], programme["unpublished"]}
		},
		func(w *world) any {
			return []any{len(those(w.sessions, isUnscheduled)), len(those(w.sessions, isPrivate))}
		}},
	{"Which track has the most sessions, and how many?", 1, 150,
		func(a *asker) any {
			counts := map[string]int{}
			for name, n := range a.ask("search_schedule", object{"count_by": "track"})["counts"].(object) {
				counts[name] = int(n.(float64))
			}
			return []any{most(counts), counts[most(counts)]}
		},
		func(w *world) any {
			counts := counted(w.sessions, func(r *record) string { return nameOf(r.Track) })
			return []any{most(counts), counts[most(counts)]}
		}},
	{"How many collisions has the agenda, and which sessions do the first ten concern?", 1, 750,
		func(a *asker) any {
			o := a.ask("get_event_overview", object{"conflicts": 10})
			return []any{o["conflicts"], sorted(aLabel.FindAllString(fmt.Sprint(o["first_conflicts"]), -1))}
		},
		func(w *world) any {
			concerned := []string{}
			for _, c := range w.conflicts("?pageSize=10") {
				concerned = append(concerned, c.labels()...)
			}
			return []any{Total(w.Ok(w.key, "GET", w.path+"/conflicts", "")), sorted(concerned)}
		}},
	{"With which sessions does {colliding} collide?", 1, 600,
		func(a *asker) any {
			one := a.ask("get_submission", object{"submission_id": a.the["colliding"]})
			return sorted(aLabel.FindAllString(fmt.Sprint(one["conflicts"]), -1))
		},
		func(w *world) any {
			with := []string{}
			for _, c := range w.conflicts("?pageSize=100") {
				if slices.Contains(c.labels(), w.the["colliding"]) {
					with = append(with, c.labels()...)
				}
			}
			return slices.DeleteFunc(sorted(with), func(label string) bool { return label == w.the["colliding"] })
		}},
}

var undecided = []string{"pending", "accept_queue", "decline_queue"}

func isTimed(r *record) bool { return r.StartsAt != nil }

// labels are those of what collides.
func (c *collision) labels() []string {
	if c.With == nil {
		return []string{c.Session.Label}
	}
	return []string{c.Session.Label, c.With.Label}
}
