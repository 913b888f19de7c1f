package call

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestWhereNothingCanBeginTheStartSaysSo(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		known, _ := s.begun("ada")
		wants(t, s.browser().get(startAt, 200), "The call closes on", `name="title"`)
		f.Clock.Move(11 * 24 * time.Hour)
		lacks(t, known.get(startAt, 200), `name="title"`)
		stranger := s.browser()
		wants(t, stranger.get(startAt, 200), "The call closed on", "I have an access code")
		lacks(t, stranger.text, `name="title"`, "The call closes on")
		wants(t, stranger.get(startAt+"?code=WRONG", 200), "I have an access code", "The call closed on")
		code := modelstest.Must(call.Of(f.Programme()).MakeCode(t.Context(), call.CodeInput{}))(t)
		wants(t, stranger.get(startAt+"?code="+code.Code, 200), `name="title"`, `name="access" value="`+code.Code+`"`)
		lacks(t, stranger.text, "The call closes on", "1 December 2026")
		place := call.PlaceOf(f.Store, loginOf(t, known), store.By{})
		until := store.At(f.Clock.Now().Add(24 * time.Hour))
		modelstest.Fine(t, call.Of(f.Programme()).Extend(t.Context(), place.ContactID(), &until))
		wants(t, known.get(startAt, 200), `name="title"`, "3 December 2026")
	})
}

func TestTheStartTellsNoRightCodeFromAWrongOne(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		right := modelstest.Must(call.Of(f.Programme()).MakeCode(t.Context(), call.CodeInput{}))(t).Code
		wrong := strings.Repeat("X", len(right))
		b := s.browser()
		opened := b.on(startAt).fields()
		answer := func(code string, changes []string) string {
			t.Helper()
			page := b.answer(startAt, fill(filledStart(opened, changes...), "access", code), 422)
			return strings.ReplaceAll(hiddenPattern.ReplaceAllString(page, ""), code, "")
		}
		for range 2 { // while the call is open, and once it is closed
			s.Clock.Move(3 * time.Second)
			for what, changes := range map[string][]string{"the trap": {"website", "x"}, "no title": {"title", ""},
				"a forged stamp": {"opened", "0.forged"}} {
				if a, b := answer(right, changes), answer(wrong, changes); a != b {
					t.Errorf("%s tells which code is right:\n%s\n%s", what, a, b)
				}
			}
			f.Clock.Move(11 * 24 * time.Hour)
		}
	})
}

func TestGuessedCodesOfTheStartAreCounted(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		b := s.browser()
		guess := func(i, status int) {
			t.Helper()
			b.starts(status, "title", "T", "name", "Kim", "access", fmt.Sprint("GUESS", i),
				"email", fmt.Sprint("kim", i, "@example.org"))
		}
		for i := range 20 {
			guess(i, 422)
		}
		guess(20, 429)
	})
}

func TestAFormOfTheStartThatWasSentBeginsNothingMore(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		b := s.browser()
		b.get(startAt, 200)
		opened := b.fields().Get("opened")
		s.Clock.Move(3 * time.Second)
		for i := range 4 {
			victim := s.browser() // with a form proof of its own, and the stamp of the first one
			victim.get(startAt, 200)
			form := fill(victim.fields(), "title", "T", "name", "Kim", "opened", opened,
				"email", fmt.Sprint("victim", i, "@example.org"))
			status := 303
			if i > 0 {
				status = 422
			}
			_, page := victim.post(startAt, form, status)
			if i > 0 {
				wants(t, page, "This form began a proposal already")
				if again := victim.fields().Get("opened"); again == opened {
					t.Error("the form is offered with the stamp that was used")
				}
			}
		}
		modelstest.Want(t, "how many sent", len(s.mail.sent), 1)
		form := b.fields()
		s.Clock.Move(call.StampLifetime)
		fill(form, "title", "T", "name", "Kim", "email", "late@example.org")
		wants(t, b.answer(startAt, form, 422), "This form was opened long ago", `value="late@example.org"`)
	})
}

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
