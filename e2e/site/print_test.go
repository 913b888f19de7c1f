package site

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// sheet is a size of paper: points of its PDF, and the pixels between its margins.
type sheet struct {
	name          string
	width, height float64
	inner         int
}

var a4, a3 = sheet{"A4", 595, 842, 703}, sheet{"A3", 842, 1191, 1032}

var (
	pageCount = regexp.MustCompile(`/Count (\d+)`)
	mediaBox  = regexp.MustCompile(`/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]`)
)

// prints prints a page and returns how many sheets it takes. Each of them is of the size, no text leaves it at its
// side, and all of the titles are on them.
func prints(w *Window, path string, on sheet, titles ...string) int {
	w.T.Helper()
	w.Resize(on.inner, 1000)
	w.Visit(path)
	w.Check(proto.EmulationSetEmulatedMedia{Media: "print"}.Call(w.Page), "paper")
	defer w.Scheme("light")
	text, err := JS[string](w, `() => document.querySelector("main").innerText`)
	w.Check(err, "text")
	for _, title := range titles {
		if !strings.Contains(text, title) {
			w.T.Errorf("%s on %s lacks %q", path, on.name, title)
		}
	}
	cut, err := JS[[]string](w, `() => [...document.querySelectorAll("main, main *")].filter((e) => {
		const box = e.getBoundingClientRect(), style = getComputedStyle(e);
		return box.width && (box.right > document.documentElement.clientWidth + 1 || box.left < -1 ||
			style.overflow !== "visible" && !e.closest("svg") && e.scrollWidth > e.clientWidth + 1);
	}).map((e) => e.outerHTML.slice(0, 100))`)
	w.Check(err, "edges")
	if len(cut) > 0 {
		w.T.Errorf("%s on %s is cut at the side: %q", path, on.name, cut)
	}
	pdf, err := w.Page.Timeout(Patience).PDF(&proto.PagePrintToPDF{PreferCSSPageSize: true})
	w.Check(err, "print")
	printed, err := io.ReadAll(pdf)
	w.Check(err, "print")
	sizes := mediaBox.FindAllStringSubmatch(string(printed), -1)
	for _, size := range sizes {
		width, _ := strconv.ParseFloat(size[1], 64)
		height, _ := strconv.ParseFloat(size[2], 64)
		if math.Abs(width-on.width) > 2 || math.Abs(height-on.height) > 2 {
			w.T.Errorf("%s is printed on %s, and not on %s", path, size[0], on.name)
		}
	}
	count := pageCount.FindStringSubmatch(string(printed))
	if count == nil || len(sizes) == 0 {
		w.T.Fatalf("%s is no PDF that can be counted: %.200q", path, printed)
	}
	sheets, _ := strconv.Atoi(count[1])
	about, err := JS[int](w, `() => Math.max(...[...document.querySelectorAll(".paper header, .paper footer")]
		.map((e) => e.innerText.length))`)
	w.Check(err, "head and foot")
	if texts := textsOn(w, printed); len(texts) != sheets || slices.Min(texts) <= about {
		w.T.Errorf("%s on %s has a sheet with its head or its foot alone, of %d characters: %d", path, on.name, about, texts)
	}
	return sheets
}

var (
	pdfObject   = regexp.MustCompile(`(?s)(\d+) 0 obj\s(.*?)endobj`)
	pdfContents = regexp.MustCompile(`(?s)^<</Type /Page\s.*?/Contents (\d+) 0 R`)
	pdfStream   = regexp.MustCompile(`(?s)stream\r?\n(.*)`)
)

// textsOn returns the number of letters on each sheet of a PDF.
func textsOn(w *Window, pdf []byte) (texts []int) {
	w.T.Helper()
	objects, pages := map[string][]byte{}, []string{}
	for _, object := range pdfObject.FindAllSubmatch(pdf, -1) {
		objects[string(object[1])] = object[2]
		if contents := pdfContents.FindSubmatch(object[2]); contents != nil {
			pages = append(pages, string(contents[1]))
		}
	}
	for _, page := range pages {
		stream := pdfStream.FindSubmatch(objects[page])
		if stream == nil {
			w.T.Fatalf("a sheet has nothing on it: %.200q", objects[page])
		}
		unpacked, err := zlib.NewReader(bytes.NewReader(stream[1]))
		w.Check(err, "sheet")
		written, err := io.ReadAll(unpacked)
		w.Check(err, "sheet")
		texts = append(texts, bytes.Count(written, []byte("Tj")))
	}
	return texts
}

// door returns the address of a room's sheet, by the link on the sheet of its day.
func door(w *Window, day, room string) string {
	w.T.Helper()
	w.Visit(base + "/print/" + day)
	at, err := JS[string](w, `(room) => [...document.querySelectorAll(".paper-links a")]
		.find((a) => a.textContent === room).getAttribute("href")`, room)
	w.Check(err, "door")
	return at
}

// TestADayIsPrinted prints a day on A4 and A3 and the sheet of a door.
func TestADayIsPrinted(t *testing.T) {
	Journey(t, func(t *testing.T, s *Site) {
		published(s)
		w := s.Window()
		day := base + "/print/2027-05-20"
		all := []string{"Opening", "Harbour logs", "Tides", "Night watch", "Ines Carvalho", "Thursday 20 May"}
		if a, b := prints(w, day, a4, all...), prints(w, day+"?paper=a3", a3, all...); a != 1 || b != 1 {
			t.Errorf("a day takes %d sheets of A4 and %d of A3", a, b)
		}
		modelstest.Want(t, "sheets of a door", prints(w, door(w, "2027-05-20", "Loft"), a4, "Loft", "Tides", "Night watch",
			"10:20", "14:40"), 1)
	})
}

// TestAPageIsPrintedAsItIs prints pages without their controls, and with what they are narrowed by.
func TestAPageIsPrintedAsItIs(t *testing.T) {
	Journey(t, func(t *testing.T, s *Site) {
		published(s)
		s.OpenCall()
		s.SetQuestionsTo("crew@harbour.example")
		w := s.Window()
		prints := func(at string, before func(), shown ...string) {
			w.Visit(base + at)
			before()
			w.Check(proto.EmulationSetEmulatedMedia{Media: "print"}.Call(w.Page), "paper")
			defer w.Scheme("light")
			w.Sees(shown...)
			w.WaitFor(`[...document.querySelectorAll(".find > *, .star, .masthead nav, .hours, .chips :is(svg, .as-link), ` +
				`.open-here summary, .colophon nav")].every((e) => !e.checkVisibility())`)
		}
		as := func() {}
		prints("/agenda/2027-05-20", as, "Harbour logs", "Times in Lisbon")
		prints("/itinerary", as, "Harbour logs", "Times in Lisbon")
		prints("/sessions", as, "Harbour logs", "Times in Lisbon")
		w.DoesNotSee("Ink that lasts")
		prints("/sessions", func() { w.Press("Read the description") }, "Ink that lasts")
		prints("/agenda/2027-05-20?q=tides", as, "Tides", "“tides”")
		prints("/call", as, "Questions: crew@harbour.example.")
	})
}

// largeDay returns a day of 24 rooms with 14 sessions each, some with long titles, and one with an unbroken word.
func largeDay() (schedule string, titles []string) {
	var out strings.Builder
	out.WriteString(`<schedule><conference><title>Harbour</title></conference><day date="2027-05-20">`)
	for room := range 24 {
		fmt.Fprintf(&out, `<room name="Room %d, of the old customs house">`, room+1)
		for i := range 14 {
			title := fmt.Sprintf("Talk %d-%d", room, i)
			switch i {
			case 3:
				title += strings.Repeat(" on what the tide leaves", 8)
			case 5:
				title += " " + strings.Repeat("Schifffahrtsgesellschaft", 6)
			}
			titles = append(titles, title)
			fmt.Fprintf(&out, `<event id="%d"><title>%s</title><date>2027-05-20T%02d:%02d:00+01:00</date>`+
				`<duration>00:30</duration><persons><person id="%d">Speaker number %d</person></persons></event>`,
				20*room+i+1, title, 9+i/2, i%2*30, room+1, room)
		}
		out.WriteString(`</room>`)
	}
	return out.String() + `</day></schedule>`, titles
}

// TestALargeDayIsPrinted prints 336 sessions: on few sheets, with all of their titles.
func TestALargeDayIsPrinted(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		schedule, titles := largeDay()
		publishes(s, schedule)
		w := s.Window()
		day := base + "/print/2027-05-20"
		a, b := prints(w, day, a4, titles...), prints(w, day+"?paper=a3", a3, titles...)
		if a < 2 || a > 8 || b < 1 || b >= a {
			t.Errorf("336 sessions take %d sheets of A4 and %d of A3", a, b)
		}
		if n := prints(w, door(w, "2027-05-20", "Room 7, of the old customs house"), a4, titles[6*14:7*14]...); n > 3 {
			t.Errorf("a door of 14 sessions takes %d sheets", n)
		}
	})
}
