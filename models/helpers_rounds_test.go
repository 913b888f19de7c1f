package models_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
)

// attempts are all that can become of an attempt, and what people read then.
var attempts = []struct {
	name    string
	managed bool
	end     models.Delivery
	label   string
	result  models.RoundResult
	again   bool // the contract asks for a second attempt
}{
	{"2xx", false, models.Delivery{Outcome: models.Success}, "Delivered", models.RoundDelivered, false},
	{"302", false, models.Delivery{Outcome: models.Failure, ErrorClass: models.StatusError, ResponseStatus: new(302)}, "Failed", models.RoundFailed, false},
	{"404", false, models.Delivery{Outcome: models.Failure, ErrorClass: models.StatusError, ResponseStatus: new(404)}, "Rejected (4xx, not retried)", models.RoundRejected, false},
	{"503", false, models.Delivery{Outcome: models.Failure, ErrorClass: models.StatusError, ResponseStatus: new(503)}, "Failed", models.RoundFailed, true},
	{"DNS", false, models.Delivery{Outcome: models.Failure, ErrorClass: models.DNSError}, "Failed", models.RoundFailed, true},
	{"blocked", false, models.Delivery{Outcome: models.Failure, ErrorClass: models.BlockedError}, "Blocked", models.RoundBlocked, false},
	{"interrupted", false, models.Delivery{Outcome: models.Failure, ErrorClass: models.InterruptedError}, "Failed", models.RoundFailed, false},
	{"under way", false, models.Delivery{Outcome: models.Sending}, "Under way", models.RoundUnderWay, false},
	{"accepted", true, models.Delivery{Outcome: models.Success}, "Handoff accepted", models.HandoffAccepted, false},
	{"refused", true, models.Delivery{Outcome: models.Failure, ErrorClass: models.StatusError, ResponseStatus: new(401)}, "Handoff failed", models.HandoffFailed, false},
	{"accepted before", true, models.Delivery{Outcome: models.Success, ResponseStatus: new(409)}, "Handoff accepted (already known)", models.HandoffAccepted, false},
	{"lost", true, models.Delivery{Outcome: models.Failure, ErrorClass: models.TimeoutError}, "Handoff failed", models.HandoffFailed, false},
	{"broken", true, models.Delivery{Outcome: models.Failure, ErrorClass: models.StatusError, ResponseStatus: new(503)}, "Handoff failed", models.HandoffFailed, false},
	{"being handed off", true, models.Delivery{Outcome: models.Sending}, "Under way", models.RoundUnderWay, false},
}

// rounds makes a round for each way an attempt can end, and one for each way the
// second attempt of it can; it returns the results, the newest round first.
func rounds(t *testing.T, f *modelstest.Fixture, p *models.Programme) (labels []string, results []models.RoundResult) {
	t.Helper()
	ctx := t.Context()
	add := func(ends ...int) {
		f.Clock.Move(time.Second)
		modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T"}))(t)
		managed := attempts[ends[0]].managed
		modelstest.Must(f.Outbox.FanOut(ctx, managed, 100))(t)
		for _, line := range modelstest.Must(f.Outbox.Lines(ctx))(t) {
			d := modelstest.Must(f.NextRound(ctx, line, "https://managed.example", nil))(t).Delivery
			for i, end := range ends {
				if i == 1 {
					d = modelstest.Must(f.Outbox.BeginRetry(ctx, d))(t)
				}
				e := attempts[end].end
				d.Outcome, d.ErrorClass, d.ResponseStatus = e.Outcome, e.ErrorClass, e.ResponseStatus
				if i == 0 && d.Retry() != attempts[end].again {
					t.Errorf("%s asks for another attempt: %t", attempts[end].name, d.Retry())
				}
			}
			fine(t, f.Outbox.FinishDelivery(ctx, d))
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
