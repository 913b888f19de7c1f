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

// resource is an address that answers what a tool answers.
type resource struct {
	uri, name, title, description string
	tool, argument                string         // the argument takes the value of the braces in the address
	fixed                         map[string]any // further arguments
}

var resources = []resource{
	{"lectern://overview", "overview", "Where the event stands", "What get_event_overview answers.",
		"get_event_overview", "", nil},
	{"lectern://session/{id}", "session", "A session or submission", "What get_submission answers for an id, or a label " +
		"such as A-17 or S-12.", "get_submission", "submission_id", nil},
	{"lectern://schedule/{day}", "schedule", "The sessions of a day", "What search_schedule answers for a day, such as " +
		"2027-05-15: its first 100 sessions.", "search_schedule", "day", map[string]any{"limit": 100.0}},
}

// of reports whether an address is one of the resource's, and returns the value of its braces.
func (r *resource) of(uri string) (value string, found bool) {
	prefix, _, open := strings.Cut(r.uri, "{")
	if !open {
		return "", uri == r.uri
	}
	value, found = strings.CutPrefix(uri, prefix)
	value, err := url.PathUnescape(value)
	return value, found && err == nil && value != "" && !strings.Contains(value, "/")
}

// resourceTool returns the tool that answers at an address; "" for none.
func resourceTool(uri string) string {
	for _, r := range resources {
		if _, found := r.of(uri); found {
			return r.tool
		}
	}
	return ""
}

// addResources registers the resources.
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

// reader returns a handler that answers what the tool of a resource does.
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

// refuseUnknown answers an unknown address with the known ones.
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

// listOwnResources and listOwnTemplates empty a list unless the request's key can read its entries, like listOwn.
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

// readsResources reports whether the request's key, if one was sent, can read the resources, which all need the same
// scope.
func readsResources(ctx context.Context) bool {
	c := ctx.Value(callKey{}).(*call)
	return !c.sent || c.may(ctx, readSessions)
}
