package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// tool is one row of the interface: how a model sees it, and what it does.
type tool struct {
	name, title, description string
	writes                   bool
	arguments                []argument
	run                      func(context.Context, *call, *arguments) (any, error)
}

// tools is the whole interface.
func (s *Server) tools() []tool {
	limit := number("limit", 100, "Results on a page; default 25")
	page := number("page", 999, "Page number; default 1")
	track := text("track", "Track id or exact name")
	return []tool{
		{"list_events", "List events",
			"Lists the one event the key reaches: id, name, slug and time zone. Call it first when you need the event id or " +
				"the time zone; the other tools find the event by themselves. Scope: read:events.",
			false, nil, listEvents},
		{"get_schedule", "Get schedule",
			"Lists programme sessions (the agenda, not submissions) in order of start, with room, track and speakers. Times " +
				"are in the event's time zone; unscheduled sessions come last. For submissions use list_submissions. Scope: " +
				"read:sessions.",
			false, []argument{eventArgument, track, text("day",
				"Only sessions that start on this date, YYYY-MM-DD, in the event's time zone"),
				number("limit", 100, "Most results; default 50")}, getSchedule},
		{"list_submissions", "List submissions",
			"Lists call-for-papers submissions (abstracts), last changed first, with a short description. Filter by status, " +
				"words or track. For one in full use get_submission, for the agenda get_schedule. Scope: read:sessions.",
			false, []argument{eventArgument, {name: "status", schema: map[string]any{"type": "array",
				"items": map[string]any{"type": "string", "enum": statuses}, "description": "Any of these statuses"}},
				text("text",
					"Words that must all match, in any order, in title, description, label such as A-12, or a participant's name; quotes "+
						"keep words together"), track, limit, page},
			listSubmissions},
		{"get_submission", "Get submission",
			"Reads one submission in full: description, answers to the call for papers, participants with contact details. " +
				"Takes the id from list_submissions; a programme session's id works too. Review scores are not part of it. " +
				"Scope: read:sessions.",
			false, []argument{eventArgument, text("submission_id", "Id of the submission").needed()}, getSubmission},
		{"search_speakers", "Search speakers",
			"Finds people who are on a session or submission, by words of a name, company or e-mail: id, name, company, email, " +
				"about. For what they proposed use list_submissions with their name as text. Scope: read:contacts.",
			false, []argument{eventArgument, text("query",
				"Words of a name, company or e-mail address, in any order; left out, everyone"),
				limit, page}, searchSpeakers},
		{"list_tracks", "List tracks",
			"Lists the event's tracks: id, name, colour and order. Use it before you filter by track or capture an abstract " +
				"into one. Scope: read:metadata.",
			false, []argument{eventArgument}, listTracks},
		{"capture_abstract", "Capture abstract",
			"Creates one new call-for-papers submission and returns its id, label and status. It takes no people and changes " +
				"nothing that exists: look with list_submissions first to avoid a duplicate. Scope: write:sessions.",
			true, []argument{eventArgument, text("title", "Title").needed(),
				text("description", "Description; simple HTML is kept"), text("track", "Track id from list_tracks"),
				{name: "status", schema: map[string]any{"type": "string", "enum": statuses, "description": "Default pending"}},
				{name: "custom_fields", schema: map[string]any{"type": "object",
					"additionalProperties": map[string]any{"type": "string"}, "description": "Answers to the call for papers"}}},
			captureAbstract},
		{"get_openapi", "Get API description",
			"Describes the REST API behind these tools, for what they cannot do. Without section: an index of the operations. " +
				"With an operation id: that operation and its schemas. With full: everything, which is long. Needs no key.",
			false, []argument{text("section", "An operation id from the index, or full")}, getOpenAPI},
	}
}

// definition is the tool as clients see it.
func (t tool) definition() mcpgo.Tool {
	properties, required := map[string]any{}, []string{}
	for _, a := range t.arguments {
		properties[a.name] = a.schema
		if a.required {
			required = append(required, a.name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		panic(err) // a literal of ours
	}
	definition := mcpgo.NewToolWithRawSchema(t.name, t.description, raw)
	definition.Annotations = mcpgo.ToolAnnotation{
		Title: t.title, ReadOnlyHint: new(!t.writes), DestructiveHint: new(false), IdempotentHint: new(!t.writes),
		OpenWorldHint: new(false),
	}
	return definition
}

// handler runs a tool and puts its result, or its error, into one text block.
func (s *Server) handler(t tool) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		c := ctx.Value(callKey{}).(*call)
		result, err := s.run(ctx, t, c, request)
		if err == nil {
			var text string
			if text, err = encode(result); err == nil {
				return mcpgo.NewToolResultText(text), nil
			}
		}
		var e *toolError
		if !errors.As(err, &e) {
			slog.Error("tool failed", "request_id", c.requestID, "tool", t.name, "error", err.Error())
			e = &toolError{"InternalServerError", "Something went wrong on our side.", http.StatusInternalServerError,
				"Try again in a moment."}
		}
		text, err := encode(e)
		return mcpgo.NewToolResultError(text), err
	}
}

func (s *Server) run(ctx context.Context, t tool, c *call, request mcpgo.CallToolRequest) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("panic", "request_id", c.requestID, "tool", t.name, "panic", r, "stack", string(debug.Stack()))
			result, err = nil, errors.New("panic")
		}
	}()
	values, isObject := request.Params.Arguments.(map[string]any)
	if request.Params.Arguments != nil && !isObject {
		return nil, badArgument("arguments", "must be an object")
	}
	args := newArguments(values, t.arguments)
	if args.err != nil {
		return nil, args.err
	}
	return t.run(ctx, c, args)
}
