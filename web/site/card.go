package site

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"lectern/models/look"
	"lectern/models/site"
	"lectern/models/store"
	"lectern/views/layouts"
	pages "lectern/views/pages/site"
	"lectern/views/words"
)

// card returns a session as all pages with sessions show it.
func (v *visit) card(s *site.Session) *pages.Card {
	c := &pages.Card{ID: "s" + strconv.Itoa(s.Number), URL: v.to(sessionAt(s)), Title: s.Title,
		Room: v.names().of(s.RoomID), Number: strconv.Itoa(s.Number), Class: trackClass(s.TrackID)}
	for _, person := range s.People {
		c.People = append(c.People, pages.Person{Name: person.Name, Org: store.Joined(person.JobTitle, person.Company)})
	}
	var meta []string
	if minutes := minutesOf(s); minutes > 0 {
		c.Minutes = v.lasting(minutes)
		c.Until, c.Ends = v.until(s.StartsAt.Time, s.EndsAt.Time), v.toEnd(s.StartsAt.Time, s.EndsAt.Time)
		meta = append(meta, c.Minutes)
	}
	if track := v.names().of(s.TrackID); track != "" {
		meta = append(meta, words.Apart(track))
	}
	c.Meta = strings.Join(meta, ", ")
	if !s.StartsAt.IsZero() {
		start := s.StartsAt.In(v.zone)
		c.Clock, c.Datetime, c.Yours = v.timeOf(start), start.Format(time.RFC3339), v.yours(s.StartsAt.Time)
	}
	c.Starred = slices.Contains(v.mine(), s.Number)
	if v.embed == nil && v.look.Has(look.Schedule) { // browsers keep nothing in another site's frame
		c.Star = cmp.Or(v.asks("", "my", v.toggled(s.Number)), v.Path()) + "#" + c.ID // short, since a page has hundreds
	}
	return c
}

// idOf returns an id, "" for nil.
func idOf(id *string) string {
	if id == nil {
		return ""
	}
	return *id
}

// minutesOf returns how long a session is, 0 without an end.
func minutesOf(s *site.Session) int {
	if s.EndsAt == nil || s.StartsAt.IsZero() {
		return 0
	}
	return int(s.EndsAt.Sub(s.StartsAt.Time) / time.Minute)
}

// sessionAt returns the address of a session's page: its label, and the words of its title.
func sessionAt(s *site.Session) string {
	return "sessions/" + wordsOf("s-"+strconv.Itoa(s.Number), s.Title)
}

// wordsOf appends the words of a text to the name of a page, escaped for an address. They are only for people: any
// other words lead to the same page.
func wordsOf(name, text string) string {
	const longest = 60
	out := append(make([]byte, 0, longest), name...)
	for word := range strings.FieldsFuncSeq(store.Searchable(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if len(out)+len(word) > longest {
			break
		}
		out = append(append(out, '-'), word...)
	}
	return url.PathEscape(string(out))
}

// trackClass returns the class of a track, which gets its colour in the event's style sheet.
func trackClass(id *string) string {
	if id == nil {
		return ""
	}
	return look.TrackClass(*id)
}

func (v *visit) names() names {
	if v.named == nil {
		v.named = namesOf(v.agenda)
	}
	return v.named
}

// mostStarred is how many sessions a schedule may have.
const mostStarred = 300

// mine returns the numbers of the sessions that the address stars, sorted.
func (v *visit) mine() []int {
	if v.starred == nil {
		v.starred = starredIn(v.query.Get("my"))
	}
	return v.starred
}

// starredIn reads a list of numbers, and returns them sorted, each once.
func starredIn(list string) []int {
	starred := []int{}
	for text := range strings.SplitSeq(list, ",") {
		if n, err := strconv.Atoi(text); err == nil && n > 0 && len(starred) < mostStarred {
			starred = append(starred, n)
		}
	}
	slices.Sort(starred)
	return slices.Compact(starred)
}

// toggled returns the list of starred sessions with one added, or removed.
func (v *visit) toggled(number int) string {
	mine := slices.Clone(v.mine())
	if at, found := slices.BinarySearch(mine, number); found {
		mine = slices.Delete(mine, at, at+1)
	} else {
		mine = slices.Insert(mine, at, number)
	}
	texts := make([]string, len(mine))
	for i, n := range mine {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

// person returns a person as pages show them.
func (v *visit) person(p *site.Person) pages.Person {
	out := pages.Person{Name: p.Name, Photo: p.Photo, About: p.About,
		Org: store.Joined(p.JobTitle, p.Company)}
	if p.Photo != "" {
		out.Photo = v.origin + p.Photo
	}
	if v.look.Has(look.Speakers) {
		out.URL = v.to(personAt(p))
	}
	for _, r := range p.Name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out.Initial = string(unicode.ToUpper(r))
			break
		}
	}
	return out
}

func personAt(p *site.Person) string { return "speakers/" + wordsOf(p.Page, p.Name) }

// dayOf returns the day on which a session begins by the event's clock, "" without a start.
func (v *visit) dayOf(s *site.Session) string {
	if s.StartsAt.IsZero() {
		return ""
	}
	at := s.StartsAt.Unix()
	day, known := v.dates[at]
	if !known {
		day = s.StartsAt.In(v.zone).Format(time.DateOnly)
		v.dates[at] = day
	}
	return day
}

// agendaDays returns the days on which something begins, in order.
func (v *visit) agendaDays() []string {
	if v.days == nil {
		for _, s := range v.agenda.Sessions {
			if day := v.dayOf(s); len(v.days) == 0 || v.days[len(v.days)-1] != day {
				v.days = append(v.days, day)
			}
		}
	}
	return v.days
}

// short returns the name of a zone's offset: CET, or UTC+3 where the zone has no letters.
func short(at time.Time, utc string) string {
	name, offset := at.Zone()
	if strings.ContainsAny(name, "+-") || name == "" {
		return utc + offsetOf(offset)
	}
	return name
}

// offsetOf formats an offset: +7, −3:30.
func offsetOf(seconds int) string {
	sign := "+"
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	text := sign + strconv.Itoa(seconds/3600)
	if minutes := seconds / 60 % 60; minutes > 0 {
		text += fmt.Sprintf(":%02d", minutes)
	}
	return text
}

// crumb is a link to the page above.
func crumb(name, url string) layouts.SiteLink { return layouts.SiteLink{Name: name, URL: url} }
