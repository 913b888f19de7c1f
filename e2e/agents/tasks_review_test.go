package agents

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lectern/models/store"
)

var (
	goesOn = regexp.MustCompile(`… \[\d+ of \d+ chars, offset (\d+) goes on\]$`)
	tag    = regexp.MustCompile(`<[^>]*>`)
)

// letters are a text without what stands between its words.
func letters(text string) string { return strings.Join(strings.Fields(text), "") }

// labelsIn are the labels of the rows of an answer, in order.
func labelsIn(answer object) []any { return column(answer, "friendly_id") }

// reviewTasks ask about what came in.
var reviewTasks = []task{
	{"How many submissions are pending in each track?", 1, 150,
		func(a *asker) any {
			return some(a.ask("list_submissions", object{"status": "pending", "count_by": "track"})["counts"])
		},
		func(w *world) any {
			return counted(those(w.abstracts, status("pending")), func(r *record) string { return nameOf(r.Track) })
		}},
	{"Which pending submissions are in “{track}”?", 1, 1200,
		func(a *asker) any {
			found := a.ask("list_submissions", object{"status": "pending", "track": a.the["track"], "limit": 100})
			return sorted(labelsIn(found))
		},
		func(w *world) any {
			return sorted(labels(those(w.abstracts, status("pending"), inTrack(w.the["track"]))))
		}},
	{"Which submissions changed after {since}?", 1, 1450,
		func(a *asker) any {
			return sorted(labelsIn(a.ask("list_submissions", object{"updated_since": a.the["since"], "limit": 100})))
		},
		func(w *world) any {
			return sorted(labels(those(w.abstracts, func(r *record) bool { return r.UpdatedAt > w.the["since"] })))
		}},
	{"How many submissions are pending, and when were the ten latest changed?", 1, 1550,
		func(a *asker) any {
			found := a.ask("list_submissions", object{"status": "pending", "limit": 10})
			return []any{found["pagination"].(object)["totalResults"], column(found, "updated_at")}
		},
		func(w *world) any {
			pending := those(w.abstracts, status("pending"))
			latest := sorted(store.Map(pending, func(r *record) string { return r.UpdatedAt }))
			slices.Reverse(latest)
			return []any{len(pending), latest[:min(len(latest), 10)]}
		}},
	{"Did somebody hand in “{subject}” already?", 1, 250,
		func(a *asker) any {
			return labelsIn(a.ask("list_submissions", object{"text": `"` + a.the["subject"] + `"`}))
		},
		func(w *world) any {
			return labels(those(w.abstracts, func(r *record) bool { return r.Title == w.the["subject"] }))
		}},
	{"Who stands on {composed}, and how are they reached?", 1, 700,
		func(a *asker) any { return people(a.ask("get_submission", object{"submission_id": a.the["composed"]})) },
		func(w *world) any {
			out := [][]any{}
			for _, p := range w.record(w.the["composed"]).Participants {
				out = append(out, []any{p.Name, p.Email, p.Company})
			}
			return out
		}},
	{"What does {answered} answer to the questions of the call?", 1, 1600,
		func(a *asker) any {
			return a.ask("get_submission", object{"submission_id": a.the["answered"]})["custom_fields"]
		},
		func(w *world) any { return w.record(w.the["answered"]).CustomFields }},
	{"What does {long} say, from beginning to end?", 3, 3750,
		func(a *asker) any {
			arguments, whole := object{"submission_id": a.the["long"]}, ""
			for {
				part := a.ask("get_submission", arguments)["description"].(string)
				whole += goesOn.ReplaceAllString(part, "")
				more := goesOn.FindStringSubmatch(part)
				if more == nil {
					return letters(whole)
				}
				arguments["offset"], _ = strconv.Atoi(more[1])
			}
		},
		func(w *world) any {
			return letters(html.UnescapeString(tag.ReplaceAllString(w.record(w.the["long"]).Description, " ")))
		}},
	{"Into which session was {composed} composed?", 1, 700,
		func(a *asker) any {
			return a.ask("get_submission", object{"submission_id": a.the["composed"]})["composed_into"].(object)["friendly_id"]
		},
		func(w *world) any { return w.record(w.the["composed"]).Composition.Target.Label }},
	{"Which submissions are to be declined?", 1, 1850,
		func(a *asker) any {
			return sorted(column(a.ask("list_submissions", object{"status": "decline_queue", "limit": 100}), "title"))
		},
		func(w *world) any {
			return sorted(store.Map(those(w.abstracts, status("decline_queue")), func(r *record) string { return r.Title }))
		}},
	{"How many talks and workshops were accepted?", 1, 100,
		func(a *asker) any {
			return some(a.ask("list_submissions", object{"status": "accepted", "count_by": "format"})["counts"])
		},
		func(w *world) any {
			return counted(those(w.abstracts, status("accepted")), func(r *record) string { return nameOf(r.Format) })
		}},
	{"How far is the decision about “{track}”?", 1, 100,
		func(a *asker) any {
			found := a.ask("list_submissions", object{"track": a.the["track"], "count_by": "status"})
			return some(found["counts"])
		},
		func(w *world) any {
			return counted(those(w.abstracts, inTrack(w.the["track"])), func(r *record) string { return r.Status })
		}},
	{"What else did {author} hand in?", 1, 400,
		func(a *asker) any {
			return sorted(labelsIn(a.ask("list_submissions", object{"text": a.the["author"]})))
		},
		func(w *world) any { return sorted(labels(those(w.abstracts, by(w.the["author"])))) }},
}

// people are those of a submission in full.
func people(submission object) [][]any {
	out := [][]any{}
	for _, p := range submission["participants"].([]any) {
		out = append(out, []any{p.(object)["name"], p.(object)["email"], p.(object)["company"]})
	}
	return out
}
