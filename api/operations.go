package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models/apikey"
	"lectern/models/store"
)

// operation is one row of the interface: its name, its path, and the scope it needs.
type operation struct {
	id, method, path string
	scope            apikey.Scope
	summary          string
	errors           []int // besides those that every operation has
	handle           func(huma.API, huma.Operation)
}

const event = "/v1/event/{eventId}"

// operations returns the whole interface except for the metadata families, which metadataOperations adds from one
// template.
func (a *API) operations() []operation {
	return append([]operation{
		{"getKey", "GET", "/v1/key", "", "Read what the key reaches and may do", nil, on(a.getKey)},
		{"listEvents", "GET", "/v1/events", apikey.ReadEvents, "List the event the key reaches", nil,
			on(a.listEvents)},

		{"searchSessions", "POST", event + "/sessions/search", apikey.ReadSessions, "Search abstracts and programme sessions",
			nil, on(a.searchSessions)},
		{"searchSessionsAlias", "POST", event + "/sessions", apikey.ReadSessions, "Search sessions (alias)", nil,
			on(a.searchSessions)},
		{"countSessions", "POST", event + "/sessions/count", apikey.ReadSessions,
			"Count sessions by status, track, room, format or level", nil, on(a.countSessions)},
		{"createSession", "POST", event + "/sessions/create", apikey.WriteSessions,
			"Create an abstract or a programme session", nil, on(a.createSession)},
		{"bulkSessions", "POST", event + "/sessions/bulk", apikey.WriteSessions,
			"Create, update and delete up to 100 sessions", nil, on(a.bulkSessions)},
		{"getSession", "GET", event + "/sessions/{sessionId}", apikey.ReadSessions, "Read one session, deleted or not",
			[]int{404}, on(a.getSession)},
		{"updateSession", "PUT", event + "/sessions/{sessionId}", apikey.WriteSessions,
			"Change, publish or unpublish a session", []int{404, 409}, on(a.updateSession)},
		{"deleteSession", "DELETE", event + "/sessions/{sessionId}", apikey.WriteSessions, "Delete a session softly",
			[]int{404}, on(a.deleteSession)},
		{"restoreSession", "POST", event + "/sessions/{sessionId}/restore", apikey.WriteSessions,
			"Bring a deleted session back", []int{404}, on(a.restoreSession)},
		{"setParticipants", "PUT", event + "/sessions/{sessionId}/participants", apikey.WriteSessions,
			"Replace the participants of a session", []int{404, 409}, on(a.setParticipants)},
		{"listReviews", "GET", event + "/sessions/{sessionId}/reviews", apikey.ReadReviews,
			"Read the reviews of a submission", []int{404}, on(a.listReviews)},

		{"listSessionConflicts", "GET", event + "/sessions/{sessionId}/conflicts", apikey.ReadSessions,
			"List what a session collides with", []int{404}, on(a.listSessionConflicts)},
		{"listConflicts", "GET", event + "/conflicts", apikey.ReadSessions, "List the collisions of the agenda, each once",
			nil, on(a.listConflicts)},
		{"getOverview", "GET", event + "/overview", apikey.ReadSessions, "Read where the event stands, in numbers", nil,
			on(a.getOverview)},

		{"listBreaks", "GET", event + "/breaks", apikey.ReadSessions, "List breaks of the agenda and rooms that are blocked",
			nil, on(a.listBreaks)},
		{"listFreeRooms", "GET", event + "/free", apikey.ReadSessions, "List when rooms are free on a day, and its breaks",
			[]int{404}, on(a.listFree)},
		{"listChanges", "GET", event + "/changes", "", "List what changed since, in the order of the commits",
			[]int{410}, on(a.listChanges)},

		{"listQuestions", "GET", event + "/questions", apikey.ReadSessions,
			"List what the call for papers asks, whose answers are custom_fields", nil, on(a.listQuestions)},
		{"listTasks", "GET", event + "/tasks", apikey.ReadSessions, "List what staff ask of speakers", nil,
			on(a.listTasks)},
		{"listDeliverables", "GET", event + "/deliverables", apikey.ReadSessions,
			"List what speakers deliver, with files as addresses that are good for ten minutes", []int{404},
			on(a.listDeliverables)},
	}, append(a.peopleOperations(), a.metadataOperations()...)...)
}

// peopleOperations returns the operations on the event's people.
func (a *API) peopleOperations() []operation {
	return []operation{
		{"searchSpeakers", "POST", event + "/speakers/search", apikey.ReadContacts, "Search the event's speakers", nil,
			on(a.searchSpeakers)},
		{"searchSpeakersAlias", "POST", event + "/speakers", apikey.ReadContacts, "Search speakers (alias)", nil,
			on(a.searchSpeakers)},
		{"getSpeaker", "GET", event + "/speakers/{contactId}", apikey.ReadContacts,
			"Read one speaker with the sessions they are on", []int{404}, on(a.getSpeaker)},

		{"searchContacts", "POST", event + "/contacts/search", apikey.WriteContacts,
			"Search people of the event", nil, on(a.searchContacts)},
		{"getContact", "GET", event + "/contacts/{contactId}", apikey.WriteContacts, "Read one person",
			[]int{404}, on(a.getContact)},
		{"createContact", "POST", event + "/contacts/create", apikey.WriteContacts,
			"Add a new person to the event", nil,
			on(a.createContact)},
		{"updateContact", "PUT", event + "/contacts/{contactId}", apikey.WriteContacts,
			"Change the profile of a person", []int{404, 409}, on(a.updateContact)},
	}
}

// register adds the operations to the router.
func (a *API) register() {
	for _, op := range a.operations() {
		errors := append([]int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden,
			http.StatusTooManyRequests, http.StatusServiceUnavailable}, op.errors...)
		if op.method == http.MethodPost || op.method == http.MethodPut {
			errors = append(errors, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
		}
		if op.writes() {
			errors = append(errors, http.StatusGatewayTimeout)
		}
		op.handle(a.huma, huma.Operation{
			OperationID: op.id, Method: op.method, Path: op.path, Summary: op.summary,
			Description: needs(op.scope),
			Tags:        []string{tagOf(op.path)},
			Security:    []map[string][]string{{"key": {}}},
			Middlewares: huma.Middlewares{a.guard(op)},
			// -1 sets no limit; huma's default is below the server's own body limit, which answers 413.
			MaxBodyBytes: -1,
			Errors:       errors,
		})
	}
}

// writes reports whether an operation changes something. Reading contacts needs the scope that writes them, but is a
// read.
func (op *operation) writes() bool {
	return strings.HasPrefix(string(op.scope), "write:") && op.method != http.MethodGet &&
		!strings.HasSuffix(op.path, "/search")
}

// needs describes the scope of an operation.
func needs(scope apikey.Scope) string {
	if scope == "" {
		return "Needs no scope."
	}
	return "Needs the scope `" + string(scope) + "`."
}

// answer is a successful answer with a body.
type answer[T any] struct{ Body T }

// on makes a route of a handler: it finds the caller and translates errors.
func on[I, O any](handler func(context.Context, *caller, *I) (*O, error)) func(huma.API, huma.Operation) {
	return func(api huma.API, op huma.Operation) {
		huma.Register(api, op, func(ctx context.Context, in *I) (*answer[*O], error) {
			out, err := handler(ctx, callerOf(ctx), in)
			if err != nil {
				return nil, problem(ctx, err)
			}
			return &answer[*O]{out}, nil
		})
	}
}

// InEvent is the event in every path below one.
type InEvent struct {
	EventID string `path:"eventId" doc:"The event the key reaches"`
}

// OfSession is the path of one session.
type OfSession struct {
	InEvent
	SessionID string `path:"sessionId" doc:"Session id, or its friendly id such as A-17"`
}

// list is the envelope of every collection.
type list[T any] struct {
	Results    []T              `json:"results" nullable:"false"`
	Pagination store.Pagination `json:"pagination"`
}

// pageOf returns a page of all.
func pageOf[T any](all []T, page store.Page) *list[T] {
	return &list[T]{all[min(page.Offset(), len(all)):min(page.Offset()+page.Size, len(all))], page.Of(int64(len(all)))}
}

// Paging are the query parameters of a list.
type Paging struct {
	Page     int `query:"page" minimum:"1" maximum:"999" default:"1" doc:"Page number"`
	PageSize int `query:"pageSize" minimum:"1" maximum:"100" default:"25" doc:"Results on a page"`
}

func (p Paging) page() store.Page { return store.Page{Number: p.Page, Size: p.PageSize} }

// BodyPaging has the parameters of Paging as fields of a search body; without them, the query parameters apply, for the
// clients of another service.
type BodyPaging struct {
	Page     *int `json:"page,omitempty" minimum:"1" maximum:"999" doc:"Page number, default 1"`
	PageSize *int `json:"pageSize,omitempty" minimum:"1" maximum:"100" doc:"Results on a page, default 25"`
}

func (b BodyPaging) or(query Paging) store.Page {
	page := query.page()
	if b.Page != nil {
		page.Number = *b.Page
	}
	if b.PageSize != nil {
		page.Size = *b.PageSize
	}
	return page
}
