package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"log/slog"
	netmail "net/mail"
	"net/textproto"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/wneessen/go-mail"

	"lectern/models"
	"lectern/models/store"
)

// Letters sends the letters that events have in line. Several processes may.
type Letters struct {
	store  *models.Store
	server *MailServer
	from   string
}

// letterSenders are how many letters a process has under way at once.
const letterSenders = 4

// NewLetters returns what sends letters once Run runs, from an address such as Lectern <programme@example.org>. Without
// a server it only finds out what became of letters that were cut off.
func NewLetters(store *models.Store, server *MailServer, from string) *Letters {
	return &Letters{store: store, server: server, from: from}
}

// Run sends what is due until ctx ends. Attempts that are under way then are given up after drain; one whose letter
// was handed over by then is left unknown.
func (l *Letters) Run(ctx context.Context, drain time.Duration) {
	working, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(drain, giveUp) })()
	var running sync.WaitGroup
	if l.server != nil {
		for range letterSenders {
			running.Go(func() { l.keepSending(ctx, working) })
		}
	}
	for ctx.Err() == nil {
		if _, err := within(ctx, callLimit, l.store.AbandonLetters); err != nil && ctx.Err() == nil {
			slog.Error("cannot look for letters that were cut off", "error", err.Error())
		}
		sleep(ctx, 10*poll)
	}
	running.Wait()
}

func (l *Letters) keepSending(ctx, working context.Context) {
	for ctx.Err() == nil {
		found, err := l.sendNext(ctx, working)
		if err != nil && ctx.Err() == nil {
			slog.Error("cannot go on with letters", "error", err.Error())
		}
		if err != nil || !found {
			sleep(ctx, poll)
		}
	}
}

// SendDue sends what is due, one after the other, and returns how many attempts it made.
func (l *Letters) SendDue(ctx context.Context) (attempts int, err error) {
	for {
		found, err := l.sendNext(ctx, ctx)
		if err != nil || !found {
			return attempts, err
		}
		attempts++
	}
}

// sendNext takes a letter, sends it and keeps what became of it. No transaction is open meanwhile.
func (l *Letters) sendNext(ctx, working context.Context) (found bool, err error) {
	letter, err := within(ctx, callLimit, func(ctx context.Context) (*models.OutgoingLetter, error) {
		return l.store.ClaimLetter(ctx, models.HostOf(l.from))
	})
	if letter == nil || err != nil {
		return false, err
	}
	if letter.State != models.LetterSending {
		return true, nil
	}
	sending, cancel := context.WithTimeout(working, letterTime)
	defer cancel()
	end := l.attempt(sending, letter)
	slog.Info("letter", "letter", letter.ID, "attempt", letter.Attempts, "state", string(end.State), "answer", end.Answer)
	// What became of it is kept although the process ends.
	_, err = within(context.WithoutCancel(ctx), callLimit, func(ctx context.Context) (bool, error) {
		return true, l.store.EndLetter(ctx, letter, end)
	})
	return true, err
}

func (l *Letters) attempt(ctx context.Context, letter *models.OutgoingLetter) models.LetterEnd {
	message, err := l.message(letter)
	if err != nil {
		return models.LetterEnd{State: models.LetterFailed, Answer: "The address is not fit for mail"}
	}
	return letterEnd(message, l.server.post(ctx, message))
}

// message is a letter as it goes out: text and HTML, marked as one of a list that no machine answers.
func (l *Letters) message(letter *models.OutgoingLetter) (*mail.Msg, error) {
	m := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(m.From(l.from), m.AddToFormat(store.OneLine(letter.Name), letter.Email)); err != nil {
		return nil, err
	}
	m.Subject(store.OneLine(letter.Subject))
	m.SetDateWithValue(time.Now())
	m.SetMessageIDWithValue(letter.MessageID)
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetGenHeaderPreformatted("List-Id", "<letters."+letter.EventSlug+"."+listHost(l.from)+">")
	m.SetBodyString(mail.TypeTextPlain, letter.Body)
	m.AddAlternativeString(mail.TypeTextHTML, letterHTML(letter.Body))
	if entry := calendar(letter, time.Now()); entry != "" {
		if err := m.AttachReader("session.ics", strings.NewReader(entry), mail.WithFileContentType("text/calendar; charset=utf-8")); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// listHost is the host of the sender's address, if it is fit for a header.
func listHost(from string) string {
	host := models.HostOf(from)
	if address, err := netmail.ParseAddress(from); err == nil {
		host = models.HostOf(address.Address)
	}
	return host
}

var (
	betweenParagraphs = regexp.MustCompile(`\n[ \t]*(\n[ \t]*)+`)
	links             = regexp.MustCompile(`https?://[^\s<>"']+[^\s<>"'.,;:!?)]`)
)

// letterHTML is a letter's text as HTML: paragraphs, lines and links.
func letterHTML(text string) string {
	var out strings.Builder
	out.WriteString(`<!doctype html><html><head><meta charset="utf-8"></head><body dir="auto">`)
	for _, part := range betweenParagraphs.Split(strings.TrimSpace(text), -1) {
		out.WriteString(`<p dir="auto">`)
		at := 0
		for _, link := range links.FindAllStringIndex(part, -1) {
			url := html.EscapeString(part[link[0]:link[1]])
			out.WriteString(htmlLines(part[at:link[0]]) + `<a href="` + url + `">` + url + `</a>`)
			at = link[1]
		}
		out.WriteString(htmlLines(part[at:]) + "</p>\n")
	}
	out.WriteString("</body></html>\n")
	return out.String()
}

func htmlLines(text string) string {
	return strings.ReplaceAll(html.EscapeString(text), "\n", "<br>\n")
}

// letterEnd is what became of an attempt. Once the whole letter was handed over and no answer came, nobody knows.
func letterEnd(message *mail.Msg, err error) models.LetterEnd {
	var refused *mail.SendError
	var answer *textproto.Error
	code, enhanced, handedOver := 0, "", false
	switch {
	case err == nil || message.IsDelivered(): // what went wrong after it was taken is no matter
		return models.LetterEnd{State: models.LetterSent, Answer: "250: accepted"}
	case errors.As(err, &refused):
		code, enhanced = refused.ErrorCode(), refused.EnhancedStatusCode()
		// The library ends what it was writing before it says anything else, so that half a letter may be taken.
		handedOver = refused.Reason == mail.ErrSMTPDataClose || refused.Reason == mail.ErrWriteContent
	case errors.As(err, &answer):
		code = answer.Code
	}
	switch {
	case code >= 500:
		return models.LetterEnd{State: models.LetterFailed, Answer: answerWords(code, enhanced)}
	case code >= 400:
		return models.LetterEnd{State: models.LetterQueued, Answer: answerWords(code, enhanced)}
	case handedOver:
		return models.LetterEnd{State: models.LetterUnknown,
			Answer: "The connection broke after the letter was handed over. It may have arrived"}
	}
	return models.LetterEnd{State: models.LetterQueued, Answer: "The mail server could not be reached, or hung up"}
}

// answerWords is a mail server's answer in words of ours: its own may repeat an address.
func answerWords(code int, enhanced string) string {
	_, detail, _ := strings.Cut(enhanced, ".")
	class, _, _ := strings.Cut(detail, ".")
	words := map[string]string{"1.1": "the address does not exist", "1.2": "the address's domain does not exist",
		"1.3": "the address is not written rightly", "1.6": "the mailbox has moved", "2.1": "the mailbox takes no mail",
		"2.2": "the mailbox is full", "2.3": "the letter is too large", "3.4": "the letter is too large"}[detail]
	words = cmp.Or(words, map[string]string{"1": "something is wrong with the address", "2": "something is wrong with the mailbox",
		"7": "its rules do not allow this letter"}[class])
	if words == "" {
		switch {
		case code < 500:
			words = "the mail server asks to try later"
		case code == 530 || code == 534 || code == 535:
			words = "the mail server does not let us send"
		default:
			words = "the mail server refused the letter"
		}
	}
	return strings.TrimSpace(fmt.Sprint(code, " ", enhanced)) + ": " + words
}
