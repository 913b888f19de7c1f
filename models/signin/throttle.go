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

// How many attempts may fail before the next ones are not looked at, until the
// window has passed since the last that was.
const (
	failureWindow     = 15 * time.Minute
	FailuresOfAccount = 5
	FailuresOfAddress = 20
)

// Failures counts the attempts of one account or address that failed.
type Failures struct {
	Key          string `gorm:"primaryKey"` // a hash
	Failures     int
	LastFailedAt store.Time // later by as much as it lasts longer than failureWindow
}

// TableName is where they are kept.
func (Failures) TableName() string { return "sign_in_failures" }

// Throttle is one count, and where it ends.
type Throttle struct {
	Key   string
	limit int
	more  time.Duration // than failureWindow that it lasts
}

// By is the count of one whose, among those of a kind.
func By(kind, whose string, limit int) Throttle {
	return Throttle{Key: store.HashKey(kind + "\x00" + whose), limit: limit}
}

// ByDay is By for a count that ends a day after the last that was let through.
func ByDay(kind, whose string, limit int) Throttle {
	t := By(kind, whose, limit)
	t.more = 24*time.Hour - failureWindow
	return t
}

// OfAccount counts an account that exists no more than one that does not; a browser
// that signed in to it before apart from the rest.
func OfAccount(kind, email, browser string) Throttle {
	t := By(kind, store.Fold(strings.TrimSpace(email)), FailuresOfAccount)
	if browser != "" {
		t.Key += "." + browser
	}
	return t
}

// OfAddress counts a network address; of IPv6, the network that one customer
// has. An address that is not known is not counted.
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

// Attempt counts an attempt as failed before it is made, so that many at once are not more than many in turn.
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

// Forgive clears a count after an attempt that succeeded; that of an account clears those of its browsers too.
func Forgive(tx *store.Tx, t Throttle) error {
	return tx.Where("key = ? OR key LIKE ?", t.Key, t.Key+".%").Delete(&Failures{}).Error
}

// GiveBack takes back what Attempt counted against addresses: the others behind
// one address may fail all the same.
func GiveBack(tx *store.Tx, counts []Throttle) error {
	for _, t := range counts {
		err := tx.Exec("UPDATE sign_in_failures SET failures = failures - 1 WHERE key = ? AND failures > 0", t.Key).Error
		if err != nil {
			return err
		}
	}
	return nil
}

// Old are the rows of a table whose time in a column came.
type Old struct {
	Row         any
	Key, Column string
	Before      store.Time
}

// OldFailures are those that no longer count.
func OldFailures(tx *store.Tx) Old {
	return Old{&Failures{}, "key", "last_failed_at", store.At(tx.Now.Add(-failureWindow))}
}

// Sweep forgets what is old. What others hold is left to the next time.
func Sweep(tx *store.Tx, all ...Old) error {
	for _, old := range all {
		expired := tx.SkipLocked().Model(old.Row).Select(old.Key).Where(clause.Lte{Column: old.Column, Value: old.Before})
		if err := tx.Where(old.Key+" IN (?)", expired).Delete(old.Row).Error; err != nil {
			return err
		}
	}
	return nil
}
