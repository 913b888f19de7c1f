package people

import (
	"context"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/store"
)

// MergeWay is an address by which somebody enters, or claims, the place of one of two people.
type MergeWay struct {
	Email     string
	OfRemoved bool        // of the removed contact
	IsOwn     bool        // the contact's own address, not an alias
	IsClaimed bool        // an unproven account: it ends with the merge
	HasPlace  bool        // an account uses it
	SeenAt    *store.Time // when an account last used it; nil if never, or if it is signed out
}

// waysOf returns the addresses by which people enter the place of one of two people, its own first.
func waysOf(db *gorm.DB, s *side, removed bool) (ways []*MergeWay, err error) {
	byKey := map[string]*MergeWay{}
	add := func(w *MergeWay) *MergeWay {
		key := store.Fold(w.Email)
		if byKey[key] == nil {
			w.OfRemoved = removed
			byKey[key], ways = w, append(ways, w)
		}
		return byKey[key]
	}
	if s.Email != "" {
		add(&MergeWay{Email: s.Email, IsOwn: true})
	}
	for _, alias := range s.Aliases {
		if alias.Opens {
			add(&MergeWay{Email: alias.Email})
		}
	}
	var accounts []struct {
		Email       string
		ConfirmedAt *store.Time
		SeenAt      *store.Time
	}
	err = db.Raw(`SELECT a.email, a.confirmed_at,
		(SELECT max(l.last_seen_at) FROM speaker_logins l WHERE l.account_id = a.id) AS seen_at FROM speaker_accounts a WHERE a.contact_id = ? ORDER BY a.created_at, a.id`, s.ID).Scan(&accounts).Error
	for _, a := range accounts {
		w := add(&MergeWay{Email: a.Email, IsClaimed: a.ConfirmedAt == nil})
		w.HasPlace = w.HasPlace || a.ConfirmedAt != nil
		if w.SeenAt == nil || a.SeenAt != nil && a.SeenAt.After(w.SeenAt.Time) {
			w.SeenAt = a.SeenAt
		}
	}
	return ways, err
}

// Looks returns why the two of a comparison may be one person, nil if nothing suggests it.
func (c *Comparison) Looks() *Suggestion {
	of := func(p *models.Person, removed bool) *Lookalike {
		place := slices.ContainsFunc(c.Ways, func(w *MergeWay) bool {
			return w.OfRemoved == removed && (w.HasPlace || w.IsClaimed)
		})
		return &Lookalike{p.ID, p.FullName, p.Email, p.CompanyName, p.JobTitle, p.Phone, p.CompanyKey, place}
	}
	pairs := suggest([]*Lookalike{of(c.Survivor, false), of(c.Removed, true)}, nil).Pairs
	if len(pairs) == 0 {
		return nil
	}
	return pairs[0]
}

// closeWays decides which addresses of both people open the survivor's place: their own, and those in keep that opened
// a place before. Somebody who claims an address also keeps the survivor's ways in.
func (m *merger) closeWays(stays, gone *side, before *models.Contact, keep []string) error {
	kept := map[string]bool{}
	for _, s := range []*side{stays, gone} {
		own := gone.EmailKey
		if s == stays {
			own = before.EmailKey
		}
		asked := func(key string) bool {
			return m.claimedBy != "" && s == stays ||
				slices.ContainsFunc(keep, func(email string) bool { return store.Fold(email) == key })
		}
		kept[own] = own != "" && asked(own)
		for _, alias := range s.Aliases {
			kept[alias.EmailKey] = alias.Opens && asked(alias.EmailKey)
		}
	}
	var open []string
	for key, is := range kept {
		if is {
			open = append(open, key)
		}
	}
	slices.Sort(open)
	of := m.tx.Model(&models.ContactAlias{}).Where("contact_id = ?", stays.ID)
	if err := of.UpdateColumn("opens", gorm.Expr("email_key IN ?", append(open, ""))).Error; err != nil {
		return err
	}
	return models.EndWays(m.tx, []string{stays.ID}, m.claimedBy)
}

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
