package cfp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// How many megabytes of files one person brings in an hour, and all to an event, and how much that is where nobody has
// proven the address; of these also how much the texts of profiles are, which the activity keeps. Strangers count
// apart, so that they keep nobody out.
const (
	maxBrought, maxBroughtUnproven              = 200, 30
	maxEventBrought, maxEventUnproven           = 5000, 500
	maxUnprovenFile                             = 5
	maxUnprovenText, maxEventUnprovenText       = 1, 20
	megabyte                              int64 = 1 << 20
)

// MayBring counts a file before its bytes are kept, so that many at once are not more than many in turn. It answers
// Invalid, by the question's key, for one that is larger than an address that nobody has proven may bring, and TooMany
// for more than may come in an hour. Staff bring what they want.
func (pl *Place) MayBring(ctx context.Context, event *models.Event, key string, size int) error {
	if pl.isLent {
		return nil
	}
	mine, all, kind := maxBrought, maxEventBrought, "proven "
	if !pl.Account().IsConfirmed() {
		if int64(size) > maxUnprovenFile*megabyte {
			return store.Invalidf(key, "may have up to %d MB until you have opened the link in our mail to you", maxUnprovenFile)
		}
		mine, all, kind = maxBroughtUnproven, maxEventUnproven, "unproven "
	}
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		if err := bring(tx, key, kind+pl.contactID, size, mine, "you have"); err != nil {
			return err
		}
		return bring(tx, key, kind+event.ID, size, all, "all together have")
	})
}

// maySay is MayBring for the texts of a profile that are saved, of which those of an address that nobody has proven are
// counted.
func (pl *Place) maySay(tx *store.Tx, event *models.Event, texts map[string]string) error {
	if pl.isLent || pl.Account().IsConfirmed() {
		return nil
	}
	key, size := "", 0
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if size += len(texts[name]); len(texts[name]) >= len(texts[key]) {
			key = name
		}
	}
	if err := bring(tx, key, "unproven text "+pl.contactID, size, maxUnprovenText, "you have"); err != nil {
		return err
	}
	return bring(tx, key, "unproven text "+event.ID, size, maxEventUnprovenText, "all together have")
}

// bring counts bytes of somebody in this hour.
func bring(tx *store.Tx, key, whose string, size, most int, who string) error {
	hour, limit := store.At(tx.Now.Truncate(time.Hour)), int64(most)*megabyte
	why := fmt.Sprintf("was not kept: %s sent %d MB within an hour. Send it again in %d minutes", who, most,
		1+int(hour.Add(time.Hour).Sub(tx.Now.Time).Minutes()))
	full := &store.Error{Kind: store.TooMany, Message: key + " " + why, Fields: []store.FieldError{{Field: key, Message: why}}}
	if int64(size) > limit {
		return full
	}
	return store.Changed(tx.Exec(`INSERT INTO brought_bytes (whose, hour, bytes) VALUES (?, ?, ?)
		ON CONFLICT (whose, hour) DO UPDATE SET bytes = brought_bytes.bytes + excluded.bytes
		WHERE brought_bytes.bytes + excluded.bytes <= ?`, whose, hour, size, limit), full)
}
