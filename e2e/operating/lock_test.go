package operating

import (
	"database/sql"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/libtnb/sqlite"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// looks into the file beside the server

func TestOneProcessServesAnSQLiteFile(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	srv := s.Serve("serve")
	began := time.Now()
	stderr := refused(s, fmt.Sprintf("in use by process %d (lectern serve, since ", srv.Process.Pid), "serve", "--addr",
		FreeAddress(t))
	modelstest.Want(t, "it says what to do", strings.Contains(stderr, "stop that one first"), true)
	if took := time.Since(began); took > Patience/2 {
		t.Errorf("the refusal took %v", took)
	}
	// By another name it is the same file.
	other := NewSite(t, "sqlite://"+filepath.Join(s.Data, "..", filepath.Base(s.Data), "lectern.db"))
	refused(other, "in use by process", "serve", "--addr", FreeAddress(t))
	// Commands work beside it.
	event, key := s.Conference()
	s.Ok(key, "POST", event+"/sessions/create", `{"title": "Beside"}`)
	modelstest.Fine(t, srv.Process.Kill())
	srv.Wait()
	s.Serve("serve") // the lock ended with its process
}

func TestOfServersThatStartTogetherOneServes(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	var mu sync.Mutex
	var wait sync.WaitGroup
	refused := 0
	var running []*exec.Cmd
	for range 4 {
		address := FreeAddress(t)
		wait.Go(func() {
			var stderr strings.Builder
			cmd := exec.Command(Binary, "serve", "--addr", address)
			cmd.Env, cmd.Stderr = s.Env, &stderr
			if err := cmd.Start(); err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			running = append(running, cmd)
			mu.Unlock()
			if err := cmd.Wait(); err != nil && strings.Contains(stderr.String(), "is in use by") {
				mu.Lock()
				refused++
				mu.Unlock()
			}
		})
	}
	count := func() int { mu.Lock(); defer mu.Unlock(); return refused }
	Within(Patience, func() bool { return count() == 3 })
	mu.Lock()
	modelstest.Want(t, "refused of 4", refused, 3)
	for _, cmd := range running {
		cmd.Process.Kill()
	}
	mu.Unlock()
	wait.Wait()
}

func TestACommandDoesNotMigrateUnderARunningServer(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	srv := s.Serve("serve")
	db := modelstest.Must(sql.Open("sqlite", "file:"+filepath.Join(s.Data, "lectern.db")+"?_pragma=busy_timeout(5000)"))(t)
	defer db.Close()
	// An older server would have an older schema; here the last step is forgotten.
	modelstest.Must(db.Exec(
		"DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)"))(t)
	for _, args := range [][]string{{"event", "create", "--name", "E", "--slug", "e", "--timezone", "UTC"}, {"migrate"}} {
		stderr := refused(s, fmt.Sprintf("process %d", srv.Process.Pid), args...)
		modelstest.Want(t, "it says why", strings.Contains(stderr, "this program would change it"), true)
	}
	modelstest.Must(db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)"))(t)
	modelstest.Fine(t, srv.Terminate(t))
	refused(s, "made by a newer Lectern", "serve", "--addr", FreeAddress(t))
}
