package jobs

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"code.dny.dev/ssrf"

	"lectern/models/fetch"
	"lectern/models/outbox"
)

const (
	responseLimit = 16 << 10 // bytes read of an answer
	excerptLimit  = 1000     // bytes of it that the log keeps
)

// control checks an address before it is dialled.
type control func(network, address string, _ syscall.RawConn) error

// guard refuses private addresses at dial time, except for beside, so that a name that resolves to one is refused too.
// It guards addresses that users enter; the managed service's is the operator's.
func guard(allowed []netip.Prefix, beside netip.AddrPort) control {
	guards := []ssrf.Option{ssrf.WithAnyPort()}
	var v4, v6 []netip.Prefix
	for _, prefix := range allowed {
		if prefix.Addr().Is4() {
			v4 = append(v4, prefix)
		} else {
			v6 = append(v6, prefix)
		}
	}
	guards = append(guards, ssrf.WithAllowedV4Prefixes(v4...), ssrf.WithAllowedV6Prefixes(v6...))
	safe := ssrf.New(guards...).Safe
	return func(network, address string, conn syscall.RawConn) error {
		if to, err := netip.ParseAddrPort(address); err == nil && beside.IsValid() && to == beside {
			return nil
		}
		return safe(network, address, conn)
	}
}

// pageLimit is how long another system may take for one answer.
const pageLimit = 90 * time.Second

// NewFetch returns a client for addresses that users enter: it refuses private networks except those allowed.
func NewFetch(allowed []netip.Prefix, agent string) *fetch.Client {
	return newFetch(Options{AllowNets: allowed, UserAgent: agent})
}

func newFetch(o Options) *fetch.Client {
	return &fetch.Client{HTTP: guarded(pageLimit, guard(o.AllowNets, o.Beside)), IsBlocked: IsBlocked, Agent: o.UserAgent}
}

// NewGuarded returns a client for servers at addresses that users enter: it limits the time of each request, refuses
// private networks except those allowed, and follows no redirect.
func NewGuarded(allowed []netip.Prefix, limit time.Duration) *http.Client {
	return guarded(limit, guard(allowed, netip.AddrPort{}))
}

func guarded(limit time.Duration, check control) *http.Client {
	return newClient(Options{Connect: min(limit, 10*time.Second), Total: limit}, check)
}

// IsBlocked reports whether such a client refused the address as private.
func IsBlocked(err error) bool { return classOf(err) == outbox.BlockedError }

// newClient returns a client that follows no redirect and uses no proxy.
func newClient(o Options, check control) *http.Client {
	dialer := &net.Dialer{Timeout: o.Connect, Control: check}
	return &http.Client{
		Timeout: o.Total,
		Transport: &http.Transport{
			Proxy: nil, DialContext: dialer.DialContext, TLSHandshakeTimeout: o.Connect, ForceAttemptHTTP2: true,
			MaxIdleConnsPerHost: workers, IdleConnTimeout: 30 * time.Second, MaxResponseHeaderBytes: responseLimit,
			DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// attempt sends request and writes the outcome to d. accepted reports which statuses are a success.
func attempt(client *http.Client, request *http.Request, d *outbox.Delivery, accepted func(int) bool) {
	start := time.Now()
	defer func() { d.DurationMS = new(int(time.Since(start).Milliseconds())) }()
	response, err := client.Do(request)
	if err != nil {
		d.Outcome, d.ErrorClass = outbox.Failure, classOf(err)
		return
	}
	defer response.Body.Close()
	// The status counts even if the body breaks off.
	body, _ := io.ReadAll(io.LimitReader(response.Body, responseLimit))
	d.ResponseStatus, d.ResponseExcerpt = &response.StatusCode, excerpt(body)
	if accepted(response.StatusCode) {
		d.Outcome, d.ErrorClass = outbox.Success, outbox.NoError
	} else {
		d.Outcome, d.ErrorClass = outbox.Failure, outbox.StatusError
	}
}

func isSuccess(status int) bool { return status >= 200 && status < 300 }

// classOf returns why a request got no answer.
func classOf(err error) outbox.ErrorClass {
	var dns *net.DNSError
	var verification *tls.CertificateVerificationError
	var alert tls.AlertError
	var record tls.RecordHeaderError
	var authority x509.UnknownAuthorityError
	var timeout net.Error
	switch {
	case errors.Is(err, ssrf.ErrProhibitedIP), errors.Is(err, ssrf.ErrProhibitedNetwork),
		errors.Is(err, ssrf.ErrProhibitedPort):
		return outbox.BlockedError
	case errors.As(err, &dns):
		return outbox.DNSError
	case errors.As(err, &verification), errors.As(err, &alert), errors.As(err, &record), errors.As(err, &authority),
		strings.Contains(err.Error(), "tls:"), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return outbox.TLSError
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return outbox.TimeoutError
	case errors.Is(err, context.Canceled):
		return outbox.InterruptedError
	}
	return outbox.ConnectError
}

// excerpt returns the beginning of an answer as text that every database can store.
func excerpt(body []byte) string {
	s := strings.Map(func(r rune) rune {
		if r == 0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(body), "\uFFFD"))
	if len(s) <= excerptLimit {
		return s
	}
	cut := excerptLimit
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

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

// Sign returns the header x-service-signature for a body: sha256= and the lower-case hex HMAC-SHA256 (RFC 2104) under
// the endpoint's secret.
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// Verify reports whether signature, with or without its sha256= prefix, is that of body. It compares in constant time.
func Verify(secret string, body []byte, signature string) bool {
	given := "sha256=" + strings.ToLower(strings.TrimPrefix(signature, "sha256="))
	return hmac.Equal([]byte(given), []byte(Sign(secret, body)))
}

// SignStandard adds the headers of Standard Webhooks (https://www.standardwebhooks.com), so that a receiver can verify
// with its libraries as well: the key is the part after whsec_, read as base64. A secret of another form has no such
// key, and gets none of these headers.
func SignStandard(header http.Header, secret, id string, at time.Time, body []byte) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return
	}
	sent := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + sent + "."))
	mac.Write(body)
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", sent)
	header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

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
