package outbox

import (
	"context"
	"strings"
	"time"

	"lectern/models/store"
)

// byID is the order in which several deliveries are locked.
func byID(a, b *Delivery) int { return strings.Compare(a.ID, b.ID) }

// finishDelivery stores an outcome, and tells whether the attempt was still under way. If it was interrupted meanwhile,
// its real outcome is stored; any other outcome stays.
func finishDelivery(tx *store.Tx, d *Delivery) (underWay bool, err error) {
	if d.Attempt == 1 {
		d.RoundResult = d.Result()
	}
	keep := func(condition string, arg any) (bool, error) {
		done := tx.Model(d).Where(condition, arg).
			Select("outcome", "error_class", "response_status", "response_excerpt", "duration_ms", "round_result").Updates(d)
		return done.RowsAffected > 0, done.Error
	}
	underWay, err = keep("outcome = ?", Sending)
	kept := underWay
	if err == nil && !underWay && d.ErrorClass != InterruptedError {
		kept, err = keep("error_class = ?", InterruptedError)
	}
	if err != nil || !kept || d.Attempt == 1 {
		return underWay, err
	}
	return underWay, keepResult(tx, d)
}

// keepResult copies the result of a second attempt to the row of the first one.
func keepResult(tx *store.Tx, second *Delivery) error {
	return tx.Model(&Delivery{}).
		Where("emission_id = ? AND attempt = 1", second.EmissionID).
		Where("coalesce(webhook_id, '') = coalesce(?, '')", second.WebhookID).
		UpdateColumn("round_result", second.Result()).Error
}

// BeginRetry stores the outcome of a first attempt and inserts the row of the second one. It returns nil when the first
// was interrupted meanwhile: another process has closed the round. After an error it may be called again.
func (o *Outbox) BeginRetry(ctx context.Context, first *Delivery) (*Delivery, error) {
	if first.again == nil {
		second := *first
		second.ID, second.Attempt, second.Outcome = store.NewID(), 2, Sending
		second.ErrorClass, second.ResponseStatus, second.ResponseExcerpt = NoError, nil, ""
		second.DurationMS, second.RoundResult = nil, ""
		first.again = &second
	}
	second, begun := first.again, false
	err := o.Write(ctx, func(tx *store.Tx) error {
		underWay, err := finishDelivery(tx, first)
		if err != nil {
			return err
		}
		if !underWay { // unless an earlier call, which seemed to fail, has begun it
			var known int64
			err := tx.Model(&Delivery{}).Where("id = ? AND outcome = ?", second.ID, Sending).Count(&known).Error
			begun = known > 0
			return err
		}
		begun, second.CreatedAt = true, tx.Now
		if err := tx.Create(second).Error; err != nil {
			return err
		}
		return keepResult(tx, second)
	})
	if err != nil || !begun {
		return nil, err
	}
	return second, nil
}

// InterruptDeliveries closes the attempts of a process that was killed or lost the lead: whether they arrived is not
// known.
func (o *Outbox) InterruptDeliveries(ctx context.Context) error {
	return o.Write(ctx, func(tx *store.Tx) error {
		var left []*Delivery
		if err := tx.Lock().Where("outcome = ?", Sending).Order("id").Find(&left).Error; err != nil {
			return err
		}
		for _, d := range left {
			d.Outcome, d.ErrorClass = Failure, InterruptedError
			if _, err := finishDelivery(tx, d); err != nil {
				return err
			}
		}
		return nil
	})
}

// PruneDeliveries deletes up to limit attempts older than age, and as many emissions that wait for nothing. It tells
// whether there may be more.
func (o *Outbox) PruneDeliveries(ctx context.Context, age time.Duration, limit int) (more bool, err error) {
	return store.Make(ctx, o.Write, func(tx *store.Tx) (bool, error) {
		before := store.At(tx.Now.Add(-age))
		attempts := tx.Where("id IN (?)", tx.Model(&Delivery{}).Select("id").
			Where("created_at < ? AND outcome <> ?", before, Sending).Order("created_at").Limit(limit)).Delete(&Delivery{})
		if attempts.Error != nil {
			return false, attempts.Error
		}
		emissions := tx.Where("seq IN (?)", tx.Model(&Emission{}).Select("seq").
			Where("occurred_at < ? AND fanned_at IS NOT NULL", before).
			Where("NOT EXISTS (SELECT 1 FROM deliveries_due d WHERE d.emission_seq = emissions.seq)").
			Order("occurred_at").Limit(limit)).Delete(&Emission{})
		return attempts.RowsAffected == int64(limit) || emissions.RowsAffected == int64(limit), emissions.Error
	})
}
