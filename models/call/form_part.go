package call

import (
	"context"
	"slices"

	"lectern/models/store"
)

const maxHelp = 1000 // characters

// MostParts limits the parts of a form.
const MostParts = 20

// PartInput holds the fields of a part to be created or changed.
type PartInput struct{ Title, Help string }

func (in *PartInput) clean() error {
	var f store.Faults
	f.Clean(store.CleanName, "title", &in.Title, store.MaxName)
	f.Clean(store.CleanText, "help", &in.Help, maxHelp)
	return f.Err()
}

func (p *Part) facts() map[string]any { return map[string]any{"title": p.Title, "help": p.Help} }

var errNoPart = store.Missing("There is no such part in this form. It may have been removed.")

// AddPart adds a part at the end. It answers NotFound if the event has no call, and Invalid for what breaks its rule.
func (c *Call) AddPart(ctx context.Context, in PartInput) (part *Part, err error) {
	if err := in.clean(); err != nil {
		return nil, err
	}
	err = c.change(ctx, nil, func(tx *store.Tx, f *Form) (store.Change, error) {
		if len(f.Parts) >= MostParts {
			return store.Change{}, store.Invalidf("title", "is one too many: a form has %d parts at most", MostParts)
		}
		part = &Part{ID: store.NewID(), EventID: f.EventID, Title: in.Title, Help: in.Help, Position: len(f.Parts)}
		return store.Change{Action: "part_added", After: map[string]any{"part": in.Title}}, tx.Create(part).Error
	})
	return part, err
}

// ChangePart changes a part's title and help. It answers NotFound, Invalid for what breaks its rule, and Stale.
func (c *Call) ChangePart(ctx context.Context, id string, in PartInput, token *store.Time) error {
	if err := in.clean(); err != nil {
		return err
	}
	return c.change(ctx, token, func(tx *store.Tx, f *Form) (store.Change, error) {
		part := f.Part(&id)
		if part == nil {
			return store.Change{}, errNoPart
		}
		before := part.facts()
		part.Title, part.Help = in.Title, in.Help
		was, is := store.Changes(before, part.facts())
		if len(is) == 0 {
			return store.Change{}, nil
		}
		is["part"] = part.Title
		return store.Change{Action: "part_changed", Before: was, After: is},
			c.of(tx.Model(&Part{})).Where("id = ?", id).Select("title", "help").Updates(part).Error
	})
}

// MovePart moves a part to a position, counted from 0. It answers NotFound, and Invalid for a position beyond the last.
func (c *Call) MovePart(ctx context.Context, id string, position int) error {
	return c.change(ctx, nil, func(tx *store.Tx, f *Form) (store.Change, error) {
		part := f.Part(&id)
		switch {
		case part == nil:
			return store.Change{}, errNoPart
		case position < 0 || position >= len(f.Parts):
			return store.Change{}, store.Invalidf("position", "must be between 1 and %d", len(f.Parts))
		}
		from := slices.Index(f.Parts, part)
		if from == position {
			return store.Change{}, nil
		}
		f.Parts = slices.Insert(slices.Delete(f.Parts, from, from+1), position, part)
		return store.Change{Action: "part_moved", Before: map[string]any{"order": from + 1},
			After: map[string]any{"part": part.Title, "order": position + 1}}, c.place(tx, f)
	})
}

// RemovePart removes a part. Its questions go to the end of the part before it, or to the beginning of the next. It
// answers NotFound, and Invalid for the last part.
func (c *Call) RemovePart(ctx context.Context, id string) error {
	return c.change(ctx, nil, func(tx *store.Tx, f *Form) (store.Change, error) {
		part := f.Part(&id)
		if part == nil {
			return store.Change{}, errNoPart
		}
		if len(f.Parts) == 1 {
			return store.Change{}, &store.Error{Kind: store.Invalid,
				Message: "A form has at least one part. Call this one otherwise, or add another first."}
		}
		at := slices.Index(f.Parts, part)
		f.Parts = slices.Delete(f.Parts, at, at+1)
		if at == 0 {
			f.Parts[0].Questions = append(part.Questions, f.Parts[0].Questions...)
		} else {
			f.Parts[at-1].Questions = append(f.Parts[at-1].Questions, part.Questions...)
		}
		if err := c.place(tx, f); err != nil {
			return store.Change{}, err
		}
		return store.Change{Action: "part_removed", Before: map[string]any{"part": part.Title}},
			c.of(tx.DB).Where("id = ?", id).Delete(&Part{}).Error
	})
}

// place stores the positions of parts and questions that moved.
func (c *Call) place(tx *store.Tx, f *Form) error {
	for i, part := range f.Parts {
		if part.Position != i {
			part.Position = i
			if err := c.of(tx.Model(&Part{})).Where("id = ?", part.ID).UpdateColumn("position", i).Error; err != nil {
				return err
			}
		}
		for n, q := range part.Questions {
			if q.Position == n && q.PartID != nil && *q.PartID == part.ID && q.RemovedAt == nil {
				continue
			}
			columns := map[string]any{"position": n, "part_id": part.ID, "removed_at": nil}
			if q.RemovedAt != nil { // it is asked again
				columns["updated_at"] = tx.Now
			}
			q.Position, q.PartID, q.RemovedAt = n, &part.ID, nil
			if err := c.of(tx.Model(&Question{})).Where("id = ?", q.ID).UpdateColumns(columns).Error; err != nil {
				return err
			}
		}
	}
	return nil
}
