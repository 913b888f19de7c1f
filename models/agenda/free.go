package agenda

import (
	"context"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// NextFree finds the first start on the same day, not before the session's own, at which its room and all its people
// are free for its whole length, outside breaks and absences. The start is the session's own or a multiple of step on
// the event's clock. It returns nil if there is none, or if the session takes no place. s needs the fields that Slot
// and Length read. It costs at most four statements.
func (ag *Agenda) NextFree(ctx context.Context, s *models.Session, step time.Duration) (*store.Time, error) {
	slot, takes := s.Slot()
	if !takes {
		return nil, nil
	}
	zone, length := ag.p.Event().Location(), s.Length()
	slot.End = store.At(slot.Start.Add(length))
	day := slot.Start.In(zone)
	whole, tomorrow := slot, models.StartOfDay(day.Year(), day.Month(), day.Day()+1, zone)
	whole.End = store.At(tomorrow.Add(length))
	near, err := ag.p.NearTo(ctx, &whole)
	if err != nil {
		return nil, err
	}
	breaks, err := ag.p.Breaks(ctx, slot.Start, whole.End)
	if err != nil {
		return nil, err
	}
	within, _, err := ag.p.Bounds(ctx)
	if err != nil {
		return nil, err
	}
	var busy []models.Span
	for _, other := range near {
		taken, _ := other.Slot()
		busy = append(busy, taken.Span())
	}
	for _, b := range breaks {
		if b.IsPlenary || slot.RoomID != "" && b.Covers(slot.RoomID) {
			busy = append(busy, models.Span{From: b.StartsAt, Until: b.EndsAt})
		}
	}
	for _, id := range slot.ContactIDs {
		busy = append(busy, within.Away[id]...)
	}
	isToday := func(want models.Span) bool { return want.From.Before(tomorrow.Time) }
	if at, found := firstFree(slot.Span(), [][]models.Span{models.United(busy)}, step, zone, isToday); found {
		return &at, nil
	}
	return nil, nil
}

// firstFree moves a span later until it overlaps nothing busy, as long as it fits. Each part of busy must be united.
func firstFree(want models.Span, busy [][]models.Span, step time.Duration, zone *time.Location,
	fits func(models.Span) bool) (at store.Time, found bool) {
	length := want.Until.Sub(want.From.Time)
	for fits(want) {
		blocked := false
		for _, spans := range busy {
			var until store.Time
			if until, blocked = blockedUntil(spans, want); blocked {
				want.From = stepAt(until, step, zone)
				want.Until = store.At(want.From.Add(length))
				break
			}
		}
		if !blocked {
			return want.From, true
		}
	}
	return at, false
}

// blockedUntil returns the end of the first busy span that want overlaps. busy must be united, so its ends are in
// order too.
func blockedUntil(busy []models.Span, want models.Span) (until store.Time, blocked bool) {
	first, _ := slices.BinarySearchFunc(busy, want.From, func(s models.Span, from store.Time) int {
		if s.Until.After(from.Time) {
			return 1
		}
		return -1
	})
	for _, s := range busy[max(0, first-1):] { // the span before may be an instant at the start
		if s.From.After(want.Until.Time) {
			break
		}
		if s.Meets(want) {
			if least := store.At(want.From.Add(time.Minute)); s.Until.Before(least.Time) {
				return least, true
			}
			return s.Until, true
		}
	}
	return store.Time{}, false
}

// stepAt returns the first multiple of step on the clock of a zone that is not before at.
func stepAt(at store.Time, step time.Duration, zone *time.Location) store.Time {
	local := at.In(zone)
	clock := time.Duration(local.Hour())*time.Hour + time.Duration(local.Minute())*time.Minute +
		time.Duration(local.Second())*time.Second + time.Duration(local.Nanosecond())
	if over := clock % step; over > 0 {
		return store.At(at.Add(step - over))
	}
	return at
}
