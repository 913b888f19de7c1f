package staff

import (
	"strings"

	"lectern/models/store"
)

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
