package chaos

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"lectern/e2e/child"
)

// site is an installation: a database with an event, endpoints, and the
// processes that serve it.
type site struct {
	*trial
	env        []string
	address    string // of its database
	event, key string
	replicas   []*replica
	receivers  []*receiver
	crew       int // how many writers there were
	mirror     *mirror
	promoted   bool // a standby took the primary's place
	// writesBeside has writers change people and metadata too.
	writesBeside bool
	client       *http.Client
}

// newSite is an installation on the database at address, on SQLite when empty,
// with one endpoint of each kind. It has one replica, which does not run yet.
func (x *trial) newSite(address string) *site {
	x.Helper()
	if address == "" {
		address = "sqlite://" + filepath.Join(x.dir, "lectern.db")
	}
	var secret [32]byte
	rand.Read(secret[:])
	s := &site{trial: x, address: address, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}}
	s.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + x.dir,
		"LECTERN_DATABASE_URL=" + address, "LECTERN_DATA_DIR=" + x.dir, "LECTERN_SECRET_KEY=" +
			base64.StdEncoding.EncodeToString(secret[:]), "LECTERN_BASE_URL=http://chaos.example",
		"LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8", "LECTERN_RATE_WRITES=0", "LECTERN_RATE_READS=0"}
	s.addReplica()
	made := s.command("event", "create", "--name", "Harbour", "--slug", "harbour", "--timezone", "Europe/Lisbon")
	s.event = made["id"].(string)
	s.key = s.command("apikey", "create", "--event", "harbour", "--name", "chaos", "--scopes", "all")["key"].(string)
	for _, kind := range []receiverKind{healthy, slow, failing, hanging} {
		r := newReceiver(x, kind)
		made := s.command("webhook", "create", "--url", r.server.URL)
		r.id = made["id"].(string)
		r.secret.Store(made["secret"].(string))
		s.receivers = append(s.receivers, r)
	}
	return s
}

// command runs a command of the binary and returns the JSON it prints.
func (s *site) command(args ...string) map[string]any {
	s.Helper()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(s.ctx, binary, args...)
	cmd.Env, cmd.Dir, cmd.Stderr = s.env, s.dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		s.Fatalf("lectern %s: %v: %s", strings.Join(args, " "), err, stderr.Bytes())
	}
	var v map[string]any
	s.check(json.Unmarshal(out, &v))
	return v
}

// replica is one process that serves, or the place for it.
type replica struct {
	site    *site
	name    string
	base    atomic.Value // string; each start has another address
	ending  atomic.Bool  // it was asked to
	process *exec.Cmd
	ended   chan error
}

func (s *site) addReplica() *replica {
	r := &replica{site: s, name: fmt.Sprintf("replica%d", len(s.replicas)+1)}
	r.base.Store("http://127.0.0.1:1") // nobody is there
	s.replicas = append(s.replicas, r)
	s.Cleanup(func() {
		if s.Failed() || len(s.faults()) > 0 {
			s.Logf("the last that %s complained of:\n%s", r.name, r.errors())
		}
	})
	return r
}

// start starts the process and waits until it is ready.
func (r *replica) start() {
	s := r.site
	s.Helper()
	address := child.FreeAddress(s.T)
	log, err := os.OpenFile(filepath.Join(s.dir, r.name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	s.check(err)
	defer log.Close()
	cmd := exec.Command(binary, "serve", "--addr", address)
	cmd.Env, cmd.Dir, cmd.Stderr = s.env, s.dir, log
	s.check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	r.process, r.ended = cmd, ended
	s.Cleanup(func() { cmd.Process.Kill() }) // which ends what is paused, too
	base := "http://" + address
	for end := time.Now().Add(time.Minute); time.Now().Before(end); s.pause(10 * time.Millisecond) {
		if len(ended) > 0 {
			break
		}
		if status, _ := s.get(base+"/readyz", 2*time.Second); status == http.StatusOK {
			r.ending.Store(false)
			r.base.Store(base)
			return
		}
	}
	s.Fatalf("%s did not become ready: %s", r.name, r.errors())
}

// errors is the end of what the process logged as such.
func (r *replica) errors() string {
	log, _ := os.ReadFile(filepath.Join(r.site.dir, r.name+".log"))
	var lines []string
	for line := range strings.Lines(string(log)) {
		if !strings.Contains(line, "level=INFO") {
			lines = append(lines, fmt.Sprintf("%.250s\n", strings.TrimSpace(line)))
		}
	}
	return strings.Join(lines[max(0, len(lines)-5):], "")
}

// kill is kill -9.
func (r *replica) kill() {
	r.site.check(r.process.Process.Kill())
	<-r.ended
}

// stop pauses the process, as does a machine that sleeps; wake lets it go on.
func (r *replica) stop() { r.site.check(r.process.Process.Signal(syscall.SIGSTOP)) }
func (r *replica) wake() { r.site.check(r.process.Process.Signal(syscall.SIGCONT)) }

// terminate asks the process to end, and returns how long that took and how it
// ended. After limit the process is killed.
func (r *replica) terminate(limit time.Duration) (time.Duration, error) {
	start := time.Now()
	r.ending.Store(true)
	r.site.check(r.process.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-r.ended:
		return time.Since(start), err
	case <-time.After(limit):
	case <-r.site.ctx.Done():
	}
	r.kill()
	return time.Since(start), fmt.Errorf("still there after %.0f s", time.Since(start).Seconds())
}

// get asks for a page.
func (s *site) get(address string, limit time.Duration) (int, error) {
	ctx, cancel := context.WithTimeout(s.ctx, limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	return response.StatusCode, nil
}

// settle waits until the healthy receiver has all it is owed, reads everything
// back, and compares. Nobody may be writing any more.
func (s *site) settle() {
	s.Helper()
	s.awaitEvents()
	s.audit(s.readAll())
	s.mirror.compare()
	s.auditEvents()
	s.done = true
}
