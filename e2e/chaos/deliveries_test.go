package chaos

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"maps"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/libtnb/sqlite" // the drivers that look into databases
)

// attempt is a row of the delivery log.
type attempt struct {
	emission, endpoint, outcome string
	number                      int
	event                       string // of the healthy receiver's alone
}

// query reads from the database beside the server.
func (s *site) query(scan func(*sql.Rows) error, query string, values ...any) {
	s.Helper()
	driver, address := "pgx", s.address
	if path, embedded := strings.CutPrefix(s.address, "sqlite://"); embedded {
		driver, address = "sqlite", "file:"+path+"?_pragma=busy_timeout(5000)"
	}
	db, err := sql.Open(driver, address)
	s.check(err)
	defer db.Close()
	rows, err := db.QueryContext(s.ctx, query, values...)
	s.check(err)
	defer rows.Close()
	for rows.Next() {
		s.check(scan(rows))
	}
	s.check(rows.Err())
}

// attempts reads the delivery log.
func (s *site) attempts() (all []attempt) {
	s.Helper()
	s.query(func(rows *sql.Rows) error {
		var a attempt
		var body string
		if err := rows.Scan(&a.emission, &a.endpoint, &a.number, &a.outcome, &body); err != nil || body == "" {
			all = append(all, a)
			return err
		}
		var e envelope
		err := json.Unmarshal([]byte(body), &e)
		a.event = e.event()
		all = append(all, a)
		return err
	}, `SELECT emission_id, coalesce(webhook_id, ''), attempt, outcome,
		CASE WHEN webhook_id = $1 THEN request_body ELSE '' END FROM webhook_deliveries`, s.receivers[0].id)
	return all
}

// whereabouts tells of each event that was recorded how far it came on the way
// to the healthy receiver, for those who look for a lost one.
func (s *site) whereabouts() map[string]string {
	s.Helper()
	at := map[string]string{}
	s.query(func(rows *sql.Rows) error {
		var e envelope
		var data string
		var new, due bool
		if err := rows.Scan(&e.Metadata.Event, &data, &new, &due); err != nil {
			return err
		}
		err := json.Unmarshal([]byte(data), &e.Data)
		at[e.event()] = map[bool]string{true: "it is still in line", false: "it left the line"}[due]
		if new {
			at[e.event()] = "it did not come in line"
		}
		return err
	}, `SELECT e.type, e.data, e.fanned_at IS NULL,
		EXISTS (SELECT 1 FROM deliveries_due d WHERE d.emission_seq = e.seq AND d.webhook_id = $1)
		FROM emissions e`, s.receivers[0].id)
	return at
}

// missing are the events of acknowledged writes that the healthy receiver has not had.
func (s *site) missing() map[string]bool {
	s.mu.Lock()
	missing := maps.Clone(s.expected)
	s.mu.Unlock()
	maps.DeleteFunc(missing, func(name string, _ bool) bool { return s.receivers[0].has(name) })
	return missing
}

// awaitEvents waits until the healthy receiver had each event of an acknowledged
// write, or the log says that its delivery began. It gives up when nothing came
// for a while: then events are lost.
func (s *site) awaitEvents() {
	s.Helper()
	const stuck = 40 * time.Second
	for had, since := s.receivers[0].count(), time.Now(); time.Since(since) < stuck; s.pause(250 * time.Millisecond) {
		missing := s.missing()
		if n := s.receivers[0].count(); n != had {
			had, since = n, time.Now()
			if len(missing) > 0 {
				continue
			}
		}
		if len(missing) > 0 {
			for _, a := range s.attempts() {
				delete(missing, a.event)
			}
		}
		if len(missing) == 0 {
			return
		}
	}
}

// auditEvents compares what the receivers had with what they were owed. One
// round for each event and endpoint is right, of one attempt or two.
func (s *site) auditEvents() {
	missing, log := s.missing(), s.attempts()
	var at map[string]string
	if len(missing) > 0 {
		at = s.whereabouts()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	rounds := map[attempt]bool{}
	for _, a := range log {
		if missing[a.event] {
			delete(missing, a.event)
			s.cut++
		}
		a = attempt{emission: a.emission, endpoint: a.endpoint, number: a.number}
		if rounds[a] {
			s.doubled.add("a second round in the log")
		}
		rounds[a] = true
	}
	for name := range missing {
		s.lost.add("%s did not set out: %s", name, cmp.Or(at[name], "it was not recorded"))
	}
	for _, r := range s.receivers {
		r.audit(s.book)
	}
}
