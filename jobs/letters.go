package jobs

import (
	"bytes"
	"context"
	"errors"
	"html"
	"log/slog"
	netmail "net/mail"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wneessen/go-mail"

	"lectern/jobs/tracing"
	"lectern/models"
	"lectern/models/call"
	"lectern/models/ical"
	"lectern/models/look"
	"lectern/models/store"
)

// Letters sends the letters that events have queued. Several processes may run it.
type Letters struct {
	store  *models.Store
	server *MailServer
	from   string
	tracer *tracing.Tracer
	barred atomic.Int64 // until when no attempt is made, in Unix nanoseconds
}

// barredRest is how long no attempt is made after the mail server refused us altogether.
const barredRest = time.Minute

// letterSenders is how many letters a process sends at once.
const letterSenders = 4

// NewLetters returns a sender of letters, started by Run, from an address such as Lectern <programme@example.org>.
// Without a server it only settles the outcome of letters that were cut off.
func NewLetters(store *models.Store, server *MailServer, from string) *Letters {
	return &Letters{store: store, server: server, from: from}
}

// Traced has each attempt traced. Call it before Run.
func (l *Letters) Traced(tracer *tracing.Tracer) *Letters {
	l.tracer = tracer
	return l
}

// Run sends what is due until ctx ends. Attempts still under way drain after that are given up; one whose letter had
// been handed over by then ends as unknown.
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
		working, done := l.tracer.Work(ctx, "letters that were cut off")
		cut, err := within(working, callLimit, l.store.AbandonLetters)
		if done(cut > 0, err); err != nil && ctx.Err() == nil {
			slog.Error("cannot look for letters that were cut off", "error", err.Error())
		}
		sleep(ctx, 10*poll)
	}
	running.Wait()
}

func (l *Letters) keepSending(ctx, working context.Context) {
	for ctx.Err() == nil {
		if time.Now().UnixNano() < l.barred.Load() {
			sleep(ctx, poll)
			continue
		}
		found, err := l.sendNext(ctx, working)
		if err != nil && ctx.Err() == nil {
			slog.Error("cannot go on with letters", "error", err.Error())
		}
		if err != nil || !found {
			sleep(ctx, poll)
		}
	}
}

// SendDue sends what is due, one after the other, until nothing is due or the mail server refuses everything, and
// returns how many attempts it made.
func (l *Letters) SendDue(ctx context.Context) (attempts int, err error) {
	l.barred.Store(0)
	for l.barred.Load() == 0 {
		found, err := l.sendNext(ctx, ctx)
		if err != nil || !found {
			return attempts, err
		}
		attempts++
	}
	return attempts, nil
}

// sendNext claims a letter, sends it and records the outcome. No transaction is open while it sends.
func (l *Letters) sendNext(ctx, working context.Context) (found bool, err error) {
	ctx, done := l.tracer.Work(ctx, "letter")
	defer func() { done(found, err) }()
	letter, err := within(ctx, callLimit, func(ctx context.Context) (*models.OutgoingLetter, error) {
		return l.store.ClaimLetter(ctx, models.HostOf(l.from))
	})
	if letter == nil || err != nil {
		return false, err
	}
	if letter.State != models.LetterSending {
		return true, nil
	}
	sending, cancel := context.WithTimeout(tracing.Within(working, ctx), letterTime)
	defer cancel()
	end := l.attempt(sending, letter)
	if end.Barred {
		l.barred.Store(time.Now().Add(barredRest).UnixNano())
		slog.Error("the mail server lets no letter be sent; letters wait", "answer", end.Answer)
	}
	slog.Info("letter", "letter", letter.ID, "attempt", letter.Attempts, "state", string(end.State), "answer", end.Answer)
	// The outcome is recorded even if the process is ending.
	_, err = within(context.WithoutCancel(ctx), callLimit, func(ctx context.Context) (bool, error) {
		return true, l.store.EndLetter(ctx, letter, end)
	})
	return true, err
}

func (l *Letters) attempt(ctx context.Context, letter *models.OutgoingLetter) models.LetterEnd {
	entry, err := within(ctx, callLimit, func(ctx context.Context) ([]byte, error) {
		if err := l.store.FillInvitation(ctx, letter); err != nil {
			return nil, err
		}
		if err := call.FillLink(ctx, l.store, letter); err != nil {
			return nil, err
		}
		return l.calendar(ctx, letter, time.Now())
	})
	if store.KindOf(err) == store.NotFound {
		return models.LetterEnd{State: models.LetterFailed, Answer: "Whom its link is for is not there any more"}
	} else if err != nil {
		return models.LetterEnd{State: models.LetterQueued, Answer: "Its link or its calendar entry could not be made"}
	}
	message, err := l.message(letter, entry)
	if err != nil {
		return models.LetterEnd{State: models.LetterFailed, Answer: unfitAddress}
	}
	return letterEnd(message, l.server.post(ctx, message))
}

const unfitAddress = "The address is not fit for mail"

// message returns a letter as it is sent: text and HTML, marked as automatic mail of a list.
func (l *Letters) message(letter *models.OutgoingLetter, entry []byte) (*mail.Msg, error) {
	m := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(m.From(l.from), m.AddToFormat(store.OneLine(letter.Name), letter.Email)); err != nil {
		return nil, err
	}
	m.Subject(store.OneLine(letter.Subject))
	m.SetDateWithValue(time.Now())
	m.SetMessageIDWithValue(letter.MessageID)
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetGenHeaderPreformatted("List-Id", "<"+strings.TrimSuffix("letters."+letter.EventSlug,
		".")+"."+listHost(l.from)+">")
	m.SetBodyString(mail.TypeTextPlain, letter.Body)
	m.AddAlternativeString(mail.TypeTextHTML, letterHTML(letter.Body))
	if entry != nil {
		if err := m.AttachReader("session.ics", bytes.NewReader(entry), mail.WithFileContentType("text/calendar; charset=utf-8")); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// listHost returns the host of the sender's address, for the List-Id header.
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

// letterHTML returns a letter's text as HTML: paragraphs, lines and links.
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

// calendar returns a letter's session as a calendar entry, nil for one without a time. It names the place as the public
// calendars do.
func (l *Letters) calendar(ctx context.Context, letter *models.OutgoingLetter, now time.Time) ([]byte, error) {
	if letter.StartsAt == nil || letter.Kind != models.LetterAccepted {
		return nil, nil
	}
	event, err := l.store.EventBy(ctx, *letter.EventID)
	if err != nil {
		return nil, err
	}
	place, err := look.Of(l.store.Programme(event, store.By{})).Look(ctx)
	if err != nil {
		return nil, err
	}
	ends := letter.StartsAt // for a session without an end yet
	if letter.EndsAt != nil {
		ends = letter.EndsAt
	}
	entry := ical.Entry{UID: ical.UID(letter.ScheduledID), Sequence: letter.Sequence, Changed: now,
		Start: letter.StartsAt.Time, End: ends.Time, Title: letter.ScheduledTitle,
		Location: place.Location(letter.Room, event.Name)}
	c := ical.Calendar{Entries: []ical.Entry{entry}}
	return c.Bytes(), nil
}
