package models

import (
	"context"

	"gorm.io/gorm"

	"lectern/models/store"
)

// MaxWanted is the largest number of sessions that can be wanted of a track or a format.
const MaxWanted = 10_000

// HasQuota reports whether staff may set a number of wanted sessions for this family.
func (f Family) HasQuota() bool { return f == Tracks || f == Formats }

// CheckWanted adds a fault unless wanted is within its limits and the family HasQuota.
func CheckWanted(f *store.Faults, family Family, wanted store.Optional[int]) {
	switch n := wanted.Value; {
	case wanted.Set && !family.HasQuota():
		f.Add(store.Invalidf("wanted", "belongs to tracks and formats, not to %s", family))
	case n != nil && (*n < 0 || *n > MaxWanted):
		f.Add(store.Invalidf("wanted", "must be between 0 and %d", MaxWanted))
	}
}

// Quota is a track or a format with how much of it is taken: by the live submissions that are accepted, and by those in
// the accept queue. Wanted is a field of its row.
type Quota struct {
	*Metadata
	Accepted, Queued int64
}

// Taken returns how many there will be once the accept queue is committed.
func (q *Quota) Taken() int64 { return q.Accepted + q.Queued }

// Over returns how many more there will be than wanted; 0 if no number is set.
func (q *Quota) Over() int64 {
	if q.Wanted == nil {
		return 0
	}
	return max(0, q.Taken()-int64(*q.Wanted))
}

// Intake counts an event's submissions.
type Intake struct {
	Tracks, Formats []*Quota         // in their order
	Statuses        map[Status]int64 // number of submissions by status
}

// intakeCount is the number of submissions of a track and a format with a status or, if All, of all with that status.
type intakeCount struct {
	All               bool
	TrackID, FormatID *string
	Status            Status
	Count             int64
}

// Intake returns how many submissions have each status, and how much of each track and format is taken. It runs one SQL
// statement over an index, cached until the event's sessions change.
func (p *Programme) Intake(ctx context.Context) (*Intake, error) {
	set, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := p.store.caches.intakes.Get(ctx, p.event.ID, p.sessionsVersion(), func() (rows []intakeCount,
		err error) {
		submissions := p.filter(p.Read(ctx).Model(&Session{}), &SessionFilter{IsAbstract: new(true)}).Session(&gorm.Session{})
		err = p.Read(ctx).Raw("? UNION ALL ?",
			submissions.Select("false AS \"all\", track_id, format_id, status, count(*) AS count").
				Where("status IN ?", []Status{Accepted, AcceptQueue}).Group("track_id, format_id, status"),
			submissions.Select("true, NULL, NULL, status, count(*)").Group("status")).Scan(&rows).Error
		return rows, err
	})
	if err != nil {
		return nil, err
	}
	s := &Intake{Statuses: map[Status]int64{}}
	quotas := quotasByID{}
	for _, of := range []struct {
		family Family
		rows   *[]*Quota
	}{{Tracks, &s.Tracks}, {Formats, &s.Formats}} {
		for _, row := range set.Of(of.family) {
			quotas[row.ID] = &Quota{Metadata: row}
			*of.rows = append(*of.rows, quotas[row.ID])
		}
	}
	for _, c := range counts {
		if c.All {
			s.Statuses[c.Status] = c.Count
			continue
		}
		quotas.take(c.TrackID, c)
		quotas.take(c.FormatID, c)
	}
	return s, nil
}

type quotasByID map[string]*Quota

// take adds a count to the quota with this id, if there is one.
func (q quotasByID) take(id *string, c intakeCount) {
	switch {
	case id == nil || q[*id] == nil:
	case c.Status == Accepted:
		q[*id].Accepted += c.Count
	default:
		q[*id].Queued += c.Count
	}
}
