package tasks

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/models/task"
	"lectern/views/components"
	pages "lectern/views/pages/tasks"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func newTaskForm(v *visit.Visit) error {
	fresh := v.TasksOf().New(task.Change{})
	return taskPage(v, http.StatusOK, nil, pages.FormPage{Form: valuesOf(v, fresh)})
}

func editTaskForm(v *visit.Visit, t *task.Task) error {
	values := valuesOf(v, t)
	return taskPage(v, http.StatusOK, t, pages.FormPage{Form: values, Was: values, UpdatedAt: t.UpdatedAt.String()})
}

// taskPage shows the form of a task; t is nil for a new one.
func taskPage(v *visit.Visit, status int, t *task.Task, p pages.FormPage) error {
	v.Section = v.At("/tasks")
	p.New, p.Action, p.Cancel, p.CallURL = t == nil, v.At("/tasks/new"), v.At("/tasks/list"), v.At("/call")
	heading := "New task"
	if t != nil {
		heading = t.Title
		p.Action, p.Delete = v.At("/tasks/"+t.ID+"/edit"), v.At("/tasks/"+t.ID+"/delete")
		p.Form.Kind, p.Form.Whose = string(t.Kind), string(t.AskedOf)
		p.Give = v.At("/tasks/" + t.ID + "/give")
		p.Kind, p.Whom = kindNames[t.Kind], "of "+whoseNames[t.AskedOf]
	}
	p.Zone = page.City(v.Event.Timezone)
	p.Twice = page.Twice(p.Form.Due, v.Zone())
	if err := taskChoices(v, &p); err != nil {
		return err
	}
	if err := preview(v, t, &p); err != nil {
		return err
	}
	for i, fault := range v.Faults {
		v.Faults[i].Label = labels[fault.Field]
	}
	return visit.Show(v, status, heading, pages.Form, p)
}

// taskChoices fills in the form's options.
func taskChoices(v *visit.Visit, p *pages.FormPage) error {
	parts, err := v.TasksOf().Parts(v.UserContext())
	if err != nil {
		return err
	}
	p.Parts = visit.Choices(parts, func(part *cfp.Part) (string, string) { return part.ID, part.Title }, p.Form.Part)
	for _, kind := range cfp.FileKinds {
		p.FileKinds = append(p.FileKinds, components.Option{Value: string(kind.FileKind), Name: kind.Name,
			Chosen: slices.Contains(store.Lines(p.Form.Kinds), string(kind.FileKind))})
	}
	p.Roles = visit.Choices(models.ParticipantRoles, func(r models.Role) (string, string) {
		return string(r), components.StatusName(string(r))
	}, store.Lines(p.Form.Roles)...)
	p.Statuses = visit.Choices(task.Statuses, func(s models.Status) (string, string) {
		return string(s), components.StatusName(string(s))
	}, store.Lines(p.Form.Statuses)...)
	for _, f := range []struct {
		to     *[]components.Option
		family models.Family
		chosen string
	}{{&p.Formats, models.Formats, p.Form.Formats}, {&p.Tracks, models.Tracks, p.Form.Tracks},
		{&p.Levels, models.Levels, p.Form.Levels}, {&p.Tags, models.Tags, p.Form.Tags}} {
		if *f.to, err = v.FamilyOptions(f.family, store.Lines(f.chosen)...); err != nil {
			return err
		}
	}
	return nil
}

// preview says who gets the task with the filters that the form has now, even if its other fields are not filled in
// yet.
func preview(v *visit.Visit, t *task.Task, p *pages.FormPage) error {
	c, _ := changeOf(v, p.Form, p.Form, task.Tick)
	c.Kind, c.AskedOf, c.Title, c.Instructions = new(task.Tick), new(task.Whose(p.Form.Whose)), new("…"), new("")
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
	case p.Form.Whose == string(task.OfSession):
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
	p := pages.FormPage{Form: sent(v, "")}
	again := func(status int) error { return taskPage(v, status, nil, p) }
	if v.Value("preview") != "" {
		return again(http.StatusOK)
	}
	kind, whose := task.Kind(p.Form.Kind), task.Whose(p.Form.Whose)
	c, err := changeOf(v, p.Form, pages.Values{}, kind)
	c.Kind, c.AskedOf = &kind, &whose
	made := ""
	if err == nil {
		err = v.Once(func(ctx context.Context) (string, error) {
			t, err := v.TasksOf().Create(ctx, c)
			if err != nil {
				return "", err
			}
			made = t.ID
			return v.At("/tasks?task=" + t.ID), nil
		})
	}
	switch text := "“" + visit.Cut(*c.Title) + "” is there. "; {
	case err != nil:
		return v.Again(err, again)
	case *c.OnlyGiven:
		return v.See(v.At("/tasks/"+made+"/give"), text+"Choose who has it.")
	default:
		return v.See(v.At("/tasks/list"), text+"Whom it is for has it from now on.")
	}
}

func editTask(v *visit.Visit, t *task.Task) error {
	p := pages.FormPage{Form: sent(v, ""), Was: sent(v, components.FirstPrefix), UpdatedAt: v.Value("updated_at")}
	again := func(status int) error { return taskPage(v, status, t, p) }
	p.Form.Whose = string(t.AskedOf)
	if v.Value("preview") != "" {
		return again(http.StatusOK)
	}
	c, err := changeOf(v, p.Form, p.Was, t.Kind)
	if err == nil {
		token, _ := store.ParseTime(p.UpdatedAt) // a missing token counts as stale
		c.UpdatedAt = &token
		_, err = v.TasksOf().Save(v.UserContext(), t.ID, c)
	}
	switch {
	case err == nil:
		return v.See(v.At("/tasks/list"), "“"+visit.Cut(*c.Title)+"” is saved.")
	case store.KindOf(err) == store.Stale:
		return editConflict(v, t, p)
	}
	return v.Again(err, again)
}

func editConflict(v *visit.Visit, t *task.Task, p pages.FormPage) (err error) {
	if err = taskChoices(v, &p); err != nil {
		return err
	}
	if p.Conflict, err = conflict(v, t, p); err != nil {
		return err
	}
	here := v.At("/tasks/" + t.ID + "/edit")
	p.Conflict.Action, p.Conflict.Discard = here, here
	return taskPage(v, http.StatusConflict, t, p)
}

func deleteTask(v *visit.Visit, t *task.Task) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	err = v.TasksOf().Delete(v.UserContext(), t.ID, &token)
	if store.KindOf(err) == store.Stale {
		v.KeepNotice("warn", err.Error())
		return v.See(v.At("/tasks/"+t.ID+"/delete"), "")
	}
	return v.Done(err, v.At("/tasks/list"), "“"+visit.Cut(t.Title)+"” is deleted.")
}
