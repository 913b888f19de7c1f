package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
)

// Activity is one row of the activity: who changed what, when and by which door. Before and After are JSON objects of
// the fields that changed.
type Activity struct {
	ID             string
	OrganizationID string
	EventID        *string
	Subject        string // session, track, …
	SubjectID      string
	Action         string
	Door           string
	ActorID        string
	ActorName      string
	RequestID      string
	Before         string
	After          string
	Address        string // the actor's network address; kept for security events only
	PartOf         string // the import that stands for this row in the event's activity; "" mostly
	CreatedAt      Time
}

// TableName returns "activity": gorm would look for "activities".
func (Activity) TableName() string { return "activity" }

type Change struct {
	Subject, ID, Action string
	Before, After       any
}

// ActivityRow returns the activity row of a change; eventID is nil for what belongs to no event.
func (a Change) ActivityRow(organizationID string, eventID *string, by By, now Time) (*Activity, error) {
	before, err := object(a.Before)
	if err != nil {
		return nil, err
	}
	after, err := object(a.After)
	return &Activity{
		ID: NewID(), OrganizationID: organizationID, EventID: eventID, Subject: a.Subject, SubjectID: a.ID, Action: a.Action,
		Door: by.Door, ActorID: by.ActorID, ActorName: by.ActorName, RequestID: by.RequestID,
		Before: before, After: after, CreatedAt: now,
	}, err
}

func object(v any) (string, error) {
	if v == nil {
		return "{}", nil
	}
	b, err := json.Marshal(v)
	return string(b), err
}

// Fact returns the value that p points to, a Time as the API writes it; nil for a nil pointer.
func Fact[T any](p *T) any {
	if p == nil {
		return nil
	}
	if t, ok := any(*p).(Time); ok {
		return t.String()
	}
	return *p
}

// ValueOf returns the value that p points to, or the zero value for a nil pointer.
func ValueOf[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

// Changes returns the facts that differ, before and after.
func Changes(before, after map[string]any) (was, is map[string]any) {
	was, is = map[string]any{}, map[string]any{}
	for key, value := range after {
		if !reflect.DeepEqual(before[key], value) {
			was[key], is[key] = before[key], value
		}
	}
	return was, is
}

// ActivityEntry is a row of the activity with the names of the records that it mentions.
type ActivityEntry struct {
	ID          string
	At          Time
	EventID     string // "" where the change belongs to no event
	ActorID     string // "" for the command line
	Actor       string
	Door        string // api, admin, cli, import or call
	Action      string // created, updated, deleted …
	Subject     string // session, contact, track, event …
	SubjectID   string
	SubjectName string // "" when the name is not known
	Gone        bool   // the record was deleted for good
	// Before and After are the fields that the line keeps, as in JSON; numbers are json.Number.
	Before, After map[string]any
	Names         map[string]string // by id; one map serves all entries of a page, so it may hold more than this one's
}

// EntriesOf decodes rows of activity. The map has a key for each id in them, for the caller to fill with names.
func EntriesOf(lines []*Activity) ([]*ActivityEntry, map[string]string) {
	entries, names := make([]*ActivityEntry, len(lines)), map[string]string{}
	for i, line := range lines {
		e := &ActivityEntry{
			ID: line.ID, At: line.CreatedAt, ActorID: line.ActorID, Actor: line.ActorName, Door: line.Door,
			Action: line.Action, Subject: line.Subject, SubjectID: line.SubjectID,
			Before: ReadFacts(line.Before), After: ReadFacts(line.After), Names: names,
		}
		if line.EventID != nil {
			e.EventID = *line.EventID
		}
		noteIDs(names, line.SubjectID)
		noteIDs(names, e.Before)
		noteIDs(names, e.After)
		entries[i] = e
	}
	return entries, names
}

// ReadFacts decodes the JSON of one side of a change; nil for what is no object.
func ReadFacts(text string) (facts map[string]any) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&facts) != nil {
		return nil
	}
	return facts
}

// noteIDs adds the ids in a value to names, without their names.
func noteIDs(names map[string]string, value any) {
	switch value := value.(type) {
	case string:
		if IsID(value) {
			names[value] = ""
		}
	case []any:
		for _, item := range value {
			noteIDs(names, item)
		}
	case map[string]any:
		for key, item := range value {
			noteIDs(names, key) // roles at events are keyed by the event's id
			noteIDs(names, item)
		}
	}
}

// MaxNamed is how many ids of one page are looked up; the rest are shown as ids.
const MaxNamed = 5000

// WriteFacts encodes what ReadFacts decodes.
func WriteFacts(facts map[string]any) (string, error) {
	if facts == nil {
		return "{}", nil
	}
	return object(facts)
}

// Facts are what a database reports about itself.
type Facts struct {
	Server     string // the version of PostgreSQL or SQLite
	Bytes      int64  // size on disk
	Path       string // of the SQLite file; "" for PostgreSQL
	Has, Knows int64  // the schema's version, and the version that this program migrates to
}

// Facts asks the database about itself. Of our tables it reads only that of the schema's versions.
func (s *Store) Facts(ctx context.Context) (f Facts, err error) {
	ask := "SELECT current_setting('server_version') AS server, pg_database_size(current_database()) AS bytes"
	if s.Embedded() {
		ask = `SELECT sqlite_version() AS server, (SELECT file FROM pragma_database_list WHERE name = 'main') AS path,
			(SELECT page_count FROM pragma_page_count()) * (SELECT page_size FROM pragma_page_size()) AS bytes`
	}
	if err = s.Read(ctx).Raw(ask).Scan(&f).Error; err != nil {
		return f, err
	}
	f.Has, f.Knows, err = s.Schema(ctx)
	f.Server, _, _ = strings.Cut(f.Server, " ") // distributions append their own version
	return f, err
}

// Process is a process that has the database open.
type Process struct {
	Name        string // host and process number, as ProcessName returns them
	Version     string
	Connections int
	Since       Time // when the oldest of its connections was made
}

// processMark begins the application_name that a process gives PostgreSQL: the mark, its name and its version.
const processMark = "lectern "

// markRoom is how many bytes of application_name PostgreSQL keeps.
const markRoom = 63

func (o Options) processMark() string { return markOf(ProcessName(), cmp.Or(o.Version, "(devel)")) }

func markOf(process, version string) string {
	mark := processMark + process + " "
	return mark + fitted(strings.ReplaceAll(version, " ", "_"), markRoom-len(mark))
}

// Processes returns the processes of this program that have the database open, by name: with PostgreSQL also those on
// other machines, with SQLite only this one. A database URL that sets application_name hides its processes.
func (s *Store) Processes(ctx context.Context) ([]Process, error) {
	if s.Embedded() {
		return []Process{{Name: ProcessName(), Version: s.Options.Version, Connections: s.Stats().OpenConnections}}, nil
	}
	var rows []Process
	err := s.Read(ctx).Raw(`SELECT application_name AS name, count(*) AS connections, min(backend_start) AS since
		FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE ?
		GROUP BY application_name ORDER BY application_name LIMIT 100`, processMark+"%").Scan(&rows).Error
	for i, row := range rows {
		rows[i].Name, rows[i].Version, _ = strings.Cut(strings.TrimPrefix(row.Name, processMark), " ")
	}
	return rows, err
}

// longestHost is how many bytes of a machine's name are used, which leaves room for the process number and a version.
const longestHost = 28

// ProcessName returns the machine's name and the process number, for people to read.
func ProcessName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return processName(host, os.Getpid())
}

// processName leaves out the domain where the whole name of the machine is too long.
func processName(host string, number int) string {
	if len(host) > longestHost {
		host, _, _ = strings.Cut(host, ".")
	}
	return fmt.Sprintf("%s/%d", fitted(host, longestHost), number)
}

// fitted leaves out the middle of a text that is too long: either end may distinguish it from others.
func fitted(text string, most int) string {
	if len(text) <= most {
		return text
	}
	begin := (most - 1) / 2
	return text[:begin] + "~" + text[len(text)-(most-1-begin):]
}
