package desk

import (
	"strings"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/desk"
	"lectern/web/admin/sessions"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// launchSteps returns the steps from an empty event to its first proposals, ticked where they are done.
func launchSteps(v *visit.Visit) ([]pages.LaunchStep, error) {
	steps := []pages.LaunchStep{{Name: "Dates and place", Text: "When it is, and where its clock is: " +
		page.City(v.Event.Timezone) + ".",
		Path: "/settings", Done: v.Event.StartsOn != nil && v.Event.EndsOn != nil}}
	if steps[0].Done {
		steps[0].Text = page.EventDays(v.Event) + ", by the clock of " + page.City(v.Event.Timezone) + "."
	}
	for _, of := range []struct {
		family     models.Family
		name, text string
	}{
		{models.Tracks, "Tracks", "The strands of the programme, by which proposals are sorted."},
		{models.Formats, "Formats", "Kinds of sessions with their minutes, such as talks and workshops."},
		{models.Rooms, "Rooms", "Where sessions take place. They can wait until there is an agenda."},
	} {
		rows, err := v.Programme.Family(v.UserContext(), of.family)
		if err != nil {
			return nil, err
		}
		step := pages.LaunchStep{Name: of.name, Text: of.text, Path: "/metadata/" + string(of.family), Done: len(rows) > 0}
		if step.Done {
			step.Text = namesOf(rows)
		}
		steps = append(steps, step)
	}
	for _, more := range []func(*visit.Visit) ([]pages.LaunchStep, error){callSteps, inviteStep} {
		some, err := more(v)
		if err != nil {
			return nil, err
		}
		steps = append(steps, some...)
	}
	for i := range steps {
		if steps[i].URL == "" && steps[i].Path != "" && v.May(staff.Organizer) {
			steps[i].URL = v.At(steps[i].Path)
		}
	}
	return steps, nil
}

// namesOf names the first rows of a family: "Boats, Harbours, Tides and 4 more".
func namesOf(rows []*models.Metadata) string {
	const shown = 3
	names := store.Map(rows[:min(shown, len(rows))], func(row *models.Metadata) string { return visit.Cut(row.Name) })
	if more := visit.AndMore(int64(len(rows)), len(names)); more != "" {
		return strings.Join(names, ", ") + " " + more
	}
	return visit.Enumerated(names)
}

// callSteps returns the steps of the call: it asks something, and it is open.
func callSteps(v *visit.Visit) ([]pages.LaunchStep, error) {
	form, err := sessions.Asking(v)
	if err != nil {
		return nil, err
	}
	build := pages.LaunchStep{Name: "What the call asks",
		Text: "The form of your call for papers, to begin from and change.", Path: "/call"}
	open := pages.LaunchStep{Name: "The call is open", Text: "From then on proposals come in.", Path: "/call"}
	if form != nil {
		build.Done, build.Text = true, "It asks "+visit.Counted(int64(len(form.Questions())), "question", "questions")+"."
		open.Path = "/call/window"
	}
	if phase := visit.Phase(v); phase != call.NoCall {
		open.Text, open.Done = visit.WindowSays(v), form != nil && phase != call.NotYet
	}
	return []pages.LaunchStep{build, open}, nil
}

// inviteStep returns the step that somebody besides the organizers was invited to review.
func inviteStep(v *visit.Visit) ([]pages.LaunchStep, error) {
	members, err := v.Team().Members(v.UserContext())
	if err != nil {
		return nil, err
	}
	asked, err := v.Team().Invitations(v.UserContext())
	if err != nil {
		return nil, err
	}
	var review, invited int64
	for _, u := range members {
		if u.RoleAt(v.Event.ID) == staff.Reviewer {
			review++
		}
	}
	for _, i := range asked {
		if i.Everywhere && i.Role == staff.Reviewer || i.Roles[v.Event.ID] == staff.Reviewer {
			invited++
		}
	}
	step := pages.LaunchStep{Name: "Reviewers",
		Text: "Who reads what comes in and scores it. Paste all their addresses at once.",
		Done: review+invited > 0}
	if step.Done {
		step.Text = visit.Counted(review, "person reviews", "people review") + ", " + visit.Counted(invited, "is invited",
			"are invited") + "."
	}
	switch {
	case v.User.RoleAt("") == staff.Owner:
		step.URL = visit.StaffPath + "/invite?reviewers=" + v.Event.ID
	case !step.Done:
		step.Text = "Who reads what comes in and scores it. An owner invites them."
	}
	return []pages.LaunchStep{step}, nil
}
