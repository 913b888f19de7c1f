package webhooks_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

var keyPattern = regexp.MustCompile(`lct_[0-9A-Za-z]{38}`)

func TestAKeyIsShownInTheAnswerAloneAndMadeOnceAForm(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	list := "/admin/events/" + d.Event.ID + "/keys"
	admintest.Wants(t, b.Get(list, 200), "No keys yet")
	admintest.Lacks(t, b.Get(list+"/new", 200), "checked")
	form := url.Values{"name": {"Website"}, "scopes": {"read:events", "read:sessions"}, "expires": {"90"}}
	res, page := b.Do(b.FormRequest(list+"/new", form), 200)
	value := keyPattern.FindString(page)
	if value == "" {
		t.Fatalf("%q, %v", value, res.Header)
	}
	admintest.Wants(t, page, "/v1/event/"+d.Event.ID+"/sessions/search", "http://127.0.0.1/mcp", "claude mcp add")
	if key, err := apikey.In(d.Fixture.Store).Authenticate(t.Context(), value, store.By{}); err != nil ||
		key.Scopes != "read:events read:sessions" || key.ExpiresAt.Sub(d.Clock.Now()).Round(time.Hour) != 90*24*time.Hour {
		t.Errorf("%+v %v", key, err)
	}
	page = b.Follow(b.Post(list+"/new", form, http.StatusSeeOther))
	admintest.Wants(t, page, "Website", "lct_…"+value[len(value)-4:], "Active", "read:sessions", "sent before")
	admintest.Lacks(t, page, value)
	modelstest.Want(t, "how often id=\"key-", strings.Count(page, `id="key-`), 1)
	admintest.Lacks(t, b.Get(list, 200), value, "sent before")
}

func TestAKeyFormComesBackAsFilledIn(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	list := "/admin/events/" + d.Event.ID + "/keys"
	b.Get(list+"/new", 200)
	admintest.Wants(t, b.Answer(list+"/new", url.Values{"name": {"<script>x</script>"}, "expires": {"365"}}, 422),
		"Scopes must name at least one scope.", "&lt;script&gt;", `value="365" selected`, "<title>Error: ")
	admintest.Lacks(t, b.Text, "<script>x")
	_, page := b.Post(list+"/new", url.Values{"name": {"N"}, "scopes": {"write:sessions"}, "expires": {"soon"}}, 422)
	admintest.Wants(t, page, `value="write:sessions" checked`)
	_, page = b.Post(list+"/new", url.Values{"name": {""}, "preset": {"read-contacts"}, "expires": {"30"}}, 422)
	admintest.Wants(t, page, `value="read-contacts" required checked`, `value="30" selected`)
	admintest.Wants(t, b.Get(list, 200), "No keys yet")
	for scope, part := range map[string]string{"read:events": "/v1/events", "read:metadata": "/tracks",
		"read:contacts": "/speakers/search", "write:sessions": "This key reads nothing"} {
		b.Get(list+"/new", 200)
		_, page := b.Post(list+"/new", url.Values{"name": {"<b>bold</b>"}, "scopes": {scope}, "expires": {"0"}}, 200)
		admintest.Wants(t, page, part, "&lt;b&gt;bold", "Never expires")
		admintest.Lacks(t, page, "<b>bold")
	}
}

func TestAPresetOfAKeyWinsOverTickedScopes(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	list := d.At("/keys")
	for preset, want := range map[string]string{
		"read":          "read:events read:sessions read:metadata",
		"read-contacts": "read:events read:sessions read:contacts read:metadata",
		"submit":        "read:events write:sessions read:metadata",
		"everything": "read:events read:sessions write:sessions read:reviews read:contacts write:contacts " +
			"read:metadata write:metadata",
		"choose": "write:metadata", "": "write:metadata", "unknown": "write:metadata",
	} {
		b.Get(list+"/new", 200)
		_, page := b.Post(list+"/new", url.Values{"name": {"K"}, "preset": {preset}, "scopes": {"write:metadata"},
			"expires": {"30"}}, 200)
		key := modelstest.Must(apikey.In(d.Fixture.Store).Authenticate(t.Context(), keyPattern.FindString(page), store.By{}))(t)
		got, wanted := strings.Fields(key.Scopes), strings.Fields(want)
		slices.Sort(got)
		slices.Sort(wanted)
		modelstest.WantAll(t, preset+" gives", got, wanted)
	}
	_, page := b.On(list+"/new").Post(list+"/new", url.Values{"name": {"K"}, "preset": {"choose"}, "expires": {"30"}}, 422)
	admintest.Wants(t, page, "Scopes must name at least one scope.", `value="choose" required checked`)
}

func TestKeysAreRevokedAfterAQuestion(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	list := "/admin/events/" + d.Event.ID + "/keys"
	key, value, err := apikey.Of(d.Programme()).Create(t.Context(),
		apikey.New{Name: "Old <i>form</i>", Scopes: []apikey.Scope{apikey.WriteSessions}, ValidFor: 10 * 24 * time.Hour})
	modelstest.Fine(t, err)
	admintest.Wants(t, b.Get(list, 200), "Expires soon", "Old &lt;i&gt;form")
	revoke := list + "/" + key.ID + "/revoke"
	admintest.Wants(t, b.Get(revoke, 200), "What stops working", "Create, change, publish")
	admintest.Wants(t, b.Follow(b.Post(revoke, nil, 303)), "is revoked", "Revoked")
	if _, err := apikey.In(d.Fixture.Store).Authenticate(t.Context(), value,
		store.By{}); store.KindOf(err) != store.Unauthorized {
		t.Errorf("a revoked key: %v", err)
	}
	admintest.Wants(t, b.Follow(b.Post(revoke, nil, 303)), "was revoked before")
	admintest.Wants(t, b.Get(b.Leads(revoke), 200), "was revoked before")
}

func TestAViewerIsNotLedToKeys(t *testing.T) {
	d, viewer := admintest.OpenAs(t, staff.Viewer)
	ours := "/admin/events/" + d.Event.ID + "/keys"
	viewer.Get(ours, 403)
	admintest.Lacks(t, viewer.Get("/admin/events/"+d.Event.ID+"/submissions", 200), ours)
}
