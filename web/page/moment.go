package page

import (
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
)

// zoneCookie holds the reader's time zone, which a script or a form of the page sets.
const zoneCookie = "zone"

// Yours returns the reader's time zone, nil while it is unknown.
func (v *Visit) Yours() *time.Location {
	name := v.Cookies(zoneCookie)
	if name == "" || len(name) > 64 {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return zone
}

// KeepZone stores the reader's time zone in a cookie. It answers Invalid, naming the field zone, where the name is
// no zone's.
func (v *Visit) KeepZone(name string) error {
	name = ZoneNamed(name)
	if err := models.CheckTimezone(name); err != nil {
		return store.Invalidf("zone", "is no time zone; take a city, such as Lisbon")
	}
	v.Set("Set-Cookie", zoneCookie+"="+name+"; Path=/; Max-Age=31536000; SameSite=Lax")
	return nil
}

// Moment returns an instant by the event's clocks, and by the reader's where those show something else.
func (v *Visit) Moment(at store.Time, e *models.Event) components.Moment {
	there := at.In(e.Location())
	m := components.Moment{Day: there.Format("2 January 2006"), Clock: there.Format("15:04"), City: City(e.Timezone),
		Instant: at.String()}
	if zone := v.Yours(); zone != nil {
		m.Known = true
		if here := at.In(zone); here.Format(time.DateOnly) != there.Format(time.DateOnly) {
			m.Yours = here.Format("2 January, 15:04")
		} else if here.Format("15:04") != m.Clock {
			m.Yours = here.Format("15:04")
		}
	}
	return m
}
