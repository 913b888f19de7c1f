package models

import (
	"context"
	"strconv"
	"sync"
)

// metadataSet is an event's metadata at one version, ready to be embedded.
type metadataSet struct {
	version version
	byID    map[string]*Metadata
	tracks  map[string]*Track
	rooms   map[string]*Room
	formats map[string]*Format
	levels  map[string]*Level
	tagsBy  map[string]*Tag
}

// metadataCache keeps the sets of the events in use. The event row carries a
// version that is another one after each metadata write, and it is read with
// every key, so no replica serves an outdated row.
type metadataCache struct {
	mu   sync.Mutex
	sets map[string]*metadataSet
}

const metadataCacheSize = 256 // events

func (c *metadataCache) get(eventID string, version version) *metadataSet {
	c.mu.Lock()
	defer c.mu.Unlock()
	if set := c.sets[eventID]; set != nil && set.version == version {
		return set
	}
	return nil
}

func (c *metadataCache) put(eventID string, set *metadataSet) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sets == nil || len(c.sets) >= metadataCacheSize {
		c.sets = make(map[string]*metadataSet)
	}
	c.sets[eventID] = set
}

// metadata returns the event's metadata as of the version its handle carries.
// Inside a transaction it is always read anew.
func (p *Programme) metadata(ctx context.Context) (*metadataSet, error) {
	if ctx.Value(txKey{}) == nil {
		if set := p.store.metadata.get(p.event.ID, p.version(p.event.MetadataVersion)); set != nil {
			return set, nil
		}
	}
	return p.loadMetadata(ctx)
}

func (p *Programme) loadMetadata(ctx context.Context) (*metadataSet, error) {
	set := &metadataSet{version: p.version(p.event.MetadataVersion)}
	// The version is read before the rows: if they change between, the set is
	// newer than it says and the next read loads it once more.
	if err := p.read(ctx).Model(&Event{}).Where("id = ?", p.event.ID).
		Select("metadata_version").Scan(&set.version.number).Error; err != nil {
		return nil, err
	}
	var rows []*Metadata
	if err := p.read(ctx).Where("event_id = ?", p.event.ID).Find(&rows).Error; err != nil {
		return nil, err
	}
	set.fill(rows)
	if ctx.Value(txKey{}) == nil {
		p.store.metadata.put(p.event.ID, set)
	}
	return set, nil
}

func (set *metadataSet) fill(rows []*Metadata) {
	set.byID = make(map[string]*Metadata, len(rows))
	set.tracks = make(map[string]*Track)
	set.rooms = make(map[string]*Room)
	set.formats = make(map[string]*Format)
	set.levels = make(map[string]*Level)
	set.tagsBy = make(map[string]*Tag)
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
}

// check answers Invalid unless id is nil or a row of the family.
func (set *metadataSet) check(family Family, field string, id *string) error {
	if id == nil {
		return nil
	}
	if m := set.byID[*id]; m == nil || m.Family != family {
		return invalid(field, "is not a %s of this event", family.Singular())
	}
	return nil
}

// tags returns the tags with these ids, each once and in their order.
func (set *metadataSet) tags(ids []string) ([]*Tag, error) {
	if len(ids) > MaxTags {
		return nil, invalid("tag_ids", "has %d items; at most %d are allowed", len(ids), MaxTags)
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
