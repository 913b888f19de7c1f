package call

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/call/public"
	"lectern/web/page"
	"lectern/web/poster"
)

// callState is the call of an event, and what it still accepts.
type callState struct {
	form   *call.Form // nil where the event has no call
	window call.Window
	code   string // the valid access code of the address, "" without one
}

func (v *visit) callState(e *models.Event) (c callState, err error) {
	c.form, err = call.FormOf(v.ctx(), v.w.store, e)
	if store.KindOf(err) == store.NotFound {
		return callState{}, nil
	}
	if err == nil {
		c.window, err = call.WindowOf(v.ctx(), v.w.store, e, c.form)
	}
	return c, err
}

// takes tells whether another proposal can be begun now.
func (c callState) takes(now store.Time) bool {
	return c.form != nil && c.window.Phase(now) == call.IsOpen
}

// seen reads the event's call as this visitor sees it.
func (v *visit) seen() (c callState, err error) {
	if c, err = v.callState(v.event); err != nil || c.form == nil {
		return c, err
	}
	if c.code, err = v.accessCode(v.Query("code")); err != nil {
		return c, err
	}
	c.window.Invited = c.code != ""
	if v.place != nil {
		c.window.Until, err = v.place.Extended(v.ctx(), v.event)
	}
	return c, err
}

// picture returns the picture of the call's page for shared links, which web/site draws. Its address changes with the
// event, since other sites cache it.
func (v *visit) picture(alt string) layouts.Shared {
	query := url.Values{"lang": {v.Tag}, "v": {strconv.FormatInt(v.event.UpdatedAt.UnixMilli(), 36)}}
	return layouts.Shared{URL: v.w.options.BaseURL + v.path("call/picture.png") + "?" + query.Encode(), Width: poster.Width,
		Height: poster.Height, Alt: alt}
}

// landing shows the page of the event's call.
func landing(v *visit) error {
	c, err := v.seen()
	if err != nil {
		return err
	}
	return v.landingPage(c)
}

func (v *visit) landingPage(c callState) (err error) {
	form, window, code := c.form, c.window, c.code
	if form == nil {
		return v.Show(pages.Landing(pages.LandingPage{Public: v.sheet(v.T("frame.call")), State: string(call.NoCall),
			Heading: v.T("call.none"), Mine: v.path("place"), CodeTo: v.path("call")}))
	}
	p := pages.LandingPage{Public: v.sheet(v.T("frame.call")), Code: code, Mine: v.path("place"), CodeTo: v.path("call"),
		Welcome: form.Welcome, Answers: v.answersOn(form), Came: window.Taken}
	p.Questions = form.QuestionsTo
	p.Picture = v.picture(p.Title)
	p.State = string(window.Phase(v.w.store.Now()))
	p.Opens, p.Closes, p.Days = v.clocks(window)
	if len(ahead(window, v.w.store.Now())) > 0 {
		p.Dates = v.path("call/dates.ics")
	}
	if p.State == string(call.IsOpen) {
		p.Start = v.path("call/start") + codeQuery(code)
	}
	if p.State == string(call.Closed) {
		if p.Came, err = call.Came(v.ctx(), v.w.store, v.event); err != nil {
			return err
		}
	}
	if err := v.offers(&p, form); err != nil {
		return err
	}
	p.Heading = v.heading(form, p)
	p.Canonical, p.Type = v.w.options.BaseURL+v.inLanguage(v.path("call")), "website"
	p.Description = store.Joined(v.event.Name, p.When) + ". " + p.Heading
	return v.Show(pages.Landing(p))
}

func codeQuery(code string) string {
	if code == "" {
		return ""
	}
	return "?code=" + url.QueryEscape(code)
}

// accessCode returns a valid code of the event, "" where none was given; an invalid one becomes a fault of the page.
func (v *visit) accessCode(given string) (string, error) {
	if given == "" {
		return "", nil
	}
	if err := call.TryCode(v.ctx(), v.w.store, v.event, given, v.Address()); err != nil {
		if store.KindOf(err) == store.TooMany {
			v.Faults = components.Faults{{Field: "code", Message: err.Error()}}
			return "", nil
		}
		return "", v.KeepFaults(err)
	}
	return given, nil
}

// clocks returns when a call opens and closes, and in how many days it closes.
func (v *visit) clocks(w call.Window) (opens, closes *components.Moment, days int) {
	now := v.w.store.Now()
	if w.Opens != nil {
		opens = new(v.moment(*w.Opens, v.event))
	}
	if end := w.End(); end != nil {
		closes = new(v.moment(*end, v.event))
		days = call.DaysLeft(now, *end, v.event)
	}
	if w.Phase(now) == call.NotYet {
		days = call.DaysLeft(now, *w.Opens, v.event)
	}
	return opens, closes, days
}

// answersOn returns the day by which speakers hear, "29 March 2027", or "".
func (v *visit) answersOn(form *call.Form) string {
	if form == nil || form.AnswersOn == nil {
		return ""
	}
	return v.Date(page.Date(*form.AnswersOn))
}

// offers adds the tracks and formats that the form asks for.
func (v *visit) offers(p *pages.LandingPage, form *call.Form) error {
	places, err := form.PlacesOf(v.w.store.Read(v.ctx()), "")
	if err != nil {
		return err
	}
	for _, q := range form.Questions() {
		for _, o := range form.Offered(q) {
			switch q.Standard {
			case call.Track:
				p.Tracks = append(p.Tracks, pages.LandingTrack{Name: o.Name, Color: o.Color, Note: o.Note})
			case call.Format:
				p.Formats = append(p.Formats, pages.LandingFormat{Name: o.Name, Note: o.Note, Minutes: o.Minutes,
					Full: o.Limit > 0 && places.Left(q.Key, o) == 0})
			}
		}
	}
	return nil
}

// heading returns the page's heading: the organizers' while the call is open, else the state of the call.
func (v *visit) heading(form *call.Form, p pages.LandingPage) string {
	day := func(t *store.Time) time.Time { return t.In(v.event.Location()) }
	full := slices.DeleteFunc(slices.Clone(p.Formats), func(f pages.LandingFormat) bool { return !f.Full })
	switch call.Phase(p.State) {
	case call.NotYet:
		return v.T("call.openson", "Day", v.DayOfYear(day(v.event.CFPOpensAt)))
	case call.Closed:
		return v.T("call.closedon", "Day", v.DayOfYear(day(v.event.CFPClosesAt)),
			"Clock", v.TimeOf(day(v.event.CFPClosesAt)))
	case call.IsFull:
		return v.T("call.isfull")
	case call.NoCall:
		return v.T("call.noneatpresent")
	}
	if len(p.Formats) > 0 && len(full) == len(p.Formats) {
		return v.T("call.formatsfull")
	}
	if form.Heading != "" {
		return form.Heading
	}
	return v.T("call.heading")
}
