package drive

import (
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// PostOffice is a mail server that keeps what it receives. It rejects recipients whose address begins with "nobody".
type PostOffice struct {
	mu    sync.Mutex
	taken []taken
}

// taken is a received letter, decoded.
type taken struct{ to, subject, text string }

type postVisit struct {
	office *PostOffice
	to     string
}

func (v *postVisit) Mail(string, *smtp.MailOptions) error { return nil }
func (v *postVisit) Reset()                               {}
func (v *postVisit) Logout() error                        { return nil }

func (v *postVisit) Rcpt(to string, _ *smtp.RcptOptions) error {
	if v.to = to; strings.HasPrefix(to, "nobody") {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "who?"}
	}
	return nil
}

func (v *postVisit) Data(r io.Reader) error {
	letter, err := readLetter(v.to, r)
	if err != nil {
		return err
	}
	v.office.mu.Lock()
	defer v.office.mu.Unlock()
	v.office.taken = append(v.office.taken, letter)
	return nil
}

// readLetter decodes a letter: its subject and body.
func readLetter(to string, r io.Reader) (taken, error) {
	letter, err := mail.ReadMessage(r)
	if err != nil {
		return taken{}, err
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(letter.Header.Get("Subject"))
	if err != nil {
		return taken{}, err
	}
	text, err := io.ReadAll(quotedprintable.NewReader(letter.Body))
	return taken{to, subject, string(text)}, err
}

func (o *PostOffice) Count() int { o.mu.Lock(); defer o.mu.Unlock(); return len(o.taken) }

// Letter waits for a letter to this address whose subject contains these words, and returns its text.
func (o *PostOffice) Letter(t *testing.T, to, subject string) (text string) {
	t.Helper()
	var all []taken
	if !Within(Patience, func() bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		all = o.taken
		for _, letter := range all {
			if letter.to == to && strings.Contains(letter.subject, subject) {
				text = letter.text
				return true
			}
		}
		return false
	}) {
		t.Fatalf("no letter to %s about %q, but %q", to, subject, all)
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
	office := &PostOffice{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.T.Fatal(err)
	}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &postVisit{office: office}, nil
	}))
	server.Domain = "post.test"
	var serving sync.WaitGroup
	serving.Go(func() { server.Serve(listener) })
	s.T.Cleanup(func() { server.Close(); serving.Wait() })
	s.Env = append(s.Env, "LECTERN_SMTP_URL=smtp://"+listener.Addr().String(),
		"LECTERN_MAIL_FROM=Harbour <programme@harbour.test>")
	return office
}
