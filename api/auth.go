package api

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/store"
	"lectern/web/request"
)

type callerKey struct{}

// caller is the holder of a request's key, with the programme it reaches.
type caller struct {
	*models.Programme
	key *apikey.Key
}

func callerOf(ctx context.Context) *caller { return ctx.Value(callerKey{}).(*caller) }

// lacks records that a key lacks the scope of a request, and returns the error to answer.
func (c *caller) lacks(ctx context.Context, scope apikey.Scope) *Error {
	c.Note(store.Denied, "scope "+string(scope))
	return NewError(request.ID(ctx), http.StatusForbidden, "This key lacks the scope "+string(scope)+".")
}

// authenticate answers 401 without a valid key and 403 outside the key's event, for every path below /v1, known or not.
func (a *API) authenticate(c *fiber.Ctx) error {
	id := request.ID(c.Context())
	by := store.By{Door: "api", RequestID: id, Address: a.options.Proxies.AddressOf(c)}
	value := c.Get("x-access-token")
	key, err := apikey.In(a.store).Authenticate(c.UserContext(), value, by)
	if store.KindOf(err) == store.Unauthorized {
		// Only failures are counted: a valid key works, whoever shares its address.
		if spent := a.failures.Take(a.options.Proxies.NetworkOf(c), 1); spent.Over {
			a.store.Note(store.Incident{Event: store.Throttled, By: by, Facts: map[string]any{"of": store.APIKeyRefused}})
			return a.tooMany(c, spent)
		}
		if value != "" {
			a.store.Note(store.Incident{Event: store.APIKeyRefused, By: by})
		}
	}
	if err != nil {
		return send(c, problem(c.Context(), err))
	}
	by.ActorID, by.ActorName = key.ID, key.Name
	programme := a.store.Programme(key.Event, by)
	if event, scoped := eventIn(c.Path()); scoped && event != key.EventID {
		programme.Note(store.Denied, "event")
		return send(c, NewError(id, http.StatusForbidden, "This key does not reach this event."))
	}
	c.Locals(callerKey{}, &caller{key: key, Programme: programme})
	return c.Next()
}

// eventIn returns the event id in a path.
func eventIn(path string) (string, bool) {
	rest, found := strings.CutPrefix(path, "/v1/event/")
	event, _, _ := strings.Cut(rest, "/")
	return event, found
}

// maxBody is the maximum size of a body, in bytes.
const maxBody = 2 << 20

// guard checks the scope, then the rate, before an operation; only then is the body read and its form checked.
func (a *API) guard(op operation) func(huma.Context, func(huma.Context)) {
	limit, scope := a.reads, op.scope
	if op.writes() {
		limit = a.writes
	}
	return func(ctx huma.Context, next func(huma.Context)) {
		c := humafiber.Unwrap(ctx)
		who := callerOf(ctx.Context())
		if scope != "" && !who.key.Has(scope) {
			send(c, who.lacks(ctx.Context(), scope))
			return
		}
		spent := limit.Take(who.key.ID, 1)
		spent.Headers(c)
		if spent.Over {
			who.Note(store.Throttled, "requests")
			a.tooMany(c, spent)
			return
		}
		if err := request.ReadBody(c, maxBody); err != nil {
			refuse(c, err)
			return
		}
		err := checkQuery(ctx.Operation(), c)
		if err == nil {
			err = checkBody(c)
		}
		if err == nil && limit == a.writes {
			err = cmp.Or(checkPrecondition(c), a.checkNulls(ctx.Operation(), c.Body()))
		}
		if err != nil {
			err.RequestID = request.ID(ctx.Context())
			send(c, err)
			return
		}
		next(bodyRead{ctx})
	}
}

// bodyRead keeps huma from reading the body again, and from setting a read deadline, for which there may be no
// connection.
type bodyRead struct{ humaContext }

type humaContext = huma.Context // the embedded field would otherwise collide with its method Context

func (bodyRead) SetReadDeadline(time.Time) error { return nil }

// BodyReader returns the body that guard has read.
func (b bodyRead) BodyReader() io.Reader {
	return bytes.NewReader(humafiber.Unwrap(b.humaContext).Body())
}

// Unwrap returns the adapter's own context.
func (b bodyRead) Unwrap() huma.Context { return b.humaContext }

func checkBody(c *fiber.Ctx) *Error {
	body := c.Body()
	if len(body) == 0 {
		return nil
	}
	if header := c.Get(fiber.HeaderContentType); header != "" {
		kind, parameters, err := mime.ParseMediaType(header)
		charset := strings.ToLower(parameters["charset"])
		if err != nil || kind != "application/json" || (charset != "" && charset != "utf-8") {
			return NewError("", http.StatusUnsupportedMediaType, "Send the body as application/json in UTF-8.")
		}
	}
	if !utf8.Valid(body) {
		return NewError("", http.StatusBadRequest, "body is not valid UTF-8",
			store.FieldError{Field: "body", Message: "is not valid UTF-8"})
	}
	return nil
}

func (a *API) tooMany(c *fiber.Ctx, spent request.Spending) error {
	id := request.ID(c.Context())
	return send(c, tooSoon(id, "Too many requests.", spent.Reset()))
}

// send writes an error without huma.
func send(c *fiber.Ctx, e *Error) error {
	for name, values := range e.GetHeaders() {
		c.Set(name, values[0])
	}
	return c.Status(e.status).JSON(e)
}

// refuse answers an error of fiber's.
func refuse(c *fiber.Ctx, err error) error {
	status := http.StatusInternalServerError
	var e *fiber.Error
	if errors.As(err, &e) {
		status = e.Code
	}
	return Fail(c, status)
}

// Fail answers an error outside the operations: an unknown path, a method it does not have, a body that is too large, a
// panic.
func Fail(c *fiber.Ctx, status int) error {
	id := request.ID(c.Context())
	message := map[int]string{
		http.StatusBadRequest:                  "This is no request as HTTP/1.1 has it.",
		http.StatusRequestTimeout:              "The request did not arrive in time.",
		http.StatusNotFound:                    "There is nothing at this path.",
		http.StatusMethodNotAllowed:            "This path does not take this method.",
		http.StatusRequestEntityTooLarge:       "The body is too large; 2 MiB are allowed.",
		http.StatusUnsupportedMediaType:        "The body is packed (Content-Encoding). Send it as it is.",
		http.StatusRequestHeaderFieldsTooLarge: "The address and the headers are too large; 16 KiB are allowed for both together.",
	}[status]
	if message == "" {
		message = internalMessage
	}
	return send(c, NewError(id, status, message))
}
