package tasks

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/components"
	pages "lectern/views/pages/tasks"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func newTaskForm(v *visit.Visit) error {
	fresh := v.TasksOf().New(tasks.Change{})
	e := page.Opened(store.Time{}, taskFields(v, fresh))
	return taskPage(v, http.StatusOK, nil, pages.FormPage{Kind: string(fresh.Kind), Whose: string(fresh.AskedOf)}, e)
}

func editTaskForm(v *visit.Visit, t *tasks.Task) error {
	return taskPage(v, http.StatusOK, t, pages.FormPage{}, page.Opened(t.UpdatedAt, taskFields(v, t)))
}

// taskPage shows the form of a task; t is nil for a new one.
func taskPage(v *visit.Visit, status int, t *tasks.Task, p pages.FormPage, e *page.Edit) error {
	v.Section = v.At("/tasks")
	p.New, p.Action, p.Cancel, p.CallURL = t == nil, v.At("/tasks/new"), v.At("/tasks/list"), v.At("/call")
	heading := "New task"
	if t != nil {
		heading = t.Title
		p.Action, p.Delete = v.At("/tasks/"+t.ID+"/edit"), v.At("/tasks/"+t.ID+"/delete")
		p.Kind, p.Whose = string(t.Kind), string(t.AskedOf)
		p.Give = v.At("/tasks/" + t.ID + "/give")
		p.About = kindNames[t.Kind] + " · of " + whoseNames[t.AskedOf]
	}
	p.Zone = page.City(v.Event.Timezone)
	p.Twice = page.Twice(e.Of("due_at"), v.Zone())
	if err := taskChoices(v, &p, e); err != nil {
		return err
	}
	if err := preview(v, t, &p, e); err != nil {
		return err
	}
	v.NameFaults(e)
	v.Faults.Call("kind", "What they hand in")
	v.Faults.Call("asked_of", "Who does it")
	p.Edit = e.Shown()
	return visit.Show(v, status, heading, pages.Form, p)
}

// taskChoices fills in the form's options.
func taskChoices(v *visit.Visit, p *pages.FormPage, e *page.Edit) error {
	var err error
	if p.Parts, err = partChoices(v, e.Of("part")); err != nil {
		return err
	}
	for _, kind := range call.FileKinds {
		p.FileKinds = append(p.FileKinds, components.Option{Value: string(kind.FileKind), Name: kind.Name,
			Chosen: slices.Contains(store.Lines(e.Of("file_kinds")), string(kind.FileKind))})
	}
	p.Roles = visit.Choices(models.ParticipantRoles, visit.Named, store.Lines(e.Of("roles"))...)
	p.Statuses = visit.Choices(tasks.Statuses, visit.Named, store.Lines(e.Of("statuses"))...)
	for _, f := range []struct {
		family models.Family
		to     *[]components.Option
	}{{models.Formats, &p.Formats}, {models.Tracks, &p.Tracks}, {models.Levels, &p.Levels}, {models.Tags, &p.Tags}} {
		if *f.to, err = v.FamilyOptions(f.family, store.Lines(e.Of(string(f.family)))...); err != nil {
			return err
		}
	}
	return nil
}

// partChoices returns the sections of the call's form that a task can ask for.
func partChoices(v *visit.Visit, chosen string) ([]components.Option, error) {
	parts, err := v.TasksOf().Parts(v.UserContext())
	return visit.Choices(parts, func(part *call.Part) (string, string) { return part.ID, part.Title }, chosen), err
}

// preview says who gets the task with the filters that the form has now, even if its other fields are not filled in
// yet.
func preview(v *visit.Visit, t *tasks.Task, p *pages.FormPage, e *page.Edit) error {
	c, _ := changeOf(e, tasks.Tick)
	c.DueAt = nil
	c.Kind, c.AskedOf, c.Title, c.Instructions = new(tasks.Tick), new(tasks.Whose(p.Whose)), new("…"), new("")
	id := ""
	if t != nil {
		id = t.ID
	}
	b, err := v.TasksOf().Preview(v.UserContext(), id, c)
	if store.KindOf(err) == store.Invalid {
		p.Preview.Fault = "Nobody can tell who gets it. " + components.Sentence(page.FaultsOf(err)[0])
		return nil
	}
	if err != nil {
		return err
	}
	if given := b.Given(); len(given) > 0 {
		p.Given = "Given to " + visit.Number(int64(len(given))) + " by now."
	}
	n, people := int64(len(b.All)), int64(len(b.People))
	switch {
	case n == 0:
		p.Preview.Says = "Nobody gets it now. Whoever fits it later has it at once."
	case p.Whose == string(tasks.OfSession):
		p.Preview.Says = visit.Counted(n, "session has", "sessions have") + " it, with " +
			visit.Counted(people, "person", "people") + "."
	default:
		p.Preview.Says = visit.Counted(n, "person gets it.", "people get it.")
	}
	for _, d := range b.All[:min(len(b.All), visit.TitlesShown)] {
		label, name := b.Called(d)
		p.Preview.Names = append(p.Preview.Names, strings.TrimSpace(label+" "+name))
	}
	p.Preview.More = visit.AndMore(n, len(p.Preview.Names))
	return nil
}

func makeTask(v *visit.Visit) error {
	e := v.Sent(store.Time{}, taskFields(v, v.TasksOf().New(tasks.Change{})))
	p := pages.FormPage{Kind: v.Value("kind"), Whose: v.Value("asked_of")}
	again := func(status int) error { return taskPage(v, status, nil, p, e) }
	if v.Value("preview") != "" {
		return again(http.StatusOK)
	}
	kind, whose := tasks.Kind(p.Kind), tasks.Whose(p.Whose)
	c, err := changeOf(e, kind)
	c.Kind, c.AskedOf = &kind, &whose
	var made *tasks.Task
	if err == nil {
		made, err = visit.Made(v, func(ctx context.Context) (*tasks.Task, error) { return v.TasksOf().Create(ctx, c) },
			func(t *tasks.Task) string { return v.At("/tasks?task=" + t.ID) })
	}
	switch text := "“" + visit.Cut(*c.Title) + "” is there. "; {
	case err != nil:
		return v.Again(err, again)
	case *c.OnlyGiven:
		return v.See(v.At("/tasks/"+made.ID+"/give"), text+"Choose who has it.")
	default:
		return v.See(v.At("/tasks/list"), text+"Whom it is for has it from now on.")
	}
}

func editTask(v *visit.Visit, t *tasks.Task) error {
	e := v.Sent(t.UpdatedAt, taskFields(v, t))
	again := func(status int) error { return taskPage(v, status, t, pages.FormPage{}, e) }
	if v.Value("preview") != "" {
		return again(http.StatusOK)
	}
	c, err := changeOf(e, t.Kind)
	if err == nil {
		c.UpdatedAt = e.Token
		_, err = v.TasksOf().Save(v.UserContext(), t.ID, c)
	}
	if err != nil {
		return v.Unsaved(err, e, t.ID, v.At("/tasks/"+t.ID+"/edit"), again)
	}
	return v.See(v.At("/tasks/list"), "“"+visit.Cut(*c.Title)+"” is saved.")
}

func deleteTask(v *visit.Visit, t *tasks.Task) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	err = v.TasksOf().Delete(v.UserContext(), t.ID, &token)
	if store.KindOf(err) == store.Stale {
		return v.SeeWarning(v.At("/tasks/"+t.ID+"/delete"), err.Error())
	}
	return v.Done(err, v.At("/tasks/list"), "“"+visit.Cut(t.Title)+"” is deleted.")
}
