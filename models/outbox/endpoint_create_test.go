package outbox_test

import (
	"encoding/json"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestEndpointTakesOnlyWebAddressesWithoutCredentials(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for _, address := range []string{"", "ftp://example.org", "example.org", "http://",
			"https://user:password@example.org/x", "https://user@example.org",
			"javascript:alert(1)", "https://example.org/\x00", "https://example.org/" + strings.Repeat("x", 2000),
			"https://example.org:0/", "https://example.org:65536", "http://[::1]:99999999999999999999/",
			"https://example.org:-1", "https://example.org:x"} {
			if _, _, err := f.Outbox.CreateWebhookEndpoint(t.Context(), address); store.KindOf(err) != store.Invalid {
				t.Errorf("%.60q: %v", address, err)
			}
		}
		modelstest.Want(t, "endpoints are there", len(modelstest.Must(f.Outbox.WebhookEndpoints(t.Context()))(t)), 0)
		for _, address := range []string{"https://example.org", "http://example.org:1/x", "https://[2001:db8::1]:65535"} {
			if e, _, err := f.Outbox.CreateWebhookEndpoint(t.Context(), address); err != nil || e.URL != address {
				t.Errorf("%s: %v", address, err)
			}
		}
	})
}

func TestSecretIsSealedAtRestAndOpensOnlyWithTheKey(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		endpoint, secret, err := f.Outbox.CreateWebhookEndpoint(ctx, "https://example.org/hook")
		if err != nil {
			t.Fatal(err)
		}
		listed, _ := json.Marshal(modelstest.Must(f.Outbox.WebhookEndpoints(ctx))(t))
		db := f.SQL
		var sealed string
		modelstest.Fine(t, db.QueryRow("SELECT sealed_secret FROM webhook_endpoints").Scan(&sealed))
		if strings.Contains(string(listed), secret) || strings.Contains(string(listed), sealed) ||
			strings.Contains(sealed, secret) || len(sealed) < len(secret) {
			t.Errorf("the secret is readable: %s %s", listed, sealed)
		}
		modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "One"}))(t)
		modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Two"}))(t)
		modelstest.Must(f.Outbox.FanOut(ctx, false, 10))(t)
		modelstest.Want(t, "the sealed secret opens to another one",
			modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t).Secret, secret)
		// A process with another key cannot sign, so it sends nothing and loses nothing.
		other := modelstest.WithKey(t, f, 'k')
		if round, err := other.NextRound(ctx, endpoint.ID, "", nil); round != nil || err != nil {
			t.Errorf("%+v %v", round, err)
		}
		if round := modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t); round.Secret != secret ||
			!strings.Contains(round.Delivery.RequestBody, "Two") {
			t.Errorf("the line lost what waited: %+v", round)
		}
	})
}
