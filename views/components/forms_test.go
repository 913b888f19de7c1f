package components

import "testing"

func TestFaultsCallFieldsAsTheirLabelsDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ field, message, want string }{
		{"slug", "is taken by another event", "The short name is taken by another event."},
		{"ends_at", "needs a starts_at", "The end needs a start."},
		{"ends_at", "must not be before starts_at", "The end must not be before the start."},
		{"track_id", "is not an id", "The track is not an id."},
		{"status", "must be one of draft, accept_queue", "Status must be one of draft, accept queue."},
		{"first_name", "must not be empty", "First name must not be empty."},
		{"", "Say to which position.", "Say to which position."},
		{"", "Is this a CSV file?", "Is this a CSV file?"},
		{"", "", ""},
	} {
		if got := Sentence(Fault{Field: c.field, Message: c.message}); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.field, c.message, got, c.want)
		}
	}
	faults := Faults{{Field: "01a2", Message: "must be a date"}, {Field: "01a3", Message: "is too long"}}
	faults.Call("01a3", "Passport")
	if got := Sentence(faults[0]) + Sentence(faults[1]); got != "01a2 must be a date.Passport is too long." {
		t.Errorf("%q", got)
	}
}
