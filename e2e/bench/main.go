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
	imported    = flag.Int("imported", 50_000, "people in the file that is imported")
	moved       = flag.Int("moved", 10_000, "submissions of the pretalx")
	prebuilt    = flag.String("binary", "", "measure this binary instead of a new one")
)

// part is a measurement with data of its own, which runs alone if it is named.
type part struct {
	name    string
	measure func(dialect, dir, binary string)
}

// parts run if none is named.
var parts = []part{{"deliveries", measureWebhooks}, {"people", on(seeded(100, knownPeople), (*target).measurePeople)},
	{"moving", measureMoving}, {"decisions", inLarge((*target).measureCommit)},
	{"triage", on(reviewed(twoRounds), (*target).measureTriage)}, {"letters", on(seeded(100, writtenTo), (*target).measureLetters)},
	{"results", on(reviewed(scored), (*target).measureResults)}, {"agenda", on((*target).importAgenda, (*target).measureAgenda)},
	{"feeds", on((*target).importFeeds, (*target).measureFeeds)}, {"call", inLarge((*target).measureCall)},
	{"tasks", on(deliverables, (*target).measureTasks)}, {"backlog", measureBacklog},
	{"pages", inLarge((*target).measureLarge)}}

// others run only if they are named.
var others = []part{
	{"search", inLarge(func(t *target, dir string) { t.measurePgbench(dir); t.measureTools() })},
	{"writes", inLarge(func(t *target, _ string) { t.measureWrites(t.ids(true)) })},
	{"sync", measureSync},
}

func main() {
	log.SetFlags(0)
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "bench [flags] [part ...]; the parts are", slices.Concat(parts, others))
		flag.PrintDefaults()
	}
	flag.Parse()
	chosen := parts
	if flag.NArg() > 0 {
		chosen = slices.DeleteFunc(slices.Concat(parts, others), func(p part) bool { return !slices.Contains(flag.Args(), p.name) })
	}
	if len(chosen) < flag.NArg() {
		flag.Usage()
		os.Exit(2)
	}
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
	fmt.Printf("%d sessions in the large event, %d connections, %d s each\n\n", *sessions, *connections, *seconds)
	for _, dialect := range []string{"postgres", "sqlite"} {
		for _, p := range chosen {
			if *only == "" || *only == dialect {
				p.measure(dialect, dir, binary)
			}
		}
	}
	if printBudgets(os.Stdout) > 0 {
		os.RemoveAll(dir)
		os.Exit(1)
	}
}

// String returns the name of a part, for the usage of the command.
func (p part) String() string { return p.name }

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
		"LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8", "LECTERN_TRUSTED_PROXIES=127.0.0.0/8")
	t.env = append(t.env, env...)
	var event, key struct{ ID, Key string }
	t.command(&event, "event", "create", "--name", "Bench", "--slug", "bench", "--timezone", "UTC")
	t.command(&key, "apikey", "create", "--event", "bench", "--name", "bench", "--scopes", "all")
	t.event, t.key = event.ID, key.Key
	return t, remove
}

// on prepares a database of its own before a server runs on it, and measures something then.
func on(prepare, measure func(t *target, dir string)) func(dialect, dir, binary string) {
	return func(dialect, dir, binary string) {
		t, remove := newTarget(dialect, dir, binary)
		defer remove()
		prepare(t, dir)
		t.serve()
		defer t.stop()
		measure(t, dir)
		fmt.Println()
	}
}

// seeded fills the event with sessions and people.
func seeded(sessions, contacts int) func(*target, string) {
	return func(t *target, _ string) {
		t.command(nil, "seed", "--event", "bench", "--sessions", fmt.Sprint(sessions), "--contacts", fmt.Sprint(contacts))
	}
}

// inLarge fills the large event and measures something in it.
func inLarge(measure func(t *target, dir string)) func(dialect, dir, binary string) {
	return func(dialect, dir, binary string) {
		t, remove := newTarget(dialect, dir, binary)
		defer remove()
		start := time.Now()
		seeded(*sessions, max(1, *sessions/10))(t, dir)
		seeded := time.Since(start)
		ready := t.serve()
		defer t.stop()
		if dialect == "postgres" {
			execute(t.database, "VACUUM ANALYZE") // as autovacuum would within minutes
		}
		measure(t, dir)
		fmt.Printf("start-up %d ms, seeding %.1f s\n\n", ready.Milliseconds(), seeded.Seconds())
	}
}

// measureLarge measures the searches, pages, tools and writes of the large event.
func (t *target) measureLarge(dir string) {
	fmt.Printf("%-34s %10s %9s %9s %9s %9s %8s\n", t.dialect, "per s", "p50 ms", "p99 ms", "floor/s", "its p99", "ratio")
	t.measureSearches()
	ids := t.ids(true)
	t.load("GET", "/sessions/", func(i int) string { return ids[i%len(ids)] }).print("read one")
	t.measurePgbench(dir)
	t.measureTools()
	t.measurePages()
	fmt.Printf("memory under load %d MB\n", t.memory())
	t.measureWrites(ids)
	if t.dialect == "postgres" && *huge > 0 {
		t.measureHuge()
	}
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
