// Package metadata changes the rows that sessions are sorted by: staff rename, reorder and delete rooms, tracks,
// formats, levels and tags. It builds on package models, which reads and creates them.
package metadata

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Change is a partial change of a metadata row. A field of another family is Invalid.
type Change struct {
	Name           *string
	Color          *string             // tracks only
	Capacity       store.Optional[int] // rooms only
	DefaultMinutes store.Optional[int] // formats only
	Wanted         store.Optional[int] // tracks and formats
	Position       *int                // index in its family, as for Move
	UpdatedAt      *store.Time         // the value last read; nil forces the change
}

func (c *Change) clean(family models.Family) error {
	var f store.Faults
	if c.Name != nil {
		c.Name = new(*c.Name)
		f.Clean(store.CleanName, "name", c.Name, store.MaxName)
	}
	models.CheckOwn(&f, family, c.Color, c.Capacity, c.DefaultMinutes)
	models.CheckWanted(&f, family, c.Wanted)
	return f.Err()
}

var errStaleMetadata = store.Outdated(
	"Someone else changed this since you read it. Read it again, then repeat your change.")

// Update applies a partial change. It answers Invalid for a field that breaks its rule, NotFound for a row of another
// family or event, and Stale for an outdated token. An empty change leaves the row and its token alone. Sessions refer
// to the row, and their search text contains no metadata, so none of them is written and nothing is emitted.
func (m *Metadata) Update(ctx context.Context, family models.Family, id string, c Change) (*models.Metadata, error) {
	if err := c.clean(family); err != nil {
		return nil, err
	}
	return store.Make(ctx, m.p.Write, func(tx *store.Tx) (*models.Metadata, error) {
		return m.UpdateIn(tx, family, id, c)
	})
}

// UpdateIn is Update within a transaction; the change must be clean.
func (m *Metadata) UpdateIn(tx *store.Tx, family models.Family, id string, c Change) (*models.Metadata, error) {
	if err := m.holdRenamed(tx, family, id, c); err != nil {
		return nil, err
	}
	before, err := m.MetadataIn(tx.DB, family, id)
	if err != nil {
		return nil, err
	}
	if c.UpdatedAt != nil && !c.UpdatedAt.Equal(before.UpdatedAt.Time) {
		return nil, errStaleMetadata
	}
	if c.Position != nil {
		if err := m.move(tx, before, *c.Position); err != nil {
			return nil, err
		}
	}
	row := new(*before)
	if c.Name != nil {
		row.Name, row.NameKey = *c.Name, store.Searchable(*c.Name)
	}
	if c.Color != nil {
		row.Color = c.Color
	}
	row.Capacity, row.DefaultMinutes = c.Capacity.Or(row.Capacity), c.DefaultMinutes.Or(row.DefaultMinutes)
	row.Wanted = c.Wanted.Or(row.Wanted)
	was, is := store.Changes(factsOf(before), factsOf(row))
	if len(is) == 0 {
		return row, nil
	}
	row.UpdatedAt = tx.Now.Following(before.UpdatedAt)
	if err := tx.Model(row).Where("event_id = ?", m.p.Event().ID).
		Select("name", "name_key", "color", "capacity", "default_minutes", "wanted", "updated_at").
		Updates(row).Error; err != nil {
		return nil, err
	}
	if err := m.p.ReenterRenamed(tx, before, row); err != nil {
		return nil, err
	}
	return row, m.p.Record(tx, store.Change{Subject: family.Singular(), ID: id, Action: "updated", Before: was, After: is})
}

// holdRenamed locks what renaming a row changes: the event's counters and, before them, the sessions whose calendar
// entries may name the room. OwnMetadata keeps other sessions from moving into the room meanwhile.
func (m *Metadata) holdRenamed(tx *store.Tx, family models.Family, id string, c Change) error {
	if family == models.Rooms && c.Name != nil && store.IsID(id) {
		if err := m.p.OwnMetadata(tx); err != nil {
			return err
		}
		if err := m.p.HoldSessions(tx, "room_id = ?", id); err != nil {
			return err
		}
	}
	return m.p.CountMetadata(tx)
}

// Move puts a row at a position of its family, counted from 0; the rows between make room and get new tokens, so that
// sending one back as it was read does not undo the move. It answers NotFound for a row of another family or event, and
// Invalid for a position beyond the last.
func (m *Metadata) Move(ctx context.Context, family models.Family, id string, position int) error {
	return m.p.Write(ctx, func(tx *store.Tx) error {
		if err := m.p.CountMetadata(tx); err != nil {
			return err
		}
		row, err := m.MetadataIn(tx.DB, family, id)
		if err != nil {
			return err
		}
		return m.move(tx, row, position)
	})
}

// move puts a row at a position. The caller has locked the event's counters.
func (m *Metadata) move(tx *store.Tx, row *models.Metadata, position int) error {
	var count int64
	if err := tx.Model(&models.Metadata{}).Where("event_id = ? AND family = ?", m.p.Event().ID, row.Family).Count(&count).
		Error; err != nil {
		return err
	}
	if position < 0 || int64(position) >= count {
		return store.Invalidf("order", "must be between 0 and %d", count-1)
	}
	if row.Position == position {
		return nil
	}
	if err := m.closeRanks(tx, row.Family, row.ID, position); err != nil {
		return err
	}
	was := row.Position
	row.Position, row.UpdatedAt = position, tx.Now.Following(row.UpdatedAt)
	if err := tx.Model(row).Where("event_id = ?", m.p.Event().ID).Select("position", "updated_at").UpdateColumns(row).
		Error; err != nil {
		return err
	}
	return m.p.Record(tx, store.Change{Subject: row.Family.Singular(), ID: row.ID, Action: "moved",
		Before: map[string]any{"order": was}, After: map[string]any{"order": position}})
}

// closeRanks renumbers the rows of a family from 0, leaving position free for the row left out. Rows that move get one
// common token, later than each had.
func (m *Metadata) closeRanks(tx *store.Tx, family models.Family, leftOut string, free int) error {
	var latest models.Metadata
	err := tx.Select("updated_at").Where("event_id = ? AND family = ?", m.p.Event().ID, family).
		Order("updated_at DESC").Limit(1).Find(&latest).Error
	if err != nil {
		return err
	}
	return tx.Exec(`UPDATE metadata SET position = ranked.place, updated_at = ? FROM (
			SELECT id, CASE WHEN place < ? THEN place ELSE place + 1 END AS place FROM (
				SELECT id, row_number() OVER (ORDER BY position, id) - 1 AS place FROM metadata
				WHERE event_id = ? AND family = ? AND id <> ?) AS others
		) AS ranked WHERE metadata.id = ranked.id AND metadata.position <> ranked.place`,
		tx.Now.Following(latest.UpdatedAt), free, m.p.Event().ID, family, leftOut).Error
}

// MetadataIn returns a row of this family and event.
func (m *Metadata) MetadataIn(db *gorm.DB, family models.Family, id string) (*models.Metadata, error) {
	if !slices.Contains(models.Families, family) {
		return nil, store.NoSuch("metadata")
	}
	return store.OneByID[models.Metadata](db.Where("event_id = ? AND family = ?", m.p.Event().ID, family), id,
		store.NoSuch(family.Singular()))
}

// factsOf returns the fields that a change can set, by the names of the API.
func factsOf(m *models.Metadata) map[string]any {
	return map[string]any{
		"name": m.Name, "color": store.Fact(m.Color), "capacity": store.Fact(m.Capacity),
		"default_minutes": store.Fact(m.DefaultMinutes), "wanted": store.Fact(m.Wanted),
	}
}

// Metadata is the handle for changes of one event's metadata.
type Metadata struct{ p *models.Programme }

// Of returns the metadata of a programme.
func Of(p *models.Programme) *Metadata { return &Metadata{p} }
