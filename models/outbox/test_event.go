package outbox

import (
	"context"
	"slices"
	"time"

	"lectern/models/store"
)

// testsAMinute is how many test events an endpoint takes within a minute.
const testsAMinute = 5

// testData is what a test event tells instead of a change.
var testData = map[string]bool{"test": true}

// SendTest puts a test event of a type in line for one endpoint and for nobody else. It is signed, retried and
// logged like any other, marked as a test, and counted nowhere. It answers NotFound for an endpoint that is not
// of this organization, Invalid for a type that is none, for an endpoint that is off or whose secret was lost,
// and TooMany while one is on its way or when five were sent within the last minute.
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
		// Tests of one endpoint are about the endpoint, so they come one after the other.
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

// testable answers why no test event may be sent to an endpoint now.
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

// testsOf are the latest test events of an endpoint, the newest first.
func testsOf(tx *store.Tx, endpointID string, limit int) (tests []*Emission, err error) {
	return tests, tx.Where("is_test AND resource_id = ?", endpointID).Order("seq DESC").Limit(limit).Find(&tests).Error
}

// underWay tells whether the emission is in line, or is being sent.
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
	InLine     bool           // it waits for its turn
	Round      *DeliveryRound // nil before it began, and when it was dropped because the endpoint was turned off
}

// Ended tells whether nothing more becomes of it.
func (t *Test) Ended() bool { return !t.InLine && (t.Round == nil || t.Round.Result != RoundUnderWay) }

// LastTest is the test event that an endpoint of this organization was sent last; nil when the log knows of none.
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
