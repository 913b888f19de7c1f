package page

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/look"
	"lectern/models/store"
	"lectern/views/layouts"
	"lectern/views/words"
)

// Head holds what the head and the foot of an event's public pages need.
type Head struct {
	*words.Language
	Event    *models.Event
	Look     *look.Look
	IsPublic bool                   // something of the programme is public, or was
	To       func(at string) string // returns the address of a page below the event's
	Shown    look.Page              // the menu's page that this is, "" for none
}

// menuPages are the pages in the menu: the word for each unless staff chose another, its address, and whether it
// stands in the head or in the foot.
var menuPages = []struct {
	page     look.Page
	word, at string
	atFoot   bool
}{
	{look.Agenda, "frame.agenda", "agenda", false},
	{look.Sessions, "itinerary.list", "sessions", false},
	{look.Itinerary, "itinerary.title", "itinerary", false},
	{look.Speakers, "speakers.title", "speakers", false},
	{look.Schedule, "mine.title", "my", false},
	{look.Changes, "frame.changes", "changes", true},
}

// Menu returns the links to the pages that exist, in the head and in the foot. The call is not among them: see
// CallLink.
func (h Head) Menu() (head, foot []layouts.SiteLink) {
	if !h.IsPublic {
		return nil, nil
	}
	for _, m := range menuPages {
		if !h.Look.Has(m.page) {
			continue
		}
		link := layouts.SiteLink{Name: h.Name(m.page), URL: h.To(m.at), Current: h.Shown == m.page}
		if m.page == look.Schedule {
			link.ID = "my-schedule"
		}
		if m.atFoot {
			foot = append(foot, link)
		} else {
			head = append(head, link)
		}
	}
	return head, append(foot, layouts.SiteLink{Name: h.T("feeds.title"), URL: h.To("feeds")})
}

// Name returns what a page is called.
func (h Head) Name(p look.Page) string {
	for _, m := range menuPages {
		if m.page == p {
			return cmp.Or(h.Look.Word(p), h.T(m.word))
		}
	}
	return ""
}

// CallLink returns the link to the call for papers.
func (h Head) CallLink() layouts.SiteLink {
	return layouts.SiteLink{Name: h.T("frame.call"), URL: h.To("call")}
}

// HasCall tells whether the menu leads to the call for papers: while it is open, or before it opens.
func (h Head) HasCall(now store.Time) bool {
	phase := call.Dates(h.Event).Phase(now)
	return phase == call.NotYet || phase == call.IsOpen
}

// Changed says when the programme last changed, for the foot.
func (h Head) Changed(at store.Time) string {
	local := at.In(h.Event.Location())
	return h.Day(local) + ", " + h.TimeOf(local)
}

// When says when and where the event takes place; days stand in for dates that the event does not have.
func (h Head) When(days string) string {
	if h.Event.StartsOn != nil {
		days = h.Days(Span(h.Event))
	}
	return store.Joined(days, h.Look.Where())
}

// StylesVersion returns a hash of a style sheet, for its address.
func StylesVersion(styles string) string {
	sum := sha256.Sum256([]byte(styles))
	return hex.EncodeToString(sum[:6])
}
