package webhooks

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"lectern/models/apikey"
	"lectern/models/store"
	"lectern/views/layouts"
	pages "lectern/views/pages/webhooks"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

const suggestedDays = "90"

func listKeys(v *visit.Visit) error {
	keys, err := apikey.Of(v.Programme).All(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.KeysPage{Base: v.At("/keys"), Rows: store.Map(keys, func(k *apikey.Key) pages.KeyRow { return keyRow(v, k) })}
	return visit.Show(v, http.StatusOK, "API keys", pages.Keys, p)
}

func keyRow(v *visit.Visit, key *apikey.Key) pages.KeyRow {
	now, zone := v.Options.Now(), v.Event.Location()
	row := pages.KeyRow{
		Key: key, State: string(key.State(now)), Made: key.CreatedAt.In(zone).Format("2 Jan 2006"), Used: "Never",
		Expires: "Never", Revoke: v.At("/keys/" + key.ID + "/revoke"),
	}
	if key.ExpiresSoon(now) {
		row.State = "soon"
	}
	if key.LastUsedAt != nil {
		row.Used = visit.Ago(*key.LastUsedAt, now)
	}
	if key.ExpiresAt != nil {
		row.Expires = page.When(key.ExpiresAt, zone)
	}
	return row
}

func newKey(v *visit.Visit) error {
	return keyForm(v, http.StatusOK, pages.NewKeyPage{Days: suggestedDays})
}

// scopesOf returns the scopes of the preset, or those that were ticked.
func scopesOf(p pages.NewKeyPage) []apikey.Scope {
	for _, preset := range pages.KeyPresets {
		if preset.Value == p.Preset && preset.Value != pages.ChooseScopes {
			return preset.Scopes
		}
	}
	return p.Scopes
}

func keyForm(v *visit.Visit, status int, p pages.NewKeyPage) error {
	p.Base = v.At("/keys")
	return visit.Show(v, status, "New API key", pages.NewKey, p)
}

func makeKey(v *visit.Visit) error {
	p := pages.NewKeyPage{Name: v.Value("name"), Days: v.Value("expires"), Preset: v.Value("preset")}
	p.Scopes = store.Map(v.Values("scopes"), func(scope string) apikey.Scope { return apikey.Scope(scope) })
	var key *apikey.Key
	var value string
	err := v.Once(func(ctx context.Context) (_ string, err error) {
		key, value, err = apikey.Of(v.Programme).Create(ctx, apikey.New{Name: p.Name, Scopes: scopesOf(p),
			ValidFor: daysOf(p.Days)})
		return v.At("/keys"), err
	})
	if again := new(page.SentBefore); errors.As(err, &again) && again.Same {
		return v.SeeWarning(v.At("/keys"),
			"That form was sent before and made one key. Its value was shown then and cannot be shown "+
				"again; revoke the key and make another if you did not copy it.")
	}
	if err != nil {
		return v.Again(err, func(status int) error { return keyForm(v, status, p) })
	}
	return visit.Show(v, http.StatusOK, "The new key", pages.KeyMade, pages.KeyMadePage{KeyRow: keyRow(v, key),
		Base: v.At("/keys"), Value: value, Curl: curl(v, key, value), Tools: v.Options.BaseURL + "/mcp"})
}

// daysOf returns how long a key is valid; an invalid number becomes one that the operation refuses.
func daysOf(days string) time.Duration {
	n, err := strconv.Atoi(days)
	if err != nil || n > 3650 {
		return -1
	}
	return time.Duration(n) * 24 * time.Hour
}

// curl returns a request that the key may make and that changes nothing, "" for a key that may only write.
func curl(v *visit.Visit, key *apikey.Key, value string) string {
	base, header := v.Options.BaseURL+"/v1/event/"+v.Event.ID, " \\\n  -H 'x-access-token: "+value+"'"
	search := header + " \\\n  -H 'content-type: application/json' -d '{}'"
	switch {
	case key.Has(apikey.ReadSessions):
		return "curl -s -X POST " + base + "/sessions/search" + search
	case key.Has(apikey.ReadEvents):
		return "curl -s " + v.Options.BaseURL + "/v1/events" + header
	case key.Has(apikey.ReadContacts):
		return "curl -s -X POST " + base + "/speakers/search" + search
	case key.Has(apikey.ReadMetadata):
		return "curl -s " + base + "/tracks" + header
	}
	return ""
}

// key reads the key of the path.
func key(v *visit.Visit) (*apikey.Key, error) {
	keys, err := apikey.Of(v.Programme).All(v.UserContext())
	return visit.OneOf(keys, err, v.Params("api_key"), func(k *apikey.Key) string { return k.ID },
		"There is no such API key in this event.")
}

func askRevokeKey(v *visit.Visit, key *apikey.Key) error {
	if key.RevokedAt != nil {
		return v.See(v.At("/keys"), "“"+key.Name+"” was revoked before.")
	}
	p := pages.RevokeKeyPage{KeyRow: keyRow(v, key), ConfirmPage: layouts.ConfirmPage{
		Text: "What stops working: programs and agents with this key are refused (401) from their next request on. " +
			"They can no longer:",
		Points: pages.ScopesLost(key),
		Last: "What they wrote stays. A revoked key cannot be brought back; if the program goes on, make its new key " +
			"first.",
		Action: v.At("/keys/" + key.ID + "/revoke"), Verb: "Revoke the key", Cancel: v.At("/keys"), Stay: "Keep it",
	}}
	return visit.Show(v, http.StatusOK, "Revoke “"+key.Name+"”?", pages.RevokeKey, p)
}

func revokeKey(v *visit.Visit, key *apikey.Key) error {
	if key.RevokedAt != nil {
		return v.See(v.At("/keys"), "“"+key.Name+"” was revoked before.")
	}
	return v.Done(apikey.Of(v.Programme).Revoke(v.UserContext(), key.ID), v.At("/keys"),
		"“"+key.Name+"” is revoked. Requests with it are refused from now on.")
}
