package webhooks_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

var secretPattern = regexp.MustCompile(`whsec_[0-9a-f]{48}`)

func endpoints(d *admintest.Desk) []*outbox.Endpoint {
	d.T.Helper()
	list := modelstest.Must(d.Store.Outbox.Webhooks(d.Store.Organization(d.Event.OrganizationID, store.By{})).Endpoints(d.T.Context()))(d.T)
	return list
}

func TestEndpointSecretsAreShownInTheAnswerAlone(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	admintest.Wants(t, b.Get("/admin/endpoints", 200), "No endpoints")
	b.Get("/admin/endpoints/new", 200)
	form := url.Values{"url": {"https://example.org/hook?a=<script>alert(1)</script>"}}
	res, page := b.Do(b.FormRequest("/admin/endpoints/new", form), 200)
	first := secretPattern.FindString(page)
	if first == "" {
		t.Fatalf("%q %v", first, res.Header)
	}
	admintest.Lacks(t, page, "<script>alert")
	admintest.Wants(t, b.Follow(b.Post("/admin/endpoints/new", form, 303)), "sent before", "example.org/hook")
	admintest.Lacks(t, b.Text, first, "<script>alert")
	list := endpoints(d)
	if len(list) != 1 {
		t.Fatalf("%d endpoints", len(list))
	}
	at := "/admin/endpoints/" + list[0].ID
	rotate := url.Values{"updated_at": {list[0].UpdatedAt.String()}}
	res, page = b.Do(b.FormRequest(at+"/rotate", rotate), 200)
	second := secretPattern.FindString(page)
	if second == "" || second == first {
		t.Fatalf("%q %v", second, res.Header)
	}
	admintest.Wants(t, page, "Use the new secret", "Keep the old one")
	admintest.Wants(t, b.Follow(b.Post(at+"/rotate", rotate, 303)), "no new secret was made", "A new one waits")
	admintest.Lacks(t, b.Text, second)
	admintest.Wants(t, b.Follow(b.Post(at+"/keep-old-secret", nil, 303)), "The old secret stays")
	admintest.Wants(t, b.Follow(b.Post(at+"/use-new-secret", nil, 303)), "No new secret waits")
	b.Post(at+"/rotate", url.Values{"updated_at": {endpoints(d)[0].UpdatedAt.String()}}, 200)
	admintest.Wants(t, b.Follow(b.Post(at+"/use-new-secret", nil, 303)), "signed with the new secret")
	b.Post(at+"/rotate", url.Values{"updated_at": {"yesterday"}}, 403)
}

func TestEndpointsAreTurnedOffAndDeleted(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Owner)
	b.Get("/admin/endpoints/new", 200)
	_, page := b.Post("/admin/endpoints/new", url.Values{"url": {"ftp://example.org/"}}, 422)
	admintest.Wants(t, page, `value="ftp://example.org/"`, "<title>Error: ")
	_, page = b.Post("/admin/endpoints/new", url.Values{"url": {"javascript:alert(1)"}}, 422)
	admintest.Lacks(t, page, `href="javascript`)
	b.Post("/admin/endpoints/new", url.Values{"url": {"https://example.org/"}}, 200)
	at := "/admin/endpoints/" + endpoints(d)[0].ID
	admintest.Wants(t, b.Follow(b.Post(at+"/deactivate", nil, 303)), "The endpoint is off", "Turn on")
	admintest.Wants(t, b.Follow(b.Post(at+"/activate", nil, 303)), "The endpoint is on", "Turn off")
	admintest.Wants(t, b.Get(at+"/delete", 200), "https://example.org/", "To pause it")
	admintest.Wants(t, b.Follow(b.Post(at+"/delete", nil, 303)), "is deleted", "No endpoints")
	b.Get(at+"/delete", 404)
	b.On("/admin/endpoints").Post(at+"/activate", nil, 404)
}

// actions are what is done with an endpoint.
var actions = []string{"activate", "deactivate", "rotate", "use-new-secret", "keep-old-secret", "delete", "test"}

func TestEndpointsOfOthersAreNotThere(t *testing.T) {
	d := admintest.Open(t)
	_, _, theirs := admintest.Stranger(d)
	b := d.As(staff.Owner)
	admintest.Lacks(t, b.Get("/admin/endpoints", 200), "strangers.example")
	at := "/admin/endpoints/" + theirs.ID
	for _, path := range []string{at, at + "/delete"} {
		admintest.Lacks(t, b.Get(path, 404), "strangers.example")
	}
	b.Get("/admin/endpoints/"+store.NewID(), 404)
	for _, action := range actions {
		form := url.Values{"updated_at": {theirs.UpdatedAt.String()}, "type": {"session.created"}}
		_, page := b.On("/admin/endpoints").Post(at+"/"+action, form, 404)
		admintest.Lacks(t, page, "strangers.example", "whsec_")
	}
	ours, _ := modelstest.NewEndpoint(t, d.Webhooks(), "https://example.org/hook")
	for _, role := range []staff.Role{staff.Reviewer, staff.Viewer} {
		other := d.As(role)
		for _, path := range []string{"/admin/endpoints", "/admin/endpoints/new", "/admin/endpoints/check",
			"/admin/endpoints/" + ours.ID, "/admin/deliveries"} {
			other.Get(path, 403)
		}
		other.On(d.At("")).Post("/admin/endpoints/"+ours.ID+"/test", url.Values{"type": {"session.created"}}, 403)
	}
	modelstest.WantAll(t, "in line for", modelstest.Must(d.Outbox.Lines(t.Context()))(t), nil)
}

func TestManagedDeliveryLeavesEndpointsToBeRead(t *testing.T) {
	d := admintest.OpenOn(t, "sqlite", visit.Options{Managed: true})
	endpoint, _ := modelstest.NewEndpoint(t, d.Webhooks(), "https://example.org/kept")
	b := d.As(staff.Owner)
	admintest.Wants(t, b.Get("/admin/endpoints", 200), "A managed service delivers", "example.org/kept", "Not used")
	admintest.Lacks(t, b.Text, "Turn off", "Rotate", "/delete", "/endpoints/new")
	b.Get("/admin/endpoints/new", 422)
	admintest.Wants(t, b.Get("/admin/endpoints/"+endpoint.ID, 200), "A managed service delivers", "Not used")
	admintest.Lacks(t, b.Text, "Send the test event", "Turn off")
	for _, action := range actions {
		form := url.Values{"type": {"session.created"}}
		b.On("/admin/endpoints").Post("/admin/endpoints/"+endpoint.ID+"/"+action, form, 422)
	}
	if list := endpoints(d); len(list) != 1 || !list[0].IsActive || list[0].Rotating() {
		t.Errorf("%+v", list)
	}
	b.Get("/admin/endpoints/check", 200)
}

func TestTheSignatureCheckerForgetsTheSecret(t *testing.T) {
	_, b := admintest.OpenAs(t, staff.Organizer)
	const secret, digest = "It's a Secret to Everybody", "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
	for header, part := range map[string]string{
		"sha256=" + digest:                       ">Valid",
		"X-Service-Signature:  sha256=" + digest: ">Valid",
		digest:                                   "prefix is missing",
		"sha256=" + strings.Repeat("0", 64):      "another secret",
		"sha256=<script>alert(1)</script>":       "not hexadecimal",
	} {
		b.Get("/admin/endpoints/check", 200)
		admintest.Wants(t, b.Answer("/admin/endpoints/check", url.Values{"secret": {secret}, "body": {"Hello, World!"},
			"header": {header}}, http.StatusOK), part, "Hello, World!")
		admintest.Lacks(t, b.Text, "Secret to Everybody", "<script>alert")
	}
	admintest.Wants(t, b.Answer("/admin/endpoints/check", url.Values{"body": {"</textarea><script>x"},
		"header": {"sha256=" + digest}}, 422), "Secret must not be empty.")
	admintest.Lacks(t, b.Text, "<script>x")
}

func TestATestEventIsSentAndShownOnTheEndpointsPage(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	ctx := t.Context()
	endpoint := modelstest.First(d.Webhooks().CreateEndpoint(ctx,
		"https://example.org:8443/hook?<script>alert(1)</script>"))(t)
	other, _ := modelstest.NewEndpoint(t, d.Webhooks(), "https://other.example/hook")
	at := "/admin/endpoints/" + endpoint.ID
	admintest.Wants(t, b.Get("/admin/endpoints", 200), `href="`+at+`"`)
	admintest.Wants(t, b.Get(at, 200), "<h1>example.org:8443</h1>", "Send a test event", "Nothing yet.", "contact.merged")
	admintest.Lacks(t, b.Text, "<script>alert", "hx-trigger=\"load delay:700ms\"")
	sent := url.Values{"type": {"decision.committed"}}
	admintest.Wants(t, b.Follow(b.Post(at+"/test", sent, 303)), "is on its way", "decision.committed", "In line",
		"Look again", `hx-trigger="load delay:700ms"`)
	admintest.Wants(t, b.Follow(b.Post(at+"/test", sent, 303)), "A test event is still on its way")
	round := modelstest.Must(d.NextRound(ctx, endpoint.ID, "", nil))(t)
	admintest.Wants(t, b.Get(at, 200), "Under way", "Waiting for the answer", "Look again")
	ended(outbox.Failure, outbox.StatusError, 404, `{"error":"no such hook","of":[1,2]}`)(round.Delivery)
	modelstest.Fine(t, d.Finish(ctx, round.Delivery))
	admintest.Wants(t, b.Get(at, 200), "Rejected (4xx, not retried)", "so it was not retried",
		"{\n  &#34;error&#34;: &#34;no such hook&#34;,\n", "/admin/deliveries?emission="+round.Delivery.EmissionID,
		`<span class="tag">Test</span>`)
	admintest.Lacks(t, b.Text, "Look again", `hx-trigger="load delay:700ms"`)
	admintest.Wants(t, b.Get("/admin/deliveries", 200), `<span class="tag">Test</span>`)
	admintest.Lacks(t, b.Get("/admin/deliveries", 200), "reached nobody")
	admintest.Lacks(t, b.Get("/admin/endpoints/"+other.ID, 200), "no such hook", `<span class="tag">Test</span>`)
	admintest.Wants(t, b.Follow(b.On(at).Post(at+"/test", url.Values{"type": {"session.lost"}}, 303)),
		"must be one of the eight events")
	b.Post(at+"/deactivate", nil, 303)
	admintest.Wants(t, b.Get(at, 200), "This endpoint is off", "Turn on")
	admintest.Lacks(t, b.Text, "Send the test event")
	admintest.Wants(t, b.Follow(b.Post(at+"/test", sent, 303)), "This endpoint is off. Turn it on")
	modelstest.WantAll(t, "in line for", modelstest.Must(d.Outbox.Lines(ctx))(t), nil)
}

func TestABodyIsShownIndentedAndCopiedAsItWasSigned(t *testing.T) {
	d := admintest.Open(t)
	endpoint, _ := modelstest.NewEndpoint(t, d.Webhooks(), "https://example.org/hook")
	sent := deliver(d, endpoint, "Exact", ended(outbox.Success, "", 200, "{not json"))
	page := d.As(staff.Owner).Get("/admin/deliveries", 200)
	admintest.Wants(t, page, "&#34;title&#34;: &#34;Exact&#34;", `<pre class="code">{not json</pre>`,
		`<pre id="body-`+sent.ID+`" hidden>`+templ.EscapeString(sent.RequestBody)+`</pre>`)
}
