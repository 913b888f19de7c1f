package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"lectern/models/modelstest"
)

// What generators of clients need of the document, beside its being true.

// walk calls f with each object of v, in order, and where it stands.
func walk(v any, place string, f func(place string, o object)) {
	switch v := v.(type) {
	case object:
		f(place, v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name != "example" && name != "examples" {
				walk(v[name], place+"/"+name, f)
			}
		}
	case []any:
		for i, inner := range v {
			walk(inner, fmt.Sprint(place, "/", i), f)
		}
	}
}

// reached returns the names of the schemas to which v refers, and of those to which these refer in turn.
func (doc *document) reached(v any, found map[string]object) map[string]object {
	walk(v, "", func(_ string, o object) {
		ref, ok := o["$ref"].(string)
		name := strings.TrimPrefix(ref, "#/components/schemas/")
		if !ok || found[name] != nil {
			return
		}
		found[name] = doc.schemas()[name].(object)
		doc.reached(found[name], found)
	})
	return found
}

func (doc *document) schemas() object { return doc.tree["components"].(object)["schemas"].(object) }

func TestEveryListOfValuesIsOneComponent(t *testing.T) {
	doc := documentOf(t)
	lists := map[string]string{}
	walk(doc.tree, "", func(place string, o object) {
		values, ok := o["enum"].([]any)
		if !ok {
			return
		}
		name, isComponent := strings.CutPrefix(place, "/components/schemas/")
		if !isComponent || strings.Contains(name, "/") {
			t.Errorf("%s has its own list of values %v; name it in shared of document.go", place, values)
		}
		if first := lists[fmt.Sprint(values)]; first != "" {
			t.Errorf("%s and %s have the same values %v", first, name, values)
		}
		lists[fmt.Sprint(values)] = name
	})
	if len(lists) < 12 {
		t.Errorf("only %d lists of values were found", len(lists))
	}
}

func TestEveryFormOfARequestHasAName(t *testing.T) {
	walk(documentOf(t).tree, "", func(place string, o object) {
		forms, _ := o["oneOf"].([]any)
		name, isComponent := strings.CutPrefix(place, "/components/schemas/")
		isNullable := len(forms) == 2 && forms[1].(object)["type"] == "null" && forms[0].(object)["$ref"] != nil
		if forms != nil && !isNullable && (!isComponent || strings.Contains(name, "/")) {
			t.Errorf("%s has forms of its own; name them in shared of document.go", place)
		}
	})
}

// goName returns the name that generators give a property in Go.
func goName(property string, schema object) string {
	if name, ok := schema["x-go-name"].(string); ok {
		return name
	}
	name := ""
	for _, word := range strings.FieldsFunc(property, func(r rune) bool { return strings.ContainsRune("_-. ", r) }) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

func TestNoTwoPropertiesHaveOneNameInGo(t *testing.T) {
	doc := documentOf(t)
	for schema, s := range doc.schemas() {
		properties, _ := s.(object)["properties"].(object)
		first := map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			in := goName(name, properties[name].(object))
			if first[in] != "" {
				t.Errorf("%s and %s of %s are both %s; part them in goNames of document.go", first[in], name, schema, in)
			}
			first[in] = name
		}
	}
	if aliased := doc.schemas()["SessionFilters"].(object)["properties"].(object)["createdAt"]; aliased == nil {
		t.Error("the other spelling of created_at is not described")
	}
}

func TestOnlyRequestsForbidOtherFields(t *testing.T) {
	doc := documentOf(t)
	answered, asked := map[string]object{}, map[string]object{}
	for _, op := range doc.operations() {
		doc.reached(op.object["responses"], answered)
		doc.reached(op.object["requestBody"], asked)
	}
	doc.reached(doc.tree["webhooks"], answered)
	for name, schema := range answered {
		walk(schema, name, func(place string, o object) {
			if o["additionalProperties"] == false {
				t.Errorf("%s forbids fields that answers may have some day", place)
			}
		})
	}
	for name, schema := range asked {
		if schema["properties"] != nil && schema["additionalProperties"] != false {
			t.Errorf("%s allows fields that are refused", name)
		}
	}
	for name := range doc.schemas() {
		if answered[name] == nil && asked[name] == nil && doc.reached(doc.tree["paths"], map[string]object{})[name] == nil {
			t.Errorf("nothing has the schema %s", name)
		}
	}
}

func TestEverySchemaIsOneType(t *testing.T) {
	for name, s := range documentOf(t).schemas() {
		schema := s.(object)
		_, kind := schema["type"].(string)
		if !kind && schema["oneOf"] == nil {
			t.Errorf("%s is of type %v; null belongs to the places where it may stand", name, schema["type"])
		}
	}
}

func TestEveryOperationHasATagSecurityAndErrors(t *testing.T) {
	doc := documentOf(t)
	described := map[any]bool{}
	for _, tag := range doc.tree["tags"].([]any) {
		described[tag.(object)["name"]] = tag.(object)["description"] != nil
	}
	used := map[any]bool{}
	for _, op := range doc.operations() {
		name := op.method + " " + op.path
		tags, _ := op.object["tags"].([]any)
		if len(tags) != 1 || !described[tags[0]] {
			t.Errorf("%s has the tags %v, of which openapi.go describes %v", name, tags, described)
			continue
		}
		used[tags[0]] = true
		if security, _ := json.Marshal(op.object["security"]); string(security) != `[{"key":[]}]` {
			t.Errorf("%s is secured by %s", name, security)
		}
		for status, response := range op.object["responses"].(object) {
			if status < "400" {
				continue
			}
			schema := response.(object)["content"].(object)["application/json"].(object)["schema"].(object)
			modelstest.Want(t, name+" "+status+" answers with", schema["$ref"], "#/components/schemas/Error")
		}
	}
	if len(used) != len(described) {
		t.Errorf("%v are described, and only %v used", described, used)
	}
	for name, hook := range doc.tree["webhooks"].(object) {
		if security, ok := hook.(object)["post"].(object)["security"].([]any); !ok || len(security) != 0 {
			t.Errorf("the webhook %s does not say that it needs no key", name)
		}
	}
	if license, _ := doc.tree["info"].(object)["license"].(object); license["name"] != "MIT" {
		t.Errorf("the licence is %v", license)
	}
}
