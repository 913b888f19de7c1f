// Package e2e drives the built binary from outside, as its users do.
package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "lectern-e2e")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "lectern")
	build := exec.Command("go", "build", "-o", binary, "..")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	code := m.Run()
	closeChromium()
	os.RemoveAll(dir)
	os.Exit(code)
}

// site is one installation: a data directory and a database of its own.
type site struct {
	t    *testing.T
	env  []string
	data string // its data directory
	base string
	// plain has its windows run no JavaScript.
	plain bool
}

// each runs test on an installation with SQLite and one with PostgreSQL.
func each(t *testing.T, test func(t *testing.T, s *site)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, newSite(t, ""))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, newSite(t, postgres(t)))
	})
}

// newSite is an installation on the database at address, on SQLite when empty.
func newSite(t *testing.T, address string) *site {
	data := t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "LECTERN_DATA_DIR=" + data}
	if address != "" {
		env = append(env, "LECTERN_DATABASE_URL="+address)
	}
	return &site{t: t, env: env, data: data}
}

var databases atomic.Int32

// postgres makes an empty database and returns its address.
func postgres(t *testing.T) string {
	address := os.Getenv("LECTERN_TEST_POSTGRES")
	if address == "" {
		t.Fatal("this test needs PostgreSQL: run `make test`, or scripts/with-postgres.sh go test …")
	}
	name := fmt.Sprintf("lectern_e2e_%d_%d", os.Getpid(), databases.Add(1))
	psql := func(statement string) {
		if out, err := exec.Command("psql", "-qd", address, "-c", statement).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	psql("CREATE DATABASE " + name)
	t.Cleanup(func() { psql("DROP DATABASE " + name + " WITH (FORCE)") })
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

// run runs a command that must succeed and returns the JSON object it prints.
func (s *site) run(args ...string) map[string]any {
	s.t.Helper()
	out, stderr, err := s.try("", args...)
	if err != nil {
		s.t.Fatalf("lectern %s: %v: %s", strings.Join(args, " "), err, stderr)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		s.t.Fatalf("lectern %s printed %q: %v", strings.Join(args, " "), out, err)
	}
	return v
}

// try runs a command with input and returns what it printed.
func (s *site) try(input string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.Command(binary, args...)
	cmd.Env = s.env
	cmd.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// server is a running process.
type server struct {
	*exec.Cmd
	base   string
	stdout *bufio.Reader
	log    *bytes.Buffer
}

// serve starts the server and waits until it is ready; it is stopped with the test.
func (s *site) serve(args ...string) *server {
	s.t.Helper()
	address := freeAddress(s.t)
	cmd := exec.Command(binary, append(args, "--addr", address)...)
	cmd.Env = s.env
	srv := &server{Cmd: cmd, base: "http://" + address, log: &bytes.Buffer{}}
	cmd.Stderr = srv.log
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	srv.stdout = bufio.NewReader(pipe)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			cmd.Process.Kill()
			cmd.Wait()
		}
	})
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		response, err := http.Get(srv.base + "/readyz")
		if err == nil {
			response.Body.Close()
			if response.StatusCode == 200 {
				s.base = srv.base
				return srv
			}
		}
	}
	s.t.Fatalf("the server did not become ready: %s", srv.log)
	return nil
}

// terminate asks the server to end and returns how it did.
func (s *server) terminate(t *testing.T) error {
	t.Helper()
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	return s.Wait()
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// call asks the running server with a key and returns the status and the JSON.
func (s *site) call(key, method, path, body string) (int, map[string]any) {
	s.t.Helper()
	request, err := http.NewRequest(method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("x-access-token", key)
	if body != "" {
		request.Header.Set("content-type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		s.t.Fatalf("%s %s answered %q: %v", method, path, raw, err)
	}
	return response.StatusCode, v
}

// ok is call for what must be a success.
func (s *site) ok(key, method, path, body string) map[string]any {
	s.t.Helper()
	status, v := s.call(key, method, path, body)
	if status != 200 {
		s.t.Fatalf("%s %s: %d %v", method, path, status, v)
	}
	return v
}

// total is the number of results of a search.
func total(v map[string]any) int {
	return int(v["pagination"].(map[string]any)["totalResults"].(float64))
}

// conference makes an event and returns its path below the API and a full key.
func (s *site) conference() (path, key string) {
	s.t.Helper()
	s.run("event", "create", "--name", "Harbour", "--slug", "harbour", "--timezone", "Europe/Lisbon")
	made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	return "/v1/event/" + made["event_id"].(string), made["key"].(string)
}
