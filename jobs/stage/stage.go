// Package stage is what a demonstration sends to: a system that receives changes, and a mail server with a page that
// shows its letters. Nothing leaves the computer.
package stage

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-smtp"

	"lectern/jobs"
)

// Sender is the address that the demonstration's letters are sent from.
const Sender = "Tideline Programme <programme@tideline.example>"

// mailboxKeeps is how many letters the mailbox keeps, and mailboxLetter a letter's maximum size in bytes.
const mailboxKeeps, mailboxLetter = 200, 1 << 20

// Mailbox is the demonstration's mail server, which relays nothing, and the page that shows the letters it received.
type Mailbox struct {
	smtp    *smtp.Server
	web     *http.Server
	Page    string // its address
	Site    string // the demonstration's address, whose links are made clickable
	Server  *jobs.MailServer
	served  sync.WaitGroup
	mu      sync.Mutex
	letters []received // the newest first
}

// received is a letter as the page shows it, with the names of its attachments.
type received struct {
	To, From, Subject, Text, When string
	Files                         []string
}

// StartMailbox listens on loopback, at ports of the system's choice.
func StartMailbox() (*Mailbox, error) {
	post, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	pages, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		post.Close()
		return nil, err
	}
	m := &Mailbox{Page: "http://" + pages.Addr().String() + "/"}
	m.Server = &jobs.MailServer{Host: "127.0.0.1", Port: post.Addr().(*net.TCPAddr).Port, Open: true}
	m.smtp = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &mailboxVisit{box: m}, nil }))
	m.smtp.Domain, m.smtp.MaxMessageBytes, m.smtp.MaxRecipients = "mailbox.tideline.example", mailboxLetter, 1
	m.smtp.ReadTimeout, m.smtp.WriteTimeout = 10*time.Second, 10*time.Second
	m.smtp.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	m.web = &http.Server{Handler: http.HandlerFunc(m.show), ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second}
	m.served.Go(func() { m.smtp.Serve(post) }) // until Close
	m.served.Go(func() { m.web.Serve(pages) })
	return m, nil
}

// Close stops both servers and waits up to a second for requests under way.
func (m *Mailbox) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	m.web.Shutdown(ctx)
	m.web.Close()
	m.smtp.Close()
	m.served.Wait()
}

// mailboxVisit is one SMTP connection.
type mailboxVisit struct{ box *Mailbox }

func (v *mailboxVisit) Mail(string, *smtp.MailOptions) error { return nil }
func (v *mailboxVisit) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (v *mailboxVisit) Reset()                               {}
func (v *mailboxVisit) Logout() error                        { return nil }

func (v *mailboxVisit) Data(r io.Reader) error {
	message, err := mail.ReadMessage(io.LimitReader(r, mailboxLetter))
	if err != nil {
		return err
	}
	words := new(mime.WordDecoder)
	head := func(name string) string {
		text, err := words.DecodeHeader(message.Header.Get(name))
		if err != nil {
			return message.Header.Get(name)
		}
		return text
	}
	letter := received{To: head("To"), From: head("From"), Subject: head("Subject"), When: time.Now().Format("15:04:05")}
	letter.read(message.Header, message.Body)
	m := v.box
	m.mu.Lock()
	defer m.mu.Unlock()
	m.letters = slices.Insert(m.letters, 0, letter)
	m.letters = m.letters[:min(len(m.letters), mailboxKeeps)]
	return nil
}

// read collects from a part of a letter, and the parts within it, the first plain text and the names of attachments.
func (l *received) read(head interface{ Get(string) string }, body io.Reader) {
	kind, parameters, _ := mime.ParseMediaType(head.Get("Content-Type"))
	if strings.HasPrefix(kind, "multipart/") {
		for parts := multipart.NewReader(body, parameters["boundary"]); ; {
			part, err := parts.NextRawPart()
			if err != nil {
				return
			}
			l.read(part.Header, part)
		}
	}
	if how, of, _ := mime.ParseMediaType(head.Get("Content-Disposition")); how == "attachment" {
		l.Files = append(l.Files, cmp.Or(of["filename"], parameters["name"], "a file without a name"))
		return
	}
	if l.Text != "" || kind != "text/plain" && kind != "" {
		return
	}
	switch strings.ToLower(head.Get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	text, _ := io.ReadAll(body) // what can be read of it
	l.Text = string(text)
}

var mailboxPage = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mailbox of the demonstration</title>
<style>
:root { color-scheme: light dark }
body { font: 15px/24px system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
article { border-top: 1px solid; padding: 1rem 0 } h2 { font-size: 1rem; margin: 0 } pre { font: 1rem/1.6 Georgia, serif; white-space: pre-wrap; margin: 1rem 0 0 }
</style></head><body>
<h1>Mailbox of the demonstration</h1>
<p>What the demonstration sends ends here. Nothing leaves this computer.</p>
{{range .Letters}}<article><h2 dir="auto">{{.Subject}}</h2>To {{.To}}<br>From {{.From}}, {{.When}}<pre dir="auto">
{{- range .Pieces $.Site}}{{if .Link}}<a href="{{.Text}}">{{.Text}}</a>{{else}}{{.Text}}{{end}}{{end}}</pre>
{{- range .Files}}<p>Attached: <bdi>{{.}}</bdi></p>{{end}}</article>
{{else}}<p>Nothing came yet. Send the letters of a decision, and read them here a minute later.</p>{{end}}
</body></html>
`))

// mailboxView is the data of the page; links are made for the addresses below Site.
type mailboxView struct {
	Site    string
	Letters []received
}

// textPiece is a stretch of a letter's text, or a link.
type textPiece struct {
	Text string
	Link bool
}

// Pieces splits a letter's text into links to a site and other text; other addresses stay text.
func (l received) Pieces(site string) (pieces []textPiece) {
	rest := l.Text
	if site != "" {
		for _, at := range regexp.MustCompile(regexp.QuoteMeta(site)+`/[^\s<>"]*[^\s<>".,;:!?)]`).FindAllStringIndex(l.Text, -1) {
			from := at[0] - (len(l.Text) - len(rest))
			pieces = append(pieces, textPiece{Text: rest[:from]}, textPiece{l.Text[at[0]:at[1]], true})
			rest = l.Text[at[1]:]
		}
	}
	return append(pieces, textPiece{Text: rest})
}

func (m *Mailbox) show(w http.ResponseWriter, _ *http.Request) {
	m.mu.Lock()
	letters := slices.Clone(m.letters)
	m.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	mailboxPage.Execute(w, mailboxView{m.Site, letters})
}

// Receiver is the system that the demonstration reports its changes to. It mostly succeeds; now and then it is slow, or
// fails once or twice, so that the delivery log shows such cases.
type Receiver struct {
	server  *http.Server
	Address netip.AddrPort
	served  sync.WaitGroup
	mu      sync.Mutex
	events  int             // received for the first time
	refused map[string]bool // events to refuse once more
}

// StartReceiver listens on loopback, at a port of the system's choice.
func StartReceiver() (*Receiver, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Receiver{Address: listener.Addr().(*net.TCPAddr).AddrPort(), refused: map[string]bool{}}
	r.server = &http.Server{Handler: http.HandlerFunc(r.receive), ReadTimeout: 10 * time.Second}
	r.served.Go(func() { r.server.Serve(listener) }) // until Close
	return r, nil
}

// URL returns the address that receives events.
func (r *Receiver) URL() string { return "http://" + r.Address.String() + "/lectern" }

// Close stops the server and waits up to a second for requests under way.
func (r *Receiver) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	r.server.Shutdown(ctx)
	r.server.Close()
	r.served.Wait()
}

// The positions in each dozen of events that are slow or fail; the others are answered 204 at once.
const (
	slowAt, failsAt, failsTwiceAt = 3, 6, 10
	slow                          = 1200 * time.Millisecond
)

// eventLimit is how many bytes of an event are read.
const eventLimit = 2 << 20

func (r *Receiver) receive(w http.ResponseWriter, request *http.Request) {
	io.Copy(io.Discard, io.LimitReader(request.Body, eventLimit))
	event := request.Header.Get("x-service-event-id")
	r.mu.Lock()
	fails := r.refused[event]
	turn := 0
	if request.Header.Get("x-service-attempt") == "1" {
		r.events++
		turn = r.events % 12
		fails = turn == failsAt || turn == failsTwiceAt
		r.refused[event] = turn == failsTwiceAt
	}
	r.mu.Unlock()
	if turn == slowAt {
		select {
		case <-time.After(slow):
		case <-request.Context().Done():
		}
	}
	if fails {
		w.Header().Set("content-type", "application/json")
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprintf(w, `{"error":"The display is restarting","event":%q}`, request.Header.Get("x-service-event"))
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
