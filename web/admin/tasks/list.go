package tasks

import (
	"net/http"
	"slices"
	"strconv"

	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/tasks"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// theTask reads the task of the path.
func theTask(v *visit.Visit) (*tasks.Task, error) {
	v.Section = v.At("/tasks")
	return v.TasksOf().Task(v.UserContext(), v.Params("task"))
}

// kindNames say what tasks ask for, and whoseNames whom they ask.
var (
	kindNames = map[tasks.Kind]string{tasks.Tick: "A tick", tasks.Form: "A form", tasks.File: "A file", tasks.Link: "A link"}

	whoseNames = map[tasks.Whose]string{tasks.OfSpeaker: "each person", tasks.OfSession: "each session"}
)

// listTasks shows the tasks, each with its progress.
func listTasks(v *visit.Visit) error {
	b, err := v.BoardOfTasks()
	if err != nil {
		return err
	}
	v.Section = v.At("/tasks")
	p := pages.ListPage{Base: v.At("/tasks"), Tabs: tabs(v, b, "list")}
	p.Rows = store.Map(b.Tasks, func(t *tasks.Task) pages.Defined { return defined(v, b, t) })
	return visit.Show(v, http.StatusOK, title, pages.List, p)
}

func defined(v *visit.Visit, b *tasks.Board, t *tasks.Task) pages.Defined {
	of := v.At("/tasks?task=" + t.ID)
	row := pages.Defined{ID: t.ID, Title: t.Title, Kind: kindNames[t.Kind], Whom: whoseNames[t.AskedOf],
		Optional: !t.IsRequired, Public: t.IsPublic, Finished: b.Count(tasks.Finished, t.ID),
		All: b.Count(tasks.Everything, t.ID), URL: of}
	if t.DueAt != nil {
		row.Due = v.TaskClock(*t.DueAt)
	}
	row.Says = strconv.Itoa(row.Finished) + " of " + strconv.Itoa(row.All)
	if row.All == 0 {
		row.Says = "Nobody has it now"
	}
	for _, w := range []struct {
		show tasks.Show
		text string
	}{{tasks.ToCheck, "to check"}, {tasks.Late, "late"}, {tasks.Asked, "to answer"}} {
		if n := b.Count(w.show, t.ID); n > 0 {
			row.Waits = append(row.Waits, pages.Waits{Text: visit.Number(int64(n)) + " " + w.text,
				URL: of + "&show=" + string(w.show), IsLate: w.show == tasks.Late})
		}
	}
	return row
}

// moveTask moves a task up or down among all.
func moveTask(v *visit.Visit, t *tasks.Task) error {
	step, err := strconv.Atoi(v.Value("step"))
	if err != nil {
		return page.OldForm
	}
	all, err := v.TasksOf().All(v.UserContext())
	if err != nil {
		return err
	}
	from := slices.IndexFunc(all, func(one *tasks.Task) bool { return one.ID == t.ID })
	to := min(max(step, 1), len(all)) - 1
	if err := v.TasksOf().Move(v.UserContext(), t.ID, to); err != nil {
		return err
	}
	text := "“" + visit.Cut(t.Title) + "” is number " + strconv.Itoa(to+1) + " of " + strconv.Itoa(len(all)) + " now."
	if v.Value("undo") != "" {
		return v.See(v.At("/tasks/list#task-"+t.ID), text)
	}
	return v.SeeUndo(v.At("/tasks/list#task-"+t.ID), text, v.At("/tasks/"+t.ID+"/move"),
		components.Hidden{Name: "step", Value: strconv.Itoa(from + 1)}, components.Hidden{Name: "undo", Value: "yes"})
}

// askDelete asks for confirmation, and says what is deleted with a task.
func askDelete(v *visit.Visit, t *tasks.Task) error {
	n, err := v.TasksOf().HandedIn(v.UserContext(), t.ID)
	if err != nil {
		return err
	}
	here := v.At("/tasks/" + t.ID)
	p := layouts.ConfirmPage{Action: here + "/delete", Cancel: here + "/edit", Verb: "Delete the task",
		Text:   "Nobody has handed in anything yet.",
		Hidden: []components.Hidden{{Name: "updated_at", Value: t.UpdatedAt.String()}}}
	if n > 0 {
		one, many := "session", "sessions"
		if t.AskedOf == tasks.OfSpeaker {
			one, many = "person", "people"
		}
		p.Text = visit.Counted(n, one+" has", many+" have") + " handed in something. It goes with the task:"
		p.Points = []string{"Files and links, with all their versions, and what was said about them.",
			"Files are gone for good 30 days later."}
	}
	return v.Ask("Delete the task “"+visit.Cut(t.Title)+"”?", p)
}
