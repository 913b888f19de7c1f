package outbox

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Driver says who delivers: the endpoint's own delivery, or a managed service.
type Driver string

const (
	Builtin Driver = "builtin" // signed, to an endpoint
	Managed Driver = "managed" // handed to a service that delivers
)

// Outcome is the result of one attempt.
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
	BlockedError     ErrorClass = "blocked"     // an address that must not be contacted
	StatusError      ErrorClass = "status"      // an answer other than success
	InterruptedError ErrorClass = "interrupted" // the process ended or lost the lead meanwhile; the outcome is unknown
	InternalError    ErrorClass = "internal"    // an error of the server, before anything was sent
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
	RoundResult     RoundResult // on the first attempt: the result of the last one
	IsTest          bool
	CreatedAt       store.Time
	again           *Delivery // the second attempt, once BeginRetry was called
}

// TableName returns the contract's name of the log.
func (Delivery) TableName() string { return "webhook_deliveries" }

// Retry reports whether the contract asks for one more attempt: after a network failure or a 5xx of the first one, but
// never for a handoff.
func (d *Delivery) Retry() bool {
	return d.receiverFailed() && d.Attempt == 1 && d.Driver == Builtin
}

// SlowDown reports whether the receiver should be asked less often: it cannot be reached, fails, or answers 429. One
// that refuses what it is sent is healthy.
func (d *Delivery) SlowDown() bool {
	return d.receiverFailed() || d.Outcome == Failure && d.ResponseStatus != nil && *d.ResponseStatus == statusTooMany
}

// These statuses mean more than their class.
const (
	statusKnown   = 409 // a managed service already has this emission
	statusTooMany = 429 // the receiver asks for less
)

func (d *Delivery) receiverFailed() bool {
	if d.Outcome != Failure {
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

// Round is the delivery of an emission to one receiver, with its first attempt.
type Round struct {
	Delivery *Delivery
	Secret   string // of the endpoint; empty for the managed driver
	due      int64  // the Seq of its deliveryDue
}

// DeliveryState says how far deliveries have come.
type DeliveryState struct {
	Waiting int64         // rounds that have not begun, and emissions not yet in line
	Oldest  time.Duration // the longest wait of these, except where the endpoint needs a secret
	Failed  int64         // rounds of the last hour without success
	Idle    time.Duration // since the last attempt began; the largest possible if none ever did
	Leader  string        // host and process that delivers; "" for none
}

// stuck is how long a delivery may wait while no attempt begins. The longest pause of a failing line is well below it.
const stuck = 2 * time.Minute

// Stuck returns why deliveries do not move, or "" when they do.
func (d DeliveryState) Stuck() string {
	if d.Oldest < stuck || d.Idle < stuck {
		return ""
	}
	return fmt.Sprintf("deliveries do not move: the oldest waits for %s, and none began in the last %s",
		d.Oldest.Truncate(time.Second), stuck)
}

// DeliveriesStuck returns why deliveries do not move, or "" when they do. It costs the same however many wait.
func (o *Outbox) DeliveriesStuck(ctx context.Context) (reason string, err error) {
	state, err := o.readState(o.Read(ctx), deliveryAges)
	return state.Stuck(), err
}

// DeliveryState returns the state of all organizations' deliveries.
func (o *Outbox) DeliveryState(ctx context.Context) (DeliveryState, error) {
	return o.deliveryState(ctx, o.Read(ctx))
}

// DeliveryState returns the state of the organization's deliveries.
func (w *Webhooks) DeliveryState(ctx context.Context) (DeliveryState, error) {
	return w.outbox.deliveryState(ctx, w.Read(ctx).Where("o.id = ?", w.ID))
}

// deliveryAges cost one index lookup per endpoint, however many rounds wait. Test events are not counted.
const deliveryAges = `
	(SELECT e.occurred_at FROM emissions e WHERE e.seq IN (
		SELECT (SELECT d.emission_seq FROM deliveries_due d WHERE d.webhook_id = w.id
			AND d.emission_seq NOT IN (SELECT t.seq FROM emissions t WHERE t.is_test) ORDER BY d.emission_seq LIMIT 1)
			FROM webhook_endpoints w WHERE w.organization_id = o.id AND w.sealed_secret <> ''
		UNION ALL SELECT (SELECT d.emission_seq FROM deliveries_due d
			WHERE d.webhook_id IS NULL AND d.organization_id = o.id ORDER BY d.emission_seq LIMIT 1))
		ORDER BY e.seq LIMIT 1) AS in_line,
	(SELECT e.occurred_at FROM emissions e WHERE e.fanned_at IS NULL AND e.organization_id = o.id
		ORDER BY e.seq LIMIT 1) AS new,
	(SELECT w.created_at FROM webhook_deliveries w WHERE w.organization_id = o.id AND NOT w.is_test
		ORDER BY w.created_at DESC, w.id DESC LIMIT 1) AS began`

// deliveryCounts are counted from indexes alone.
const deliveryCounts = `,
	(SELECT count(*) FROM deliveries_due d WHERE d.organization_id = o.id)
		- (SELECT count(*) FROM emissions e JOIN deliveries_due d ON d.emission_seq = e.seq
			WHERE e.is_test AND e.organization_id = o.id)
		+ (SELECT count(*) FROM emissions e WHERE e.fanned_at IS NULL AND e.organization_id = o.id) AS waiting,
	(SELECT count(*) FROM webhook_deliveries w WHERE w.organization_id = o.id AND w.attempt = 1 AND NOT w.is_test
		AND w.round_result IN ('failed', 'rejected', 'blocked', 'handoff_failed') AND w.created_at > ?) AS failed`

func (o *Outbox) deliveryState(ctx context.Context, organizations *gorm.DB) (DeliveryState, error) {
	hour := store.At(o.Now().Add(-time.Hour))
	state, err := o.readState(organizations, deliveryAges+deliveryCounts, hour)
	if err != nil {
		return state, err
	}
	state.Leader, err = o.Leader(ctx)
	return state, err
}

// readState sums up the states of some organizations.
func (o *Outbox) readState(organizations *gorm.DB, columns string, values ...any) (DeliveryState, error) {
	var rows []struct {
		Waiting, Failed    int64
		InLine, New, Began *store.Time
	}
	now := o.Now()
	state := DeliveryState{Idle: now.Sub(time.Time{})}
	err := organizations.Table("organizations o").Select(columns, values...).Order("o.id").Scan(&rows).Error
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
	return state, err
}
