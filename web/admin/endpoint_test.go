package admin

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
)

var secretPattern = regexp.MustCompile(`whsec_[0-9a-f]{48}`)

func (d *desk) endpoints() []*outbox.Endpoint {
	d.t.Helper()
	list, err := d.Store.Outbox.Webhooks(d.Store.Organization(d.Event.OrganizationID, store.By{})).Endpoints(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

func TestEndpointSecretsAreShownInTheAnswerAlone(t *testing.T) {
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	wants(t, b.get(endpoints, 200), "No endpoints")
	b.get(endpoints+"/new", 200)
	form := url.Values{"url": {"https://example.org/hook?a=<script>alert(1)</script>"}}
	res, page := b.do(formRequest(b, endpoints+"/new", form), 200)
	first := secretPattern.FindString(page)
	if first == "" {
		t.Fatalf("%q %v", first, res.Header)
	}
	lacks(t, page, "<script>alert")
	page = b.follow(b.post(endpoints+"/new", form, 303))
	wants(t, page, "sent before", "example.org/hook")
	lacks(t, page, first, "<script>alert")
	list := d.endpoints()
	if len(list) != 1 {
		t.Fatalf("%d endpoints", len(list))
	}
	at := endpoints + "/" + list[0].ID
	rotate := url.Values{"updated_at": {list[0].UpdatedAt.String()}}
	res, page = b.do(formRequest(b, at+"/rotate", rotate), 200)
	second := secretPattern.FindString(page)
	if second == "" || second == first {
		t.Fatalf("%q %v", second, res.Header)
	}
	wants(t, page, "Use the new secret", "Keep the old one")
	page = b.follow(b.post(at+"/rotate", rotate, 303))
	wants(t, page, "no new secret was made", "A new one waits")
	lacks(t, page, second)
	wants(t, b.follow(b.post(at+"/keep-old-secret", nil, 303)), "The old secret stays")
	wants(t, b.follow(b.post(at+"/use-new-secret", nil, 303)), "No new secret waits")
	b.post(at+"/rotate", url.Values{"updated_at": {d.endpoints()[0].UpdatedAt.String()}}, 200)
	wants(t, b.follow(b.post(at+"/use-new-secret", nil, 303)), "signed with the new secret")
	b.post(at+"/rotate", url.Values{"updated_at": {"yesterday"}}, 403)
}

func TestEndpointsAreTurnedOffAndDeleted(t *testing.T) {
	d := open(t, Options{})
	b := d.as(staff.Owner)
	b.get(endpoints+"/new", 200)
	_, page := b.post(endpoints+"/new", url.Values{"url": {"ftp://example.org/"}}, 422)
	wants(t, page, `value="ftp://example.org/"`, "<title>Error: ")
	_, page = b.post(endpoints+"/new", url.Values{"url": {"javascript:alert(1)"}}, 422)
	lacks(t, page, `href="javascript`)
	b.post(endpoints+"/new", url.Values{"url": {"https://example.org/"}}, 200)
	at := endpoints + "/" + d.endpoints()[0].ID
	wants(t, b.follow(b.post(at+"/deactivate", nil, 303)), "The endpoint is off", "Turn on")
	wants(t, b.follow(b.post(at+"/activate", nil, 303)), "The endpoint is on", "Turn off")
	wants(t, b.get(at+"/delete", 200), "https://example.org/", "To pause it")
	wants(t, b.follow(b.post(at+"/delete", nil, 303)), "is deleted", "No endpoints")
	b.get(at+"/delete", 404)
	b.get(endpoints, 200)
	b.post(at+"/activate", nil, 404)
}

func TestEndpointsOfOthersAreNotThere(t *testing.T) {
	d := open(t, Options{})
	_, _, theirs := d.stranger()
	b := d.as(staff.Owner)
	lacks(t, b.get(endpoints, 200), "strangers.example")
	at := endpoints + "/" + theirs.ID
	lacks(t, b.get(at+"/delete", 404), "strangers.example")
	for _, action := range []string{"activate", "deactivate", "rotate", "use-new-secret", "keep-old-secret", "delete"} {
		b.get(endpoints, 200)
		_, page := b.post(at+"/"+action, url.Values{"updated_at": {theirs.UpdatedAt.String()}}, 404)
		lacks(t, page, "strangers.example", "whsec_")
	}
	for _, role := range []staff.Role{staff.Reviewer, staff.Viewer} {
		other := d.as(role)
		for _, path := range []string{endpoints, endpoints + "/new", endpoints + "/check", deliveries} {
			other.get(path, 403)
		}
	}
}

func TestManagedDeliveryLeavesEndpointsToBeRead(t *testing.T) {
	d := open(t, Options{Managed: true})
	endpoint, _, err := d.Webhooks().CreateEndpoint(t.Context(), "https://example.org/kept")
	if err != nil {
		t.Fatal(err)
	}
	b := d.as(staff.Owner)
	page := b.get(endpoints, 200)
	wants(t, page, "A managed service delivers", "example.org/kept", "Not used")
	lacks(t, page, "Turn off", "Rotate", "/delete", "/endpoints/new")
	b.get(endpoints+"/new", 422)
	for _, action := range []string{"activate", "deactivate", "rotate", "use-new-secret", "keep-old-secret", "delete"} {
		b.get(endpoints, 200)
		b.post(endpoints+"/"+endpoint.ID+"/"+action, nil, 422)
	}
	if list := d.endpoints(); len(list) != 1 || !list[0].IsActive || list[0].Rotating() {
		t.Errorf("%+v", list)
	}
	b.get(endpoints+"/check", 200)
}

func TestTheSignatureCheckerForgetsTheSecret(t *testing.T) {
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	const secret, digest = "It's a Secret to Everybody", "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
	for header, part := range map[string]string{
		"sha256=" + digest:                       ">Valid",
		"X-Service-Signature:  sha256=" + digest: ">Valid",
		digest:                                   "prefix is missing",
		"sha256=" + strings.Repeat("0", 64):      "another secret",
		"sha256=<script>alert(1)</script>":       "not hexadecimal",
	} {
		b.get(endpoints+"/check", 200)
		_, page := b.post(endpoints+"/check", url.Values{"secret": {secret}, "body": {"Hello, World!"}, "header": {header}},
			http.StatusOK)
		wants(t, page, part, "Hello, World!")
		lacks(t, page, "Secret to Everybody", "<script>alert")
	}
	_, page := b.post(endpoints+"/check", url.Values{"body": {"</textarea><script>x"}, "header": {"sha256=" + digest}},
		422)
	wants(t, page, "Secret must not be empty.")
	lacks(t, page, "<script>x")
}
