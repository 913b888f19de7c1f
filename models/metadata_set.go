package models

import (
	"context"
	"strconv"

	"lectern/models/store"
)

// metadataSet is an event's metadata at one version, ready to be embedded.
type metadataSet struct {
	byID    map[string]*Metadata
	tracks  map[string]*Track
	rooms   map[string]*Room
	formats map[string]*Format
	levels  map[string]*Level
	tagsBy  map[string]*Tag
}

// metadata returns the event's metadata as of the version its handle carries.
// Inside a transaction it is always read anew.
func (p *Programme) metadata(ctx context.Context) (*metadataSet, error) {
	if set, known := p.store.caches.metadata.Find(ctx, p.event.ID, p.metadataVersion()); known {
		return set, nil
	}
	return p.loadMetadata(ctx)
}

func (p *Programme) loadMetadata(ctx context.Context) (*metadataSet, error) {
	// The version is read before the rows: if they change between, the set is
	// newer than it says and the next read loads it once more.
	number := p.event.MetadataVersion
	if err := p.read(ctx).Model(&Event{}).Where("id = ?", p.event.ID).
		Select("metadata_version").Scan(&number).Error; err != nil {
		return nil, err
	}
	var rows []*Metadata
	if err := p.read(ctx).Where("event_id = ?", p.event.ID).Find(&rows).Error; err != nil {
		return nil, err
	}
	set := newMetadataSet(rows)
	p.store.caches.metadata.Put(ctx, p.event.ID, p.store.Version(number), set)
	return set, nil
}

func newMetadataSet(rows []*Metadata) *metadataSet {
	set := &metadataSet{
		byID: make(map[string]*Metadata, len(rows)), tracks: map[string]*Track{}, rooms: map[string]*Room{},
		formats: map[string]*Format{}, levels: map[string]*Level{}, tagsBy: map[string]*Tag{},
	}
	for _, m := range rows {
		set.byID[m.ID] = m
		switch m.Family {
		case Tracks:
			set.tracks[m.ID] = new(m.AsTrack())
		case Rooms:
			set.rooms[m.ID] = new(m.AsRoom())
		case Formats:
			set.formats[m.ID] = new(m.AsFormat())
		case Levels:
			set.levels[m.ID] = &Level{m.Label()}
		case Tags:
			set.tagsBy[m.ID] = &Tag{m.Label()}
		}
	}
	return set
}

// check answers Invalid unless id is nil or a row of the family.
func (set *metadataSet) check(family Family, field string, id *string) error {
	if id == nil {
		return nil
	}
	if m := set.byID[*id]; m == nil || m.Family != family {
		return store.Invalidf(field, "is not a %s of this event", family.Singular())
	}
	return nil
}

// tags returns the tags with these ids, each once and in their order.
func (set *metadataSet) tags(ids []string) ([]*Tag, error) {
	if len(ids) > store.MaxTags {
		return nil, store.Invalidf("tag_ids", "has %d items; at most %d are allowed", len(ids), store.MaxTags)
	}
	tags := make([]*Tag, 0, len(ids))
	seen := make(map[string]bool, len(ids))
	for i, id := range ids {
		if err := set.check(Tags, "tag_ids["+strconv.Itoa(i)+"]", &id); err != nil {
			return nil, err
		}
		if !seen[id] {
			seen[id] = true
			tags = append(tags, set.tagsBy[id])
		}
	}
	sortTags(tags)
	return tags, nil
}

// embed puts the rows a session names onto it.
func (set *metadataSet) embed(s *Session) {
	s.Track = pick(set.tracks, s.TrackID)
	s.Room = pick(set.rooms, s.RoomID)
	s.Format = pick(set.formats, s.FormatID)
	s.Level = pick(set.levels, s.LevelID)
}

// covers tells whether the set knows all rows a session names.
func (set *metadataSet) covers(s *Session) bool {
	for _, id := range []*string{s.TrackID, s.RoomID, s.FormatID, s.LevelID} {
		if id != nil && set.byID[*id] == nil {
			return false
		}
	}
	return true
}

func pick[T any](rows map[string]*T, id *string) *T {
	if id == nil {
		return nil
	}
	return rows[*id]
}
