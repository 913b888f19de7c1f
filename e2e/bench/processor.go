package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// spent is the processor time of the server and of its PostgreSQL backends; 0 for a PostgreSQL on another machine.
type spent struct{ server, database time.Duration }

func (t *target) spent() spent {
	s := spent{server: processorTime(t.process.Process.Pid)}
	if strings.HasPrefix(t.database, "postgres") {
		conn, err := pgx.Connect(context.Background(), t.database)
		check(err)
		defer conn.Close(context.Background())
		rows, err := conn.Query(context.Background(), "SELECT pid FROM pg_stat_activity "+
			"WHERE datname = current_database() AND application_name LIKE 'lectern %'")
		check(err)
		pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
		check(err)
		for _, pid := range pids {
			s.database += processorTime(pid)
		}
	}
	return s
}

func (s spent) since(before spent) spent {
	return spent{s.server - before.server, s.database - before.database}
}

func (s spent) String() string {
	return fmt.Sprintf("processor: server %.2f s, database %.2f s", s.server.Seconds(), s.database.Seconds())
}

// processorTime returns a process's time from /proc, which counts in hundredths of a second.
func processorTime(pid int) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	var user, system int
	fmt.Sscan(fields[11], &user)
	fmt.Sscan(fields[12], &system)
	return time.Duration(user+system) * 10 * time.Millisecond
}
