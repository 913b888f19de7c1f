package store

import (
	"encoding/json"
	"strings"
)

// ActivityEntry is a line of activity with the names of what it tells of.
type ActivityEntry struct {
	ID          string
	At          Time
	EventID     string // "" of what belongs to no event
	ActorID     string // "" of the command line
	Actor       string
	Door        string // api, admin, cli, import or call
	Action      string // created, updated, deleted …
	Subject     string // session, contact, track, event …
	SubjectID   string
	SubjectName string // "" when nothing is known of it
	Gone        bool   // it was deleted for good
	// Before and After are the fields that the line keeps, as in JSON; numbers are json.Number.
	Before, After map[string]any
	Names         map[string]string // of the ids in it; what it shares with other lines may be more
}

// entriesOf reads lines, and the ids in them, which are to be named.
func EntriesOf(lines []*Activity) ([]*ActivityEntry, map[string]string) {
	entries, names := make([]*ActivityEntry, len(lines)), map[string]string{}
	for i, line := range lines {
		e := &ActivityEntry{
			ID: line.ID, At: line.CreatedAt, ActorID: line.ActorID, Actor: line.ActorName, Door: line.Door,
			Action: line.Action, Subject: line.Subject, SubjectID: line.SubjectID,
			Before: ReadFacts(line.Before), After: ReadFacts(line.After), Names: names,
		}
		if line.EventID != nil {
			e.EventID = *line.EventID
		}
		noteIDs(names, line.SubjectID)
		noteIDs(names, e.Before)
		noteIDs(names, e.After)
		entries[i] = e
	}
	return entries, names
}

// readFacts reads what activity keeps of one side; nil is of what is no object.
func ReadFacts(text string) (facts map[string]any) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&facts) != nil {
		return nil
	}
	return facts
}

// noteIDs notes the ids in a value as not yet named.
func noteIDs(names map[string]string, value any) {
	switch value := value.(type) {
	case string:
		if IsID(value) {
			names[value] = ""
		}
	case []any:
		for _, item := range value {
			noteIDs(names, item)
		}
	case map[string]any:
		for key, item := range value {
			noteIDs(names, key) // roles at events stand under their ids
			noteIDs(names, item)
		}
	}
}

// maxNamed is how many ids of one page are looked up; the rest stay ids.
const MaxNamed = 5000

// WriteFacts is ReadFacts the other way.
func WriteFacts(facts map[string]any) (string, error) {
	if facts == nil {
		return "{}", nil
	}
	return object(facts)
}
