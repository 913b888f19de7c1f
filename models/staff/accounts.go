// Package staff manages the people who work in the admin: users and their roles, sign-ins, passwords, second factors
// and invitations.
package staff

import (
	"context"
	"slices"
	"strings"

	"lectern/models/passkey"
	"lectern/models/signin"
	"lectern/models/store"
)

// Accounts is the handle of all users and how they sign in, whichever organization they belong to.
type Accounts struct {
	*store.Store
	passwords *signin.Passwords
	seen      store.LastSeen // when logins were last used
	tell      Tell
}

// New returns the accounts of a database. It calls tell to mail users about changes of how they sign in.
func New(ground *store.Store, passwords *signin.Passwords, tell Tell) *Accounts {
	return &Accounts{
		Store: ground, passwords: passwords, tell: tell,
		seen: store.LastSeen{Table: "logins", Column: "last_seen_at"},
	}
}

// KeepSeen writes when logins were last seen, as noted since the last call.
func (a *Accounts) KeepSeen(ctx context.Context) error { return a.seen.Keep(ctx, a.Store) }

// hold returns the user with this id, locked until the transaction ends; missing if there is none or they were removed.
func hold(tx *store.Tx, id any, missing error) (*User, error) {
	return store.One[User](tx.Lock().Where("id = (?) AND disabled_at IS NULL", id), missing)
}

// holdProven locks a user whose password was checked; it refuses if the password changed meanwhile.
func holdProven(tx *store.Tx, proven *User) (*User, error) {
	held, err := hold(tx, proven.ID, signin.ErrSignedOut)
	if err == nil && held.PasswordHash != proven.PasswordHash {
		err = signin.ErrSignedOut
	}
	return held, err
}

// Tell queues a mail to a user, in the transaction of the change that it tells of.
type Tell func(tx *store.Tx, u *User, subject, text string) error

// change is the mail about a change of how somebody signs in; % stands for the name of a passkey.
type change struct{ subject, text string }

var (
	factorOn  = change{"Your second factor is on", "An authenticator app was set up as your second factor."}
	factorOff = change{"Your authenticator app is turned off",
		"The codes of your authenticator app are not asked for any more when you sign in."}
	factorEnded = change{"Your second factor was ended",
		"Whoever runs the server ended your second factor: app, passkeys and recovery codes. Your password alone signs you in."}
	passkeyAdded = change{"A passkey was added to your account",
		"The passkey “%” was added to your account. It signs you in without a password."}
	passkeyRemoved     = change{"A passkey of yours was removed", "The passkey “%” was removed from your account."}
	lastPasskeyRemoved = change{"Your last passkey was removed",
		"The passkey “%” was removed from your account. It was your only second factor: your password alone signs you in now."}
	passkeyCloned = change{"A passkey of yours may have been copied",
		"Somebody tried to sign in as you with the passkey “%”, and was refused: its device counts how often it signs, and " +
			"the count went back, as that of a copy does. If it was you, remove the passkey and add it anew."}
)

// tellOf queues a mail that tells a user of a change.
func (a *Accounts) tellOf(tx *store.Tx, u *User, c change, name string) error {
	text := "Hello " + u.Name + ",\n\n" + strings.ReplaceAll(c.text, "%", name) + "\n\n" +
		"If this was not you, somebody else may be signed in as you. Sign out everywhere, change your password and look at " +
		"your passkeys:\n\n" + a.Options.BaseURL + "/admin/account\n\n" +
		"If you cannot sign in any more, write to an owner of your organization, or to whoever runs the server.\n"
	return a.tell(tx, u, c.subject, text)
}

// Rows are the structs of this package's tables; a test compares them with the schema.
var Rows = map[string]any{
	"users": User{}, "event_roles": eventRole{}, "recovery_codes": recoveryCode{}, "logins": Login{},
	"sign_in_failures": signin.Failures{}, "staff_links": staffLink{}, "passkeys": Passkey{}, "answered_challenges": passkey.Answered{},
	"identity_providers": Provider{}, "identities": Identity{}, "provider_visits": ProviderVisit{},
}

// LogDays are the choices of how many days the organization's log is kept; 0 means for good.
var LogDays = []int{0, 90, 180, 365, 730, 1825, 3650}

// LogKept returns how many days the organization's log is kept, 0 for good.
func (t *Team) LogKept(ctx context.Context) (days int, err error) {
	err = t.Read(ctx).Model(&store.Organization{}).Where("id = ?", t.ID).Pluck("log_days", &days).Error
	return days, err
}

// KeepLog sets how many days the organization's log is kept, one of LogDays; older lines are deleted at the next sweep.
// It answers NotFound unless an owner acts, and Invalid for other days. Setting the present value changes nothing.
func (t *Team) KeepLog(ctx context.Context, days int) error {
	if !slices.Contains(LogDays, days) {
		return store.Invalidf("log_days", "is none of the choices")
	}
	return t.asOwner(ctx, func(tx *store.Tx) error {
		var organization store.Organization
		if err := tx.Where("id = ?", t.ID).Take(&organization).Error; err != nil || organization.LogDays == days {
			return err
		}
		was := organization.LogDays
		err := tx.Model(&organization).UpdateColumns(map[string]any{"log_days": days, "updated_at": tx.Now}).Error
		if err != nil {
			return err
		}
		return t.Secure(tx, store.LogKept, store.Change{ID: t.ID, Before: map[string]any{"days": was},
			After: map[string]any{"days": days}})
	})
}
