package admin

import (
	"net/http"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// windowOf is when the event's call is open, as the form holds it.
func (v *visit) windowOf(e *models.Event) pages.CallWindow {
	zone := e.Location()
	return pages.CallWindow{Opens: page.ClockText(page.ClockOf(e.CFPOpensAt, zone)),
		Closes: page.ClockText(page.ClockOf(e.CFPClosesAt, zone))}
}

// phase is where the event's call stands by the clock, however much was submitted.
func (v *visit) phase() cfp.Phase {
	return cfp.Window{Opens: v.event.CFPOpensAt, Closes: v.event.CFPClosesAt}.Phase(v.now())
}

func callWindowForm(v *visit, f *cfp.Form) error {
	values := v.windowOf(v.event)
	return v.callWindowPage(http.StatusOK, f, pages.CallWindowPage{Values: values, Was: values,
		UpdatedAt: v.event.UpdatedAt.String()})
}

func (v *visit) callWindowPage(status int, f *cfp.Form, p pages.CallWindowPage) (err error) {
	if p.CallHead, err = v.callHead(f, "/window", "Call for papers"); err != nil {
		return err
	}
	zone := v.event.Location()
	p.Zone = v.event.Timezone + ", where it is " + v.now().In(zone).Format("15:04") + " now"
	p.OpensTwice, p.ClosesTwice = page.Twice(p.Values.Opens, zone), page.Twice(p.Values.Closes, zone)
	switch v.phase() {
	case cfp.IsOpen:
		p.Turn, p.TurnAt, p.TurnText = "Close now", p.Base+"/close", "Proposals come in. Drafts stay where they are when it closes."
	case cfp.Closed:
		p.Turn, p.TurnAt, p.TurnText = "Open again now", p.Base+"/open", "Nothing comes in any more. Opened again it has no end until you say one."
	default:
		p.Turn, p.TurnAt, p.TurnText = "Open now", p.Base+"/open", "Nothing comes in yet."
	}
	return v.Render(status, pages.CallWindowForm(p))
}

func (v *visit) callWindowSent(was string) pages.CallWindow {
	return pages.CallWindow{Opens: v.Clock(was + "cfp_opens_at"), Closes: v.Clock(was + "cfp_closes_at")}
}

func changeCallWindow(v *visit, f *cfp.Form) error {
	p := pages.CallWindowPage{Values: v.callWindowSent(""), Was: v.callWindowSent(components.FirstPrefix),
		UpdatedAt: v.Value("updated_at")}
	change, err := v.callWindowChange(p)
	if err == nil {
		_, err = v.programme.UpdateEvent(v.UserContext(), change)
	}
	switch {
	case err == nil:
		return v.See(v.at("/call/window"), "When it is open is saved.")
	case store.KindOf(err) == store.Stale:
		return v.callWindowConflict(f, p)
	}
	return v.Again(err, func(status int) error {
		v.Faults.Call("cfp_opens_at", "Opens")
		v.Faults.Call("cfp_closes_at", "Closes")
		return v.callWindowPage(status, f, p)
	})
}

// callWindowChange reads the form: what was not touched stays the moment it is. The token is that of all settings of the
// event; others do not stand in the way of a window that is as it was.
func (v *visit) callWindowChange(p pages.CallWindowPage) (c models.EventChange, err error) {
	zone := v.event.Location()
	token, _ := store.ParseTime(p.UpdatedAt) // none is as good as an old one
	if c.UpdatedAt = &token; v.windowOf(v.event) == p.Was {
		c.UpdatedAt = &v.event.UpdatedAt
	}
	var faults store.Faults
	if c.CFPOpensAt, err = page.MovedClock("cfp_opens_at", p.Values.Opens, p.Was.Opens, zone); err != nil {
		faults.Add(err)
	}
	if c.CFPClosesAt, err = page.MovedClock("cfp_closes_at", p.Values.Closes, p.Was.Closes, zone); err != nil {
		faults.Add(err)
	}
	return c, faults.Err()
}

func (v *visit) callWindowConflict(f *cfp.Form, p pages.CallWindowPage) error {
	now := v.windowOf(v.event)
	show := func(text string) string { return page.ClockWords(text, v.event.Location()) }
	c, err := v.conflict(v.event.ID, v.event.UpdatedAt, []page.Edited{
		{Name: "cfp_opens_at", Label: "Opens", Was: p.Was.Opens, Mine: p.Values.Opens, Theirs: now.Opens, Show: show},
		{Name: "cfp_closes_at", Label: "Closes", Was: p.Was.Closes, Mine: p.Values.Closes, Theirs: now.Closes, Show: show},
	})
	if err != nil {
		return err
	}
	c.Action, c.Discard, p.Conflict = v.at("/call/window"), v.at("/call/window"), c
	return v.callWindowPage(http.StatusConflict, f, p)
}

// openCall opens it at this moment. An end that is over is none any more.
func openCall(v *visit, _ *cfp.Form) error {
	now := v.now()
	change := models.EventChange{CFPOpensAt: store.Some(now)}
	if v.phase() == cfp.Closed {
		change.CFPClosesAt = store.Null[store.Time]()
	}
	_, err := v.programme.UpdateEvent(v.UserContext(), change)
	return v.Done(err, v.at("/call/window"), "The call is open.")
}

func closeCall(v *visit, _ *cfp.Form) error {
	_, err := v.programme.UpdateEvent(v.UserContext(), models.EventChange{CFPClosesAt: store.Some(v.now())})
	return v.Done(err, v.at("/call/window"), "The call is closed.")
}
