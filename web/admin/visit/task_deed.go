package visit

import (
	"maps"

	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/web/page"
)

// taskDeeds are the verbs for what was done with a deliverable, by the state it was brought to.
var taskDeeds = map[tasks.State]string{tasks.Approved: "approved", tasks.Changes: "asked for changes to",
	tasks.Waived: "waived", tasks.Done: "marked as done", tasks.Open: "opened again"}

// TaskDeed says what a line of activity tells of a deliverable: "approved “Slides”"; "" for any other line.
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
		return taskDeeds[tasks.State(state)] + " " + name
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

// aboutTasks leaves of a line about tasks what its words do not say: of a deliverable the file, what staff wrote and
// the due date, of a task what was changed. It returns any other line as it is.
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

// changedTask makes a task's values readable, in place: it drops a title that did not change, and the lists of ids of
// who has the task.
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

// TellsOfTask tells whether a user may read the details of a line, beyond its words: what is handed in and said about
// it may be private. organizes is whether they organize the line's event.
func TellsOfTask(e *store.ActivityEntry, organizes bool) bool { return organizes || TaskDeed(e) == "" }
