// Package gallery shows every part and page of the admin in each of its states, from literals, for people
// who change how something looks.
package gallery

import (
	"cmp"
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

// Path returns the end of the example's address.
func (e Example) Path() string { return slug(e.Page) + "/" + slug(e.State) }

// Show renders the example with the theme and assets of base.
func (e Example) Show(base layouts.Page) templ.Component { return e.show(base) }

var slugs = strings.NewReplacer(" ", "-", ",", "")

func slug(s string) string { return slugs.Replace(strings.ToLower(s)) }

// Examples returns all examples in the order of their list.
func Examples() []Example {
	var s shelf
	s.parts()
	s.entrance()
	s.programme()
	s.call()
	s.composition()
	s.agenda()
	s.event()
	s.rounds()
	s.triage()
	s.organization()
	s.imports()
	s.moving()
	s.archives()
	s.letters()
	s.staffTasks()
	s.revisions()
	s.decisions()
	s.suggestions()
	s.published()
	s.proposals()
	s.place()
	s.tasks()
	s.taskFiles()
	s.site()
	s.insets()
	s.embeds()
	s.manual()
	s.siteProgramme()
	return s.examples
}

// shelf collects examples.
type shelf struct{ examples []Example }

// stage adds the states of one page to a shelf.
type stage[P any] struct {
	shelf       *shelf
	page, title string
	show        func(P) templ.Component
}

// of returns the stage of a page; title is for states that have no title of their own.
func of[P any](s *shelf, page, title string, show func(P) templ.Component) stage[P] {
	return stage[P]{s, page, title, show}
}

// is adds a state; faults are fields and their messages in turn.
func (g stage[P]) is(state string, content P, faults ...string) stage[P] {
	return g.add(state, plain, content, faults)
}

// but adds a state that differs from another one by a change.
func (g stage[P]) but(state string, content P, change func(*P), faults ...string) stage[P] {
	change(&content)
	return g.add(state, plain, content, faults)
}

// worded adds three states: with ordinary words, with long ones, and with words that are read from
// right to left.
func (g stage[P]) worded(content func(words) P, faults ...string) stage[P] {
	for _, w := range []words{plain, long, rightToLeft} {
		g.add(w.state, w, content(w), faults)
	}
	return g
}

func (g stage[P]) add(state string, w words, content P, faults []string) stage[P] {
	var wrong components.Faults
	for pair := range slices.Chunk(faults, 2) {
		wrong = append(wrong, components.Fault{Field: pair[0], Message: pair[1]})
	}
	g.shelf.examples = append(g.shelf.examples, Example{g.page, state, func(p layouts.Page) templ.Component {
		shown := content
		head := any(&shown).(interface{ Head() *layouts.Page }).Head()
		p.Title, p.Of, p.Faults = cmp.Or(head.Title, g.title), head.Of, wrong
		*head = p
		if inside, ok := any(&shown).(interface{ Frame() *layouts.Shell }); ok {
			*inside.Frame() = shell(p, w)
		}
		return g.show(shown)
	}})
	return g
}

// in returns the shell of a page with a title of its own.
func in(title string) layouts.Shell { return layouts.Shell{Page: layouts.Page{Title: title}} }

// here is the address of all links and forms of the examples.
const here = "/design"

// words are the texts that people would have typed.
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

// shell returns the frame of an event's page.
func shell(p layouts.Page, w words) layouts.Shell {
	event := layouts.Event{ID: "1", Name: "Harbour Conference 2027", When: "20 to 22 May 2027 · Lisbon", URL: here}
	if w.state == long.state {
		event.Name = w.title
	}
	link := func(name, icon, count string) layouts.Link {
		return layouts.Link{Name: name, URL: here, Icon: icon, Count: count, Current: name == p.Title}
	}
	return layouts.Shell{
		Page: p, User: w.person, Role: "owner", Event: &event, Path: here,
		Events: []layouts.Event{event, {ID: "2", Name: "Another conference", URL: here}},
		Sections: []layouts.Section{
			{Name: "Call for papers", Links: []layouts.Link{link("Dashboard", "layout-dashboard", ""),
				link("Submissions", "inbox", "1,204")}},
			{Name: "Programme", Links: []layouts.Link{link("Sessions", "book-open", "96"),
				link("Tracks, rooms and tags", "tag", "")}},
			{Name: "Event", Links: []layouts.Link{link("Activity", "history", ""), link("Trash", "trash-2", ""),
				link("API keys", "key-round", ""), link("Look", "eye", ""), link("Settings", "settings", "")}},
			{Name: "Organization", Links: []layouts.Link{link("Webhook endpoints", "webhook", ""), link("Staff", "users", "")}},
		},
	}
}

// at returns a moment, in hours after 20 May 2027, 08:30 UTC.
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

var pager = components.Pages{From: "51", To: "100", Total: "1,204", What: "submissions", Previous: here, Next: here}
