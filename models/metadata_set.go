package models

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"lectern/models/store"
)

// MetadataSet holds an event's metadata at one version, by id.
type MetadataSet map[string]*Metadata

// Metadata returns the event's metadata as of the version that the handle's event has; if that version is not cached,
// and within a transaction, as it stands.
func (p *Programme) Metadata(ctx context.Context) (MetadataSet, error) {
	if set, known := p.store.caches.metadata.Find(ctx, p.event.ID, p.MetadataVersion()); known {
		return set, nil
	}
	return p.LoadMetadata(p.Read(ctx))
}

// LoadMetadata returns the event's metadata as it stands, read through db: a transaction that waited for a second
// connection could deadlock with others. It uses the cache, but does not fill it within a transaction.
func (p *Programme) LoadMetadata(db *gorm.DB) (MetadataSet, error) {
	// The version is read before the rows: if they change in between, the set is newer than its version and is read
	// again next time.
	number := p.event.MetadataVersion
	if err := db.Model(&eventCounters{}).Where("event_id = ?", p.event.ID).
		Select("metadata_version").Scan(&number).Error; err != nil {
		return nil, err
	}
	version := p.store.Version(number)
	if set, known := p.store.caches.metadata.At(p.event.ID, version); known {
		return set, nil
	}
	var rows []*Metadata
	if err := db.Where("event_id = ?", p.event.ID).Find(&rows).Error; err != nil {
		return nil, err
	}
	set := store.ByKey(rows, func(m *Metadata) string { return m.ID })
	if _, inside := db.Statement.ConnPool.(gorm.TxCommitter); !inside {
		p.store.caches.metadata.Put(db.Statement.Context, p.event.ID, version, set)
	}
	return set, nil
}

// Of returns the rows of a family in order.
func (set MetadataSet) Of(family Family) []*Metadata {
	rows := make([]*Metadata, 0, len(set))
	for _, m := range set {
		if m.Family == family {
			rows = append(rows, m)
		}
	}
	slices.SortFunc(rows, InOrder)
	return rows
}

// Named returns the rows of a family that have an id or a name, in their order: exact matches or, if there are none,
// those that differ in case, accents and width only.
func (set MetadataSet) Named(family Family, given string) []*Metadata {
	all, folded := set.Of(family), store.Searchable(given)
	for _, is := range []func(m *Metadata) bool{
		func(m *Metadata) bool { return m.ID == given || m.Name == given },
		func(m *Metadata) bool { return m.NameKey == folded },
	} {
		found := slices.DeleteFunc(slices.Clone(all), func(m *Metadata) bool { return !is(m) })
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// Family returns all rows of a family, in their order. They are shared and must not be written.
func (p *Programme) Family(ctx context.Context, family Family) ([]*Metadata, error) {
	set, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	return set.Of(family), nil
}

// InOrder compares rows of a family by their position.
func InOrder(a, b *Metadata) int {
	return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ID, b.ID))
}

// check answers Invalid unless id is nil or that of a row of the family.
func (set MetadataSet) check(family Family, field string, id *string) error {
	if id == nil {
		return nil
	}
	if m := set[*id]; m == nil || m.Family != family {
		return store.Invalidf(field, "is not a %s of this event", family.Singular())
	}
	return nil
}

// Tags returns the tags with these ids, each once and in the event's order. It answers Invalid.
func (set MetadataSet) Tags(ids []string) ([]*Tag, error) {
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
			tags = append(tags, &Tag{set[id].Label()})
		}
	}
	sortTags(tags)
	return tags, nil
}

// Embed fills in the metadata rows to which a session refers.
func (set MetadataSet) Embed(s *Session) {
	s.Track = pick(set, s.TrackID, (*Metadata).AsTrack)
	s.Room = pick(set, s.RoomID, (*Metadata).AsRoom)
	s.Format = pick(set, s.FormatID, (*Metadata).AsFormat)
	s.Level = pick(set, s.LevelID, func(m *Metadata) Level { return Level{m.Label()} })
}

// covers reports whether the set has all rows to which a session refers.
func (set MetadataSet) covers(s *Session) bool {
	for _, id := range []*string{s.TrackID, s.RoomID, s.FormatID, s.LevelID} {
		if id != nil && set[*id] == nil {
			return false
		}
	}
	return true
}

func pick[T any](set MetadataSet, id *string, as func(*Metadata) T) *T {
	if id == nil || set[*id] == nil {
		return nil
	}
	return new(as(set[*id]))
}
