package call

import (
	"github.com/gofiber/fiber/v2"

	"lectern/models/call"
	"lectern/models/ical"
	"lectern/models/store"
)

// date is when a call opens or closes.
type date struct {
	name  string
	title string // id in the catalogue
	at    store.Time
}

// ahead returns the dates of a call that are still to come.
func ahead(w call.Window, now store.Time) (dates []date) {
	if w.Opens != nil && now.Before(w.Opens.Time) {
		dates = append(dates, date{"opens", "call.iopens", *w.Opens})
	}
	if w.Closes != nil && now.Before(w.Closes.Time) {
		dates = append(dates, date{"closes", "call.icloses", *w.Closes})
	}
	return dates
}

// dates answers with a calendar of when the call opens and closes, if that is to come.
func dates(v *visit) error {
	form, err := call.FormOf(v.ctx(), v.w.store, v.event)
	if err != nil {
		return err
	}
	window, err := call.WindowOf(v.ctx(), v.w.store, v.event, form)
	if err != nil {
		return err
	}
	c := &ical.Calendar{Zone: v.event.Location()}
	for _, d := range ahead(window, v.w.store.Now()) {
		c.Entries = append(c.Entries, ical.Entry{UID: ical.UID("call-" + d.name + "-" + v.event.ID),
			Changed: v.event.UpdatedAt.Time, Start: d.at.Time, End: d.at.Time, Title: v.event.Name + ": " + v.T(d.title),
			URL: v.w.options.BaseURL + v.path("call"), Free: true})
	}
	if len(c.Entries) == 0 {
		return store.Missing("There is no date of this call ahead.")
	}
	v.Attachment(v.event.Slug + "-call.ics")
	v.Set(fiber.HeaderContentType, "text/calendar; charset=utf-8")
	return v.Send(c.Bytes())
}
