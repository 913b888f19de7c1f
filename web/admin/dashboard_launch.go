package admin

import (
	"strings"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/staff"
	"lectern/views/pages"
	"lectern/web/page"
)

// launchSteps are the way from an empty event to its first proposals, ticked by what is there.
func (v *visit) launchSteps() ([]pages.LaunchStep, error) {
	steps := []pages.LaunchStep{{Name: "Dates and place", Text: "When it is, and where its clock is: " +
		page.City(v.event.Timezone) + ".",
		Path: "/settings", Done: v.event.StartsOn != nil && v.event.EndsOn != nil}}
	if steps[0].Done {
		steps[0].Text = page.EventDays(v.event) + ", by the clock of " + page.City(v.event.Timezone) + "."
	}
	for _, of := range []struct {
		family     models.Family
		name, text string
	}{
		{models.Tracks, "Tracks", "The strands of the programme, by which proposals are sorted."},
		{models.Formats, "Formats", "Kinds of sessions with their minutes, such as talks and workshops."},
		{models.Rooms, "Rooms", "Where sessions take place. They can wait until there is an agenda."},
	} {
		rows, err := v.programme.Family(v.UserContext(), of.family)
		if err != nil {
			return nil, err
		}
		step := pages.LaunchStep{Name: of.name, Text: of.text, Path: "/metadata/" + string(of.family), Done: len(rows) > 0}
		if step.Done {
			step.Text = namesOf(rows)
		}
		steps = append(steps, step)
	}
	for _, more := range []func() ([]pages.LaunchStep, error){v.callSteps, v.inviteStep} {
		some, err := more()
		if err != nil {
			return nil, err
		}
		steps = append(steps, some...)
	}
	for i := range steps {
		if steps[i].URL == "" && steps[i].Path != "" && v.may(staff.Organizer) {
			steps[i].URL = v.at(steps[i].Path)
		}
	}
	return steps, nil
}

// namesOf are the first names of a family: "Boats, Harbours, Tides and 4 more".
func namesOf(rows []*models.Metadata) string {
	const shown = 3
	var names []string
	for _, row := range rows[:min(shown, len(rows))] {
		names = append(names, cut(row.Name))
	}
	if more := andMore(int64(len(rows)), len(names)); more != "" {
		return strings.Join(names, ", ") + " " + more
	}
	return enumerated(names)
}

// callSteps are that the call asks something, and that it is open.
func (v *visit) callSteps() ([]pages.LaunchStep, error) {
	form, err := v.asking()
	if err != nil {
		return nil, err
	}
	build := pages.LaunchStep{Name: "What the call asks",
		Text: "The form of your call for papers, to begin from and change.", Path: "/call"}
	open := pages.LaunchStep{Name: "The call is open", Text: "From then on proposals come in.", Path: "/call"}
	if form != nil {
		build.Done, build.Text = true, "It asks "+counted(int64(len(form.Questions())), "question", "questions")+"."
		open.Path = "/call/window"
	}
	if phase := v.phase(); phase != cfp.NoCall {
		open.Text, open.Done = v.windowSays(), form != nil && phase != cfp.NotYet
	}
	return []pages.LaunchStep{build, open}, nil
}

// inviteStep is that somebody was asked to review, besides those who organize.
func (v *visit) inviteStep() ([]pages.LaunchStep, error) {
	members, err := v.team().Members(v.UserContext())
	if err != nil {
		return nil, err
	}
	asked, err := v.team().Invitations(v.UserContext())
	if err != nil {
		return nil, err
	}
	var review, invited int64
	for _, u := range members {
		if u.RoleAt(v.event.ID) == staff.Reviewer {
			review++
		}
	}
	for _, i := range asked {
		if i.Everywhere && i.Role == staff.Reviewer || i.Roles[v.event.ID] == staff.Reviewer {
			invited++
		}
	}
	step := pages.LaunchStep{Name: "Reviewers",
		Text: "Who reads what comes in and scores it. Paste all their addresses at once.",
		Done: review+invited > 0}
	if step.Done {
		step.Text = counted(review, "person reviews", "people review") + ", " + counted(invited, "is invited",
			"are invited") + "."
	}
	switch {
	case v.user.RoleAt("") == staff.Owner:
		step.URL = staffPath + "/invite?reviewers=" + v.event.ID
	case !step.Done:
		step.Text = "Who reads what comes in and scores it. An owner invites them."
	}
	return []pages.LaunchStep{step}, nil
}
