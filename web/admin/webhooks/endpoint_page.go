package webhooks

import (
	"net/http"
	"net/url"

	"lectern/models"
	"lectern/models/outbox"
	"lectern/models/store"
	pages "lectern/views/pages/webhooks"
	"lectern/web/admin/visit"
)

// roundsOfEndpoint is how many deliveries an endpoint's page shows.
const roundsOfEndpoint = 5

func showEndpoint(v *visit.Visit, endpoint *outbox.Endpoint) error {
	p := pages.EndpointPage{
		Endpoint: endpoint, Base: endpoints, Here: endpoints + "/" + endpoint.ID, Managed: v.Options.Managed,
		Added: endpoint.CreatedAt.Format("2 Jan 2006"), Log: deliveries + "?endpoint=" + endpoint.ID,
		Types: visit.Choices(outbox.EmissionTypes, typeOption, string(outbox.SessionUpdated)),
	}
	events, err := v.Store.EventsFor(v.UserContext(), v.User)
	if err != nil {
		return err
	}
	if p.Test, err = lastTest(v, endpoint, events); err != nil {
		return err
	}
	rounds, _, err := webhooks(v).DeliveryRounds(v.UserContext(), outbox.DeliveryFilter{WebhookID: endpoint.ID},
		store.Page{Size: roundsOfEndpoint})
	if err != nil {
		return err
	}
	p.Rows = store.Map(rounds, func(r *outbox.DeliveryRound) pages.RoundRow { return roundOf(v, r, events) })
	return visit.Show(v, http.StatusOK, hostOf(endpoint.URL), pages.Endpoint, p)
}

// hostOf returns the host of an address.
func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// roundOf returns a delivery as a list of an existing endpoint shows it.
func roundOf(v *visit.Visit, round *outbox.DeliveryRound, events []*models.Event) pages.RoundRow {
	row := roundRow(round, events, v.Options.Now())
	row.Kept, row.Whole = true, deliveries+"?emission="+round.EmissionID
	return shortened(row)
}

// lastTest returns the last test event of an endpoint, nil for none.
func lastTest(v *visit.Visit, endpoint *outbox.Endpoint, events []*models.Event) (*pages.TestRow, error) {
	test, err := webhooks(v).LastTest(v.UserContext(), endpoint.ID)
	if err != nil || test == nil {
		return nil, err
	}
	row := &pages.TestRow{Test: test, Type: string(test.Type), Ago: visit.Ago(test.SentAt, v.Options.Now()),
		Log: deliveries + "?emission=" + test.EmissionID}
	if test.Round != nil {
		round := roundOf(v, test.Round, events)
		row.Row = &round
	}
	return row, nil
}

// sendTest sends a test event; a refusal is shown on the endpoint's page.
func sendTest(v *visit.Visit, endpoint *outbox.Endpoint) error {
	here := endpoints + "/" + endpoint.ID
	err := webhooks(v).SendTest(v.UserContext(), endpoint.ID, outbox.EmissionType(v.Value("type")))
	if kind := store.KindOf(err); kind == store.Invalid || kind == store.TooMany {
		return v.SeeWarning(here, err.Error())
	}
	return v.Done(err, here+"#test", "The test event is on its way.")
}
