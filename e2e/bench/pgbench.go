package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

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
	search, floor := &result{}, 0.0
	client, before := processorTime(os.Getpid()), t.spent()
	for range pgbenchTurns { // in turns, because others use the machine as well
		search.add(together(pgbenchConnections, func(int) { t.send("POST", "/sessions/search", searches[0].body) }))
		floor += t.pgbench(script) / pgbenchTurns
	}
	took, searched := t.spent().since(before), float64(len(search.times))
	each := func(d time.Duration) float64 { return d.Seconds() * 1000 / searched }
	fmt.Printf("processor ms for each search: server %.2f, database %.2f, client %.2f\n", each(took.server), each(took.database),
		each(processorTime(os.Getpid())-client))
	search.print(fmt.Sprintf("search, %d connections", pgbenchConnections))
	ratio := search.perSecond / floor
	keep(t.dialect, "search over pgbench", measurement{ratio: ratio})
	fmt.Printf("pgbench does the search's statements %.0f times a second; the ratio is %.2f\n", floor, ratio)
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
