package call

import (
	"net/http"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	pages "lectern/views/pages/call"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// windowFields are the fields of the form of the call's window.
func windowFields(e *models.Event) []page.Edited {
	return []page.Edited{page.EditedMoment("cfp_opens_at", "Opens", e.CFPOpensAt, e.Location()),
		page.EditedMoment("cfp_closes_at", "Closes", e.CFPClosesAt, e.Location())}
}

func callWindowForm(v *visit.Visit, f *call.Form) error {
	return callWindowPage(v, http.StatusOK, f, page.Opened(v.Event.UpdatedAt, windowFields(v.Event)))
}

func callWindowPage(v *visit.Visit, status int, f *call.Form, e *page.Edit) (err error) {
	p := pages.WindowPage{Edit: e.Shown()}
	if p.Top, err = callHead(v, f, "/window"); err != nil {
		return err
	}
	zone := v.Event.Location()
	p.Zone = v.Event.Timezone + ", where it is " + v.Now().In(zone).Format("15:04") + " now"
	p.OpensTwice, p.ClosesTwice = page.Twice(e.Of("cfp_opens_at"), zone), page.Twice(e.Of("cfp_closes_at"), zone)
	switch visit.Phase(v) {
	case call.IsOpen:
		p.Turn, p.TurnAt, p.TurnText = "Close now", p.Base+"/close", "Proposals come in. Drafts stay where they are when it closes."
	case call.Closed:
		p.Turn, p.TurnAt, p.TurnText = "Open again now", p.Base+"/open", "Nothing comes in any more. Opened again it has no end until you say one."
	default:
		p.Turn, p.TurnAt, p.TurnText = "Open now", p.Base+"/open", "Nothing comes in yet."
	}
	return v.Render(status, pages.WindowForm(p))
}

func changeCallWindow(v *visit.Visit, f *call.Form) error {
	e := v.Sent(v.Event.UpdatedAt, windowFields(v.Event))
	change := models.EventChange{UpdatedAt: e.PartToken()}
	var faults store.Faults
	var err error
	change.CFPOpensAt, err = e.Moved("cfp_opens_at")
	faults.Add(err)
	change.CFPClosesAt, err = e.Moved("cfp_closes_at")
	faults.Add(err)
	if err = faults.Err(); err == nil {
		_, err = v.Programme.UpdateEvent(v.UserContext(), change)
	}
	if err != nil {
		return v.Unsaved(err, e, v.Event.ID, v.At("/call/window"), func(status int) error {
			v.NameFaults(e)
			return callWindowPage(v, status, f, e)
		})
	}
	return v.See(v.At("/call/window"), "When it is open is saved.")
}

// openCall opens the call now, and removes an end that has passed.
func openCall(v *visit.Visit, _ *call.Form) error {
	now := v.Now()
	change := models.EventChange{CFPOpensAt: store.Some(now)}
	if visit.Phase(v) == call.Closed {
		change.CFPClosesAt = store.Null[store.Time]()
	}
	_, err := v.Programme.UpdateEvent(v.UserContext(), change)
	return v.Done(err, v.At("/call/window"), "The call is open.")
}

func closeCall(v *visit.Visit, _ *call.Form) error {
	_, err := v.Programme.UpdateEvent(v.UserContext(), models.EventChange{CFPClosesAt: store.Some(v.Now())})
	return v.Done(err, v.At("/call/window"), "The call is closed.")
}
