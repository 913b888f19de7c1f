package operating

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

func TestNewInstallation(t *testing.T) {
	Each(t, func(t *testing.T, s *Site) {
		event := s.Run("event", "create", "--name", "Harbour", "--slug", "harbour", "--timezone", "Europe/Lisbon")
		key := s.Run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "read:events,read:sessions",
			"--expires", "90d")
		refused(s, "slug", "event", "create", "--name", "Again", "--slug", "harbour", "--timezone", "UTC")
		for _, create := range []string{"Password2027!\n", "short\n"} {
			if _, stderr, err := s.Try(create, "user", "create", "--email", "a@example.org", "--name", "Ada", "--role",
				"owner"); err == nil || !strings.Contains(stderr, "password ") {
				t.Errorf("%q is taken as a password: %v %s", create, err, stderr)
			}
		}
		user, _, err := s.Try("correct horse battery\n", "user", "create", "--email", "a@example.org", "--name", "Ada",
			"--role", "owner")
		if err != nil || strings.Contains(user, "horse") {
			t.Fatalf("%v %s", err, user)
		}
		for _, command := range []string{"password", "end-second-factor"} {
			args := []string{"user", command, "--email", "A@example.org"}
			if _, stderr, err := s.Try("letmein12345\n", args...); command == "password" &&
				(err == nil || !strings.Contains(stderr, "many people use")) {
				t.Errorf("a common password is taken: %v %s", err, stderr)
			}
			if out, stderr, err := s.Try("another long password\n", args...); err != nil ||
				!strings.Contains(out, "a@example.org") || strings.Contains(out, "long password") {
				t.Errorf("%v: %v %s %s", args, err, out, stderr)
			}
		}
		hook := s.Run("webhook", "create", "--url", "https://example.org/hook")
		list, _, _ := s.Try("", "webhook", "list")
		if secret := hook["secret"].(string); secret == "" || strings.Contains(list, secret) ||
			strings.Contains(list, "secret") {
			t.Fatalf("the secret is missing, or listed: %v %s", hook, list)
		}
		if kept, err := os.Stat(filepath.Join(s.Data, "secret.key")); err != nil || kept.Mode().Perm() != 0o600 {
			t.Errorf("the secret key's file: %v %v", kept, err)
		}
		srv := s.Serve("serve")
		value := key["key"].(string)
		events := s.Ok(value, "GET", "/v1/events", "")
		if got := events["results"].([]any)[0].(map[string]any)["id"]; got != event["id"] {
			t.Fatalf("the key reaches %v, want %v", got, event["id"])
		}
		if status, body := s.Call(value, "POST", "/v1/event/"+event["id"].(string)+"/sessions/create",
			`{"title": "x"}`); status != 403 || !strings.Contains(body["message"].(string), "write:sessions") {
			t.Fatalf("%d %v", status, body)
		}
		modelstest.Fine(t, srv.Terminate(t))
		if strings.Contains(srv.Log.String(), value) {
			t.Fatal("the key is in the log")
		}
	})
}

func TestAllConfigurationFaultsAreReportedAtOnce(t *testing.T) {
	s := NewSite(t, "")
	s.Env = append(s.Env, "LECTERN_RATE_READS=many", "LECTERN_TRUSTED_PROXIES=nowhere", "LECTERN_DATABASE_URL=mysql://x")
	_, stderr, err := s.Try("", "serve", "--log-format", "xml")
	if err == nil {
		t.Fatal("served with a faulty configuration")
	}
	for _, part := range []string{"LECTERN_RATE_READS", "LECTERN_TRUSTED_PROXIES", "LECTERN_DATABASE_URL",
		"--log-format"} {
		if !strings.Contains(stderr, part) {
			t.Errorf("%s is not reported: %s", part, stderr)
		}
	}
}

func TestHelpDocumentsEachSetting(t *testing.T) {
	out, _, err := NewSite(t, "").Try("", "serve", "--help")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ADDR", "BASE_URL", "DATABASE_URL", "DATA_DIR", "RATE_READS", "RATE_WRITES",
		"METRICS_ADDR", "TRUSTED_PROXIES", "LOG_FORMAT"} {
		if !strings.Contains(out, "[LECTERN_"+name+"]") {
			t.Errorf("LECTERN_%s is not in the help: %s", name, out)
		}
	}
}

// TestDemoPrintsACommandThatWorksAndShowsDeliveriesOfEachKind waits until the demonstration has told its own receiver of
// its last changes.
func TestDemoPrintsACommandThatWorksAndShowsDeliveriesOfEachKind(t *testing.T) {
	s := NewSite(t, "")
	srv := s.Serve("demo")
	var text strings.Builder
	command := regexp.MustCompile(`(?m)^\s*(curl .*)$`)
	for !strings.Contains(text.String(), "API key") || !command.MatchString(text.String()) {
		line, err := srv.Stdout.ReadString('\n')
		if err != nil {
			t.Fatalf("%v: %s", err, text.String())
		}
		text.WriteString(line)
	}
	curl := command.FindStringSubmatch(text.String())[1]
	out, err := exec.Command("sh", "-c", curl).CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"totalResults":`) || strings.Contains(string(out), `"results":[]`) {
		t.Fatalf("%s: %v: %s", curl, err, out)
	}
	found := regexp.MustCompile(`as (\S+) with the password (\S+)`).FindStringSubmatch(text.String())
	s.Plain = true
	w := s.Window()
	w.Visit("/sign-in")
	w.Fill("E-mail address", found[1])
	w.Fill("Password", found[2])
	w.Press("Sign in")
	w.Visit("/admin/deliveries")
	w.ReloadsUntil("Nothing waits.")
	w.Visit("/admin/deliveries?result=failed")
	w.Press("Failed after retry")
	w.Sees("(the retry)", "The display is restarting")
	w.Visit("/admin/deliveries?result=delivered")
	w.Sees("Retried", "decision.committed", "session.published", "session.deleted")
	if err := srv.Terminate(t); err != nil {
		t.Errorf("it ends with %v: %s", err, srv.Log)
	}
}

func TestPublicPaths(t *testing.T) {
	s := NewSite(t, "")
	address := FreeAddress(t)
	s.Env = append(s.Env, "LECTERN_METRICS_ADDR="+address)
	s.Serve("serve")
	for path, part := range map[string]string{
		s.Base + "/healthz":              "ok",
		s.Base + "/docs/api-reference":   "swagger-ui",
		s.Base + "/static/docs.js":       "openapi.json",
		s.Base + "/v1/openapi.json":      `"openapi":"3.1.0"`,
		"http://" + address + "/metrics": "lectern_request_seconds",

		"http://" + address + "/debug/pprof/":                  "goroutine",
		"http://" + address + "/debug/pprof/goroutine?debug=1": "goroutine profile: total",
		"http://" + address + "/debug/pprof/profile?seconds=1": "",
	} {
		response := modelstest.Must(http.Get(path))(t)
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != 200 || !strings.Contains(string(body), part) {
			t.Errorf("%s: %d, want %q in %.200s", path, response.StatusCode, part, body)
		}
	}
	for _, path := range []string{"/metrics", "/debug/pprof/"} {
		if response, err := http.Get(s.Base + path); err != nil || response.StatusCode != 404 {
			t.Errorf("%s on the public address: %v %v", path, response, err)
		}
	}
}

// The security log goes to standard output where that is asked for, a JSON object a line, and stays out of the output of
// commands that answer there.
func TestTheSecurityLogIsSentToStandardOutput(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	s.Env = append(s.Env, "LECTERN_SECURITY_LOG=stdout")
	s.Run("event", "create", "--name", "Harbour", "--slug", "harbour", "--timezone", "UTC") // whose output is read as one object
	srv := s.Serve("serve")
	if status, _ := s.Call("not-a-key", "POST", "/v1/event/harbour/sessions/search", "{}"); status != http.StatusUnauthorized {
		t.Fatalf("a wrong key is answered %d", status)
	}
	line := modelstest.Must(srv.Stdout.ReadString('\n'))(t)
	var said struct{ Event, Door, Address string }
	if err := json.Unmarshal([]byte(line), &said); err != nil || said.Event != "api_key_refused" || said.Door != "api" ||
		said.Address != "127.0.0.1" || strings.Contains(line, "not-a-key") {
		t.Errorf("it says %s, %v", line, err)
	}
}
