package admin

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

const endpoints = "/admin/endpoints"

func (w *Web) endpointRoutes() []route {
	return append([]route{
		{"GET", endpoints, office, listEndpoints},
		{"GET", endpoints + "/new", office, unmanaged(newEndpoint)},
		{"POST", endpoints + "/new", office, unmanaged(makeEndpoint)},
		{"GET", endpoints + "/check", office, checkForm},
		{"POST", endpoints + "/check", office, check},
		{"POST", endpoints + "/:endpoint/activate", office, unmanaged(func(v *visit) error { return setEndpoint(v, true) })},
		{"POST", endpoints + "/:endpoint/deactivate", office, unmanaged(func(v *visit) error { return setEndpoint(v, false) })},
		{"POST", endpoints + "/:endpoint/rotate", office, unmanaged(rotateSecret)},
		{"POST", endpoints + "/:endpoint/use-new-secret", office, unmanaged(useNewSecret)},
		{"POST", endpoints + "/:endpoint/keep-old-secret", office, unmanaged(keepOldSecret)},
		{"GET", endpoints + "/:endpoint/delete", office, unmanaged(askDeleteEndpoint)},
		{"POST", endpoints + "/:endpoint/delete", office, unmanaged(deleteEndpoint)},
	}, w.deliveryRoutes()...)
}

// unmanaged refuses what has no effect while a managed service delivers.
func unmanaged(handle func(*visit) error) func(*visit) error {
	return func(v *visit) error {
		if v.w.options.Managed {
			return &models.Error{Kind: models.Invalid, Message: "A managed service delivers; its endpoints are changed there."}
		}
		return handle(v)
	}
}

func (v *visit) tenant() *models.Tenant {
	return v.w.store.Organization(v.user.OrganizationID, v.by())
}

func (v *visit) webhooks() *models.Webhooks { return v.w.store.Outbox.Webhooks(v.tenant()) }

func listEndpoints(v *visit) error {
	list, err := v.webhooks().Endpoints(v.ctx())
	if err != nil {
		return err
	}
	p := pages.EndpointsPage{Base: endpoints, Rows: list, Managed: v.w.options.Managed}
	if p.Shell, err = v.shell("Webhook endpoints"); err != nil {
		return err
	}
	return v.show(pages.Endpoints(p))
}

func newEndpoint(v *visit) error { return v.endpointForm(http.StatusOK, "") }

func (v *visit) endpointForm(status int, address string) (err error) {
	p := pages.NewEndpointPage{Base: endpoints, URL: address}
	if p.Shell, err = v.shell("New webhook endpoint"); err != nil {
		return err
	}
	return v.render(status, pages.NewEndpoint(p))
}

func makeEndpoint(v *visit) error {
	var endpoint *models.WebhookEndpoint
	var secret string
	err := v.once(func(ctx context.Context) (_ string, err error) {
		endpoint, secret, err = v.webhooks().CreateEndpoint(ctx, v.value("url"))
		return endpoints, err
	})
	if again := new(sentBefore); errors.As(err, &again) && again.same {
		return v.warn("That form was sent before and added one endpoint. Its secret was shown then and cannot be shown again; make a new secret if you did not copy it.")
	}
	if err != nil {
		if err := v.refuse(err); err != nil {
			return err
		}
		return v.endpointForm(http.StatusUnprocessableEntity, v.value("url"))
	}
	return v.showSecret("The endpoint's secret", endpoint, secret)
}

// warn leads to the list and says why nothing was done.
func (v *visit) warn(notice string) error {
	v.keepNotice("warn", notice)
	return v.see(endpoints, "")
}

func (v *visit) showSecret(title string, endpoint *models.WebhookEndpoint, secret string) (err error) {
	p := pages.SecretPage{Base: endpoints, Endpoint: endpoint, Secret: secret}
	if p.Shell, err = v.shell(title); err != nil {
		return err
	}
	return v.show(pages.Secret(p))
}

// endpoint is the endpoint of the address.
func (v *visit) endpoint() (*models.WebhookEndpoint, error) {
	list, err := v.webhooks().Endpoints(v.ctx())
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(list, func(e *models.WebhookEndpoint) bool { return e.ID == v.Params("endpoint") })
	if at < 0 {
		return nil, &models.Error{Kind: models.NotFound, Message: "There is no such webhook endpoint in this organization."}
	}
	return list[at], nil
}

func setEndpoint(v *visit, active bool) error {
	if err := v.webhooks().SetEndpointActive(v.ctx(), v.Params("endpoint"), active); err != nil {
		return err
	}
	if active {
		return v.see(endpoints, "The endpoint is on. Changes from now on are sent to it.")
	}
	return v.see(endpoints, "The endpoint is off. What waited for it was dropped, and what changes meanwhile is not sent later.")
}

func rotateSecret(v *visit) error {
	token, err := models.ParseTime(v.value("updated_at"))
	if err != nil {
		return errOldForm
	}
	secret, err := v.webhooks().RotateSecret(v.ctx(), v.Params("endpoint"), &token)
	if models.KindOf(err) == models.Stale {
		return v.warn("That form was sent before, or the endpoint was changed meanwhile; no new secret was made. A secret is shown once: keep the old one and begin again if you did not copy it.")
	}
	if err != nil {
		return err
	}
	endpoint, err := v.endpoint()
	if err != nil {
		return err
	}
	return v.showSecret("The endpoint's new secret", endpoint, secret)
}

func useNewSecret(v *visit) error {
	err := v.webhooks().ActivateSecret(v.ctx(), v.Params("endpoint"))
	if models.KindOf(err) == models.Invalid {
		return v.warn("No new secret waits for this endpoint.")
	}
	if err != nil {
		return err
	}
	return v.see(endpoints, "Deliveries are signed with the new secret from now on. The old one can be taken out of the receiver.")
}

func keepOldSecret(v *visit) error {
	if err := v.webhooks().CancelRotation(v.ctx(), v.Params("endpoint")); err != nil {
		return err
	}
	return v.see(endpoints, "The old secret stays. The new one is forgotten and never signed anything.")
}

func askDeleteEndpoint(v *visit) error {
	endpoint, err := v.endpoint()
	if err != nil {
		return err
	}
	p := pages.DeleteEndpointPage{Base: endpoints, Endpoint: endpoint}
	if p.Shell, err = v.shell("Delete this endpoint?"); err != nil {
		return err
	}
	return v.show(pages.DeleteEndpoint(p))
}

func deleteEndpoint(v *visit) error {
	if err := v.webhooks().DeleteEndpoint(v.ctx(), v.Params("endpoint")); err != nil {
		return err
	}
	return v.see(endpoints, "The endpoint is deleted. The delivery log keeps what was sent to it.")
}

func checkForm(v *visit) error { return v.checkPage(http.StatusOK, pages.CheckPage{}) }

func (v *visit) checkPage(status int, p pages.CheckPage) (err error) {
	p.Base = endpoints
	if p.Shell, err = v.shell("Check a signature"); err != nil {
		return err
	}
	return v.render(status, pages.Check(p))
}

// check says whether a signature is right. The secret goes nowhere, not even
// back into the form.
func check(v *visit) error {
	p := pages.CheckPage{Body: v.FormValue("body"), Header: v.value("header")}
	// Whoever copies the whole line means its value.
	if name, value, found := strings.Cut(p.Header, ":"); found && strings.EqualFold(strings.TrimSpace(name), "x-service-signature") {
		p.Header = strings.TrimSpace(value)
	}
	secret := v.FormValue("secret")
	if secret == "" {
		v.faults = components.Faults{{Field: "secret", Message: "must not be empty"}}
		return v.checkPage(http.StatusUnprocessableEntity, p)
	}
	p.Valid, p.Why = checkSignature(secret, p.Body, p.Header)
	p.Checked = true
	return v.checkPage(http.StatusOK, p)
}
