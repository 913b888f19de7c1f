package site

import (
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"lectern/models/agenda"
	"lectern/models/store"
	pages "lectern/views/pages/site"
)

// releasesShown is how many releases the page of changes shows.
const releasesShown = 10

// kindsOfChange are the kinds of changes, in order.
var kindsOfChange = []struct {
	name string
	is   func(agenda.PublicChange) bool
}{
	{"changes.cancelled", func(c agenda.PublicChange) bool { return c.Cancelled }},
	{"changes.moved", func(c agenda.PublicChange) bool { return !c.Cancelled && c.Was != nil }},
	{"changes.new", func(c agenda.PublicChange) bool { return c.New }},
	{"changes.titles", func(c agenda.PublicChange) bool { return !c.New && c.Was == nil }},
}

// showChanges shows what each release of the agenda changed.
func showChanges(v *visit) (templ.Component, error) {
	versions, err := agenda.Of(v.programme).PublicVersions(v.UserContext(), releasesShown)
	if err != nil {
		return nil, err
	}
	p := pages.ChangesPage{Site: v.sheet(v.T("changes.title"), "/changes")}
	if hasFeeds(v.agenda) {
		p.Calendar = v.path("calendar.ics")
	}
	switch {
	case len(versions) == 0 && v.agenda == nil:
		p.Nothing = v.T("changes.none")
	case len(versions) == 0: // sessions are public, but no version of the agenda was released
		p.Nothing = v.T("changes.unreleased")
	}
	var moments []time.Time
	for i, x := range versions {
		p.Versions = append(p.Versions, v.released(&x, i == len(versions)-1 && x.Number == 1))
		moments = append(moments, x.ReleasedAt.Time)
		for _, c := range x.Changes {
			for _, at := range []*agenda.PublicPlace{c.Was, c.Is} {
				if at != nil {
					moments = append(moments, at.StartsAt.Time)
				}
			}
		}
	}
	p.Zones = v.zones(moments...)
	return pages.Changes(p), nil
}

// released puts a release into words.
func (v *visit) released(x *agenda.PublicVersion, isFirst bool) pages.Version {
	at := x.ReleasedAt.In(v.zone)
	out := pages.Version{ID: "version-" + strconv.Itoa(x.Number), Name: x.Name, Note: x.Note, First: isFirst,
		Released: v.T("changes.released", "When", v.Date(at)+", "+v.timeOf(at))}
	for _, kind := range kindsOfChange {
		part := pages.Part{Name: v.T(kind.name)}
		for _, c := range x.Changes {
			if kind.is(c) {
				row := pages.Change{Title: c.Title, Number: c.FriendlyID, People: strings.Join(c.People, ", "), WasTitle: c.WasTitle}
				if c.Was != nil {
					row.Was = v.placed(c.Was)
				}
				if c.Is != nil && (c.New || c.Was != nil) {
					row.Is = v.placed(c.Is)
				}
				part.Changes = append(part.Changes, row)
			}
		}
		if len(part.Changes) > 0 {
			out.Parts = append(out.Parts, part)
		}
	}
	return out
}

// placed says when and where a session is, or was: "Thursday 20 May, 09:40–10:20, Rope Loft".
func (v *visit) placed(p *agenda.PublicPlace) string {
	start := p.StartsAt.In(v.zone)
	text := v.DayHead(start) + ", " + v.timeOf(start) + v.toEnd(start, p.EndsAt.Time)
	if yours := v.yours(p.StartsAt.Time); yours != "" {
		text += " (" + yours + ")"
	}
	return store.Joined(text, p.Room)
}
