package archive_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/demo"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// house is the demonstration, of which one event is copied.
type house struct {
	*testing.T
	*modelstest.Fixture
	owner *staff.User
	team  *staff.Team
	event *models.Event
}

func open(t *testing.T, f *modelstest.Fixture) *house {
	t.Helper()
	made := modelstest.Must(demo.Fill(t.Context(), f.Store, demo.Options{Password: modelstest.SecretPhrase,
		Receiver: "http://127.0.0.1:9/hook"}))(t)
	owner := made.Staff.Owner
	h := &house{t, f, owner, f.Team(t.Context(), owner), made.Event}
	h.event = modelstest.Everything(t, f, made.Event, h.programme(made.Event).By())
	return h
}

// in returns the house for a subtest.
func (h *house) in(t *testing.T) *house { other := *h; other.T = t; return &other }

func (h *house) programme(e *models.Event) *models.Programme {
	return h.Store.Programme(e, store.By{Door: "admin", ActorID: h.owner.ID, ActorName: h.owner.Name})
}

func (h *house) copy(c archive.Copy) (*models.Event, error) {
	h.Helper()
	original := modelstest.Must(archive.Prepare(h.Context(), h.programme(h.event)))(h.T)
	return original.Copy(h.Context(), c, func(ctx context.Context, n models.NewEvent) (*models.Event, error) {
		return h.AddEvent(ctx, h.team, n)
	})
}

// rows returns the rows of a table that meet a condition, each as its values by column.
func (h *house) rows(table, condition string) (rows []map[string]string) {
	h.Helper()
	found := modelstest.Must(h.SQL.Query("SELECT * FROM " + table + " WHERE " + condition))(h.T)
	names := modelstest.Must(found.Columns())(h.T)
	for found.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(any)
		}
		modelstest.Fine(h.T, found.Scan(values...))
		one := map[string]string{}
		for i, name := range names {
			if value := *values[i].(*any); value != nil {
				one[name] = fmt.Sprintf("%s", value)
			}
		}
		rows = append(rows, one)
	}
	modelstest.Fine(h.T, found.Err())
	return rows
}

// all returns the rows of an event in all tables of the schema.
func (h *house) all(e *models.Event) map[string][]map[string]string {
	h.Helper()
	all := map[string][]map[string]string{}
	for table, columns := range modelstest.Columns(h.T, h.Fixture) {
		if table == "events" || columns["event_id"] != "" {
			all[table] = h.rows(table, h.mine(table, e))
		}
	}
	return all
}

// mine returns the condition for an event's rows in a table.
func (h *house) mine(table string, e *models.Event) string {
	if table == "events" {
		return "id = '" + e.ID + "'"
	}
	return "event_id = '" + e.ID + "'"
}

// TestEveryTableOfAnEventIsDecided fails for a new table: say in tables.go whether a copy has it.
func TestEveryTableOfAnEventIsDecided(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		decided := archive.Decided()
		for table, columns := range modelstest.Columns(t, f) {
			if table == "sessions_search" {
				continue // triggers fill it from sessions
			}
			if reason, is := decided[table]; columns["event_id"] != "" && !is {
				t.Errorf("%s has rows of events; nobody said whether a copy of an event has them", table)
			} else if is && reason == "" {
				t.Errorf("nobody said why a copy has none of %s", table)
			}
			delete(decided, table)
		}
		for table := range decided {
			t.Errorf("there is no table %s", table)
		}
		for table := range archive.Archived() {
			has := modelstest.Columns(t, f)[table]
			delete(has, "seq") // SQLite numbers sessions for its search
			got, want := slices.Sorted(slices.Values(archive.ColumnsOf(table))), slices.Sorted(maps.Keys(has))
			if !slices.Equal(got, want) {
				t.Errorf("%s has the columns\n%v, known are\n%v", table, want, got)
			}
		}
	})
}

var anID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// copyIsAsItsOriginal compares a copy with its original in every table of the schema.
func copyIsAsItsOriginal(t *testing.T, h *house) {
	made := modelstest.Must(h.copy(archive.Copy{Name: "Next", Slug: "next", StartsOn: new("2031-05-20")}))(t)
	was, is := h.all(h.event), h.all(made)
	h.refersToItself(was, is)
	filled := 0
	for table, rule := range archive.Copied() {
		without := append(rule.Without, "id", "name", "slug", "created_at", "updated_at")
		original := h.rows(table, h.mine(table, h.event)+" AND "+rule.Rows)
		if a, b := said(original, without), said(is[table], without); !slices.Equal(a, b) {
			t.Errorf("%s was\n%s\nand is\n%s", table, strings.Join(a, "\n"), strings.Join(b, "\n"))
		}
		filled += len(is[table])
	}
	if filled < 60 {
		t.Errorf("the copy has %d rows", filled)
	}
	for table, rows := range is {
		_, copied := archive.Copied()[table]
		if !copied && len(rows) > 0 && !slices.Contains([]string{"event_counters", "activity", "changes"}, table) {
			t.Errorf("the copy has %d rows of %s", len(rows), table)
		}
	}
	if lines := is["activity"]; len(lines) != 1 || lines[0]["action"] != "event copied" {
		t.Errorf("the activity says %v", lines)
	}
}

// refersToItself checks that every id in a row of a copy, in whichever column, is that of a row of the copy or of the
// organization, and never of a person, and that the copy has its own pictures.
func (h *house) refersToItself(was, is map[string][]map[string]string) {
	h.Helper()
	known := map[string]bool{h.event.OrganizationID: true}
	for _, rows := range is {
		for _, one := range rows {
			known[one["id"]] = true
		}
	}
	for table, key := range map[string]string{"users": "id", "contact_fields": "key", "sourcing_stages": "id"} {
		for _, one := range h.rows(table, "organization_id = '"+h.event.OrganizationID+"'") {
			known[one[key]] = true
		}
	}
	for _, kind := range []string{"logo_id", "picture_id"} {
		before, now := was["event_looks"][0][kind], is["event_looks"][0][kind]
		if known[now] = true; before == now && before != "" {
			h.Errorf("the copy has the file of its original: %s", kind)
		}
	}
	for table, rows := range is {
		for _, one := range rows {
			for name, value := range one {
				for _, id := range anID.FindAllString(value, -1) {
					if !known[id] {
						h.Errorf("%s.%s of the copy is %s", table, name, value)
					}
				}
			}
		}
	}
}

// said returns rows as sorted lines, without their ids and without some columns.
func said(rows []map[string]string, without []string) (lines []string) {
	for _, one := range rows {
		line := []string{}
		for _, name := range slices.Sorted(maps.Keys(one)) {
			if !slices.Contains(without, name) {
				line = append(line, name+"="+anID.ReplaceAllString(one[name], "id"))
			}
		}
		lines = append(lines, strings.Join(line, " "))
	}
	slices.Sort(lines)
	return lines
}
