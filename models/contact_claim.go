package models

import (
	"context"

	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// ContactBy is who of the organization has an address, as their own or as an alias; nil for nobody.
func (d *Directory) ContactBy(ctx context.Context, email string) (*Contact, error) {
	return contactByEmail(d.Read(ctx), d.ID, email)
}

// Claim gives somebody an address that they have proven, and returns whose it is from then on. Where nobody has it, or
// only as an alias that opens nothing, it is their own, or an alias where they have another one. Who has
// it already was known before: the two become one, who keeps their values, as by Merge. accountID is that of the
// account by which it was proven. It answers NotFound for who
// is not there any more, and Stale where others changed them meanwhile.
func (d *Directory) Claim(ctx context.Context, contactID, email, accountID string) (*Contact, error) {
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*Contact, error) {
		if err := ReleaseAlias(tx, d.ID, email); err != nil {
			return nil, err
		}
		owners, err := IDsByEmail(tx.DB, d.ID, []string{store.Fold(email)})
		if err != nil {
			return nil, err
		}
		if owner := owners[store.Fold(email)]; owner != "" && owner != contactID {
			return d.unite(tx, owner, contactID, accountID)
		}
		before, err := one(d.hold(tx, contactID))
		if err != nil {
			return nil, err
		}
		if store.Fold(before.Email) == store.Fold(email) {
			return &before.Contact, nil
		}
		if before.Email != "" {
			alias := &ContactAlias{d.ID, store.Fold(email), email, contactID, tx.Now, true}
			if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(alias).Error; err != nil {
				return nil, err
			}
			return &before.Contact, EndClaims(tx, []string{contactID}, accountID)
		}
		after := before.Clone()
		after.Email = email
		after.Index()
		return &after.Contact, d.commitContacts(tx, contactAction{proves: accountID}, ContactChange{before, after})
	})
}

// unite merges somebody into whose address they have proven to be theirs.
func (d *Directory) unite(tx *store.Tx, owner, contactID, accountID string) (*Contact, error) {
	for range mergeAttempts {
		m := &merger{Directory: d, tx: tx, into: map[string]string{}, claimedBy: accountID}
		done, err := m.run([]MergePair{{SurvivorID: owner, RemovedID: contactID}})
		if err == errMovedOn {
			continue
		}
		if err != nil {
			return nil, err
		}
		if done[0].Reason != "" {
			return nil, errNoPerson
		}
		return d.contact(tx.DB, owner)
	}
	return nil, errMovedOn
}
