package models

import (
	"slices"

	"lectern/models/store"
)

// SessionInput holds the fields that create and update share. Nil, or an Optional that is not set, leaves a field
// alone.
type SessionInput struct {
	Status       *Status                    `json:"status,omitempty" required:"false" nullable:"false" enum:"draft,pending,accept_queue,accepted,decline_queue,declined,withdrawn" doc:"Default: pending for abstracts, accepted for programme sessions"`
	Description  *string                    `json:"description,omitempty" required:"false" nullable:"false" maxLength:"50000" doc:"HTML, sanitised on the way in"`
	StartsAt     store.Optional[store.Time] `json:"starts_at" required:"false" doc:"null = unscheduled"`
	EndsAt       store.Optional[store.Time] `json:"ends_at" required:"false" doc:"Not before starts_at, and not without it"`
	Capacity     store.Optional[int]        `json:"capacity" required:"false" minimum:"0" maximum:"1000000" doc:"0 to 1,000,000"`
	IsPlenary    *bool                      `json:"is_plenary,omitempty" required:"false" nullable:"false" doc:"true = nothing stands beside it; of programme sessions alone"`
	TrackID      store.Optional[string]     `json:"track_id" required:"false" doc:"A track of this event"`
	RoomID       store.Optional[string]     `json:"room_id" required:"false" doc:"A room of this event"`
	FormatID     store.Optional[string]     `json:"format_id" required:"false" doc:"A format of this event"`
	LevelID      store.Optional[string]     `json:"level_id" required:"false" doc:"A level of this event"`
	TagIDs       *[]string                  `json:"tag_ids,omitempty" required:"false" nullable:"false" doc:"Tags of this event; the list replaces the list"`
	CustomFields *AnswersInput              `json:"custom_fields,omitempty" required:"false" nullable:"false" doc:"Answers to the form, as [{key, value}] or an object of strings; replaces all"`
}

// NewSession is the input of a new session. Publishing is not part of it.
type NewSession struct {
	Title      string `json:"title" doc:"1 to 255 characters"`
	IsAbstract bool   `json:"is_abstract,omitempty" required:"false" doc:"true makes a submission of the call for papers; it cannot be changed later"`
	SessionInput
	People []Participation `json:"-"` // in this order; not part of the API
}

// SessionChange is a partial update.
type SessionChange struct {
	Title           *string         `json:"title,omitempty" required:"false" nullable:"false" doc:"1 to 255 characters"`
	IsAbstract      *bool           `json:"is_abstract,omitempty" required:"false" nullable:"false" doc:"May be repeated, cannot be changed"`
	IsPublic        *bool           `json:"is_public,omitempty" required:"false" nullable:"false" doc:"true needs the decision letter to have been sent, or publish_override"`
	PublishOverride bool            `json:"publish_override,omitempty" required:"false" doc:"Publish although no decision letter has been sent"`
	ContentState    *ContentState   `json:"-"` // only for programme sessions, if the event asks for approved content
	People          *[]*Participant `json:"-"` // present or added participants, in this order
	UpdatedAt       *store.Time     `json:"updated_at,omitempty" required:"false" nullable:"false" doc:"The value last read; a stale one answers 409, leaving it out forces the write"`
	SessionInput
}

// change turns the input into a change of an empty session.
func (n *NewSession) change() *SessionChange {
	return &SessionChange{Title: &n.Title, SessionInput: n.SessionInput}
}

// clean normalises the input and checks all that needs no record: the rules of each field, and that its metadata
// belongs to this event.
func (c *SessionChange) clean(refs MetadataSet) error {
	var f store.Faults
	for _, field := range SessionFields {
		if field.clean != nil {
			f.Add(field.clean(c, refs))
		}
	}
	return f.Err()
}

func cleanStatus(field string, status Status, _ MetadataSet) (Status, error) {
	if slices.Contains(Statuses, status) {
		return status, nil
	}
	return status, store.Invalidf(field,
		"must be one of draft, pending, accept_queue, accepted, decline_queue, declined, withdrawn")
}

func cleanFlag(_ string, is bool, _ MetadataSet) (bool, error) { return is, nil }

func cleanCapacity(field string, n int, _ MetadataSet) (int, error) {
	if n < 0 || n > store.MaxCapacity {
		return n, store.Invalidf(field, "must be between 0 and %d", store.MaxCapacity)
	}
	return n, nil
}

func (c *SessionChange) cleanTags(refs MetadataSet) (err error) {
	if c.TagIDs != nil {
		_, err = refs.Tags(*c.TagIDs)
	}
	return err
}

func (c *SessionChange) cleanAnswers(MetadataSet) error {
	if c.CustomFields == nil {
		return nil
	}
	answers, err := c.CustomFields.Clean()
	c.CustomFields = &answers
	return err
}

// names reports whether the input sets metadata.
func (in *SessionInput) names() bool {
	for _, id := range []*string{in.TrackID.Value, in.RoomID.Value, in.FormatID.Value, in.LevelID.Value} {
		if id != nil {
			return true
		}
	}
	return in.TagIDs != nil && len(*in.TagIDs) > 0
}

// apply writes a clean change to s, except publishing. It answers Invalid if the times do not fit together.
func (c *SessionChange) apply(s *Session, refs MetadataSet) error {
	for _, field := range SessionFields {
		if field.IsEdited() {
			field.apply(s, c, refs)
		}
	}
	refs.Embed(s)
	return s.CheckTimes()
}

func (s *Session) applyTags(c *SessionChange, refs MetadataSet) {
	if c.TagIDs != nil {
		s.Tags, _ = refs.Tags(*c.TagIDs)
	}
}

func (s *Session) applyAnswers(c *SessionChange, _ MetadataSet) {
	if c.CustomFields != nil {
		s.CustomFields = Answers(*c.CustomFields)
	}
}
