package staff

import (
	"context"
	"slices"

	"lectern/models/store"
)

// LogDays are the choices of how many days the organization's log is kept; 0 means for good.
var LogDays = []int{0, 90, 180, 365, 730, 1825, 3650}

// LogKept returns how many days the organization's log is kept, 0 for good.
func (t *Team) LogKept(ctx context.Context) (days int, err error) {
	err = t.Read(ctx).Model(&store.Organization{}).Where("id = ?", t.ID).Pluck("log_days", &days).Error
	return days, err
}

// KeepLog sets how many days the organization's log is kept, one of LogDays; older lines are deleted at the next sweep.
// It answers NotFound unless an owner acts, and Invalid for other days. Setting the present value changes nothing.
func (t *Team) KeepLog(ctx context.Context, days int) error {
	if !slices.Contains(LogDays, days) {
		return store.Invalidf("log_days", "is none of the choices")
	}
	return t.asOwner(ctx, func(tx *store.Tx) error {
		var organization store.Organization
		if err := tx.Where("id = ?", t.ID).Take(&organization).Error; err != nil || organization.LogDays == days {
			return err
		}
		was := organization.LogDays
		err := tx.Model(&organization).UpdateColumns(map[string]any{"log_days": days, "updated_at": tx.Now}).Error
		if err != nil {
			return err
		}
		return t.Secure(tx, store.LogKept, store.Change{ID: t.ID, Before: map[string]any{"days": was},
			After: map[string]any{"days": days}})
	})
}
