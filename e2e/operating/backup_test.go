package operating

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goccy/go-json"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// writers create sessions at full rate until stop, and note which were acknowledged.
type writers struct {
	mu           sync.Mutex
	acknowledged []string
	wait         sync.WaitGroup
	stop         chan struct{}
}

func write(s *Site, n int, path, key string) *writers {
	w := &writers{stop: make(chan struct{})}
	for worker := range n {
		w.wait.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-w.stop:
					return
				default:
				}
				body := fmt.Sprintf(`{"title": "Written %d of %d", "is_abstract": %v, "description": "<p>%s</p>"}`, i, worker,
					i%2 == 0, strings.Repeat("words ", 50))
				request, err := http.NewRequest("POST", s.Base+path+"/sessions/create", strings.NewReader(body))
				if err != nil {
					s.T.Error(err)
					return
				}
				request.Header.Set("x-access-token", key)
				request.Header.Set("content-type", "application/json")
				response, err := http.DefaultClient.Do(request)
				if err != nil {
					s.T.Error(err)
					return
				}
				var made struct{ ID string }
				err = json.NewDecoder(response.Body).Decode(&made)
				response.Body.Close()
				if response.StatusCode != 200 || err != nil {
					s.T.Errorf("a write was answered %d, %v", response.StatusCode, err)
					return
				}
				w.mu.Lock()
				w.acknowledged = append(w.acknowledged, made.ID)
				w.mu.Unlock()
			}
		})
	}
	return w
}

// sofar are the writes that were acknowledged before it returns.
func (w *writers) sofar() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.acknowledged)
}

func (w *writers) end() []string {
	close(w.stop)
	w.wait.Wait()
	return w.acknowledged
}

func TestACopyTakenUnderLoadHasAllThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	s.Env = append(s.Env, "LECTERN_RATE_WRITES=0")
	event, key := s.Conference()
	s.Run("webhook", "create", "--url", "https://example.org/hook")
	srv := s.Serve("serve")
	writing := write(s, 8, event, key)
	var copies []string
	var before [][]string
	for i := range 3 {
		for enough := (i + 1) * 60; len(writing.sofar()) < enough && !t.Failed(); {
			time.Sleep(time.Millisecond)
		}
		file := filepath.Join(t.TempDir(), "copy.db")
		before = append(before, writing.sofar())
		copies = append(copies, file)
		if made := s.Run("backup", file); made["file"] != file || made["secret_key"] == "" ||
			made["schema_version"].(float64) < 1 {
			t.Errorf("%v", made)
		}
	}
	all := writing.end()
	if len(all) <= len(before[2]) {
		t.Error("nothing was written during the copies")
	}
	verified(s)
	modelstest.Fine(t, srv.Terminate(t))
	last := filepath.Join(t.TempDir(), "last.db")
	s.Run("backup", last)
	copies, before = append(copies, last), append(before, all)
	for i, file := range copies {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v %v", info, err)
		}
		there := BareSite(t, "")
		modelstest.Fine(t, os.Link(filepath.Join(s.Data, "secret.key"), filepath.Join(there.Data, "secret.key")))
		if done := there.Run("restore", file); done["wrong"] != 0.0 {
			t.Errorf("copy %d: %v", i, done)
		}
		kept := rowsOf(t, filepath.Join(there.Data, "lectern.db"), "SELECT id FROM sessions")
		for _, id := range before[i] {
			if !slices.Contains(kept, "["+id+"]") {
				t.Errorf("copy %d lost %s", i, id)
			}
		}
		if i < 3 && len(kept) > len(all) {
			t.Errorf("copy %d has %d sessions of %d", i, len(kept), len(all))
		}
		if i == 3 {
			verified(there) // once it has taken its place
			for _, table := range rowsOf(t, file,
				"SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'lectern_backup' AND name NOT LIKE "+
					"'sessions_search%'") {
				query := "SELECT * FROM " + strings.Trim(table, "[]") + " ORDER BY rowid"
				switch table {
				case "[sessions_search]":
					continue
				case "[change_numbers]": // whose series is another one, so that cursors of later than the copy are refused
					query = "SELECT last FROM change_numbers"
				}
				ours, theirs := rowsOf(t, filepath.Join(s.Data, "lectern.db"), query),
					rowsOf(t, filepath.Join(there.Data, "lectern.db"), query)
				if !slices.Equal(ours, theirs) {
					t.Errorf("%s has %d rows in the database and %d in the copy, or other ones", table, len(ours), len(theirs))
				}
			}
			if extra := rowsOf(t, filepath.Join(there.Data, "lectern.db"),
				"SELECT name FROM sqlite_master WHERE name = 'lectern_backup'"); len(extra) > 0 {
				t.Error("the restored database still calls itself a copy")
			}
		}
	}
}

// verified finds nothing wrong with a site, and returns what the command says.
func verified(s *Site) map[string]any {
	s.T.Helper()
	said := s.Run("verify")
	modelstest.Want(s.T, fmt.Sprint(said), said["wrong"], any(0.0))
	return said
}

// rowsOf are the rows of a query, as text.
func rowsOf(t *testing.T, file, query string) []string {
	t.Helper()
	db := modelstest.Must(sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(5000)"))(t)
	defer db.Close()
	return rowsIn(t, db, query)
}

func rowsIn(t *testing.T, db *sql.DB, query string) (out []string) {
	t.Helper()
	found := modelstest.Must(db.Query(query))(t)
	defer found.Close()
	columns := modelstest.Must(found.Columns())(t)
	for found.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		modelstest.Fine(t, found.Scan(values...))
		for i := range values {
			values[i] = *values[i].(*any)
		}
		out = append(out, fmt.Sprint(values))
	}
	modelstest.Fine(t, found.Err())
	return out
}

// refused runs a command that must fail and say why, and returns all that it says.
func refused(s *Site, why string, args ...string) string {
	s.T.Helper()
	out, stderr, err := s.Try("", args...)
	if err == nil || !strings.Contains(stderr, why) {
		s.T.Errorf("%v: %v, %s%s; want %q", args, err, out, stderr, why)
	}
	return stderr
}

func TestRestoreTakesNobodysPlaceUnasked(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	s.Run("event", "create", "--name", "Kept", "--slug", "kept", "--timezone", "UTC")
	s.Run("webhook", "create", "--url", "https://example.org/hook")
	file := filepath.Join(t.TempDir(), "copy.db")
	made := s.Run("backup", file)
	refused(s, "overwrites nothing", "backup", file)
	refused(s, "no such file", "backup", filepath.Join(s.Data, "nowhere", "copy.db"))
	refused(BareSite(t, ""), "there is no database", "backup", filepath.Join(s.Data, "other.db"))
	refused(BareSite(t, ""), "there is no database", "verify")
	refused(s, "--force", "restore", file)

	s.Run("event", "create", "--name", "Later", "--slug", "later", "--timezone", "UTC")
	srv := s.Serve("serve")
	refused(s, fmt.Sprintf("process %d", srv.Process.Pid), "restore", "--force", file)
	modelstest.Fine(t, srv.Terminate(t))
	database := filepath.Join(s.Data, "lectern.db")
	held := modelstest.Must(sql.Open("sqlite", "file:"+database+"?_pragma=journal_mode(wal)"))(t)
	modelstest.Fine(t, held.Ping())
	modelstest.Must(held.Exec("SELECT count(*) FROM events"))(t)
	refused(s, "another command has", "restore", "--force", file)
	modelstest.WantAll(t, "after a refusal",
		rowsOf(t, database, "SELECT slug FROM events ORDER BY slug"), []string{"[kept]", "[later]"})
	held.Close()

	// What is damaged takes nobody's place.
	whole := modelstest.Must(os.ReadFile(file))(t)
	damaged := map[string][]byte{"half": whole[:len(whole)/2], "empty": {},
		"other": []byte(strings.Repeat("no database", 1000)), "torn": slices.Clone(whole)}
	for i := len(whole) / 2; i < len(whole)/2+8192; i++ {
		damaged["torn"][i] = 0x5a
	}
	for name, content := range damaged {
		bad := filepath.Join(t.TempDir(), name)
		modelstest.Fine(t, os.WriteFile(bad, content, 0o600))
		refused(s, "lectern: ", "restore", "--force", bad)
	}
	if entries, err := os.ReadDir(s.Data); err != nil || listed(entries) != "lectern.db lectern.db.lock secret.key" {
		t.Errorf("the refusals left %s, %v", listed(entries), err)
	}

	done := s.Run("restore", "--force", file)
	aside := done["moved_aside"].(string)
	modelstest.WantAll(t, "restored", rowsOf(t, database, "SELECT slug FROM events ORDER BY slug"), []string{"[kept]"})
	modelstest.WantAll(t, "moved aside",
		rowsOf(t, aside, "SELECT slug FROM events ORDER BY slug"), []string{"[kept]", "[later]"})
	if info, err := os.Stat(database); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	s.Serve("serve")

	// Elsewhere, without the key.
	other := BareSite(t, "")
	_, stderr, err := other.Try("", "restore", file)
	if err != nil || !strings.Contains(stderr, made["secret_key"].(string)) ||
		!strings.Contains(stderr, "--accept-new-secret-key") {
		t.Errorf("%v %s", err, stderr)
	}
	refused(other, "secret.key is missing", "serve", "--addr", FreeAddress(t))
	refused(other, "faults found", "verify")
}

func TestACopyGoesThroughPipes(t *testing.T) {
	t.Parallel()
	s, other := BareSite(t, ""), BareSite(t, "")
	s.Run("event", "create", "--name", "Kept", "--slug", "kept", "--timezone", "UTC")
	backup, restore := exec.Command(Binary, "backup", "-"), exec.Command(Binary, "restore", "-")
	backup.Env, restore.Env = s.Env, other.Env
	var report, done, complaints bytes.Buffer
	backup.Stderr, restore.Stdout, restore.Stderr = &report, &done, &complaints
	copied, err := backup.Output()
	if err != nil || !json.Valid(report.Bytes()) {
		t.Fatalf("%v %s", err, report.String())
	}
	restore.Stdin = bytes.NewReader(copied)
	if err := restore.Run(); err != nil {
		t.Fatalf("%v %s", err, complaints.String())
	}
	modelstest.WantAll(t, "restored: "+done.String(),
		rowsOf(t, filepath.Join(other.Data, "lectern.db"), "SELECT slug FROM events"), []string{"[kept]"})
	if entries, err := os.ReadDir(s.Data); err != nil || listed(entries) != "lectern.db lectern.db.lock" {
		t.Errorf("the copy left %s, %v", listed(entries), err)
	}
}

func TestPostgreSQLIsBackedUpByItsOwnTools(t *testing.T) {
	t.Parallel()
	s := NewSite(t, strings.Replace(Postgres(t), "postgres@", "postgres:hush@", 1)+"&password=hush&statement_timeout=5000")
	s.Conference()
	s.Run("webhook", "create", "--url", "https://example.org/hook")
	s.OpenCall()
	s.AnswerByFile("tides.pdf")
	for _, command := range []string{"backup", "restore"} {
		out, stderr, err := s.Try("", command, "my copy.dump")
		if err == nil || out != "" || strings.Contains(stderr, "hush") || !strings.Contains(stderr, "'my copy.dump'") ||
			!strings.Contains(stderr, "fingerprint") {
			t.Errorf("%s: %v %s %s", command, err, out, stderr)
		}
	}
	// The lines that are printed work.
	file := filepath.Join(t.TempDir(), "copy.dump")
	doAsTold(s, "pg_dump", "backup", file)
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		t.Errorf("the dump: %v", err)
	}
	modelstest.Want(t, "database", verified(s)["database"], any("postgres"))

	there := BareSite(t, strings.Replace(BarePostgres(t), "postgres@", "postgres:hush@", 1))
	doAsTold(there, "pg_restore", "restore", file)
	modelstest.Fine(t, os.CopyFS(there.Data, os.DirFS(s.Data)))
	verified(there)
	modelstest.Fine(t, os.RemoveAll(filepath.Join(there.Data, "files")))
	out, _, _ := there.Try("", "verify")
	if !strings.Contains(out, "(tides.pdf, key ") || !strings.Contains(out, "is not there") {
		t.Errorf("without the files: %s", out)
	}
}

// doAsTold runs the tool of PostgreSQL's as a command says that it is run.
func doAsTold(s *Site, tool string, command ...string) {
	s.T.Helper()
	_, told, _ := s.Try("", command...)
	for line := range strings.Lines(told) {
		if line = strings.TrimPrefix(line, "lectern: "); strings.HasPrefix(line, "  "+tool) {
			if out, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
				s.T.Errorf("%s: %v %s", line, err, out)
			}
			return
		}
	}
	s.T.Errorf("%s does not say how %s is run: %s", command[0], tool, told)
}
