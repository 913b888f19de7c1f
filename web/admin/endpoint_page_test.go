package admin

import (
	"net/url"
	"testing"

	"github.com/a-h/templ"

	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestATestEventIsSentAndShownOnTheEndpointsPage(t *testing.T) {
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	ctx := t.Context()
	endpoint, _, err := d.Webhooks().CreateEndpoint(ctx, "https://example.org:8443/hook?<script>alert(1)</script>")
	modelstest.Fine(t, err)
	other, _, err := d.Webhooks().CreateEndpoint(ctx, "https://other.example/hook")
	modelstest.Fine(t, err)
	at := endpoints + "/" + endpoint.ID
	wants(t, b.get(endpoints, 200), `href="`+at+`"`)
	page := b.get(at, 200)
	wants(t, page, "<h1>example.org:8443</h1>", "Send a test event", "Nothing yet.", "contact.merged")
	lacks(t, page, "<script>alert", "hx-trigger=\"load delay:700ms\"")
	sent := url.Values{"type": {"decision.committed"}}
	wants(t, b.follow(b.post(at+"/test", sent, 303)), "is on its way", "decision.committed", "In line", "Look again",
		`hx-trigger="load delay:700ms"`)
	wants(t, b.follow(b.post(at+"/test", sent, 303)), "A test event is still on its way")
	round := modelstest.Must(d.NextRound(ctx, endpoint.ID, "", nil))(t)
	wants(t, b.get(at, 200), "Under way", "Waiting for the answer", "Look again")
	ended(outbox.Failure, outbox.StatusError, 404, `{"error":"no such hook","of":[1,2]}`)(round.Delivery)
	modelstest.Fine(t, d.Outbox.FinishDelivery(ctx, round.Delivery))
	page = b.get(at, 200)
	wants(t, page, "Rejected (4xx, not retried)", "so it was not retried", "{\n  &#34;error&#34;: &#34;no such hook&#34;,\n",
		"/admin/deliveries?emission="+round.Delivery.EmissionID, `<span class="tag">Test</span>`)
	lacks(t, page, "Look again", `hx-trigger="load delay:700ms"`)
	wants(t, b.get(deliveries, 200), `<span class="tag">Test</span>`)
	lacks(t, b.get(deliveries, 200), "reached nobody")
	lacks(t, b.get(endpoints+"/"+other.ID, 200), "no such hook", `<span class="tag">Test</span>`)
	b.get(at, 200)
	wants(t, b.follow(b.post(at+"/test", url.Values{"type": {"session.lost"}}, 303)), "must be one of the eight events")
	b.post(at+"/deactivate", nil, 303)
	page = b.get(at, 200)
	wants(t, page, "This endpoint is off", "Turn on")
	lacks(t, page, "Send the test event")
	wants(t, b.follow(b.post(at+"/test", sent, 303)), "This endpoint is off. Turn it on")
	if lines := modelstest.Must(d.Outbox.Lines(ctx))(t); len(lines) != 0 {
		t.Errorf("in line for %v", lines)
	}
}

func TestTestEventsOfOthersAreNotThere(t *testing.T) {
	d := open(t, Options{})
	_, _, theirs := d.stranger()
	b := d.as(staff.Owner)
	at := endpoints + "/" + theirs.ID
	lacks(t, b.get(at, 404), "strangers.example")
	b.get(endpoints, 200)
	b.post(at+"/test", url.Values{"type": {"session.created"}}, 404)
	b.get(endpoints+"/"+store.NewID(), 404)
	ours, _, err := d.Webhooks().CreateEndpoint(t.Context(), "https://example.org/hook")
	modelstest.Fine(t, err)
	for _, role := range []staff.Role{staff.Reviewer, staff.Viewer} {
		other := d.as(role)
		other.get(endpoints+"/"+ours.ID, 403)
		other.get(d.at(""), 200)
		other.post(endpoints+"/"+ours.ID+"/test", url.Values{"type": {"session.created"}}, 403)
	}
	if lines := modelstest.Must(d.Outbox.Lines(t.Context()))(t); len(lines) != 0 {
		t.Errorf("in line for %v", lines)
	}
}

func TestManagedDeliverySendsNoTestEvents(t *testing.T) {
	d := open(t, Options{Managed: true})
	endpoint, _, err := d.Webhooks().CreateEndpoint(t.Context(), "https://example.org/kept")
	modelstest.Fine(t, err)
	b := d.as(staff.Owner)
	page := b.get(endpoints+"/"+endpoint.ID, 200)
	wants(t, page, "A managed service delivers", "Not used")
	lacks(t, page, "Send the test event", "Turn off")
	b.post(endpoints+"/"+endpoint.ID+"/test", url.Values{"type": {"session.created"}}, 422)
}

func TestABodyIsShownIndentedAndCopiedAsItWasSigned(t *testing.T) {
	d := open(t, Options{})
	endpoint, _, err := d.Webhooks().CreateEndpoint(t.Context(), "https://example.org/hook")
	modelstest.Fine(t, err)
	sent := d.deliver(endpoint, "Exact", ended(outbox.Success, "", 200, "{not json"))
	page := d.as(staff.Owner).get(deliveries, 200)
	wants(t, page, "&#34;title&#34;: &#34;Exact&#34;", `<pre class="code">{not json</pre>`,
		`<pre id="body-`+sent.ID+`" hidden>`+templ.EscapeString(sent.RequestBody)+`</pre>`)
}
