package gallery

import "lectern/views/pages/sessions"

// called returns a submission's answers to the call.
func called(w words) *sessions.CallPart {
	return &sessions.CallPart{Base: here, Stands: "Draft of " + w.person + ", begun Sat 1 May 2027, 10:00 WEST, not submitted.",
		Zone: "Lisbon", MayChange: true, IsDraft: true, IsOpen: true, CanTakeUp: true,
		Facts: []sessions.Fact{{Name: "Access code", Text: "LATE-4711: for keynotes"}, {Name: "Locked",
			Text: "Since Sun 2 May 2027, 10:00 WEST, its people cannot change it"}, {Name: "Reason", Text: w.text}},
		People: []sessions.CallPerson{
			{ID: "1", Name: w.person, Comes: "Comes", Look: "accepted", Icon: "check", Place: "Has a place here.",
				Extended: "Mon 3 May 2027, 10:00 WEST"},
			{ID: "2", Name: "Li", Comes: "Cannot come", Look: "declined", Icon: "x", Reason: w.text,
				Place: "Was not at their place yet."}},
		Asked: []sessions.CallAsked{{Name: "Noor", Email: "noor@example.org", Role: "Moderator", State: "has not answered"}}}
}
