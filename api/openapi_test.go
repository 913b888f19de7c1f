package api_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"lectern/api"
	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
)

var update = flag.Bool("update", false, "write testdata/openapi.json anew")

const golden = "testdata/openapi.json"

// document is the OpenAPI document as the API serves it, and its schemas.
type document struct {
	raw      []byte
	tree     object
	compiler *jsonschema.Compiler
}

func readDocument(t testing.TB, d *door) *document {
	t.Helper()
	doc := &document{raw: d.do(t, "GET", "/v1/openapi.json", nil, "x-access-token", "").want(200).raw,
		compiler: jsonschema.NewCompiler()}
	modelstest.Fine(t, json.Unmarshal(doc.raw, &doc.tree))
	tree := modelstest.Must(jsonschema.UnmarshalJSON(bytes.NewReader(doc.raw)))(t)
	unfoldErrors(t, doc.tree)
	unfoldErrors(t, tree.(object))
	closeAnswers(tree.(object)["components"].(object)["schemas"].(object))
	doc.compiler.DefaultDraft(jsonschema.Draft2020)
	doc.compiler.AssertFormat()
	modelstest.Fine(t, doc.compiler.AddResource("https://lectern.test/openapi.json", tree))
	return doc
}

// unfoldErrors puts the answers to errors, which the document has once, where it refers to them.
func unfoldErrors(t testing.TB, tree object) {
	t.Helper()
	shared := tree["components"].(object)["responses"].(object)
	for path, item := range tree["paths"].(object) {
		for _, op := range item.(object) {
			responses := op.(object)["responses"].(object)
			for status, response := range responses {
				ref, isShared := response.(object)["$ref"].(string)
				if !isShared {
					continue
				}
				if responses[status] = shared[strings.TrimPrefix(ref, "#/components/responses/")]; responses[status] == nil {
					t.Fatalf("%s refers to %s, which is not there", path, ref)
				}
			}
		}
	}
}

// closeAnswers forbids what the document lets answers have some day: what they have today is all described.
func closeAnswers(schemas object) {
	for _, schema := range schemas {
		if s := schema.(object); s["properties"] != nil {
			s["additionalProperties"] = false
		}
	}
	code := schemas["ItemError"].(object)["properties"].(object)["code"].(object)
	code["enum"] = code["examples"]
}

// check validates a value, any JSON, against the schema at a place in the document.
func (doc *document) check(t testing.TB, value any, place ...string) error {
	t.Helper()
	pointer := "https://lectern.test/openapi.json#"
	for _, step := range place {
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(step)
	}
	compiled, err := doc.compiler.Compile(pointer)
	if err != nil {
		t.Fatal(err)
	}
	raw, ok := value.([]byte)
	if !ok {
		raw, _ = json.Marshal(value)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	return compiled.Validate(parsed)
}

// described is one operation of the document.
type described struct {
	path, method string
	object
}

func (doc *document) operations() []described {
	var all []described
	for path, item := range doc.tree["paths"].(object) {
		for method, op := range item.(object) {
			all = append(all, described{path, method, op.(object)})
		}
	}
	slices.SortFunc(all, func(a, b described) int { return strings.Compare(a.path+" "+a.method, b.path+" "+b.method) })
	return all
}

// documentOf is the document of an API on SQLite: it is the same on both.
func documentOf(t *testing.T) *document {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	return readDocument(t, open(t, f, api.Options{}))
}

func TestTheDocumentIsTheGoldenOne(t *testing.T) {
	doc := documentOf(t)
	var indented bytes.Buffer
	modelstest.Fine(t, json.Indent(&indented, doc.raw, "", "  "))
	indented.WriteByte('\n')
	if *update {
		modelstest.Fine(t, os.WriteFile(golden, indented.Bytes(), 0o644))
	}
	want := modelstest.Must(os.ReadFile(golden))(t)
	if !bytes.Equal(indented.Bytes(), want) {
		t.Error("the document changed; if that is meant, run go generate ./api and look at the difference")
	}
}

func TestTheDocumentHasEveryOperationOfTheContract(t *testing.T) {
	doc := documentOf(t)
	info := doc.tree["info"].(object)
	if !strings.HasPrefix(doc.tree["openapi"].(string), "3.1") || info["version"] != "1.0" {
		t.Errorf("OpenAPI %v, version %v", doc.tree["openapi"], info["version"])
	}
	described := map[string]object{}
	ids := map[any]bool{}
	for _, op := range doc.operations() {
		described[strings.ToUpper(op.method)+" "+op.path] = op.object
		if id := op.object["operationId"]; id == nil || ids[id] || op.object["summary"] == "" {
			t.Errorf("%s %s is called %v", op.method, op.path, id)
		} else {
			ids[id] = true
		}
	}
	named := []string{"{session}", "{sessionId}", "{contact}", "{contactId}"}
	for _, family := range families {
		named = append(named, "{"+family+"}", "{id}")
	}
	for _, e := range endpoints() {
		path, _, _ := strings.Cut(strings.NewReplacer(named...).Replace(e.path), "?")
		if !strings.HasPrefix(path, "/v1/") {
			path = "/v1/event/{eventId}" + path
		}
		op := described[e.method+" "+path]
		if op == nil {
			t.Errorf("%s %s is not described", e.method, path)
			continue
		}
		delete(described, e.method+" "+path)
		want := []string{"200", "401", "403", "429"}
		if e.method == "POST" && !strings.HasSuffix(path, "/restore") || e.method == "PUT" {
			want = append(want, "400", "413", "415")
		}
		if strings.Contains(e.path, "{") {
			want = append(want, "404")
		}
		if e.method == "PUT" {
			want = append(want, "409")
		}
		for _, status := range want {
			if op["responses"].(object)[status] == nil {
				t.Errorf("%s %s does not describe %s", e.method, path, status)
			}
		}
		if !strings.Contains(op["description"].(string), string(e.scope)) || op["security"] == nil {
			t.Errorf("%s %s does not tell its scope", e.method, path)
		}
	}
	for name := range described {
		t.Errorf("%s is not in the contract", name)
	}
}

func TestEveryExampleIsValid(t *testing.T) {
	doc := documentOf(t)
	for _, op := range doc.operations() {
		name := op.method + " " + op.path
		if request, ok := op.object["requestBody"].(object); ok {
			content := request["content"].(object)["application/json"].(object)
			if content["example"] == nil {
				t.Errorf("%s has no example of a request", name)
			} else if err := doc.check(t, content["example"], "paths", op.path, op.method, "requestBody", "content",
				"application/json", "schema"); err != nil {
				t.Errorf("the request of %s: %v", name, err)
			}
		}
		for status, response := range op.object["responses"].(object) {
			content, ok := response.(object)["content"].(object)
			if !ok {
				if status != "304" {
					t.Errorf("%s %s has no body", name, status)
				}
				continue
			}
			media := content["application/json"].(object)
			if media["example"] == nil {
				t.Errorf("%s %s has no example", name, status)
			} else if err := doc.check(t, media["example"], "paths", op.path, op.method, "responses", status, "content",
				"application/json", "schema"); err != nil {
				t.Errorf("%s %s: %v", name, status, err)
			}
		}
	}
}

func TestEmissionsAreWhatTheDocumentSaysOfWebhooks(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		doc := readDocument(t, d)
		hooks := doc.tree["webhooks"].(object)
		modelstest.Want(t, "webhooks are described", len(hooks), len(outbox.EmissionTypes))
		s := d.create(t, object{"title": "T", "is_abstract": true, "track_id": d.row(t, "tracks", "Web")})
		d.speaker(t, s["id"], models.NewContact{FirstName: "Ada"})
		d.put(t, s["id"], `{"status": "accepted"}`).want(200)
		d.compose(t, "", s)
		d.put(t, s["id"], `{"is_public": true, "publish_override": true}`).want(200)
		d.do(t, http.MethodDelete, d.path("/sessions/"+s["id"].(string)), nil).want(200)
		seen := map[outbox.EmissionType]bool{}
		for _, e := range modelstest.Emitted(t, d.Fixture) {
			seen[e.Type] = true
			envelope := modelstest.Must(e.Envelope())(t)
			if err := doc.check(t, envelope, "webhooks", string(e.Type), "post", "requestBody", "content", "application/json",
				"schema"); err != nil {
				t.Errorf("%s: %v", e.Type, err)
			}
		}
		if len(seen) != 5 {
			t.Errorf("only %v were emitted", seen)
		}
	})
}
