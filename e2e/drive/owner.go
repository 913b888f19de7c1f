package drive

import "strings"

// Owner sets up an empty, running site in a window and returns it signed in.
func (s *Site) Owner() *Window {
	s.T.Helper()
	s.Run("event", "create", "--name", "Harbour", "--slug", "harbour", "--timezone", "Europe/Lisbon")
	if _, stderr, err := s.Try("correct horse battery\n", "user", "create", "--email", "ada@example.org", "--name",
		"Ada Byron", "--role", "owner"); err != nil {
		s.T.Fatal(stderr)
	}
	if s.Base == "" {
		s.Serve("serve")
	}
	w := s.Window()
	w.SignIn("ada@example.org")
	return w
}

// SignIn signs in with the password of the tests.
func (w *Window) SignIn(email string) {
	w.T.Helper()
	w.Visit("/sign-in")
	w.Fill("E-mail address", email)
	w.Fill("Password", "correct horse battery")
	w.Press("Sign in")
	w.Path("/admin/")
}

// ReloadsUntil asks for the page again until it shows a text.
func (w *Window) ReloadsUntil(text string) {
	w.T.Helper()
	if !Within(Patience, func() bool {
		w.Reload()
		return strings.Contains(w.Text(), text)
	}) {
		w.T.Fatalf("the page does not come to show %q:\n%s", text, w.Text())
	}
}
