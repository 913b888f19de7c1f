package call

import (
	"net/http"

	"lectern/models/store"
	"lectern/models/tasks"
	pages "lectern/views/pages/call/public"
	"lectern/web/answers"
)

// taskSent is what was sent to a task but not saved, which its page shows.
type taskSent struct {
	refused, name string // why a file was refused, as a sentence, and the file's name
	form          *answers.State
}

// task reads the task of the path, as the speaker has it.
func (v *visit) task() (*tasks.Sheet, error) {
	return v.tasks().One(v.ctx(), v.Params("task"), v.Params("owner"))
}

// showTask shows one task; with check it says which questions are missing.
func showTask(v *visit) error {
	s, err := v.task()
	if err != nil {
		return err
	}
	return v.taskPage(http.StatusOK, s, taskSent{})
}

func (v *visit) taskPage(status int, s *tasks.Sheet, sent taskSent) error {
	t := s.Task
	p := pages.TaskPage{Public: v.sheet(t.Title), Back: v.path("place/tasks"), Action: v.taskAt(s.Deliverable),
		Title: t.Title, Instructions: t.Instructions, State: string(s.State), Kind: string(t.Kind),
		IsFixed: isFixed(s),
		File:    pages.TaskFile{Question: t.Question(), Refused: sent.refused, Name: sent.name}}
	if !v.Reads() {
		p.Link, p.Comment = v.Value("url"), v.Value("text")
		p.Lost = v.notAsked(s)
	}
	if p.Optional = s.IsMissing() && !t.IsRequired; s.IsMissing() {
		p.Due = v.taskDue(s.Deliverable)
	} else {
		p.Said = v.taskSaid(s.Deliverable, true)
	}
	v.taskOf(&p, s)
	if s.State == tasks.Changes || s.State == tasks.Waived {
		p.Words, p.WordBy, p.WordAt = s.Words, s.By, v.writtenAt(s.StateAt)
	}
	v.taskVersions(&p, s)
	for _, c := range s.Comments {
		p.Comments = append(p.Comments, pages.TaskComment{Who: c.Author, When: v.writtenAt(c.CreatedAt), Text: c.Text,
			IsOfStaff: c.IsOfStaff()})
	}
	p.Scripts = []string{pages.SizeScript}
	if t.Kind == tasks.File {
		p.Scripts = append(p.Scripts, pages.UploadScript)
	}
	if t.Kind == tasks.Form {
		if err := v.taskForm(&p, s, sent.form); err != nil {
			return err
		}
	}
	if sent.refused != "" || p.Form != nil && len(p.Form.Faults.Faults) > 0 {
		p.Public.Title = v.T("form.error", "Title", t.Title)
	}
	return v.Render(status, pages.Task(p))
}

// taskOf says which session a task belongs to, and who else has it.
func (v *visit) taskOf(p *pages.TaskPage, s *tasks.Sheet) {
	if s.SessionID == nil {
		return
	}
	p.For, p.ForURL = s.Owner, v.path("place/proposals", *s.SessionID)
	var others []string
	for _, person := range s.People {
		if person.ID != v.place.ContactID() {
			others = append(others, "\u2068"+person.Name+"\u2069") // isolates the text direction of the name
		}
	}
	if len(others) > 0 {
		p.Together = v.T("task.together", "People", v.List(others))
	}
}

// taskVersions lists what was handed in, the latest first, and who can open it.
func (v *visit) taskVersions(p *pages.TaskPage, s *tasks.Sheet) {
	for _, one := range s.Versions {
		row := pages.TaskVersion{ID: one.ID, Number: one.Number, Name: one.URL, URL: one.URL, IsLink: one.URL != "",
			IsLatest: one == s.Latest(), CanCount: one != s.Latest() && !p.IsFixed,
			When: v.writtenAt(one.CreatedAt), Who: one.Author}
		if f := one.File; f != nil {
			row.Name, row.URL, row.Size = f.Name, p.Action+"/versions/"+one.ID, v.size(f.Size)
		}
		p.Versions = append(p.Versions, row)
	}
	switch {
	case s.Task.IsPublic:
		p.ReadBy = v.T("task.readpublic")
	case s.SessionID != nil:
		p.ReadBy = v.T("task.readsession")
	default:
		p.ReadBy = v.T("task.readown")
	}
}

// writtenAt formats a moment by the event's clock: "9 April 2027, 21:40".
func (v *visit) writtenAt(at store.Time) string {
	there := at.In(v.event.Location())
	return v.Date(there) + ", " + v.TimeOf(there)
}

// isFixed tells whether a task accepts nothing any more.
func isFixed(s *tasks.Sheet) bool { return s.State == tasks.Approved || s.State == tasks.Waived }

// notAsked returns what was typed into fields that are gone: the task was changed or approved meanwhile.
func (v *visit) notAsked(s *tasks.Sheet) (lost []pages.LostAnswer) {
	if text := v.Value("url"); text != "" && (s.Task.Kind != tasks.Link || isFixed(s)) {
		lost = append(lost, pages.LostAnswer{Label: v.T("task.link"), Text: text})
	}
	return lost
}
