package site

import (
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/layouts"
	pages "lectern/views/pages/site"
	"lectern/web/page"
)

// releasesShown is how many releases the page of changes goes back.
const releasesShown = 10

// kindsOfChange are how changes are told, in their order.
var kindsOfChange = []struct {
	name string
	is   func(models.PublicChange) bool
}{
	{"Cancelled", func(c models.PublicChange) bool { return c.Cancelled }},
	{"Moved", func(c models.PublicChange) bool { return !c.Cancelled && c.Was != nil }},
	{"New", func(c models.PublicChange) bool { return c.New }},
	{"New titles", func(c models.PublicChange) bool { return !c.New && c.Was == nil }},
}

// changes shows what each release of the agenda changed.
func (s *site) changes(v *page.Visit) error {
	event, err := s.store.EventBy(v.UserContext(), v.Params("event"))
	if err != nil {
		return err
	}
	versions, err := s.store.Programme(event, store.By{}).PublicVersions(v.UserContext(), releasesShown)
	if err != nil {
		return err
	}
	base := "/events/" + event.Slug
	p := pages.ChangesPage{Public: layouts.Public{Page: v.Page("What changed"), When: page.EventDays(event),
		City: page.City(event.Timezone), Path: v.Path()}}
	p.Of, p.Home = event.Name, base+"/call"
	p.Links = []layouts.Link{{Name: "Call for papers", URL: base + "/call"},
		{Name: "What changed", URL: base + "/changes", Current: true}}
	if len(versions) == 0 {
		p.Nothing = "The agenda of this event has not been released yet. Once it is, its changes stand here."
		return v.Show(pages.Changes(p))
	}
	p.Calendar = base + "/calendar.ics"
	for i, x := range versions {
		p.Versions = append(p.Versions, released(&x, event, i == len(versions)-1 && x.Number == 1))
	}
	return v.Show(pages.Changes(p))
}

// released is a release in words.
func released(x *models.PublicVersion, event *models.Event, isFirst bool) pages.Version {
	zone := event.Location()
	out := pages.Version{ID: "version-" + strconv.Itoa(x.Number), Name: x.Name, Note: x.Note, First: isFirst,
		Released: "Released on " + x.ReleasedAt.In(zone).Format("2 January 2006, 15:04")}
	for _, kind := range kindsOfChange {
		part := pages.Part{Name: kind.name}
		for _, c := range x.Changes {
			if kind.is(c) {
				row := pages.Change{Title: c.Title, Number: c.FriendlyID, People: strings.Join(c.People, ", "), WasTitle: c.WasTitle}
				if c.Was != nil {
					row.Was = c.Was.Where(zone)
				}
				if c.Is != nil && (c.New || c.Was != nil) {
					row.Is = c.Is.Where(zone)
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
