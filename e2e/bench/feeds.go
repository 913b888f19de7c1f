package main

import (
	"encoding/json"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/valyala/fasthttp"
)

// The programme whose feeds are measured is as large as FOSDEM's.
const (
	feedSessions = 700
	feedRooms    = 35
)

// importFeeds imports the programme whose feeds are measured.
func (t *target) importFeeds(dir string) {
	text := "&lt;p&gt;" + strings.Repeat("Harbours, ledgers and the tide &amp;amp; what they have in common. ", 10) + "&lt;/p&gt;"
	t.importSchedule(dir, feedSessions, feedRooms, 2, 40, "Talk %d about harbours", text)
}

// measureFeeds measures a public programme's feeds and pages: after a change, cached by the server, and not modified.
func (t *target) measureFeeds(string) {
	ids := t.publishAll()
	if t.dialect == "postgres" {
		execute(t.database, "VACUUM ANALYZE")
	}
	fmt.Printf("%-34s %10s %9s %9s\n", t.dialect+", feeds of 700 sessions", "per s", "p50 ms", "p99 ms")
	change := t.changes(ids)
	for _, name := range []string{"schedule.xml", "schedule.json", "calendar.ics"} {
		address := t.base + "/events/bench/" + name
		t.measureFeed(name+" after a change", address, false, change)
		t.measureFeed(name+" kept", address, false, nil)
		t.measureFeed(name+" not modified", address, true, nil)
	}
	t.measureFeed("one session's .ics", t.base+"/events/bench/sessions/"+ids[0]+".ics", false, nil)
	t.measureSite(change)
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
	for i := range pageRequests + 1 {
		if before != nil {
			before()
		}
		if known {
			request.Header.Set("If-None-Match", tag)
		}
		if r.time(func() { check(t.client.Do(request, response)) }); i == 0 {
			*r = result{} // the first warms up
		}
		status := response.StatusCode()
		if want := map[bool]int{true: 304, false: 200}[known && i > 0]; status != want {
			log.Fatalf("%s: %d, not %d", address, status, want)
		}
		tag = string(response.Header.Peek("ETag"))
	}
	r.print(name)
	return r
}

// measureSite measures the public pages: after a change, not modified, and cached with many clients.
func (t *target) measureSite(change func()) {
	const agenda = "/events/bench/agenda/2027-05-20"
	for _, page := range []struct{ name, path string }{
		{"agenda of a day", agenda}, {"sessions", "/events/bench/sessions"}, {"itinerary", "/events/bench/itinerary"},
		{"speakers", "/events/bench/speakers"},
	} {
		name, address := "public: "+page.name, t.base+page.path
		if page.path != agenda {
			t.measureFeed(name+" after a change", address, false, change)
			continue
		}
		for _, how := range []struct {
			name   string
			known  bool
			before func()
		}{{" after a change", false, change}, {" not modified", true, nil}} {
			r := t.measureFeed(name+how.name, address, how.known, how.before)
			keep(t.dialect, name+how.name, r.percentile(0.5))
			keep(t.dialect, name+how.name+", HTML", float64(len(t.readPublic(address, "")))/1000)
		}
		packed := len(t.readPublic(address, "br"))
		fmt.Printf("%-34s %10d bytes packed\n", "", packed)
		keep(t.dialect, name+", packed, HTML", float64(packed)/1000)
		r := together(*connections, func(int) { t.readPublic(address, "br") })
		r.print(name + " kept, at once")
		keep(t.dialect, name+" kept, at once", r.perSecond())
	}
}

// readPublic requests a page with an Accept-Encoding, as browsers do.
func (t *target) readPublic(address, encoding string) []byte {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	request.SetRequestURI(address)
	if encoding != "" {
		request.Header.Set("Accept-Encoding", encoding)
	}
	check(t.client.DoTimeout(request, response, time.Minute))
	if response.StatusCode() != 200 || string(response.Header.Peek("Content-Encoding")) != encoding {
		log.Fatalf("%s: %d as %q", address, response.StatusCode(), response.Header.Peek("Content-Encoding"))
	}
	return append([]byte(nil), response.Body()...)
}
