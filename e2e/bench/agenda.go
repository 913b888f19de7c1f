package main

import (
	"fmt"
	"html"
	"log"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The agenda that is measured: 2,000 sessions in 30 rooms over four days, some of them without a place. Some people are
// in two rooms at a time.
const (
	agendaSessions = 2000
	agendaRooms    = 30
	agendaDays     = 4
	agendaUnplaced = 100
)

// agendaOnly adds what an imported schedule cannot say: seats, expected audience, absences.
var agendaOnly = []string{
	`UPDATE metadata SET capacity = 40 + 20 * position WHERE family = 'rooms'`,
	`UPDATE metadata SET default_minutes = 30 WHERE family = 'formats'`,
	`UPDATE sessions SET capacity = 30 + (number * 37) % 150`,
	`UPDATE sessions SET room_id = NULL, starts_at = NULL, ends_at = NULL WHERE number % 20 = 0`,
	`UPDATE event_contacts SET availability = 'Not before 11:00 on the first day' WHERE contact_id IN
		(SELECT id FROM contacts WHERE full_name LIKE '%7')`,
}

// importSchedule imports half-hour sessions of two people each, back to back in every room, from 20 May on, before a
// server runs on the event.
func (t *target) importSchedule(dir string, sessions, rooms, days, tracks int, title, text string) {
	var out strings.Builder
	out.WriteString(`<schedule><conference><title>Bench</title><time_zone_name>UTC</time_zone_name></conference>` +
		`<day index="1" date="2027-05-20">`) // each event says its own
	for place := range days * rooms {
		day, room := place/rooms, place%rooms
		for i := place; i < sessions; i += days * rooms {
			at, other := 9*60+i/(days*rooms)*30, 10_000+i*i%1511
			fmt.Fprintf(&out, `<event id="%d"><date>2027-05-%dT%02d:%02d:00Z</date><duration>00:30</duration><room>Room %d</room>`+
				`<title>`+title+`</title><track>Track %d</track><type>Talk</type><abstract>%s</abstract><persons>`+
				`<person id="%d">Person %d</person><person id="%d">Person %d</person></persons></event>`,
				i+1, 20+day, at/60, at%60, room+1, i+1, room%tracks+1, text, i+1, i+1, other, other)
		}
	}
	out.WriteString(`</day></schedule>`)
	path := filepath.Join(dir, "schedule.xml")
	check(os.WriteFile(path, []byte(out.String()), 0o600))
	t.command(nil, "import", path, "--event", "bench")
}

// importAgenda imports the agenda that is measured.
func (t *target) importAgenda(dir string) {
	t.importSchedule(dir, agendaSessions, agendaRooms, agendaDays, 8, "Talk %d about harbours, ledgers and the tide", "")
	t.fill(agendaOnly)
}

// measureAgenda measures the agenda's pages. Those "after a change" are requested after a write, which invalidates what
// the server keeps of them.
func (t *target) measureAgenda(string) {
	b, base, change := t.signIn(), "/admin/events/"+t.event, t.changes(t.ids(false))
	fmt.Printf("%-34s %10s %9s %9s\n", t.dialect+", agenda", "per s", "p50 ms", "p99 ms")
	b.measure([]measuredPage{
		{"page: dashboard after a change", base, change},
		{"page: room conflicts after a change", base + "/sessions?needs=room", change},
		{"page: who is away, after a change", base + "/sessions?needs=away", change},
		{"page: publish, all held", base + "/publish", change},
	})
	b.measure([]measuredPage{
		{"page: agenda", base + "/agenda?day=2027-05-20", nil},
		{"page: agenda after a change", base + "/agenda?day=2027-05-20", change},
		{"page: agenda by track", base + "/agenda?day=2027-05-20&view=tracks", nil},
		{"look: has the agenda changed?", base + "/agenda/version", nil},
	})
	b.measureSuggestions(base + "/agenda/suggest")
	b.dragCards(base + "/agenda")
	b.publishAll(base)
	b.measure([]measuredPage{{"page: publish, all public", base + "/publish", change},
		{"page: what changed, before a release", base + "/publish/versions", change}})
}

// droppedCard matches what a script needs of a card to move it.
var droppedCard = regexp.MustCompile(`id="([^"]+)" class="[^"]*" data-was="(\S+) (\S+) (\S+)"`)

// roomsOfPage matches the ids of the rooms; cards refer to a room by its index.
var roomsOfPage = regexp.MustCompile(`data-rooms="([^"]+)"`)

// dragCards moves the cards of a day by five minutes, one request after the other, as dropping them does.
func (b *browser) dragCards(agenda string) {
	page, r := b.ask("GET", agenda+"?day=2027-05-20", ""), &result{}
	token, rooms := formToken.FindStringSubmatch(page)[1], strings.Split(roomsOfPage.FindStringSubmatch(page)[1], " ")
	for _, card := range droppedCard.FindAllStringSubmatch(page, pageRequests) {
		if card[3] == "-" { // without a place
			continue
		}
		later := func(text string) string {
			at, err := strconv.ParseInt(text, 10, 64)
			check(err)
			return strconv.FormatInt(at+(5*time.Minute).Milliseconds(), 10)
		}
		if at, err := strconv.Atoi(card[2]); err == nil {
			card[2] = rooms[at]
		}
		form := url.Values{"_token": {token}, "was": {strings.Join(card[2:5], " ")},
			"to": {card[2] + " " + later(card[3]) + " " + later(card[4])}}
		r.time(func() { b.ask("POST", agenda+"/move/"+card[1], form.Encode()) })
		if b.location == "" {
			panic("a card was not moved")
		}
	}
	r.print("drag: the answer")
}

// measureSuggestions has places suggested for all unplaced sessions, opens the suggestions, and applies them.
func (b *browser) measureSuggestions(at string) {
	token := b.token(b.ask("GET", at, ""))
	began := time.Now()
	b.ask("POST", at, "_token="+token+"&days=2027-05-20&days=2027-05-21&days=2027-05-22&days=2027-05-23&from=09%3A00"+
		"&until=20%3A00&step=5&gap=0&minutes=30")
	found := time.Since(began)
	suggested := b.location
	began = time.Now()
	page := b.ask("GET", suggested, "")
	fmt.Printf("%-34s %10.1f ms, looked at in %.1f ms: %s\n", fmt.Sprintf("places suggested for %d", agendaUnplaced),
		ms(found), ms(time.Since(began)), regexp.MustCompile(`<h1[^>]*>([^<]+)`).FindStringSubmatch(page)[1])
	began = time.Now()
	b.ask("POST", suggested, "_token="+token)
	done, _ := b.finishes(b.location, began, 20*time.Millisecond)
	fmt.Printf("%-34s %10.1f ms: %s\n", "and applied", ms(time.Since(began)), done)
}

var (
	heldNumbers = regexp.MustCompile(`name="held_numbers" value="([^"]+)"`)
	ofAnyway    = regexp.MustCompile(`Publish [0-9,]+ sessions anyway`)
)

// publishAll publishes all held sessions with one reason. All sessions of an imported programme are held, because no
// submission is behind them.
func (b *browser) publishAll(base string) {
	page := b.ask("GET", base+"/publish", "")
	numbers := heldNumbers.FindStringSubmatch(page)
	if numbers == nil {
		log.Fatal("nothing is held")
	}
	form := "_token=" + b.token(page) + "&all_held=yes&held_numbers=" + url.QueryEscape(html.UnescapeString(numbers[1]))
	page = b.ask("POST", base+"/publish/anyway", form)
	what := ofAnyway.FindString(page)
	began, before := time.Now(), b.spent()
	b.ask("POST", base+"/publish/anyway", "_token="+b.token(page)+"&numbers="+url.QueryEscape(html.UnescapeString(numbers[1]))+
		"&confirm=yes&reason=Imported")
	b.finishes(b.location, began, 100*time.Millisecond)
	fmt.Printf("%-34s %10.2f s, %s\n", what, time.Since(began).Seconds(), b.spent().since(before))
}
