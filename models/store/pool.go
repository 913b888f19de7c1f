package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Pool is a pool of connections to a database.
type Pool struct {
	sql     *sql.DB
	servers *servers // nil with SQLite
}

// closeTime is how long the servers may take to end connections properly, before Close cuts them.
const closeTime = time.Second

// OpenPool connects to the database at address.
func OpenPool(ctx context.Context, address string, options Options) (*Pool, error) {
	switch scheme, rest, _ := strings.Cut(address, "://"); scheme {
	case "sqlite":
		return openSQLite(rest, options.QuickSQLite)
	case "postgres", "postgresql":
		return openPostgres(ctx, address, options)
	default:
		return nil, fmt.Errorf("the database address must start with sqlite:// or postgres://")
	}
}

// Close ends all connections, within two seconds also when the server hangs.
func (p *Pool) Close() error {
	if p.servers != nil {
		defer time.AfterFunc(closeTime, p.servers.cut).Stop()
	}
	return p.sql.Close()
}
