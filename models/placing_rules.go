package models

import (
	"context"
	"slices"
	"time"

	"lectern/models/store"
)

// PlacingRules are the staff's constraints for suggested places.
type PlacingRules struct {
	Days    []string `json:"days"`    // in the event's time zone, such as 2027-05-20; 1 to 31
	From    string   `json:"from"`    // when each begins, such as 09:00
	Until   string   `json:"until"`   // when each ends, later than From; 24:00 is midnight
	Step    int      `json:"step"`    // minutes: starts are multiples of it; one of PlacingSteps
	Gap     int      `json:"gap"`     // minutes that a room is empty between two sessions, 0 to 120
	Minutes int      `json:"minutes"` // length of a session whose parts and format have none, 5 to 600
}

// PlacingSteps are the values that Step can have, in minutes.
var PlacingSteps = []int{5, 15, 30, 60}

// maxGap, minMinutes and maxSuggestedLength are limits of PlacingRules, in minutes.
const (
	maxGap             = 120
	minMinutes         = 5
	maxSuggestedLength = 600
)

// StepLength returns Step as a duration.
func (r *PlacingRules) StepLength() time.Duration { return time.Duration(r.Step) * time.Minute }

// Clean checks the rules; its faults name the field.
func (r *PlacingRules) Clean() error {
	var f store.Faults
	r.Days = slices.Compact(slices.Sorted(slices.Values(r.Days)))
	if len(r.Days) == 0 || len(r.Days) > MaxDates {
		f.Add(store.Invalidf("days", "must be 1 to %d of the event's days", MaxDates))
	}
	if slices.ContainsFunc(r.Days, isNoDate) {
		f.Add(store.Invalidf("days", "must be dates such as 2027-05-20"))
	}
	for _, of := range []struct{ name, clock string }{{"from", r.From}, {"until", r.Until}} {
		if !IsClock(of.clock) {
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
	_, _, isDate := DayIn(text, time.UTC)
	return !isDate
}

// IsClock reports whether a text is a time of the day, such as 09:00, or 24:00.
func IsClock(text string) bool {
	_, err := time.Parse("15:04", text)
	return err == nil && len(text) == 5 || text == "24:00"
}

// placeFacts are the fields of a session that its place consists of.
var placeFacts = []string{"room_id", "starts_at", "ends_at"}

// runPlace moves a session to its suggested place, unless it was changed since or the place is taken.
func runPlace(
	ctx context.Context, p *Programme, tx *store.Tx, _ *BatchChange, item *BatchRow,
) (before, after *Session, err error) {
	if before, err = p.liveWithMetadata(tx, item.SessionID); err != nil {
		return nil, nil, err
	}
	change, err := item.After.Change()
	switch {
	case err != nil:
		return nil, nil, err
	case len(item.After) == 0:
		return nil, nil, store.Invalidf("session", "found no place; have places suggested again")
	case item.SeenAt == nil || !item.SeenAt.Equal(before.UpdatedAt.Time):
		return nil, nil, store.Invalidf("session", "was changed after places were suggested, so it stays as it is")
	}
	then := new(*before)
	then.RoomID, then.StartsAt, then.EndsAt = change.RoomID.Value, change.StartsAt.Value, change.EndsAt.Value
	taken, err := p.WouldConflict(ctx, then)
	if err != nil {
		return nil, nil, err
	}
	if len(taken) > 0 {
		return nil, nil, store.Invalidf("session", "stays without a place: %s", tookPlace(taken[0]))
	}
	change.UpdatedAt = item.SeenAt
	after, err = p.UpdateSession(ctx, item.SessionID, change)
	return before, after, err
}

// tookPlace says what has taken the suggested place since.
func tookPlace(c Conflict) string {
	switch c.Need {
	case NeedsRoom:
		return c.Name + " has " + c.With.FriendlyID + " at that time by now"
	case NeedsPerson:
		return c.Name + " is in " + c.With.FriendlyID + " at that time by now"
	case NeedsPlenary:
		if c.Break == nil && c.Of.IsPlenary {
			return c.With.FriendlyID + " is at that time by now"
		}
		return c.Name + " has nothing beside it at that time by now"
	case NeedsPresence:
		return c.Name + " is away at that time by now"
	}
	return c.Name + " is too small by now"
}
