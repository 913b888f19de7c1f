package models

import (
	"context"
	"slices"
	"time"

	"lectern/models/store"
)

// NextFree is the first start, from that of s on and within its day, at which s meets no other session, no break in its
// room and nobody's absence; nil for none. Of s it needs what Slot does.
func (p *Programme) NextFree(ctx context.Context, s *Session) (*store.Time, error) {
	want, takes := s.Slot()
	if !takes {
		return nil, nil
	}
	a, err := p.AgendaDay(ctx, s.StartsAt.In(p.event.Location()).Format(time.DateOnly), "")
	if err != nil {
		return nil, err
	}
	within, _, err := p.bounds(ctx)
	if err != nil {
		return nil, err
	}
	within.Seats = nil // no other start mends that
	ends := map[string]store.Time{}
	var others []Slot
	for _, other := range a.Sessions {
		if slot, takes := other.Slot(); takes && other.ID != s.ID {
			others, ends[other.ID] = append(others, slot), slot.End
		}
	}
	for length := s.Length(); ; {
		want.End = store.At(want.Start.Add(length))
		if want.End.After(a.Until.Time) {
			return nil, nil
		}
		next := want.Start
		for _, c := range Collisions([]Slot{want}, others, within) {
			until := ends[c.With]
			if c.Need == NeedsPresence {
				until = within.away(c).Until
			}
			next = later(next, until)
		}
		for _, b := range a.Breaks {
			if want.RoomID != "" && b.Covers(want.RoomID) && want.span().meets(Span{b.StartsAt, b.EndsAt}) {
				next = later(next, b.EndsAt)
			}
		}
		if next.Equal(want.Start.Time) {
			return &next, nil
		}
		want.Start = next
	}
}

// later is the later of two moments.
func later(a, b store.Time) store.Time {
	return slices.MaxFunc([]store.Time{a, b}, func(a, b store.Time) int { return a.Compare(b.Time) })
}
