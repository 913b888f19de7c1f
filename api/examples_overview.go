package api

import (
	"time"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/desk"
	"lectern/models/store"
)

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
