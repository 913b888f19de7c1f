package jobs

import (
	"time"

	"lectern/models"
	"lectern/models/ical"
)

// calendar is the session of a letter as an entry of a calendar, nil without a time.
func calendar(letter *models.OutgoingLetter, now time.Time) []byte {
	if letter.StartsAt == nil || letter.Kind != models.LetterAccepted {
		return nil
	}
	ends := letter.StartsAt // of what has no end yet
	if letter.EndsAt != nil {
		ends = letter.EndsAt
	}
	entry := ical.Entry{UID: ical.UID(letter.ScheduledID), Sequence: letter.Sequence, Changed: now,
		Start: letter.StartsAt.Time, End: ends.Time, Title: letter.ScheduledTitle}
	if letter.Room != "" {
		entry.Location = letter.Room + ", " + letter.EventName
	}
	c := ical.Calendar{Entries: []ical.Entry{entry}}
	return c.Bytes()
}
