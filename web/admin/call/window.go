package call

import (
	"net/http"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// windowOf returns the call's window as the form holds it.
func windowOf(e *models.Event) pages.Window {
	zone := e.Location()
	return pages.Window{Opens: page.ClockText(page.ClockOf(e.CFPOpensAt, zone)),
		Closes: page.ClockText(page.ClockOf(e.CFPClosesAt, zone))}
}

func callWindowForm(v *visit.Visit, f *cfp.Form) error {
	values := windowOf(v.Event)
	return callWindowPage(v, http.StatusOK, f, pages.WindowPage{Values: values, Was: values,
		UpdatedAt: v.Event.UpdatedAt.String()})
}

func callWindowPage(v *visit.Visit, status int, f *cfp.Form, p pages.WindowPage) (err error) {
	if p.Top, err = callHead(v, f, "/window"); err != nil {
		return err
	}
	zone := v.Event.Location()
	p.Zone = v.Event.Timezone + ", where it is " + v.Now().In(zone).Format("15:04") + " now"
	p.OpensTwice, p.ClosesTwice = page.Twice(p.Values.Opens, zone), page.Twice(p.Values.Closes, zone)
	switch visit.Phase(v) {
	case cfp.IsOpen:
		p.Turn, p.TurnAt, p.TurnText = "Close now", p.Base+"/close", "Proposals come in. Drafts stay where they are when it closes."
	case cfp.Closed:
		p.Turn, p.TurnAt, p.TurnText = "Open again now", p.Base+"/open", "Nothing comes in any more. Opened again it has no end until you say one."
	default:
		p.Turn, p.TurnAt, p.TurnText = "Open now", p.Base+"/open", "Nothing comes in yet."
	}
	return v.Render(status, pages.WindowForm(p))
}

func callWindowSent(v *visit.Visit, was string) pages.Window {
	return pages.Window{Opens: v.Clock(was + "cfp_opens_at"), Closes: v.Clock(was + "cfp_closes_at")}
}

func changeCallWindow(v *visit.Visit, f *cfp.Form) error {
	p := pages.WindowPage{Values: callWindowSent(v, ""), Was: callWindowSent(v, components.FirstPrefix),
		UpdatedAt: v.Value("updated_at")}
	change, err := callWindowChange(v, p)
	if err == nil {
		_, err = v.Programme.UpdateEvent(v.UserContext(), change)
	}
	switch {
	case err == nil:
		return v.See(v.At("/call/window"), "When it is open is saved.")
	case store.KindOf(err) == store.Stale:
		return callWindowConflict(v, f, p)
	}
	return v.Again(err, func(status int) error {
		v.Faults.Call("cfp_opens_at", "Opens")
		v.Faults.Call("cfp_closes_at", "Closes")
		return callWindowPage(v, status, f, p)
	})
}

// callWindowChange turns the form into a change; a field that was not touched keeps its exact moment. The token is that
// of all the event's settings: if only others of them changed, it uses the present one.
func callWindowChange(v *visit.Visit, p pages.WindowPage) (c models.EventChange, err error) {
	zone := v.Event.Location()
	token, _ := store.ParseTime(p.UpdatedAt) // a missing token counts as stale
	if c.UpdatedAt = &token; windowOf(v.Event) == p.Was {
		c.UpdatedAt = &v.Event.UpdatedAt
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

func callWindowConflict(v *visit.Visit, f *cfp.Form, p pages.WindowPage) error {
	now := windowOf(v.Event)
	show := func(text string) string { return page.ClockWords(text, v.Event.Location()) }
	c, err := v.Conflict(v.Event.ID, v.Event.UpdatedAt, []page.Edited{
		{Name: "cfp_opens_at", Label: "Opens", Was: p.Was.Opens, Mine: p.Values.Opens, Theirs: now.Opens, Show: show},
		{Name: "cfp_closes_at", Label: "Closes", Was: p.Was.Closes, Mine: p.Values.Closes, Theirs: now.Closes, Show: show},
	})
	if err != nil {
		return err
	}
	c.Action, c.Discard, p.Conflict = v.At("/call/window"), v.At("/call/window"), c
	return callWindowPage(v, http.StatusConflict, f, p)
}

// openCall opens the call now, and removes an end that has passed.
func openCall(v *visit.Visit, _ *cfp.Form) error {
	now := v.Now()
	change := models.EventChange{CFPOpensAt: store.Some(now)}
	if visit.Phase(v) == cfp.Closed {
		change.CFPClosesAt = store.Null[store.Time]()
	}
	_, err := v.Programme.UpdateEvent(v.UserContext(), change)
	return v.Done(err, v.At("/call/window"), "The call is open.")
}

func closeCall(v *visit.Visit, _ *cfp.Form) error {
	_, err := v.Programme.UpdateEvent(v.UserContext(), models.EventChange{CFPClosesAt: store.Some(v.Now())})
	return v.Done(err, v.At("/call/window"), "The call is closed.")
}
