package admin

import (
	"lectern/models"
	"lectern/views/pages"
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
		"Look at them", "/sessions?needs=room", "In one room at one time with another"},
	{models.Waiting{Need: models.NeedsPerson},
		"session has somebody who is on another at the same time", "sessions have somebody who is on another at the same time",
		"Look at them", "/sessions?needs=person", "With somebody who is in two places at once"},
	{models.Waiting{Need: models.NeedsAcceptance, IsAbstract: true},
		"submission waits in the accept queue", "submissions wait in the accept queue",
		"Open the queue", "/submissions?status=accept_queue", "In the accept queue"},
	{models.Waiting{Need: models.NeedsDecline, IsAbstract: true},
		"submission waits in the decline queue", "submissions wait in the decline queue",
		"Open the queue", "/submissions?status=decline_queue", "In the decline queue"},
	{models.Waiting{Need: models.NeedsLetter, IsAbstract: true},
		"accepted submission whose people have no letter yet", "accepted submissions whose people have no letter yet",
		"Show them", "/submissions?needs=letter", "Accepted, no letter sent"},
	{models.Waiting{Need: models.NeedsSession, IsAbstract: true},
		"accepted submission is in no session", "accepted submissions are in no session",
		"Show them", "/submissions?needs=session", "Accepted, in no session"},
	{models.Waiting{Need: models.NeedsPlace},
		"session has no room or no start", "sessions have no room or no start",
		"Place them", "/sessions?needs=place", "Without a room or a start"},
	{models.Waiting{Need: models.NeedsPeople, IsAbstract: true},
		"submission has nobody on it", "submissions have nobody on them",
		"Show them", "/submissions?needs=people", "Nobody on it"},
	{models.Waiting{Need: models.NeedsPeople},
		"session has nobody on it", "sessions have nobody on them",
		"Show them", "/sessions?needs=people", "Nobody on it"},
}

// reviewsInWords are the submissions that wait for the review of who looks.
var reviewsInWords = needWords{
	one: "submission waits for your review", many: "submissions wait for your review",
	action: "Review them", path: "/submissions?score=waits",
}

// attention are the rows of what waits, most pressing first.
func (v *visit) attention(waiting map[models.Waiting]int64, reviews int64) []pages.AttentionRow {
	var rows []pages.AttentionRow
	add := func(n int64, words needWords) {
		text := words.many
		switch n {
		case 0:
			return
		case 1:
			text = words.one
		}
		rows = append(rows, pages.AttentionRow{Count: number(n), Text: text, Action: words.action, URL: v.at(words.path)})
	}
	add(reviews, reviewsInWords)
	for _, words := range needsInWords {
		add(waiting[words.Waiting], words)
	}
	return rows
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
