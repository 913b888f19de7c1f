package site

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"

	"lectern/models/embed"
	"lectern/models/site"
	"lectern/models/store"
	"lectern/views/layouts"
	pages "lectern/views/pages/site"
	"lectern/web/page"
)

// showSpeakers shows the people on sessions that are shown: as an index, or as a gallery of photos.
func showSpeakers(v *visit) (templ.Component, error) {
	asPhotos := v.query.Get("view") == "photos" || v.embed != nil && v.embed.Kind == embed.Gallery
	p := pages.SpeakersPage{Site: v.sheet(v.T("speakers.title"), "/speakers"), Action: v.Path(), Kept: v.hiddenFields("view"),
		Text: v.query.Get("q"), Cut: v.cut(),
		Views: []pages.Choice{{Name: v.T("speakers.az"), URL: v.here("view", ""), Current: !asPhotos},
			{Name: v.T("speakers.photos"), URL: v.here("view", "photos"), Current: asPhotos}}}
	p.Description = v.T("speakers.about", "Event", v.event.Name, "Count", v.N("speakers.count", len(v.agenda.People)))
	v.pictured(&p.Site, v.pictureOfSpeakers())
	found := v.peopleNamed(p.Text)
	p.Count = v.Number(len(found))
	if len(found) == 0 {
		p.Nothing = v.T("speakers.nobody")
		if p.Text != "" {
			p.Nothing, p.Clear = v.T("speakers.none"), v.here("q", "")
		}
	}
	var moments []time.Time
	sessions := v.sessionsOf()
	for _, person := range found {
		shown := v.person(person)
		for _, s := range sessions[person.ID] {
			shown.Titles = append(shown.Titles, crumb(s.Title, v.to(sessionAt(s))))
		}
		if asPhotos {
			p.Gallery = append(p.Gallery, shown)
			continue
		}
		timed := startsOf(sessions[person.ID]...)
		timed = timed[:min(len(timed), mostTimes)]
		shown.When, moments = v.whenOf(timed), append(moments, timed...)
		shown.First, shown.Bold, shown.Last = sorted(person)
		letter := letterOf(person.SortedUnder)
		at := slices.IndexFunc(p.Letters, func(l pages.Letter) bool { return l.Name == letter })
		if at < 0 { // people of one letter do not always stand together
			at = len(p.Letters)
			p.Letters = append(p.Letters, pages.Letter{ID: "letter-" + strings.ToLower(letter), Name: letter})
		}
		p.Letters[at].People = append(p.Letters[at].People, shown)
	}
	p.Clock = v.clock(moments)
	return pages.Speakers(p), nil
}

// peopleNamed returns the people whose names contain all words of a text.
func (v *visit) peopleNamed(text string) (found []*site.Person) {
	wanted := strings.Fields(store.Searchable(text))
next:
	for _, person := range v.agenda.People {
		folded := store.Searchable(person.Name, person.SortedUnder)
		for _, word := range wanted {
			if !strings.Contains(folded, word) {
				continue next
			}
		}
		found = append(found, person)
	}
	return found
}

// sessionsOf returns the sessions of each person, in order, by id.
func (v *visit) sessionsOf() map[string][]*site.Session {
	of := map[string][]*site.Session{}
	for s := range v.agenda.All {
		for _, on := range s.People {
			of[on.ID] = append(of[on.ID], s)
		}
	}
	return of
}

// mostTimes is how many times an index names for one person.
const mostTimes = 4

// whenOf lists times in short: "Sat 13:15, Sun 09:00".
func (v *visit) whenOf(moments []time.Time) string {
	var times []string
	for _, at := range moments {
		times = append(times, v.Weekday(at.In(v.zone))+"\u00a0"+v.timeOf(at.In(v.zone)))
	}
	return strings.Join(times, ", ")
}

// letterOf returns the letter of an index that a name belongs to: a Latin letter without its marks, the first character
// of another script, or # for anything else.
func letterOf(name string) string {
	if r, _ := utf8.DecodeRuneInString(store.Searchable(name)); unicode.IsLetter(r) {
		return string(unicode.ToUpper(r))
	}
	return "#"
}

// sorted splits a name around the part that it is sorted under.
func sorted(p *site.Person) (before, under, after string) {
	under, _, _ = strings.Cut(p.SortedUnder, ", ")
	if at := strings.LastIndex(p.Name, under); at >= 0 && under != "" {
		return strings.TrimSpace(p.Name[:at]), under, strings.TrimSpace(p.Name[at+len(under):])
	}
	return "", p.Name, ""
}

// showSpeaker shows a person. The name of their page leads there, whatever words follow it.
func showSpeaker(v *visit) (templ.Component, error) {
	person, err := v.speakerNamed(v.Params("speaker"))
	if err != nil {
		return nil, err
	}
	if at := personAt(person); v.Path() != v.path(at) {
		return nil, moved{v.to(at)}
	}
	return v.speaker(person), nil
}

// speakerNamed finds a person by the name of their page, whatever words follow it.
func (v *visit) speakerNamed(name string) (*site.Person, error) {
	name, _, _ = strings.Cut(name, "-")
	for _, person := range v.agenda.People {
		if person.Page == name {
			return person, nil
		}
	}
	if v.agenda.WasOn[name] != nil {
		return nil, errGone
	}
	return nil, page.NoPage
}

func (v *visit) speaker(person *site.Person) templ.Component {
	p := pages.SpeakerPage{Site: v.sheet(person.Name, "/"+personAt(person)), Person: v.person(person)}
	p.Type = "profile"
	p.Description = cmp.Or(shortened(store.Joined(p.Person.Org, plainText(person.About)), 160), p.Description)
	p.Data = structured(v.personData(person))
	v.pictured(&p.Site, v.pictureOfSpeaker(person))
	for _, link := range []string{person.Website, person.Linkedin} {
		if at, err := url.Parse(link); err == nil && (at.Scheme == "https" || at.Scheme == "http") && at.Host != "" {
			p.Links = append(p.Links, layouts.SiteLink{Name: strings.TrimPrefix(at.Host, "www."), URL: link})
		}
	}
	sessions := v.sessionsOf()[person.ID]
	for _, s := range sessions {
		card := pages.SpeakerSession{Card: *v.card(s)}
		if card.Day = v.T("session.notime"); !s.StartsAt.IsZero() {
			card.Day = v.DayHead(s.StartsAt.In(v.zone))
		}
		for _, on := range s.People {
			if on.ID != person.ID {
				card.With = append(card.With, v.person(on.Person))
			}
		}
		p.Sessions = append(p.Sessions, card)
	}
	p.Count, p.Zones = v.N("agenda.sessions", len(sessions)), v.zonesOf(sessions...)
	p.Calendar = v.path("speakers/" + person.Page + ".ics")
	return pages.Speaker(p)
}
