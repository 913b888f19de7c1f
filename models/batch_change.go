package models

import (
	"reflect"
	"slices"
)

// BatchChange is what happens to each session: either a new status, track or
// tags, or a deletion, or a restoration.
type BatchChange struct {
	Status     *Status          `json:"status,omitempty"`
	TrackID    Optional[string] `json:"track_id,omitzero"` // null takes the track away
	AddTags    []string         `json:"add_tags,omitempty"`
	RemoveTags []string         `json:"remove_tags,omitempty"`
	Delete     bool             `json:"delete,omitempty"`
	Restore    bool             `json:"restore,omitempty"`
}

func (c *BatchChange) clean(refs *metadataSet) error {
	var f faults
	if c.Status != nil && !slices.Contains(Statuses, *c.Status) {
		f.add(invalid("status", "must be one of draft, pending, accept_queue, accepted, decline_queue, declined, withdrawn"))
	}
	f.add(refs.check(Tracks, "track_id", c.TrackID.Value))
	for _, of := range []idsOf{{"add_tags", c.AddTags}, {"remove_tags", c.RemoveTags}} {
		if len(of.ids) > MaxTags {
			f.add(invalid(of.name, "has %d items; at most %d are allowed", len(of.ids), MaxTags))
			continue
		}
		for _, id := range of.ids {
			f.add(refs.check(Tags, of.name, &id))
		}
	}
	if slices.ContainsFunc(c.AddTags, func(id string) bool { return slices.Contains(c.RemoveTags, id) }) {
		f.add(invalid("remove_tags", "names a tag that is added too"))
	}
	kinds := 0
	for _, given := range []bool{c.changesFields(), c.Delete, c.Restore} {
		if given {
			kinds++
		}
	}
	if kinds != 1 {
		f.add(invalid("change", "must be one of: a status, track or tags; a deletion; a restoration"))
	}
	return f.err()
}

func (c *BatchChange) changesFields() bool {
	return c.Status != nil || c.TrackID.Set || len(c.AddTags)+len(c.RemoveTags) > 0
}

// of is the change of one session.
func (c *BatchChange) of(s *Session) SessionChange {
	change := SessionChange{SessionInput: SessionInput{Status: c.Status, TrackID: c.TrackID}}
	if len(c.AddTags)+len(c.RemoveTags) > 0 {
		tags := slices.DeleteFunc(tagIDs(s), func(id string) bool { return slices.Contains(c.RemoveTags, id) })
		change.TagIDs = new(append(tags, c.AddTags...))
	}
	return change
}

func tagIDs(s *Session) []string {
	ids := make([]string, len(s.Tags))
	for i, tag := range s.Tags {
		ids[i] = tag.ID
	}
	return ids
}

// BatchFacts are the fields that an item changed, as they were or as they are.
type BatchFacts struct {
	Status  *Status          `json:"status,omitempty"`
	TrackID Optional[string] `json:"track_id,omitzero"`
	TagIDs  *[]string        `json:"tag_ids,omitempty"`
}

// compared returns the facts that differ between two states of a session.
func compared(before, after *Session) (was, is BatchFacts) {
	if before.Status != after.Status {
		was.Status, is.Status = new(before.Status), new(after.Status)
	}
	if !reflect.DeepEqual(before.TrackID, after.TrackID) {
		was.TrackID = Optional[string]{Set: true, Value: before.TrackID}
		is.TrackID = Optional[string]{Set: true, Value: after.TrackID}
	}
	if had, has := tagIDs(before), tagIDs(after); !slices.Equal(had, has) {
		was.TagIDs, is.TagIDs = &had, &has
	}
	return was, is
}

// hold tells whether a session still has all these facts.
func (f *BatchFacts) hold(s *Session) bool {
	if f.Status != nil && *f.Status != s.Status || f.TrackID.Set && !reflect.DeepEqual(f.TrackID.Value, s.TrackID) {
		return false
	}
	// The order of tags is the event's and may have changed.
	return f.TagIDs == nil || slices.Equal(slices.Sorted(slices.Values(*f.TagIDs)), slices.Sorted(slices.Values(tagIDs(s))))
}

// change sets the facts on a session.
func (f *BatchFacts) change() SessionChange {
	return SessionChange{SessionInput: SessionInput{Status: f.Status, TrackID: f.TrackID, TagIDs: f.TagIDs}}
}
