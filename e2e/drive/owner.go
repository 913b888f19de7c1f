package drive

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"lectern/models/modelstest"
)

// begin creates what most journeys begin with: the tables, the event Harbour and, if owned, its owner Ada.
func (s *Site) begin(owned bool) error {
	made, stderr, err := s.Try("", "event", "create", "--name", "Harbour", "--slug", "harbour", "--timezone",
		"Europe/Lisbon")
	if err == nil && owned {
		made, stderr, err = s.Try("correct horse battery\n", "user", "create", "--email", "ada@example.org", "--name",
			"Ada Byron", "--role", "owner")
	}
	if err != nil {
		return errors.New(made + stderr)
	}
	return nil
}

// begun returns the file of an SQLite database after begin, by owned; it is made once and copied for each site.
var begun = map[bool]func() ([]byte, error){false: once(false), true: once(true)}

func once(owned bool) func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) {
		data, err := os.MkdirTemp("", "lectern-begun")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(data)
		s := &Site{Env: environment(data), Data: data}
		if err := s.begin(owned); err != nil {
			return nil, err
		}
		return os.ReadFile(s.file())
	})
}

// file returns the path of the site's SQLite database.
func (s *Site) file() string { return filepath.Join(s.Data, "lectern.db") }

// setUp gives an empty site what begin makes.
func (s *Site) setUp(owned bool) {
	s.T.Helper()
	if _, err := os.Stat(s.file()); err == nil || s.database != "" {
		modelstest.Fine(s.T, s.begin(owned))
		return
	}
	content := modelstest.Must(begun[owned]())(s.T)
	modelstest.Fine(s.T, os.WriteFile(s.file(), content, 0o600))
}

// Owner sets up an empty site, serves it, and returns a window in which Ada is signed in.
func (s *Site) Owner() *Window {
	s.T.Helper()
	s.setUp(true)
	if s.Base == "" {
		s.Serve("serve")
	}
	w := s.Window()
	w.SignIn("ada@example.org")
	return w
}

// SignIn signs in with the tests' password.
func (w *Window) SignIn(email string) {
	w.T.Helper()
	w.Visit("/sign-in")
	w.Fill("E-mail address", email)
	w.Fill("Password", "correct horse battery")
	w.Press("Sign in")
	w.Path("/admin/")
}

// ReloadsUntil reloads the page until it shows a text.
func (w *Window) ReloadsUntil(text string) {
	w.T.Helper()
	if !Within(Patience, func() bool {
		w.Reload()
		return strings.Contains(w.Text(), text)
	}) {
		w.T.Fatalf("the page does not come to show %q:\n%s", text, w.Text())
	}
}
