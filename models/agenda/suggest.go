package agenda

import (
	"context"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// MaxSuggested is for how many sessions SuggestPlaces finds places at once.
const MaxSuggested = 2000

// PlacingDefaults derives rules from the agenda: its days and the first and last hour used; else the event's days
// from 09:00 to 18:00. There are no days if neither is known.
func (ag *Agenda) PlacingDefaults(ctx context.Context) (*models.PlacingRules, error) {
	placed, err := ag.placed(ctx)
	if err != nil {
		return nil, err
	}
	r := &models.PlacingRules{Days: ag.p.Event().Dates(), From: "24:00", Step: 5, Minutes: 30}
	zone, own := ag.p.Event().Location(), len(ag.p.Event().Dates()) == 0
	for _, s := range placed {
		slot, _ := s.Slot()
		start, end := slot.Start.In(zone), stepAt(slot.End, 30*time.Minute, zone).In(zone)
		if day := start.Format(time.DateOnly); own && !slices.Contains(r.Days, day) && len(r.Days) < models.MaxDates {
			r.Days = append(r.Days, day)
		}
		r.From = min(r.From, start.Add(-time.Duration(start.Minute()%30)*time.Minute).Format("15:04"))
		if end.Format(time.DateOnly) == start.Format(time.DateOnly) {
			r.Until = max(r.Until, end.Format("15:04")) // sessions that run past midnight are exceptions
		}
	}
	if r.From >= r.Until {
		r.From, r.Until = "09:00", "18:00"
	}
	slices.Sort(r.Days)
	return r, nil
}

// unplaced selects the sessions that need a place.
const unplaced = "is_abstract = false AND deleted_at IS NULL AND status = 'accepted' AND (room_id IS NULL OR starts_at IS NULL)"

// CountUnplaced counts the accepted programme sessions without a room or a start.
func (ag *Agenda) CountUnplaced(ctx context.Context) (n int64, err error) {
	err = ag.p.Read(ctx).Model(&models.Session{}).Where("event_id = ? AND "+unplaced, ag.p.Event().ID).Count(&n).Error
	return n, err
}

// SuggestPlaces finds a place for the first MaxSuggested accepted programme sessions that lack a room or a start, and
// stores the result for review; StartPlaces applies it. The same agenda gives the same places. A session keeps the
// room or start that it has. It answers Invalid for rules that break their limits and if there is nothing to place.
func (ag *Agenda) SuggestPlaces(ctx context.Context, r models.PlacingRules) (*models.Batch, error) {
	if err := r.Clean(); err != nil {
		return nil, err
	}
	waiting, err := ag.waiting(ctx)
	if err != nil {
		return nil, err
	}
	if len(waiting) == 0 {
		return nil, store.Invalidf("sessions", "have all a room and a start")
	}
	finder, err := ag.placer(ctx, &r, waiting)
	if err != nil {
		return nil, err
	}
	items, failed := finder.suggest(waiting)
	return store.Make(ctx, ag.p.Write, func(tx *store.Tx) (*models.Batch, error) {
		b, err := ag.p.PrepareBatch(tx, models.BatchChange{Operation: models.BatchPlace, Placing: &r})
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			item.EventID, item.BatchID = ag.p.Event().ID, b.ID
		}
		b.Total, b.Failed = len(items), failed
		if err := store.InsertInto(tx, "batch_items", items); err != nil {
			return nil, err
		}
		return b, tx.Model(b).Select("total", "failed").Updates(b).Error
	})
}

// waiting returns the sessions that need a place.
func (ag *Agenda) waiting(ctx context.Context) ([]*models.Session, error) {
	var rows []*models.Session
	if err := ag.p.Read(ctx).Table("sessions s").Select("s.id, "+models.PartsMinutes).Where("event_id = ? AND "+unplaced,
		ag.p.Event().ID).Order("number").Limit(MaxSuggested).Find(&rows).Error; err != nil || len(rows) == 0 {
		return nil, err
	}
	ids, minutes := make([]string, len(rows)), map[string]*int{}
	for i, row := range rows {
		ids[i], minutes[row.ID] = row.ID, row.PartsMinutes
	}
	sessions, err := ag.p.LoadAll(ag.p.Read(ctx), ids)
	for _, s := range sessions {
		s.PartsMinutes = minutes[s.ID]
	}
	return sessions, err
}

// placer builds the placer from all that is taken on the days of the rules. Sessions that wait for a room but have a
// start are not counted as taken.
func (ag *Agenda) placer(ctx context.Context, r *models.PlacingRules, waiting []*models.Session) (*placer, error) {
	placed, err := ag.placed(ctx)
	if err != nil {
		return nil, err
	}
	within, set, err := ag.p.Bounds(ctx)
	if err != nil {
		return nil, err
	}
	breaks, err := ag.p.Breaks(ctx, store.Time{}, store.Time{})
	if err != nil {
		return nil, err
	}
	zone := ag.p.Event().Location()
	found := &placer{rules: r, zone: zone, rooms: set.Of(models.Rooms), away: within.Away,
		busy:   map[string][]models.Span{},
		people: map[string][]models.Span{}, tracks: map[string][]models.Span{}, presence: map[presence]bool{}}
	asked := map[string]bool{}
	for _, s := range waiting {
		asked[s.ID] = true
	}
	for _, day := range r.Days {
		if window := (models.Span{From: ag.p.Event().Clock(day, r.From),
			Until: ag.p.Event().Clock(day, r.Until)}); window.From.Before(window.Until.Time) {
			found.windows = append(found.windows, window)
		}
	}
	for _, s := range placed {
		if asked[s.ID] {
			continue
		}
		slot, _ := s.Slot()
		span := slot.Span()
		if s.EndsAt == nil { // its length is not known
			span.Until = store.At(span.From.Add(time.Duration(r.Minutes) * time.Minute))
		}
		found.occupy(slot.RoomID, trackOf(s), slot.ContactIDs, span, slot.IsPlenary)
	}
	for _, b := range within.Plenary {
		found.plenary = append(found.plenary, b.Span())
	}
	found.plenary = models.United(found.plenary)
	for _, room := range found.rooms {
		for _, b := range breaks {
			if b.Covers(room.ID) {
				found.busy[room.ID] = append(found.busy[room.ID], models.Span{From: b.StartsAt, Until: b.EndsAt})
			}
		}
		found.busy[room.ID] = models.United(found.busy[room.ID])
	}
	return found, nil
}

// suggest finds a place for each session and returns an item for each: its place, or why it has none.
func (p *placer) suggest(waiting []*models.Session) (items []*models.BatchRow, failed int) {
	var all []*toPlace
	for _, s := range waiting {
		one := &toPlace{Session: s, minutes: s.MinutesOr(p.rules.Minutes), track: trackOf(s)}
		if s.Capacity != nil {
			one.expects = *s.Capacity
		}
		for _, person := range s.Participants {
			one.people = append(one.people, person.ContactID)
		}
		if s.StartsAt != nil {
			one.start = *s.StartsAt
			if s.EndsAt != nil {
				one.minutes = int(s.EndsAt.Sub(s.StartsAt.Time).Minutes())
			}
		}
		all = append(all, one)
	}
	slices.SortFunc(all, inOrderOfNeed)
	for _, one := range all {
		item := &models.BatchRow{SessionID: one.ID, State: models.ItemPending, Before: models.BatchFacts{},
			After:  models.BatchFacts{},
			SeenAt: new(one.UpdatedAt), SeenStatus: one.Status}
		if found, why := p.place(one); found == nil {
			item.State, item.Message = models.ItemFailed, why
			failed++
			if !one.start.IsZero() { // its own start stays
				p.occupy("", one.track, one.people, one.spanAt(one.start), one.IsPlenary)
			}
		} else {
			item.After = models.BatchFacts{"room_id": found.room.ID, "starts_at": found.span.From.String(),
				"ends_at": found.span.Until.String()}
		}
		items = append(items, item)
	}
	return items, failed
}

// trackOf returns the id of a session's track, "" for none.
func trackOf(s *models.Session) string {
	if s.TrackID == nil {
		return ""
	}
	return *s.TrackID
}
