package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/valyala/fasthttp"
)

// The programme whose feeds are measured is as large as FOSDEM's.
const (
	feedSessions = 700
	feedRooms    = 35
)

// measureFeeds measures a public programme's feeds and pages: after a change, cached by the server, and not modified.
func measureFeeds(dialect, dir, binary string) {
	t, remove := newTarget(dialect, dir, binary)
	defer remove()
	path := filepath.Join(dir, "feeds.xml")
	check(os.WriteFile(path, []byte(feedsFile()), 0o600))
	t.command(nil, "import", path, "--event", "bench")
	t.serve()
	defer t.stop()
	ids := t.publishAll()
	if dialect == "postgres" {
		execute(t.database, "VACUUM ANALYZE")
	}
	fmt.Printf("%-34s %10s %9s %9s\n", dialect+", feeds of 700 sessions", "per s", "p50 ms", "p99 ms")
	changed := 0
	change := func() {
		changed++
		t.send("PUT", "/sessions/", fmt.Sprintf(`%s {"title": "Changed %d"}`, ids[changed%len(ids)], changed))
	}
	for _, name := range []string{"schedule.xml", "schedule.json", "calendar.ics"} {
		address := t.base + "/events/bench/" + name
		t.measureFeed(name+" after a change", address, false, change)
		t.measureFeed(name+" kept", address, false, nil)
		t.measureFeed(name+" not modified", address, true, nil)
	}
	t.measureFeed("one session's .ics", t.base+"/events/bench/sessions/"+ids[0]+".ics", false, nil)
	t.measureSite(change)
	fmt.Println()
}

// publishAll publishes every session, and returns their ids.
func (t *target) publishAll() (ids []string) {
	for page := 1; len(ids) < feedSessions; page++ {
		var found struct{ Results []struct{ ID string } }
		check(json.Unmarshal(t.send("POST", "/sessions/search", fmt.Sprintf(`{"page": %d, "pageSize": 100}`, page)), &found))
		if len(found.Results) == 0 {
			log.Fatalf("%d sessions were imported", len(ids))
		}
		for _, s := range found.Results {
			ids = append(ids, s.ID)
		}
	}
	for _, id := range ids {
		t.send("PUT", "/sessions/", id+` {"is_public": true, "publish_override": true}`)
	}
	return ids
}

// measureFeed requests a feed again and again; with known it sends the ETag of the answer before.
func (t *target) measureFeed(name, address string, known bool, before func()) *result {
	r, tag := &result{}, ""
	request, response := &fasthttp.Request{}, &fasthttp.Response{}
	request.SetRequestURI(address)
	var total time.Duration
	for i := range pageRequests + 1 {
		if before != nil {
			before()
		}
		if known {
			request.Header.Set("If-None-Match", tag)
		}
		began := time.Now()
		check(t.client.Do(request, response))
		took := time.Since(began)
		status := response.StatusCode()
		if want := map[bool]int{true: 304, false: 200}[known && i > 0]; status != want {
			log.Fatalf("%s: %d, not %d", address, status, want)
		}
		if tag = string(response.Header.Peek("ETag")); i > 0 { // the first one warms up
			r.times, total = append(r.times, took), total+took
		}
	}
	r.perSecond = pageRequests / total.Seconds()
	r.print(name)
	return r
}

// feedsFile returns the schedule of two days: half-hour sessions, back to back in every room, with a text and two people
// each.
func feedsFile() string {
	var out strings.Builder
	out.WriteString(`<schedule><conference><title>Bench</title><time_zone_name>UTC</time_zone_name></conference>` +
		`<day index="1" date="2027-05-20">`) // the events set the times
	text := "&lt;p&gt;" + strings.Repeat("Harbours, ledgers and the tide &amp;amp; what they have in common. ", 10) + "&lt;/p&gt;"
	for i := range feedSessions {
		at := 8*60 + i/2/feedRooms*30
		fmt.Fprintf(&out, `<event id="%d"><date>2027-05-%dT%02d:%02d:00Z</date><duration>00:30</duration><room>Room %d</room>`+
			`<title>Talk %d about harbours</title><track>Track %d</track><type>Talk</type><abstract>%s</abstract><persons>`+
			`<person id="%d">Person %d</person><person id="%d">Person %d</person></persons></event>`,
			i+1, 20+i%2, at/60, at%60, i/2%feedRooms+1, i+1, i%40+1, text, i+1, i+1, 10_000+i/3, 10_000+i/3)
	}
	return out.String() + `</day></schedule>`
}
