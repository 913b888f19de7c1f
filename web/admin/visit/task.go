package visit

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/models/task"
	"lectern/views/components"
	"lectern/views/records"
)

// TasksOf is the handle of the event's tasks.
func (v *Visit) TasksOf() *task.Tasks { return task.Of(v.Programme) }

// BoardOfTasks is the board of the event's tasks, which says how many are to be checked, too.
func (v *Visit) BoardOfTasks() (*task.Board, error) {
	b, err := v.TasksOf().Board(v.UserContext())
	if err == nil {
		v.toCheck = new(int64(b.Count(task.ToCheck, "")))
	}
	return b, err
}

// ToCheck is how many deliverables of an event staff have to look at, asked once for a page.
func (v *Visit) ToCheck(of *models.Programme) (int64, error) {
	if v.toCheck == nil {
		n, err := task.Of(of).ToCheck(v.UserContext())
		if err != nil {
			return 0, err
		}
		v.toCheck = &n
	}
	return *v.toCheck, nil
}

// TaskAt is the address of a deliverable.
func (v *Visit) TaskAt(d *task.Deliverable) string {
	return v.At("/tasks/" + d.TaskID + "/" + d.OwnerID())
}

// taskBadges are how far deliverables are, in the colours and icons of statuses.
var taskBadges = map[task.State]records.TaskBadge{
	task.Open:     {Look: "draft", Icon: "circle-dashed", Name: "Open"},
	task.Done:     {Look: "accepted", Icon: "check", Name: "Done"},
	task.Changes:  {Look: "decline_queue", Icon: "pencil", Name: "Changes asked"},
	task.Approved: {Look: "accepted", Icon: "check", Name: "Approved"},
	task.Waived:   {Look: "withdrawn", Icon: "minus", Name: "Waived"},
}

// TaskBadge is the badge of a deliverable.
func TaskBadge(d *task.Deliverable, now store.Time) records.TaskBadge {
	switch {
	case d.IsToCheck():
		return records.TaskBadge{Look: "accept_queue", Icon: "inbox", Name: "To check"}
	case d.State == task.Open && d.IsLate(now):
		return records.TaskBadge{Look: "declined", Icon: "triangle-alert", Name: "Late"}
	}
	return taskBadges[d.State]
}

// TaskRow is a deliverable of a board in words.
func (v *Visit) TaskRow(b *task.Board, d *task.Deliverable) records.TaskRow {
	row := v.BareTaskRow(d, b.Now)
	row.Label, row.Owner = b.Called(d)
	if row.Asked = b.IsAsked(d); d.SessionID != nil {
		row.People = strings.Join(b.Names(d), ", ")
	}
	return row
}

// BareTaskRow is TaskRow without what a board knows.
func (v *Visit) BareTaskRow(d *task.Deliverable, now store.Time) records.TaskRow {
	row := records.TaskRow{URL: v.TaskAt(d), Task: d.Task.Title, Badge: TaskBadge(d, now), IsLate: d.IsLate(now),
		Extended: d.DueAt != nil}
	if d.RemindedAt != nil && d.IsMissing() {
		row.Reminded = "reminded " + Ago(*d.RemindedAt, now.Time)
	}
	if due := d.Due(); due != nil {
		if row.Due = v.TaskClock(*due); d.IsMissing() {
			row.Far = farFrom(due.Sub(now.Time))
		}
	}
	return row
}

// TaskClock is when something is due, by the clock of the event.
func (v *Visit) TaskClock(due store.Time) string { return due.In(v.Zone()).Format("2 Jan 2006, 15:04") }

// farFrom says how far away a due date is: "in 2 days", "3 days late"; "" of one that nobody thinks of yet.
func farFrom(left time.Duration) string {
	switch {
	case left < 0:
		return Lasted(-left) + " late"
	case left > 30*24*time.Hour:
		return ""
	}
	return "in " + Lasted(left)
}

// VersionWords are the latest version of a deliverable in a row.
func VersionWords(row *records.TaskRow, latest *task.Version) {
	if latest == nil {
		return
	}
	row.Version, row.File = "Version "+strconv.Itoa(latest.Number), latest.URL
	if latest.File != nil {
		row.File = latest.File.Name
	}
}

// TasksOfSession are those of a session and of what it is made of, for its page. Who calls it asks whether somebody may
// see them: what is handed in may be private.
func (v *Visit) TasksOfSession(id string) (*records.TaskPart, error) {
	b, some, err := v.TasksOf().OfSession(v.UserContext(), id)
	if err != nil {
		return nil, err
	}
	p := v.taskPart(b, some, id, v.At("/sessions/"+id))
	for i, d := range some {
		if d.OwnerID() == id {
			p.Rows[i].Label = "" // the page says whose it is
		}
	}
	return p, nil
}

// TasksOfPerson are those that somebody has of their own and of sessions, as TasksOfSession.
func (v *Visit) TasksOfPerson(id string) (*records.TaskPart, error) {
	b, some, err := v.TasksOf().OfPerson(v.UserContext(), id)
	if err != nil {
		return nil, err
	}
	b.Tasks = slices.DeleteFunc(b.Tasks, func(t *task.Task) bool { return t.AskedOf == task.OfSession }) // which sessions have
	return v.taskPart(b, some, id, v.At("/speakers/"+id)), nil
}

// taskPart are some deliverables on the page of whom they are of, with the tasks of the board that they have not.
func (v *Visit) taskPart(b *task.Board, of []*task.Deliverable, owner, back string) *records.TaskPart {
	p := &records.TaskPart{Action: v.At("/tasks/give"), Owner: owner, Back: back}
	had := map[*task.Task]bool{}
	for _, d := range of {
		had[d.Task] = true
		p.Rows = append(p.Rows, v.TaskRow(b, d))
	}
	for _, t := range b.Tasks {
		if !had[t] {
			p.Give = append(p.Give, components.Option{Value: t.ID, Name: t.Title})
		}
	}
	return p
}
