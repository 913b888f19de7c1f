package models

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
)

// Driver is the way a delivery takes.
type Driver string

const (
	Builtin Driver = "builtin" // signed, to an endpoint
	Managed Driver = "managed" // handed to a service that delivers
)

// Outcome is what became of one attempt.
type Outcome string

const (
	Sending Outcome = "sending"
	Success Outcome = "success" // the receiver itself answered 2xx
	Failure Outcome = "failure"
)

// ErrorClass says why an attempt failed.
type ErrorClass string

const (
	NoError          ErrorClass = ""
	DNSError         ErrorClass = "dns"
	ConnectError     ErrorClass = "connect"
	TLSError         ErrorClass = "tls"
	TimeoutError     ErrorClass = "timeout"
	BlockedError     ErrorClass = "blocked"     // an address that must not be reached
	StatusError      ErrorClass = "status"      // the receiver's answer was no success
	InterruptedError ErrorClass = "interrupted" // the process ended meanwhile; nobody knows
	InternalError    ErrorClass = "internal"    // a fault of ours, before anything was sent
)

// Delivery is one attempt to deliver one emission: a row of the delivery log.
type Delivery struct {
	ID              string
	OrganizationID  string
	EventID         *string
	EmissionID      string
	EventType       EmissionType
	ResourceID      string
	Driver          Driver
	WebhookID       *string // nil with the managed driver
	URL             string
	Attempt         int // 1, or 2 for the retry
	RequestBody     string
	Outcome         Outcome
	ErrorClass      ErrorClass
	ResponseStatus  *int
	ResponseExcerpt string
	DurationMS      *int
	RoundResult     RoundResult // on the first attempt: what became of the last one
	CreatedAt       Time
}

// TableName is the contract's name of the log.
func (Delivery) TableName() string { return "webhook_deliveries" }

// Retry tells whether the contract asks for one more attempt: after a network
// failure or a 5xx, and never after the second.
func (d *Delivery) Retry() bool {
	if d.Outcome != Failure || d.Attempt > 1 {
		return false
	}
	switch d.ErrorClass {
	case DNSError, ConnectError, TLSError, TimeoutError:
		return true
	case StatusError:
		return d.ResponseStatus != nil && *d.ResponseStatus >= 500
	}
	return false
}

// Round is an emission on its way to one receiver, with its first attempt.
type Round struct {
	Delivery *Delivery
	Secret   string // of the endpoint; empty with the managed driver
}

type deliveryDue struct {
	Seq         int64 `gorm:"primaryKey"`
	EmissionSeq int64
	WebhookID   *string
}

func (deliveryDue) TableName() string { return "deliveries_due" }

// FanOut puts up to limit new emissions in line for delivery, in the order of
// their commits: for each active endpoint of the organization, or once for the
// managed service, in which case no endpoint is read. It returns how many there
// were. Each emission is fanned out once, whoever calls.
func (s *Store) FanOut(ctx context.Context, managed bool, limit int) (int, error) {
	var emissions []*Emission
	err := s.write(ctx, func(tx *Tx) error {
		emissions = nil
		if err := tx.skipLocked().Select("seq, organization_id").Where("fanned_at IS NULL").
			Order("seq").Limit(limit).Find(&emissions).Error; err != nil || len(emissions) == 0 {
			return err
		}
		var endpoints []*WebhookEndpoint
		if !managed {
			var err error
			if endpoints, err = tx.activeEndpoints(); err != nil {
				return err
			}
		}
		seqs := make([]int64, len(emissions))
		var due []*deliveryDue
		for i, e := range emissions {
			seqs[i] = e.Seq
			if managed {
				due = append(due, &deliveryDue{EmissionSeq: e.Seq})
			}
			for _, endpoint := range endpoints {
				if endpoint.OrganizationID == e.OrganizationID {
					due = append(due, &deliveryDue{EmissionSeq: e.Seq, WebhookID: &endpoint.ID})
				}
			}
		}
		if len(due) > 0 {
			if err := tx.CreateInBatches(due, 500).Error; err != nil {
				return err
			}
		}
		return tx.Model(&Emission{}).Where("seq IN ?", seqs).UpdateColumn("fanned_at", tx.now).Error
	})
	return len(emissions), err
}

// Lines are the receivers that have deliveries in line: endpoint ids, and "" for
// the managed service.
func (s *Store) Lines(ctx context.Context) ([]string, error) {
	var ids []string
	err := s.read(ctx).Model(&deliveryDue{}).Distinct().Pluck("coalesce(webhook_id, '')", &ids).Error
	return ids, err
}

// NextRound takes the next delivery of a line out of it and writes the log row
// of its first attempt, in one transaction with the row of the attempt before,
// which is nil at first: whatever happens after that, no emission has a second
// round. It returns nil when the line is empty; the line of an endpoint that was
// deleted or turned off is emptied. url is where the managed service is.
func (s *Store) NextRound(ctx context.Context, line, url string, done *Delivery) (*Round, error) {
	var round *Round
	err := s.write(ctx, func(tx *Tx) error {
		round = nil
		if done != nil {
			if err := tx.finishDelivery(done); err != nil {
				return err
			}
		}
		var waiting struct {
			Seq       int64
			WebhookID *string
			Emission  Emission `gorm:"embedded;embeddedPrefix:e__"`
		}
		query := tx.skipLocked("d").Table("deliveries_due d").Joins("JOIN emissions e ON e.seq = d.emission_seq").
			Select("d.seq, d.webhook_id, e.id AS e__id, e.organization_id AS e__organization_id, e.event_id AS e__event_id, e.type AS e__type, " +
				"e.resource_id AS e__resource_id, e.data AS e__data, e.occurred_at AS e__occurred_at")
		if line == "" {
			query = query.Where("d.webhook_id IS NULL")
		} else {
			query = query.Where("d.webhook_id = ?", line)
		}
		err := query.Order("d.emission_seq").Limit(1).Take(&waiting).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := tx.Delete(&deliveryDue{Seq: waiting.Seq}).Error; err != nil {
			return err
		}
		round, err = tx.begin(&waiting.Emission, waiting.WebhookID, url)
		return err
	})
	return round, err
}

// begin writes the row of a round's first attempt. Without an endpoint that
// takes it there is no round, and nothing more in this line.
func (tx *Tx) begin(e *Emission, webhookID *string, url string) (*Round, error) {
	body, err := e.Envelope()
	if err != nil {
		return nil, err
	}
	round := &Round{Delivery: &Delivery{
		ID: NewID(), OrganizationID: e.OrganizationID, EventID: e.EventID, EmissionID: e.ID, EventType: e.Type,
		ResourceID: e.ResourceID, Driver: Managed, URL: url, Attempt: 1, RequestBody: string(body), Outcome: Sending,
		CreatedAt: tx.now,
	}}
	if webhookID != nil {
		var endpoint WebhookEndpoint
		err := tx.Take(&endpoint, "id = ? AND is_active", *webhookID).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return nil, tx.dropLine(*webhookID)
		}
		if err != nil {
			return nil, err
		}
		d := round.Delivery
		d.Driver, d.WebhookID, d.URL = Builtin, &endpoint.ID, endpoint.URL
		if round.Secret, err = tx.store.unseal(endpoint.SealedSecret, endpoint.ID); err != nil {
			// Without its secret nothing can be signed, and the log says so.
			d.Outcome, d.ErrorClass, d.ResponseExcerpt = Failure, InternalError, err.Error()
		}
	}
	round.Delivery.RoundResult = round.Delivery.Result()
	return round, tx.Create(round.Delivery).Error
}

func (tx *Tx) finishDelivery(d *Delivery) error {
	if d.Attempt == 1 {
		d.RoundResult = d.Result()
	}
	err := tx.Model(d).Select("outcome", "error_class", "response_status", "response_excerpt", "duration_ms", "round_result").Updates(d).Error
	if err != nil || d.Attempt == 1 {
		return err
	}
	return tx.keepResult(d)
}

// keepResult writes what became of a second attempt on the first one.
func (tx *Tx) keepResult(second *Delivery) error {
	return tx.Model(&Delivery{}).Where("emission_id = ? AND coalesce(webhook_id, '') = coalesce(?, '') AND attempt = 1", second.EmissionID, second.WebhookID).
		UpdateColumn("round_result", second.Result()).Error
}

// FinishDelivery keeps the outcome of an attempt.
func (s *Store) FinishDelivery(ctx context.Context, d *Delivery) error {
	return s.write(ctx, func(tx *Tx) error { return tx.finishDelivery(d) })
}

// BeginRetry keeps the outcome of a first attempt and writes the row of the
// second one.
func (s *Store) BeginRetry(ctx context.Context, first *Delivery) (*Delivery, error) {
	second := *first
	err := s.write(ctx, func(tx *Tx) error {
		if err := tx.finishDelivery(first); err != nil {
			return err
		}
		second.ID, second.Attempt, second.CreatedAt, second.Outcome = NewID(), 2, tx.now, Sending
		second.ErrorClass, second.ResponseStatus, second.ResponseExcerpt, second.DurationMS, second.RoundResult = NoError, nil, "", nil, ""
		if err := tx.Create(&second).Error; err != nil {
			return err
		}
		return tx.keepResult(&second)
	})
	return &second, err
}

// InterruptDeliveries closes the rows of attempts that a process left behind
// when it was killed: whether they arrived, nobody knows.
func (s *Store) InterruptDeliveries(ctx context.Context) error {
	return s.write(ctx, func(tx *Tx) error {
		var left []*Delivery
		if err := tx.lock().Where("outcome = ?", Sending).Find(&left).Error; err != nil {
			return err
		}
		for _, d := range left {
			d.Outcome, d.ErrorClass = Failure, InterruptedError
			if err := tx.finishDelivery(d); err != nil {
				return err
			}
		}
		return nil
	})
}

// PruneDeliveries forgets attempts, and emissions that wait for nothing, from
// before age.
func (s *Store) PruneDeliveries(ctx context.Context, age time.Duration) error {
	return s.write(ctx, func(tx *Tx) error {
		before := At(tx.now.Add(-age))
		if err := tx.Where("created_at < ? AND outcome <> ?", before, Sending).Delete(&Delivery{}).Error; err != nil {
			return err
		}
		return tx.Where("occurred_at < ? AND fanned_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM deliveries_due d WHERE d.emission_seq = emissions.seq)", before).
			Delete(&Emission{}).Error
	})
}
