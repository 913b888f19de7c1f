package operating

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// wire is the way to a PostgreSQL server, which can be cut and stalled.
type wire struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	stalled  chan struct{} // closed while bytes pass
	carried  []net.Conn
}

// newWire returns a wire and the database's address by it. Nothing listens
// before open.
func newWire(t *testing.T, address string) (*wire, string) {
	t.Helper()
	u := modelstest.Must(url.Parse(address))(t)
	w := &wire{to: u.Host, stalled: make(chan struct{})}
	close(w.stalled)
	u.Host = FreeAddress(t)
	t.Cleanup(func() {
		w.flow()
		if w.listener != nil {
			w.listener.Close()
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, conn := range w.carried {
			conn.Close()
		}
	})
	return w, u.String()
}

func (w *wire) open(t *testing.T, address string) {
	t.Helper()
	w.listener = modelstest.Must(net.Listen("tcp", modelstest.Must(url.Parse(address))(t).Host))(t)
	go func() {
		for {
			conn, err := w.listener.Accept()
			if err != nil {
				return
			}
			go w.carry(conn)
		}
	}()
}

func (w *wire) carry(conn net.Conn) {
	server, err := net.Dial("tcp", w.to)
	if err != nil {
		conn.Close()
		return
	}
	w.mu.Lock()
	w.carried = append(w.carried, conn, server)
	w.mu.Unlock()
	pass := func(to, from net.Conn) {
		io.Copy(stalling{w, to}, from)
		to.Close()
	}
	go pass(server, conn)
	pass(conn, server)
}

// stalling writes while the wire flows.
type stalling struct {
	*wire
	net.Conn
}

func (s stalling) Write(b []byte) (int, error) {
	s.mu.Lock()
	flowing := s.stalled
	s.mu.Unlock()
	<-flowing
	return s.Conn.Write(b)
}

// stall has no byte pass any more; connections stay as they are, and new ones
// are taken.
func (w *wire) stall() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stalled = make(chan struct{})
}

// flow ends a stall.
func (w *wire) flow() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.stalled:
	default:
		close(w.stalled)
	}
}

// readiness asks whether the server is ready, and how long it took to say so.
func readiness(s *Site) (status int, words string, took time.Duration) {
	s.T.Helper()
	start := time.Now()
	response := modelstest.Must(http.Get(s.Base + "/readyz"))(s.T)
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(body), time.Since(start)
}

func becomes(s *Site, status int) string {
	s.T.Helper()
	var got int
	var words string
	if !Within(Patience, func() bool {
		got, words, _ = readiness(s)
		return got == status
	}) {
		s.T.Fatalf("/readyz answers %d %q, want %d", got, words, status)
	}
	return words
}

func TestADatabaseThatHangsIsSaidAndSurvived(t *testing.T) {
	t.Parallel()
	way, address := newWire(t, Postgres(t))
	way.open(t, address)
	s := NewSite(t, address)
	event, key := s.Conference()
	srv := s.Serve("serve")
	s.Ok(key, "POST", event+"/sessions/create", `{"title": "Before"}`)

	way.stall()
	if words := becomes(s, 503); !strings.Contains(words, "no change within a second") {
		t.Errorf("/readyz says %q", words)
	}
	time.Sleep(time.Second) // what was found a moment ago is not asked again
	if status, _, took := readiness(s); status != 503 || took > 10*time.Second {
		t.Errorf("/readyz answered %d after %s", status, took)
	}
	response, err := http.Get(s.Base + "/healthz")
	if err != nil || response.StatusCode != 200 {
		t.Errorf("/healthz: %v", err)
	}
	status, body := s.Call(key, "POST", event+"/sessions/create", `{"title": "Meanwhile"}`)
	if status != 503 || body["error"] != "ServiceUnavailableError" || body["request_id"] == "" {
		t.Errorf("a create answers %d %v", status, body)
	}

	way.flow()
	becomes(s, 200)
	s.Ok(key, "POST", event+"/sessions/create", `{"title": "After"}`)

	way.stall()
	start := time.Now()
	if err := srv.Terminate(t); err != nil || time.Since(start) > Patience {
		t.Errorf("ended after %s: %v\n%s", time.Since(start), err, srv.Log)
	}
}

func TestServeWaitsForADatabaseThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	way, address := newWire(t, Postgres(t))
	s := NewSite(t, address)
	srv := s.Start("serve")
	srv.Log.Has(t, "waiting for the database")
	way.open(t, address)
	s.Ready(srv)
	srv.Terminate(t)
	// A command says so at once, and what cannot come right is not waited for.
	said := refused(NewSite(t, "postgres://nobody:secret@"+FreeAddress(t)+"/db"), "cannot reach the database", "migrate")
	modelstest.Want(t, "it says the password", strings.Contains(said, "secret"), false)
	u, _ := url.Parse(address)
	u.Path = "/nothing-like-it"
	refused(NewSite(t, u.String()), "does not exist", "serve")
}
