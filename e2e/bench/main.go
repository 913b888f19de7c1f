// Bench measures the built binary over HTTP, beside the floor: the same SQL through pgx alone. Both run in one
// go on one machine, so that their ratios are comparable where absolute numbers are not.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"

	"lectern/e2e/child"
)

var (
	sessions    = flag.Int("sessions", 30_000, "sessions in the event")
	connections = flag.Int("connections", 16, "connections at once")
	seconds     = flag.Int("seconds", 5, "seconds for each measurement")
	huge        = flag.Int("huge", 0, "also measure with this many rows in all, over 1,000 events (PostgreSQL)")
	only        = flag.String("only", "", "sqlite or postgres alone")
	deliveries  = flag.Bool("deliveries", false, "measure deliveries alone")
	backlogs    = flag.Bool("backlog", false, "measure readiness while a million deliveries are due alone")
	letters     = flag.Bool("letters", false, "measure letters to people alone")
	results     = flag.Bool("results", false, "measure the results of rounds alone")
	people      = flag.Bool("people", false, "measure the directory and imports of people alone")
	imported    = flag.Int("imported", 50_000, "people in the file that is imported")
	moving      = flag.Bool("moving", false, "measure a move from a pretalx alone")
	moved       = flag.Int("moved", 10_000, "submissions of the pretalx")
	decisions   = flag.Bool("decisions", false, "measure a commit of decisions alone")
	agenda      = flag.Bool("agenda", false, "measure the agenda alone")
	tasks       = flag.Bool("tasks", false, "measure what speakers deliver alone")
	call        = flag.Bool("call", false, "measure the public call for papers alone")
	pages       = flag.Bool("pages", false, "measure the pages and tools of the large event alone")
	search25    = flag.Bool("search", false, "hold a search against pgbench, and a tool against a search, alone")
	writes      = flag.Bool("writes", false, "measure writes to the large event alone")
	triage      = flag.Bool("triage", false, "measure triage alone")
	prebuilt    = flag.String("binary", "", "measure this binary instead of a new one")
	syncs       = flag.Bool("sync", false, "only compare writes to SQLite that wait for the disk with those that do not")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	*pages = *pages || *search25 || *writes
	dir, err := os.MkdirTemp("", "lectern-bench")
	check(err)
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "lectern")
	if *prebuilt != "" {
		binary = *prebuilt
	} else {
		build := exec.Command("go", "build", "-o", binary, ".")
		build.Stderr = os.Stderr
		check(build.Run())
	}

	if *syncs {
		measureSync(dir, binary)
		return
	}
	if !*people && !*moving && !*triage && !*agenda && !*results && !*tasks {
		fmt.Printf("%d sessions in the event, %d connections, %d s each\n\n", *sessions, *connections, *seconds)
	}
	for _, dialect := range []string{"postgres", "sqlite"} {
		if *only == "" || *only == dialect {
			measure(dialect, dir, binary)
		}
	}
	if printBudgets(os.Stdout) > 0 {
		os.RemoveAll(dir)
		os.Exit(1)
	}
}

// target is a database with a server on it.
type target struct {
	binary, database string
	env              []string
	dialect          string
	base, event, key string
	metrics          string // address of its metrics
	process          *exec.Cmd
	client           *fasthttp.Client // fasthttp, because the client shares the cores with the server
	refused          *atomic.Int32    // counts answers 503 where they are allowed; nil where they are fatal
}

// newTarget makes a database with an empty event. It does not start the server.
func newTarget(dialect, dir, binary string, env ...string) (t *target, remove func()) {
	t, remove = &target{dialect: dialect, binary: binary, client: &fasthttp.Client{MaxConnsPerHost: 256}}, func() {}
	if dialect == "postgres" {
		t.database = createDatabase()
		remove = func() { dropDatabase(t.database) }
	} else {
		t.database = "sqlite://" + filepath.Join(dir, fmt.Sprintf("bench%d.db", time.Now().UnixNano()))
	}
	t.env = append(os.Environ(), "LECTERN_DATABASE_URL="+t.database, "LECTERN_DATA_DIR="+dir,
		"LECTERN_RATE_READS=0", "LECTERN_RATE_WRITES=0", "LECTERN_LOG_FORMAT=json",
		"LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	t.env = append(t.env, env...)
	var event, key struct{ ID, Key string }
	t.command(&event, "event", "create", "--name", "Bench", "--slug", "bench", "--timezone", "UTC")
	t.command(&key, "apikey", "create", "--event", "bench", "--name", "bench", "--scopes", "all")
	t.event, t.key = event.ID, key.Key
	return t, remove
}

// parts are the measurements with data of their own, each of which can run alone.
var parts = []struct {
	alone   *bool
	measure func(dialect, dir, binary string)
}{{deliveries, measureWebhooks}, {people, measurePeople}, {moving, measureMoving}, {decisions, measureCommit}, {triage, measureTriage},
	{letters, measureLetters}, {results, measureResults}, {agenda, measureAgenda}, {agenda, measureFeeds},
	{call, measureCall}, {tasks, measureTasks},
	{backlogs, measureBacklog}, {pages, measureSearches}}

func measure(dialect, dir, binary string) {
	alone := false
	for _, part := range parts {
		alone = alone || *part.alone
	}
	for _, part := range parts {
		if *part.alone || !alone {
			part.measure(dialect, dir, binary)
		}
	}
}

// measureSearches fills the large event and measures its searches and pages.
func measureSearches(dialect, dir, binary string) {
	t, remove := newTarget(dialect, dir, binary)
	defer remove()
	start := time.Now()
	t.command(nil, "seed", "--event", "bench", "--sessions", fmt.Sprint(*sessions), "--contacts",
		fmt.Sprint(max(1, *sessions/10)))
	seeded := time.Since(start)
	ready := t.serve()
	defer t.stop()

	if dialect == "postgres" {
		execute(t.database, "VACUUM ANALYZE") // as autovacuum would within minutes
	}
	if *search25 {
		t.measurePgbench(dir)
		t.measureTools()
		return
	}
	if *writes {
		t.measureWrites(t.ids(true))
		return
	}
	fmt.Printf("%-34s %10s %9s %9s %9s %9s %8s\n", dialect, "per s", "p50 ms", "p99 ms", "floor/s", "its p99", "ratio")
	for _, s := range searches {
		r := t.load("POST", "/sessions/search", func(int) string { return s.body })
		if dialect == "postgres" {
			r.floor = floor(t.database, t.event, s)
		}
		r.print("search: " + s.name)
	}
	ids := t.ids(true)
	t.load("GET", "/sessions/", func(i int) string { return ids[i%len(ids)] }).print("read one")
	t.measurePgbench(dir)
	t.measureTools()
	t.measurePages()
	memory := t.memory()
	t.measureWrites(ids)
	fmt.Printf("start-up %d ms, memory under load %d MB, seeding %.1f s\n\n", ready.Milliseconds(), memory,
		seeded.Seconds())

	if dialect == "postgres" && *huge > 0 {
		t.measureHuge()
	}
}

// search is a measured search: its request, and the condition of its SQL.
type search struct{ name, body, where string }

var searches = []search{
	{"abstracts, newest first", `{"filters": {"is_abstract": true}, "pageSize": 25}`, "AND is_abstract = true"},
	{"accept queue", `{"filters": {"is_abstract": true, "status": ["accept_queue"]}, "pageSize": 25}`,
		"AND is_abstract = true AND status IN ('accept_queue')"},
	{"rare word", `{"filters": {"text": "quokka"}, "pageSize": 25}`,
		`AND id IN (SELECT session_id FROM sessions_search WHERE event_id = $1 AND words LIKE '%quokka%' ESCAPE '\')`},
	{"agenda by start",
		`{"filters": {"is_abstract": false}, "sort": {"order": "startsAt", "sort": "asc"}, "pageSize": 25}`,
		"AND is_abstract = false"},
}

// command runs the binary and reads the JSON it prints.
func (t *target) command(into any, args ...string) {
	cmd := exec.Command(t.binary, args...)
	cmd.Env, cmd.Stderr = t.env, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		log.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	if into != nil {
		check(json.Unmarshal(out, into))
	}
}

// serve starts the server and returns how long it took to become ready.
func (t *target) serve() time.Duration {
	address, metrics := freeAddress(), freeAddress()
	t.base, t.metrics = "http://"+address, "http://"+metrics+"/metrics"
	t.process = child.EndsWithUs(exec.Command(t.binary, "serve", "--addr", address))
	t.process.Env = append(slices.Clip(t.env), "LECTERN_METRICS_ADDR="+metrics)
	start := time.Now()
	check(t.process.Start())
	for time.Since(start) < 30*time.Second {
		if status, _, err := t.client.Get(nil, t.base+"/readyz"); err == nil && status == fasthttp.StatusOK {
			return time.Since(start)
		}
		time.Sleep(2 * time.Millisecond)
	}
	log.Fatal("the server did not start")
	return 0
}

func (t *target) stop() {
	check(t.process.Process.Signal(os.Interrupt))
	t.process.Wait()
}

// memory returns the server's resident set in MB.
func (t *target) memory() int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.process.Process.Pid))
	if err != nil {
		return 0
	}
	var kilobytes int
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	fmt.Sscan(after, &kilobytes)
	return kilobytes / 1024
}

func (t *target) ids(abstracts bool) []string {
	var page struct{ Results []struct{ ID string } }
	body := fmt.Sprintf(`{"filters": {"is_abstract": %t}, "pageSize": 100}`, abstracts)
	check(json.Unmarshal(t.send("POST", "/sessions/search", body), &page))
	ids := make([]string, len(page.Results))
	for i, r := range page.Results {
		ids[i] = r.ID
	}
	return ids
}

func (t *target) send(method, path, body string) []byte {
	if strings.HasSuffix(path, "/") { // the body begins with the id
		id, rest, _ := strings.Cut(body, " ")
		path, body = path+id, rest
	}
	address := t.base + "/v1/event/" + t.event + path
	if path == "/mcp" {
		address = t.base + path
	}
	return t.ask(method, address, "application/json", body, func(request *fasthttp.Request, _ *fasthttp.Response) {
		request.Header.Set("x-access-token", t.key)
	})
}

// ask sends a request, with a body unless it is a GET. It calls head before, with a nil response, and again
// with the response.
func (t *target) ask(
	method, address, kind, body string, head func(*fasthttp.Request, *fasthttp.Response),
) []byte {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	request.Header.SetMethod(method)
	request.SetRequestURI(address)
	if method != "GET" {
		request.Header.SetContentType(kind)
		request.SetBodyString(body)
	}
	head(request, nil)
	check(t.client.Do(request, response))
	status := response.StatusCode()
	if refused := status == fasthttp.StatusServiceUnavailable && t.refused != nil; refused {
		t.refused.Add(1)
	} else if status != fasthttp.StatusOK && status != fasthttp.StatusSeeOther {
		log.Fatalf("%s %s: %d %s", method, address, status, response.Body())
	}
	head(request, response)
	return bytes.Clone(response.Body())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
