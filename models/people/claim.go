package people

import (
	"context"

	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/store"
)

// Claim gives a contact an address that they have proven, and returns the contact who has it from then on. If nobody
// has the address, or only as an alias that opens nothing, it becomes the contact's own, or an alias if they have
// another one. If another contact has it, the two are merged as by Merge into that one, who keeps their values; values
// of the claimant's profile are taken over only if isTheirs says that they typed it themselves, not a stranger who knew
// the address. accountID is the account that proved the address. It answers NotFound for somebody who is gone, and
// Stale if others changed them meanwhile.
func (d *Directory) Claim(ctx context.Context, contactID, email, accountID string, isTheirs bool) (*models.Contact,
	error) {
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*models.Contact, error) {
		if err := models.ReleaseAlias(tx, d.ID, email); err != nil {
			return nil, err
		}
		owners, err := models.IDsByEmail(tx.DB, d.ID, []string{store.Fold(email)})
		if err != nil {
			return nil, err
		}
		if owner := owners[store.Fold(email)]; owner != "" && owner != contactID {
			return d.unite(tx, owner, contactID, accountID, isTheirs)
		}
		before, err := d.HoldOne(tx, contactID)
		if err != nil {
			return nil, err
		}
		if store.Fold(before.Email) == store.Fold(email) {
			return &before.Contact, nil
		}
		if before.Email != "" {
			alias := &models.ContactAlias{OrganizationID: d.ID, EmailKey: store.Fold(email), Email: email, ContactID: contactID,
				CreatedAt: tx.Now, Opens: true}
			if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(alias).Error; err != nil {
				return nil, err
			}
			return &before.Contact, models.EndClaims(tx, []string{contactID}, accountID)
		}
		after := before.Clone()
		after.Email = email
		after.Index()
		return &after.Contact, d.CommitContacts(tx, models.ProvingAddress(accountID), models.ContactChange{Before: before,
			After: after})
	})
}

// unite merges somebody into the contact whose address they have proven to be theirs.
func (d *Directory) unite(tx *store.Tx, owner, contactID, accountID string, isTheirs bool) (*models.Contact, error) {
	for range mergeAttempts {
		m := &merger{Directory: d, tx: tx, into: map[string]string{}, claimedBy: accountID,
			isTyped: !isTheirs}
		done, err := m.run([]MergePair{{SurvivorID: owner, RemovedID: contactID}})
		if err == errMovedOn {
			continue
		}
		if err != nil {
			return nil, err
		}
		if done[0].Reason != "" {
			return nil, models.ErrNoPerson
		}
		return d.ContactOf(tx.DB, owner)
	}
	return nil, errMovedOn
}
