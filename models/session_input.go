package models

import "slices"

// SessionInput carries what create and update share. Nil, or an Optional that
// is not set, leaves a field alone.
type SessionInput struct {
	Status       *Status          `json:"status,omitempty" required:"false" nullable:"false" enum:"draft,pending,accept_queue,accepted,decline_queue,declined,withdrawn" doc:"Default: pending for abstracts, accepted for programme sessions"`
	Description  *string          `json:"description,omitempty" required:"false" nullable:"false" maxLength:"50000" doc:"HTML, sanitised on the way in"`
	StartsAt     Optional[Time]   `json:"starts_at" required:"false" doc:"null = unscheduled"`
	EndsAt       Optional[Time]   `json:"ends_at" required:"false" doc:"Not before starts_at, and not without it"`
	Capacity     Optional[int]    `json:"capacity" required:"false" minimum:"0" maximum:"1000000" doc:"0 to 1,000,000"`
	TrackID      Optional[string] `json:"track_id" required:"false" doc:"A track of this event"`
	RoomID       Optional[string] `json:"room_id" required:"false" doc:"A room of this event"`
	FormatID     Optional[string] `json:"format_id" required:"false" doc:"A format of this event"`
	LevelID      Optional[string] `json:"level_id" required:"false" doc:"A level of this event"`
	TagIDs       *[]string        `json:"tag_ids,omitempty" required:"false" nullable:"false" doc:"Tags of this event; the list replaces the list"`
	CustomFields *AnswersInput    `json:"custom_fields,omitempty" required:"false" nullable:"false" doc:"Answers to the form, as [{key, value}] or an object of strings; replaces all"`
}

// NewSession is what a session is made of. Publishing is not part of it.
type NewSession struct {
	Title      string `json:"title" doc:"1 to 255 characters"`
	IsAbstract bool   `json:"is_abstract,omitempty" required:"false" doc:"true makes a submission of the call for papers; it cannot be changed later"`
	SessionInput
}

// SessionChange is a partial update.
type SessionChange struct {
	Title           *string `json:"title,omitempty" required:"false" nullable:"false" doc:"1 to 255 characters"`
	IsAbstract      *bool   `json:"is_abstract,omitempty" required:"false" nullable:"false" doc:"May be repeated, cannot be changed"`
	IsPublic        *bool   `json:"is_public,omitempty" required:"false" nullable:"false" doc:"true needs the decision letter to have been sent, or publish_override"`
	PublishOverride bool    `json:"publish_override,omitempty" required:"false" doc:"Publish although no decision letter has been sent"`
	UpdatedAt       *Time   `json:"updated_at,omitempty" required:"false" nullable:"false" doc:"The value last read; a stale one answers 409, leaving it out forces the write"`
	SessionInput
}

// clean tidies the input and checks all that needs no record: the rules of each
// field, and that the metadata rows it names are this event's.
func (in *SessionInput) clean(f *faults, refs *metadataSet) {
	if in.Status != nil && !slices.Contains(Statuses, *in.Status) {
		f.add(invalid("status", "must be one of draft, pending, accept_queue, accepted, decline_queue, declined, withdrawn"))
	}
	if in.Description != nil {
		description, err := cleanHTML("description", *in.Description, MaxDescription)
		f.add(err)
		in.Description = &description
	}
	if c := in.Capacity.Value; c != nil && (*c < 0 || *c > MaxCapacity) {
		f.add(invalid("capacity", "must be between 0 and %d", MaxCapacity))
	}
	f.add(refs.check(Tracks, "track_id", in.TrackID.Value))
	f.add(refs.check(Rooms, "room_id", in.RoomID.Value))
	f.add(refs.check(Formats, "format_id", in.FormatID.Value))
	f.add(refs.check(Levels, "level_id", in.LevelID.Value))
	if in.TagIDs != nil {
		_, err := refs.tags(*in.TagIDs)
		f.add(err)
	}
	if in.CustomFields != nil {
		answers, err := in.CustomFields.clean()
		f.add(err)
		in.CustomFields = &answers
	}
}

func (n *NewSession) clean(refs *metadataSet) error {
	var f faults
	var err error
	n.Title, err = cleanName("title", n.Title, MaxTitle)
	f.add(err)
	n.SessionInput.clean(&f, refs)
	return f.err()
}

func (c *SessionChange) clean(refs *metadataSet) error {
	var f faults
	if c.Title != nil {
		title, err := cleanName("title", *c.Title, MaxTitle)
		f.add(err)
		c.Title = &title
	}
	c.SessionInput.clean(&f, refs)
	return f.err()
}

// names tells whether the input puts metadata rows on a session.
func (in *SessionInput) names() bool {
	for _, id := range []*string{in.TrackID.Value, in.RoomID.Value, in.FormatID.Value, in.LevelID.Value} {
		if id != nil {
			return true
		}
	}
	return in.TagIDs != nil && len(*in.TagIDs) > 0
}

// apply writes a clean input onto s and answers Invalid when its times do not
// fit together.
func (in *SessionInput) apply(s *Session, refs *metadataSet) error {
	if in.Status != nil {
		s.Status = *in.Status
	}
	if in.Description != nil {
		s.Description = *in.Description
	}
	s.StartsAt, s.EndsAt = in.StartsAt.or(s.StartsAt), in.EndsAt.or(s.EndsAt)
	s.Capacity = in.Capacity.or(s.Capacity)
	s.TrackID, s.RoomID = in.TrackID.or(s.TrackID), in.RoomID.or(s.RoomID)
	s.FormatID, s.LevelID = in.FormatID.or(s.FormatID), in.LevelID.or(s.LevelID)
	refs.embed(s)
	if in.TagIDs != nil {
		s.Tags, _ = refs.tags(*in.TagIDs)
	}
	if in.CustomFields != nil {
		s.CustomFields = Answers(*in.CustomFields)
	}
	return s.checkTimes()
}
