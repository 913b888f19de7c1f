package signin

import (
	"fmt"
	"math"
	"net/netip"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// These are how many attempts may fail before further ones are refused unchecked, until failureWindow has passed since
// the last one that was checked.
const (
	failureWindow     = 15 * time.Minute
	FailuresOfAccount = 5
	FailuresOfAddress = 20
)

// Failures counts the attempts of one account or address that failed.
type Failures struct {
	Key          string `gorm:"primaryKey"` // a hash
	Failures     int
	LastFailedAt store.Time // set into the future where a count lasts longer than failureWindow
}

// TableName returns the table of failures.
func (Failures) TableName() string { return "sign_in_failures" }

// Throttle is the key of one count of failures, with its limit.
type Throttle struct {
	Key   string
	limit int
	more  time.Duration // how much longer than failureWindow the count lasts
}

// By returns the count of one account or address, within a kind of attempt.
func By(kind, whose string, limit int) Throttle {
	return Throttle{Key: store.HashKey(kind + "\x00" + whose), limit: limit}
}

// ByDay is By for a count that lasts until a day after the last attempt that was let through.
func ByDay(kind, whose string, limit int) Throttle {
	t := By(kind, whose, limit)
	t.more = 24*time.Hour - failureWindow
	return t
}

// OfAccount returns the count of an account, whether it exists or not; a browser that signed in to it before has a
// count of its own.
func OfAccount(kind, email, browser string) Throttle {
	t := By(kind, store.Fold(strings.TrimSpace(email)), FailuresOfAccount)
	if browser != "" {
		t.Key += "." + browser
	}
	return t
}

// OfAddress returns the count of a network address, of IPv6 the /64 network; none for an unknown address.
func OfAddress(kind, address string, limit int) []Throttle {
	if address == "" {
		return nil
	}
	if ip, err := netip.ParseAddr(address); err == nil {
		if ip = ip.Unmap(); ip.Is6() {
			if network, err := ip.WithZone("").Prefix(64); err == nil {
				address = network.String()
			}
		} else {
			address = ip.String()
		}
	}
	return []Throttle{By(kind, address, limit)}
}

// Attempt counts an attempt as failed before it is made, so that parallel attempts get no further than successive ones.
// It answers TooMany when one of the counts is full, and then counts nothing.
func Attempt(tx *store.Tx, counts ...Throttle) error {
	cutoff := store.At(tx.Now.Add(-failureWindow))
	for _, t := range counts {
		counted := tx.Exec(`INSERT INTO sign_in_failures (key, failures, last_failed_at) VALUES (?, 1, ?)
			ON CONFLICT (key) DO UPDATE SET last_failed_at = excluded.last_failed_at,
				failures = CASE WHEN sign_in_failures.last_failed_at <= ? THEN 1 ELSE sign_in_failures.failures + 1 END
			WHERE sign_in_failures.failures < ? OR sign_in_failures.last_failed_at <= ?`,
			t.Key, store.At(tx.Now.Add(t.more)), cutoff, t.limit, cutoff)
		if counted.Error != nil {
			return counted.Error
		}
		if counted.RowsAffected == 0 {
			var full Failures
			if err := tx.Where("key = ?", t.Key).Take(&full).Error; err != nil {
				return err
			}
			return tooMany(full.LastFailedAt.Add(failureWindow).Sub(tx.Now.Time))
		}
	}
	return nil
}

func tooMany(wait time.Duration) error {
	again := "1 minute"
	if hours := math.Ceil(wait.Hours()); hours > 2 {
		again = fmt.Sprintf("%.0f hours", hours)
	} else if minutes := math.Ceil(wait.Minutes()); minutes > 1 {
		again = fmt.Sprintf("%.0f minutes", minutes)
	}
	return &store.Error{Kind: store.TooMany, Message: "Too many attempts. Try again in " + again + "."}
}

// Forgive clears a count after an attempt that succeeded; that of an account also clears those of its browsers.
func Forgive(tx *store.Tx, t Throttle) error {
	return tx.Where("key = ? OR key LIKE ?", t.Key, t.Key+".%").Delete(&Failures{}).Error
}

// GiveBack takes back what Attempt counted against addresses; unlike Forgive it keeps the failures of others behind the
// same address.
func GiveBack(tx *store.Tx, counts []Throttle) error {
	for _, t := range counts {
		err := tx.Exec("UPDATE sign_in_failures SET failures = failures - 1 WHERE key = ? AND failures > 0", t.Key).Error
		if err != nil {
			return err
		}
	}
	return nil
}

// Expired describes the rows of a table that are swept: those whose Column is at or before Before.
type Expired struct {
	Row         any
	Key, Column string
	Before      store.Time
}

// ExpiredFailures returns the failures that no longer count, for Sweep.
func ExpiredFailures(tx *store.Tx) Expired {
	return Expired{&Failures{}, "key", "last_failed_at", store.At(tx.Now.Add(-failureWindow))}
}

// Sweep deletes old rows. Those that others hold are left for the next time.
func Sweep(tx *store.Tx, all ...Expired) error {
	for _, old := range all {
		expired := tx.SkipLocked().Model(old.Row).Select(old.Key).Where(clause.Lte{Column: old.Column, Value: old.Before})
		if err := tx.Where(old.Key+" IN (?)", expired).Delete(old.Row).Error; err != nil {
			return err
		}
	}
	return nil
}
