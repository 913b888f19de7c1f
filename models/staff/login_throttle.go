package staff

import (
	"context"

	"lectern/models/passkey"
	"lectern/models/signin"
	"lectern/models/store"
)

// How many attempts may fail beside those that signin bounds.
const (
	failuresOfSecondFactor = 5
	resetsFromAddress      = 20
)

// ofAccount counts the attempts at an account, of a browser that signed in to it before apart from the rest.
func ofAccount(email, browser string) signin.Throttle {
	return signin.OfAccount("account", email, browser)
}

// ofAddress counts the attempts to sign in that come from a network address.
func ofAddress(address string) []signin.Throttle {
	return signin.OfAddress("address", address, signin.FailuresOfAddress)
}

// whoIsSignedIn is the name of all browsers that are: strangers are not among them.
const whoIsSignedIn = "signed in"

// secondFactorOf counts the codes of a user, whichever login they are for.
func secondFactorOf(userID string) signin.Throttle {
	return signin.By("second factor", userID, failuresOfSecondFactor)
}

// SweepSignIns forgets logins and one-time links that are too old or too long unused, attempts that no longer
// count, and what the activity tells of sign-ins that are long past. What others hold is left to the next time.
func (a *Accounts) SweepSignIns(ctx context.Context) error {
	return a.Write(ctx, func(tx *store.Tx) error {
		err := signin.Sweep(tx, append(signin.OldLogins(tx, &Login{}, LoginIdle), signin.OldFailures(tx),
			passkey.Old(tx), signin.Old{Row: &staffLink{}, Key: "id", Column: "expires_at", Before: tx.Now},
			signin.Old{Row: &ProviderVisit{}, Key: "id", Column: "expires_at", Before: tx.Now})...)
		if err != nil {
			return err
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
		i.Whose = ofAccount(email, "").Key
	}
	return i
}

// TrySetup counts a try at the code of the set-up, right or wrong. It answers
// TooMany after twenty from one network address.
func (a *Accounts) TrySetup(ctx context.Context, address string) error {
	err := a.Write(ctx, func(tx *store.Tx) error {
		return signin.Attempt(tx, signin.OfAddress("setup", address, signin.FailuresOfAddress)...)
	})
	a.NoteRefusal(err, triedAs(ctx, store.SetupFailed, "", "", address))
	return err
}
