package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// maxName is the maximum length, in bytes, of what an answer repeats of a message.
const maxName = 200

// refusedForNow is the JSON-RPC code of a message that may succeed later.
const refusedForNow = -32000

// message is one JSON-RPC message, with the fields that the transport reads.
type message struct {
	raw                       []byte
	isObject                  bool
	id, method, result, error json.RawMessage
	named                     string // the tool, resource or prompt that it names
	tool                      string // the tool that it runs
}

func readMessage(raw []byte) *message {
	m := &message{raw: raw}
	var fields struct {
		ID     json.RawMessage `json:"id"`
		Method json.RawMessage `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
		Params json.RawMessage `json:"params"`
	}
	m.isObject = json.Unmarshal(raw, &fields) == nil && raw[0] == '{'
	m.id, m.method, m.result, m.error = fields.ID, fields.Method, fields.Result, fields.Error
	var params struct {
		Name string `json:"name"`
		URI  string `json:"uri"`
	}
	json.Unmarshal(fields.Params, &params) // the library reports what is wrong with them
	switch string(m.method) {
	case `"tools/call"`:
		m.named, m.tool = params.Name, params.Name
	case `"resources/read"`:
		m.named, m.tool = params.URI, resourceTool(params.URI)
	case `"prompts/get"`:
		m.named = params.Name
	}
	return m
}

// requestID returns the id to answer; null if the message has none.
func (m *message) requestID() mcpgo.RequestId {
	var id any
	if json.Unmarshal(m.id, &id) != nil {
		return mcpgo.NewRequestId(nil)
	}
	switch id := id.(type) {
	case string:
		return mcpgo.NewRequestId(id)
	case float64:
		return mcpgo.NewRequestId(json.Number(m.id))
	}
	return mcpgo.NewRequestId(nil)
}

// isNoRequest reports whether a message is neither a request nor a notification nor a response.
func (m *message) isNoRequest() bool {
	var method string
	return m.result == nil && m.error == nil && (json.Unmarshal(m.method, &method) != nil || method == "")
}

// keyless counts the messages without a key, and those whose tool needs none. The REST API counts the others.
func (s *Server) keyless(c *call, messages ...*message) (n int) {
	for _, m := range messages {
		if !c.sent || len(s.scopes[m.tool]) == 0 {
			n++
		}
	}
	return n
}

// throttled refuses, with HTTP status 429, a client that sends too many messages without a key, and reports whether it
// did.
func (s *Server) throttled(w http.ResponseWriter, r *http.Request, c *call, messages ...*message) bool {
	n := s.keyless(c, messages...)
	if n == 0 || s.options.Keyless == nil {
		return false
	}
	wait := s.options.Keyless(r.RemoteAddr, n)
	if wait <= 0 {
		return false
	}
	id := mcpgo.NewRequestId(nil)
	if len(messages) == 1 {
		id = messages[0].requestID()
	}
	w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	rejectID(w, id, http.StatusTooManyRequests, refusedForNow,
		"Too many requests without a key. Wait as long as Retry-After says, in seconds.")
	return true
}

const (
	// maxAnswers limits the answers of a batch together, in bytes.
	maxAnswers = 1 << 20
	// writeAnswer exceeds the answer of any tool that writes: with less room left none is called, for its answer would be
	// lost.
	writeAnswer = 16 << 10
)

// answerAll answers the messages of a batch in order. A message whose answer would make them too large together gets an
// error instead.
func (s *Server) answerAll(ctx context.Context, header http.Header, messages []*message) (answers [][]byte) {
	left := maxAnswers
	for _, m := range messages {
		var b []byte
		if left > writeAnswer {
			b = bytes.TrimSpace(s.answer(ctx, header, m).body.Bytes())
		}
		if left <= writeAnswer || len(b) > left {
			left, b = 0, m.tooMuch()
		}
		left -= len(b)
		if len(b) > 0 && b[0] == '{' {
			answers = append(answers, b)
		}
	}
	return answers
}

// tooMuch returns the error in place of an answer for which there is no room; nil if none is due.
func (m *message) tooMuch() []byte {
	if m.id == nil {
		return nil
	}
	answer := &reply{}
	rejectID(answer, m.requestID(), http.StatusOK, refusedForNow,
		"The answers of this batch are larger than 1 MiB together. Send this message by itself.")
	return bytes.TrimSpace(answer.body.Bytes())
}

// answer handles one message.
func (s *Server) answer(ctx context.Context, header http.Header, m *message) *reply {
	answer := &reply{}
	switch {
	case !json.Valid(m.raw): // the library reports it
	case !m.isObject:
		reject(answer, http.StatusBadRequest, mcpgo.INVALID_REQUEST, "A message is a JSON object.")
		return answer
	case max(len(m.id), len(m.method), len(m.named)) > maxName:
		reject(answer, http.StatusBadRequest, mcpgo.INVALID_REQUEST,
			"An id, a method, the name of a tool or prompt and the address of a resource have at most 200 bytes.")
		return answer
	case m.isNoRequest():
		rejectID(answer, m.requestID(), http.StatusBadRequest, mcpgo.INVALID_REQUEST, "A request needs a method.")
		return answer
	}
	s.stream.Handle(answer, &server.HTTPRequest{Method: http.MethodPost, Header: header, Body: m.raw, Context: ctx})
	c := ctx.Value(callKey{}).(*call)
	if c.refused != nil {
		return c.refusal(m, answer.status)
	}
	if status := answer.status; status >= 400 && !json.Valid(answer.body.Bytes()) { // some of the library's are plain text
		text := string(bytes.TrimSpace(answer.body.Bytes()))
		answer = &reply{}
		rejectID(answer, m.requestID(), status, mcpgo.INVALID_REQUEST, text)
	}
	answer = withoutOurTypes(answer, m)
	c.fill(answer)
	return answer
}

// refusal returns an answer with the refused error, in the protocol's form.
func (c *call) refusal(m *message, status int) *reply {
	e, answer := c.refused, &reply{}
	c.refused = nil
	answer.Header().Set("Content-Type", "application/json")
	answer.WriteHeader(cmp.Or(status, http.StatusOK))
	json.NewEncoder(answer).Encode(mcpgo.NewJSONRPCError(m.requestID(), e.code(c.version), e.Message, e))
	return answer
}

// withoutOurTypes replaces the library's errors for params that do not fit its types by plain words.
func withoutOurTypes(answer *reply, m *message) *reply {
	if !bytes.Contains(answer.body.Bytes(), []byte("json: ")) {
		return answer
	}
	var body struct{ Error struct{ Message string } }
	json.Unmarshal(answer.body.Bytes(), &body)
	text, _, found := strings.Cut(body.Error.Message, ": json: ")
	if !found {
		return answer
	}
	plain := &reply{}
	rejectID(plain, m.requestID(), cmp.Or(answer.status, http.StatusOK), mcpgo.INVALID_PARAMS,
		text+": its params are not of the expected form.")
	return plain
}
