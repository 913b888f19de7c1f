package stage

import (
	"io"
	"net/http"
	"net/mail"
	"strings"
	"testing"
	"time"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
)

func TestTheMailboxOfTheDemonstrationShowsWhatWasSent(t *testing.T) {
	t.Parallel()
	box := modelstest.Must(StartMailbox())(t)
	defer box.Close()
	f := modelstest.Open(t, "sqlite")
	p := f.Programme()
	s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A <b>tide</b>", IsAbstract: true}))(t)
	f.Speaker(t, f.Event, s.ID, models.NewContact{FirstName: "Inês", Email: "ines@tideline.example"})
	modelstest.Must(p.UpdateSession(t.Context(), s.ID,
		models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Accepted)}}))(t)
	modelstest.Must(letters.Of(p).SendChosen(t.Context(), letters.Choice{}, 1))(t)
	f.Clock.Move(letters.Hold + time.Second)
	if n := modelstest.Must(jobs.NewLetters(f.Store, box.Server, Sender).SendDue(t.Context()))(t); n != 1 {
		t.Fatalf("%d sent", n)
	}
	answer := modelstest.Must(http.Get(box.Page))(t)
	defer answer.Body.Close()
	page := string(modelstest.Must(io.ReadAll(answer.Body))(t))
	for _, part := range []string{"Inês", "ines@tideline.example", "yes to “A &lt;b&gt;tide&lt;/b&gt;”", "Dear Inês,"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q:\n%s", part, page)
		}
	}
	if strings.Contains(page, "<b>") {
		t.Error("the page has what people wrote as markup")
	}
}

func TestTheMailboxOfTheDemonstrationReadsThePartsOfALetter(t *testing.T) {
	t.Parallel()
	const letter = "Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=out\r\n\r\n--out\r\n" +
		"Content-Type: multipart/alternative; boundary=in\r\n\r\n--in\r\nContent-Transfer-Encoding: quoted-printable\r\n" +
		"Content-Type: text/plain; charset=UTF-8\r\n\r\nDear In=C3=AAs\r\n--in\r\nContent-Type: text/html\r\n\r\n<p>Dear</p>\r\n--in--\r\n" +
		"--out\r\nContent-Disposition: attachment; filename=\"session.ics\"\r\nContent-Type: text/calendar\r\n" +
		"Content-Transfer-Encoding: base64\r\n\r\nQkVHSU4=\r\n--out--\r\n"
	message := modelstest.Must(mail.ReadMessage(strings.NewReader(letter)))(t)
	var read received
	read.read(message.Header, message.Body)
	var page strings.Builder
	modelstest.Fine(t, mailboxPage.Execute(&page, mailboxView{"http://127.0.0.1:8080", []received{read}}))
	if read.Text != "Dear Inês" || !strings.Contains(page.String(), "Attached: <bdi>session.ics</bdi>") {
		t.Errorf("%+v\n%s", read, page.String())
	}
}

func TestTheMailboxMakesLinksOfItsOwnSiteAlone(t *testing.T) {
	t.Parallel()
	letter := received{Text: "Dear <b>Inês</b>, open http://127.0.0.1:8080/events/t/place/link/a-b_c?x=1&y=\"2\". " +
		"Not http://127.0.0.1:8080.example.org/x, https://example.org/ or javascript:http://127.0.0.1:80801/x " +
		"(http://127.0.0.1:8080/admin)."}
	var page strings.Builder
	modelstest.Fine(t, mailboxPage.Execute(&page, mailboxView{"http://127.0.0.1:8080", []received{letter}}))
	for _, want := range []string{
		`<a href="http://127.0.0.1:8080/events/t/place/link/a-b_c?x=1&amp;y=">`, "Dear &lt;b&gt;",
		`(<a href="http://127.0.0.1:8080/admin">http://127.0.0.1:8080/admin</a>).`} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %s:\n%s", want, page.String())
		}
	}
	if n := strings.Count(page.String(), "<a "); n != 2 {
		t.Errorf("%d links:\n%s", n, page.String())
	}
}
