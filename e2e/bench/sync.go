package main

import (
	"bytes"
	"fmt"
	"log"
)

// syncRounds is how often the two are measured, in turns.
const syncRounds = 12

// measureSync compares LECTERN_SQLITE_SYNC=full with normal: two servers, each on a database of its own, are
// written to in turns, so that other load on the machine affects both.
func measureSync(dialect, dir, binary string) {
	if dialect != "sqlite" {
		return
	}
	write := func(i int) string {
		return fmt.Sprintf(`{"title": "Written %d", "is_abstract": true, "description": "<p>Some text</p>"}`, i)
	}
	modes := []string{"full", "normal"}
	targets, alone, crowd := map[string]*target{}, map[string]*result{}, map[string]*result{}
	for _, mode := range modes {
		t, remove := newTarget(dialect, dir, binary, "LECTERN_SQLITE_SYNC="+mode)
		defer remove()
		t.serve()
		defer t.stop()
		t.sequence(100, "POST", "/sessions/create", write)
		targets[mode], alone[mode], crowd[mode] = t, &result{}, &result{}
	}
	for round := range syncRounds {
		for i := range modes {
			mode := modes[(i+round)%len(modes)] // neither is always the first
			t := targets[mode]
			alone[mode].add(t.sequence(300, "POST", "/sessions/create", write))
			crowd[mode].add(together(*connections, func(i int) { t.send("POST", "/sessions/create", write(i)) }))
		}
	}
	fmt.Printf("%-34s %10s %9s %9s\n", "sqlite, creates", "per s", "p50 ms", "p99 ms")
	for _, mode := range modes {
		alone[mode].print(mode + ", one at a time")
		crowd[mode].print(fmt.Sprintf("%s, %d at once", mode, *connections))
	}
	fmt.Printf("full is %.2f times normal one at a time and %.2f at once; p99 %.2f and %.2f times\n",
		alone["full"].perSecond()/alone["normal"].perSecond(), crowd["full"].perSecond()/crowd["normal"].perSecond(),
		alone["full"].percentile(0.99)/alone["normal"].percentile(0.99),
		crowd["full"].percentile(0.99)/crowd["normal"].percentile(0.99))
}

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
	times := tool.perSecond() / rest.perSecond()
	keep(t.dialect, "tool over REST", times)
	fmt.Printf("the tool answers %.2f times as often as the REST search\n", times)
}
