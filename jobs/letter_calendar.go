package jobs

import (
	"context"
	"time"

	"lectern/models"
	"lectern/models/ical"
	"lectern/models/look"
	"lectern/models/store"
)

// calendar returns a letter's session as a calendar entry, nil for one without a time. It names the place as the public
// calendars do.
func (l *Letters) calendar(ctx context.Context, letter *models.OutgoingLetter, now time.Time) ([]byte, error) {
	if letter.StartsAt == nil || letter.Kind != models.LetterAccepted {
		return nil, nil
	}
	event, err := l.store.EventBy(ctx, *letter.EventID)
	if err != nil {
		return nil, err
	}
	place, err := look.Of(l.store.Programme(event, store.By{})).Look(ctx)
	if err != nil {
		return nil, err
	}
	ends := letter.StartsAt // for a session without an end yet
	if letter.EndsAt != nil {
		ends = letter.EndsAt
	}
	entry := ical.Entry{UID: ical.UID(letter.ScheduledID), Sequence: letter.Sequence, Changed: now,
		Start: letter.StartsAt.Time, End: ends.Time, Title: letter.ScheduledTitle,
		Location: place.Location(letter.Room, event.Name)}
	c := ical.Calendar{Entries: []ical.Entry{entry}}
	return c.Bytes(), nil
}
