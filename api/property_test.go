package api_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"lectern/models"
)

// requestsPerOperation keeps the walk short; the fuzz targets go deeper.
const requestsPerOperation = 80

func TestEveryOperationAnswersAsTheDocumentSays(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		doc := readDocument(t, d)
		ids := []string{nobody, d.elsewhere(t).create(t, object{"title": "Theirs"})["id"].(string)}
		for _, family := range families {
			ids = append(ids, d.row(t, family, "Row"))
		}
		a := d.create(t, object{"title": "A", "is_abstract": true, "status": "accepted"})
		s := d.compose(t, "", a)
		ids = append(ids, a["id"].(string), s["id"].(string), d.create(t, object{"title": "S"})["id"].(string),
			d.speaker(t, s["id"], models.NewContact{FirstName: "Ada"}))
		seen := map[int]int{}
		for _, op := range doc.operations() {
			name := op.method + " " + op.path
			seed := fnv.New64()
			seed.Write([]byte(name))
			g := &generator{Rand: rand.New(rand.NewPCG(seed.Sum64(), 1)),
				schemas: doc.tree["components"].(object)["schemas"].(object), ids: ids}
			for range requestsPerOperation {
				r := g.request(op, d.Event.ID)
				got := d.do(t, strings.ToUpper(op.method), r.path, r.body, r.headers...)
				seen[got.status]++
				if fault := doc.fault(t, op, r, got); fault != "" {
					t.Fatalf("%s %s %v\n%.2000q\nanswers %d %.2000s\n%s", op.method, r.path, r.headers, fmt.Sprint(r.body), got.status,
						got.raw, fault)
				}
			}
		}
		for _, status := range []int{200, 400, 403, 404} {
			if seen[status] < 50 {
				t.Errorf("only %d answers were %d: %v", seen[status], status, seen)
			}
		}
	})
}

// randomRequest is one random request for an operation.
type randomRequest struct {
	path    string
	body    any // nil, or its text
	headers []string
}

func (g *generator) request(op described, event string) randomRequest {
	r := randomRequest{path: op.path}
	for _, p := range parametersOf(op) {
		switch p["in"] {
		case "path":
			id := g.pick(g.ids)
			if g.IntN(8) == 0 {
				id = g.pick([]string{"x", "%00", "%ff", "a%20b", strings.ToUpper(g.ids[2])})
			}
			if p["name"] == "eventId" && g.IntN(20) > 0 {
				id = event
			}
			r.path = strings.Replace(r.path, "{"+p["name"].(string)+"}", id, 1)
		case "query":
			if g.IntN(4) == 0 {
				separator := map[bool]string{true: "&", false: "?"}[strings.Contains(r.path, "?")]
				r.path += fmt.Sprintf("%s%s=%s", separator, p["name"],
					g.pick([]string{"1", "2", "999", "1000", "0", "-1", "x", "", "1.5", "%00"}))
			}
		case "header":
			if g.IntN(3) == 0 {
				r.headers = append(r.headers, p["name"].(string),
					g.pick([]string{"k", "l", " ", strings.Repeat("k", 300), "é", "\xff"}))
			}
		}
	}
	schema := bodySchema(op)
	if schema == nil {
		return r
	}
	body := g.value(schema)
	if g.IntN(2) == 0 {
		body = g.spoil(body)
	}
	raw, _ := json.Marshal(body)
	text := string(raw)
	switch g.IntN(30) {
	case 0:
		text = text[:g.IntN(len(text)+1)]
	case 1:
		text = strings.Replace(text, `"`, "\"\xff", 1)
	case 2:
		r.headers = append(r.headers, "content-type", "text/plain")
	}
	r.body = text
	return r
}

func parametersOf(op described) []object {
	var out []object
	parameters, _ := op.object["parameters"].([]any)
	for _, p := range parameters {
		out = append(out, p.(object))
	}
	return out
}

func bodySchema(op described) object {
	request, ok := op.object["requestBody"].(object)
	if !ok {
		return nil
	}
	return request["content"].(object)["application/json"].(object)["schema"].(object)
}

// fault says what is wrong with an answer, or "".
func (doc *document) fault(t *testing.T, op described, r randomRequest, got *answer) string {
	t.Helper()
	if got.status >= 500 {
		return "which is a fault of ours"
	}
	described, ok := op.object["responses"].(object)[fmt.Sprint(got.status)].(object)
	if !ok {
		return "which the document does not know"
	}
	if described["content"] != nil {
		if err := doc.check(t, got.raw, "paths", op.path, op.method, "responses", fmt.Sprint(got.status), "content",
			"application/json", "schema"); err != nil {
			return err.Error()
		}
	}
	if text, sent := r.body.(string); sent && got.status == 200 && !strings.HasSuffix(op.path, "/bulk") &&
		!strings.Contains(text, "null") {
		// A bulk request answers for each item, and null stands for a filter left out.
		if err := doc.check(t, []byte(text), "paths", op.path, op.method, "requestBody", "content", "application/json",
			"schema"); err != nil {
			return "although " + err.Error()
		}
	}
	return ""
}
