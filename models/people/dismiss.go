package people

import (
	"context"

	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/store"
)

// DismissedPair is two similar people of whom somebody said that they are different.
type DismissedPair struct {
	OrganizationID string
	FirstID        string // the smaller id
	SecondID       string
	ByName         string
	CreatedAt      store.Time
}

// toldApart is the activity of dismissing a pair.
const toldApart = "told apart"

var errNotApart = store.Missing("These two were not dismissed, or are not there any more.")

// DismissedNames is a dismissed pair with the names of the two.
type DismissedNames struct {
	DismissedPair
	FirstName, FirstEmail, SecondName, SecondEmail string
}

// DismissPair stops two people from being suggested as duplicates, for good. Dismissing them again changes nothing.
// It answers NotFound for somebody who is not in this directory. It emits nothing.
func (d *Directory) DismissPair(ctx context.Context, a, b string) error {
	return d.Write(ctx, func(tx *store.Tx) error {
		people, err := d.HoldPeople(tx, a, b)
		if err != nil {
			return err
		}
		if len(people) < 2 {
			return models.ErrNoPerson
		}
		first, second := ordered(a, b)
		done := tx.Clauses(clause.OnConflict{DoNothing: true}).
			Create(&DismissedPair{d.ID, first, second, d.By.ActorName, tx.Now})
		if done.Error != nil || done.RowsAffected == 0 {
			return done.Error
		}
		return d.Record(tx, store.Change{Subject: "contact", ID: a, Action: toldApart, After: map[string]any{"other": b}})
	})
}

// BringBackPair undoes DismissPair. It answers NotFound for a pair that was not dismissed.
func (d *Directory) BringBackPair(ctx context.Context, a, b string) error {
	if !store.IsID(a) || !store.IsID(b) {
		return errNotApart
	}
	first, second := ordered(a, b)
	return d.Write(ctx, func(tx *store.Tx) error {
		return store.Changed(tx.Where("organization_id = ? AND first_id = ? AND second_id = ?", d.ID, first, second).
			Delete(&DismissedPair{}), errNotApart)
	})
}

// DismissedPairs returns the organization's dismissed pairs, the latest first, at most 200.
func (d *Directory) DismissedPairs(ctx context.Context) (pairs []*DismissedNames, err error) {
	return pairs, d.Read(ctx).Table("dismissed_pairs p").Joins("JOIN contacts a ON a.id = p.first_id").
		Joins("JOIN contacts b ON b.id = p.second_id").Where("p.organization_id = ?", d.ID).
		Select("p.*, a.full_name AS first_name, a.email AS first_email, b.full_name AS second_name, b.email AS second_email").
		Order("p.created_at DESC, p.first_id, p.second_id").Limit(200).Find(&pairs).Error
}
