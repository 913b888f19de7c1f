package store

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Activity is one row of the activity: who changed what, when and by which door. Before and After are JSON objects of
// the fields that changed.
type Activity struct {
	ID             string
	OrganizationID string
	EventID        *string
	Subject        string // session, track, …
	SubjectID      string
	Action         string
	Door           string
	ActorID        string
	ActorName      string
	RequestID      string
	Before         string
	After          string
	Address        string // the actor's network address; kept for security events only
	PartOf         string // the import that stands for this row in the event's activity; "" mostly
	CreatedAt      Time
}

// TableName returns "activity": gorm would look for "activities".
func (Activity) TableName() string { return "activity" }

type Change struct {
	Subject, ID, Action string
	Before, After       any
}

// ActivityRow returns the activity row of a change; eventID is nil for what belongs to no event.
func (a Change) ActivityRow(organizationID string, eventID *string, by By, now Time) (*Activity, error) {
	before, err := object(a.Before)
	if err != nil {
		return nil, err
	}
	after, err := object(a.After)
	return &Activity{
		ID: NewID(), OrganizationID: organizationID, EventID: eventID, Subject: a.Subject, SubjectID: a.ID, Action: a.Action,
		Door: by.Door, ActorID: by.ActorID, ActorName: by.ActorName, RequestID: by.RequestID,
		Before: before, After: after, CreatedAt: now,
	}, err
}

func object(v any) (string, error) {
	if v == nil {
		return "{}", nil
	}
	b, err := json.Marshal(v)
	return string(b), err
}

// Fact returns the value that p points to, a Time as the API writes it; nil for a nil pointer.
func Fact[T any](p *T) any {
	if p == nil {
		return nil
	}
	if t, ok := any(*p).(Time); ok {
		return t.String()
	}
	return *p
}

// ValueOf returns the value that p points to, or the zero value for a nil pointer.
func ValueOf[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

// Changes returns the facts that differ, before and after.
func Changes(before, after map[string]any) (was, is map[string]any) {
	was, is = map[string]any{}, map[string]any{}
	for key, value := range after {
		if !reflect.DeepEqual(before[key], value) {
			was[key], is[key] = before[key], value
		}
	}
	return was, is
}

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
