package apikey

import (
	"context"
	"sync"

	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/store"
)

// keyAddress is where a key was used from.
type keyAddress struct {
	APIKeyID string `gorm:"primaryKey"`
	Address  string `gorm:"primaryKey"`
	Since    store.Time
}

func (keyAddress) TableName() string { return "key_addresses" }

// addressesOfKey is how many addresses are kept of one key, the latest ones.
const addressesOfKey = 100

// keyUses are the addresses from which keys were used: those that this process knows to be stored, and those that
// KeepUses has yet to check.
type keyUses struct {
	mu    sync.Mutex
	known map[[2]string]bool // key and address
	fresh []keyUse
}

type keyUse struct {
	keyAddress
	by             store.By
	organizationID string
}

// note keeps the use of a key if it may be the first from its address.
func (k *keyUses) note(key *Key, by store.By, now store.Time) {
	pair := [2]string{key.ID, by.Address}
	if by.Address == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known[pair] || len(k.fresh) >= store.SeenSize {
		return
	}
	if k.known == nil || len(k.known) >= store.SeenSize {
		k.known = map[[2]string]bool{}
	}
	k.known[pair] = true
	by.ActorID, by.ActorName = key.ID, key.Name
	k.fresh = append(k.fresh, keyUse{keyAddress{key.ID, by.Address, now}, by, key.Event.OrganizationID})
}

// noted is what this process noted about the use of keys and has not written yet.
type noted struct {
	seen store.LastSeen
	uses keyUses
}

func notedOf(s *models.Store) *noted {
	return store.Singleton(s.Store, func() *noted {
		return &noted{seen: store.LastSeen{Table: "api_keys", Column: "last_used_at"}}
	})
}

// KeepUses writes what was noted since the last call: when keys were used, and from where. What could not be written is
// kept for the next call.
func (r *Ring) KeepUses(ctx context.Context) error {
	if err := r.keepAddresses(ctx); err != nil {
		return err
	}
	return notedOf(r.s).seen.Keep(ctx, r.s.Store)
}

// keepAddresses stores the addresses that keys were used from, and records each use from a new address.
func (r *Ring) keepAddresses(ctx context.Context) error {
	uses := &notedOf(r.s).uses
	uses.mu.Lock()
	fresh := uses.fresh
	uses.fresh = nil
	uses.mu.Unlock()
	for i, use := range fresh {
		another, err := r.keepAddress(ctx, use.keyAddress)
		if err != nil {
			uses.mu.Lock()
			defer uses.mu.Unlock()
			uses.fresh = append(fresh[i:], uses.fresh...)
			return err
		}
		if another {
			r.s.Note(store.Incident{Event: store.APIKeyFromNewAddress, By: use.by, OrganizationID: use.organizationID,
				SubjectID: use.APIKeyID, Whose: use.Address})
		}
	}
	return nil
}

// keepAddress stores the address of a use, and tells whether the key was used before but never from there.
func (r *Ring) keepAddress(ctx context.Context, use keyAddress) (another bool, err error) {
	return store.Make(ctx, r.s.Write, func(tx *store.Tx) (bool, error) {
		made := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&use)
		if made.Error != nil || made.RowsAffected == 0 {
			return false, made.Error
		}
		var count int64
		err := tx.Model(&keyAddress{}).Where("api_key_id = ?", use.APIKeyID).Count(&count).Error
		if err != nil || count <= addressesOfKey {
			return count > 1, err
		}
		return true, tx.Exec(`DELETE FROM key_addresses WHERE api_key_id = ? AND address IN (
			SELECT address FROM key_addresses WHERE api_key_id = ? ORDER BY since, address LIMIT ?)`,
			use.APIKeyID, use.APIKeyID, count-addressesOfKey).Error
	})
}
