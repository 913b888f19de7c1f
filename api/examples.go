package api

import (
	"strings"
	"time"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/call"
	"lectern/models/changes"
	"lectern/models/desk"
	"lectern/models/field"
	"lectern/models/metadata"
	"lectern/models/store"
	"lectern/models/tasks"
)

// example is a request and response of one operation; the values are of the operation's own types, so they cannot drift
// from them.
type example struct{ request, response any }

var (
	exampleEvent    = "01a1fc2f-1b7e-7c1a-8f3e-5d2b9a40c7e1"
	exampleTime     = store.At(time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC))
	theExampleEvent = &models.Event{ID: exampleEvent, Name: "Harbour Conference", Slug: "harbour-2027",
		Timezone: "Europe/Lisbon"}
	examplePaging = store.Page{Number: 1, Size: 25}.Of(1)
)

func exampleLabel(id, name string) models.Label {
	return models.Label{ID: "01a1fc2f-1b7e-7c1a-8f3e-" + id, EventID: exampleEvent, Name: name}
}

func exampleTrack() models.Track {
	return models.Track{Label: exampleLabel("5d2b9a40c701", "Web and APIs"), Color: "#1F4E5F"}
}

func exampleRoom() models.Room {
	return models.Room{Label: exampleLabel("5d2b9a40c702", "Main hall"), Capacity: new(420)}
}

func exampleSession() *models.Session {
	return &models.Session{
		ID: "01a1fc2f-2c40-7d55-b1aa-0e6f3b9d1c22", EventID: exampleEvent, FriendlyID: "A-12",
		Title: "Queues that forget nothing", Description: "<p>What we learned from ten years of outboxes.</p>",
		Status: models.Pending, IsAbstract: true, CompositionStatus: models.CompositionStatus{Role: "standalone"},
		Track: new(exampleTrack()), Tags: []*models.Tag{},
		Participants: []*models.Participant{{
			ContactID: "01a1fc2f-3d11-7aa0-9c3c-77f0a1b2c3d4", Email: "li@example.org", FullName: "Li Na",
			CompanyName: "Example", About: "<p>Builds queues.</p>", Role: models.Speaking,
		}},
		CustomFields: models.Answers{{Key: "Been here before?", Value: "No"}},
		CreatedAt:    exampleTime, UpdatedAt: exampleTime,
		AdminURL: "https://lectern.example/admin/events/" + exampleEvent + "/sessions/01a1fc2f-2c40-7d55-b1aa-0e6f3b9d1c22",
	}
}

func exampleSpeaker() models.Contact {
	return models.Contact{
		ID: "01a1fc2f-3d11-7aa0-9c3c-77f0a1b2c3d4", Email: "li@example.org", FullName: "Li Na",
		CompanyName: "Example", About: "<p>Builds queues.</p>",
	}
}

func exampleRecord() *models.SpeakerRecord {
	return &models.SpeakerRecord{Contact: exampleSpeaker(), FirstName: "Li", LastName: "Na", JobTitle: "Engineer",
		CreatedAt: exampleTime, UpdatedAt: exampleTime, SessionIDs: []string{exampleSession().ID}}
}

func exampleBreak() BreakRow {
	return BreakRow{ID: "01a1fc2f-7b00-7d55-b1aa-0e6f3b9d1c41", EventID: exampleEvent, Kind: models.Pause, Title: "Coffee",
		StartsAt: exampleTime, EndsAt: store.At(exampleTime.Add(30 * time.Minute)), IsPlenary: true,
		Stamps: Stamps{exampleTime, exampleTime}}
}

func exampleTask() *tasks.Task {
	return &tasks.Task{ID: "01a1fc2f-6a00-7d55-b1aa-0e6f3b9d1c31", Title: "Slides", Instructions: "Sixteen to nine, please.",
		Kind: tasks.File, AskedOf: tasks.OfSession, DueAt: &exampleTime, IsRequired: true, IsReminded: true, IsPublic: true,
		FileKinds: []call.FileKind{"pdf"}, Position: 1, CreatedAt: exampleTime, UpdatedAt: exampleTime}
}

func exampleDelivery() *tasks.Delivery {
	of, session := exampleTask(), exampleSession()
	return &tasks.Delivery{TaskID: of.ID, Task: of.Title, State: tasks.Done, DueAt: of.DueAt, StateAt: &exampleTime,
		Session: &tasks.DeliverySession{ID: session.ID, FriendlyID: session.FriendlyID, Title: session.Title},
		Versions: []tasks.DeliveryVersion{{Number: 1, CreatedAt: exampleTime, File: &tasks.DeliveryFile{Name: "queues.pdf",
			Size: 2_400_000, SHA256: strings.Repeat("0", 64), URL: "https://lectern.example/downloads/c2VhbGVk",
			ExpiresAt: exampleTime}}}}
}

func exampleOf(path, method string) example {
	session := exampleSession()
	switch strings.TrimPrefix(path, event) + " " + method {
	case "/v1/events GET":
		return example{nil, list[*models.Event]{[]*models.Event{theExampleEvent}, examplePaging}}
	case "/sessions/search POST", "/sessions POST":
		return example{
			map[string]any{"filters": map[string]any{"is_abstract": true, "status": []string{"pending"}, "text": "queue"},
				"sort": map[string]any{"order": "updatedAt", "sort": "desc"}, "page": 1, "pageSize": 25},
			list[*models.Session]{[]*models.Session{session}, examplePaging}}
	case "/sessions/create POST":
		return example{map[string]any{"title": session.Title, "is_abstract": true, "description": session.Description},
			session}
	case "/sessions/{sessionId} PUT":
		return example{map[string]any{"status": "accept_queue", "updated_at": exampleTime}, session}
	case "/sessions/{sessionId} DELETE":
		return example{nil, Deleted{session.ID, &exampleTime}}
	case "/sessions/bulk POST":
		return example{
			map[string]any{"operations": []any{
				map[string]any{"action": "update", "id": session.ID, "data": map[string]any{"status": "accept_queue"}},
				map[string]any{"action": "delete", "id": "01a1fc2f-2c40-7d55-b1aa-0e6f3b9d1c23"},
			}},
			BulkResult{BatchID: "01a1fc2f-5e00-7000-8000-000000000001", Stats: BulkStats{2, 1, 1}, Results: []ItemResult{
				{Index: 0, Action: "update", Status: "success", ID: session.ID},
				{Index: 1, Action: "delete", Status: "error", Error: &ItemError{Code: "not_found",
					Message: "There is no such session in this event."}},
			}}}
	case "/breaks GET":
		return example{nil, list[BreakRow]{[]BreakRow{exampleBreak()}, examplePaging}}
	case "/changes GET":
		return example{nil, Changes{Cursor: "5f0c9a1e.4711...01a1fc2f-6a4c-7b1e-9f50-3f5f0c8f2d11",
			Kinds: changes.Kinds, Results: []Change{
				{Kind: changes.Break, Subject: "break", Action: "changed", ID: exampleBreak().ID, Data: exampleBreak(),
					Break: new(exampleBreak())},
				{Kind: changes.Session, Subject: "session", Action: "deleted", ID: "01a1fc2f-2c40-7d55-b1aa-0e6f3b9d1c23",
					IsDeleted: true}}}}
	case "/questions GET":
		return example{nil, list[QuestionRow]{[]QuestionRow{{"length", "How long would you speak?", "", field.Choice,
			[]string{"20 minutes", "40 minutes"}, call.Required}}, examplePaging}}
	case "/tasks GET":
		return example{nil, list[*tasks.Task]{[]*tasks.Task{exampleTask()}, examplePaging}}
	case "/deliverables GET":
		return example{nil, list[*tasks.Delivery]{[]*tasks.Delivery{exampleDelivery()}, examplePaging}}
	}
	if of, known := exampleOfNumbers(strings.TrimPrefix(path, event)); known {
		return of
	}
	if of, known := exampleOfPeople(strings.TrimPrefix(path, event) + " " + method); known {
		return of
	}
	if strings.HasPrefix(path, event+"/sessions/") {
		return example{nil, session}
	}
	return exampleOfFamily(path, method)
}

func exampleOfFamily(path, method string) example {
	at := Stamps{exampleTime, exampleTime}
	rows := map[string]example{
		"tracks": {map[string]any{"name": "Web and APIs", "color": "#1F4E5F"}, TrackRow{exampleTrack(), at}},
		"rooms":  {map[string]any{"name": "Main hall", "capacity": 420}, RoomRow{exampleRoom(), at}},
		"tags": {map[string]any{"name": "hands-on"},
			TagRow{models.Tag{Label: exampleLabel("5d2b9a40c703", "hands-on")}, at}},
		"formats": {map[string]any{"name": "Talk", "default_minutes": 30},
			FormatRow{models.Format{Label: exampleLabel("5d2b9a40c704", "Talk"), DefaultMinutes: new(30)}, at}},
		"levels": {map[string]any{"name": "Beginner"},
			LevelRow{models.Level{Label: exampleLabel("5d2b9a40c705", "Beginner")}, at}},
	}
	row := rows[tagOf(path)]
	switch {
	case strings.HasSuffix(path, "/create"), method == "PUT":
		return row
	case method == "DELETE":
		return example{nil, DeletedRow{exampleTrack().ID, new(exampleRoom().ID), metadata.Usage{Sessions: 3}}}
	case strings.HasSuffix(path, "/{id}"):
		return example{nil, row.response}
	}
	answer := list[any]{[]any{row.response}, examplePaging}
	if method == "GET" {
		return example{nil, answer}
	}
	return example{map[string]any{"filters": map[string]any{"text": "a"}}, answer}
}

// exampleOfNumbers returns the example of operations on a key or on the event as a whole; known is false for other
// paths.
func exampleOfNumbers(path string) (of example, known bool) {
	switch path {
	case "/v1/key":
		return example{nil, Key{Name: "Agenda screen", Event: theExampleEvent, Scopes: apikey.Scopes[:2]}}, true
	case "/overview":
		return example{nil, exampleOverview()}, true
	case "/sessions/count":
		return example{map[string]any{"by": "status", "filters": map[string]any{"is_abstract": true}},
			Counts{By: "status", Total: 1, Counts: exampleStatuses(1)}}, true
	case "/conflicts", "/sessions/{sessionId}/conflicts":
		return example{nil, list[Conflict]{[]Conflict{exampleConflict()}, examplePaging}}, true
	case "/free":
		return example{nil, exampleFree()}, true
	}
	return example{}, false
}

// exampleStatuses returns counts for all statuses, of which only pending is not zero.
func exampleStatuses(pending int64) (counts []desk.GroupCount) {
	for _, status := range models.Statuses {
		group := desk.GroupCount{Name: new(string(status))}
		if status == models.Pending {
			group.Count = pending
		}
		counts = append(counts, group)
	}
	return counts
}

func exampleOverview() desk.EventOverview {
	track := exampleTrack()
	byTrack := func(n int64) []desk.GroupCount {
		return []desk.GroupCount{{ID: &track.ID, Name: &track.Name, Count: n}}
	}
	return desk.EventOverview{
		Name: theExampleEvent.Name, Timezone: theExampleEvent.Timezone, StartsOn: new("2027-05-20"), EndsOn: new("2027-05-20"),
		Submissions: desk.KindOverview{Total: 1, ByStatus: exampleStatuses(1), ByTrack: byTrack(1)},
		Sessions:    desk.KindOverview{ByStatus: exampleStatuses(0), ByTrack: byTrack(0)},
		Days:        []desk.DaySessions{{Day: "2027-05-20"}}, Speakers: 1,
	}
}

func exampleFree() FreeDay {
	at := func(minutes time.Duration) store.Time { return store.At(exampleTime.Add(minutes * time.Minute)) }
	return FreeDay{From: exampleTime, Until: at(120), Minutes: 30, Breaks: []DayBreak{{exampleBreak(), nil}},
		Results: []FreeRoom{{exampleRoom(), []FreeSpan{{at(30), at(120)}}}},
		Away:    []FreePerson{{"01a1fc2f-4d20-7b33-9a10-3c5e8f7d2b44", "Ada Mark"}}, Pagination: examplePaging}
}

func exampleConflict() Conflict {
	room := exampleRoom()
	until := store.At(exampleTime.Add(20 * time.Minute))
	of := ConflictSession{ID: "01a1fc2f-2c40-7d55-b1aa-0e6f3b9d1c24", FriendlyID: "S-2", Title: "Queues in practice",
		StartsAt: &exampleTime, EndsAt: &until, Room: &room.Name}
	with := of
	with.ID, with.FriendlyID, with.Title = "01a1fc2f-2c40-7d55-b1aa-0e6f3b9d1c25", "S-3", "Paper backups"
	return Conflict{Kind: models.NeedsRoom, ID: room.ID, Name: room.Name, From: exampleTime, Until: until, Session: of,
		With: &with}
}

func exampleReviews() SessionReviews {
	return SessionReviews{Score: new(4.5), Reviews: 1,
		Rounds: []RoundOutcome{{ID: exampleEvent, Name: "All submissions", Scored: 1, Mean: new(4.5), Spread: new(0.0)}},
		Results: []ReviewRow{{RoundID: exampleEvent, Reviewer: "Grace Moreau", Score: new(4.5), Comment: "Timely.",
			Answers: []ReviewAnswer{{"Overall", "4 of 5"}}, CreatedAt: exampleTime, UpdatedAt: exampleTime}}}
}

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
