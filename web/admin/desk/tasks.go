package desk

import (
	"lectern/models/desk"
	"lectern/models/revisions"
	"lectern/models/store"
	"lectern/models/tasks"
	pages "lectern/views/pages/desk"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
)

// taskWaits are the rows of the dashboard about tasks, most pressing first.
var taskWaits = []struct {
	show              tasks.Show
	one, many, action string
}{
	{tasks.ToCheck, "deliverable of speakers is to be checked", "deliverables of speakers are to be checked", "Check them"},
	{tasks.Asked, "conversation about a task waits for an answer", "conversations about tasks wait for an answer",
		"Answer them"},
	{tasks.Late, "deliverable of speakers is late", "deliverables of speakers are late", "Remind them"},
}

// speakerSteps returns the dashboard's rows about speakers: what they changed, and what they handed in.
func speakerSteps(v *visit.Visit) (steps []pages.NextStep, err error) {
	if v.Event.AsksApproval {
		n, err := revisions.Of(v.Programme).Count(v.UserContext())
		if err != nil {
			return nil, err
		}
		if n > 0 {
			text := map[bool]string{true: "change of approved content waits for you",
				false: "changes of approved content wait for you"}
			steps = append(steps, pages.NextStep{Count: visit.Number(n), Text: text[n == 1], Action: "Look at them",
				URL: v.At("/revisions")})
		}
	}
	handed, err := taskSteps(v)
	return append(steps, handed...), err
}

// taskSteps returns the dashboard's rows about tasks, each with some names.
func taskSteps(v *visit.Visit) (steps []pages.NextStep, err error) {
	b, err := v.BoardOfTasks()
	if err != nil {
		return nil, err
	}
	for _, waits := range taskWaits {
		some := b.Only(tasks.Wanted{Show: waits.show})
		n := int64(len(some))
		if n == 0 {
			continue
		}
		step := pages.NextStep{Count: visit.Number(n), Text: waits.many, Action: waits.action,
			URL: v.At("/tasks?show=" + string(waits.show))}
		if n == 1 {
			step.Text = waits.one
		}
		step.Names = store.Map(some[:min(len(some), namedTasks)],
			func(d *tasks.Deliverable) string { return d.Task.Title + ": " + b.Owner(d) })
		step.More = visit.AndMore(n, len(step.Names))
		steps = append(steps, step)
	}
	return steps, nil
}

// namedTasks is how many deliverables a row of the dashboard names.
const namedTasks = 2

// untoldStep returns the dashboard's row about people who have not been told of changes; none where all have.
func untoldStep(v *visit.Visit, d *desk.Dashboard) []pages.NextStep {
	if d.Untold == 0 {
		return nil
	}
	return []pages.NextStep{{Count: visit.Number(d.Untold), Action: "Look and release", URL: warn.ReleaseAt(v),
		Text: map[bool]string{true: "person has", false: "people have"}[d.Untold == 1] +
			" not been told what changed since the agenda was released"}}
}
