package jobs

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"lectern/models/outbox"
)

// builtin is the sender that signs an emission and posts it to an endpoint of the organization.
type builtin struct {
	userAgent string
	client    *http.Client
}

func (b *builtin) send(ctx context.Context, round *outbox.Round, d *outbox.Delivery) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, strings.NewReader(d.RequestBody))
	if err != nil {
		d.Outcome, d.ErrorClass = outbox.Failure, outbox.InternalError
		return
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("user-agent", b.userAgent)
	body := []byte(d.RequestBody)
	request.Header.Set("x-service-signature", Sign(round.Secret, body))
	SignStandard(request.Header, round.Secret, d.EmissionID, time.Now(), body)
	request.Header.Set("x-service-event", string(d.EventType))
	request.Header.Set("x-service-event-id", d.EmissionID)
	request.Header.Set("x-service-attempt", strconv.Itoa(d.Attempt))
	attempt(b.client, request, d, isSuccess)
}
