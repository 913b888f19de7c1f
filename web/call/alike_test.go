package call

import (
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lectern/models/modelstest"
	"lectern/models/tasks"
	"lectern/views/words"
	"lectern/views/words/wordstest"
)

// within finds where a page of the call or of the place leads to others of them.
var within = regexp.MustCompile(`<a[^>]* href="(/events/conf/(?:call|place)[^"?#]*)`)

// walks follows the links from some pages, and returns the addresses in the order in which they were found, with the
// pages in each language.
func (b *browser) walks(from ...string) (found []string, pages map[string][]string) {
	b.t.Helper()
	pages = map[string][]string{}
	for found = from; len(pages) < len(found); {
		at := found[len(pages)]
		pages[at] = []string{}
		for _, l := range words.All() {
			res, page := b.do(httptest.NewRequest("GET", at+"?lang="+l.Tag, nil), 0)
			if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") || res.StatusCode >= 500 {
				break
			}
			pages[at] = append(pages[at], page)
			for _, link := range within.FindAllStringSubmatch(page, -1) {
				if !slices.Contains(found, link[1]) {
					found = append(found, link[1])
				}
			}
		}
	}
	return found, pages
}

// TestNoWordOfTheCallAndThePlaceIsTheSameInEveryLanguage follows all links as a stranger, as somebody who writes a
// proposal, and as a speaker with tasks. A word in every language that nobody filled in was written into a page.
func TestNoWordOfTheCallAndThePlaceIsTheSameInEveryLanguage(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	c := newCast(t, f)
	c.slides()
	c.define(tasks.Change{Title: new("Recording"), Kind: new(tasks.Link), AskedOf: new(tasks.OfSession)})
	c.define(tasks.Change{Title: new("Photo"), Kind: new(tasks.Tick)})
	ines, draft := c.answered("ines")
	known := wordstest.Borrowed(t)
	known.Note("Conference Lectern PDF ZIP MB Brussels CET CEST WEST WET UTC request", // of the event, and of requests
		"Title Abstract Format Track Biography What do people bring Help Money Visa Slides Phone Your session Practical",
		"Talk Workshop Systems Tides Water goes up ada ines bo Large type please slides Recording Photo")
	read := 0
	for _, who := range []struct {
		b    *browser
		from []string
	}{
		{c.browser(), []string{"/events/conf/call", placeAt + "/sign-in", "/events/conf/call/nothing"}},
		{ines, []string{draft + "/edit", draft + "/check", draft + "/withdraw", placeAt + "/answers"}},
		{c.ada, []string{placeAt, placeAt + "/availability", placeAt + "/passkeys"}},
	} {
		found, pages := who.b.walks(who.from...)
		for _, at := range found {
			if said := pages[at]; len(said) == len(words.All()) {
				read++
				for _, w := range known.Alike(said...) {
					t.Errorf("%s says %q in every language", at, w)
				}
			}
		}
	}
	if read < 18 {
		t.Errorf("only %d pages were read", read)
	}
}
