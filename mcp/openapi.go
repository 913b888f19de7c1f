package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// document holds the parts of an OpenAPI description that the tool reads; the rest stays encoded.
type document struct {
	OpenAPI string          `json:"openapi"`
	Info    json.RawMessage `json:"info"`
	Servers []struct {
		URL string `json:"url"`
	} `json:"servers"`
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components map[string]map[string]json.RawMessage `json:"components"`
}

var methods = []string{"get", "post", "put", "patch", "delete"}

type indexRow struct {
	Method      string `json:"method"`
	Path        string `json:"path"`
	OperationID string `json:"operationId"`
	Summary     string `json:"summary"`
}

func getOpenAPI(ctx context.Context, c *call, a *arguments) (any, error) {
	section := a.text("section")
	if a.err != nil {
		return nil, a.err
	}
	var raw json.RawMessage
	if err := c.ask(ctx, "", http.MethodGet, "/v1/openapi.json", nil, &raw); err != nil || section == "full" {
		return raw, err
	}
	var doc document
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	var index []indexRow
	for path, item := range doc.Paths {
		for _, method := range methods {
			operation, found := item[method]
			if !found {
				continue
			}
			row := indexRow{Method: strings.ToUpper(method), Path: path}
			if err := json.Unmarshal(operation, &row); err != nil {
				return nil, err
			}
			if row.OperationID == section {
				return map[string]any{
					"method": row.Method, "path": path, "operation": operation, "components": doc.referred(operation),
				}, nil
			}
			index = append(index, row)
		}
	}
	if section != "" {
		return nil, badArgument("section", "must be full or an operation id; call get_openapi without section for the index")
	}
	slices.SortFunc(index, func(a, b indexRow) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Method, b.Method))
	})
	server := ""
	if len(doc.Servers) > 0 {
		server = doc.Servers[0].URL
	}
	return map[string]any{"openapi": doc.OpenAPI, "info": doc.Info, "server": server, "operations": index}, nil
}

// referred returns the components that a fragment refers to, and those that these refer to in turn.
func (d *document) referred(fragment json.RawMessage) map[string]map[string]json.RawMessage {
	found := map[string]map[string]json.RawMessage{}
	for open := []json.RawMessage{fragment}; len(open) > 0; open = open[1:] {
		for _, ref := range references(open[0]) {
			kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
			component, known := d.Components[kind][name]
			if !known || found[kind][name] != nil {
				continue
			}
			if found[kind] == nil {
				found[kind] = map[string]json.RawMessage{}
			}
			found[kind][name] = component
			open = append(open, component)
		}
	}
	return found
}

// references returns the values of all $ref in a JSON value.
func references(raw json.RawMessage) []string {
	var all []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				all = append(all, ref)
			}
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	var v any
	if json.Unmarshal(raw, &v) == nil {
		walk(v)
	}
	return all
}
