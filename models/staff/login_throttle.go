package staff

import (
	"context"
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
	failureWindow          = 15 * time.Minute
	failuresOfAccount      = 5
	failuresOfAddress      = 20
	failuresOfSecondFactor = 5
	resetsFromAddress      = 20
)

// signInFailure counts the attempts of one account or address that failed.
type signInFailure struct {
	Key          string `gorm:"primaryKey"` // a hash
	Failures     int
	LastFailedAt store.Time
}

// throttle is one count, and where it ends.
type throttle struct {
	key   string
	limit int
}

func throttleBy(kind, whose string, limit int) throttle {
	return throttle{store.HashKey(kind + "\x00" + whose), limit}
}

// ofAccount counts an account that exists no more than one that does not; a browser
// that signed in to it before apart from the rest.
func ofAccount(email, browser string) throttle {
	t := throttleBy("account", store.Fold(strings.TrimSpace(email)), failuresOfAccount)
	if browser != "" {
		t.key += "." + browser
	}
	return t
}

// whoIsSignedIn is the name of all browsers that are: strangers are not among them.
const whoIsSignedIn = "signed in"

// secondFactorOf counts the codes of a user, whichever login they are for.
func secondFactorOf(userID string) throttle {
	return throttleBy("second factor", userID, failuresOfSecondFactor)
}

// ofAddress counts a network address; of IPv6, the network that one customer
// has. An address that is not known is not counted.
func ofAddress(kind, address string, limit int) []throttle {
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
	return []throttle{throttleBy(kind, address, limit)}
}

// attempt counts an attempt as failed before it is made, so that many at once are not more than many in turn.
// It answers TooMany when one of the counts is full, and then counts nothing.
func attempt(tx *store.Tx, counts ...throttle) error {
	cutoff := store.At(tx.Now.Add(-failureWindow))
	for _, t := range counts {
		counted := tx.Exec(`INSERT INTO sign_in_failures (key, failures, last_failed_at) VALUES (?, 1, ?)
			ON CONFLICT (key) DO UPDATE SET last_failed_at = excluded.last_failed_at,
				failures = CASE WHEN sign_in_failures.last_failed_at <= ? THEN 1 ELSE sign_in_failures.failures + 1 END
			WHERE sign_in_failures.failures < ? OR sign_in_failures.last_failed_at <= ?`,
			t.key, tx.Now, cutoff, t.limit, cutoff)
		if counted.Error != nil {
			return counted.Error
		}
		if counted.RowsAffected == 0 {
			var full signInFailure
			if err := tx.Where("key = ?", t.key).Take(&full).Error; err != nil {
				return err
			}
			return tooMany(full.LastFailedAt.Add(failureWindow).Sub(tx.Now.Time))
		}
	}
	return nil
}

func tooMany(wait time.Duration) error {
	again := "1 minute"
	if minutes := math.Ceil(wait.Minutes()); minutes > 1 {
		again = fmt.Sprintf("%.0f minutes", minutes)
	}
	return &store.Error{Kind: store.TooMany, Message: "Too many attempts. Try again in " + again + "."}
}

// forgive clears a count after an attempt that succeeded; that of an account clears those of its browsers too.
func forgive(tx *store.Tx, t throttle) error {
	return tx.Where("key = ? OR key LIKE ?", t.key, t.key+".%").Delete(&signInFailure{}).Error
}

// giveBack takes back what attempt counted against addresses: the others behind
// one address may fail all the same.
func giveBack(tx *store.Tx, counts []throttle) error {
	for _, t := range counts {
		err := tx.Exec("UPDATE sign_in_failures SET failures = failures - 1 WHERE key = ? AND failures > 0", t.key).Error
		if err != nil {
			return err
		}
	}
	return nil
}

// SweepSignIns forgets logins and one-time links that are too old or too long unused, attempts that no longer
// count, and what the activity tells of sign-ins that are long past. What others hold is left to the next time.
func (a *Accounts) SweepSignIns(ctx context.Context) error {
	return a.Write(ctx, func(tx *store.Tx) error {
		for _, old := range []struct {
			row         any
			key, column string
			before      store.Time
		}{
			{&signInFailure{}, "key", "last_failed_at", store.At(tx.Now.Add(-failureWindow))},
			{&Login{}, "id", "expires_at", tx.Now},
			{&Login{}, "id", "last_seen_at", store.At(tx.Now.Add(-LoginIdle))},
			{&staffLink{}, "id", "expires_at", tx.Now},
		} {
			expired := tx.SkipLocked().Model(old.row).Select(old.key).Where(clause.Lte{Column: old.column, Value: old.before})
			if err := tx.Where(old.key+" IN (?)", expired).Delete(old.row).Error; err != nil {
				return err
			}
		}
		return store.ForgetAccess(tx)
	})
}

// triedAs is an incident at a door that anybody may knock at: in the name of a user,
// or of an address of mail that is nobody's.
func triedAs(ctx context.Context, event store.SecurityEvent, userID, email, address string) store.Incident {
	i := store.Incident{Event: event, By: store.ByIn(ctx), SubjectID: userID, Whose: userID}
	i.By.Address = address
	if account := store.Masked(email); userID == "" && account != "" {
		i.Facts = map[string]any{"account": account}
	}
	if email != "" {
		i.Whose = ofAccount(email, "").key
	}
	return i
}

// TrySetup counts a try at the code of the set-up, right or wrong. It answers
// TooMany after twenty from one network address.
func (a *Accounts) TrySetup(ctx context.Context, address string) error {
	err := a.Write(ctx, func(tx *store.Tx) error { return attempt(tx, ofAddress("setup", address, failuresOfAddress)...) })
	a.NoteRefusal(err, triedAs(ctx, store.SetupFailed, "", "", address))
	return err
}
