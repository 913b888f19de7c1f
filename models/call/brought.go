package call

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// These limits count, per hour and in megabytes, the files that one person uploads and all people of an event together,
// and less for people with unproven addresses. For the latter they also count the texts that they change, in their
// profile and submissions, because the activity keeps each change. Unproven people have a limit of their own for the
// event, so that they keep nobody else out.
const (
	maxBrought, maxBroughtUnproven              = 200, 30
	maxEventBrought, maxEventUnproven           = 5000, 500
	maxUnprovenFile                             = 5
	maxUnprovenText, maxEventUnprovenText       = 1, 20
	megabyte                              int64 = 1 << 20
)

// MayBring counts a file before its bytes are stored, so that many uploads at once pass no more than one after the
// other. It answers Invalid, by the question's key, for a file that is too large for an unproven address, and TooMany
// beyond the hour's limits. Staff have no limits.
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

// maySay is MayBring for texts that are saved, if the address is unproven, because the activity keeps each change. Call
// it after all locks of people and sessions are taken.
func (pl *Place) maySay(tx *store.Tx, event *models.Event, texts map[string]string) error {
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	return pl.mayKeep(tx, event, longest(texts), size)
}

// mayEdit is maySay for a change of a submitted proposal.
func (pl *Place) mayEdit(tx *store.Tx, p *Proposal, before *models.Session, was Values) error {
	if before.Status == models.Draft {
		return nil // a draft records no activity, and is submitted once
	}
	changed := map[string]string{}
	for _, q := range p.Form.Questions() {
		if p.Values[q.Key] != was[q.Key] {
			changed[q.Key] = p.Values[q.Key]
		}
	}
	return pl.mayChange(tx, p.Event, cmp.Or(longest(changed), "proposal"), before, p.Session)
}

// mayChange is maySay for a change of a session, which is recorded before and after, and emitted.
func (pl *Place) mayChange(tx *store.Tx, event *models.Event, key string, before, after *models.Session) error {
	if before.UpdatedAt.Equal(after.UpdatedAt.Time) {
		return nil
	}
	from, to := store.Changes(before.Facts(), after.Facts())
	kept, err := json.Marshal([]any{from, to, after})
	if err != nil {
		return err
	}
	return pl.mayKeep(tx, event, key, len(kept))
}

// longest returns the name of the longest text, "" for none.
func longest(texts map[string]string) (longest string) {
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if len(texts[name]) >= len(texts[longest]) {
			longest = name
		}
	}
	return longest
}

// mayKeep counts size bytes sent from an unproven address; key names the field of a refusal. It answers TooMany.
func (pl *Place) mayKeep(tx *store.Tx, event *models.Event, key string, size int) error {
	if pl.isLent || size == 0 || pl.Account().IsConfirmed() {
		return nil
	}
	if err := bring(tx, key, "unproven text "+pl.contactID, size, maxUnprovenText, "you have"); err != nil {
		return err
	}
	return bring(tx, key, "unproven text "+event.ID, size, maxEventUnprovenText, "all together have")
}

// bring counts bytes under the key whose in this hour. It answers TooMany beyond most megabytes.
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
