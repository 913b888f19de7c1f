package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// measureSearches measures each search, beside its SQL alone.
func (t *target) measureSearches() {
	for _, s := range searches {
		r := t.load("POST", "/sessions/search", func(int) string { return s.body })
		if t.dialect == "postgres" {
			r.floor = floor(t.database, t.event, s)
		}
		r.print("search: " + s.name)
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

// row is a session as the floor scans it.
type row struct {
	ID, EventID, FriendlyID, Title, Description, Status string
	IsAbstract                                          bool
	StartsAt, EndsAt                                    *time.Time
	Capacity                                            *int
	IsPublic                                            bool
	TrackID, RoomID, FormatID, LevelID                  *string
	CustomFields                                        string
	CreatedAt, UpdatedAt                                time.Time
	DeletedAt                                           *time.Time
}

// floor measures a search's statements through pgx alone: the page, its people and tags, and the exact count.
func floor(database, event string, s search) *result {
	config, err := pgxpool.ParseConfig(database)
	check(err)
	config.MaxConns = int32(*connections)
	config.ConnConfig.RuntimeParams["random_page_cost"] = "1.1" // as the store sets it
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	check(err)
	defer pool.Close()
	where := " FROM sessions WHERE event_id = $1 AND deleted_at IS NULL " + s.where
	order := " ORDER BY updated_at DESC, id DESC"
	if strings.Contains(s.body, "startsAt") {
		order = " ORDER BY starts_at NULLS LAST, id"
	}
	page := "SELECT id, event_id, friendly_id, title, description, status, is_abstract, starts_at, ends_at, capacity, " +
		"is_public, " +
		"track_id, room_id, format_id, level_id, custom_fields, created_at, updated_at, deleted_at" + where +
		order + " LIMIT 25"
	return together(*connections, func(int) { askFloor(pool, event, page, "SELECT count(*)"+where) })
}

func askFloor(pool *pgxpool.Pool, event, page, count string) {
	ctx := context.Background()
	rows, err := pool.Query(ctx, page, event)
	check(err)
	sessions, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	check(err)
	ids := make([]string, len(sessions))
	for i, s := range sessions {
		ids[i] = s.ID
	}
	var a, b, c, d, e, f string
	var g *string
	var n int
	rows, err = pool.Query(ctx,
		`SELECT p.session_id, p.contact_id, c.email, c.full_name, c.company_name, c.about, c.photo_url, p.position
		FROM participants p JOIN contacts c ON c.id = p.contact_id WHERE p.event_id = $1 AND p.session_id = ANY($2)`, event, ids)
	check(err)
	_, err = pgx.ForEachRow(rows, []any{&a, &b, &c, &d, &e, &f, &g, &n}, func() error { return nil })
	check(err)
	rows, err = pool.Query(ctx, `SELECT session_id, tag_id FROM session_tags WHERE event_id = $1 AND session_id = ANY($2)`,
		event, ids)
	check(err)
	_, err = pgx.ForEachRow(rows, []any{&a, &b}, func() error { return nil })
	check(err)
	check(pool.QueryRow(ctx, count, event).Scan(&n))
}

func connect(database string) *pgx.Conn {
	conn, err := pgx.Connect(context.Background(), database)
	check(err)
	return conn
}

func execute(database, statement string) {
	conn := connect(database)
	defer conn.Close(context.Background())
	_, err := conn.Exec(context.Background(), statement)
	check(err)
}

func createDatabase() string {
	if databaseNamed("") == "/" {
		log.Fatal("LECTERN_TEST_POSTGRES is not set; run make bench")
	}
	name := fmt.Sprintf("lectern_bench_%d", time.Now().UnixNano())
	execute(databaseNamed("postgres"), "CREATE DATABASE "+name)
	return databaseNamed(name)
}

func dropDatabase(database string) {
	name := database[strings.LastIndex(database, "/")+1:]
	name, _, _ = strings.Cut(name, "?")
	execute(databaseNamed("postgres"), "DROP DATABASE "+name+" WITH (FORCE)")
}

// measureHuge fills 999 other events with similar rows, and measures the first event's searches again.
func (t *target) measureHuge() {
	const others = 999
	start := time.Now()
	ctx := context.Background()
	conn := connect(t.database)
	defer conn.Close(ctx)
	do := func(statement string) {
		_, err := conn.Exec(ctx, statement)
		check(err)
	}
	do(`SET statement_timeout = 0`)
	do(`SET synchronous_commit = off`)
	do(`SET session_replication_role = replica`) // skips the checks of foreign keys, which take hours
	do(`SET maintenance_work_mem = '1GB'`)
	do(`DROP INDEX sessions_search_words`) // building it at the end is faster
	do(fmt.Sprintf(`CREATE TEMP TABLE template AS SELECT row_number() OVER () AS n, * FROM
		(SELECT title, title_key, status, created_at, updated_at FROM sessions WHERE event_id = '%s' LIMIT %d) s`, t.event, *huge/(others+1)))
	for e := range others {
		do(fmt.Sprintf(`INSERT INTO events (id, organization_id, name, slug, timezone, created_at, updated_at)
			SELECT '0-%[1]d', organization_id, name, 'other-%[1]d', timezone, created_at, updated_at FROM events WHERE slug = 'bench'`, e))
		do(fmt.Sprintf(`INSERT INTO event_counters VALUES ('0-%d', 0, 0, 0, 0, 0, 0)`, e))
		do(fmt.Sprintf(`INSERT INTO review_rounds (id, event_id, name, gives_all, is_blind, created_at, updated_at)
			SELECT id, id, 'All submissions', true, false, created_at, updated_at FROM events WHERE id = '0-%d'`, e))
		do(fmt.Sprintf(
			`INSERT INTO sessions (id, event_id, number, friendly_id, is_abstract, title, title_key, description, status, search, created_at, updated_at)
			SELECT '0-%[1]d-' || n, '0-%[1]d', n, 'A-' || n, n %% 5 < 3, title, title_key, '', status, title_key, created_at, updated_at FROM template`, e))
	}
	do(`INSERT INTO sessions_search SELECT event_id, id, of_title, CASE WHEN of_title THEN search ELSE '' END
		FROM sessions, (VALUES (true), (false)) part (of_title) WHERE event_id LIKE '0-%'`)
	do(`CREATE INDEX sessions_search_words ON sessions_search USING gin (event_id, words gin_trgm_ops)`)
	do(`VACUUM ANALYZE sessions, sessions_search`)
	var rows int
	check(conn.QueryRow(ctx, `SELECT count(*) FROM sessions`).Scan(&rows))
	fmt.Printf("%d rows over %d events (filled in %.0f s)\n", rows, others+1, time.Since(start).Seconds())
	t.measureSearches()
}

func databaseNamed(name string) string {
	u, err := url.Parse(os.Getenv("LECTERN_TEST_POSTGRES"))
	check(err)
	u.Path = "/" + name
	return u.String()
}

const (
	// pgbenchConnections is the number of connections of both.
	pgbenchConnections = 8
	// pgbenchTurns is how often both are measured, in turns.
	pgbenchTurns = 3
)

// measurePgbench compares a search with PostgreSQL's pgbench, which runs the same statements and ignores their
// results.
func (t *target) measurePgbench(dir string) {
	if t.dialect != "postgres" {
		return
	}
	script := filepath.Join(dir, "search.sql")
	check(os.WriteFile(script, []byte(t.searchStatements()), 0o600))
	search, bench := &result{}, 0.0
	client, before := processorTime(os.Getpid()), t.spent()
	for range pgbenchTurns { // in turns, because others use the machine as well
		search.add(together(pgbenchConnections, func(int) { t.send("POST", "/sessions/search", searches[0].body) }))
		bench += t.pgbench(script) / pgbenchTurns
	}
	took, searched := t.spent().since(before), float64(len(search.times))
	each := func(d time.Duration) float64 { return d.Seconds() * 1000 / searched }
	fmt.Printf("processor ms for each search: server %.2f, database %.2f, client %.2f\n", each(took.server), each(took.database),
		each(processorTime(os.Getpid())-client))
	search.print(fmt.Sprintf("search, %d connections", pgbenchConnections))
	keep(t.dialect, "search over pgbench", search.perSecond()/bench)
	fmt.Printf("pgbench does the search's statements %.0f times a second; the ratio is %.2f\n", bench, search.perSecond()/bench)
}

// searchStatements returns the server's statements for the first search, whose count is cached: the key with its event,
// the page, and the people and tags of the page.
func (t *target) searchStatements() string {
	const page = `SELECT title, status, is_public, track_id, room_id, starts_at, ends_at, format_id, level_id, description, capacity,
 is_plenary, custom_fields, id, event_id, friendly_id, is_abstract, composed_into, is_linked, created_at, updated_at, deleted_at
 FROM sessions
 WHERE event_id = '%s' AND deleted_at IS NULL AND is_abstract = true ORDER BY updated_at DESC, id DESC LIMIT 25`
	this := fmt.Sprintf(page, t.event)
	conn := connect(t.database)
	defer conn.Close(context.Background())
	rows, err := conn.Query(context.Background(), "SELECT id FROM ("+this+") page")
	check(err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	check(err)
	of := fmt.Sprintf("event_id = '%s' AND session_id IN ('%s')", t.event, strings.Join(ids, "','"))
	hash := sha256.Sum256([]byte(t.key))
	statements := []string{
		`SELECT k.id, k.event_id, k.name, k.hash, k.hint, k.scopes, k.created_by, k.expires_at, k.revoked_at, k.last_used_at,
 k.created_at, e.id, e.organization_id, e.name, e.slug, e.timezone, e.starts_on, e.ends_on, c.metadata_version,
 c.sessions_version, c.speakers_version, c.rows_version FROM api_keys k JOIN events e ON e.id = k.event_id
 JOIN event_counters c ON c.event_id = e.id WHERE k.hash = '` + hex.EncodeToString(hash[:]) + `' LIMIT 1`,
		this,
		`SELECT p.session_id, p.contact_id, c.email, c.first_name, c.full_name, c.company_name, c.about, c.photo_url, p.role,
 p.position FROM participants p JOIN contacts c ON c.id = p.contact_id WHERE p.` + of + `
 UNION ALL SELECT session_id, tag_id, '', '', '', '', '', NULL, '', 0 FROM session_tags WHERE ` + of,
	}
	return strings.Join(statements, ";\n") + ";\n"
}

var transactions = regexp.MustCompile(`tps = ([0-9.]+)`)

// pgbench returns how often a second pgbench runs a script.
func (t *target) pgbench(script string) float64 {
	folder, err := exec.Command("scripts/postgres-bin.sh").Output()
	check(err)
	run := exec.Command(filepath.Join(strings.TrimSpace(string(folder)), "pgbench"), "--no-vacuum", "--protocol=prepared",
		"--client="+strconv.Itoa(pgbenchConnections), "--jobs=2", "--time="+strconv.Itoa(*seconds), "--file="+script, t.database)
	run.Env = append(os.Environ(), "PGOPTIONS=-c random_page_cost=1.1 -c jit=off") // as the store sets it
	run.Stderr = os.Stderr
	out, err := run.Output()
	check(err)
	found := transactions.FindSubmatch(out)
	if found == nil {
		log.Fatalf("pgbench says %s", out)
	}
	perSecond, err := strconv.ParseFloat(string(found[1]), 64)
	check(err)
	return perSecond
}
