package cfp

import (
	"cmp"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/look"
	"lectern/models/public"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/web/page"
	"lectern/web/request"
)

// dress is what the frame of an event's pages needs to know of it.
type dress struct {
	look     *look.Look
	styles   string     // the version of its style sheet
	isPublic bool       // something of the programme is, or was
	changed  store.Time // when that changed last
}

// dressesKept is of how many events it is kept.
const dressesKept = 100

// dress is how the event looks, as it is now. A page that cannot know it looks as ours do.
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
	if d.isPublic, err = public.Of(p).HasAgenda(v.ctx()); err != nil || !d.isPublic {
		return d, err
	}
	agenda, err := public.Of(p).Agenda(v.ctx())
	if err == nil {
		d.changed = agenda.Changed()
	}
	return d, err
}

// sheet is the frame of a page of the event.
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

// toSite is the address of a page of the event for everybody, which has the language that was chosen in its address.
func (v *visit) toSite(at string) string {
	return v.inLanguage(strings.TrimSuffix(v.path(at), "/"))
}

// inLanguage is an address that has the language that was chosen in this one's.
func (v *visit) inLanguage(to string) string {
	if v.chosen {
		to += "?lang=" + v.Tag
	}
	return to
}

// languages lead to this page in each language; from one that only a form leads to, to where that is.
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

// link is one of what is theirs, current on its page and those below that have none of their own.
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

// city is where an event's clock is: the city that the look of the event at hand names, or what the language calls that
// of the time zone.
func (v *visit) city(e *models.Event) string {
	if e.ID == v.event.ID {
		return cmp.Or(v.dress().look.City, v.City(e.Timezone))
	}
	return v.City(e.Timezone)
}

// moment is an instant by the event's clocks, and by those of who reads, as the language of the page says it.
func (v *visit) moment(at store.Time, e *models.Event) components.Moment {
	m := v.Moment(at, e)
	m.Day, m.City = v.Date(at.In(e.Location())), v.city(e)
	if zone := v.Yours(); zone != nil && m.Yours != "" && m.Yours != at.In(zone).Format("15:04") {
		m.Yours = v.DayOfYear(at.In(zone)) + ", " + v.TimeOf(at.In(zone))
	}
	return m
}

// say is what a rule says, in the language of the page where the catalogue knows it.
func (v *visit) say(message string) string {
	said, _ := v.Fault(message)
	return said
}

// inWords is an answer as people say it.
func (v *visit) inWords(f *cfp.Filled, q *cfp.Question) string {
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
	return f.Said(q)
}
