package drive

import (
	"regexp"
	"strings"
	"testing"

	"lectern/jobs/mailtest"
)

// PostOffice is a mail server that keeps the letters that it took, and knows nobody whose address begins so.
type PostOffice struct{ *mailtest.PostOffice }

// Letter waits for one to somebody that has these words in its subject.
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

// Link is the address, below that of the site, that a letter has.
func (o *PostOffice) Link(t *testing.T, to, subject string) string {
	t.Helper()
	text := o.Letter(t, to, subject)
	found := linkPattern.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no link in the letter:\n%s", text)
	}
	return found[1]
}

// OpenPost has the site send through a mail server of its own.
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
