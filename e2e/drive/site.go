// Package drive drives the built binary from outside, as its users do: with the command line, the API, tools, mail,
// webhooks and a browser. The journeys are in the packages beside it, by subject.
package drive

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lectern/e2e/built"
	"lectern/e2e/child"
	"lectern/models/modelstest"
)

// Root is the repository, seen from a package of journeys.
const Root = "../.."

// Binary is the path of the binary under test.
var Binary string

// Main builds the binary once and runs the tests of a package on it.
func Main(m *testing.M) {
	child.EndWithRunner()
	binary, err := built.Binary(context.Background(), Root)
	if err != nil {
		panic(err)
	}
	Binary = binary
	code := m.Run()
	closeChromium()
	os.Exit(code)
}

// Site is an installation with a data directory and a database of its own.
type Site struct {
	T    *testing.T
	Env  []string
	Data string // its data directory
	Base string
	// Plain: its windows run no JavaScript.
	Plain    bool
	database string // its address, "" for the file in the data directory
}

// Each runs test on an installation with SQLite and on one with PostgreSQL.
func Each(t *testing.T, test func(t *testing.T, s *Site)) { each(t, NewSite, Postgres, test) }

// EachBare is Each for installations that were never started.
func EachBare(t *testing.T, test func(t *testing.T, s *Site)) { each(t, BareSite, BarePostgres, test) }

func each(t *testing.T, site func(t *testing.T, address string) *Site, postgres func(t *testing.T) string,
	test func(t *testing.T, s *Site)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, site(t, ""))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, site(t, postgres(t)))
	})
}

// NewSite returns an installation with tables but no rows, on the database at address or, with "", on SQLite.
func NewSite(t *testing.T, address string) *Site {
	if address == "" {
		return siteIn(t, filepath.Dir(strings.TrimPrefix(modelstest.Database(t, "sqlite"), "sqlite://")), "")
	}
	return BareSite(t, address)
}

// BareSite returns an installation that was never started.
func BareSite(t *testing.T, address string) *Site { return siteIn(t, t.TempDir(), address) }

func siteIn(t *testing.T, data, address string) *Site {
	env := environment(data)
	if address != "" {
		env = append(env, "LECTERN_DATABASE_URL="+address)
	}
	return &Site{T: t, Env: env, Data: data, database: address}
}

func environment(data string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "LECTERN_DATA_DIR=" + data,
		"LECTERN_SQLITE_SYNC=normal"} // no test cuts the power
}

// Postgres makes a database with tables but no rows, and returns its address.
func Postgres(t *testing.T) string { return modelstest.Database(t, "postgres") }

// BarePostgres makes a database without tables, and returns its address.
func BarePostgres(t *testing.T) string { return modelstest.EmptyDatabase(t, "postgres") }

// Database returns the address of the database, "" for the file lectern.db in the data directory.
func (s *Site) Database() string { return s.database }

// Run runs a command that must succeed and returns the JSON object it prints.
func (s *Site) Run(args ...string) map[string]any {
	s.T.Helper()
	out, stderr, err := s.Try("", args...)
	if err != nil {
		s.T.Fatalf("lectern %s: %v: %s", strings.Join(args, " "), err, stderr)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		s.T.Fatalf("lectern %s printed %q: %v", strings.Join(args, " "), out, err)
	}
	return v
}

// Try runs a command with input and returns its output.
func (s *Site) Try(input string, args ...string) (stdout, stderr string, err error) {
	cmd := child.EndsWithUs(exec.Command(Binary, args...))
	cmd.Env = s.Env
	cmd.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// Server is a running server process.
type Server struct {
	*exec.Cmd
	Base   string
	Stdout *bufio.Reader
	Log    *Output
}

// Serve starts the server and waits until it is ready. It ends with the test.
func (s *Site) Serve(args ...string) *Server {
	s.T.Helper()
	return s.Ready(s.Start(args...))
}

// Start starts the server. It ends with the test.
func (s *Site) Start(args ...string) *Server {
	s.T.Helper()
	return s.start(FreeAddress(s.T), args...)
}

// ServeNamed is Serve at localhost instead of 127.0.0.1, for passkeys, which need a name. Later windows open there.
func (s *Site) ServeNamed(args ...string) *Server {
	s.T.Helper()
	address := FreeAddress(s.T)
	named := "http://localhost" + address[strings.LastIndex(address, ":"):]
	srv := s.Ready(s.start(address, append(args, "--base-url", named)...))
	s.Base = named
	return srv
}

func (s *Site) start(address string, args ...string) *Server {
	s.T.Helper()
	cmd := child.EndsWithUs(exec.Command(Binary, append(args, "--addr", address)...))
	cmd.Env = s.Env
	srv := &Server{Cmd: cmd, Base: "http://" + address, Log: &Output{}}
	cmd.Stderr = srv.Log
	pipe := modelstest.Must(cmd.StdoutPipe())(s.T)
	srv.Stdout = bufio.NewReader(pipe)
	modelstest.Fine(s.T, cmd.Start())
	s.T.Cleanup(func() {
		if cmd.ProcessState == nil {
			cmd.Process.Kill()
			cmd.Wait()
		}
	})
	return srv
}

// Ready waits until a server is ready. Later windows open on it.
func (s *Site) Ready(srv *Server) *Server {
	s.T.Helper()
	if !Within(Patience, func() bool {
		response, err := http.Get(srv.Base + "/readyz")
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	}) {
		s.T.Fatalf("the server did not become ready: %s", srv.Log)
	}
	s.Base = srv.Base
	return srv
}

// Terminate sends SIGTERM and returns how the server ended.
func (s *Server) Terminate(t *testing.T) error {
	t.Helper()
	modelstest.Fine(t, s.Process.Signal(syscall.SIGTERM))
	return s.Wait()
}

// FreeAddress returns an address that a server can listen on.
var FreeAddress = child.FreeAddress

// Call sends a request with a key and returns the status and the JSON.
func (s *Site) Call(key, method, path, body string) (int, map[string]any) {
	s.T.Helper()
	request := modelstest.Must(http.NewRequest(method, s.Base+path, strings.NewReader(body)))(s.T)
	request.Header.Set("x-access-token", key)
	if body != "" {
		request.Header.Set("content-type", "application/json")
	}
	response := modelstest.Must(http.DefaultClient.Do(request))(s.T)
	defer response.Body.Close()
	raw := modelstest.Must(io.ReadAll(response.Body))(s.T)
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		s.T.Fatalf("%s %s answered %q: %v", method, path, raw, err)
	}
	return response.StatusCode, v
}

// Ok is Call for a request that must succeed.
func (s *Site) Ok(key, method, path, body string) map[string]any {
	s.T.Helper()
	status, v := s.Call(key, method, path, body)
	if status != 200 {
		s.T.Fatalf("%s %s: %d %v", method, path, status, v)
	}
	return v
}

// Total returns the number of results of a search.
func Total(v map[string]any) int {
	return int(v["pagination"].(map[string]any)["totalResults"].(float64))
}

// Conference sets up an empty site, and returns what Key returns.
func (s *Site) Conference() (path, key string) {
	s.T.Helper()
	s.setUp(false)
	return s.Key()
}

// Key makes a key with all scopes for the event Harbour, and returns the event's path in the API and the key.
func (s *Site) Key() (path, key string) {
	s.T.Helper()
	made := s.Run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	return "/v1/event/" + made["event_id"].(string), made["key"].(string)
}

// Admin returns the address of the event with this path in the API in the admin.
func Admin(path string) string { return "/admin/events/" + strings.TrimPrefix(path, "/v1/event/") }

// Hire makes a member of staff, with the first word of the name in lower case at example.org as address.
func (s *Site) Hire(name, role string) {
	s.T.Helper()
	first, _, _ := strings.Cut(strings.ToLower(name), " ")
	if _, stderr, err := s.Try("correct horse battery\n", "user", "create", "--email", first+"@example.org", "--name",
		name, "--role", role); err != nil {
		s.T.Fatal(stderr)
	}
}

// File writes a file into a directory of its own, and returns its path.
func File(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	modelstest.Fine(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}
