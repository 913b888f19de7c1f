package call

import (
	"context"
	"net/http"
	"strings"

	"lectern/models/store"
	"lectern/models/tasks"
	pages "lectern/views/pages/call/public"
	"lectern/web/page"
)

// taskDeeds are what the buttons of a task do; each returns the notice of what was done.
var taskDeeds = map[string]func(v *visit, taskID, ownerID string) (said string, err error){
	"tick": func(v *visit, taskID, ownerID string) (string, error) {
		return v.T("task.isdone"), v.tasks().Tick(v.ctx(), taskID, ownerID, true)
	},
	"untick": func(v *visit, taskID, ownerID string) (string, error) {
		return v.T("task.isopen"), v.tasks().Tick(v.ctx(), taskID, ownerID, false)
	},
	"link": func(v *visit, taskID, ownerID string) (string, error) {
		return v.T("task.ishanded"), v.OnceAsSent(func(ctx context.Context) (string, error) {
			return v.Path(), v.tasks().Link(ctx, taskID, ownerID, v.Value("url"))
		})
	},
	"latest": func(v *visit, taskID, ownerID string) (string, error) {
		return v.T("task.islatest"), v.tasks().MakeLatest(v.ctx(), taskID, ownerID, v.Value("version"))
	},
	"comment": func(v *visit, taskID, ownerID string) (string, error) {
		return v.T("task.issaid"), v.OnceAsSent(func(ctx context.Context) (string, error) { // a double click says it once
			return v.Path(), v.tasks().Comment(ctx, taskID, ownerID, v.FormValue("text"))
		})
	},
}

// pressTask does what the pressed button of a task is for.
func pressTask(v *visit) error {
	do := v.Value("do")
	switch {
	case do == "upload":
		return v.uploadTask()
	case do == "form", v.Value("form") != "": // the button that removes a file has another name
		return v.answerTask()
	case taskDeeds[do] == nil:
		return page.NoRoute(http.StatusBadRequest)
	}
	said, err := taskDeeds[do](v, v.Params("task"), v.Params("owner"))
	if err != nil {
		return v.taskRefused(err, taskSent{})
	}
	return v.See(v.Path(), said)
}

// taskRefused shows the task as it is now, with what is wrong and all that was typed.
func (v *visit) taskRefused(err error, sent taskSent) error {
	switch store.KindOf(err) {
	case store.NotFound:
		return v.taskGone(err)
	case store.Invalid, store.TooMany:
	default:
		return err
	}
	s, missing := v.task()
	if store.KindOf(missing) == store.NotFound {
		return v.taskGone(missing)
	}
	if missing != nil {
		return missing
	}
	if s.Task.Kind != tasks.File || isFixed(s) { // there is no field for a file any more
		sent = taskSent{}
	}
	if sent.refused == "" {
		v.Faults = page.FaultsOf(err)
	}
	for name, label := range v.taskLabels() {
		v.Faults.Call(name, label)
	}
	return v.taskPage(http.StatusUnprocessableEntity, s, sent)
}

// taskLabels names the fields of a task.
func (v *visit) taskLabels() map[string]string {
	return map[string]string{"task": v.T("task.this"), "url": v.T("task.link"), "text": v.T("task.comment"),
		"file": v.T("task.file")}
}

// uploadTask hands in a file. Nothing is stored of one that is refused.
func (v *visit) uploadTask() error {
	u, given, err := v.File("file")
	switch size, skimmed := v.skimmed["file"]; {
	case err != nil:
		return err
	case skimmed:
		return v.fileRefused("", v.tooLargeHere(size))
	case !given:
		return v.fileRefused("", store.Invalidf("file", "is missing; choose a file"))
	}
	if err := v.tasks().Upload(v.ctx(), v.Params("task"), v.Params("owner"), u); err != nil {
		return v.fileRefused(u.Name, err)
	}
	return v.See(v.Path(), v.T("task.ishanded"))
}

// tooLargeHere says why a file was discarded whose form was too large for the task.
func (v *visit) tooLargeHere(size int64) error {
	s, err := v.task()
	if err != nil {
		return err
	}
	if q := s.Task.Question(); size > int64(q.Bytes()) {
		return q.Takes("", size, nil)
	}
	return store.Invalidf("file", "was not kept, as what came with it was too large. Choose it again")
}

// fileRefused says why a file was refused, beside its field. A fault of the task itself, such as that it was approved
// meanwhile, stands at the top of the page.
func (v *visit) fileRefused(name string, err error) error {
	sent := taskSent{name: name}
	for _, fault := range page.FaultsOf(err) {
		if fault.Field == "file" {
			sent.refused = v.T("task.thefile", "Fault", strings.TrimSuffix(v.say(fault.Message), ".")) + "."
		}
	}
	if kind := store.KindOf(err); kind != store.Invalid && kind != store.TooMany {
		sent.refused = ""
	}
	return v.taskRefused(err, sent)
}

// taskGone tells somebody that the task they filled in was taken away meanwhile, with what they typed.
func (v *visit) taskGone(err error) error {
	p := pages.TaskGonePage{Public: v.sheet(v.T("task.gone")), Back: v.path("place/tasks"), Text: v.say(err.Error())}
	if _, given, _ := v.File("file"); given || len(v.skimmed) > 0 {
		p.HadOne = true
	}
	for _, field := range []string{"url", "text"} {
		if text := v.Value(field); text != "" {
			p.Lost = append(p.Lost, pages.LostAnswer{Label: v.taskLabels()[field], Text: text})
		}
	}
	return v.Render(http.StatusNotFound, pages.TaskGone(p))
}
