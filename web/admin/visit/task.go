package visit

import (
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/components"
	"lectern/views/records"
)

// TasksOf returns the event's tasks.
func (v *Visit) TasksOf() *tasks.Tasks { return tasks.Of(v.Programme) }

// BoardOfTasks reads the board of the event's tasks, and keeps its number of deliverables to check for ToCheck.
func (v *Visit) BoardOfTasks() (*tasks.Board, error) {
	b, err := v.TasksOf().Board(v.UserContext())
	if err == nil {
		v.toCheck = new(int64(b.Count(tasks.ToCheck, "")))
	}
	return b, err
}

// ToCheck returns how many deliverables of an event wait for staff, read once per request.
func (v *Visit) ToCheck(of *models.Programme) (int64, error) {
	if v.toCheck == nil {
		n, err := tasks.Of(of).ToCheck(v.UserContext())
		if err != nil {
			return 0, err
		}
		v.toCheck = &n
	}
	return *v.toCheck, nil
}

// TaskAt returns the address of a deliverable.
func (v *Visit) TaskAt(d *tasks.Deliverable) string {
	return v.At("/tasks/" + d.TaskID + "/" + d.OwnerID())
}

// taskBadges show the states of deliverables in the colours and icons of session statuses.
var taskBadges = map[tasks.State]records.TaskBadge{
	tasks.Open:     {Look: "draft", Icon: "circle-dashed", Name: "Open"},
	tasks.Done:     {Look: "accepted", Icon: "check", Name: "Done"},
	tasks.Changes:  {Look: "decline_queue", Icon: "pencil", Name: "Changes asked"},
	tasks.Approved: {Look: "accepted", Icon: "check", Name: "Approved"},
	tasks.Waived:   {Look: "withdrawn", Icon: "minus", Name: "Waived"},
}

// TaskBadge returns the badge of a deliverable.
func TaskBadge(d *tasks.Deliverable, now store.Time) records.TaskBadge {
	switch {
	case d.IsToCheck():
		return records.TaskBadge{Look: "accept_queue", Icon: "inbox", Name: "To check"}
	case d.State == tasks.Open && d.IsLate(now):
		return records.TaskBadge{Look: "declined", Icon: "triangle-alert", Name: "Late"}
	}
	return taskBadges[d.State]
}

// TaskRow returns a deliverable of a board in words.
func (v *Visit) TaskRow(b *tasks.Board, d *tasks.Deliverable) records.TaskRow {
	row := v.BareTaskRow(d, b.Now)
	row.Label, row.Owner = b.Called(d)
	if row.Asked = b.IsAsked(d); d.SessionID != nil {
		row.People = strings.Join(b.Names(d), ", ")
	}
	return row
}

// BareTaskRow is TaskRow without what only a board knows.
func (v *Visit) BareTaskRow(d *tasks.Deliverable, now store.Time) records.TaskRow {
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

// TaskClock formats a due date in the event's zone.
func (v *Visit) TaskClock(due store.Time) string { return due.In(v.Zone()).Format("2 Jan 2006, 15:04") }

// farFrom says how far away a due date is: "in 2 days", "3 days late"; "" beyond 30 days.
func farFrom(left time.Duration) string {
	switch {
	case left < 0:
		return Lasted(-left) + " late"
	case left > 30*24*time.Hour:
		return ""
	}
	return "in " + Lasted(left)
}

// TasksOfSession returns the deliverables of a session and of the submissions that it is made of, for its page. It does
// not check who may see them, which the caller must: what is handed in may be private.
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

// TasksOfPerson returns a person's own deliverables and those of their sessions; as with TasksOfSession, the caller
// checks who may see them.
func (v *Visit) TasksOfPerson(id string) (*records.TaskPart, error) {
	b, some, err := v.TasksOf().OfPerson(v.UserContext(), id)
	if err != nil {
		return nil, err
	}
	b.Tasks = slices.DeleteFunc(b.Tasks, func(t *tasks.Task) bool { return t.AskedOf == tasks.OfSession }) // of sessions
	return v.taskPart(b, some, id, v.At("/speakers/"+id)), nil
}

// taskPart returns some deliverables for the page of their owner, with the board's tasks that the owner does not have
// yet.
func (v *Visit) taskPart(b *tasks.Board, of []*tasks.Deliverable, owner, back string) *records.TaskPart {
	p := &records.TaskPart{Action: v.At("/tasks/give"), Owner: owner, Back: back}
	had := map[*tasks.Task]bool{}
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
