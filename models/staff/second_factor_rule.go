package staff

import (
	"context"

	"gorm.io/gorm"

	"lectern/models/store"
)

var errFactorRequired error = &store.Error{
	Kind: store.Invalid, Message: "Your organization requires a second factor of all staff, so yours stays on.",
}

var errFactorFirst = &store.Error{
	Kind: store.Invalid, Message: "You have no second factor yourself yet. Turn on yours first, then require it of all.",
	Fields: []store.FieldError{{Field: "required", Message: "needs a second factor of your own first"}},
}

// SecondFactorRequired reports whether all staff of the organization need a second factor.
func (t *Team) SecondFactorRequired(ctx context.Context) (bool, error) {
	return requiresFactor(t.Read(ctx), t.ID)
}

func requiresFactor(db *gorm.DB, organizationID string) (required bool, err error) {
	err = db.Model(&store.Organization{}).Where("id = ?", organizationID).Pluck("second_factor_required", &required).Error
	return required, err
}

// RequireSecondFactor sets whether all staff of the organization need a second factor. From their next request on,
// LoginBy's OwesFactor leads those who have none to set it up. It answers NotFound unless an owner acts, and Invalid
// for an owner who has none. Setting the present value changes nothing.
func (t *Team) RequireSecondFactor(ctx context.Context, required bool) error {
	return t.asOwner(ctx, func(tx *store.Tx) error {
		owner, err := t.member(tx, t.By.ActorID)
		if err != nil {
			return err
		}
		if required && !owner.HasFactor() {
			return errFactorFirst
		}
		return t.setRule(tx, "second_factor_required", required, store.SecondFactorRequired, store.SecondFactorOptional)
	})
}

// setRule turns a rule of the organization on or off, and records the event for it. Setting the present value changes
// nothing.
func (t *Team) setRule(tx *store.Tx, column string, isOn bool, on, off store.SecurityEvent) error {
	changed := tx.Model(&store.Organization{}).Where("id = ? AND "+column+" <> ?", t.ID, isOn).
		UpdateColumns(map[string]any{column: isOn, "updated_at": tx.Now})
	if changed.Error != nil || changed.RowsAffected == 0 {
		return changed.Error
	}
	if isOn {
		return t.Secure(tx, on, store.Change{ID: t.ID})
	}
	return t.Secure(tx, off, store.Change{ID: t.ID})
}
