package models

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// MetadataChange is a partial change of a metadata row. A field of another family is Invalid.
type MetadataChange struct {
	Name           *string
	Color          *string             // tracks only
	Capacity       store.Optional[int] // rooms only
	DefaultMinutes store.Optional[int] // formats only
	Wanted         store.Optional[int] // tracks and formats
	Position       *int                // in its family, as MoveMetadata has it
	UpdatedAt      *store.Time         // the value last read; without it the change is forced
}

func (c *MetadataChange) clean(family Family) error {
	var f store.Faults
	if c.Name != nil {
		c.Name = new(*c.Name)
		f.Clean(store.CleanName, "name", c.Name, store.MaxName)
	}
	checkOwn(&f, family, c.Color, c.Capacity, c.DefaultMinutes)
	checkWanted(&f, family, c.Wanted)
	return f.Err()
}

var errStaleMetadata = store.Outdated(
	"Someone else changed this since you read it. Read it again, then repeat your change.")

// UpdateMetadata applies a partial change. It answers Invalid for a field that breaks its rule, NotFound for a
// row that is not of this family and event, and Stale when the token it carries is outdated. A change that
// changes nothing leaves the row and its token alone. Sessions show the row as it is now; their search text
// holds no metadata, so none of them is written, and nothing is emitted.
func (p *Programme) UpdateMetadata(ctx context.Context, family Family, id string, c MetadataChange) (*Metadata, error) {
	if err := c.clean(family); err != nil {
		return nil, err
	}
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Metadata, error) { return p.ChangeMetadata(tx, family, id, c) })
}

// ChangeMetadata is UpdateMetadata with a clean change.
func (p *Programme) ChangeMetadata(tx *store.Tx, family Family, id string, c MetadataChange) (*Metadata, error) {
	if err := p.holdRenamed(tx, family, id, c); err != nil {
		return nil, err
	}
	before, err := p.MetadataIn(tx.DB, family, id)
	if err != nil {
		return nil, err
	}
	if c.UpdatedAt != nil && !c.UpdatedAt.Equal(before.UpdatedAt.Time) {
		return nil, errStaleMetadata
	}
	if c.Position != nil {
		if err := p.move(tx, before, *c.Position); err != nil {
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
	was, is := store.Changes(before.facts(), row.facts())
	if len(is) == 0 {
		return row, nil
	}
	row.UpdatedAt = tx.Now.Following(before.UpdatedAt)
	if err := tx.Model(row).Where("event_id = ?", p.event.ID).
		Select("name", "name_key", "color", "capacity", "default_minutes", "wanted", "updated_at").
		Updates(row).Error; err != nil {
		return nil, err
	}
	if err := p.reenterRenamed(tx, before, row); err != nil {
		return nil, err
	}
	return row, p.record(tx, store.Change{Subject: family.Singular(), ID: id, Action: "updated", Before: was, After: is})
}

// holdRenamed locks what renaming a row changes: the event's counters and, before them, sessions whose calendar entry
// names the room.
func (p *Programme) holdRenamed(tx *store.Tx, family Family, id string, c MetadataChange) error {
	if family == Rooms && c.Name != nil && store.IsID(id) {
		if err := p.HoldSessions(tx, "room_id = ? AND is_public", id); err != nil {
			return err
		}
	}
	return p.countMetadata(tx)
}

// MoveMetadata puts a row at a position of its family, counted from 0; the rows
// between make room and keep their tokens. It answers NotFound for a row that
// is not of this family and event, and Invalid for an order beyond the last.
func (p *Programme) MoveMetadata(ctx context.Context, family Family, id string, position int) error {
	return p.write(ctx, func(tx *store.Tx) error {
		if err := p.countMetadata(tx); err != nil {
			return err
		}
		row, err := p.MetadataIn(tx.DB, family, id)
		if err != nil {
			return err
		}
		return p.move(tx, row, position)
	})
}

// move puts a row at a position. The caller holds the event's counters.
func (p *Programme) move(tx *store.Tx, row *Metadata, position int) error {
	var count int64
	if err := tx.Model(&Metadata{}).Where("event_id = ? AND family = ?", p.event.ID, row.Family).Count(&count).
		Error; err != nil {
		return err
	}
	if position < 0 || int64(position) >= count {
		return store.Invalidf("order", "must be between 0 and %d", count-1)
	}
	if row.Position == position {
		return nil
	}
	if err := p.closeRanks(tx, row.Family, row.ID, position); err != nil {
		return err
	}
	was := row.Position
	row.Position, row.UpdatedAt = position, tx.Now.Following(row.UpdatedAt)
	if err := tx.Model(row).Where("event_id = ?", p.event.ID).Select("position", "updated_at").UpdateColumns(row).
		Error; err != nil {
		return err
	}
	return p.record(tx, store.Change{Subject: row.Family.Singular(), ID: row.ID, Action: "moved",
		Before: map[string]any{"order": was}, After: map[string]any{"order": position}})
}

// closeRanks renumbers the rows of a family from 0, leaving a gap for the row left out.
func (p *Programme) closeRanks(tx *store.Tx, family Family, leftOut string, free int) error {
	return tx.Exec(`UPDATE metadata SET position = ranked.place FROM (
			SELECT id, CASE WHEN place < ? THEN place ELSE place + 1 END AS place FROM (
				SELECT id, row_number() OVER (ORDER BY position, id) - 1 AS place FROM metadata
				WHERE event_id = ? AND family = ? AND id <> ?) AS others
		) AS ranked WHERE metadata.id = ranked.id AND metadata.position <> ranked.place`,
		free, p.event.ID, family, leftOut).Error
}

// MetadataIn returns a row of this family and event.
func (p *Programme) MetadataIn(db *gorm.DB, family Family, id string) (*Metadata, error) {
	if !slices.Contains(Families, family) {
		return nil, store.NoSuch("metadata")
	}
	if !store.IsID(id) {
		return nil, store.NoSuch(family.Singular())
	}
	return store.One[Metadata](db.Where("event_id = ? AND family = ? AND id = ?", p.event.ID, family, id),
		store.NoSuch(family.Singular()))
}

// facts returns the fields that a change can set, by the names of the API.
func (m *Metadata) facts() map[string]any {
	return map[string]any{
		"name": m.Name, "color": store.Fact(m.Color), "capacity": store.Fact(m.Capacity),
		"default_minutes": store.Fact(m.DefaultMinutes), "wanted": store.Fact(m.Wanted),
	}
}
