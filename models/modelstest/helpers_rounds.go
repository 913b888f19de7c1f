package modelstest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/outbox"
)

// attempts are all possible results of an attempt, with their labels.
var attempts = []struct {
	name    string
	managed bool
	end     outbox.Delivery
	label   string
	result  outbox.RoundResult
	again   bool // the contract asks for a second attempt
}{
	{"2xx", false, outbox.Delivery{Outcome: outbox.Success}, "Delivered", outbox.RoundDelivered, false},
	{"302", false, outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.StatusError, ResponseStatus: new(302)},
		"Failed", outbox.RoundFailed, false},
	{"404", false, outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.StatusError, ResponseStatus: new(404)},
		"Rejected (4xx, not retried)", outbox.RoundRejected, false},
	{"503", false, outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.StatusError, ResponseStatus: new(503)},
		"Failed", outbox.RoundFailed, true},
	{"DNS", false, outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.DNSError}, "Failed",
		outbox.RoundFailed, true},
	{"blocked", false, outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.BlockedError}, "Blocked",
		outbox.RoundBlocked, false},
	{"interrupted", false, outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.InterruptedError}, "Failed",
		outbox.RoundFailed, false},
	{"under way", false, outbox.Delivery{Outcome: outbox.Sending}, "Under way", outbox.RoundUnderWay, false},
	{"accepted", true, outbox.Delivery{Outcome: outbox.Success}, "Handoff accepted", outbox.HandoffAccepted, false},
	{"refused", true, outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.StatusError, ResponseStatus: new(401)},
		"Handoff failed", outbox.HandoffFailed, false},
	{"accepted before", true, outbox.Delivery{Outcome: outbox.Success, ResponseStatus: new(409)},
		"Handoff accepted (already known)", outbox.HandoffAccepted, false},
	{"lost", true, outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.TimeoutError}, "Handoff failed",
		outbox.HandoffFailed, false},
	{"broken", true, outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.StatusError, ResponseStatus: new(503)},
		"Handoff failed", outbox.HandoffFailed, false},
	{"being handed off", true, outbox.Delivery{Outcome: outbox.Sending}, "Under way", outbox.RoundUnderWay, false},
}

// Rounds makes a round for each possible result of an attempt, and one for each possible result of its second attempt;
// it returns their labels and results, newest round first.
func Rounds(t *testing.T, f *Fixture, p *models.Programme) (labels []string, results []outbox.RoundResult) {
	t.Helper()
	ctx := t.Context()
	add := func(ends ...int) {
		f.Clock.Move(time.Second)
		Must(p.CreateSession(ctx, models.NewSession{Title: "T"}))(t)
		managed := attempts[ends[0]].managed
		Must(f.Outbox.FanOut(ctx, managed, 100))(t)
		for _, line := range Must(f.Outbox.Lines(ctx))(t) {
			d := Must(f.NextRound(ctx, line, "https://managed.example", nil))(t).Delivery
			for i, end := range ends {
				if i == 1 {
					d = Must(f.Outbox.BeginRetry(ctx, d))(t)
				}
				e := attempts[end].end
				d.Outcome, d.ErrorClass, d.ResponseStatus = e.Outcome, e.ErrorClass, e.ResponseStatus
				if i == 0 && d.Retry() != attempts[end].again {
					t.Errorf("%s asks for another attempt: %t", attempts[end].name, d.Retry())
				}
			}
			Fine(t, f.Finish(ctx, d))
		}
		last := attempts[ends[len(ends)-1]]
		label := last.label
		if label == "Failed" && len(ends) == 2 {
			label = "Failed after retry"
		}
		labels, results = append(labels, fmt.Sprint(len(ends), " ", label)), append(results, last.result)
	}
	for first, a := range attempts {
		add(first)
		for second, b := range attempts {
			if a.again && a.managed == b.managed {
				add(first, second)
			}
		}
	}
	slices.Reverse(labels)
	slices.Reverse(results)
	return labels, results
}
