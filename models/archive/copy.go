package archive

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/store"
)

// Original is an event as it was at one moment, from which one copy is made.
type Original struct {
	p        *models.Programme
	of       *models.Event
	rows     map[string][]row // by table
	files    []*models.File   // the pictures of the event's look
	pictures []*models.File   // the copy's pictures in the same order, whose bytes are stored already
	house    map[string]bool  // ids of the organization's records that saved lists may name
}

// Prepare reads what a copy of an event begins with: everything except people, sessions, letters and keys. It also
// stores the bytes of the copy's pictures, so call it before any transaction begins.
func Prepare(ctx context.Context, p *models.Programme) (*Original, error) {
	o := &Original{p: p, rows: map[string][]row{}, house: map[string]bool{}}
	if err := o.read(ctx); err != nil {
		return nil, err
	}
	return o, o.bring(ctx)
}

func (o *Original) read(ctx context.Context) error {
	id := o.p.Event().ID
	return o.p.Store().Snapshot(ctx, func(db *gorm.DB) (err error) {
		missing := store.Missing("There is no event with this id or slug.")
		if o.of, err = store.One[models.Event](db.Where("id = ?", id), missing); err != nil {
			return err
		}
		for _, t := range tables {
			if t.copied == "" {
				continue
			}
			err := t.rows(db, columnsOf(t.name), ofEvent(id), t.copied, func(one row) error {
				o.rows[t.name] = append(o.rows[t.name], one)
				return nil
			})
			if err != nil {
				return err
			}
		}
		if err := o.readHouse(db); err != nil {
			return err
		}
		return db.Where("id IN ("+referred("event_looks.logo_id", "event_looks.picture_id")+")", sql.Named("events", []string{id})).
			Order("id").Find(&o.files).Error
	})
}

func (o *Original) readHouse(db *gorm.DB) error {
	for _, of := range []struct{ table, id string }{{"contact_fields", "key"}, {"sourcing_stages", "id"}, {"users", "id"}} {
		var ids []string
		err := db.Table(of.table).Where("organization_id = ?", o.of.OrganizationID).Pluck(of.id, &ids).Error
		if err != nil {
			return err
		}
		for _, id := range ids {
			o.house[id] = true
		}
	}
	return nil
}

// Copy is the input to make a copy.
type Copy struct {
	Name     string
	Slug     string
	StartsOn *string // the first day, from which all days are shifted; nil clears them
}

// event returns the input for the copied event, and the shift of its days.
func (o *Original) event(c Copy) (models.NewEvent, *shift, error) {
	from := o.of
	n := models.NewEvent{Name: c.Name, Slug: c.Slug, Timezone: from.Timezone, StartsOn: c.StartsOn}
	by, err := shiftOf(from.StartsOn, c.StartsOn, from.Location())
	if err == nil && by != nil && from.EndsOn != nil {
		last, tooFar := by.date(*from.EndsOn)
		n.EndsOn, err = &last, tooFar
	}
	return n, by, err
}

// Copy makes the copy in one transaction. begin makes the empty event: AddEvent for a team, CreateEvent for the command
// line; Copy returns its refusals. Dates move by whole days of the event's clock; if the first day of the original or
// of the copy is not known, they are cleared. It emits nothing.
func (o *Original) Copy(
	ctx context.Context, c Copy, begin func(context.Context, models.NewEvent) (*models.Event, error),
) (*models.Event, error) {
	n, by, err := o.event(c)
	if err != nil {
		return nil, err
	}
	return store.Make(ctx, o.p.Write, func(tx *store.Tx) (*models.Event, error) {
		e, err := begin(tx.Within(ctx), n)
		if err != nil {
			return nil, err
		}
		for _, f := range o.pictures {
			if err := models.KeepFile(tx, e.OrganizationID, f); err != nil {
				return nil, err
			}
		}
		if err := o.write(tx, e, o.rename(e), by); err != nil {
			return nil, err
		}
		err = tx.Secure(e.OrganizationID, &e.ID, o.p.By(), store.EventCopied,
			store.Change{ID: e.ID, After: map[string]any{"of": o.of.Name, "name": e.Name}})
		if err != nil {
			return nil, err
		}
		return o.p.Store().EventBy(tx.Within(ctx), e.ID)
	})
}

// bring stores the bytes of the pictures again: the copy has files of its own, which can be changed.
func (o *Original) bring(ctx context.Context) error {
	s := o.p.Store()
	for _, f := range o.files {
		content, err := s.OpenFile(ctx, f)
		if errors.Is(err, files.ErrMissing) {
			return refused("The bytes of %q are not in the file store. Bring it anew under Look, then copy the event.", f.Name)
		}
		if err != nil {
			return err
		}
		whole, err := io.ReadAll(content)
		content.Close()
		if err != nil {
			return err
		}
		own, err := s.StoreBytes(ctx, o.p.By(), f.Name, bytes.NewReader(whole))
		if err != nil {
			return err
		}
		own.Purpose, own.MediaType, own.Width, own.Height = f.Purpose, f.MediaType, f.Width, f.Height
		o.pictures = append(o.pictures, own)
	}
	return nil
}

// rename gives each row of the copy a new id.
func (o *Original) rename(e *models.Event) renamed {
	ids := renamed{o.of.ID: e.ID}
	for i, f := range o.pictures {
		ids[o.files[i].ID] = f.ID
	}
	for _, t := range tables {
		id := at(columnsOf(t.name), "id")
		for _, one := range o.rows[t.name] {
			if id < 0 || ids[one[id].(string)] != "" {
				continue // it has no id, or is the round of all submissions, whose id is the event's
			}
			ids[one[id].(string)] = t.fresh()
		}
	}
	return ids
}

// write inserts the rows of a copy, whose event exists with everything that new events have.
func (o *Original) write(tx *store.Tx, e *models.Event, ids renamed, by *shift) error {
	if err := tx.Where("event_id = ?", e.ID).Delete(&models.ReviewRound{}).Error; err != nil {
		return err
	}
	for _, t := range tables {
		var rows []row
		columns := columnsOf(t.name)
		for _, original := range o.rows[t.name] {
			one := append(row{}, original...)
			if !o.reword(t, columns, one, ids, by) {
				continue
			}
			ids.row(one)
			if err := by.row(columns, t.moved, one); err != nil {
				return err
			}
			t.begin(columns, one, tx.Now)
			rows = append(rows, one)
		}
		if t.name == "events" {
			if err := setEvent(tx, e, columns, rows[0]); err != nil {
				return err
			}
			continue
		}
		if err := t.insert(tx, columns, rows); err != nil {
			return err
		}
	}
	return nil
}

// reword moves the dates in a saved list. It returns false for a list that names a session or a person, which the copy
// does not have.
func (o *Original) reword(t *table, columns []column, one row, ids renamed, by *shift) bool {
	for _, name := range t.words {
		said, _ := one[at(columns, name)].(string)
		for _, id := range anID.FindAllString(said, -1) {
			if ids[id] == "" && !o.house[id] {
				return false
			}
		}
		one[at(columns, name)] = by.words(said)
	}
	return true
}

// begin makes a row look as if it were made now.
func (t *table) begin(columns []column, one row, now store.Time) {
	for i, c := range columns {
		switch {
		case c.name == "created_at" || c.name == "updated_at":
			one[i] = now.String()
		case slices.Contains(t.emptied, c.name):
			one[i] = nil
		}
	}
}

// said are the columns of an event that come from the input of the copy, or that must be unique.
var said = []string{
	"id", "organization_id", "name", "slug", "timezone", "starts_on", "ends_on", "created_at", "updated_at",
}

// setEvent gives the new event all other columns of the original.
func setEvent(tx *store.Tx, e *models.Event, columns []column, one row) error {
	set := map[string]any{}
	for i, c := range columns {
		if !slices.Contains(said, c.name) {
			set[c.name] = one[i]
		}
	}
	return tx.Table("events").Where("id = ?", e.ID).UpdateColumns(set).Error
}
