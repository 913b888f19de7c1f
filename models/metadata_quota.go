package models

import (
	"context"

	"lectern/models/store"
)

// MaxWanted is how many sessions a track or a format may be wanted to have at most.
const MaxWanted = 10_000

// HasQuota tells of the families that staff may say a number of wanted sessions for.
func (f Family) HasQuota() bool { return f == Tracks || f == Formats }

func checkWanted(f *store.Faults, family Family, wanted store.Optional[int]) {
	switch n := wanted.Value; {
	case wanted.Set && !family.HasQuota():
		f.Add(store.Invalidf("wanted", "belongs to tracks and formats, not to %s", family))
	case n != nil && (*n < 0 || *n > MaxWanted):
		f.Add(store.Invalidf("wanted", "must be between 0 and %d", MaxWanted))
	}
}

// Quota is a track or a format with how much of it is taken: by the live submissions that are accepted, and by
// those in the accept queue. How many are wanted stands in its row.
type Quota struct {
	*Metadata
	Accepted, Queued int64
}

// Taken is how many there will be once the accept queue is committed.
func (q *Quota) Taken() int64 { return q.Accepted + q.Queued }

// Over is how many more there will be than are wanted, 0 where nobody said how many.
func (q *Quota) Over() int64 {
	if q.Wanted == nil {
		return 0
	}
	return max(0, q.Taken()-int64(*q.Wanted))
}

// quotaCount is how many submissions of a track and a format have a status.
type quotaCount struct {
	TrackID, FormatID *string
	Status            Status
	Count             int64
}

// Quotas are the tracks and the formats of the event, in their order, with how much of each is taken. It is one
// statement, kept for as long as the event's sessions stay as they are.
func (p *Programme) Quotas(ctx context.Context) (tracks, formats []*Quota, err error) {
	set, err := p.metadata(ctx)
	if err != nil {
		return nil, nil, err
	}
	counts, err := p.store.caches.quotas.Get(ctx, p.event.ID, p.sessionsVersion(), func() (rows []quotaCount, err error) {
		filter := SessionFilter{IsAbstract: new(true), Statuses: []Status{Accepted, AcceptQueue}}
		err = p.filter(p.read(ctx).Model(&Session{}), &filter).
			Select("track_id, format_id, status, count(*) AS count").Group("track_id, format_id, status").Scan(&rows).Error
		return rows, err
	})
	if err != nil {
		return nil, nil, err
	}
	of := func(family Family, id func(quotaCount) *string) (quotas []*Quota) {
		for _, row := range set.of(family) {
			q := &Quota{Metadata: row}
			for _, c := range counts {
				switch of := id(c); {
				case of == nil || *of != row.ID:
				case c.Status == Accepted:
					q.Accepted += c.Count
				default:
					q.Queued += c.Count
				}
			}
			quotas = append(quotas, q)
		}
		return quotas
	}
	return of(Tracks, func(c quotaCount) *string { return c.TrackID }),
		of(Formats, func(c quotaCount) *string { return c.FormatID }), nil
}
