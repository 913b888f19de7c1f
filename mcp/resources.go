package mcp

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// resource is an address at which there is what a tool answers.
type resource struct {
	uri, name, title, description string
	tool, argument                string         // which is what stands for the braces of the address
	fixed                         map[string]any // arguments beside it
}

var resources = []resource{
	{"lectern://overview", "overview", "Where the event stands", "What get_event_overview answers.",
		"get_event_overview", "", nil},
	{"lectern://session/{id}", "session", "A session or submission", "What get_submission answers for an id, or a label " +
		"such as A-17 or S-12.", "get_submission", "submission_id", nil},
	{"lectern://schedule/{day}", "schedule", "The sessions of a day", "What search_schedule answers for a day, such as " +
		"2027-05-15: its first 100 sessions.", "search_schedule", "day", map[string]any{"limit": 100.0}},
}

// of tells whether an address is of a resource, and what stands for its braces.
func (r *resource) of(uri string) (value string, found bool) {
	prefix, _, open := strings.Cut(r.uri, "{")
	if !open {
		return "", uri == r.uri
	}
	value, found = strings.CutPrefix(uri, prefix)
	value, err := url.PathUnescape(value)
	return value, found && err == nil && value != "" && !strings.Contains(value, "/")
}

// resourceTool is the tool that answers at an address; "" where none does.
func resourceTool(uri string) string {
	for _, r := range resources {
		if _, found := r.of(uri); found {
			return r.tool
		}
	}
	return ""
}

// addResources makes the resources known.
func (s *Server) addResources(to *server.MCPServer, tools map[string]tool) {
	for _, r := range resources {
		read := s.reader(r, tools[r.tool])
		if r.argument == "" {
			to.AddResource(mcpgo.NewResource(r.uri, r.name, mcpgo.WithResourceTitle(r.title),
				mcpgo.WithResourceDescription(r.description), mcpgo.WithMIMEType("application/json")), read)
			continue
		}
		template := mcpgo.NewResourceTemplate(r.uri, r.name, mcpgo.WithTemplateDescription(r.description),
			mcpgo.WithTemplateMIMEType("application/json"))
		template.Title = r.title
		to.AddResourceTemplate(template, server.ResourceTemplateHandlerFunc(read))
	}
}

// reader answers with what the tool of a resource does.
func (s *Server) reader(r resource, t tool) server.ResourceHandlerFunc {
	return func(ctx context.Context, request mcpgo.ReadResourceRequest) ([]mcpgo.ResourceContents, error) {
		c := ctx.Value(callKey{}).(*call)
		given := map[string]any{}
		maps.Copy(given, r.fixed)
		value, found := r.of(request.Params.URI)
		if !found {
			return nil, c.refuse(badArgument("uri", "must be like %s", r.uri))
		}
		if r.argument != "" {
			given[r.argument] = value
		}
		text, failed := s.text(ctx, t, c, given)
		if failed != nil {
			return nil, c.refuse(failed)
		}
		return []mcpgo.ResourceContents{mcpgo.TextResourceContents{URI: request.Params.URI, MIMEType: "application/json",
			Text: text}}, nil
	}
}

// refuseUnknown says of an address at which there is nothing which ones there are.
func refuseUnknown(ctx context.Context, _ any, _ mcpgo.MCPMethod, _ any, err error) {
	if !errors.Is(err, server.ErrResourceNotFound) {
		return
	}
	known := make([]string, len(resources))
	for i, r := range resources {
		known[i] = r.uri
	}
	ctx.Value(callKey{}).(*call).refuse(newError("NotFoundError", "The resource was not found.", http.StatusNotFound,
		"Read one of "+strings.Join(known, ", ")+"."))
}

// listOwnResources and listOwnTemplates leave in a list what the key of the request can read, as listOwn does.
func (s *Server) listOwnResources(ctx context.Context, _ any, _ *mcpgo.ListResourcesRequest,
	result *mcpgo.ListResourcesResult) {
	if !readsResources(ctx) {
		result.Resources = []mcpgo.Resource{}
	}
}

func (s *Server) listOwnTemplates(ctx context.Context, _ any, _ *mcpgo.ListResourceTemplatesRequest,
	result *mcpgo.ListResourceTemplatesResult) {
	if !readsResources(ctx) {
		result.ResourceTemplates = []mcpgo.ResourceTemplate{}
	}
}

// readsResources tells whether the key of a request, if one was sent, can read them, which all need the same scope.
func readsResources(ctx context.Context) bool {
	c := ctx.Value(callKey{}).(*call)
	return !c.sent || c.may(ctx, readSessions)
}
