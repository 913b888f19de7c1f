package site_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"lectern/models/embed"
)

// listMost is how many bytes a page of a list takes at most.
const listMost = 250_000

var (
	goesOn  = regexp.MustCompile(`(?s)class="go-on">\s*<a class="button" href="([^"]*)"`)
	stopsOf = regexp.MustCompile(`<h3><a href="[^"]*" id="(s\d+)"`)
)

// walksList reads a long list from page to page, as its links lead: each session stands on one of them.
func (d *door) walksList(t *testing.T, address string, sessions int) {
	t.Helper()
	found, pages := map[string]bool{}, 0
	for next := address; next != ""; pages++ {
		body := d.get(t, next)
		if len(body) > listMost {
			t.Errorf("%s has %d bytes", next, len(body))
		}
		if again := len(d.Statement.During(func() { d.ask(t, next) })); again > 1 && !strings.Contains(next, "q=") {
			t.Errorf("%s costs %d statements when nothing has changed", next, again)
		}
		for _, stop := range stopsOf.FindAllStringSubmatch(body, -1) {
			if found[stop[1]] {
				t.Errorf("%s stands on two pages of %s", stop[1], address)
			}
			found[stop[1]] = true
		}
		if pages > 0 && strings.Contains(body, "data-star") && !strings.Contains(body, "page=") && !strings.Contains(body,
			"day=") {
			t.Errorf("who stars something on %s is led elsewhere", next)
		}
		if at := goesOn.FindStringSubmatch(body); at != nil {
			next = html.UnescapeString(at[1])
		} else {
			next = ""
		}
	}
	if len(found) != sessions || pages < 2 {
		t.Errorf("%s has %d sessions on %d pages", address, len(found), pages)
	}
}

// readsLists reads the lists of a large event.
func (d *door) readsLists(t *testing.T, home string) {
	t.Helper()
	d.walksList(t, home+"/sessions", largeDay+largeNext)
	d.walksList(t, home+"/itinerary", largeDay+largeNext)
	d.walksList(t, home+"/sessions?q=something", largeDay+largeNext-3)
	for _, kind := range []embed.Kind{embed.Sessions, embed.Itinerary} {
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(kind), ShowsDescriptions: new(true)})
		d.walksList(t, "/embeds/"+e.ID, largeDay+largeNext)
	}
	if body := d.get(t, home+"/sessions?q=everywhere"); strings.Count(body, `<article class="stop`) != 34 ||
		strings.Contains(body, `class="days"`) {
		t.Error("what is found of both days does not stand on one page")
	}
	first := d.get(t, home+"/itinerary")
	has(t, "the itinerary", strings.Join(strings.Fields(first), " "), `aria-current="page">Thursday 20<span>`, `day=2027-05-21">Friday 21<span>200 sessions`,
		`aria-current="page">07:00</a>`, `?day=2027-05-20&amp;page=2">09:00</a>`)
	for _, query := range []string{"?day=2027-05-22", "?day=unplaced", "?day=nonsense", "?page=0", "?page=99", "?page=02",
		"?page=x", "?q=everywhere&page=2"} {
		d.answers(t, home+"/sessions"+query, http.StatusNotFound)
	}
}
