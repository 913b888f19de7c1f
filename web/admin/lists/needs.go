package lists

import "lectern/models"

// NeedWords are the words of a need: on the dashboard, with the number of sessions that wait, and above the list
// filtered by it.
type NeedWords struct {
	models.Waiting
	One, Many, Action, Path string
	Chip                    string
}

// Needs are all needs, most pressing first. models counts them and filters by them.
var Needs = []NeedWords{
	{models.Waiting{Need: models.NeedsRoom},
		"session shares its room with another at one time", "sessions share their room with another at one time",
		"Part them", "/sessions?needs=room", "In one room at one time with another"},
	{models.Waiting{Need: models.NeedsPerson},
		"session has somebody who is on another at the same time",
		"sessions have somebody who is on another at the same time",
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
	{models.Waiting{Need: models.NeedsDropped},
		"public session has a submission that was declined or withdrawn: take it out, or unpublish the session",
		"public sessions have a submission that was declined or withdrawn: take it out, or unpublish the session",
		"See which", "/sessions?needs=dropped", "Public, with a submission that was declined or withdrawn"},
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

// needChip returns the chip of a list that is filtered by a need, "" for an unknown one.
func needChip(need string) string {
	for _, words := range Needs {
		if string(words.Need) == need {
			return words.Chip
		}
	}
	return ""
}
