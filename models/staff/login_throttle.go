package staff

import (
	"context"

	"lectern/models/passkey"
	"lectern/models/signin"
	"lectern/models/store"
)

// These are how many attempts may fail, besides the limits in package signin.
const (
	failuresOfSecondFactor = 5
	resetsFromAddress      = 20
)

// ofAccount returns the count of attempts at an account; a browser that signed in to it before has a count of its own.
func ofAccount(email, browser string) signin.Throttle {
	return signin.OfAccount("account", email, browser)
}

// ofAddress returns the counts of sign-in attempts from a network address.
func ofAddress(address string) []signin.Throttle {
	return signin.OfAddress("address", address, signin.FailuresOfAddress)
}

// whoIsSignedIn names all signed-in browsers as one: attempts in them are counted apart from those of strangers.
const whoIsSignedIn = "signed in"

// secondFactorOf returns the count of a user's wrong codes, over all their logins.
func secondFactorOf(userID string) signin.Throttle {
	return signin.By("second factor", userID, failuresOfSecondFactor)
}

// SweepSignIns deletes expired or long unused logins and one-time links, attempts that no longer count, and old
// sign-ins in the activity. Rows that others hold are left for the next time.
func (a *Accounts) SweepSignIns(ctx context.Context) error {
	return a.Write(ctx, func(tx *store.Tx) error {
		err := signin.Sweep(tx, append(signin.ExpiredLogins(tx, &Login{}, LoginIdle), signin.ExpiredFailures(tx),
			passkey.Expired(tx), signin.Expired{Row: &staffLink{}, Key: "id", Column: "expires_at", Before: tx.Now},
			signin.Expired{Row: &ProviderVisit{}, Key: "id", Column: "expires_at", Before: tx.Now})...)
		if err != nil {
			return err
		}
		return store.ForgetAccess(tx)
	})
}

// triedAs returns an incident at a door that is open to strangers: about a user, or about an e-mail address that
// belongs to nobody.
func triedAs(ctx context.Context, event store.SecurityEvent, userID, email, address string) store.Incident {
	i := store.Incident{Event: event, By: store.ByIn(ctx), SubjectID: userID, Whose: userID}
	i.By.Address = address
	if account := store.Masked(email); userID == "" && account != "" {
		i.Facts = map[string]any{"account": account}
	}
	if email != "" {
		i.Whose = ofAccount(email, "").Key
	}
	return i
}

// TrySetup counts a try of the set-up code, right or wrong. It answers TooMany after twenty from one network address.
func (a *Accounts) TrySetup(ctx context.Context, address string) error {
	err := a.Write(ctx, func(tx *store.Tx) error {
		return signin.Attempt(tx, signin.OfAddress("setup", address, signin.FailuresOfAddress)...)
	})
	a.NoteRefusal(err, triedAs(ctx, store.SetupFailed, "", "", address))
	return err
}
