package outbox

import (
	"context"
	"net/url"
	"time"

	"lectern/models/store"
)

// CountedUpTo is the limit up to which a backlog is counted.
const CountedUpTo = 1000

// Backlog is what waits for an organization's receivers. Reading it costs the same however much that is: Waiting and
// Failed stop at CountedUpTo + 1. Leader is not filled in.
type Backlog struct {
	DeliveryState
	Endpoints int             // those that are on
	Behind    []EndpointQueue // endpoints whose first delivery is overdue, the longest wait first
}

// EndpointQueue is the queue of one endpoint.
type EndpointQueue struct {
	Host        string // only the host, as the rest of the address may hold a secret
	Waits       time.Duration
	NeedsSecret bool
}

// mostQueues is how many overdue endpoints are listed.
const mostQueues = 100

// Backlog returns what waits for the organization's receivers.
func (w *Webhooks) Backlog(ctx context.Context) (b Backlog, err error) {
	organization := w.Read(ctx).Where("o.id = ?", w.ID)
	if b.DeliveryState, err = w.outbox.readState(organization, deliveryAges+cappedCounts,
		CountedUpTo+1, CountedUpTo+1, store.At(w.Now().Add(-time.Hour)), CountedUpTo+1); err != nil {
		return b, err
	}
	var rows []struct {
		URL         string
		NeedsSecret bool
		First       *store.Time
		Endpoints   int // the number of all endpoints, in each row
	}
	err = w.Read(ctx).Raw(`SELECT *, count(*) OVER () AS endpoints FROM (
		SELECT w.id, w.url, w.sealed_secret = '' AS needs_secret,
		(SELECT e.occurred_at FROM emissions e WHERE e.seq = (SELECT d.emission_seq FROM deliveries_due d
			WHERE d.webhook_id = w.id ORDER BY d.emission_seq LIMIT 1)) AS first
		FROM webhook_endpoints w WHERE w.organization_id = ? AND w.is_active) x ORDER BY first IS NULL, first, id LIMIT ?`,
		w.ID, mostQueues).Scan(&rows).Error
	for _, row := range rows {
		b.Endpoints = row.Endpoints
		if row.First == nil || w.Now().Sub(row.First.Time) < stuck {
			continue
		}
		line := EndpointQueue{NeedsSecret: row.NeedsSecret, Waits: w.Now().Sub(row.First.Time)}
		if address, err := url.Parse(row.URL); err == nil {
			line.Host = address.Host
		}
		b.Behind = append(b.Behind, line)
	}
	return b, err
}

// cappedCounts are deliveryCounts with limits, so that none gets slower with the backlog.
const cappedCounts = `,
	(SELECT count(*) FROM (SELECT 1 FROM deliveries_due d WHERE d.organization_id = o.id LIMIT ?) x)
		+ (SELECT count(*) FROM (SELECT 1 FROM emissions e WHERE e.fanned_at IS NULL AND e.organization_id = o.id
			LIMIT ?) y) AS waiting,
	(SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries w WHERE w.organization_id = o.id AND w.attempt = 1
		AND NOT w.is_test AND w.round_result IN ('failed', 'rejected', 'blocked', 'handoff_failed') AND w.created_at > ?
		LIMIT ?) z) AS failed`
