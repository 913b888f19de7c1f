package cfp

import (
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestTheDatesOfACallGoIntoACalendar(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		b := s.browser()
		const dates = "/events/conf/call/dates.ics"
		calendar := func() string {
			t.Helper()
			wants(t, b.get("/events/conf/call", 200), `href="`+dates+`"`, "Put it in my calendar")
			return strings.ReplaceAll(b.get(dates, 200), "\r\n ", "")
		}
		// It closes in ten days, at 10:30 in Brussels.
		text := calendar()
		wants(t, text, "BEGIN:VCALENDAR", "SUMMARY:Conference: call for papers closes",
			"DTSTART;TZID=Europe/Brussels:20261201T103000", "URL:http://127.0.0.1/events/conf/call",
			"UID:call-closes-"+f.Event.ID+"@lectern")
		lacks(t, text, "call for papers opens")

		opens := store.At(f.Clock.Now().Add(time.Hour))
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{CFPOpensAt: store.Some(opens)}))(t)
		wants(t, calendar(), "SUMMARY:Conference: call for papers opens", "DTSTART;TZID=Europe/Brussels:20261121T113000",
			"SUMMARY:Conference: call for papers closes")

		f.Clock.Move(11 * 24 * time.Hour)
		lacks(t, b.get("/events/conf/call", 200), dates)
		b.get(dates, 404)
		b.get("/events/other/call/dates.ics", 404) // has no call
	})
}

func TestAnAcceptedProposalSaysWhatItOwes(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		b, at := s.begun("ingrid")
		form := fill(b.filled(), "do", "check")
		b.follow(b.post(at+"/edit", form, 303))
		b.post(at+"/submit", b.fields(), 303)
		modelstest.SetStatus(t, s.Programme(), s.session(t, at).ID, models.Accepted)
		f.Clock.Move(11 * 24 * time.Hour)
		wants(t, b.get(at, 200), "We would like to have it in the programme.", "Answer what we still need to know")
		page := b.get(at+"/edit", 200)
		phone := s.key("phone")
		wants(t, page, "We need a few more answers", `name="`+phone+`"`)
		lacks(t, page, `name="description"`, `name="title"`)
		form = fill(b.fields(), phone, "+47 555", "title", "Late", "do", "done")
		to, _ := b.post(at+"/edit", form, 303)
		wants(t, b.get(to, 200), "Your changes are saved.", "+47 555", "Change what you answered since", "Tides")
	})
}
