package outbox

import (
	"context"
	"slices"
	"time"

	"lectern/models/store"
)

// testsAMinute is how many test events can be sent to an endpoint within a minute.
const testsAMinute = 5

// testData is the payload of a test event.
var testData = map[string]bool{"test": true}

// SendTest queues a test event of a type for one endpoint only. It is signed, retried and logged like any other, marked
// as a test, and counted nowhere. It answers NotFound for an endpoint of another organization, Invalid for an unknown
// type, for an endpoint that is off or whose secret was lost, and TooMany while one is under way or when five were sent
// within the last minute.
func (w *Webhooks) SendTest(ctx context.Context, id string, kind EmissionType) error {
	if !slices.Contains(EmissionTypes, kind) {
		return store.Invalidf("type", "must be one of the eight events")
	}
	return w.Write(ctx, func(tx *store.Tx) error {
		endpoint, err := w.endpoint(tx, id)
		if err != nil {
			return err
		}
		if err := testable(tx, endpoint); err != nil {
			return err
		}
		// The endpoint is the resource of its tests, so that they are sent one after the other.
		e := &Emission{OrganizationID: w.ID, Type: kind, ResourceID: endpoint.ID, IsTest: true, FannedAt: &tx.Now}
		if err := emit(tx, e, testData); err != nil {
			return err
		}
		if err := tx.Create(e.due(&endpoint.ID)).Error; err != nil {
			return err
		}
		return w.Record(tx, store.Change{Subject: "endpoint", ID: endpoint.ID, Action: "test sent",
			After: map[string]any{"type": kind}})
	})
}

// testable returns why no test event may be sent to an endpoint now, nil if it may.
func testable(tx *store.Tx, endpoint *Endpoint) error {
	switch {
	case !endpoint.IsActive:
		return &store.Error{Kind: store.Invalid, Message: "This endpoint is off. Turn it on to send it a test event."}
	case endpoint.NeedsSecret():
		return &store.Error{Kind: store.Invalid, Message: "The secret of this endpoint was lost. Rotate it first; " +
			"nothing is sent unsigned."}
	}
	tests, err := testsOf(tx, endpoint.ID, testsAMinute)
	if err != nil || len(tests) == 0 {
		return err
	}
	switch underWay, err := tests[0].underWay(tx); {
	case err != nil:
		return err
	case underWay:
		return &store.Error{Kind: store.TooMany, Message: "A test event is still on its way to this endpoint. Its result " +
			"appears here; send another after that."}
	}
	if len(tests) == testsAMinute && tx.Now.Sub(tests[testsAMinute-1].OccurredAt.Time) < time.Minute {
		return &store.Error{Kind: store.TooMany, Message: "Five test events were sent within a minute. Wait a moment " +
			"before the next one."}
	}
	return nil
}

// testsOf returns the latest test events of an endpoint, newest first.
func testsOf(tx *store.Tx, endpointID string, limit int) (tests []*Emission, err error) {
	return tests, tx.Where("is_test AND resource_id = ?", endpointID).Order("seq DESC").Limit(limit).Find(&tests).Error
}

// underWay reports whether the emission is queued or being sent.
func (e *Emission) underWay(tx *store.Tx) (bool, error) {
	var n int64
	err := tx.Raw(`SELECT (SELECT count(*) FROM deliveries_due WHERE emission_seq = ?)
		+ (SELECT count(*) FROM webhook_deliveries WHERE emission_id = ? AND outcome = ?)`, e.Seq, e.ID, Sending).
		Scan(&n).Error
	return n > 0, err
}

// Test is a test event that an endpoint was sent.
type Test struct {
	EmissionID string
	Type       EmissionType
	SentAt     store.Time
	InLine     bool           // it is queued
	Round      *DeliveryRound // nil before it began, and if turning the endpoint off dropped it
}

// Ended reports whether the test's result is final.
func (t *Test) Ended() bool { return !t.InLine && (t.Round == nil || t.Round.Result != RoundUnderWay) }

// LastTest returns the last test event that an endpoint of this organization was sent; nil when the log has none.
func (w *Webhooks) LastTest(ctx context.Context, endpointID string) (*Test, error) {
	var found []struct {
		Emission
		InLine bool
	}
	err := w.Read(ctx).Model(&Emission{}).
		Select("*, EXISTS (SELECT 1 FROM deliveries_due d WHERE d.emission_seq = emissions.seq) AS in_line").
		Where("is_test AND resource_id = ? AND organization_id = ?", endpointID, w.ID).
		Order("seq DESC").Limit(1).Find(&found).Error
	if err != nil || len(found) == 0 {
		return nil, err
	}
	e := found[0]
	test := &Test{EmissionID: e.ID, Type: e.Type, SentAt: e.OccurredAt, InLine: e.InLine}
	rounds, _, err := w.DeliveryRounds(ctx, DeliveryFilter{EmissionID: e.ID}, store.Page{Size: 1})
	if len(rounds) > 0 {
		test.InLine, test.Round = false, rounds[0]
	}
	return test, err
}
