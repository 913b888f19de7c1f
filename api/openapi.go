package api

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/outbox"
	"lectern/models/store"
	"lectern/web/request"
)

// describe returns the frame of the OpenAPI document; huma fills in the operations.
func (a *API) describe() *huma.OpenAPI {
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Lectern", Version: "1.0",
			Description: "The programme of a conference: submissions and programme sessions as one resource, speakers, " +
				"rooms, tracks, tags, formats and levels. Every request carries an API key, which reaches one event, " +
				"in the header `x-access-token`.",
			Contact: &huma.Contact{Name: "The Lectern authors"},
			License: &huma.License{Name: "MIT", Identifier: "MIT"},
		},
		Servers: []*huma.Server{{URL: a.options.BaseURL}},
		Tags:    tags,
		Components: &huma.Components{
			Schemas: a.registry,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"key": {Type: "apiKey", In: "header", Name: "x-access-token", Description: "An API key, minted in the admin"},
			},
		},
		Webhooks: a.webhooks(),
	}
}

// tags are the groups of operations, in the order of the documentation page.
var tags = []*huma.Tag{
	{Name: "key", Description: "What the key of the request reaches and may do."},
	{Name: "events", Description: "The event that the key reaches."},
	{Name: "overview", Description: "Where the event stands, in numbers."},
	{Name: "sessions", Description: "Abstracts (submissions of the call for papers) and programme sessions, told apart " +
		"by `is_abstract`."},
	{Name: "conflicts", Description: "What collides in the agenda: rooms and people taken twice, and seats that are missing."},
	{Name: "breaks", Description: "What stands in the agenda beside sessions: pauses, and rooms that are blocked."},
	{Name: "free", Description: "Where a session may go: when rooms are free."},
	{Name: "changes", Description: "What changed since a client last asked, for copies of the programme."},
	{Name: "speakers", Description: "People on live sessions of the event."},
	{Name: "contacts", Description: "People of the event, on a session or not: their profiles, which all events of the " +
		"organization share."},
	{Name: "questions", Description: "What the call for papers asks of a proposal: the keys of `custom_fields`."},
	{Name: "tasks", Description: "What staff ask of speakers between their acceptance and the stage."},
	{Name: "deliverables", Description: "What speakers deliver for their tasks: forms, files and links."},
	{Name: "tracks", Description: "The tracks of the programme, each with a colour."},
	{Name: "rooms", Description: "The rooms of the venue, with their seats."},
	{Name: "tags", Description: "Labels that sessions share; a session has any number of them."},
	{Name: "formats", Description: "Kinds of sessions, such as talks and workshops, with the minutes they take."},
	{Name: "levels", Description: "What a session asks of its audience."},
}

func tagOf(path string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(path, event+"/"), "/v1/")
	tag, _, _ := strings.Cut(rest, "/")
	return tag
}

// finish adds examples and headers to the document, which is built on first request: most processes are commands and
// tests, which never serve it.
func (a *API) finish() {
	bulk := a.huma.OpenAPI().Paths[event+"/sessions/bulk"].Post
	bulk.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"application/json": {Schema: a.registry.Schema(reflect.TypeFor[BulkRequest](), true, "")},
	}}
	a.tellNulls()
	a.tellSearchNulls()
	a.tellIgnored()
	for _, t := range []reflect.Type{reflect.TypeFor[TrackChange](), reflect.TypeFor[RoomChange](),
		reflect.TypeFor[TagChange](), reflect.TypeFor[FormatChange](), reflect.TypeFor[LevelChange]()} {
		a.ignore(t, "id", "event_id", "created_at")
	}
	a.ignore(reflect.TypeFor[SessionPerson](), "full_name", "company_name", "about", "photo_url", "order")
	a.ignore(reflect.TypeFor[ContactUpdate](), "id", "full_name", "photo_url", "created_at", "admin_url", "session_ids")
	for path, item := range a.huma.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete} {
			if op != nil {
				finishOperation(op, exampleOf(path, op.Method))
			}
		}
	}
	for _, form := range bulkForms {
		a.registry.Schema(form, true, "")
	}
	a.document = sync.OnceValues(func() ([]byte, string) {
		document, err := json.Marshal(a.published())
		if err != nil {
			panic(err) // the document is made of literals and types, and a test reads it
		}
		return document, request.ETagOf(document)
	})
}

// tellNulls marks the nullable fields of answers. huma loses this for type aliases, and cannot express it for objects.
func (a *API) tellNulls() {
	for name, schema := range a.registry.Map() {
		t := a.registry.TypeFromRef(schemas + name)
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for _, field := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			property := schema.Properties[name]
			switch {
			case property == nil, field.Type.Kind() != reflect.Pointer, options != "", field.Tag.Get("nullable") == "false":
			case property.Ref != "":
				schema.Properties[name] = &huma.Schema{OneOf: []*huma.Schema{property, {Type: "null"}}}
			default:
				property.Nullable = true
			}
		}
	}
}

// rateHeaders are described on the operations that need them; every answer to a key with a rate limit has them.
var rateHeaders = map[string]string{
	"RateLimit-Limit":     "Requests of the key in a minute, counted apart for reads and writes; answers without an error have these headers too",
	"RateLimit-Remaining": "How many of them are left",
	"RateLimit-Reset":     "Seconds until all of them are there again",
}

func finishOperation(op *huma.Operation, example example) {
	delete(op.Responses, strconv.Itoa(http.StatusUnprocessableEntity)) // huma adds it by default; we answer 400
	if op.RequestBody != nil {
		op.RequestBody.Required = true
		op.RequestBody.Content["application/json"].Example = plain(example.request)
	}
	for status, response := range op.Responses {
		if response.Headers == nil {
			response.Headers = map[string]*huma.Param{}
		}
		header := func(name, description, kind string) {
			response.Headers[name] = &huma.Param{Description: description, Schema: &huma.Schema{Type: kind}}
		}
		header("x-request-id", "The id of this request in our logs", huma.TypeString)
		code, _ := strconv.Atoi(status)
		switch {
		case code == http.StatusOK:
			response.Content["application/json"].Example = plain(example.response)
			if op.Method == http.MethodGet {
				header("ETag", "Send it as If-None-Match to be told 304 while nothing changed", huma.TypeString)
			}
		default:
			response.Content["application/json"].Example = plain(NewError("01a1fc2f-6a4c-7b1e-9f50-3f5f0c8f2d11", code,
				http.StatusText(code)))
		}
		if code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable {
			header("Retry-After", "Seconds to wait", huma.TypeInteger)
		}
		if code == http.StatusTooManyRequests {
			for name, description := range rateHeaders {
				header(name, description, huma.TypeInteger)
			}
		}
	}
	if op.Method == http.MethodGet {
		op.Responses["304"] = &huma.Response{Description: "Not modified since the ETag sent as If-None-Match"}
	}
}

// plain returns v as decoded from its JSON, the form in which examples are compared and shown.
func plain(v any) any {
	if v == nil {
		return nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		panic(err)
	}
	return out
}

func (a *API) openAPI(c *fiber.Ctx) error {
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	document, tag := a.document()
	c.Set(fiber.HeaderETag, tag)
	return c.Send(document)
}

// Envelope is the body of an outbound event. The type of Data depends on the event.
type Envelope[T any] struct {
	Data     T        `json:"data"`
	Metadata Metadata `json:"metadata"`
}

// Metadata describes an outbound event.
type Metadata struct {
	Event      outbox.EmissionType `json:"event"`
	ResourceID string              `json:"resourceId" doc:"Id of the affected row"`
	EventID    string              `json:"eventId" doc:"New for every emission; a repeated delivery has the same one again, which is how to recognise it"`
	OccurredAt store.Time          `json:"occurredAt"`
	Version    int                 `json:"version" example:"1"`
}

// DecisionData is a session with its status before the decision.
type DecisionData struct {
	models.Session
	PreviousStatus models.Status `json:"previous_status"`
}

// ContactData is a contact without its data of one event.
type ContactData struct {
	models.Contact
	CreatedAt store.Time `json:"created_at"`
	UpdatedAt store.Time `json:"updated_at"`
}

// MergedData is the contact that remains, and the id of the one merged into it.
type MergedData struct {
	ContactData
	MergedAwayID string `json:"mergedAwayId"`
}

// signatures are the headers by which receivers verify a delivery.
var signatures = []*huma.Param{
	{Name: "x-service-signature", In: "header", Required: true, Schema: &huma.Schema{Type: huma.TypeString},
		Description: "sha256= and the lower-case hex HMAC-SHA256 of the raw body"},
	{Name: "webhook-id", In: "header", Schema: &huma.Schema{Type: huma.TypeString},
		Description: "metadata.eventId, the same on a retry"},
	{Name: "webhook-timestamp", In: "header", Schema: &huma.Schema{Type: huma.TypeString},
		Description: "When it was signed, in seconds since 1970"},
	{Name: "webhook-signature", In: "header", Schema: &huma.Schema{Type: huma.TypeString},
		Description: "As Standard Webhooks has it: v1, and the base64 of the HMAC-SHA256 of webhook-id, webhook-timestamp " +
			"and the raw body, joined by dots"},
}

func (a *API) webhooks() map[string]*huma.PathItem {
	session, contact := reflect.TypeFor[Envelope[models.Session]](), reflect.TypeFor[Envelope[ContactData]]()
	types := map[outbox.EmissionType]reflect.Type{
		outbox.SessionCreated: session, outbox.SessionUpdated: session, outbox.SessionDeleted: session,
		outbox.SessionPublished: session, outbox.ContactCreated: contact, outbox.ContactUpdated: contact,
		outbox.ContactMerged:     reflect.TypeFor[Envelope[MergedData]](),
		outbox.DecisionCommitted: reflect.TypeFor[Envelope[DecisionData]](),
	}
	hooks := map[string]*huma.PathItem{}
	for kind, body := range types {
		hooks[string(kind)] = &huma.PathItem{Post: &huma.Operation{
			Security:    []map[string][]string{}, // the signature stands in for a key
			OperationID: "on" + strings.ReplaceAll(string(kind), ".", "_"),
			Summary:     "Sent after " + strings.ReplaceAll(string(kind), ".", " "),
			Parameters:  signatures,
			RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
				"application/json": {Schema: a.registry.Schema(body, true, string(kind))},
			}},
			Responses: map[string]*huma.Response{"200": {Description: "Any 2xx is a success; a 5xx is tried once more"}},
		}}
	}
	return hooks
}
