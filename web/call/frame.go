package call

import (
	"cmp"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/look"
	"lectern/models/site"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/web/page"
	"lectern/web/request"
)

// dress is what the frame of an event's pages needs.
type dress struct {
	look     *look.Look
	styles   string     // version of the event's style sheet
	isPublic bool       // something of the programme is public, or was
	changed  store.Time // when the programme last changed
}

// dressesKept is how many events' dresses are cached.
const dressesKept = 100

// dress returns the event's look as it is now. Where it cannot be read, the page looks like our own.
func (v *visit) dress() *dress {
	p := v.w.store.Programme(v.event, store.By{})
	d, err := v.w.dresses.Get(v.ctx(), v.event.ID, p.AgendaState(), func() (*dress, error) { return v.dressOf(p) })
	if err != nil {
		slog.Error("the look of an event was not read", "request_id", request.ID(v.Context()), "error", err.Error())
		return &dress{look: &look.Look{}}
	}
	return d
}

func (v *visit) dressOf(p *models.Programme) (*dress, error) {
	looks := look.Of(p)
	l, err := looks.Look(v.ctx())
	if err != nil {
		return nil, err
	}
	styles, err := looks.StyleSheet(v.ctx())
	if err != nil {
		return nil, err
	}
	d := &dress{look: l, styles: page.StylesVersion(styles)}
	if d.isPublic, err = site.Of(p).HasAgenda(v.ctx()); err != nil || !d.isPublic {
		return d, err
	}
	agenda, err := site.Of(p).Agenda(v.ctx())
	if err == nil {
		d.changed = agenda.Changed()
	}
	return d, err
}

// sheet returns the frame of a page of the event.
func (v *visit) sheet(title string) layouts.Public {
	d := v.dress()
	h := page.Head{Language: v.Language, Event: v.event, Look: d.look, IsPublic: d.isPublic, To: v.toSite}
	p := layouts.Public{Site: layouts.Site{Page: v.Page(title), Language: v.Language, When: h.When(""),
		Languages: v.languages(), Origin: v.w.options.BaseURL}, City: v.city(v.event), Path: v.Path(),
		ZoneTo: v.path("place/zone"), Leave: v.path("place/leave")}
	p.Of, p.Home, p.Lang, p.Logo = v.event.Name, v.toSite(""), v.Tag, look.Logo.Path(d.look)
	if d.styles != "" {
		p.Look = v.path("look.css") + "?v=" + d.styles
	}
	if zone := v.Yours(); zone != nil {
		p.Zone = v.City(zone.String())
	}
	if d.isPublic {
		p.Changed = h.Changed(d.changed)
	}
	p.Links, p.Foot = h.Menu()
	h.To = func(at string) string { return v.path(at) }
	call := h.CallLink()
	if call.Current = v.Path() == call.URL; call.Current || h.HasCall(v.w.store.Now()) {
		p.Links = append(p.Links, call)
	}
	p.Own = []layouts.SiteLink{v.link(v.T("place.title"), "place")}
	if v.login == nil {
		return p
	}
	p.Who = v.login.Account.Name
	p.Own = slices.Concat(p.Own, v.tasksLink(), []layouts.SiteLink{v.link(v.T("profile.both"), "place/profile")})
	p.Came = layouts.Came{Address: v.login.Account.Masked(), Confirmed: v.login.Account.IsConfirmed(),
		Until: v.Date(v.login.ExpiresAt.In(v.event.Location()))}
	return p
}

// toSite returns the address of a public page of the event, with the language that was chosen.
func (v *visit) toSite(at string) string {
	return v.inLanguage(strings.TrimSuffix(v.path(at), "/"))
}

// inLanguage adds the language of this address, if it has one.
func (v *visit) inLanguage(to string) string {
	if v.chosen {
		to += "?lang=" + v.Tag
	}
	return to
}

// languages returns the links to this page in each language; from an address that only takes forms they lead to the
// call or the place.
func (v *visit) languages() (links []layouts.SiteLink) {
	at, query := v.Path(), url.Values{}
	if !v.Reads() && !isShown(at) {
		at = v.path("call")
		if v.login != nil {
			at = v.path("place")
		}
	} else if v.Reads() {
		query, _ = url.ParseQuery(string(v.Context().QueryArgs().QueryString()))
	}
	for _, l := range v.Offered(v.event) {
		query.Set("lang", l.Tag)
		links = append(links, layouts.SiteLink{Name: l.Name, Lang: l.Tag, URL: at + "?" + query.Encode(),
			Current: l == v.Language})
	}
	return links
}

// link returns a link of the place's menu, current on its page and on those below that have no link of their own.
func (v *visit) link(name, at string) layouts.SiteLink {
	to := v.path(at)
	here := v.Path() == to
	if at == "place" {
		here = here || strings.HasPrefix(v.Path(), to+"/proposals/") || strings.HasPrefix(v.Path(), to+"/sessions/") ||
			strings.HasPrefix(v.Path(), to+"/letters/")
	}
	if at == "place/tasks" {
		here = here || strings.HasPrefix(v.Path(), to+"/")
	}
	return layouts.SiteLink{Name: name, URL: to, Current: here}
}

// city returns the city of an event's clock: the one that this event's look names, else that of the time zone in the
// page's language.
func (v *visit) city(e *models.Event) string {
	if e.ID == v.event.ID {
		return cmp.Or(v.dress().look.City, v.City(e.Timezone))
	}
	return v.City(e.Timezone)
}

// moment returns an instant by the event's clock, and by the reader's, in the page's language.
func (v *visit) moment(at store.Time, e *models.Event) components.Moment {
	m := v.Moment(at, e)
	m.Day, m.City = v.Date(at.In(e.Location())), v.city(e)
	if zone := v.Yours(); zone != nil && m.Yours != "" && m.Yours != at.In(zone).Format("15:04") {
		m.Yours = v.DayOfYear(at.In(zone)) + ", " + v.TimeOf(at.In(zone))
	}
	return m
}

// say translates the message of a rule, where the catalogue knows it.
func (v *visit) say(message string) string {
	said, _ := v.Fault(message)
	return said
}

// inWords returns an answer as people say it.
func (v *visit) inWords(f *call.Filled, q *call.Question) string {
	value := f.Values[q.Key]
	switch {
	case q.Type == field.YesNo && value == field.Yes:
		return v.T("form.yes")
	case q.Type == field.YesNo && value == field.No:
		return v.T("form.no")
	case q.Type == field.Date && q.Standard == "":
		if day, err := time.Parse(time.DateOnly, value); err == nil {
			return v.Date(day)
		}
	}
	return f.Words(q)
}
