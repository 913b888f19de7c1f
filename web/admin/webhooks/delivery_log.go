package webhooks

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/outbox"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages/desk"
	pages "lectern/views/pages/webhooks"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

const roundsAPage = 25

// deliveryFilters are the filters: their parameters in the address, and the log's names for them.
var deliveryFilters = [][2]string{
	{"event", "event_id"}, {"type", "event_type"}, {"endpoint", "webhook_id"}, {"result", "result"},
	{"emission", "emission_id"},
}

// deliveryRounds returns the deliveries that the address asks for. It drops from the listing what the log refuses.
func deliveryRounds(v *visit.Visit, l visit.Listing) ([]*outbox.DeliveryRound, store.Pagination, error) {
	rounds, pagination, err := webhooks(v).DeliveryRounds(v.UserContext(), outbox.DeliveryFilter{
		EventID: l.Query.Get("event"), EventType: outbox.EmissionType(l.Query.Get("type")),
		WebhookID:  l.Query.Get("endpoint"),
		EmissionID: l.Query.Get("emission"), Result: outbox.RoundResult(l.Query.Get("result")),
	}, store.Page{Number: l.Page(), Size: roundsAPage})
	before := len(l.Query)
	for _, filter := range deliveryFilters {
		if page.FaultsOf(err).Of(filter[1]) != "" {
			l.Query.Del(filter[0])
		}
	}
	if len(l.Query) < before {
		return deliveryRounds(v, l)
	}
	return rounds, pagination, err
}

func listDeliveries(v *visit.Visit) error {
	l := v.PlainListing("event", "type", "endpoint", "result", "emission", "page")
	rounds, pagination, err := deliveryRounds(v, l)
	if err != nil {
		return err
	}
	if len(rounds) == 0 && pagination.TotalResults > 0 { // beyond the last page
		return v.SeeInstead(deliveries + "?" + l.OnPage(pagination.TotalPages).Query.Encode())
	}
	events, err := v.Store.EventsFor(v.UserContext(), v.User)
	if err != nil {
		return err
	}
	list, err := webhooks(v).Endpoints(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.DeliveriesPage{
		Base: deliveries, Managed: v.Options.Managed, HasEndpoints: len(list) > 0,
		Pages:   visit.PagesOf(deliveries, l, pagination, "deliveries"),
		Filters: deliveryFields(l, events, list), Emission: l.Query.Get("emission"),
		Filtered: l.With("page", "") != "",
	}
	state, err := webhooks(v).DeliveryState(v.UserContext())
	if err != nil {
		return err
	}
	p.State = stateWords(state)
	for _, round := range rounds {
		row := roundRow(round, events, v.Options.Now())
		row.Kept = round.Driver == outbox.Managed || slices.ContainsFunc(list,
			func(e *outbox.Endpoint) bool { return visit.ValueOr(round.WebhookID, "") == e.ID })
		row.Whole = deliveries + "?emission=" + round.EmissionID
		if p.Emission == "" {
			row = shortened(row)
		}
		p.Rows = append(p.Rows, row)
	}
	return visit.Show(v, http.StatusOK, "Delivery log", pages.Deliveries, p)
}

// behind is how long a delivery may wait before the dashboard mentions it.
const behind = time.Minute

// stateWords says how far deliveries are.
func stateWords(d outbox.DeliveryState) string {
	words := "Nothing waits."
	switch {
	case d.Waiting == 1 && d.Oldest >= behind:
		words = "1 delivery waits, for " + visit.Lasted(d.Oldest) + "."
	case d.Oldest >= behind:
		words = visit.Number(d.Waiting) + " deliveries wait, the oldest for " + visit.Lasted(d.Oldest) + "."
	case d.Waiting > 0:
		words = visit.Counted(d.Waiting, "delivery is", "deliveries are") + " on the way."
	}
	if d.Failed > 0 {
		words += " " + visit.Counted(d.Failed, "delivery", "deliveries") + " of the last hour reached nobody."
	}
	if d.Leader == "" {
		return words + " No process delivers at the moment; one takes over within seconds."
	}
	return words + " Delivered by " + d.Leader + "."
}

// DeliveriesBehind returns the dashboard's row about deliveries that wait too long, for users who may see the log.
func DeliveriesBehind(v *visit.Visit) ([]desk.NextStep, error) {
	if !v.MayEverywhere() {
		return nil, nil
	}
	state, err := webhooks(v).DeliveryState(v.UserContext())
	if err != nil || state.Oldest < behind {
		return nil, err
	}
	text := "deliveries to other systems wait, the oldest for " + visit.Lasted(state.Oldest)
	if state.Waiting == 1 {
		text = "delivery to another system waits, for " + visit.Lasted(state.Oldest)
	}
	return []desk.NextStep{{Count: visit.Number(state.Waiting), Text: text, Action: "Open the log", URL: deliveries}}, nil
}

// bodyInList is how many characters of a body a list shows.
const bodyInList = 4000

func shortened(row pages.RoundRow) pages.RoundRow {
	if characters := []rune(row.Body); len(characters) > bodyInList {
		row.Body, row.Sent, row.Cut = string(characters[:bodyInList]), "", true
	}
	return row
}

// indented formats JSON for people; anything else, such as cut JSON, stays as it is.
func indented(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// recordOf returns the label and name of the record that a body is about, "" for none.
func recordOf(body string) string {
	var envelope struct {
		Data struct {
			Label string `json:"friendly_id"`
			Title string `json:"title"`
			Name  string `json:"full_name"`
		} `json:"data"`
	}
	if json.Unmarshal([]byte(body), &envelope) != nil {
		return ""
	}
	data := envelope.Data
	return strings.TrimSpace(data.Label + " " + data.Title + data.Name)
}

func roundRow(round *outbox.DeliveryRound, events []*models.Event, now time.Time) pages.RoundRow {
	row := pages.RoundRow{DeliveryRound: round, Event: "No event", Sent: round.Attempts[0].RequestBody}
	row.Body, row.Record = indented(row.Sent), recordOf(row.Sent)
	zone := time.UTC
	for _, event := range events {
		if round.EventID != nil && *round.EventID == event.ID {
			row.Event, zone = event.Name, event.Location()
		}
	}
	row.When, row.Ago = page.When(&round.CreatedAt, zone), visit.Ago(round.CreatedAt, now)
	for _, attempt := range round.Attempts {
		line := pages.AttemptRow{Delivery: attempt, When: attempt.CreatedAt.In(zone).Format("15:04:05.000 MST"),
			Why: attemptWords(attempt), Answer: indented(attempt.ResponseExcerpt),
			Status: visit.WholeText(attempt.ResponseStatus)}
		if attempt.DurationMS != nil {
			line.Took = visit.Number(int64(*attempt.DurationMS)) + " ms"
		}
		row.Attempts = append(row.Attempts, line)
	}
	return row
}

// classWords say why an attempt failed; for StatusError, attemptWords may say more.
var classWords = map[outbox.ErrorClass]string{
	outbox.DNSError:         "The name of the host was not found.",
	outbox.ConnectError:     "There was no connection.",
	outbox.TLSError:         "There was no secure connection: the certificate or TLS failed.",
	outbox.TimeoutError:     "There was no answer in time.",
	outbox.BlockedError:     "The address is in a network that must not be reached, so nothing was sent.",
	outbox.InterruptedError: "The server was stopped meanwhile; nobody knows whether it arrived. It is not repeated.",
	outbox.InternalError:    "A fault on our side: nothing was sent.",
	outbox.StatusError:      "The receiver failed.",
}

// attemptWords says what became of an attempt.
func attemptWords(d *outbox.Delivery) string {
	switch refused := d.ErrorClass == outbox.StatusError && d.ResponseStatus != nil; {
	case refused && *d.ResponseStatus < 400:
		return "The answer was no success; redirects are not followed."
	case refused && *d.ResponseStatus < 500:
		return "The receiver refused it, so it was not retried."
	case d.ErrorClass == "" && d.Outcome == outbox.Sending:
		return "Waiting for the answer."
	}
	return classWords[d.ErrorClass]
}

func typeOption(t outbox.EmissionType) (value, name string) { return string(t), string(t) }

func deliveryFields(l visit.Listing, events []*models.Event, list []*outbox.Endpoint) []toolbar.FilterField {
	field := func(name, label, any string, options []components.Option) toolbar.FilterField {
		return toolbar.FilterField{Name: name, Label: label, Options: append([]components.Option{{Name: any}}, options...)}
	}
	chosen := l.Query.Get("endpoint")
	byEndpoint := visit.Choices(list, func(e *outbox.Endpoint) (string, string) { return e.ID, e.URL }, chosen)
	if chosen != "" && !slices.ContainsFunc(byEndpoint, func(o components.Option) bool { return o.Chosen }) {
		byEndpoint = append(byEndpoint, components.Option{Value: chosen, Name: "An endpoint that is gone", Chosen: true})
	}
	return []toolbar.FilterField{
		field("result", "Result", "Any result", visit.Choices(outbox.RoundResults,
			func(r outbox.RoundResult) (string, string) { return string(r), pages.ResultNames[r] }, l.Query.Get("result"))),
		field("type", "Change", "Any change", visit.Choices(outbox.EmissionTypes, typeOption, l.Query.Get("type"))),
		field("event", "Event", "Any event", visit.Choices(events,
			func(e *models.Event) (string, string) { return e.ID, e.Name }, l.Query.Get("event"))),
		field("endpoint", "Endpoint", "Any endpoint", byEndpoint),
	}
}
