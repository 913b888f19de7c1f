package api

import "lectern/models"

// exampleOfPeople returns the example of operations on people; known is false for other operations.
func exampleOfPeople(operation string) (of example, known bool) {
	session := exampleSession()
	switch operation {
	case "/sessions/{sessionId}/participants PUT":
		of = example{map[string]any{"participants": []any{map[string]any{"id": session.Participants[0].ContactID},
			map[string]any{"email": "ada@example.org", "first_name": "Ada", "last_name": "Lovelace", "role": "moderator"}}},
			session}
	case "/sessions/{sessionId}/reviews GET":
		of = example{nil, exampleReviews()}
	case "/speakers/search POST", "/speakers POST":
		of = example{map[string]any{"filters": map[string]any{"text": "li"}},
			list[models.Contact]{[]models.Contact{exampleSpeaker()}, examplePaging}}
	case "/speakers/{contactId} GET", "/contacts/{contactId} GET":
		of = example{nil, exampleRecord()}
	case "/contacts/search POST":
		of = example{map[string]any{"filters": map[string]any{"text": "li"}},
			list[*models.SpeakerRecord]{[]*models.SpeakerRecord{exampleRecord()}, examplePaging}}
	case "/contacts/create POST":
		of = example{map[string]any{"email": "li@example.org", "first_name": "Li", "last_name": "Na"}, exampleRecord()}
	case "/contacts/{contactId} PUT":
		of = example{map[string]any{"job_title": "Engineer", "updated_at": exampleTime}, exampleRecord()}
	default:
		return example{}, false
	}
	return of, true
}
