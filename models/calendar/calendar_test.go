package calendar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/calendar"
	"lectern/models/frab"
	"lectern/models/modelstest"
	"lectern/models/moving"
	"lectern/models/store"
)

const programme = `BEGIN:VCALENDAR
X-WR-CALNAME:Harbour 2027
BEGIN:VEVENT
UID:1@there
SUMMARY:Moving forty years
DESCRIPTION:First.\n\nSecond <b>.
DTSTART:20270520T090000
DTEND:20270520T094500
LOCATION:Dock One\, Harbour Hall\, Antwerp
CATEGORIES:Web\, APIs
END:VEVENT
BEGIN:VEVENT
UID:2@there
SUMMARY:Quiet queues
DTSTART:20270521T070000Z
DTEND:20270521T080000Z
LOCATION:Dock Two\, Harbour Hall\, Antwerp
RRULE:FREQ=DAILY
END:VEVENT
BEGIN:VEVENT
UID:3@there
SUMMARY:Lunch
DTSTART:20270520T120000
DTEND:20270520T130000
TRANSP:TRANSPARENT
END:VEVENT
BEGIN:VEVENT
UID:4@there
SUMMARY:Set up
DTSTART;VALUE=DATE:20270519
END:VEVENT
BEGIN:VEVENT
UID:1@there
SUMMARY:Moving forty years
DTSTART:20270522T090000
END:VEVENT
END:VCALENDAR
`

func TestACalendarComesAndComesAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		modelstest.Must(p.UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Brussels")}))(t)
		bring := func(file string) *moving.Report {
			t.Helper()
			c := modelstest.Must(calendar.Read(strings.NewReader(file), p.Event().Location()))(t)
			return modelstest.Must(moving.Into(t.Context(), p, c, nil))(t)
		}
		report := bring(programme)
		skipped := store.Map(report.Skipped, func(s frab.Skipped) string { return s.ID + " " + s.Reason })
		modelstest.WantAll(t, "skipped", skipped, []string{"2@there repeats; its first time comes",
			"4@there it takes whole days and has no time of day", "1@there stands in the calendar twice; the first one comes"})
		if report.Sessions.Created != 2 || report.Abstracts.Created != 2 || report.Breaks.Created != 1 ||
			report.From != "Harbour 2027" || report.StartsOn != "2027-05-20" || report.EndsOn != "2027-05-21" {
			t.Errorf("%+v", report)
		}
		want := []string{"Moving forty years|accepted|Web, APIs|Dock One 20 May 09:00",
			"Quiet queues|accepted||Dock Two 21 May 09:00"}
		modelstest.WantAll(t, "told", told(t, p), want)
		again := strings.NewReplacer("20270520T090000", "20270520T100000", "20270520T094500", "20270520T104500",
			"SUMMARY:Quiet queues", "SUMMARY:Quiet queues\nSTATUS:CANCELLED").Replace(programme)
		report = bring(again)
		if report.Sessions.Created != 0 || report.Sessions.Updated == 0 || len(report.Gone) != 0 {
			t.Errorf("%+v", report)
		}
		want = []string{"Moving forty years|accepted|Web, APIs|Dock One 20 May 10:00", "Quiet queues|withdrawn||-"}
		modelstest.WantAll(t, "told", told(t, p), want)
		if report = bring(again); report.Sessions.Updated != 0 || report.Abstracts.Updated != 0 {
			t.Errorf("nothing changed: %+v", report)
		}
	})
}

func TestACalendarWithoutEntriesSaysSo(t *testing.T) {
	t.Parallel()
	if _, err := calendar.Read(strings.NewReader("BEGIN:VCALENDAR\nEND:VCALENDAR\n"), nil); err == nil ||
		err.Error() != "the calendar has no entries" {
		t.Error(err)
	}
}

// told returns the sessions of the programme, a line each.
func told(t *testing.T, p *models.Programme) (all []string) {
	t.Helper()
	rows := modelstest.First(p.SearchSessions(t.Context(),
		models.SessionSearch{Sort: models.ByTitle, Ascending: true, Page: store.Page{Size: 50}}))(t)
	for _, s := range rows {
		if s.IsAbstract {
			continue
		}
		track, place := "", "-"
		if s.Track != nil {
			track = s.Track.Name
		}
		if s.StartsAt != nil && s.Room != nil {
			place = s.Room.Name + " " + s.StartsAt.In(p.Event().Location()).Format("2 Jan 15:04")
		}
		all = append(all, fmt.Sprintf("%s|%s|%s|%s", s.Title, s.Status, track, place))
	}
	slices.Sort(all)
	return all
}

func TestNoNameOfAnEntryIsTooStrangeForADatabase(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var file strings.Builder
		file.WriteString("BEGIN:VCALENDAR\n")
		for _, uid := range []string{"a\xe4\x00b", strings.Repeat("long", 50_000), strings.Repeat("long", 50_001)} {
			fmt.Fprintf(&file, "BEGIN:VEVENT\nUID:%s\nSUMMARY:Tides\nDTSTART:20270520T090000Z\nLOCATION:%s\nEND:VEVENT\n", uid,
				strings.Repeat("Hall, ", 60_000))
		}
		c := modelstest.Must(calendar.Read(strings.NewReader(file.String()+"END:VCALENDAR\n"), f.Event.Location()))(t)
		report := modelstest.Must(moving.Into(t.Context(), f.Programme(), c, nil))(t)
		modelstest.Want(t, "created", report.Sessions.Created, 3)
	})
}
