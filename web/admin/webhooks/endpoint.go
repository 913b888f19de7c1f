package webhooks

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"lectern/models/outbox"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/webhooks"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// unmanaged wraps a handler that has no effect while a managed service delivers, and refuses it then.
func unmanaged(handle visit.Handler) visit.Handler {
	return func(v *visit.Visit) error {
		if v.Options.Managed {
			return &store.Error{Kind: store.Invalid, Message: "A managed service delivers; its endpoints are changed there."}
		}
		return handle(v)
	}
}

func webhooks(v *visit.Visit) *outbox.Webhooks { return v.Store.Outbox.Webhooks(v.Tenant()) }

func listEndpoints(v *visit.Visit) error {
	list, err := webhooks(v).Endpoints(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.EndpointsPage{Base: endpoints, Rows: list, Managed: v.Options.Managed}
	return visit.Show(v, http.StatusOK, "Webhook endpoints", pages.Endpoints, p)
}

func newEndpoint(v *visit.Visit) error { return endpointForm(v, http.StatusOK, "") }

func endpointForm(v *visit.Visit, status int, address string) error {
	p := pages.NewEndpointPage{Base: endpoints, URL: address}
	return visit.Show(v, status, "New webhook endpoint", pages.NewEndpoint, p)
}

func makeEndpoint(v *visit.Visit) error {
	var endpoint *outbox.Endpoint
	var secret string
	err := v.Once(func(ctx context.Context) (_ string, err error) {
		endpoint, secret, err = webhooks(v).CreateEndpoint(ctx, v.Value("url"))
		return endpoints, err
	})
	if again := new(page.SentBefore); errors.As(err, &again) && again.Same {
		return v.SeeWarning(endpoints, "That form was sent before and added one endpoint. Its secret was shown then and cannot be shown "+
			"again; make a new secret if you did not copy it.")
	}
	if err != nil {
		return v.Again(err, func(status int) error { return endpointForm(v, status, v.Value("url")) })
	}
	return showSecret(v, "The endpoint's secret", endpoint, secret)
}

func showSecret(v *visit.Visit, title string, endpoint *outbox.Endpoint, secret string) error {
	p := pages.SecretPage{Base: endpoints, Endpoint: endpoint, Secret: secret}
	return visit.Show(v, http.StatusOK, title, pages.Secret, p)
}

// endpoint reads the endpoint of the path.
func endpoint(v *visit.Visit) (*outbox.Endpoint, error) {
	list, err := webhooks(v).Endpoints(v.UserContext())
	return visit.OneOf(list, err, v.Params("endpoint"), func(e *outbox.Endpoint) string { return e.ID },
		"There is no such webhook endpoint in this organization.")
}

func setEndpoint(v *visit.Visit, active bool) error {
	text := "The endpoint is off. What waited for it was dropped, and what changes meanwhile is not sent later."
	if active {
		text = "The endpoint is on. Changes from now on are sent to it."
	}
	return v.Done(webhooks(v).SetEndpointActive(v.UserContext(), v.Params("endpoint"), active), endpoints, text)
}

func rotateSecret(v *visit.Visit) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	secret, err := webhooks(v).RotateSecret(v.UserContext(), v.Params("endpoint"), &token)
	if store.KindOf(err) == store.Stale {
		return v.SeeWarning(endpoints, "That form was sent before, or the endpoint was changed meanwhile; no new secret was made. A secret "+
			"is shown once: keep the old one and begin again if you did not copy it.")
	}
	if err != nil {
		return err
	}
	endpoint, err := endpoint(v)
	if err != nil {
		return err
	}
	return showSecret(v, "The endpoint's new secret", endpoint, secret)
}

func useNewSecret(v *visit.Visit) error {
	err := webhooks(v).ActivateSecret(v.UserContext(), v.Params("endpoint"))
	if store.KindOf(err) == store.Invalid {
		return v.SeeWarning(endpoints, "No new secret waits for this endpoint.")
	}
	return v.Done(err, endpoints,
		"Deliveries are signed with the new secret from now on. The old one can be taken out of the receiver.")
}

func keepOldSecret(v *visit.Visit) error {
	err := webhooks(v).CancelRotation(v.UserContext(), v.Params("endpoint"))
	return v.Done(err, endpoints, "The old secret stays. The new one is forgotten and never signed anything.")
}

func askDeleteEndpoint(v *visit.Visit, endpoint *outbox.Endpoint) error {
	p := layouts.ConfirmPage{
		Text: endpoint.URL, Action: endpoints + "/" + endpoint.ID + "/delete", Verb: "Delete the endpoint",
		Cancel: endpoints, Stay: "Keep it",
		Points: []string{
			"Nothing more is sent to it, and what waits for it is dropped.",
			"Its secret is forgotten. An endpoint added again has another one.",
			"The delivery log keeps what was sent.",
		},
	}
	if endpoint.IsActive {
		p.Last = "To pause it, turn it off instead: that keeps the secret."
	}
	return v.Ask("Delete this endpoint?", p)
}

func deleteEndpoint(v *visit.Visit) error {
	err := webhooks(v).DeleteEndpoint(v.UserContext(), v.Params("endpoint"))
	return v.Done(err, endpoints, "The endpoint is deleted. The delivery log keeps what was sent to it.")
}

func checkForm(v *visit.Visit) error { return checkPage(v, http.StatusOK, pages.CheckPage{}) }

func checkPage(v *visit.Visit, status int, p pages.CheckPage) error {
	p.Base = endpoints
	return visit.Show(v, status, "Check a signature", pages.Check, p)
}

// check says whether a signature is right. The secret is never sent back, not even into the form.
func check(v *visit.Visit) error {
	p := pages.CheckPage{Body: v.FormValue("body"), Header: v.Value("header")}
	// Users may paste the whole header line.
	name, value, found := strings.Cut(p.Header, ":")
	if found && strings.EqualFold(strings.TrimSpace(name), "x-service-signature") {
		p.Header = strings.TrimSpace(value)
	}
	secret := v.FormValue("secret")
	if secret == "" {
		v.Faults = components.Faults{{Field: "secret", Message: "must not be empty"}}
		return checkPage(v, http.StatusUnprocessableEntity, p)
	}
	p.Valid, p.Why = checkSignature(secret, p.Body, p.Header)
	p.Checked = true
	return checkPage(v, http.StatusOK, p)
}
