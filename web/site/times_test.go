package site_test

import (
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestTimesSayWhichDayAndWhichHourTheyAre reads of a session that takes three days, and of two that begin at 01:30 of
// the night in which clocks go back.
func TestTimesSayWhichDayAndWhichHourTheyAre(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, hall, _, _ := conference(t, f) // in Lisbon, with what begins the second time
		moment := func(day, hour, minute int) store.Optional[store.Time] {
			return store.Some(store.At(time.Date(2027, 10, day, hour, minute, 0, 0, time.UTC)))
		}
		first := d.talk(t, "Of the first hour", models.SessionInput{RoomID: store.Some(hall), StartsAt: moment(31, 0, 30),
			EndsAt: moment(31, 0, 50)})
		d.change(t, first, public)
		long := d.talk(t, "Exhibition", models.SessionInput{RoomID: store.Some(hall), StartsAt: moment(25, 9, 0),
			EndsAt: moment(27, 17, 0)})
		d.change(t, long, public)
		beside := d.talk(t, "Beside it", models.SessionInput{StartsAt: moment(25, 10, 0), EndsAt: moment(25, 10, 30)})
		d.change(t, beside, public)
		number, next := strings.TrimPrefix(long.FriendlyID, "S-"), strings.TrimPrefix(beside.FriendlyID, "S-")
		for path, all := range map[string][]string{
			"/agenda/2027-10-31":                    {">01:30 WEST<", ">01:30 WET<", ">01:00 WEST <", ">01:00 WET <"},
			"/itinerary":                            {">01:30 WEST<small>until 01:50 WEST<", ">01:30 WET<small>until 02:30<", "until Wednesday 27 October, 18:00", "56 h"},
			"/sessions/s-" + number + "-exhibition": {">10:00 – Wednesday 27 October, 18:00<", "56 h"},
			"/print/2027-10-25?room=" + hall:        {"10:00", " – Wednesday 27 October, 18:00"},
			"/my?my=" + number + "," + next:         {"Overlaps: “Exhibition” ends on Wednesday 27 October at 18:00."},
		} {
			page := d.shows(t, d.home+path, all...)
			lacks(t, path+" tells of three days as of one", page, "3360 min", "until 18:00")
		}
		page := d.home + "/sessions/s-" + number + "-exhibition"
		before := d.shared(t, page)
		d.change(t, long, models.SessionChange{SessionInput: models.SessionInput{EndsAt: moment(26, 17, 0)}})
		if d.shared(t, page) == before {
			t.Error("the picture of a session does not tell on which day it ends")
		}
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Antarctica/Troll")}))(t)
		if page := d.get(t, d.home+"/itinerary"); !strings.Contains(page, ">02:30 UTC+2<") { // clocks go back by two hours
			t.Error("an hour that a night has twice at Troll has no letters")
		}
	})
}
