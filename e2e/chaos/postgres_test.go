package chaos

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

var databases atomic.Int32

// sharedPostgres makes a database on the server that all tests share, for what
// does not break the server.
func (x *trial) sharedPostgres() string {
	x.Helper()
	address := os.Getenv("LECTERN_TEST_POSTGRES")
	if address == "" {
		x.Fatal("this test needs PostgreSQL: run `make test`, `make chaos`, or scripts/with-postgres.sh go test …")
	}
	name := fmt.Sprintf("lectern_chaos_%d_%d", os.Getpid(), databases.Add(1))
	db, err := sql.Open("pgx", address)
	x.check(err)
	_, err = db.ExecContext(x.ctx, "CREATE DATABASE "+name)
	x.check(err)
	x.Cleanup(func() {
		db.Exec("DROP DATABASE " + name + " WITH (FORCE)")
		db.Close()
	})
	u, err := url.Parse(address)
	x.check(err)
	u.Path = "/" + name
	return u.String()
}

// cluster is a PostgreSQL server of the trial's own, which waits for the disk.
type cluster struct {
	*trial
	bin, dir string
	port     int
}

// newCluster makes a server and starts it.
func (x *trial) newCluster() *cluster {
	x.Helper()
	c := x.emptyCluster("primary")
	c.run("initdb", "-D", c.dir, "-U", "postgres", "-A", "trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
	c.configure("listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nshared_buffers = 32MB\n")
	c.start()
	c.sql("CREATE DATABASE lectern")
	return c
}

// emptyCluster is the place of a server.
func (x *trial) emptyCluster(name string) *cluster {
	x.Helper()
	found, err := exec.Command("../../scripts/postgres-bin.sh").Output()
	if err != nil {
		x.Fatal("this test needs PostgreSQL's own programs, 15 or later, with pg_trgm: run `make test` or `make chaos`")
	}
	c := &cluster{trial: x, bin: strings.TrimSpace(string(found)), dir: filepath.Join(x.dir, name)}
	x.check(os.Mkdir(c.dir, 0o700))
	if as := c.as(); as != nil {
		x.check(os.Chown(c.dir, int(as.Uid), int(as.Gid)))
	}
	x.Cleanup(c.kill)
	return c
}

// as is whom the server runs as: it refuses root.
func (c *cluster) as() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	found, err := user.Lookup("postgres")
	c.check(err)
	uid, _ := strconv.Atoi(found.Uid)
	gid, _ := strconv.Atoi(found.Gid)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// run runs one of PostgreSQL's programs.
func (c *cluster) run(program string, args ...string) {
	c.Helper()
	cmd := exec.Command(filepath.Join(c.bin, program), args...)
	cmd.Dir, cmd.SysProcAttr = c.dir, &syscall.SysProcAttr{Credential: c.as()}
	said, err := os.CreateTemp(c.trial.dir, program) // no pipe: a server it starts would hold it
	c.check(err)
	defer said.Close()
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Run(); err != nil {
		output, _ := os.ReadFile(said.Name())
		log, _ := os.ReadFile(c.log())
		c.Fatalf("%s: %v\n%s\n%s", program, err, output, log[max(0, len(log)-2000):])
	}
}

func (c *cluster) log() string { return filepath.Join(c.dir, "server.log") }

func (c *cluster) configure(lines string) {
	file, err := os.OpenFile(filepath.Join(c.dir, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	c.check(err)
	defer file.Close()
	_, err = file.WriteString(lines)
	c.check(err)
}

// start starts the server, at the port it had before.
func (c *cluster) start() {
	c.Helper()
	if c.port == 0 {
		c.port = freePort(c.trial)
	}
	c.run("pg_ctl", "start", "-D", c.dir, "-l", c.log(), "-w", "-t", "60", "-o", fmt.Sprint("-p ", c.port))
}

// freePort is one below those that the kernel takes for its own.
func freePort(x *trial) int {
	for {
		port := 15000 + x.random.IntN(15000)
		if db, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
			db.Close()
			return port
		}
	}
}

// restart is what an impatient administrator does.
func (c *cluster) restart() {
	c.run("pg_ctl", "restart", "-D", c.dir, "-l", c.log(), "-m", "immediate", "-w", "-t", "60")
}

// signal reaches every process of the server, those too that start meanwhile.
func (c *cluster) signal(s syscall.Signal) {
	reached := map[int]bool{}
	for more := true; more; {
		more = false
		for _, pid := range processesIn(c.dir) {
			if !reached[pid] {
				syscall.Kill(pid, s)
				reached[pid], more = true, true
			}
		}
	}
}

func (c *cluster) kill()   { c.signal(syscall.SIGKILL) }
func (c *cluster) freeze() { c.signal(syscall.SIGSTOP) }
func (c *cluster) thaw()   { c.signal(syscall.SIGCONT) }

// standby makes a second server that this one waits for with each commit.
func (c *cluster) standby() *cluster {
	c.Helper()
	s := c.emptyCluster("standby")
	s.port = freePort(c.trial)
	s.run("pg_basebackup", "-D", s.dir, "-R", "-X", "stream", "-c", "fast", "-N",
		"-d", fmt.Sprintf("host=127.0.0.1 port=%d user=postgres application_name=standby", c.port))
	s.start()
	c.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
	c.sql("SELECT pg_reload_conf()")
	for len(c.column("postgres", "SELECT pid FROM pg_stat_replication WHERE sync_state = 'sync'")) == 0 {
		c.pause(50 * time.Millisecond)
	}
	return s
}

// promote makes a standby the primary.
func (c *cluster) promote() { c.run("pg_ctl", "promote", "-D", c.dir, "-w", "-t", "60") }

// url is the address of the database on these servers.
func urlOf(clusters ...*cluster) string {
	var hosts []string
	for _, c := range clusters {
		hosts = append(hosts, fmt.Sprint("127.0.0.1:", c.port))
	}
	return "postgres://postgres@" + strings.Join(hosts, ",") + "/lectern?sslmode=disable&target_session_attrs=read-write"
}

// open is a connection pool to one database of this server.
func (c *cluster) open(database string) *sql.DB {
	address := fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable&connect_timeout=10", c.port, database)
	db, err := sql.Open("pgx", address)
	c.check(err)
	return db
}

// sql runs a statement as the administrator.
func (c *cluster) sql(statement string) {
	c.Helper()
	db := c.open("postgres")
	defer db.Close()
	ctx, cancel := context.WithTimeout(c.ctx, 30*time.Second)
	defer cancel()
	_, err := db.ExecContext(ctx, statement)
	c.check(err)
}

// column returns the first column of a query's rows.
func (c *cluster) column(database, query string) (values []string) {
	c.Helper()
	db := c.open(database)
	defer db.Close()
	rows, err := db.QueryContext(c.ctx, query)
	c.check(err)
	defer rows.Close()
	for rows.Next() {
		var value string
		c.check(rows.Scan(&value))
		values = append(values, value)
	}
	c.check(rows.Err())
	return values
}

// titles are those of all sessions on this server.
func (c *cluster) titles() []string {
	c.Helper()
	return c.column("lectern", "SELECT title FROM sessions")
}
