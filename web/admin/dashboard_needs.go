package admin

import (
	"strings"

	"lectern/models"
	pages "lectern/views/pages/desk"
	"lectern/web/admin/visit"
)

// needWords are what is said of a need: on the dashboard with the number that
// waits, and above the list that is narrowed to it.
type needWords struct {
	models.Waiting
	one, many, action, path string
	chip                    string
}

// needsInWords are all, most pressing first. What counts them and what the lists
// are narrowed by stands in models.
var needsInWords = []needWords{
	{models.Waiting{Need: models.NeedsRoom},
		"session shares its room with another at one time", "sessions share their room with another at one time",
		"Part them", "/sessions?needs=room", "In one room at one time with another"},
	{models.Waiting{Need: models.NeedsPerson},
		"session has somebody who is on another at the same time", "sessions have somebody who is on another at the same time",
		"Part them", "/sessions?needs=person", "With somebody who is in two places at once"},
	{models.Waiting{Need: models.NeedsPresence},
		"session has somebody who is away then", "sessions have somebody who is away then",
		"Move them", "/sessions?needs=away", "With somebody who is away then"},
	{models.Waiting{Need: models.NeedsSeats},
		"session expects more people than its room holds", "sessions expect more people than their rooms hold",
		"Move them", "/sessions?needs=seats", "In a room that is too small"},
	{models.Waiting{Need: models.NeedsPlenary},
		"session is not alone where nothing may be beside", "sessions are not alone where nothing may be beside",
		"Part them", "/sessions?needs=plenary", "Beside something plenary"},
	{models.Waiting{Need: models.NeedsAcceptance, IsAbstract: true},
		"submission waits in the accept queue", "submissions wait in the accept queue",
		"Accept them", "/submissions?status=accept_queue", "In the accept queue"},
	{models.Waiting{Need: models.NeedsDecline, IsAbstract: true},
		"submission waits in the decline queue", "submissions wait in the decline queue",
		"Decline them", "/submissions?status=decline_queue", "In the decline queue"},
	{models.Waiting{Need: models.NeedsLetter, IsAbstract: true},
		"accepted submission whose people have no letter yet", "accepted submissions whose people have no letter yet",
		"See which", "/submissions?needs=letter", "Accepted, no letter sent"},
	{models.Waiting{Need: models.NeedsSession, IsAbstract: true},
		"accepted submission is in no session", "accepted submissions are in no session",
		"Compose them", "/submissions?needs=session&status=accepted", "Accepted, in no session"},
	{models.Waiting{Need: models.NeedsPlace},
		"session has no room or no start", "sessions have no room or no start",
		"Place them", "/sessions?needs=place", "Without a room or a start"},
	{models.Waiting{Need: models.NeedsPeople, IsAbstract: true},
		"submission has nobody on it", "submissions have nobody on them",
		"Add people", "/submissions?needs=people", "Nobody on it"},
	{models.Waiting{Need: models.NeedsPeople},
		"session has nobody on it", "sessions have nobody on them",
		"Add people", "/sessions?needs=people", "Nobody on it"},
}

// next are the rows of what waits, most pressing first.
func next(v *visit.Visit, d *models.Dashboard) []pages.NextStep {
	var steps []pages.NextStep
	for _, words := range needsInWords {
		n := d.Needs[words.Waiting]
		if n == 0 {
			continue
		}
		step := pages.NextStep{Count: visit.Number(n), Text: words.many, Action: words.action, URL: v.At(words.path),
			Names: d.Titles[words.Waiting]}
		if n == 1 {
			step.Text = words.one
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

// sharingDays says on which days sessions share their room: "3 on Thursday 20, 2 on Friday 21".
func sharingDays(days []models.DayPlan) string {
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

// needChip is what a list says that is narrowed to a need; "" for what is none.
func needChip(need string) string {
	for _, words := range needsInWords {
		if string(words.Need) == need {
			return words.chip
		}
	}
	return ""
}
