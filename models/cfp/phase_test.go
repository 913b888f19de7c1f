package cfp_test

import (
	"testing"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestACallIsOpenFromTheSecondItOpensAndClosedFromTheSecondItCloses(t *testing.T) {
	t.Parallel()
	noon := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(seconds int) *store.Time { return new(store.At(noon.Add(time.Duration(seconds) * time.Second))) }
	for _, c := range []struct {
		what   string
		window cfp.Window
		want   cfp.Phase
	}{
		{"no window", cfp.Window{}, cfp.NoCall},
		{"no window, but a code", cfp.Window{Invited: true}, cfp.IsOpen},
		{"a second before", cfp.Window{Opens: at(1), Closes: at(9)}, cfp.NotYet},
		{"as it opens", cfp.Window{Opens: at(0), Closes: at(9)}, cfp.IsOpen},
		{"open without an end", cfp.Window{Opens: at(0)}, cfp.IsOpen},
		{"always open until", cfp.Window{Closes: at(1)}, cfp.IsOpen},
		{"as it closes", cfp.Window{Opens: at(-9), Closes: at(0)}, cfp.Closed},
		{"a second later", cfp.Window{Opens: at(-9), Closes: at(-1)}, cfp.Closed},
		{"extended", cfp.Window{Opens: at(-9), Closes: at(-1), Until: at(1)}, cfp.IsOpen},
		{"as the extension ends", cfp.Window{Opens: at(-9), Closes: at(-1), Until: at(0)}, cfp.Closed},
		{"extended to before the end", cfp.Window{Opens: at(-9), Closes: at(1), Until: at(-1)}, cfp.IsOpen},
		{"with a code", cfp.Window{Opens: at(-9), Closes: at(-1), Invited: true}, cfp.IsOpen},
		{"one left", cfp.Window{Closes: at(1), Taken: 1, Most: new(2)}, cfp.IsOpen},
		{"full", cfp.Window{Closes: at(1), Taken: 2, Most: new(2)}, cfp.IsFull},
		{"full, with a code", cfp.Window{Closes: at(1), Taken: 2, Most: new(2), Invited: true}, cfp.IsOpen},
		{"full and closed", cfp.Window{Closes: at(0), Taken: 2, Most: new(2)}, cfp.Closed},
		{"extended and full", cfp.Window{Closes: at(0), Until: at(1), Taken: 2, Most: new(2)}, cfp.IsFull},
	} {
		modelstest.Want(t, c.what, c.window.Phase(*at(0)), c.want)
	}
}

func TestDaysLeftAreNightsInTheZoneOfTheEvent(t *testing.T) {
	t.Parallel()
	event := &models.Event{Timezone: "Europe/Berlin"}
	end := store.At(time.Date(2027, 3, 1, 22, 59, 0, 0, time.UTC)) // 23:59 there
	for now, want := range map[string]int{
		"2027-02-26T10:00:00Z": 3, "2027-02-28T22:59:00Z": 1, "2027-02-28T23:01:00Z": 0, "2027-03-01T22:58:00Z": 0,
	} {
		moment, _ := time.Parse(time.RFC3339, now)
		if got := cfp.DaysLeft(store.At(moment), end, event); got != want {
			t.Errorf("at %s %d days are left, not %d", now, got, want)
		}
	}
}
