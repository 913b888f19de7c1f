package site

import (
	"fmt"
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

// Titles as long as they may be, with and without a place to break them, and in another direction.
var (
	endless  = strings.TrimSpace(strings.Repeat("A title that has no end and goes on ", 8)[:255])
	unbroken = strings.Repeat("Donaudampfschifffahrt", 13)[:255]
)

const (
	arabic = "برمجيات تعيش أطول من شركاتها"
	mixed  = "محاضرة about ships, 2027"
)

// odd returns a schedule of a day that ends after midnight, and of the next day, with one person on thirty sessions.
func odd() string {
	var out strings.Builder
	out.WriteString(`<schedule><conference><title>Harbour</title></conference>`)
	id := 0
	event := func(date, clock, long, room, title, track string, people ...string) {
		id++
		fmt.Fprintf(&out, `<room name="%s"><event id="%d"><title>%s</title><date>%sT%s:00+01:00</date><duration>%s</duration>`+
			`<track>%s</track><description>&lt;p&gt;%s&lt;/p&gt;</description><persons>`, room, id, title, date,
			clock, long, track, title)
		for _, name := range people {
			fmt.Fprintf(&out, `<person>%s</person>`, name)
		}
		out.WriteString(`</persons></event></room>`)
	}
	const first, second, many = "2027-05-20", "2027-05-21", "Ana Everywhere"
	long := "Christophorus-" + strings.Repeat("Maximilian", 8) + " Freiherr"
	out.WriteString(`<day date="` + first + `">`)
	event(first, "09:00", "00:05", "Hall", endless, "Systems", many, long)
	event(first, "09:00", "00:30", "قاعة الميناء", mixed, "البرمجيات", "ليلى حداد", "John Smith")
	event(first, "09:05", "00:10", "Hall", unbroken, unbroken[:80], long)
	event(first, "09:30", "00:30", "قاعة الميناء", arabic, "البرمجيات", "ليلى حداد")
	event(first, "09:30", "00:30", unbroken[:60], "In a room of a long name", "Systems", many)
	event(first, "23:00", "02:00", "Hall", "Over midnight", "Systems", many)
	out.WriteString(`</day><day date="` + second + `">`)
	for i := range 27 {
		event(second, fmt.Sprintf("%02d:%02d", 8+i/2, i%2*30), "00:30", "Hall", fmt.Sprintf("Talk %d", i+1), "People",
			many)
	}
	return out.String() + `</day></schedule>`
}

// outOfPlace finds elements that are too wide, cut, or read in the wrong direction.
const outOfPlace = `() => {
	const found = [], seen = (el) => el.getClientRects().length && !el.closest(".visually-hidden, .said");
	// An input scrolls, and a star reaches into the edge of its card.
	const name = (el) => el.tagName + "." + el.className + ": " + el.textContent.trim().slice(0, 60);
	const scrolls = (el) => el && (/auto|scroll/.test(getComputedStyle(el).overflowX) || scrolls(el.parentElement));
	for (const el of document.body.querySelectorAll("*")) {
		if (!seen(el)) continue;
		const box = el.getBoundingClientRect(), clips = /hidden|clip/.test(getComputedStyle(el).overflowX);
		if ((box.right > document.documentElement.clientWidth + 1 || box.left < -1) && box.left > -9000 && !scrolls(el.parentElement)) found.push("leaves the window: " + name(el));
		if (clips && el.tagName !== "INPUT" && el.scrollWidth > el.clientWidth + 8) found.push("is cut: " + name(el));
	}
	const gutter = document.querySelector(".agenda.grid .gutter"), grid = gutter?.parentElement;
	if (gutter?.offsetHeight && gutter.offsetHeight < grid.offsetHeight - 30) found.push("the times stand beside nothing: " + name(gutter));
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const text = texts.currentNode.textContent.trim(), el = texts.currentNode.parentElement;
		if (!/[\u0600-\u06ff]{2}/.test(text) || /\u2068/.test(text) || !seen(el) || el.closest("script, style")) continue;
		if (!el.closest("bdi, [dir=auto]")) found.push("is mixed with what is around it: " + name(el));
		else if (/^[\u0600-\u06ff]/.test(text) && getComputedStyle(el.closest("bdi, [dir=auto]")).direction !== "rtl") found.push("reads from the left: " + name(el));
	}
	return [...new Set(found)].slice(0, 6);
}`

// TestPagesHoldWhateverTitlesAre reads every public page of an odd programme, in each language, on a desk and on a
// phone: nothing is wider than its window or cut, and what reads from the right does so.
func TestPagesHoldWhateverTitlesAre(t *testing.T) {
	s := NewSite(t, "")
	publishes(s, odd())
	s.OpenCall()
	_, speakers := get(t, s, "/speakers")
	pages := []string{"", "/agenda/2027-05-20", "/agenda/2027-05-20?view=list", "/agenda/2027-05-21", "/sessions",
		"/itinerary",
		"/speakers", "/speakers?view=photos", "/my?my=1,2,3,4,5,6,7", "/feeds", "/changes", "/print/2027-05-20",
		"/agenda/2027-05-20?q=" + unbroken[:90], "/sessions?tz=America/Argentina/ComodRivadavia", "/call",
		"/place/sign-in"}
	for _, name := range []string{"Everywhere</b>", "حداد", "Freiherr"} {
		before, _, found := strings.Cut(speakers, name)
		if !found {
			t.Fatalf("%s is not among the speakers", name)
		}
		_, last, _ := strings.Cut(before[strings.LastIndex(before, base+"/speakers/"):], base)
		at, _, _ := strings.Cut(last, `"`)
		pages = append(pages, at)
	}
	for i := range 6 {
		pages = append(pages, fmt.Sprintf("/sessions/s-%d", i+1))
	}
	w := s.Window()
	for at, path := range pages {
		for i, lang := range []string{"de", "fr", "es", "en"} {
			for j, width := range []int{390, 1280} {
				// Else each page is in one language by turns on a desk, and in another one on a phone.
				if !Long() && (i+j+at)%4 != 0 {
					continue
				}
				w.Resize(width, 900)
				query := "?"
				if strings.Contains(path, "?") {
					query = "&"
				}
				w.Visit(base + path + query + "lang=" + lang)
				w.Fits(path + " in " + lang)
				found, err := JS[[]string](w, outOfPlace)
				w.Check(err, path)
				for _, what := range found {
					t.Errorf("%s in %s, %d px wide: %s", path, lang, width, what)
				}
				if Long() && lang == "de" {
					w.Shot(fmt.Sprintf("odd-%02d-%s-%d", at, lang, width))
				}
			}
		}
	}
}
