package outbox

import (
	"context"
	"log/slog"
	"slices"

	"lectern/models/store"
)

// deliveryDue is a queued round that has not begun. Without a WebhookID it is for the managed service.
type deliveryDue struct {
	Seq            int64 `gorm:"primaryKey"`
	EmissionSeq    int64
	WebhookID      *string
	OrganizationID string
	ResourceID     string
	emission       *Emission // set once it is taken
}

func (deliveryDue) TableName() string { return "deliveries_due" }

// FanOut queues up to limit new emissions for delivery, in the order of their commits: for each active endpoint of the
// organization, or once for the managed service, where no endpoint is read. It returns how many emissions there were.
// Each emission is fanned out once, whoever calls.
func (o *Outbox) FanOut(ctx context.Context, managed bool, limit int) (int, error) {
	var emissions []*Emission
	err := o.Write(ctx, func(tx *store.Tx) error {
		emissions = nil
		if err := tx.SkipLocked().Select("seq, organization_id, resource_id").Where("fanned_at IS NULL").
			Order("seq").Limit(limit).Find(&emissions).Error; err != nil || len(emissions) == 0 {
			return err
		}
		due, err := dueFor(tx, emissions, managed)
		if err != nil {
			return err
		}
		if len(due) > 0 {
			if err := tx.CreateInBatches(due, tx.InsertRows()).Error; err != nil {
				return err
			}
		}
		seqs := store.Map(emissions, func(e *Emission) int64 { return e.Seq })
		return tx.Model(&Emission{}).Where("seq IN ?", seqs).UpdateColumn("fanned_at", tx.Now).Error
	})
	return len(emissions), err
}

// dueFor returns the rounds that emissions need.
func dueFor(tx *store.Tx, emissions []*Emission, managed bool) (due []*deliveryDue, err error) {
	var endpoints []*Endpoint
	if !managed {
		if endpoints, err = activeEndpoints(tx); err != nil {
			return nil, err
		}
	}
	for _, e := range emissions {
		if managed {
			due = append(due, e.due(nil))
		}
		for _, endpoint := range endpoints {
			if endpoint.OrganizationID == e.OrganizationID {
				due = append(due, e.due(&endpoint.ID))
			}
		}
	}
	return due, nil
}

func (e *Emission) due(webhookID *string) *deliveryDue {
	return &deliveryDue{
		EmissionSeq: e.Seq, WebhookID: webhookID, OrganizationID: e.OrganizationID, ResourceID: e.ResourceID,
	}
}

// Lines returns the receivers that have queued rounds: endpoint ids, and "" for the managed service.
func (o *Outbox) Lines(ctx context.Context) ([]string, error) {
	var ids []string
	// This costs one index lookup per endpoint, however many rounds wait.
	err := o.Read(ctx).Raw(`SELECT '' WHERE EXISTS (SELECT 1 FROM deliveries_due WHERE webhook_id IS NULL)
		UNION ALL SELECT id FROM webhook_endpoints w WHERE
			(SELECT emission_seq FROM deliveries_due WHERE webhook_id = w.id ORDER BY emission_seq LIMIT 1) IS NOT NULL`).
		Scan(&ids).Error
	return ids, err
}

// Take is a request for the next rounds of a line.
type Take struct {
	Line     string      // an endpoint's id, or "" for the managed service
	URL      string      // address of the managed service; "" when there is none
	Most     int         // how many rounds may begin
	Busy     []string    // resources with a round under way; their next ones stay in line
	Done     []*Delivery // attempts that ended, stored in the same transaction
	Doubtful []*Round    // rounds of failed calls, which may have begun or not
}

// TakeRounds takes the next rounds of a line out of it, in the order of the commits and at most one per resource, and
// inserts the log rows of their first attempts, in one transaction: whatever happens later, no emission gets a second
// round. The line of an endpoint that was turned off is emptied; that of an endpoint whose secret was lost, or cannot
// be decrypted, waits. Rounds for a managed service that no longer exists are closed in the log. It tells whether more
// may be taken at once.
//
// With an error it returns the rounds that may have begun nevertheless; pass them as Doubtful to get those that have.
func (o *Outbox) TakeRounds(ctx context.Context, take Take) (rounds []*Round, more bool, err error) {
	var begun, fresh []*Round
	err = o.Write(ctx, func(tx *store.Tx) (err error) {
		begun, fresh, more = nil, nil, false
		for _, d := range slices.SortedFunc(slices.Values(take.Done), byID) {
			if _, err := finishDelivery(tx, d); err != nil {
				return err
			}
		}
		if begun, err = begunOf(tx, take.Doubtful); err != nil {
			return err
		}
		next := take
		next.Busy, next.Most = slices.Clone(take.Busy), take.Most-len(begun)
		for _, round := range begun {
			next.Busy = append(next.Busy, round.Delivery.ResourceID)
		}
		if next.Most > 0 {
			fresh, more, err = takeNext(tx, next)
		}
		return err
	})
	if err != nil {
		return fresh, false, err
	}
	return append(begun, fresh...), more, nil
}

// begunOf returns the rounds among doubtful whose transaction was committed after all. It waits for a transaction that
// has not ended yet.
func begunOf(tx *store.Tx, doubtful []*Round) ([]*Round, error) {
	if len(doubtful) == 0 {
		return nil, nil
	}
	due, ids := make([]int64, len(doubtful)), make([]string, len(doubtful))
	for i, round := range doubtful {
		due[i], ids[i] = round.due, round.Delivery.ID
	}
	var waiting []*deliveryDue
	if err := tx.Lock().Where("seq IN ?", due).Find(&waiting).Error; err != nil {
		return nil, err
	}
	var sending []string
	err := tx.Model(&Delivery{}).Where("id IN ? AND outcome = ?", ids, Sending).Pluck("id", &sending).Error
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(doubtful), func(round *Round) bool {
		return !slices.Contains(sending, round.Delivery.ID)
	}), nil
}

// takeNext begins the next rounds of a line.
func takeNext(tx *store.Tx, take Take) (rounds []*Round, more bool, err error) {
	var endpoint *Endpoint
	var secret string
	if take.Line != "" {
		endpoint, err = store.One[Endpoint](tx.Where("id = ? AND is_active", take.Line), nil)
		if err != nil {
			return nil, false, err
		}
		if endpoint == nil {
			return nil, false, dropLine(tx, take.Line)
		}
		if endpoint.NeedsSecret() {
			return nil, false, nil // they wait for a new secret
		}
		if secret, err = tx.Store.Unseal(endpoint.SealedSecret, endpoint.ID); err != nil {
			slog.Error("deliveries wait for the secret key", "endpoint", endpoint.ID, "error", err.Error())
			return nil, false, nil
		}
	}
	next, more, err := nextDue(tx, take)
	if err != nil || len(next) == 0 {
		return nil, false, err
	}
	due, rows := make([]int64, len(next)), make([]*Delivery, len(next))
	for i, n := range next {
		round, err := newRound(tx, n.emission, endpoint, take.URL)
		if err != nil {
			return nil, false, err
		}
		round.Secret, round.due, due[i], rows[i] = secret, n.Seq, n.Seq, round.Delivery
		rounds = append(rounds, round)
	}
	if err := tx.Delete(&deliveryDue{}, due).Error; err != nil {
		return nil, false, err
	}
	return rounds, more, tx.Create(rows).Error
}

// nextDue returns the first rounds of a line that may begin, one per resource, with their emissions. It tells whether
// there may be more.
func nextDue(tx *store.Tx, take Take) (next []*deliveryDue, more bool, err error) {
	query := tx.SkipLocked().Order("emission_seq").Limit(take.Most)
	if take.Line == "" {
		query = query.Where("webhook_id IS NULL")
	} else {
		query = query.Where("webhook_id = ?", take.Line)
	}
	if len(take.Busy) > 0 {
		query = query.Where("resource_id NOT IN ?", take.Busy)
	}
	var first []*deliveryDue
	if err := query.Find(&first).Error; err != nil || len(first) == 0 {
		return nil, false, err
	}
	taken, seqs := map[string]bool{}, []int64{}
	for _, d := range first {
		if !taken[d.ResourceID] {
			taken[d.ResourceID] = true
			next, seqs = append(next, d), append(seqs, d.EmissionSeq)
		}
	}
	// Each round has its own emission, so both lists are in the same order.
	var emissions []*Emission
	if err := tx.Where("seq IN ?", seqs).Order("seq").Find(&emissions).Error; err != nil {
		return nil, false, err
	}
	for i, e := range emissions {
		next[i].emission = e
	}
	return next, len(first) == take.Most, nil
}

// newRound returns the round of an emission to an endpoint or, if that is nil, to the managed service at url.
func newRound(tx *store.Tx, e *Emission, endpoint *Endpoint, url string) (*Round, error) {
	body, err := e.Envelope()
	if err != nil {
		return nil, err
	}
	d := &Delivery{
		ID: store.NewID(), OrganizationID: e.OrganizationID, EventID: e.EventID, EmissionID: e.ID, EventType: e.Type,
		ResourceID: e.ResourceID, Driver: Managed, URL: url, Attempt: 1, RequestBody: string(body), Outcome: Sending,
		IsTest: e.IsTest, CreatedAt: tx.Now,
	}
	round := &Round{Delivery: d}
	switch {
	case endpoint != nil:
		d.Driver, d.WebhookID, d.URL = Builtin, &endpoint.ID, endpoint.URL
	case url == "":
		d.neverSent("The managed service that this change was to be handed to is no longer configured.")
	}
	d.RoundResult = d.Result()
	return round, nil
}

// neverSent closes an attempt that was never sent.
func (d *Delivery) neverSent(why string) {
	d.Outcome, d.ErrorClass, d.ResponseExcerpt = Failure, InternalError, why
}

// dropLine deletes all queued rounds of an endpoint.
func dropLine(tx *store.Tx, endpointID string) error {
	return tx.Where("webhook_id = ?", endpointID).Delete(&deliveryDue{}).Error
}
