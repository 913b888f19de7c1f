package store

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
)

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
