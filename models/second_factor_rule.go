package models

import (
	"context"

	"gorm.io/gorm"
)

var errFactorRequired error = &Error{
	Kind: Invalid, Message: "Your organization requires a second factor of all staff, so yours stays on.",
}

var errFactorFirst = &Error{
	Kind: Invalid, Message: "You have no second factor yourself yet. Turn on yours first, then require it of all.",
	Fields: []FieldError{{Field: "required", Message: "needs a second factor of your own first"}},
}

// SecondFactorRequired tells whether all staff of the organization need a second
// factor.
func (o *Office) SecondFactorRequired(ctx context.Context) (bool, error) {
	return requiresFactor(o.read(ctx), o.id)
}

func requiresFactor(db *gorm.DB, organizationID string) (required bool, err error) {
	err = db.Model(&Organization{}).Where("id = ?", organizationID).Pluck("second_factor_required", &required).Error
	return required, err
}

// RequireSecondFactor says whether all staff of the organization of by need a second
// factor. Who has none is led to set it up by LoginBy's OwesFactor, from the next
// request on. It answers NotFound unless by is an owner, and Invalid for an owner
// who has none themself. What is so already is no change.
func (s *Store) RequireSecondFactor(ctx context.Context, by *User, required bool) error {
	return s.write(ctx, func(tx *Tx) error {
		if err := tx.owner(by); err != nil {
			return err
		}
		owner, err := tx.member(by.OrganizationID, by.ID)
		if err != nil {
			return err
		}
		if required && !owner.HasTOTP() {
			return errFactorFirst
		}
		changed := tx.Model(&Organization{}).Where("id = ? AND second_factor_required <> ?", by.OrganizationID, required).
			UpdateColumns(map[string]any{"second_factor_required": required, "updated_at": tx.now})
		if changed.Error != nil || changed.RowsAffected == 0 {
			return changed.Error
		}
		event := SecondFactorOptional
		if required {
			event = SecondFactorRequired
		}
		return tx.secure(by.OrganizationID, nil, by.inPerson(ctx), event, activity{id: by.OrganizationID})
	})
}
