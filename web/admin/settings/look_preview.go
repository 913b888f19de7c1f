package settings

import (
	"fmt"
	"html"
	"math"
	"net/url"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/look"
	"lectern/models/site"
	"lectern/models/store"
	"lectern/views/layouts"
	pages "lectern/views/pages/settings"
	sitepages "lectern/views/pages/site"
	"lectern/views/words"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// lookColours returns the colours of a form, "" (our own) for what is no colour.
func lookColours(brand, paper string) (string, string) {
	colour := func(typed string) string {
		if found, ok := look.Colour(typed); ok {
			return found
		}
		return ""
	}
	return colour(brand), colour(paper)
}

// lookMeasures returns the contrasts of the colours that are derived from a form's.
func lookMeasures(brand, paper string) (rows []pages.LookMeasure) {
	colours := look.Derive(lookColours(brand, paper))
	add := func(name string, note func(s look.Scheme) string, sample func(s look.Scheme) (color, ground string)) {
		row := pages.LookMeasure{Name: name, Light: lookSample(sample(colours.Light)), Dark: lookSample(sample(colours.Dark))}
		if note != nil {
			row.Note = note(colours.Light)
		}
		rows = append(rows, row)
	}
	add("Text on the brand", onBrandNote, func(s look.Scheme) (string, string) { return s.OnBrand, s.Brand })
	moved := func(to func(look.Scheme) string) func(look.Scheme) string {
		return func(s look.Scheme) string {
			switch {
			case brand == "":
				return ""
			case to(s) == s.Brand:
				return "The brand as it is"
			}
			return to(s) + " on light pages; the brand alone has " + ratio(s.Brand, s.Paper)
		}
	}
	text, line := func(s look.Scheme) string { return s.BrandText }, func(s look.Scheme) string { return s.BrandLine }
	add("Links and stars", moved(text), func(s look.Scheme) (string, string) { return s.BrandText, s.Paper })
	add("Rules and marks", moved(line), func(s look.Scheme) (string, string) { return s.BrandLine, s.Paper })
	add("Text on paper", nil, func(s look.Scheme) (string, string) { return s.Ink, s.Paper })
	add("Quiet text", nil, func(s look.Scheme) (string, string) { return s.Muted, s.Paper })
	return rows
}

// onBrandNote says why text on the brand has its colour.
func onBrandNote(s look.Scheme) string {
	switch s.OnBrand {
	case "#FFFFFF":
		return "White chosen; ink would have " + ratio(s.Ink, s.Brand)
	case s.Ink:
		return "Ink chosen; white would have " + ratio("#FFFFFF", s.Brand)
	}
	return "Black chosen; ink would have " + ratio(s.Ink, s.Brand) + ", white " + ratio("#FFFFFF", s.Brand)
}

func lookSample(color, ground string) pages.LookSample {
	return pages.LookSample{Color: color, Ground: ground, Ratio: ratio(color, ground)}
}

// ratio words a contrast, rounded down.
func ratio(color, ground string) string {
	return fmt.Sprintf("%.1f : 1", math.Floor(10*look.Contrast(color, ground))/10)
}

// measureLook answers a script with the contrasts of the colours in its query.
func measureLook(v *visit.Visit) error {
	asked := lookAsked(v)
	return v.Show(pages.LookMeasured(lookMeasures(asked("brand"), asked("paper"))))
}

// lookAsked returns what reads the values in the query of a preview.
func lookAsked(v *visit.Visit) func(field string) string {
	return func(field string) string { return strings.TrimSpace(v.Query(field)) }
}

// previewAddress returns the address of the preview of a form's values, without its theme; a long text is cut.
func previewAddress(base string, e *page.Edit) string {
	q := url.Values{}
	for _, field := range e.Fields {
		if field.Mine != "" {
			q.Set(field.Name, field.Mine)
		}
	}
	q.Set("intro", visit.ShortText(store.PlainText(e.Of("intro"))))
	return base + "/preview?" + q.Encode()
}

// previewLook shows what the event's public page would look like with the values of the query; until sessions are
// public, with examples. Only our own pages may frame it.
func previewLook(v *visit.Visit) error {
	asked := lookAsked(v)
	saved, err := looks(v).Look(v.UserContext())
	if err != nil {
		return err
	}
	tracks, err := v.Programme.Family(v.UserContext(), models.Tracks)
	if err != nil {
		return err
	}
	agenda, err := site.Of(v.Programme).Agenda(v.UserContext())
	if err != nil && store.KindOf(err) != store.NotFound {
		return err
	}
	sessions, speakers, next := 36, 24, exampleSessions(tracks)
	if agenda != nil && len(agenda.Sessions) > 0 {
		sessions, speakers = len(agenda.Sessions)+len(agenda.Unplaced), len(agenda.People)
		next = firstSessions(v, agenda, tracks)
	}
	english := words.English()
	p := sitepages.StartPage{Site: previewFrame(v, asked, saved), Intro: previewIntro(asked("intro")),
		Photo: look.Picture.Path(saved), Alt: asked("picture_alt"), Next: next, NextAs: english.T("start.first"),
		Doors: []sitepages.Door{{Name: english.T("start.programme"), Text: english.N("speakers.count", speakers), URL: previewLink,
			Figure: english.Number(sessions), Of: english.N("start.sessions", sessions), Primary: true}},
		More: layouts.SiteLink{Name: english.T("start.all"), URL: previewLink}}
	p.Lede = p.When
	page.Framed.Set(v.Ctx)
	return v.Show(sitepages.Start(p))
}

// previewLink is where every link of a preview leads.
const previewLink = "#main"

// previewFrame returns the frame of the public pages with the values of the query.
func previewFrame(v *visit.Visit, asked func(field string) string, saved *look.Look) layouts.Site {
	s := layouts.Site{Page: layouts.Page{Title: "Preview", Assets: v.Page("").Assets}, Language: words.English(),
		Logo: look.Logo.Path(saved), Unlisted: true}
	s.Of, s.Home, s.Theme = v.Event.Name, previewLink, "light"
	if v.Query("theme") == "dark" {
		s.Theme = "dark"
	}
	head := page.Head{Language: s.Language, Event: v.Event, IsPublic: true, Shown: look.Agenda,
		Look: &look.Look{Venue: asked("venue"), City: asked("city"), Menu: menuOf(asked)},
		To:   func(string) string { return previewLink }}
	s.When = head.When("")
	s.Links, s.Foot = head.Menu()
	q := url.Values{"brand": {asked("brand")}, "paper": {asked("paper")}, "heading": {asked("heading")}}
	s.Look = v.At("/look/preview.css?" + q.Encode())
	return s
}

// previewIntro returns the beginning of a text as a paragraph, with its markup escaped.
func previewIntro(intro string) string {
	if text := visit.ShortText(intro); text != "" {
		return "<p>" + html.EscapeString(text) + "</p>"
	}
	return ""
}

// exampleSessions stand in a preview until sessions are public, in the event's tracks if there are any.
func exampleSessions(tracks []*models.Metadata) []sitepages.Card {
	sessions := []sitepages.Card{
		{Clock: "09:30", Title: "Harbour pilots and other distributed systems",
			People: []sitepages.Person{{Name: "Ingrid Sørlie"}}},
		{Clock: "10:15", Title: "Typesetting a railway timetable", People: []sitepages.Person{{Name: "田辺 由紀"}}},
		{Clock: "11:30", Title: "What the night shift taught us", People: []sitepages.Person{{Name: "Chidinma Okafor"}}},
	}
	for i := range sessions {
		sessions[i].URL, sessions[i].Datetime = previewLink, sessions[i].Clock
		if len(tracks) > 0 {
			onTrack(&sessions[i], tracks[i%len(tracks)])
		}
	}
	return sessions
}

// firstSessions returns the first sessions of the public programme.
func firstSessions(v *visit.Visit, agenda *site.Agenda, tracks []*models.Metadata) (sessions []sitepages.Card) {
	for _, s := range agenda.Sessions[:min(3, len(agenda.Sessions))] {
		start := s.StartsAt.In(v.Event.Location())
		card := sitepages.Card{Clock: start.Format("15:04"), Datetime: start.Format(time.RFC3339), Title: s.Title, URL: previewLink}
		card.People = store.Map(s.People, func(x site.Speaker) sitepages.Person { return sitepages.Person{Name: x.Name} })
		for _, track := range tracks {
			if visit.ValueOr(s.TrackID, "") == track.ID {
				onTrack(&card, track)
			}
		}
		sessions = append(sessions, card)
	}
	return sessions
}

func onTrack(card *sitepages.Card, track *models.Metadata) {
	card.Meta, card.Class = track.Name, look.TrackClass(track.ID)
}

// previewStyle answers with the style sheet of the colours and the face in its query.
func previewStyle(v *visit.Visit) error {
	tracks, err := v.Programme.Family(v.UserContext(), models.Tracks)
	if err != nil {
		return err
	}
	asked := lookAsked(v)
	l := &look.Look{Heading: look.Face(asked("heading")),
		Colours: look.Derive(lookColours(asked("brand"), asked("paper")))}
	v.Type("css", "utf-8")
	return v.SendString(l.StyleSheet(tracks))
}
