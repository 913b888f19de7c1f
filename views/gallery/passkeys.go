package gallery

import "lectern/views/pages"

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
}
