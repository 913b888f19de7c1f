package site

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lectern/models/call"
	"lectern/models/files"
	"lectern/models/look"
	"lectern/models/site"
	"lectern/models/store"
	"lectern/views/layouts"
	"lectern/web/page"
	"lectern/web/poster"
	"lectern/web/request"
)

// keptPictureBytes bounds the memory of all cached pictures. They have a cache of their own, so that many requests for
// pictures push no page out.
const keptPictureBytes = 16 << 20

// pictureEnd is the path of a page's picture, below the page.
const pictureEnd = "/picture.png"

// pictureRoutes are the pictures that stand for pages where people share links.
var pictureRoutes = []route{
	{path: pictureEnd, draw: func(v *visit) (*picture, error) { return v.pictureOfStart(), nil }},
	{path: "/call" + pictureEnd, draw: drawCall},
	{path: "/agenda/:day" + pictureEnd, page: look.Agenda, needsProgramme: true, draw: drawDay},
	{path: "/sessions/:session" + pictureEnd, needsProgramme: true, draw: drawSession},
	{path: "/speakers" + pictureEnd, page: look.Speakers, needsProgramme: true,
		draw: func(v *visit) (*picture, error) { return v.pictureOfSpeakers(), nil }},
	{path: "/speakers/:speaker" + pictureEnd, page: look.Speakers, needsProgramme: true, draw: drawSpeaker},
}

// picture is the picture of a page.
type picture struct {
	at string // the page's address below the event's, without words of titles and names; "" for the start page
	poster.Poster
	photo string // address of the photo on it
}

// poster returns a poster in the event's colours. Texts that cannot be written are left out: the event's name then
// replaces the title, and its short name replaces the event's name.
func (v *visit) poster(at, title, foot string, lines ...string) *picture {
	c := v.look.Colours.Light
	p := &picture{at: at, Poster: poster.Poster{IsSans: v.look.Heading == look.Sans, Foot: poster.Written(foot),
		Colours: poster.Colours{Paper: c.Paper, Panel: c.Panel, Ink: c.Ink, Muted: c.Muted, Line: c.BrandLine,
			Text: c.BrandText, Edge: c.Hairline}}}
	p.Event = cmp.Or(poster.Written(v.event.Name), v.event.Slug)
	if p.Title = poster.Written(title); p.Title == "" {
		p.Title, p.Event = p.Event, ""
	}
	if p.Title == p.Event {
		p.Event = ""
	}
	for _, line := range lines {
		if line = poster.Written(line); line != "" {
			p.Lines = append(p.Lines, line)
		}
	}
	return p
}

func (v *visit) pictureOfStart() *picture { return v.poster("", v.event.Name, v.when()) }

// drawCall draws the call for papers, whose page another package serves.
func drawCall(v *visit) (*picture, error) {
	if v.call() == call.NoCall {
		return nil, page.NoPage
	}
	var until string
	if closes := v.event.CFPClosesAt; closes != nil {
		local := closes.In(v.zone)
		until = v.T("agenda.until", "Clock", v.Date(local)+", "+v.timeOf(local)+" ("+v.cityHere()+")")
	}
	return v.poster("/call", v.T("frame.call"), v.when(), until), nil
}

func drawDay(v *visit) (*picture, error) {
	if !slices.Contains(v.agendaDays(), v.Params("day")) {
		return nil, page.NoPage
	}
	return v.pictureOfDay(v.Params("day")), nil
}

func (v *visit) pictureOfDay(day string) *picture {
	count := 0
	for _, s := range v.agenda.Sessions {
		if v.dayOf(s) == day {
			count++
		}
	}
	return v.poster("/agenda/"+day, v.DayHead(page.Date(day)), v.when(), v.N("agenda.sessions", count))
}

func drawSession(v *visit) (*picture, error) {
	s, err := v.sessionNamed(v.Params("session"))
	if err != nil {
		return nil, err
	}
	return v.pictureOfSession(s), nil
}

// mostDrawn is how many people or sessions a picture names.
const mostDrawn = 2

func (v *visit) pictureOfSession(s *site.Session) *picture {
	var people []string
	for i, on := range s.People {
		if i == mostDrawn {
			people[i-1] += ", +" + v.Number(len(s.People)-i)
			break
		}
		people = append(people, cmp.Or(poster.Written(store.Joined(on.Name, on.JobTitle, on.Company)), on.Name))
	}
	var when string
	if !s.StartsAt.IsZero() {
		start := s.StartsAt.In(v.zone)
		if when = v.DayHead(start) + ", " + v.timeOf(start); s.EndsAt != nil {
			when += v.toEnd(start, s.EndsAt.Time)
		}
	}
	foot := store.Joined(when, v.names().of(s.RoomID))
	return v.poster("/sessions/s-"+strconv.Itoa(s.Number), s.Title, cmp.Or(poster.Written(foot), when), people...)
}

func (v *visit) pictureOfSpeakers() *picture {
	return v.poster("/speakers", v.T("speakers.title"), v.when(), v.N("speakers.count", len(v.agenda.People)))
}

func drawSpeaker(v *visit) (*picture, error) {
	person, err := v.speakerNamed(v.Params("speaker"))
	if err != nil {
		return nil, err
	}
	return v.pictureOfSpeaker(person), nil
}

func (v *visit) pictureOfSpeaker(person *site.Person) *picture {
	lines := []string{store.Joined(person.JobTitle, person.Company)}
	for i, s := range v.sessionsOf()[person.ID] {
		if i < mostDrawn {
			lines = append(lines, s.Title)
		}
	}
	p := v.poster("/speakers/"+person.Page, person.Name, v.when(), lines...)
	p.Face, p.Initial, p.photo = true, v.person(person).Initial, person.Photo
	return p
}

// pictured adds a page's picture to its frame. The picture's address changes with its content, since sites that show
// links cache pictures for weeks.
func (v *visit) pictured(s *layouts.Site, p *picture) {
	if v.embed != nil {
		return
	}
	sum := sha256.Sum256(fmt.Append(nil, p.Poster, p.photo))
	query := url.Values{"lang": {v.Tag}, "v": {hex.EncodeToString(sum[:4])}}
	s.Picture = layouts.Shared{URL: v.s.BaseURL + address(v.home()+p.at+pictureEnd, query), Width: poster.Width,
		Height: poster.Height, Alt: s.Title}
}

// draw draws the picture of a page. Only one is drawn at a time: there are as many as there are sessions, and readers
// of pages come first.
func (v *visit) draw() (*answer, error) {
	p, err := v.route.draw(v)
	if err != nil {
		return nil, err
	}
	if at := v.home() + p.at + pictureEnd; v.Path() != at {
		return nil, moved{address(at, v.carried)}
	}
	select {
	case v.s.easel <- struct{}{}:
		defer func() { <-v.s.easel }()
	case <-v.UserContext().Done():
		return nil, v.UserContext().Err()
	}
	if p.photo != "" {
		p.Photo = v.s.photo(v.UserContext(), p.photo)
	}
	file, err := p.PNG()
	if err != nil {
		return nil, err
	}
	return &answer{body: body{whole: file, etag: request.ETagOf(file)}, status: http.StatusOK, kind: "png"}, nil
}

// photo reads a photo of ours, nil where that fails; the initial is drawn then.
func (s *handlers) photo(ctx context.Context, address string) image.Image {
	_, name, _ := strings.Cut(address, "/photos/")
	f, err := s.store.Photo(ctx, strings.TrimSuffix(name, ".jpg"))
	if err != nil || f.MediaType != files.PhotoType {
		return nil
	}
	there, err := s.store.OpenFile(ctx, f)
	if err != nil {
		return nil
	}
	defer there.Close()
	photo, err := jpeg.Decode(there)
	if err != nil {
		return nil
	}
	return photo
}
