package models_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

// TestADeletedSessionLooksForItsOwnRows asks SQLite how it finds what goes with a session: by the session, and not among
// all rows of the event, which made taking back 4,000 of them take a minute.
func TestADeletedSessionLooksForItsOwnRows(t *testing.T) {
	f := modelstest.Open(t, "sqlite")
	rows := modelstest.Must(f.SQL.Query(`SELECT m.name, k."from" FROM sqlite_master m, pragma_foreign_key_list(m.name) k
		WHERE m.type = 'table' AND k."table" = 'sessions' AND k."to" = 'id' ORDER BY m.name, k."from"`))(t)
	var refers [][2]string
	for rows.Next() {
		var table, column string
		modelstest.Fine(t, rows.Scan(&table, &column))
		refers = append(refers, [2]string{table, column})
	}
	modelstest.Fine(t, rows.Close())
	if len(refers) < 15 {
		t.Fatalf("only %v refer to sessions", refers)
	}
	for _, r := range refers {
		var id, parent, unused int
		var plan string
		ask := fmt.Sprintf("EXPLAIN QUERY PLAN SELECT rowid FROM %s WHERE event_id = 'a' AND %s = 'b'", r[0], r[1])
		modelstest.Fine(t, f.SQL.QueryRow(ask).Scan(&id, &parent, &unused, &plan))
		if !strings.Contains(plan, r[1]+"=?") {
			t.Errorf("%s.%s: %s", r[0], r[1], plan)
		}
	}
}

// TestSavedSessionsAreFoundByTheirIDs asks SQLite how it finds the sessions that a save writes: by their ids, and not
// among all of the event, for each of which it would read the values anew.
func TestSavedSessionsAreFoundByTheirIDs(t *testing.T) {
	f := modelstest.Open(t, "sqlite")
	s := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Tides"}))(t)
	save := ""
	for _, statement := range f.Statement.During(func() {
		modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Ebb")}))(t)
	}) {
		if strings.HasPrefix(statement, "UPDATE sessions SET") {
			save = statement
		}
	}
	var plan []string
	rows := modelstest.Must(f.SQL.Query("EXPLAIN QUERY PLAN "+save, "[]", f.Event.ID))(t)
	for rows.Next() {
		var id, parent, unused int
		var step string
		modelstest.Fine(t, rows.Scan(&id, &parent, &unused, &step))
		plan = append(plan, step)
	}
	modelstest.Fine(t, rows.Close())
	if len(plan) < 2 || !strings.HasPrefix(plan[0], "SCAN v") || !strings.Contains(plan[1], "(id=?)") {
		t.Errorf("%s: %q", save, plan)
	}
}
