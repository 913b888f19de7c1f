package desk

import (
	"strings"

	"lectern/models"
	"lectern/models/desk"
	pages "lectern/views/pages/desk"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
)

// next returns the rows of what waits, most pressing first.
func next(v *visit.Visit, d *desk.Dashboard) []pages.NextStep {
	var steps []pages.NextStep
	for _, words := range lists.Needs {
		n := d.Needs[words.Waiting]
		if n == 0 {
			continue
		}
		step := pages.NextStep{Count: visit.Number(n), Text: words.Many, Action: words.Action, URL: v.At(words.Path),
			Names: d.Titles[words.Waiting]}
		if n == 1 {
			step.Text = words.One
		}
		if more := n - int64(len(step.Names)); more > 0 && len(step.Names) > 0 {
			step.More = "and " + visit.Number(more) + " more"
		}
		if words.Need == models.NeedsRoom {
			step.More = sharingDays(d.Days)
		}
		steps = append(steps, step)
	}
	return steps
}

// sharingDays says on which days sessions share a room: "3 on Thursday 20, 2 on Friday 21".
func sharingDays(days []desk.DayPlan) string {
	var words []string
	for _, day := range days {
		if day.Sharing > 0 {
			words = append(words, visit.Number(day.Sharing)+" on "+dayName(day.Day, days))
		}
	}
	if len(words) > 3 {
		words = append(words[:3], "more on other days")
	}
	return strings.Join(words, ", ")
}
