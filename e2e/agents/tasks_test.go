package agents

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	. "lectern/e2e/drive"
	"lectern/mcp/tokens"
	"lectern/models/modelstest"
)

type object = map[string]any

// task is a question that an organizer asks an agent.
type task struct {
	question      string // where {room} and the like stand for what a conference has
	calls, tokens int    // the most that it may take
	solve         func(a *asker) any
	truth         func(w *world) any // the answer, as the REST API has it
}

// tasks returns all tasks in the order in which they are solved; those that change something come last.
func tasks() (all []task) {
	for _, some := range [][]task{stateTasks, reviewTasks, agendaTasks, changeTasks} {
		all = append(all, some...)
	}
	return all
}

// asker is an agent whose calls and tokens are counted, with the names that the question stands for.
type asker struct {
	*Agent
	t             *testing.T
	the           map[string]string
	calls, tokens int
}

// ask calls a tool that must succeed.
func (a *asker) ask(tool string, arguments object) (answer object) {
	a.t.Helper()
	sent := canonical(a.t, arguments)
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = tool, arguments
	result, err := a.CallTool(a.t.Context(), request)
	if err != nil {
		a.t.Fatalf("%s %s: %v", tool, sent, err)
	}
	text := result.Content[0].(mcp.TextContent).Text
	if err := json.Unmarshal([]byte(text), &answer); err != nil || result.IsError {
		a.t.Fatalf("%s %s: %v %s", tool, sent, err, text)
	}
	a.calls++
	a.tokens += tokens.Count(tool+sent) + tokens.Count(text)
	return answer
}

// worded returns a question with the names of this conference.
func (a *asker) worded(question string) string {
	for _, name := range sortedKeys(a.the) {
		question = strings.ReplaceAll(question, "{"+name+"}", a.the[name])
	}
	return question
}

// canonical returns a value as JSON, so that two can be compared.
func canonical(t *testing.T, v any) string {
	t.Helper()
	return string(modelstest.Must(json.Marshal(v))(t))
}

// works solves the tasks one after the other, and checks their answers and costs.
func (w *world) works(t *testing.T) {
	t.Helper()
	var table strings.Builder
	calls, total := 0, 0
	for _, task := range tasks() {
		a := &asker{Agent: w.agent, t: t, the: w.the}
		question := a.worded(task.question)
		got := canonical(t, task.solve(a))
		if want := canonical(t, task.truth(w)); got != want {
			t.Errorf("%s\nthe tools say %.1500s\nit is         %.1500s", question, got, want)
		}
		if strings.Contains(question, "{") || got == "null" || got == "[]" {
			t.Errorf("%s has nothing to tell here: %s", question, got)
		}
		if a.calls > task.calls || a.tokens > task.tokens {
			t.Errorf("%s takes %d calls and %d tokens, at most %d and %d", question, a.calls, a.tokens, task.calls,
				task.tokens)
		}
		fmt.Fprintf(&table, "%2d calls %5d tokens  %s\n", a.calls, a.tokens, question)
		calls, total = calls+a.calls, total+a.tokens
	}
	t.Logf("\n%s%d calls, %d tokens for %d tasks", &table, calls, total, len(tasks()))
}

// TestOrganizersTasks has everything done at the demonstration's conference and at a large one; on PostgreSQL too
// where there is time.
func TestOrganizersTasks(t *testing.T) {
	t.Parallel()
	modelstest.Want(t, "tasks", len(tasks()), 40)
	conferences := []struct {
		name  string
		world func(t *testing.T) *world
	}{
		{"demonstration", demonstration},
		{"large", func(t *testing.T) *world { return large(t, NewSite(t, "")) }},
		{"large on PostgreSQL", func(t *testing.T) *world { return large(t, NewSite(t, Postgres(t))) }},
	}
	if !Long() {
		conferences = conferences[:2]
	}
	for _, c := range conferences {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.world(t).works(t)
		})
	}
}
