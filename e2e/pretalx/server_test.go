package pretalx

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lectern/e2e/child"
	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// pretalx is a running pretalx on SQLite, behind a proxy that serves its files, as people run it.
type pretalx struct {
	*Installed
	t        *testing.T
	dir      string
	base     string // of the proxy
	address  string // of the server behind it
	tokens   map[string]string
	requests atomic.Int64
	spoil    atomic.Pointer[func(http.ResponseWriter, int64) bool] // answers in its place
}

const config = `[filesystem]
data=%[1]s/data
[site]
url=%[2]s
debug=False
[database]
backend=sqlite3
[mail]
backend=django.core.mail.backends.dummy.EmailBackend
`

// newPretalx starts one and fills it.
func newPretalx(t *testing.T) *pretalx {
	t.Helper()
	OnlyLong(t)
	if err := exec.Command("python3", "-c", "import sys; assert sys.version_info >= (3, 11)").Run(); err != nil {
		t.Skip("Python 3.11 or later is not here:", err)
	}
	python := modelstest.Must(InstallPython("."))(t)
	p := &pretalx{Installed: python, t: t, dir: t.TempDir(), tokens: map[string]string{}}
	p.behindProxy()
	p.check(os.WriteFile(filepath.Join(p.dir, "pretalx.cfg"), fmt.Appendf(nil, config, p.dir, p.base), 0o600))
	p.check(os.MkdirAll(filepath.Join(p.dir, "data"), 0o755))
	p.migrate()
	for line := range strings.Lines(p.fill("fill")) {
		if name, token, found := strings.Cut(strings.TrimSpace(line), " "); found {
			p.tokens[name] = token
		}
	}
	return p
}

func (p *pretalx) check(err error) {
	p.t.Helper()
	modelstest.Fine(p.t, err)
}

// command runs Python with the configuration.
func (p *pretalx) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.Bin, args...)
	cmd.Dir = p.dir
	cmd.Env = []string{"PATH=" + filepath.Dir(p.Bin) + ":" + os.Getenv("PATH"), "HOME=" + p.dir, "PYTHONWARNINGS=ignore",
		"PRETALX_CONFIG_FILE=" + filepath.Join(p.dir, "pretalx.cfg"), "DJANGO_SETTINGS_MODULE=pretalx.settings"}
	return child.EndsWithUs(cmd)
}

func (p *pretalx) run(args ...string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 5*time.Minute)
	defer cancel()
	cmd := p.command(ctx, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		p.t.Fatalf("%v: %v: %s", args, err, errs.String())
	}
	return out.String()
}

// migrate makes the database, or takes the empty one of an earlier run: its 400 migrations take half a minute.
func (p *pretalx) migrate() {
	p.t.Helper()
	kept, here := filepath.Join(p.Dir, "empty.sqlite3"), filepath.Join(p.dir, "data", "db.sqlite3")
	if empty, err := os.ReadFile(kept); err == nil {
		p.check(os.WriteFile(here, empty, 0o600))
		return
	}
	p.run("-m", "pretalx", "migrate")
	p.check(os.WriteFile(kept+".new", modelstest.Must(os.ReadFile(here))(p.t), 0o600))
	p.check(os.Rename(kept+".new", kept))
}

// fill runs a command of fill.py and returns its output.
func (p *pretalx) fill(what string) string {
	p.t.Helper()
	return p.run(modelstest.Must(filepath.Abs("fill.py"))(p.t), what)
}

// behindProxy starts the proxy; serve starts what it stands before.
func (p *pretalx) behindProxy() {
	p.address = FreeAddress(p.t)
	to := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: p.address})
	files := http.StripPrefix("/media/", http.FileServer(http.Dir(filepath.Join(p.dir, "data", "media"))))
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := p.requests.Add(1)
		switch spoil := p.spoil.Load(); {
		case spoil != nil && (*spoil)(w, n):
		case strings.HasPrefix(r.URL.Path, "/media/"):
			files.ServeHTTP(w, r)
		default:
			to.ServeHTTP(w, r)
		}
	}))
	p.t.Cleanup(proxy.Close)
	p.base = proxy.URL
}

// serve starts the server and waits until it answers.
func (p *pretalx) serve() {
	p.t.Helper()
	cmd := p.command(context.Background(), "-m", "pretalx", "runserver", "--noreload", p.address)
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	p.check(cmd.Start())
	p.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	up := Within(2*time.Minute, func() bool {
		answer, err := http.Get("http://" + p.address + "/api/")
		if err == nil {
			answer.Body.Close()
		}
		return err == nil
	})
	if !up {
		p.t.Fatal("pretalx does not answer")
	}
}
