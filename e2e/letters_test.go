package e2e

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

// postOffice is a mail server that keeps the letters that it took, and knows nobody whose address begins so.
type postOffice struct {
	mu    sync.Mutex
	taken []taken
}

// taken is a letter that arrived, as who gets it reads it.
type taken struct{ to, subject, text string }

type postVisit struct {
	office *postOffice
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

// readLetter is what a letter says, all of its parts one after the other.
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

func (o *postOffice) count() int { o.mu.Lock(); defer o.mu.Unlock(); return len(o.taken) }

// letter waits for one to somebody that has these words in its subject.
func (o *postOffice) letter(t *testing.T, to, subject string) (text string) {
	t.Helper()
	var all []taken
	if !within(patience, func() bool {
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

// link is the address, below that of the site, that a letter has.
func (o *postOffice) link(t *testing.T, to, subject string) string {
	t.Helper()
	text := o.letter(t, to, subject)
	found := linkPattern.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no link in the letter:\n%s", text)
	}
	return found[1]
}

// openPost has the site send through a mail server of its own.
func (s *site) openPost() *postOffice {
	s.t.Helper()
	office := &postOffice{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &postVisit{office: office}, nil }))
	server.Domain = "post.test"
	var serving sync.WaitGroup
	serving.Go(func() { server.Serve(listener) })
	s.t.Cleanup(func() { server.Close(); serving.Wait() })
	s.env = append(s.env, "LECTERN_SMTP_URL=smtp://"+listener.Addr().String(), "LECTERN_MAIL_FROM=Harbour <programme@harbour.test>")
	return office
}

// TestLettersAreDraftedReadAndSent goes from a decision to the letters of its people.
func TestLettersAreDraftedReadAndSent(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		office := s.openPost()
		w := s.owner()
		w.follow("Submissions")
		w.follow("New submission")
		w.fill("Title", "Harbour logs")
		for _, person := range [][2]string{{"Ines Carvalho", "ines@example.org"}, {"Bruno Silva", "nobody@example.org"}, {"Plum", ""}} {
			w.press("Somebody new")
			w.fill("Name", person[0])
			w.fill("E-mail", person[1])
			w.press("Add this person")
			w.sees(person[0])
		}
		w.press("Create submission")
		w.sees("A-1 is created.")
		record := w.url()
		w.follow("Letters")
		w.sees("No drafts")
		w.follow("Templates")
		w.fill("Letter", "Dear {{first_name}},\n\nyes, from {{travel_desk}}.")
		w.press("Save the template")
		w.sees("{{travel_desk}}, which is no placeholder here")
		w.accessible("letter-template")
		w.fill("Letter", "Dear {{first_name}},\n\nyes to {{session_title}}.")
		w.press("Save the template")
		w.sees("The template is saved.")

		w.visit(record)
		w.press("To accept queue")
		w.press("Accept…")
		w.press("Accept A-1")
		w.follow("Letters")
		w.sees("Ines Carvalho", "Bruno Silva", "Plum", "has no e-mail address, so no letter can reach them")
		w.accessible("letters-drafts")
		w.follow("Ines Carvalho")
		w.sees("1 of 2", "Dear Ines,", "yes to Harbour logs.")
		w.fill("Letter", "Dear Inês,\n\nby hand.")
		w.press("Save this letter")
		w.sees("The letter is saved.", "Dear Inês,", "Edited by hand")
		w.accessible("letter")
		w.follow("Next")
		w.sees("2 of 2", "Dear Bruno,")
		w.follow("Letters")
		w.follow("Send 2 letters…")
		w.sees("2 letters to 2 people", "Harbour <programme@harbour.test>")
		w.press("Send 2 letters")
		w.sees("2 letters go out when this reaches zero", "Nothing has left yet")
		w.accessible("letters-held")
		w.press("Cancel sending")
		w.sees("2 letters are drafts again.")
		w.follow("Send 2 letters…")
		w.press("Send 2 letters")
		if n := office.count(); n != 0 {
			t.Errorf("%d letters left while they were held", n)
		}
		w.press("Send now")
		w.follow("Failed")
		w.reloadsUntil("Refused, 550 5.1.1")
		w.sees("Bruno Silva", "The address does not exist", "Retry 1 letter")
		w.accessible("letters-failed")
		w.follow("Sent")
		w.reloadsUntil("Ines Carvalho")
		if n := office.count(); n != 1 {
			t.Errorf("%d letters arrived", n)
		}
	})
}
