package people

import (
	"context"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

// OwnFieldInput holds the fields of an own field to be created or changed. A change ignores Type.
type OwnFieldInput struct {
	Label   string
	Help    string
	Type    field.Type
	Options []string
	IsOpen  bool // whoever sees the event's people reads it, not organizers alone
}

// onto checks the input and writes it to f. It answers Invalid.
func (in OwnFieldInput) onto(f *models.OwnField) error {
	d := field.Definition{Key: f.Key, Label: in.Label, Help: in.Help, Type: f.Type, Options: in.Options}
	if err := d.Check(); err != nil {
		return err
	}
	f.Label, f.LabelKey, f.Help, f.Options = d.Label, store.Searchable(d.Label), d.Help, d.Options
	f.IsOpen = in.IsOpen
	if slices.ContainsFunc(models.ContactFields,
		func(c *models.ContactField) bool { return store.Searchable(c.Label) == f.LabelKey }) {
		return errLabelTaken
	}
	return nil
}

// maxOwnFields limits the own fields of an organization.
const maxOwnFields = 50

var (
	errLabelTaken = store.Invalidf("label", "is what another field is called")
	errNoField    = store.Missing("There is no such field of people.")
	errStaleField = store.Outdated("Someone else changed this field since you read it. Read it again, then repeat your change.")
)

// AddOwnField adds a field after the others. It answers Invalid for what breaks the rules of field.Definition, for a
// label that another field has, and beyond maxOwnFields.
func (d *Directory) AddOwnField(ctx context.Context, in OwnFieldInput) (*models.OwnField, error) {
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*models.OwnField, error) {
		if err := d.Hold(tx); err != nil {
			return nil, err
		}
		all, err := d.DefinedFields(tx.DB)
		if err != nil {
			return nil, err
		}
		if len(all) >= maxOwnFields {
			return nil, store.Invalidf("label", "is one too many; delete one of the %d fields first", maxOwnFields)
		}
		f := &models.OwnField{Key: store.NewID(), OrganizationID: d.ID, Type: in.Type, CreatedAt: tx.Now, UpdatedAt: tx.Now}
		if len(all) > 0 {
			f.Position = all[len(all)-1].Position + 1
		}
		if err := in.onto(f); err != nil {
			return nil, err
		}
		if err := tx.Create(f).Error; store.IsDuplicate(err) {
			return nil, errLabelTaken
		} else if err != nil {
			return nil, err
		}
		return f, d.Record(tx, store.Change{Subject: "contact_field", ID: f.Key, Action: "created", After: factsOf(f)})
	})
}

func factsOf(f *models.OwnField) map[string]any {
	return map[string]any{"label": f.Label, "help": f.Help, "type": string(f.Type), "options": []string(f.Options),
		"is_open": f.IsOpen}
}

// ChangeOwnField changes a field's label, help, options and readers. Values do not change. It answers NotFound, Invalid
// as AddOwnField does, and Stale when the token is outdated; nil forces the write.
func (d *Directory) ChangeOwnField(ctx context.Context, key string, in OwnFieldInput,
	token *store.Time) (*models.OwnField, error) {
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*models.OwnField, error) {
		f, err := d.ownField(tx.Lock(), key)
		if err != nil {
			return nil, err
		}
		if token != nil && !token.Equal(f.UpdatedAt.Time) {
			return nil, errStaleField
		}
		before := factsOf(f)
		if err := in.onto(f); err != nil {
			return nil, err
		}
		was, is := store.Changes(before, factsOf(f))
		if len(is) == 0 {
			return f, nil
		}
		f.UpdatedAt = tx.Now.Following(f.UpdatedAt)
		err = tx.Model(&models.OwnField{}).Where("key = ?", f.Key).
			Select("label", "label_key", "help", "options", "is_open", "updated_at").Updates(f).Error
		if store.IsDuplicate(err) {
			return nil, errLabelTaken
		} else if err != nil {
			return nil, err
		}
		return f, d.Record(tx, store.Change{Subject: "contact_field", ID: f.Key, Action: "updated", Before: was, After: is})
	})
}

// OwnField returns a field that the organization defines, or NotFound.
func (d *Directory) OwnField(ctx context.Context, key string) (*models.OwnField, error) {
	return d.ownField(d.Read(ctx), key)
}

func (d *Directory) ownField(db *gorm.DB, key string) (*models.OwnField, error) {
	if !store.IsID(key) {
		return nil, errNoField
	}
	return store.One[models.OwnField](db.Where("organization_id = ? AND key = ?", d.ID, key), errNoField)
}

// DeleteOwnField deletes a field with all its values, and returns how many values there were. It does not raise the
// tokens of people, because a deleted field cannot be edited. It answers NotFound.
func (d *Directory) DeleteOwnField(ctx context.Context, key string) (values int64, err error) {
	err = d.Write(ctx, func(tx *store.Tx) error {
		locked := tx.DB
		if !tx.Store.Embedded() {
			locked = tx.Clauses(clause.Locking{Strength: "UPDATE"}) // waits for operations that save values of the field
		}
		f, err := d.ownField(locked, key)
		if err != nil {
			return err
		}
		if err := tx.Model(&models.ContactValue{}).Where("field_key = ?", key).Count(&values).Error; err != nil {
			return err
		}
		if err := d.dropValuesOf(tx, key); err != nil {
			return err
		}
		if err := tx.Where("key = ?", key).Delete(&models.OwnField{}).Error; err != nil {
			return err
		}
		before := factsOf(f)
		before["values"] = values
		return d.Record(tx, store.Change{Subject: "contact_field", ID: key, Action: "deleted", Before: before})
	})
	return values, err
}

// OwnValueCounts returns how many people have a value of each own field, by field key.
func (d *Directory) OwnValueCounts(ctx context.Context) (map[string]int64, error) {
	return countBy(d.Read(ctx).Model(&models.ContactValue{}).Where("organization_id = ?", d.ID), "field_key")
}
