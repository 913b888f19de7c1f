package call

import (
	"context"
	"time"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/signin"
	"lectern/models/store"
)

// BeginningLifetime is how long somebody is kept who began with an unproven address and submitted nothing.
const BeginningLifetime = 14 * 24 * time.Hour

// isForgotten is the SQL condition that a stranger's account u was created at its parameter or before, and has nothing
// that must stay: staff did nothing with its drafts, and nobody else is on one.
const isForgotten = models.IsStranger + ` AND u.created_at <= ?
	AND NOT EXISTS (SELECT 1 FROM proposals p WHERE p.contact_id = u.contact_id AND NOT EXISTS (
		SELECT 1 FROM participants x WHERE x.session_id = p.session_id AND x.contact_id = u.contact_id))
	AND NOT EXISTS (SELECT 1 FROM event_contacts h
		JOIN participants y ON y.event_id = h.event_id AND y.contact_id = h.contact_id
		JOIN sessions t ON t.id = y.session_id LEFT JOIN proposals p ON p.session_id = t.id
		WHERE h.contact_id = u.contact_id AND (p.contact_id IS NULL OR p.contact_id <> u.contact_id OR t.composed_into IS NOT NULL
			OR EXISTS (SELECT 1 FROM participants z WHERE z.session_id = t.id AND z.contact_id <> u.contact_id)
			OR EXISTS (SELECT 1 FROM activity l WHERE l.subject_id = t.id AND l.subject = 'session' AND l.door <> 'call')))`

// SweepBeginnings deletes up to limit people who began longer than BeginningLifetime ago, with their accounts and
// drafts, and reports whether there may be more. Locked accounts are left for the next time. It emits session.deleted.
func SweepBeginnings(ctx context.Context, s *models.Store, limit int) (more bool, err error) {
	var old []*Account
	before := store.At(s.Now().Add(-BeginningLifetime))
	if err := s.Read(ctx).Table("speaker_accounts u").Select("u.*").Where(isForgotten, before).
		Order("u.created_at, u.id").Limit(limit).Find(&old).Error; err != nil {
		return false, err
	}
	for _, a := range old {
		went, err := store.Make(ctx, s.Write, func(tx *store.Tx) (bool, error) { return forget(ctx, tx, s, a, before) })
		if err != nil {
			return false, err
		}
		more = more || went
	}
	return more && len(old) == limit, nil
}

// forget deletes somebody who only began, and reports whether it did: not if the account is locked or was used
// meanwhile.
func forget(ctx context.Context, tx *store.Tx, s *models.Store, a *Account, before store.Time) (bool, error) {
	var held []*Account
	if err := tx.SkipLocked().Where("id = ?", a.ID).Find(&held).Error; err != nil || len(held) == 0 {
		return false, err
	}
	var drafts []*models.Session
	if err := tx.Lock().Select("id", "event_id", "deleted_at").
		Where("id IN (SELECT session_id FROM proposals WHERE contact_id = ?)", a.ContactID).Order(models.SessionOrder).
		Find(&drafts).Error; err != nil {
		return false, err
	}
	by := store.By{Door: "call", ActorID: a.ContactID}
	directory := people.In(s.Directory(a.OrganizationID, by))
	if err := directory.HoldForDelete(tx, a.ContactID); err != nil {
		return false, err
	}
	var still int64
	if err := tx.Table("speaker_accounts u").Where("u.id = ?", a.ID).Where(isForgotten, before).Count(&still).Error; err != nil ||
		still == 0 {
		return false, err
	}
	for _, d := range drafts {
		if err := dropDraft(ctx, tx, s, a.OrganizationID, d, by); err != nil {
			return false, err
		}
	}
	return true, directory.Forget(tx, a.ContactID)
}

// dropDraft deletes a draft for good, with its files and activity. It soft-deletes it first, because the feed of
// changes tells clients of a deleted row, but not of a row that is gone.
func dropDraft(ctx context.Context, tx *store.Tx, s *models.Store, organizationID string, d *models.Session,
	by store.By) error {
	if d.DeletedAt == nil {
		event, err := s.EventBy(tx.Within(ctx), d.EventID)
		if err != nil {
			return err
		}
		if _, err := s.Programme(event, by).DeleteSession(tx.Within(ctx), d.ID); err != nil {
			return err
		}
	}
	models.TouchRows(tx, d.EventID)
	var keys []string
	if err := tx.Table("proposal_files x").Joins("JOIN files f ON f.id = x.file_id").Where("x.session_id = ?", d.ID).
		Order("f.key").Pluck("f.key", &keys).Error; err != nil {
		return err
	}
	if err := tx.Exec("DELETE FROM activity WHERE subject = 'session' AND subject_id = ?", d.ID).Error; err != nil {
		return err
	}
	err := tx.Exec("DELETE FROM sessions WHERE id = ?", d.ID).Error
	for i := 0; err == nil && i < len(keys); i++ {
		err = models.DropFile(tx, organizationID, keys[i])
	}
	return err
}

// Sweep deletes logins, links and used forms that are too old or unused for too long, and accounts that were not
// confirmed while their links were valid and whose contacts have nothing left. Locked accounts are left for the next
// time.
func Sweep(ctx context.Context, s *models.Store) error {
	return s.Write(ctx, func(tx *store.Tx) error {
		if err := tx.Exec("DELETE FROM brought_bytes WHERE hour < ?", store.At(tx.Now.Add(-time.Hour))).Error; err != nil {
			return err
		}
		err := signin.Sweep(tx, append(signin.ExpiredLogins(tx, &Login{}, LoginIdle),
			signin.Expired{Row: &link{}, Key: "id", Column: "expires_at", Before: tx.Now},
			signin.Expired{Row: &usedStamp{}, Key: "stamp", Column: "used_at", Before: store.At(tx.Now.Add(-StampLifetime))})...)
		if err != nil {
			return err
		}
		idle := tx.SkipLocked().Model(&Account{}).Select("id").
			Where("confirmed_at IS NULL AND created_at <= ?", store.At(tx.Now.Add(-LinkLifetime))).
			Where("NOT EXISTS (SELECT 1 FROM participants p WHERE p.contact_id = speaker_accounts.contact_id)").
			Where("NOT EXISTS (SELECT 1 FROM proposals p WHERE p.contact_id = speaker_accounts.contact_id)")
		return tx.Where("id IN (?)", idle).Delete(&Account{}).Error
	})
}
