package main

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"lectern/jobs"
	"lectern/jobs/mailtest"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/server"
)

func TestMailServersAreReadFromTheirAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]jobs.MailServer{
		"smtp://mail.example.org":                    {Host: "mail.example.org", Port: 587},
		"smtps://mail.example.org":                   {Host: "mail.example.org", Port: 465, Encrypted: true},
		"smtp://a%40b.org:p%3Aw@mail.example.org:25": {Host: "mail.example.org", Port: 25, User: "a@b.org", Password: "p:w"},
		"smtp://localhost:1025":                      {Host: "localhost", Port: 1025, Open: true},
		"smtp://[::1]:1025":                          {Host: "::1", Port: 1025, Open: true},
		"smtps://127.0.0.1":                          {Host: "127.0.0.1", Port: 465, Encrypted: true},
	} {
		if got, err := parseMailServer(address); err != nil || *got != want {
			t.Errorf("%s: %+v, %v", address, got, err)
		}
	}
	for _, address := range []string{
		"mail.example.org:587", "http://mail.example.org", "smtp://", "smtp://:se-cret@", "smtp://ada:se-cret@host:99999",
		"smtp://ada:se-cret@host:x",
		"smtp://ada:se-cret@host/path", "smtp://ada:se%zzcret@host", "smtp://ada:se-cret@host?tls=off",
	} {
		if got, err := parseMailServer(address); err == nil || strings.Contains(err.Error(), "cret") {
			t.Errorf("%s: %+v, %v", address, got, err)
		}
	}
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}
func (b *lockedBuffer) String() string { b.mu.Lock(); defer b.mu.Unlock(); return b.Buffer.String() }

// It is not parallel, because it reads the whole process's log.
func TestLinksAreMailedAndNotLogged(t *testing.T) {
	log, was := &lockedBuffer{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	defer slog.SetDefault(was)
	office := (&mailtest.PostOffice{}).Open(t)
	post := modelstest.Must(parseMailServer("smtp://" + office.Address()))(t)
	f := modelstest.Open(t, "sqlite")
	const base, password = "http://127.0.0.1:8080", "correct horse battery"
	config := &Config{Options: server.Options{BaseURL: base, MailFrom: "programme@example.org"}, Mail: post}
	mailer, endMailer := startMailer(t.Context(), config, nil)
	defer endMailer()
	app := server.New(&config.Options, f.Store, server.Process{Key: make([]byte, 32), Mailer: mailer})
	modelstest.Must(f.Staff.CreateUser(t.Context(), staff.NewUser{Email: "ada@example.org", Name: "Ada", Role: staff.Owner,
		Password: password}))(t)

	cookies, token := map[string]string{}, ""
	ask := func(method, path string, form url.Values, want int) string {
		t.Helper()
		form.Set("_token", token)
		r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for name, value := range cookies {
			r.AddCookie(&http.Cookie{Name: name, Value: value})
		}
		res := modelstest.Must(app.Test(r, -1))(t)
		for _, c := range res.Cookies() {
			cookies[c.Name] = c.Value
		}
		page := modelstest.Must(io.ReadAll(res.Body))(t)
		if m := regexp.MustCompile(`name="_token" value="([^"]+)"`).FindSubmatch(page); m != nil {
			token = string(m[1])
		}
		if res.StatusCode != want {
			t.Fatalf("%s %s: %d, want %d\n%s", method, path, res.StatusCode, want, page)
		}
		return string(page)
	}
	says := func(letter int) string { _, text := office.Letters()[letter].Read(t); return text }
	link := regexp.MustCompile(base + `(/(?:invitations|reset)/([\w-]{43}))`)
	var secrets []string

	ask("GET", "/reset", url.Values{}, 200)
	known := ask("POST", "/reset", url.Values{"email": {"ada@example.org"}}, 200)
	unknown := ask("POST", "/reset", url.Values{"email": {"nobody@example.org"}}, 200)
	if known != unknown || !strings.Contains(known, "If this address belongs to a member of staff") {
		t.Error("the answer tells who is staff")
	}
	if !modelstest.Comes(func() bool { return office.Count() > 0 }) || office.Count() != 1 {
		t.Fatalf("%d letters", office.Count())
	}
	reset := link.FindStringSubmatch(says(0))
	secrets = append(secrets, reset[2])
	if page := ask("GET", reset[1], url.Values{}, 200); !strings.Contains(page, "For ada@example.org.") {
		t.Errorf("the letter leads to\n%s", page)
	}

	ask("GET", "/sign-in", url.Values{}, 200)
	ask("POST", "/sign-in", url.Values{"email": {"ada@example.org"}, "password": {password}}, 303)
	ask("GET", "/admin/staff/invite", url.Values{}, 200)
	invitation := url.Values{"email": {"cy@example.org"}, "role": {"events"}, "at-" + f.Event.ID: {"reviewer"}}
	ask("POST", "/admin/staff/invite", invitation, 303)
	if page := ask("GET", "/admin/staff", url.Values{}, 200); !strings.Contains(page,
		"An invitation is on its way to cy@example.org.") || link.MatchString(page) {
		t.Errorf("the staff page is\n%s", page)
	}
	letter := says(1)
	invited := link.FindStringSubmatch(letter)
	secrets = append(secrets, invited[2])
	if page := ask("GET", invited[1], url.Values{}, 200); !strings.Contains(page, "Reviewer at Conference") ||
		!strings.Contains(letter, "Ada invites you") {
		t.Errorf("the letter %s\nleads to\n%s", letter, page)
	}
	office.Refuse = mailtest.Unknown
	page := ask("POST", "/admin/staff/invite", invitation, 200)
	shown := link.FindStringSubmatch(page)
	if shown == nil || !strings.Contains(page, "The mail server did not take the letter") {
		t.Fatalf("the answer is\n%s", page)
	}
	secrets = append(secrets, shown[2])
	ask("GET", shown[1], url.Values{}, 200)
	ask("GET", invited[1], url.Values{}, 404) // the newer one ended it
	if log := log.String(); !strings.Contains(log, "a link was not sent") || !strings.Contains(log, "answer 550") {
		t.Errorf("the log does not say why:\n%s", log)
	}
	for _, secret := range append(secrets, "cy@", "ada@", "nobody@", password) {
		if strings.Contains(log.String(), secret) {
			t.Errorf("%q is in the log:\n%s", secret, log)
		}
	}
}
