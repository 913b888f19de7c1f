package api

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// node is a JSON object of the document.
type node = map[string]any

// shared lists the enumerations and unions that get a named type for generated clients: the name, and one property that
// has it, or a list of it. Every other place with the same values or forms refers to the same type.
var shared = []struct{ name, schema, property string }{
	{"SessionStatus", "Session", "status"},
	{"SessionStatuses", "SessionFilters", "status"}, // after SessionStatus, which it refers to
	{"OneOrMore", "SessionFilters", "track_id"},
	{"CustomFields", "SessionCreate", "custom_fields"},
	{"SessionSortKey", "SessionSort", "order"},
	{"SortDirection", "SessionSort", "sort"},
	{"SessionCountBy", "SessionCount", "by"},
	{"SessionNeed", "SessionFilters", "needs"},
	{"MetadataKind", "SessionFilters", "without"},
	{"CompositionRole", "CompositionStatus", "role"}, {"ParticipantRole", "Participant", "role"},
	{"PublishHold", "GateReason", "hold"},
	{"ConflictKind", "Conflict", "kind"},
	{"BreakKind", "BreakRow", "kind"},
	{"ChangeKind", "Change", "kind"},
	{"ChangeSubject", "Change", "subject"},
	{"ChangeAction", "Change", "action"},
	{"BulkStatus", "ItemResult", "status"},
	{"QuestionType", "QuestionRow", "type"}, {"QuestionNeed", "QuestionRow", "required"},
	{"TaskKind", "Task", "kind"}, {"TaskSubject", "Task", "asked_of"},
	{"DeliveryState", "Delivery", "state"},
}

// formNames are the names of the forms of a union that have no type otherwise, in their order.
var formNames = map[string][]string{
	"SessionStatuses": {"", "SessionStatusList"}, "OneOrMore": {"One", "More"},
	"CustomFields": {"AnswerList", "AnswersByKey"},
}

// goNames are Go names for properties whose generated names would clash: the alternative spellings of filters.
var goNames = map[string]string{
	"isAbstract": "IsAbstractAlias", "createdAt": "CreatedAtAlias", "updatedAt": "UpdatedAtAlias",
}

// document is the published description, made from the one that huma validates with.
type document struct {
	node
	schemas  node
	nullable map[string]bool   // schemas that may be null wherever they are referred to
	names    map[string]string // names of shared types, by their JSON
}

// published describes the same requests and answers as huma, in types that generated clients can name.
func (a *API) published() node {
	d := &document{node: plain(a.huma.OpenAPI()).(node), nullable: map[string]bool{}, names: map[string]string{}}
	d.schemas = d.node["components"].(node)["schemas"].(node)
	d.tellBulkForms()
	d.openAnswers()
	d.joinGate()
	d.tellShape()
	for name, schema := range d.schemas {
		if kinds, ok := schema.(node)["type"].([]any); ok {
			d.nullable[schemas+name], schema.(node)["type"] = true, kinds[0]
		}
	}
	d.share()
	d.shareErrors()
	for name, goName := range goNames {
		d.property("SessionFilters", name)["x-go-name"] = goName
	}
	d.nameNeeds()
	d.sparePointers()
	return d.node
}

// sparePointers makes generated Go types of a found session equal to those of a session: only nullable fields are
// pointers.
func (d *document) sparePointers() {
	session := d.schemas["Session"].(node)
	for _, name := range session["required"].([]any) {
		field := d.property("FoundSession", name.(string))
		if _, mayBeNull := field["type"].([]any); !mayBeNull && field["oneOf"] == nil {
			field["x-go-type-skip-optional-pointer"] = true
		}
	}
}

// nameNeeds gives the values of a need other Go names than those of a status, some of which are equal.
func (d *document) nameNeeds() {
	need := d.schemas["SessionNeed"].(node)
	var names []any
	for _, value := range need["enum"].([]any) {
		names = append(names, "needs_"+value.(string))
	}
	need["x-enum-varnames"] = names
}

func (d *document) property(schema, name string) node {
	return d.schemas[schema].(node)["properties"].(node)[name].(node)
}

// openAnswers allows answers, unlike requests, to have fields and codes that this description does not know yet.
func (d *document) openAnswers() {
	asked := map[string]bool{}
	for _, item := range d.node["paths"].(node) {
		for _, op := range item.(node) {
			d.referred(op.(node)["requestBody"], asked)
		}
	}
	for name, schema := range d.schemas {
		if s := schema.(node); !asked[name] && s["additionalProperties"] == false {
			delete(s, "additionalProperties")
		}
	}
	code := d.property("ItemError", "code")
	code["examples"] = code["enum"]
	delete(code, "enum")
}

// referred adds the schemas that v refers to, and those that these refer to in turn, to found.
func (d *document) referred(v any, found map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			d.referred(inner, found)
		}
	case node:
		ref, _ := v["$ref"].(string)
		if name := strings.TrimPrefix(ref, schemas); ref != "" && !found[name] {
			found[name] = true
			d.referred(d.schemas[name], found)
		}
		for _, inner := range v {
			d.referred(inner, found)
		}
	}
}

// bulkForms are the forms of a bulk operation, by its action.
var bulkForms = map[string]reflect.Type{
	"create": reflect.TypeFor[BulkCreate](), "update": reflect.TypeFor[BulkUpdate](),
	"delete": reflect.TypeFor[BulkDelete](),
}

// tellBulkForms documents the form of each bulk operation. huma accepts any data there: a faulty operation must not
// fail the others.
func (d *document) tellBulkForms() {
	forms, mapping := []any{}, node{}
	for _, action := range slices.Sorted(maps.Keys(bulkForms)) {
		name := bulkForms[action].Name()
		d.schemas[name].(node)["properties"].(node)["action"] = node{"type": "string", "const": action}
		forms, mapping[action] = append(forms, node{"$ref": schemas + name}), schemas+name
	}
	d.schemas["BulkOperation"] = node{
		"oneOf": forms, "discriminator": node{"propertyName": "action", "mapping": mapping},
	}
}

// joinGate merges a session and a session with its publish gate into one type.
func (d *document) joinGate() {
	d.schemas["Session"].(node)["properties"].(node)["publish_gate"] = d.property("GatedSession", "publish_gate")
	delete(d.schemas, "GatedSession")
}

// share replaces enumerations and unions by references to the shared types.
func (d *document) share() {
	types := node{}
	for _, s := range shared {
		form, _ := bare(d.rewrite(d.property(s.schema, s.property)).(node))
		if items, isList := form["items"].(node); isList && items["enum"] != nil {
			form = items
		}
		types[s.name], d.names[key(form)] = form, s.name
		for i, name := range formNames[s.name] {
			if forms := form["oneOf"].([]any); name != "" {
				types[name], forms[i] = forms[i], node{"$ref": schemas + name}
			}
		}
	}
	d.rewrite(d.node)
	maps.Copy(d.schemas, types)
}

// shareErrors describes the answer to each kind of error once; repeated, they are half of the description.
func (d *document) shareErrors() {
	errors := node{}
	for _, item := range d.node["paths"].(node) {
		for _, op := range item.(node) {
			responses := op.(node)["responses"].(node)
			for status, response := range responses {
				code, _ := strconv.Atoi(status)
				if name := names[code]; name != "" {
					errors[name], responses[status] = response, node{"$ref": "#/components/responses/" + name}
				}
			}
		}
	}
	d.node["components"].(node)["responses"] = errors
}

// rewrite puts references into v, innermost first.
func (d *document) rewrite(v any) any {
	switch v := v.(type) {
	case []any:
		for i, inner := range v {
			v[i] = d.rewrite(inner)
		}
	case node:
		for name, inner := range v {
			if name != "example" && name != "examples" {
				v[name] = d.rewrite(inner)
			}
		}
		return d.reference(v)
	}
	return v
}

// reference returns the reference for a schema, or the schema itself if it is not a shared type.
func (d *document) reference(schema node) node {
	ref, mayBeNull := "", false
	switch name, _ := schema["$ref"].(string); {
	case name == schemas+"GatedSession":
		ref = schemas + "Session"
	case d.nullable[name]:
		ref, mayBeNull = name, true
	case schema["enum"] != nil || schema["oneOf"] != nil:
		form, isNullable := bare(schema)
		if name, found := d.names[key(form)]; found {
			ref, mayBeNull = schemas+name, isNullable
		}
	}
	if ref == "" {
		return schema
	}
	out := node{"$ref": ref}
	if mayBeNull {
		out = node{"oneOf": []any{out, node{"type": "null"}}}
	}
	if words := schema["description"]; words != nil {
		out["description"] = words
	}
	return out
}

// bare returns an enumeration or union without null and without its description, and whether null was among its values.
func bare(schema node) (form node, mayBeNull bool) {
	form = maps.Clone(schema)
	delete(form, "description")
	isNull := func(v any) bool {
		inner, _ := v.(node)
		return v == nil || inner["type"] == "null"
	}
	for _, list := range []string{"enum", "oneOf"} {
		if all, ok := form[list].([]any); ok {
			form[list] = slices.DeleteFunc(slices.Clone(all), isNull)
			mayBeNull = mayBeNull || slices.ContainsFunc(all, isNull)
		}
	}
	if kinds, ok := form["type"].([]any); ok {
		form["type"] = kinds[0]
	}
	return form, mayBeNull
}

// key returns a schema as a key of a map.
func key(schema node) string {
	b, err := json.Marshal(schema)
	if err != nil {
		panic(err) // it came from JSON
	}
	return string(b)
}
