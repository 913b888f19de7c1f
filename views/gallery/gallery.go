// Package gallery shows every part and page of the admin in each of its states,
// from literals: for whoever changes how something looks.
package gallery

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
)

// Example is a page, or some parts, in one state.
type Example struct {
	Page, State string
	show        func(layouts.Page) templ.Component
}

// Path is the end of its address.
func (e Example) Path() string { return slug(e.Page) + "/" + slug(e.State) }

// Show is the example on a page with this theme and these assets.
func (e Example) Show(base layouts.Page) templ.Component { return e.show(base) }

var slugs = strings.NewReplacer(" ", "-", ",", "")

func slug(s string) string { return slugs.Replace(strings.ToLower(s)) }

// inOrder are the states of a page by name.
func inOrder[T any](states map[string]T) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for _, state := range slices.Sorted(maps.Keys(states)) {
			if !yield(state, states[state]) {
				return
			}
		}
	}
}

// Examples are all there are, in the order of their list.
func Examples() []Example {
	var s shelf
	s.parts()
	s.entrance()
	s.programme()
	s.event()
	s.organization()
	return s.examples
}

// shelf gathers examples.
type shelf struct{ examples []Example }

func (s *shelf) add(page, state string, show func(layouts.Page) templ.Component) {
	s.examples = append(s.examples, Example{page, state, show})
}

// worded adds a page filled with words as they are, with long ones, and with
// words that are read from right to left.
func (s *shelf) worded(page string, show func(layouts.Page, words) templ.Component) {
	for _, w := range []words{plain, long, rightToLeft} {
		s.add(page, w.state, func(p layouts.Page) templ.Component { return show(p, w) })
	}
}

// words are what people type.
type words struct{ state, person, email, title, label, place, text, html string }

var plain = words{
	"filled", "Ada Byron", "ada@example.org", "Saving a mailing list from 1994", "Archives", "Great hall",
	"What 4,000 evenings at the harbour taught us about keeping a promise.",
	"<p>What <b>4,000 evenings</b> taught us.</p><ul><li>Write it down.</li><li>Read it again.</li></ul>",
}

var long = words{
	"long text", "Wolfeschlegelsteinhausenbergerdorff Hubert Blaine the Third of Philadelphia",
	"wolfeschlegelsteinhausenbergerdorff.hubert.blaine@mail.programme.conference.example.org",
	"On keeping a promise for forty years: what a mailing list, two floppy disks, a lighthouse keeper and " +
		strings.Repeat("unbroken", 12) + " taught the people who looked after them, told by one of them",
	"Archives, letters, lists and everything else that somebody once thought should be kept",
	"The great hall on the third floor of the western wing behind the old customs house",
	strings.Repeat("A sentence that goes on for a while, because somebody had much to say. ", 20) +
		strings.Repeat("unbroken", 40),
	"<p>" + strings.Repeat("A sentence that goes on for a while, because somebody had much to say. ", 20) + "</p><p>" +
		strings.Repeat("unbroken", 40) + "</p>",
}

var rightToLeft = words{
	"right to left", "עדה ביירון", "ada@example.org", "שימור רשימת תפוצה משנת 1994 (part one)", "ארכיונים ומכתבים",
	"האולם الكبير",
	"מה לימדו אותנו 4,000 ערבים בנמל על שמירת הבטחה.", "<p>מה לימדו אותנו <b>4,000 ערבים</b>.</p>",
}

// shell is the frame of a page of an event, with its faults.
func shell(p layouts.Page, title string, w words, faults ...components.Fault) layouts.Shell {
	p.Title, p.Faults = title, faults
	event := layouts.Event{ID: "1", Name: "Harbour Conference 2027", Zone: "Europe/Lisbon", URL: "/design"}
	if w.state == long.state {
		event.Name = w.title
	}
	link := func(name, icon, count string) layouts.Link {
		return layouts.Link{Name: name, URL: "/design", Icon: icon, Count: count, Current: name == title}
	}
	return layouts.Shell{
		Page: p, User: w.person, Role: "owner", Event: &event, Path: "/design",
		Events: []layouts.Event{event, {ID: "2", Name: "Another conference", Zone: "Asia/Tokyo", URL: "/design"}},
		Sections: []layouts.Section{
			{Links: []layouts.Link{link("Dashboard", "layout-dashboard", ""), link("Submissions", "file-text", "1,204"),
				link("Sessions", "calendar", "96"), link("Trash", "trash-2", ""), link("Activity", "activity", "")}},
			{Name: "Event", Links: []layouts.Link{link("Tracks, rooms and tags", "tag", ""), link("API keys", "key-round", ""),
				link("Settings", "settings", "")}},
			{Name: "Organization", Links: []layouts.Link{link("Webhook endpoints", "webhook", ""), link("Staff", "users", "")}},
		},
	}
}

// plainPage is a page before sign-in, with its faults.
func plainPage(p layouts.Page, title string, faults ...components.Fault) layouts.Page {
	p.Title, p.Faults = title, faults
	return p
}

// at is a moment of the examples.
func at(hours int) store.Time {
	return store.At(time.Date(2027, 5, 20, 8, 30, 0, 0, time.UTC).Add(time.Duration(hours) * time.Hour))
}

func option(names ...string) []components.Option {
	options := make([]components.Option, len(names))
	for i, name := range names {
		options[i] = components.Option{Value: name, Name: name, Chosen: i == 0}
	}
	return options
}

var pager = components.Pages{From: "51", To: "100", Total: "1,204", What: "submissions", Previous: "/design",
	Next: "/design"}
