package cfp

import (
	"context"
	"time"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// Sweep deletes logins, links and used forms that are too old or unused for too long, and accounts that were not
// confirmed while their links were valid and whose contacts have nothing left. Locked accounts are left for the next
// time.
func Sweep(ctx context.Context, s *models.Store) error {
	return s.Write(ctx, func(tx *store.Tx) error {
		if err := tx.Exec("DELETE FROM brought_bytes WHERE hour < ?", store.At(tx.Now.Add(-time.Hour))).Error; err != nil {
			return err
		}
		err := signin.Sweep(tx, append(signin.ExpiredLogins(tx, &Login{}, LoginIdle),
			signin.Expired{Row: &link{}, Key: "id", Column: "expires_at", Before: tx.Now},
			signin.Expired{Row: &usedStamp{}, Key: "stamp", Column: "used_at", Before: store.At(tx.Now.Add(-StampLifetime))})...)
		if err != nil {
			return err
		}
		idle := tx.SkipLocked().Model(&Account{}).Select("id").
			Where("confirmed_at IS NULL AND created_at <= ?", store.At(tx.Now.Add(-LinkLifetime))).
			Where("NOT EXISTS (SELECT 1 FROM participants p WHERE p.contact_id = speaker_accounts.contact_id)").
			Where("NOT EXISTS (SELECT 1 FROM proposals p WHERE p.contact_id = speaker_accounts.contact_id)")
		return tx.Where("id IN (?)", idle).Delete(&Account{}).Error
	})
}
