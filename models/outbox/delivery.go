package outbox

import "lectern/models/store"

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
	InterruptedError ErrorClass = "interrupted" // the process ended or lost the lead meanwhile; nobody knows
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
	IsTest          bool
	CreatedAt       store.Time
	again           *Delivery // the retry, once it was asked for
}

// TableName is the contract's name of the log.
func (Delivery) TableName() string { return "webhook_deliveries" }

// Retry tells whether the contract asks for one more attempt: after a network
// failure or a 5xx, never after the second, and never of a handoff.
func (d *Delivery) Retry() bool {
	return d.receiverFailed() && d.Attempt == 1 && d.Driver == Builtin
}

// SlowDown tells whether the receiver is to be asked less often: it cannot be reached, fails, or says that it
// is asked too much. One that refuses what it is sent is well.
func (d *Delivery) SlowDown() bool {
	return d.receiverFailed() || d.Outcome == Failure && d.ResponseStatus != nil && *d.ResponseStatus == statusTooMany
}

// Answers that say more than how they begin.
const (
	statusKnown   = 409 // of a managed service: it has this emission
	statusTooMany = 429 // asks for less
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

// Round is an emission on its way to one receiver, with its first attempt.
type Round struct {
	Delivery *Delivery
	Secret   string // of the endpoint; empty with the managed driver
	due      int64  // its place in line
}
