package outbox

import "lectern/models/store"

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
