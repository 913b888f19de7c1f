package gallery

import (
	"lectern/views/pages"
	"lectern/views/pages/cfp"
)

func (s *shelf) passkeys() {
	of(s, "New passkey", "Add a passkey", pages.NewPasskey).
		is("password first", pages.NewPasskeyPage{}, "password", "is not your password").
		is("made", pages.NewPasskeyPage{Options: "{}", Name: "Firefox on Linux", Host: "localhost"}).
		is("owed", pages.NewPasskeyPage{Options: "{}", Name: long.label, Owed: true}, "name", "must not be empty").
		is("none here", pages.NewPasskeyPage{Why: plain.text}).
		is("added", pages.NewPasskeyPage{Recovery: []string{"aaaa-bbbb", "cccc-dddd", "eeee-ffff"}})
	of(s, "Passkey", "Phone", pages.OnePasskey).
		worded(func(w words) pages.PasskeyPage {
			return pages.PasskeyPage{PasskeyRow: pages.PasskeyRow{ID: "1", Name: w.label, Added: "20 May 2027", LastUsed: "just now"},
				Ask: true, IsLast: true}
		}, "password", "is not your password").
		is("the only one, and one is required", pages.PasskeyPage{PasskeyRow: pages.PasskeyRow{ID: "1", Name: "Phone",
			Added: "20 May 2027", LastUsed: "never"}, IsLast: true, IsBound: true})
	of(s, "Passkeys of a place", "Passkeys", cfp.Passkeys).
		is("made", cfp.PasskeysPage{Public: eventSheet(plain.person), Options: "{}", Name: "Firefox on Linux", Host: "localhost"}).
		is("password first", cfp.PasskeysPage{Public: eventSheet(long.person), Ask: true, Rows: []cfp.PasskeyRow{
			{Name: long.label, Facts: "Added 20 May 2027, not used yet", RemoveTo: here}}}, "current_password", "is not your password").
		is("none yet", cfp.PasskeysPage{Public: eventSheet(plain.person),
			Why: "A passkey needs a proven address. Open the link in our mail to you first."})
	of(s, "Removing a passkey of a place", "Remove the passkey “Phone”?", cfp.RemovePasskey).
		is("password asked", cfp.RemovePasskeyPage{Public: eventSheet(plain.person), Action: here, BackTo: here, Ask: true},
			"current_password", "is not your password")
}
