package site_test

import (
	"net/http"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

// TestOddRequestsAreUnderstood asks for packed answers in other words, by a short name in capitals, and for what is
// narrowed by a value that nothing has.
func TestOddRequestsAreUnderstood(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _, _ := published(t, f)
		for accepted, want := range map[string]string{"gzip;q=1.0": "gzip", "gzip; q=0.5, identity": "gzip", "br;q=0.9": "br",
			"gzip, deflate, br": "br", "gzip;q=0": "", "identity": ""} {
			for _, at := range []string{"/agenda", "/schedule.json"} {
				response, _ := d.ask(t, d.home+at, "Accept-Encoding", accepted)
				modelstest.Want(t, at+" answers "+accepted+" with", response.Header.Get("Content-Encoding"), want)
			}
		}
		for _, at := range []string{"", "?lang=de", "/agenda?view=list", "/schedule.json", "/my.ics?my=1", "/files/x.pdf",
			"/look.css", "/call?code=A", "/place/Sign-In"} {
			response, _ := d.ask(t, "/events/"+strings.ToUpper(f.Event.Slug)+at)
			if to := response.Header.Get("Location"); response.StatusCode != http.StatusMovedPermanently || to != d.home+at {
				t.Errorf("capitals before %q answer %d, %s", at, response.StatusCode, to)
			}
		}
		page := d.get(t, d.home+"/agenda/2027-05-20?track=forged&q=tide")
		has(t, "a forged track cannot be taken off", page, `<a class="chip" href="`+d.home+`/agenda/2027-05-20?q=tide"`)
	})
}

// TestASpeakersCalendarTellsWhatWasCancelled takes all that somebody speaks on off the programme.
func TestASpeakersCalendarTellsWhatWasCancelled(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		_, rest, _ := strings.Cut(d.get(t, d.home+"/speakers"), `href="`+d.home+`/speakers/`)
		page, _, _ := strings.Cut(rest, "-")
		calendar := d.home + "/speakers/" + page + ".ics"
		if before := d.get(t, calendar); strings.Contains(before, "STATUS:CANCELLED") || !strings.Contains(before, "Zürich") {
			t.Fatalf("%s has %s", calendar, before)
		}
		d.change(t, shown, models.SessionChange{IsPublic: new(false)})
		if after := d.get(t, calendar); strings.Count(after, "BEGIN:VEVENT") != 1 || !strings.Contains(after,
			"STATUS:CANCELLED") || strings.Contains(after, "Ada") {
			t.Errorf("%s has %s", calendar, after)
		}
		d.answers(t, d.home+"/speakers/ffffffffff.ics", http.StatusNotFound)
	})
}
