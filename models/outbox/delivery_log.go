package outbox

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// RoundResult is the result of a round after its last attempt.
type RoundResult string

const (
	RoundUnderWay   RoundResult = "under_way"
	RoundDelivered  RoundResult = "delivered"
	RoundRejected   RoundResult = "rejected" // the receiver answered 4xx
	RoundFailed     RoundResult = "failed"
	RoundBlocked    RoundResult = "blocked"
	HandoffAccepted RoundResult = "handoff_accepted"
	HandoffFailed   RoundResult = "handoff_failed"
)

// RoundResults are all seven results.
var RoundResults = []RoundResult{
	RoundDelivered, RoundRejected, RoundFailed, RoundBlocked, HandoffAccepted, HandoffFailed, RoundUnderWay,
}

// Result returns the result of an attempt.
func (d *Delivery) Result() RoundResult {
	switch handoff := d.Driver == Managed; {
	case d.Outcome == Sending:
		return RoundUnderWay
	case d.Outcome == Success && handoff:
		return HandoffAccepted
	case d.Outcome == Success:
		return RoundDelivered
	case handoff:
		return HandoffFailed
	case d.ErrorClass == BlockedError:
		return RoundBlocked
	case d.ErrorClass == StatusError && d.ResponseStatus != nil && *d.ResponseStatus >= 400 && *d.ResponseStatus < 500:
		return RoundRejected
	}
	return RoundFailed
}

// Label returns the outcome in words. Only a receiver's own 2xx is Delivered; a handoff says nothing about the
// receiver.
func (d *Delivery) Label() string {
	switch result := d.Result(); {
	case result == HandoffAccepted && d.ResponseStatus != nil && *d.ResponseStatus == statusKnown:
		return "Handoff accepted (already known)"
	case result == RoundFailed && d.Attempt == 2:
		return "Failed after retry"
	default:
		return labels[result]
	}
}

var labels = map[RoundResult]string{
	RoundUnderWay: "Under way", RoundDelivered: "Delivered", RoundRejected: "Rejected (4xx, not retried)",
	RoundBlocked: "Blocked", RoundFailed: "Failed", HandoffAccepted: "Handoff accepted", HandoffFailed: "Handoff failed",
}

// DeliveryFilter narrows the delivery log; zero fields narrow nothing.
type DeliveryFilter struct {
	EventID    string
	EventType  EmissionType
	WebhookID  string
	EmissionID string
	Result     RoundResult
}

type columnValue struct{ column, value string }

func (f *DeliveryFilter) ids() []columnValue {
	return []columnValue{{"event_id", f.EventID}, {"webhook_id", f.WebhookID}, {"emission_id", f.EmissionID}}
}

func (f *DeliveryFilter) clean() error {
	var faults store.Faults
	for _, id := range f.ids() {
		if id.value != "" && !store.IsID(id.value) {
			faults.Add(store.Invalidf(id.column, "is not an id"))
		}
	}
	if f.EventType != "" && !slices.Contains(EmissionTypes, f.EventType) {
		faults.Add(store.Invalidf("event_type", "is no type of event"))
	}
	if f.Result != "" && !slices.Contains(RoundResults, f.Result) {
		faults.Add(store.Invalidf("result", "is none of the seven results"))
	}
	return faults.Err()
}

// of applies the filter to a query of the log.
func (f *DeliveryFilter) of(query *gorm.DB) *gorm.DB {
	for _, is := range append(f.ids(), columnValue{"event_type", string(f.EventType)}) {
		if is.value != "" {
			query = query.Where(is.column+" = ?", is.value)
		}
	}
	return query
}

// DeliveryRound is the log of one emission's delivery to one receiver, with the fields of its first attempt. Its
// endpoint may have been deleted.
type DeliveryRound struct {
	*Delivery
	Attempts []*Delivery // one or two, in order
	Result   RoundResult // of the last one, as the label
	Label    string
}

// DeliveryRounds returns a page of the organization's rounds, newest first, with their attempts, in at most three
// statements. Rounds that have not begun are not included. It answers Invalid for an invalid filter or page.
func (w *Webhooks) DeliveryRounds(
	ctx context.Context, f DeliveryFilter, page store.Page,
) ([]*DeliveryRound, store.Pagination, error) {
	if err := cmp.Or(page.Clean(), f.clean()); err != nil {
		return nil, store.Pagination{}, err
	}
	query := f.of(w.Read(ctx).Model(&Delivery{}).Where("organization_id = ? AND attempt = 1", w.ID))
	if f.Result != "" {
		query = query.Where("round_result = ?", f.Result)
	}
	firsts, pagination, err := store.Newest[Delivery](query, page)
	if err != nil {
		return nil, store.Pagination{}, err
	}
	rounds, err := w.rounds(ctx, firsts)
	return rounds, pagination, err
}

// rounds adds the second attempts to the first ones.
func (w *Webhooks) rounds(ctx context.Context, firsts []*Delivery) ([]*DeliveryRound, error) {
	type key struct{ emission, webhook string }
	of := func(d *Delivery) key {
		if d.WebhookID == nil {
			return key{d.EmissionID, ""}
		}
		return key{d.EmissionID, *d.WebhookID}
	}
	rounds := make([]*DeliveryRound, len(firsts))
	byKey := make(map[key]*DeliveryRound, len(firsts))
	var ids []string
	for i, d := range firsts {
		rounds[i] = &DeliveryRound{Delivery: d, Attempts: []*Delivery{d}}
		byKey[of(d)] = rounds[i]
		ids = append(ids, d.EmissionID)
	}
	if len(firsts) > 0 {
		var seconds []*Delivery
		err := w.Read(ctx).Where("organization_id = ? AND emission_id IN ? AND attempt = 2", w.ID, ids).Find(&seconds).Error
		if err != nil {
			return nil, err
		}
		for _, d := range seconds {
			if round := byKey[of(d)]; round != nil {
				round.Attempts = append(round.Attempts, d)
			}
		}
	}
	for _, round := range rounds {
		last := round.Attempts[len(round.Attempts)-1]
		round.Result, round.Label = last.Result(), last.Label()
	}
	return rounds, nil
}
