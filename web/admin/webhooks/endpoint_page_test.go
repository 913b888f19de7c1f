package webhooks_test

import (
	"net/url"
	"testing"

	"github.com/a-h/templ"

	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

func TestATestEventIsSentAndShownOnTheEndpointsPage(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	ctx := t.Context()
	endpoint, _, err := d.Webhooks().CreateEndpoint(ctx, "https://example.org:8443/hook?<script>alert(1)</script>")
	modelstest.Fine(t, err)
	other, _, err := d.Webhooks().CreateEndpoint(ctx, "https://other.example/hook")
	modelstest.Fine(t, err)
	at := "/admin/endpoints" + "/" + endpoint.ID
	admintest.Wants(t, b.Get("/admin/endpoints", 200), `href="`+at+`"`)
	page := b.Get(at, 200)
	admintest.Wants(t, page, "<h1>example.org:8443</h1>", "Send a test event", "Nothing yet.", "contact.merged")
	admintest.Lacks(t, page, "<script>alert", "hx-trigger=\"load delay:700ms\"")
	sent := url.Values{"type": {"decision.committed"}}
	admintest.Wants(t, b.Follow(b.Post(at+"/test", sent, 303)), "is on its way", "decision.committed", "In line",
		"Look again", `hx-trigger="load delay:700ms"`)
	admintest.Wants(t, b.Follow(b.Post(at+"/test", sent, 303)), "A test event is still on its way")
	round := modelstest.Must(d.NextRound(ctx, endpoint.ID, "", nil))(t)
	admintest.Wants(t, b.Get(at, 200), "Under way", "Waiting for the answer", "Look again")
	ended(outbox.Failure, outbox.StatusError, 404, `{"error":"no such hook","of":[1,2]}`)(round.Delivery)
	modelstest.Fine(t, d.Finish(ctx, round.Delivery))
	page = b.Get(at, 200)
	admintest.Wants(t, page, "Rejected (4xx, not retried)", "so it was not retried",
		"{\n  &#34;error&#34;: &#34;no such hook&#34;,\n",
		"/admin/deliveries?emission="+round.Delivery.EmissionID, `<span class="tag">Test</span>`)
	admintest.Lacks(t, page, "Look again", `hx-trigger="load delay:700ms"`)
	admintest.Wants(t, b.Get("/admin/deliveries", 200), `<span class="tag">Test</span>`)
	admintest.Lacks(t, b.Get("/admin/deliveries", 200), "reached nobody")
	admintest.Lacks(t, b.Get("/admin/endpoints"+"/"+other.ID, 200), "no such hook", `<span class="tag">Test</span>`)
	b.Get(at, 200)
	admintest.Wants(t, b.Follow(b.Post(at+"/test", url.Values{"type": {"session.lost"}}, 303)),
		"must be one of the eight events")
	b.Post(at+"/deactivate", nil, 303)
	page = b.Get(at, 200)
	admintest.Wants(t, page, "This endpoint is off", "Turn on")
	admintest.Lacks(t, page, "Send the test event")
	admintest.Wants(t, b.Follow(b.Post(at+"/test", sent, 303)), "This endpoint is off. Turn it on")
	modelstest.WantAll(t, "in line for", modelstest.Must(d.Outbox.Lines(ctx))(t), nil)
}

func TestTestEventsOfOthersAreNotThere(t *testing.T) {
	d := admintest.Open(t)
	_, _, theirs := admintest.Stranger(d)
	b := d.As(staff.Owner)
	at := "/admin/endpoints" + "/" + theirs.ID
	admintest.Lacks(t, b.Get(at, 404), "strangers.example")
	b.Get("/admin/endpoints", 200)
	b.Post(at+"/test", url.Values{"type": {"session.created"}}, 404)
	b.Get("/admin/endpoints"+"/"+store.NewID(), 404)
	ours, _, err := d.Webhooks().CreateEndpoint(t.Context(), "https://example.org/hook")
	modelstest.Fine(t, err)
	for _, role := range []staff.Role{staff.Reviewer, staff.Viewer} {
		other := d.As(role)
		other.Get("/admin/endpoints"+"/"+ours.ID, 403)
		other.Get(d.At(""), 200)
		other.Post("/admin/endpoints"+"/"+ours.ID+"/test", url.Values{"type": {"session.created"}}, 403)
	}
	modelstest.WantAll(t, "in line for", modelstest.Must(d.Outbox.Lines(t.Context()))(t), nil)
}

func TestManagedDeliverySendsNoTestEvents(t *testing.T) {
	d := admintest.OpenOn(t, "sqlite", visit.Options{Managed: true})
	endpoint, _, err := d.Webhooks().CreateEndpoint(t.Context(), "https://example.org/kept")
	modelstest.Fine(t, err)
	b := d.As(staff.Owner)
	page := b.Get("/admin/endpoints"+"/"+endpoint.ID, 200)
	admintest.Wants(t, page, "A managed service delivers", "Not used")
	admintest.Lacks(t, page, "Send the test event", "Turn off")
	b.Post("/admin/endpoints"+"/"+endpoint.ID+"/test", url.Values{"type": {"session.created"}}, 422)
}

func TestABodyIsShownIndentedAndCopiedAsItWasSigned(t *testing.T) {
	d := admintest.Open(t)
	endpoint, _, err := d.Webhooks().CreateEndpoint(t.Context(), "https://example.org/hook")
	modelstest.Fine(t, err)
	sent := deliver(d, endpoint, "Exact", ended(outbox.Success, "", 200, "{not json"))
	page := d.As(staff.Owner).Get("/admin/deliveries", 200)
	admintest.Wants(t, page, "&#34;title&#34;: &#34;Exact&#34;", `<pre class="code">{not json</pre>`,
		`<pre id="body-`+sent.ID+`" hidden>`+templ.EscapeString(sent.RequestBody)+`</pre>`)
}
