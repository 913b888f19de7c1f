package visit

import (
	"maps"

	"lectern/models/store"
	"lectern/models/task"
	"lectern/web/page"
)

// taskDeeds are what becomes of a deliverable, by the state it is brought to.
var taskDeeds = map[task.State]string{task.Approved: "approved", task.Changes: "asked for changes to",
	task.Waived: "waived", task.Done: "marked as done", task.Open: "opened again"}

// TaskDeed is what a line of activity tells of a deliverable: "approved “Slides”"; "" of any other line.
func TaskDeed(e *store.ActivityEntry) string {
	title, _ := e.After["task"].(string)
	name := "“" + title + "”"
	state, moved := e.After["state"].(string)
	due, dated := e.After["due_at"]
	isGiven, given := e.After["is_given"]
	switch {
	case title == "":
		return ""
	case e.Action == "handed_in":
		return "handed in " + name
	case e.Action == "made_latest":
		return "made an earlier version of " + name + " the latest"
	case e.Action != "task":
		return ""
	case moved:
		return taskDeeds[task.State(state)] + " " + name
	case given && isGiven == true:
		return "gave " + name
	case given:
		return "took back " + name
	case dated && due != nil:
		return "gave another date for " + name
	case dated:
		return "took back the other date for " + name
	}
	return "changed " + name
}

// aboutTasks keeps of a line about tasks what its words do not say. Of a deliverable: which file, what staff wrote, and
// until when. Of a task: what was changed of it. Any other line stays as it is.
func aboutTasks(e *store.ActivityEntry) *store.ActivityEntry {
	if TaskDeed(e) == "" && e.Subject != "task" {
		return e
	}
	told := *e
	told.Before, told.After = maps.Clone(e.Before), maps.Clone(e.After)
	if e.Subject == "task" {
		changedTask(told.Before, told.After)
	} else {
		told.Before, told.After = map[string]any{}, map[string]any{}
		for _, field := range []string{"file", "words", "due_at"} {
			if e.After[field] != nil && e.After[field] != "" {
				told.After[field] = e.After[field]
			}
		}
		if told.After["due_at"] != nil {
			told.Before["due_at"] = e.Before["due_at"]
		}
	}
	return &told
}

// changedTask puts facts of a task into words: its title stands in each line, and who gets it is a list of ids.
func changedTask(was, is map[string]any) {
	if was["title"] == nil {
		delete(is, "title")
	}
	if is["filters"] != nil {
		was["filters"], is["filters"] = nil, "others than before"
	}
	for _, side := range []map[string]any{was, is} {
		if bytes, ok := side["max_bytes"].(float64); ok {
			side["max_bytes"] = page.Size(int64(bytes))
		}
	}
}

// TellsOfTask tells whether who holds a role at the event of a line reads what it says beside its words: what is handed
// in, and what is said of it, may be private.
func TellsOfTask(e *store.ActivityEntry, organizes bool) bool { return organizes || TaskDeed(e) == "" }
