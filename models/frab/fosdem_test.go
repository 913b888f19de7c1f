package frab

import (
	"bytes"
	"os"
	"regexp"
	"testing"
	"time"
)

// A real conference, compared with what regular expressions count in the same file.
func TestFOSDEM2024IsReadInFull(t *testing.T) {
	const path = "../../../shared/data/fosdem-2024.xml"
	file, err := os.ReadFile(path)
	if err != nil {
		t.Skip("the published schedule of FOSDEM 2024 is not part of this repository")
	}
	brussels, err := time.LoadLocation("Europe/Brussels")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(bytes.NewReader(file), brussels)
	if err != nil {
		t.Fatal(err)
	}

	count := func(pattern string) int { return len(regexp.MustCompile(pattern).FindAll(file, -1)) }
	distinct := func(pattern string) int {
		seen := map[string]bool{}
		for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(file, -1) {
			seen[string(m[1])] = true
		}
		return len(seen)
	}
	var persons, minutes int
	people, used := map[string]bool{}, map[string]bool{}
	for _, e := range s.Events {
		persons += len(e.Persons)
		minutes += int(e.End.Sub(e.Start).Minutes())
		used[e.Room] = true
		for _, p := range e.Persons {
			people[p.ID] = true
		}
		if day := e.Start.In(brussels).Format(time.DateOnly); day != s.Start && day != s.End {
			t.Errorf("%s is on %s", e.Title, day)
		}
	}
	var wantMinutes int
	for _, m := range regexp.MustCompile(`<duration>(\d\d):(\d\d)<`).FindAllSubmatch(file, -1) {
		wantMinutes += 60*(int(m[1][0]-'0')*10+int(m[1][1]-'0')) + int(m[2][0]-'0')*10 + int(m[2][1]-'0')
	}

	equal(t, "skipped", len(s.Skipped), 0)
	equal(t, "events", len(s.Events), count(`<event id=`))
	equal(t, "rooms", len(s.Rooms), distinct(`<room name="([^"]+)"`))
	equal(t, "rooms in use", len(used), distinct(`<room>([^<]+)</room>`))
	equal(t, "tracks", len(s.Tracks), count(`<track [^>]+>[^<]+</track>`))
	equal(t, "appearances", persons, count(`<person id=`))
	equal(t, "people", len(people), distinct(`<person id="(\d+)"`))
	equal(t, "minutes", minutes, wantMinutes)
	equal(t, "first", s.Events[0].Start, time.Date(2024, 2, 3, 9, 30, 0, 0, time.UTC))
}
