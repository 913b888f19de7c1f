package gallery

import (
	"lectern/views/pages/call/public"
	"lectern/views/pages/staff"
)

func (s *shelf) passkeys() {
	of(s, "New passkey", "Add a passkey", staff.NewPasskey).
		is("password first", staff.NewPasskeyPage{}, "password", "is not your password").
		is("made", staff.NewPasskeyPage{Options: "{}", Name: "Firefox on Linux", Host: "localhost"}).
		is("owed", staff.NewPasskeyPage{Options: "{}", Name: long.label, Owed: true}, "name", "must not be empty").
		is("none here", staff.NewPasskeyPage{Why: plain.text}).
		is("added", staff.NewPasskeyPage{Recovery: []string{"aaaa-bbbb", "cccc-dddd", "eeee-ffff"}})
	of(s, "Passkey", "Phone", staff.OnePasskey).
		worded(func(w words) staff.PasskeyPage {
			return staff.PasskeyPage{PasskeyRow: staff.PasskeyRow{ID: "1", Name: w.label, Added: "20 May 2027", LastUsed: "just now"},
				Ask: true, IsLast: true}
		}, "password", "is not your password").
		is("the only one, and one is required", staff.PasskeyPage{PasskeyRow: staff.PasskeyRow{ID: "1", Name: "Phone",
			Added: "20 May 2027", LastUsed: "never"}, IsLast: true, IsBound: true})
	of(s, "Passkeys of a place", "Passkeys", public.Passkeys).
		is("made", public.PasskeysPage{Public: eventSheet(plain.person), Options: "{}", Name: "Firefox on Linux", Host: "localhost"}).
		is("password first", public.PasskeysPage{Public: eventSheet(long.person), Ask: true, Rows: []public.PasskeyRow{
			{Name: long.label, Facts: "Added 20 May 2027, not used yet", RemoveTo: here}}}, "current_password", "is not your password").
		is("none yet", public.PasskeysPage{Public: eventSheet(plain.person),
			Why: "A passkey needs a proven address. Open the link in our mail to you first."})
	of(s, "Removing a passkey of a place", "Remove the passkey “Phone”?", public.RemovePasskey).
		is("password asked", public.RemovePasskeyPage{Public: eventSheet(plain.person), Action: here, BackTo: here, Ask: true},
			"current_password", "is not your password")
}
