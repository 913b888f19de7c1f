package main

import (
	"bytes"
	"fmt"
	"log"
)

// agents is the number of agents that call tools at once.
const agents = 64

// toolTurns is how often the tool and the search are measured, in turns.
const toolTurns = 3

// measureTools compares a tool with the REST search that it calls, and measures many agents at once.
func (t *target) measureTools() {
	search := searches[0]
	call := fmt.Sprintf(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_submissions","arguments":{"event_id":%q}}}`,
		t.event)
	if answer := t.send("POST", "/mcp", call); bytes.Contains(answer, []byte(`"isError":true`)) {
		log.Fatalf("list_submissions: %s", answer)
	}
	rest, tool := &result{}, &result{}
	for range toolTurns { // in turns, because others use the machine as well
		rest.add(t.load("POST", "/sessions/search", func(int) string { return search.body }))
		tool.add(t.load("POST", "/mcp", func(int) string { return call }))
	}
	rest.print("REST: " + search.name)
	tool.print("tool: list_submissions")
	many := together(agents, func(int) { t.send("POST", "/mcp", call) })
	many.print(fmt.Sprintf("tool, %d agents", agents))
	keep(t.dialect, "tool over REST", measurement{ratio: tool.perSecond / rest.perSecond})
	fmt.Printf("the tool answers %.2f times as often as the REST search\n", tool.perSecond/rest.perSecond)
}
