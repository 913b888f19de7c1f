package jobs

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"lectern/models/outbox"
)

// ManagedOptions name a service that delivers in our place. It is selected only by a token and an app id together.
type ManagedOptions struct {
	URL   string // its base address, without a trailing slash
	Token string
	AppID string
}

// Enabled reports whether the managed service is selected.
func (o ManagedOptions) Enabled() bool { return o.Token != "" && o.AppID != "" }

// managedURL returns the address to hand emissions to, "" if the managed service is not selected.
func (r *Runner) managedURL() string {
	if r.options.Managed.Enabled() {
		return r.options.Managed.URL
	}
	return ""
}

// managed is the sender that hands emissions over. It reads no endpoint and signs nothing.
type managed struct {
	ManagedOptions
	userAgent string
	client    *http.Client
}

func (m *managed) send(ctx context.Context, _ *outbox.Round, d *outbox.Delivery) {
	body, err := json.Marshal(struct {
		EventType outbox.EmissionType `json:"eventType"`
		Payload   json.RawMessage     `json:"payload"`
		EventID   string              `json:"eventId"`
	}{d.EventType, json.RawMessage(d.RequestBody), d.EmissionID})
	if err != nil {
		d.Outcome, d.ErrorClass = outbox.Failure, outbox.InternalError
		return
	}
	address := m.URL + "/api/v1/app/" + url.PathEscape(m.AppID) + "/msg"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(string(body)))
	if err != nil {
		d.Outcome, d.ErrorClass = outbox.Failure, outbox.InternalError
		return
	}
	// A handoff is one request: with an idempotency key and a body it can read again, net/http would resend it on another
	// connection.
	request.GetBody = nil
	request.Header.Set("content-type", "application/json")
	request.Header.Set("user-agent", m.userAgent)
	request.Header.Set("authorization", "Bearer "+m.Token)
	request.Header.Set("idempotency-key", d.EmissionID)
	// 409 means that the service already has this emission.
	attempt(m.client, request, d, func(status int) bool { return isSuccess(status) || status == http.StatusConflict })
}
