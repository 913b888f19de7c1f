package models

import (
	"context"
	"slices"
	"time"

	"lectern/models/store"
)

// PlacingRules are the staff's constraints for suggested places.
type PlacingRules struct {
	Days    []string `json:"days"`    // of the event's time zone, such as 2027-05-20; 1 to 31
	From    string   `json:"from"`    // when each begins, such as 09:00
	Until   string   `json:"until"`   // when each ends, later than From; 24:00 is midnight
	Step    int      `json:"step"`    // minutes: starts are multiples of it; one of PlacingSteps
	Gap     int      `json:"gap"`     // minutes that a room is empty between two sessions, 0 to 120
	Minutes int      `json:"minutes"` // of a session whose parts and format have none, 5 to 600
}

// PlacingSteps are the steps there are, in minutes.
var PlacingSteps = []int{5, 15, 30, 60}

// The limits of a placing.
const (
	maxGap             = 120
	minMinutes         = 5
	maxSuggestedLength = 600

	// MaxSuggested is for how many sessions places are suggested in one go.
	MaxSuggested = 2000
)

func (r *PlacingRules) step() time.Duration { return time.Duration(r.Step) * time.Minute }

// clean checks the rules; its faults name the field.
func (r *PlacingRules) clean() error {
	var f store.Faults
	r.Days = slices.Compact(slices.Sorted(slices.Values(r.Days)))
	if len(r.Days) == 0 || len(r.Days) > maxDates {
		f.Add(store.Invalidf("days", "must be 1 to %d of the event's days", maxDates))
	}
	if slices.ContainsFunc(r.Days, isNoDate) {
		f.Add(store.Invalidf("days", "must be dates such as 2027-05-20"))
	}
	for _, of := range []struct{ name, clock string }{{"from", r.From}, {"until", r.Until}} {
		if !isClock(of.clock) {
			f.Add(store.Invalidf(of.name, "must be a time such as 09:00"))
		}
	}
	if len(f) == 0 && r.Until <= r.From {
		f.Add(store.Invalidf("until", "must be later than the beginning of the day"))
	}
	if !slices.Contains(PlacingSteps, r.Step) {
		f.Add(store.Invalidf("step", "must be 5, 15, 30 or 60 minutes"))
	}
	if r.Gap < 0 || r.Gap > maxGap {
		f.Add(store.Invalidf("gap", "must be between 0 and %d minutes", maxGap))
	}
	if r.Minutes < minMinutes || r.Minutes > maxSuggestedLength {
		f.Add(store.Invalidf("minutes", "must be between %d and %d", minMinutes, maxSuggestedLength))
	}
	return f.Err()
}

func isNoDate(text string) bool {
	date, err := time.Parse(time.DateOnly, text)
	return err != nil || date.Year() < 2 || date.Year() > 9998 // UTC has a year of four digits
}

func isClock(text string) bool {
	_, err := time.Parse("15:04", text)
	return err == nil && len(text) == 5 || text == "24:00"
}

// PlacingDefaults derives rules from the agenda: its days and the first and last hour used; else the event's days
// from 09:00 to 18:00. There are no days if neither is known.
func (p *Programme) PlacingDefaults(ctx context.Context) (*PlacingRules, error) {
	placed, err := p.placed(ctx)
	if err != nil {
		return nil, err
	}
	r := &PlacingRules{Days: p.event.Dates(), From: "24:00", Step: 5, Minutes: 30}
	zone, own := p.event.Location(), len(p.event.Dates()) == 0
	for _, s := range placed {
		slot, _ := s.Slot()
		start, end := slot.Start.In(zone), stepAt(slot.End, 30*time.Minute, zone).In(zone)
		if day := start.Format(time.DateOnly); own && !slices.Contains(r.Days, day) && len(r.Days) < maxDates {
			r.Days = append(r.Days, day)
		}
		r.From = min(r.From, start.Add(-time.Duration(start.Minute()%30)*time.Minute).Format("15:04"))
		if end.Format(time.DateOnly) == start.Format(time.DateOnly) {
			r.Until = max(r.Until, end.Format("15:04")) // what goes on over midnight is not the rule
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
func (p *Programme) CountUnplaced(ctx context.Context) (n int64, err error) {
	err = p.read(ctx).Model(&Session{}).Where("event_id = ? AND "+unplaced, p.event.ID).Count(&n).Error
	return n, err
}

// SuggestPlaces finds a place for the first MaxSuggested accepted programme sessions that lack a room or a start, and
// stores the result for review; StartPlaces applies it. The same agenda gives the same places. A session keeps the
// room or start that it has. It answers Invalid for rules that break their limits and if there is nothing to place.
func (p *Programme) SuggestPlaces(ctx context.Context, r PlacingRules) (*Batch, error) {
	if err := r.clean(); err != nil {
		return nil, err
	}
	waiting, err := p.waiting(ctx)
	if err != nil {
		return nil, err
	}
	if len(waiting) == 0 {
		return nil, store.Invalidf("sessions", "have all a room and a start")
	}
	finder, err := p.placer(ctx, &r, waiting)
	if err != nil {
		return nil, err
	}
	items, failed := finder.suggest(waiting)
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Batch, error) {
		b, err := p.prepareBatch(tx, BatchChange{Operation: BatchPlace, Placing: &r})
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			item.EventID, item.BatchID = p.event.ID, b.ID
		}
		b.Total, b.Failed = len(items), failed
		if err := store.InsertInto(tx, "batch_items", items); err != nil {
			return nil, err
		}
		return b, tx.Model(b).Select("total", "failed").Updates(b).Error
	})
}

// waiting returns the sessions that need a place.
func (p *Programme) waiting(ctx context.Context) ([]*Session, error) {
	var rows []*Session
	if err := p.read(ctx).Table("sessions s").Select("s.id, "+partsMinutes).Where("event_id = ? AND "+unplaced, p.event.ID).
		Order("number").Limit(MaxSuggested).Find(&rows).Error; err != nil || len(rows) == 0 {
		return nil, err
	}
	ids, minutes := make([]string, len(rows)), map[string]*int{}
	for i, row := range rows {
		ids[i], minutes[row.ID] = row.ID, row.PartsMinutes
	}
	sessions, err := p.LoadAll(p.read(ctx), ids)
	for _, s := range sessions {
		s.PartsMinutes = minutes[s.ID]
	}
	return sessions, err
}

// placer builds the placer from all that is taken on the days of the rules. Sessions that wait for a room but have a
// start are not counted as taken.
func (p *Programme) placer(ctx context.Context, r *PlacingRules, waiting []*Session) (*placer, error) {
	placed, err := p.placed(ctx)
	if err != nil {
		return nil, err
	}
	within, set, err := p.bounds(ctx)
	if err != nil {
		return nil, err
	}
	breaks, err := p.Breaks(ctx, store.Time{}, store.Time{})
	if err != nil {
		return nil, err
	}
	zone := p.event.Location()
	found := &placer{rules: r, zone: zone, rooms: set.Of(Rooms), away: within.Away, busy: map[string][]Span{},
		people: map[string][]Span{}, tracks: map[string][]Span{}, presence: map[presence]bool{}}
	asked := map[string]bool{}
	for _, s := range waiting {
		asked[s.ID] = true
	}
	for _, day := range r.Days {
		if window := (Span{clockOn(day, r.From, zone), clockOn(day, r.Until, zone)}); window.From.Before(window.Until.Time) {
			found.windows = append(found.windows, window)
		}
	}
	for _, s := range placed {
		if asked[s.ID] {
			continue
		}
		slot, _ := s.Slot()
		span := slot.span()
		if s.EndsAt == nil { // nobody knows how long it takes
			span.Until = store.At(span.From.Add(time.Duration(r.Minutes) * time.Minute))
		}
		found.occupy(slot.RoomID, valueOf(s.TrackID), slot.ContactIDs, span, slot.IsPlenary)
	}
	for _, b := range within.Plenary {
		found.plenary = append(found.plenary, b.span())
	}
	found.plenary = united(found.plenary)
	for _, room := range found.rooms {
		for _, b := range breaks {
			if b.Covers(room.ID) {
				found.busy[room.ID] = append(found.busy[room.ID], Span{b.StartsAt, b.EndsAt})
			}
		}
		found.busy[room.ID] = united(found.busy[room.ID])
	}
	return found, nil
}

// suggest finds a place for each session and returns an item for each: its place, or why it has none.
func (p *placer) suggest(waiting []*Session) (items []*batchItem, failed int) {
	var all []*toPlace
	for _, s := range waiting {
		one := &toPlace{Session: s, minutes: s.defaultMinutes(p.rules.Minutes), track: valueOf(s.TrackID)}
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
		item := &batchItem{SessionID: one.ID, State: itemPending, Before: BatchFacts{}, After: BatchFacts{},
			SeenAt: new(one.UpdatedAt), SeenStatus: one.Status}
		if found, why := p.place(one); found == nil {
			item.State, item.Message = itemFailed, why
			failed++
			if !one.start.IsZero() { // when it stays
				p.occupy("", one.track, one.people, one.spanAt(one.start), one.IsPlenary)
			}
		} else {
			item.After = BatchFacts{"room_id": found.room.ID, "starts_at": found.span.From.String(),
				"ends_at": found.span.Until.String()}
		}
		items = append(items, item)
	}
	return items, failed
}
