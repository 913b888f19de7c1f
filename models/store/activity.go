package store

import (
	"encoding/json"
	"reflect"
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
