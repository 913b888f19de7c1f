package jobs_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"lectern/jobs"
	"lectern/jobs/mailtest"
	"lectern/models"
	"lectern/models/letters"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// postOffice does with a letter what stands in front of the recipient's address.
type postOffice struct {
	mailtest.PostOffice
	tries sync.Map      // how often somebody began to write to an address
	taken chan struct{} // told of each letter that was taken without an answer
}

func (o *postOffice) refuse(to string) error {
	_, again := o.tries.LoadOrStore(to, true)
	switch {
	case strings.HasPrefix(to, "nobody"):
		return mailtest.Unknown(to)
	case strings.HasPrefix(to, "full"), strings.HasPrefix(to, "later") && !again:
		return &smtp.SMTPError{Code: 452, EnhancedCode: smtp.EnhancedCode{4, 2, 2}, Message: to + " is full"}
	}
	return nil
}

func (o *postOffice) answer(to string, caller *smtp.Conn) error {
	switch {
	case strings.HasPrefix(to, "refused"):
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "spam from " + to}
	case strings.HasPrefix(to, "drop"):
		caller.Conn().Close()
	case strings.HasPrefix(to, "hang"):
		close(o.taken)
		caller.Conn().Read(make([]byte, 1)) // until the other side hangs up: there is no answer
		return errors.New("gone")
	}
	return nil
}

// openPost opens a post office that asks for STARTTLS, and the server as Lectern knows it.
func openPost(t *testing.T) (*postOffice, *jobs.MailServer) {
	t.Helper()
	own, trusted := certificate(t)
	office := &postOffice{taken: make(chan struct{})}
	office.TLS, office.Refuse, office.Answer = own, office.refuse, office.answer
	at := mailServer(t, "smtp://"+office.Open(t).Address())
	at.TLS = trusted
	return office, at
}

// got returns the whole letters to an address.
func (o *postOffice) got(to string) (letters []string) {
	for _, l := range o.Letters() {
		if l.To == to {
			letters = append(letters, l.Whole)
		}
	}
	return letters
}

// accepted accepts an abstract with people at these addresses, so that each has a letter, and returns its id.
func accepted(t *testing.T, f *modelstest.Fixture, title string, people ...models.NewContact) string {
	t.Helper()
	p := f.Programme()
	s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: title, IsAbstract: true}))(t)
	for _, n := range people {
		f.Speaker(t, f.Event, s.ID, n)
	}
	modelstest.Must(p.UpdateSession(t.Context(), s.ID,
		models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Accepted)}}))(t)
	return s.ID
}

func lettersOf(t *testing.T, f *modelstest.Fixture) map[string]*models.LetterRow {
	t.Helper()
	all := map[string]*models.LetterRow{}
	for _, tab := range letters.Tabs {
		rows, _, err := letters.Of(f.Programme()).LettersIn(t.Context(), tab, letters.Choice{}, store.Page{Size: 100})
		modelstest.Fine(t, err)
		for _, row := range rows {
			all[row.Email] = row
		}
	}
	return all
}

func person(email string) models.NewContact {
	return models.NewContact{FirstName: "Ada", LastName: "Lovelace", Email: email}
}

func TestLettersGoOutOnceAndSayWhatBecameOfThem(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		office, at := openPost(t)
		accepted(t, f, "Forty\r\nBcc: eve@example.org", person("fine@x.org"), person("nobody@x.org"), person("full@x.org"),
			person("later@x.org"), person("refused@x.org"), person("drop@x.org"))
		sender := jobs.NewLetters(f.Store, at, "Programme <programme@post.test>")
		send := func(want int) {
			t.Helper()
			modelstest.Want(t, "attempts", modelstest.Must(sender.SendDue(t.Context()))(t), want)
		}
		modelstest.Must(letters.Of(f.Programme()).SendChosen(t.Context(), letters.Choice{}, 6))(t)
		send(0) // held
		f.Clock.Move(letters.Hold)
		send(6)
		for address, want := range map[string][2]string{
			"fine@x.org": {"sent", "250: accepted"}, "nobody@x.org": {"failed", "550 5.1.1: the address does not exist"},
			"full@x.org":    {"queued", "452 4.2.2: the mailbox is full"},
			"later@x.org":   {"queued", "452 4.2.2: the mailbox is full"},
			"refused@x.org": {"failed", "554 5.7.1: its rules do not allow this letter"},
			"drop@x.org":    {"unknown", "The connection broke after the letter was handed over. It may have arrived"},
		} {
			if l := lettersOf(t, f)[address]; string(l.State) != want[0] || l.Answer != want[1] {
				t.Errorf("%s is %s, %q", address, l.State, l.Answer)
			}
		}
		for _, l := range office.Letters() {
			modelstest.Want(t, "a letter came by STARTTLS", l.Secure, true)
		}
		for i, pause := range []time.Duration{5 * time.Minute, 30 * time.Minute, 2 * time.Hour} {
			f.Clock.Move(pause - time.Second)
			send(0)
			f.Clock.Move(time.Second)
			send([]int{2, 1, 1}[i]) // the first time later@ is taken
		}
		f.Clock.Move(24 * time.Hour)
		send(0)
		if l := lettersOf(t, f)["full@x.org"]; l.State != models.LetterFailed || l.Attempts != 4 {
			t.Errorf("%s after %d attempts", l.State, l.Attempts)
		}
		for _, address := range []string{"fine@x.org", "later@x.org", "drop@x.org"} {
			modelstest.Want(t, "letters to "+address, len(office.got(address)), 1)
		}
		wantHead(t, office.got("fine@x.org")[0], lettersOf(t, f)["fine@x.org"])
		// Who failed is tried again when somebody says so; of whom nobody knows, alone.
		modelstest.Must(letters.Of(f.Programme()).RetryLetters(t.Context(), 3))(t)
		f.Clock.Move(letters.Hold)
		send(3)
		modelstest.Fine(t, letters.Of(f.Programme()).SendLetter(t.Context(), lettersOf(t, f)["drop@x.org"].ID))
		f.Clock.Move(letters.Hold)
		send(1)
		if got := office.got("drop@x.org"); len(got) != 2 || idOf(t, got[0]) != idOf(t, got[1]) {
			t.Error("the second attempt is another message")
		}
	})
}

func idOf(t *testing.T, letter string) string {
	t.Helper()
	return modelstest.Must(mail.ReadMessage(strings.NewReader(letter)))(t).Header.Get("Message-Id")
}

func wantHead(t *testing.T, letter string, row *models.LetterRow) {
	t.Helper()
	m := modelstest.Must(mail.ReadMessage(strings.NewReader(letter)))(t)
	subject := modelstest.Must(new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")))(t)
	for name, got := range map[string][2]string{
		"Message-Id": {m.Header.Get("Message-Id"), "<" + row.MessageID + ">"}, "Bcc": {m.Header.Get("Bcc"), ""},
		"List-Id":        {m.Header.Get("List-Id"), "<letters.conf.post.test>"},
		"Auto-Submitted": {m.Header.Get("Auto-Submitted"), "auto-generated"},
		"To":             {m.Header.Get("To"), `"Ada Lovelace" <fine@x.org>`},
		"Subject":        {subject, "Conference: yes to “Forty Bcc: eve@example.org”"},
	} {
		modelstest.Want(t, name, got[0], got[1])
	}
	body := modelstest.Must(io.ReadAll(m.Body))(t)
	if !strings.HasPrefix(m.Header.Get("Content-Type"), "multipart/alternative") ||
		!bytes.Contains(body, []byte("text/plain")) || !bytes.Contains(body, []byte("text/html")) {
		t.Errorf("%s\n%s", m.Header.Get("Content-Type"), body)
	}
}

func TestALetterWhoseProcessIsCutOffIsUnknownAndTheOthersGoOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		office, at := openPost(t)
		accepted(t, f, "T", person("first@x.org"), person("hang@x.org"), person("a@x.org"), person("b@x.org"))
		modelstest.Must(letters.Of(f.Programme()).SendChosen(t.Context(), letters.Choice{}, 4))(t)
		f.Clock.Move(letters.Hold)
		// A process that took a letter and is gone.
		taken := modelstest.Must(f.ClaimLetter(t.Context(), "post.test"))(t)
		sender := jobs.NewLetters(f.Store, at, "programme@post.test")
		kill := works(t, func(ctx context.Context) { sender.SendDue(ctx) })
		<-office.taken
		kill()
		modelstest.Must(sender.SendDue(t.Context()))(t)
		modelstest.Want(t, "letters were given up early", modelstest.Must(f.AbandonLetters(t.Context()))(t), 0)
		f.Clock.Move(models.LetterClaim + time.Second)
		modelstest.Must(f.AbandonLetters(t.Context()))(t)
		modelstest.Must(sender.SendDue(t.Context()))(t)
		all := lettersOf(t, f)
		for address, want := range map[string]struct {
			state models.LetterState
			got   int
		}{"first@x.org": {models.LetterUnknown, 0}, "hang@x.org": {models.LetterUnknown, 1},
			"a@x.org": {models.LetterSent, 1}, "b@x.org": {models.LetterSent, 1}} {
			if l := all[address]; l.State != want.state || len(office.got(address)) != want.got {
				t.Errorf("%s is %s and got %d letters", address, l.State, len(office.got(address)))
			}
		}
		// Who comes back late does not undo that.
		modelstest.Fine(t, f.EndLetter(t.Context(), taken, models.LetterEnd{State: models.LetterQueued}))
		if l := lettersOf(t, f)[taken.Email]; l.State != models.LetterUnknown {
			t.Errorf("it is %s", l.State)
		}
	})
}

func TestWhoSendsTogetherSendsEachLetterOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		office, at := openPost(t)
		var people []models.NewContact
		for _, name := range strings.Split("abcdefghijklmnopqrst", "") {
			people = append(people, person(name+"@x.org"))
		}
		people[3].Email, people[8].Email, people[14].Email = "nobody1@x.org", "nobody2@x.org", "nobody3@x.org"
		accepted(t, f, "T", people...)
		modelstest.Must(letters.Of(f.Programme()).SendChosen(t.Context(), letters.Choice{}, 20))(t)
		f.Clock.Move(letters.Hold)
		modelstest.AllSucceed(t, 4, func(int) error {
			return modelstest.ErrorOf(jobs.NewLetters(f.Store, at, "p@post.test").SendDue(t.Context()))
		})
		counts := modelstest.Must(letters.Of(f.Programme()).Counts(t.Context()))(t)
		if counts.Sent != 17 || counts.Failed != 3 || office.Count() != 17 {
			t.Errorf("%+v, %d letters arrived", counts, office.Count())
		}
	})
}

func TestALetterBringsTheTimeOnceThereIsOne(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		office, at := openPost(t)
		p, ctx := f.Programme(), t.Context()
		title := "Tides; " + strings.Repeat("潮", 40) + "\nX-EVIL:1"
		id := accepted(t, f, title, person("timed@x.org"))
		accepted(t, f, "Untimed", person("untimed@x.org"))
		open := accepted(t, f, "Without an end", person("open@x.org"))
		room := modelstest.Must(p.CreateMetadata(ctx, models.Rooms, models.NewMetadata{Name: "Great, hall"}))(t)
		p = f.Programme()
		s := modelstest.Must(p.Compose(ctx, []string{id}, ""))(t)
		start := store.At(time.Date(2027, 5, 20, 8, 30, 0, 0, time.UTC))
		modelstest.Must(p.UpdateSession(ctx, s.ID, models.SessionChange{SessionInput: models.SessionInput{RoomID: store.Some(room.ID),
			StartsAt: store.Some(start), EndsAt: store.Some(store.At(start.Add(time.Hour)))}}))(t)
		modelstest.Must(p.UpdateSession(ctx, modelstest.Must(p.Compose(ctx, []string{open}, ""))(t).ID,
			models.SessionChange{SessionInput: models.SessionInput{StartsAt: store.Some(start)}}))(t)
		modelstest.Fine(t, look.Of(p).Save(ctx, look.Change{Venue: new("Old mill"), City: new("Ghent")}))
		modelstest.Must(letters.Of(p).SendChosen(ctx, letters.Choice{}, 3))(t)
		f.Clock.Move(letters.Hold)
		modelstest.Must(jobs.NewLetters(f.Store, at, "p@post.test").SendDue(ctx))(t)
		if letter := office.got("open@x.org")[0]; !strings.Contains(letter, "text/calendar") {
			t.Error("a session without an end has no calendar's entry")
		}
		if letter := office.got("untimed@x.org")[0]; strings.Contains(letter, "text/calendar") {
			t.Error("a session without a time has a calendar's entry")
		}
		_, rest, found := strings.Cut(office.got("timed@x.org")[0], "text/calendar")
		_, rest, _ = strings.Cut(rest, "\r\n\r\n")
		encoded, _, _ := strings.Cut(rest, "\r\n--")
		entry, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(encoded, "\r\n", ""))
		if !found || err != nil {
			t.Fatalf("%v %v", found, err)
		}
		for line := range strings.SplitSeq(string(entry), "\r\n") {
			if len(line) > 75 || strings.HasPrefix(line, "X-EVIL") {
				t.Errorf("a line is %q", line)
			}
		}
		whole := strings.ReplaceAll(string(entry), "\r\n ", "")
		for _, part := range []string{"DTSTART:20270520T083000Z\r\n", "DTEND:20270520T093000Z\r\n", "UID:" + s.ID + "@lectern\r\n",
			`SUMMARY:Tides\; ` + strings.Repeat("潮", 40) + `\nX-EVIL:1`, `LOCATION:Great\, hall\, Old mill\, Ghent`} {
			if !strings.Contains(whole, part) {
				t.Errorf("it lacks %q:\n%s", part, whole)
			}
		}
	})
}
