package call

import (
	"log/slog"
	"strconv"
	"time"

	"lectern/models/call"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/layouts"
	pages "lectern/views/pages/call/public"
	"lectern/web/request"
)

// tasks returns the place's tasks at the event.
func (v *visit) tasks() *tasks.SpeakerTasks { return tasks.ForSpeaker(v.place, v.event) }

// myTasks returns the speaker's tasks at the event. The menu counts them and pages list them, so they are read once per
// request.
func (v *visit) myTasks() ([]*tasks.SpeakerTask, error) {
	if !v.hasTasks {
		mine, err := v.tasks().All(v.ctx())
		if err != nil {
			return nil, err
		}
		v.mine, v.hasTasks = mine, true
	}
	return v.mine, nil
}

// tasksLink returns the link to the tasks, with how many are to be done; none where there are none. A page whose tasks
// cannot be read just lacks the link.
func (v *visit) tasksLink() []layouts.SiteLink {
	mine, err := v.myTasks()
	if err != nil {
		slog.Error("the tasks of a place were not read", "request_id", request.ID(v.Context()), "error", err.Error())
	}
	if len(mine) == 0 {
		return nil
	}
	name := v.T("task.title")
	if open := missing(mine); open > 0 {
		name = v.T("task.titleof", "Open", open)
	}
	return []layouts.SiteLink{v.link(name, "place/tasks")}
}

// missing counts the tasks that are still to be done.
func missing(mine []*tasks.SpeakerTask) (n int) {
	for _, m := range mine {
		if m.IsMissing() {
			n++
		}
	}
	return n
}

// showTasks lists the speaker's tasks at the event.
func showTasks(v *visit) error {
	list, err := v.taskList()
	if err != nil {
		return err
	}
	return v.Show(pages.Tasks(pages.TasksPage{Public: v.sheet(v.T("task.title")), Tasks: list}))
}

// taskList returns the speaker's tasks at the event: what is to be done first, by due date, then what is done.
func (v *visit) taskList() (pages.TaskList, error) {
	mine, err := v.myTasks()
	list := pages.TaskList{Open: missing(mine)}
	if err != nil {
		return list, err
	}
	own, err := v.ownAsked(mine)
	if err != nil {
		return list, err
	}
	for _, m := range mine {
		row := pages.TaskRow{Title: m.Task.Title, URL: v.taskAt(m.Deliverable), State: string(m.State), For: m.Title}
		row.Optional = m.IsMissing() && !m.Task.IsRequired
		if m.IsMissing() {
			row.Due, row.Takes = v.taskDue(m.Deliverable), v.taskTakes(m.Task, own)
		} else {
			row.Said = v.taskSaid(m.Deliverable, false)
		}
		list.Rows = append(list.Rows, row)
	}
	return list, nil
}

// taskAt returns the address of a deliverable.
func (v *visit) taskAt(d *tasks.Deliverable) string {
	return v.path("place/tasks", d.TaskID, d.OwnerID())
}

// ownAsked returns the form of what each speaker is asked, if an unfinished task asks its questions, else nil.
func (v *visit) ownAsked(mine []*tasks.SpeakerTask) (*call.Form, error) {
	for _, m := range mine {
		if m.Task.Kind == tasks.Form && m.IsMissing() {
			form, err := call.FormOf(v.ctx(), v.w.store, v.event)
			if store.KindOf(err) == store.NotFound {
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			return form.Of(call.OfSpeaker), nil
		}
	}
	return nil, nil
}

// taskTakes says what a task asks for: files up to a size, a link, or a number of questions.
func (v *visit) taskTakes(t *tasks.Task, own *call.Form) string {
	switch t.Kind {
	case tasks.File:
		return pages.Takes(v.Language, t.Question())
	case tasks.Link:
		return v.T("task.islink")
	case tasks.Form:
		if own == nil {
			return ""
		}
		if part := own.Part(t.PartID); part != nil {
			return v.N("task.questions", len(part.Questions))
		}
	}
	return ""
}

// taskDue says when a task is due, and how close that is by the event's calendar; nil without a due date.
func (v *visit) taskDue(d *tasks.Deliverable) *pages.TaskDue {
	due, now := d.Due(), v.w.store.Now()
	if due == nil {
		return nil
	}
	zone := v.event.Location()
	day := func(at time.Time) string { return at.In(zone).Format(time.DateOnly) }
	s := &pages.TaskDue{Moment: v.moment(*due, v.event), Before: v.T("task.due")}
	switch {
	case d.IsLate(now):
		s.Is, s.Before = "late", v.T("task.wasdue")
	case day(due.Time) == day(now.Time):
		s.Is, s.Before = "soon", v.T("task.duetoday")
	case day(due.Time) == day(now.In(zone).AddDate(0, 0, 1)):
		s.Is, s.Before = "soon", v.T("task.duetomorrow")
	}
	return s
}

// taskSaid words the state of a task that is done; atLength adds what comes next.
func (v *visit) taskSaid(d *tasks.Deliverable, atLength bool) string {
	day := v.DayOfYear(d.StateAt.In(v.event.Location()))
	said := ""
	switch {
	case d.State == tasks.Waived:
		return v.T("task.waived")
	case d.State == tasks.Approved:
		said = v.T("task.approvedon", "Day", day)
		if atLength {
			said += " " + v.T("task.nothingleft")
		}
	case d.IsToCheck():
		said = v.T("task.handedon", "Day", day)
		if atLength {
			said += " " + v.T("task.looknext")
		}
	default:
		said = v.T("task.doneon", "Day", day)
	}
	return said
}

// size words the size of a file.
func (v *visit) size(bytes int64) string {
	switch mb := float64(bytes) / (1 << 20); {
	case mb >= 10:
		return v.T("file.mb", "N", strconv.Itoa(int(mb+0.5)))
	case mb >= 1:
		return v.T("file.mb", "N", v.Decimal(mb))
	}
	return v.T("file.kb", "N", max(1, bytes>>10))
}

// taskVersion sends the file of a version.
func taskVersion(v *visit) error {
	return v.SaveFile(v.tasks().File(v.ctx(), v.Params("task"), v.Params("owner"), v.Params("version")))
}
