package models

import (
	"context"
	"time"

	"lectern/models/store"
)

// maxStrangerMails limits the mails of an organization per hour to unproven addresses.
const maxStrangerMails = 200

// strangerMailsKept is how long these counts are kept.
const strangerMailsKept = 24 * time.Hour

// StrangerMailDue reserves a mail to an unproven address and returns when it may be sent: now, or in the first hour
// with room.
func StrangerMailDue(tx *store.Tx, organizationID string) (store.Time, error) {
	for hour := store.At(tx.Now.Truncate(time.Hour)); ; hour = store.At(hour.Add(time.Hour)) {
		var taken []struct{ Hour store.Time } // once an hour is full the last one of those after it has room, or the next
		err := tx.Raw(`INSERT INTO stranger_mails (organization_id, hour, mails)
			VALUES (?, coalesce((SELECT max(o.hour) FROM stranger_mails o JOIN stranger_mails f
				ON f.organization_id = o.organization_id AND f.hour = ? AND f.mails >= ?
				WHERE o.organization_id = ? AND o.hour > f.hour), ?), 1)
			ON CONFLICT (organization_id, hour) DO UPDATE SET mails = stranger_mails.mails + 1
			WHERE stranger_mails.mails < ? RETURNING hour`, organizationID, hour, maxStrangerMails, organizationID, hour,
			maxStrangerMails).Scan(&taken).Error
		if err != nil {
			return hour, err
		}
		if len(taken) == 0 {
			continue
		}
		if taken[0].Hour.Before(tx.Now.Time) {
			return tx.Now, nil
		}
		return taken[0].Hour, nil
	}
}

// StrangerMailsWaiting counts the mails to unproven addresses that wait for a later hour.
func (s *Store) StrangerMailsWaiting(ctx context.Context, organizationID string) (waiting int64, err error) {
	err = s.Read(ctx).Table("stranger_mails").Where("organization_id = ? AND hour > ?", organizationID, s.Now()).
		Select("coalesce(sum(mails), 0)").Scan(&waiting).Error
	return waiting, err
}

// PruneStrangerMails deletes old counts.
func (s *Store) PruneStrangerMails(ctx context.Context) error {
	return s.Write(ctx, func(tx *store.Tx) error {
		return tx.Exec("DELETE FROM stranger_mails WHERE hour < ?", store.At(tx.Now.Add(-strangerMailsKept))).Error
	})
}
