package outbox

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// DeliveryState is how far deliveries have come.
type DeliveryState struct {
	Waiting int64         // rounds that have not begun, and emissions that are not in line yet
	Oldest  time.Duration // how long the first of them has waited, but for those whose endpoint needs a secret
	Failed  int64         // rounds of the last hour that reached nobody
	Idle    time.Duration // since an attempt began; for good when none ever did
	Leader  string        // the machine and process that delivers; "" while none does
}

// stuck is how long something may wait while no attempt begins. The longest pause
// of a line that fails is well below it.
const stuck = 2 * time.Minute

// Stuck says why deliveries do not move, or "" when they do.
func (d DeliveryState) Stuck() string {
	if d.Oldest < stuck || d.Idle < stuck {
		return ""
	}
	return fmt.Sprintf("deliveries do not move: %d wait, the oldest for %s, and none began in the last %s",
		d.Waiting, d.Oldest.Truncate(time.Second), stuck)
}

// DeliveriesStuck says why deliveries do not move, or "" when they do.
func (o *Outbox) DeliveriesStuck(ctx context.Context) (reason string, err error) {
	state, err := o.DeliveryState(ctx)
	return state.Stuck(), err
}

// DeliveryState tells how far the deliveries of all organizations have come.
func (o *Outbox) DeliveryState(ctx context.Context) (DeliveryState, error) {
	return o.deliveryState(ctx, o.Read(ctx))
}

// DeliveryState tells how far the organization's deliveries have come.
func (w *Webhooks) DeliveryState(ctx context.Context) (DeliveryState, error) {
	return w.outbox.deliveryState(ctx, w.Read(ctx).Where("o.id = ?", w.ID))
}

// deliveryCounts are read from indexes alone, but for the oldest of a line. Test events count nowhere.
const deliveryCounts = `
	(SELECT count(*) FROM deliveries_due d WHERE d.organization_id = o.id)
		- (SELECT count(*) FROM emissions e JOIN deliveries_due d ON d.emission_seq = e.seq
			WHERE e.is_test AND e.organization_id = o.id)
		+ (SELECT count(*) FROM emissions e WHERE e.fanned_at IS NULL AND e.organization_id = o.id) AS waiting,
	(SELECT e.occurred_at FROM emissions e WHERE e.seq =
		(SELECT min(d.emission_seq) FROM deliveries_due d WHERE d.organization_id = o.id
			AND d.emission_seq NOT IN (SELECT t.seq FROM emissions t WHERE t.is_test)
			AND NOT EXISTS (SELECT 1 FROM webhook_endpoints w WHERE w.id = d.webhook_id AND w.sealed_secret = ''))) AS in_line,
	(SELECT e.occurred_at FROM emissions e WHERE e.fanned_at IS NULL AND e.organization_id = o.id
		ORDER BY e.seq LIMIT 1) AS new,
	(SELECT count(*) FROM webhook_deliveries w WHERE w.organization_id = o.id AND w.attempt = 1 AND NOT w.is_test
		AND w.round_result IN ('failed', 'rejected', 'blocked', 'handoff_failed') AND w.created_at > ?) AS failed,
	(SELECT w.created_at FROM webhook_deliveries w WHERE w.organization_id = o.id AND NOT w.is_test
		ORDER BY w.created_at DESC, w.id DESC LIMIT 1) AS began`

func (o *Outbox) deliveryState(ctx context.Context, organizations *gorm.DB) (DeliveryState, error) {
	now := o.Now()
	var rows []struct {
		Waiting, Failed    int64
		InLine, New, Began *store.Time
	}
	state := DeliveryState{Idle: now.Sub(time.Time{})}
	err := organizations.Table("organizations o").Select(deliveryCounts, store.At(now.Add(-time.Hour))).Order("o.id").
		Scan(&rows).Error
	if err != nil {
		return state, err
	}
	for _, row := range rows {
		state.Waiting += row.Waiting
		state.Failed += row.Failed
		for _, since := range []*store.Time{row.InLine, row.New} {
			if since != nil {
				state.Oldest = max(state.Oldest, now.Sub(since.Time))
			}
		}
		if row.Began != nil {
			state.Idle = min(state.Idle, now.Sub(row.Began.Time))
		}
	}
	state.Leader, err = o.leader(ctx)
	return state, err
}
