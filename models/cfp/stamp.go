package cfp

import (
	"time"

	"lectern/models/store"
)

// StampLifetime is how long the form by which a proposal begins is good.
const StampLifetime = 24 * time.Hour

// ErrStampUsed answers who sends a form anew that began a proposal before.
var ErrStampUsed error = refused("This form began a proposal already. Send it once more to begin another one.")

// usedStamp is a form that began a proposal.
type usedStamp struct {
	Stamp  string `gorm:"primaryKey"`
	UsedAt store.Time
}

// useStamp keeps that a form was used, "" for no form. It answers ErrStampUsed for one that was used before.
func useStamp(tx *store.Tx, stamp string) error {
	if stamp == "" {
		return nil
	}
	return store.Changed(tx.Exec("INSERT INTO used_stamps (stamp, used_at) VALUES (?, ?) ON CONFLICT DO NOTHING", stamp, tx.Now),
		ErrStampUsed)
}
