package cfp

import (
	"time"

	"lectern/models/store"
)

// StampLifetime is how long a form that begins a proposal is valid.
const StampLifetime = 24 * time.Hour

// ErrStampUsed answers a form that is sent again after it began a proposal.
var ErrStampUsed error = refused("This form began a proposal already. Send it once more to begin another one.")

// usedStamp records that a form began a proposal.
type usedStamp struct {
	Stamp  string `gorm:"primaryKey"`
	UsedAt store.Time
}

// useStamp records that a form was used, "" for no form. It answers ErrStampUsed if it was used before.
func useStamp(tx *store.Tx, stamp string) error {
	if stamp == "" {
		return nil
	}
	return store.Changed(tx.Exec("INSERT INTO used_stamps (stamp, used_at) VALUES (?, ?) ON CONFLICT DO NOTHING", stamp, tx.Now),
		ErrStampUsed)
}
