package models_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
)

func TestAvailabilitiesAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	// 20 May 2027 is a Thursday.
	event := &models.Event{Timezone: "Europe/Lisbon", StartsOn: new("2027-05-20"), EndsOn: new("2027-05-22")}
	for text, want := range map[string]string{
		"":                                  "",
		"Not before noon on the first day.": "20 00:00 to 20 12:00",
		"Away Friday":                       "21 00:00 to 22 00:00",
		"away on friday after 15:00":        "21 15:00 to 22 00:00",
		"Not available 20 May from 14:00 to 18:00":        "20 14:00 to 20 18:00",
		"Away May 21st 2027, 9-12":                        "21 09:00 to 21 12:00",
		"Away until Friday":                               "20 00:00 to 21 00:00",
		"Away until Friday 10:00":                         "20 00:00 to 21 10:00",
		"Away from Friday 14:00":                          "21 14:00 to 23 00:00",
		"Away Thursday to Friday":                         "20 00:00 to 22 00:00",
		"Away 2027-05-20, 2027-05-22":                     "20 00:00 to 21 00:00; 22 00:00 to 23 00:00",
		"Not after 5pm":                                   "20 17:00 to 21 00:00; 21 17:00 to 22 00:00; 22 17:00 to 23 00:00",
		"unavailable on the last day between 9 and 11.30": "22 09:00 to 22 11:30",
		"Away Thursday mornings; away Saturday evening":   "20 00:00 to 20 12:00; 22 18:00 to 23 00:00",
		// Who says when they are there is away for the rest.
		"Friday after 11:00, and all of Saturday.": "20 00:00 to 21 11:00",
		"Only on Thursday":                         "21 00:00 to 23 00:00",
		"Thursday and Friday 10:00–12:00":          "20 00:00 to 20 10:00; 20 12:00 to 21 10:00; 21 12:00 to 23 00:00",
		"Available every day":                      "",
		"Available until Friday":                   "22 00:00 to 23 00:00",
		// What is for people alone is left to them, and nothing is concluded from what else there is.
		"Prefers mornings":                "? Prefers mornings",
		"Friday, but ask Ada first":       "? Friday, but ask Ada first",
		"Away Friday. Call before coming": "21 00:00 to 22 00:00 ? Call before coming",
		"Away on Sunday":                  "? Away on Sunday",
		"Away 25:00 to 26:00":             "? Away 25:00 to 26:00",
		"Away 31":                         "? Away 31",
		"<script>":                        "? <script>",
	} {
		read := event.Absences(text)
		var spans []string
		for _, s := range read.Away {
			zone := event.Location()
			spans = append(spans, s.From.In(zone).Format("2 15:04")+" to "+s.Until.In(zone).Format("2 15:04"))
		}
		got := strings.Join(spans, "; ")
		if len(read.Unread) > 0 {
			got = strings.TrimSpace(fmt.Sprint(got, " ? ", strings.Join(read.Unread, "; ")))
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if read := (&models.Event{Timezone: "UTC"}).Absences("Away Friday"); len(read.Away) > 0 || len(read.Unread) != 1 {
		t.Errorf("an event without days: %+v", read)
	}
	// The clocks go back in the night to Sunday.
	autumn := &models.Event{Timezone: "Europe/Brussels", StartsOn: new("2027-10-30"), EndsOn: new("2027-10-31")}
	if away := autumn.Absences("Away Sunday").Away; len(away) != 1 || away[0].Until.Sub(away[0].From.Time).Hours() != 25 {
		t.Errorf("the long day: %v", away)
	}
}

func FuzzAvailability(f *testing.F) {
	for _, text := range []string{"Away Friday", "9-12 and 14:00", "from - to", "not, not", "20 May to", "until until"} {
		f.Add(text)
	}
	event := &models.Event{Timezone: "Europe/Lisbon", StartsOn: new("2027-05-20"), EndsOn: new("2027-05-22")}
	f.Fuzz(func(t *testing.T, text string) {
		away := event.Absences(text).Away
		for i, s := range away {
			if !s.From.Before(s.Until.Time) || i > 0 && !away[i-1].Until.Before(s.From.Time) {
				t.Errorf("%q: %v", text, away)
			}
		}
	})
}
