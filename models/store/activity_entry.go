package store

import (
	"encoding/json"
	"strings"
)

// ActivityEntry is a row of the activity with the names of the records that it mentions.
type ActivityEntry struct {
	ID          string
	At          Time
	EventID     string // "" where the change belongs to no event
	ActorID     string // "" for the command line
	Actor       string
	Door        string // api, admin, cli, import or call
	Action      string // created, updated, deleted …
	Subject     string // session, contact, track, event …
	SubjectID   string
	SubjectName string // "" when the name is not known
	Gone        bool   // the record was deleted for good
	// Before and After are the fields that the line keeps, as in JSON; numbers are json.Number.
	Before, After map[string]any
	Names         map[string]string // by id; one map serves all entries of a page, so it may hold more than this one's
}

// EntriesOf decodes rows of activity. The map has a key for each id in them, for the caller to fill with names.
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

// ReadFacts decodes the JSON of one side of a change; nil for what is no object.
func ReadFacts(text string) (facts map[string]any) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&facts) != nil {
		return nil
	}
	return facts
}

// noteIDs adds the ids in a value to names, without their names.
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
			noteIDs(names, key) // roles at events are keyed by the event's id
			noteIDs(names, item)
		}
	}
}

// MaxNamed is how many ids of one page are looked up; the rest are shown as ids.
const MaxNamed = 5000

// WriteFacts encodes what ReadFacts decodes.
func WriteFacts(facts map[string]any) (string, error) {
	if facts == nil {
		return "{}", nil
	}
	return object(facts)
}
