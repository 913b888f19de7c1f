package main

import (
	"fmt"
	"log"
	"time"

	"github.com/valyala/fasthttp"
)

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
			keep(t.dialect, name+how.name, measurement{p50: r.percentile(0.5), bytes: len(t.readPublic(address, ""))})
		}
		packed := len(t.readPublic(address, "br"))
		fmt.Printf("%-34s %10d bytes packed\n", "", packed)
		keep(t.dialect, name+", packed", measurement{bytes: packed})
		r := together(*connections, func(int) { t.readPublic(address, "br") })
		r.print(name + " kept, at once")
		keep(t.dialect, name+" kept, at once", measurement{perSecond: r.perSecond})
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
