package visit

import (
	"lectern/models/call"
	"lectern/models/store"
	"lectern/web/page"
)

// WindowSays says whether the call is open: "Open until 1 March 2027, 23:59 Bergen."
func WindowSays(v *Visit) string {
	opens, closes := v.Event.CFPOpensAt, v.Event.CFPClosesAt
	say := func(t *store.Time) string {
		return t.In(v.Event.Location()).Format("2 January 2006, 15:04 ") + page.City(v.Event.Timezone)
	}
	switch phase := Phase(v); {
	case phase == call.NoCall:
		return "Not open yet."
	case phase == call.NotYet:
		return "Opens " + say(opens) + "."
	case phase == call.Closed:
		return "Closed since " + say(closes) + "."
	case closes == nil:
		return "Open, without an end."
	}
	return "Open until " + say(closes) + "."
}

// Phase returns the phase of the event's call by the clock alone.
func Phase(v *Visit) call.Phase {
	return call.Window{Opens: v.Event.CFPOpensAt, Closes: v.Event.CFPClosesAt}.Phase(v.Now())
}
