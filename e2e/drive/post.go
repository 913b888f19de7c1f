package drive

import (
	"regexp"
	"strings"
	"testing"

	"lectern/jobs/mailtest"
)

// PostOffice is a mail server that keeps what it receives. It rejects recipients whose address begins with "nobody".
type PostOffice struct{ *mailtest.PostOffice }

// Letter waits for a letter to this address whose subject contains these words, and returns its text.
func (o *PostOffice) Letter(t *testing.T, to, subject string) (text string) {
	t.Helper()
	if !Within(Patience, func() bool {
		for _, letter := range o.Letters() {
			if about, says := letter.Read(t); letter.To == to && strings.Contains(about, subject) {
				text = says
				return true
			}
		}
		return false
	}) {
		t.Fatalf("no letter to %s about %q, but %+v", to, subject, o.Letters())
	}
	return text
}

var linkPattern = regexp.MustCompile(`http://[^/\s]+(/\S+)`)

// Link returns the path of the first link in such a letter.
func (o *PostOffice) Link(t *testing.T, to, subject string) string {
	t.Helper()
	text := o.Letter(t, to, subject)
	found := linkPattern.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no link in the letter:\n%s", text)
	}
	return found[1]
}

// OpenPost starts a mail server and lets the site send through it.
func (s *Site) OpenPost() *PostOffice {
	s.T.Helper()
	office := &mailtest.PostOffice{Refuse: func(to string) error {
		if strings.HasPrefix(to, "nobody") {
			return mailtest.Unknown(to)
		}
		return nil
	}}
	s.Env = append(s.Env, "LECTERN_SMTP_URL=smtp://"+office.Open(s.T).Address(),
		"LECTERN_MAIL_FROM=Harbour <programme@harbour.test>")
	return &PostOffice{office}
}
