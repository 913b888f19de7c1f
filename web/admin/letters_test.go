package admin

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

// decided is an abstract of these people that was accepted.
func (d *desk) decided(title string, people ...models.NewContact) string {
	d.t.Helper()
	s := d.session(models.NewSession{Title: title, IsAbstract: true})
	for _, n := range people {
		d.Speaker(d.t, d.Event, s.ID, n)
	}
	modelstest.Must(d.Programme().UpdateSession(d.t.Context(), s.ID,
		models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Accepted)}}))(d.t)
	return s.ID
}

var letterLink = regexp.MustCompile(`href="([^"]+/letters/[0-9a-f-]{36})"`)

func TestLettersAreReadEditedAndSentByTheNumberOnTheButton(t *testing.T) {
	t.Parallel()
	d := open(t, Options{Mail: mailed(func(string) error { return nil }), MailFrom: "Programme <programme@post.test>"})
	d.decided("Moving <b>ledgers</b>", models.NewContact{FirstName: "Nomvula", Email: "n@x.org"},
		models.NewContact{FirstName: "Plum"}, models.NewContact{FirstName: "Wei", Email: "w@x.org"})
	b := d.as(staff.Organizer)
	page := b.get(d.at("/letters"), 200)
	wants(t, page, "Send 2 letters…", "Drafts", "Nomvula", "Without a letter", "Plum", "has no e-mail address, so no letter can reach them",
		"Moving &lt;b&gt;ledgers&lt;/b&gt;")
	lacks(t, page, "<b>ledgers")
	first := letterLink.FindStringSubmatch(page)[1]
	page = b.get(first, 200)
	wants(t, page, "Letter to <bdi>Nomvula</bdi>", "1 of 2", "Next", "Dear Nomvula,", "Conference: yes to “Moving &lt;b&gt;ledgers&lt;/b&gt;”",
		"Programme &lt;programme@post.test&gt;")
	token := regexp.MustCompile(`name="updated_at" value="([^"]+)"`).FindStringSubmatch(page)[1]
	form := url.Values{"updated_at": {token}, "subject": {"Yes"}, "body": {"Dear N,\n\n{{company}}"}}
	_, page = b.post(first, form, 422)
	wants(t, page, "has {{company}}, for which there is nothing to put", "Dear N,")
	form.Set("body", "Dear N,\n\nby hand.")
	b.post(first, form, 303)
	wants(t, b.get(first, 200), "by hand.", "Edited by hand")
	_, page = b.post(first, form, 409)
	wants(t, page, "Someone else changed this letter")

	page = b.get(d.at("/letters/send"), 200)
	wants(t, page, "Send 2 letters", "2 letters to 2 people", `name="expected" value="2"`, "They wait for a minute first")
	d.decided("Another", models.NewContact{FirstName: "Late", Email: "late@x.org"})
	b.post(d.at("/letters/send"), url.Values{"expected": {"2"}}, 303)
	wants(t, b.get(d.at("/letters"), 200), "There is another number of letters to send by now", "Send 3 letters…")
	b.get(d.at("/letters/send"), 200)
	b.post(d.at("/letters/send"), url.Values{"expected": {"3"}}, 303)
	page = b.get(d.at("/letters?tab=outbox"), 200)
	wants(t, page, "1:00", "3 letters go out when this reaches zero", "Nothing has left yet", "Cancel sending", "Hold back")
	b.post(first+"/hold", nil, 303)
	wants(t, b.get(d.at("/letters?tab=outbox"), 200), "2 letters go out")
	b.post(d.at("/letters/hold"), nil, 303)
	wants(t, b.get(d.at("/letters"), 200), "Send 3 letters…", "2 letters are drafts again.")
}

func TestWhatBecameOfLettersIsSaid(t *testing.T) {
	t.Parallel()
	d := open(t, Options{Mail: mailed(func(string) error { return nil })})
	d.decided("Archive", models.NewContact{FirstName: "Bruno", Email: "bruno@x.org"}, models.NewContact{FirstName: "Tomasz", Email: "t@x.org"},
		models.NewContact{FirstName: "Anjali", Email: "anjali@x.org"}, models.NewContact{FirstName: "Fine", Email: "fine@x.org"})
	modelstest.Must(d.Programme().SendLetters(t.Context(), 4))(t)
	d.Clock.Move(models.LetterHold)
	for range 4 {
		l := modelstest.Must(d.ClaimLetter(t.Context(), "h"))(t)
		modelstest.Fine(t, d.EndLetter(t.Context(), l, map[string]models.LetterEnd{
			"bruno@x.org":  {State: models.LetterFailed, Answer: "550 5.1.1: the address does not exist"},
			"anjali@x.org": {State: models.LetterQueued, Answer: "452 4.2.2: the mailbox is full"},
			"t@x.org":      {State: models.LetterUnknown, Answer: "The connection broke after the letter was handed over. It may have arrived"},
			"fine@x.org":   {State: models.LetterSent, Answer: "250: accepted"},
		}[l.Email]))
	}
	b := d.as(staff.Organizer)
	page := b.get(d.at("/letters?tab=failed"), 200)
	wants(t, page, "Bruno", "Refused, 550 5.1.1", "The address does not exist", "Retry 1 letter", `name="expected" value="1"`)
	lacks(t, page, "Tomasz", "Anjali")
	wants(t, b.get(d.at("/letters?tab=outbox"), 200), "Anjali", "Put off, 452 4.2.2", "The mailbox is full. Next try", "1 is tried again later", "Pause")
	wants(t, b.get(d.at("/letters?tab=sent"), 200), "Fine", "Sent")
	page = b.get(d.at("/letters?tab=unknown"), 200)
	wants(t, page, "Tomasz", "The connection broke after the letter was handed over")
	lacks(t, page, "Retry")
	unknown := letterLink.FindStringSubmatch(page)[1]
	wants(t, b.get(unknown, 200), "It may have arrived", "Send it again", "Told by other means")
	b.get(d.at("/letters?tab=failed"), 200)
	b.post(d.at("/letters/retry"), url.Values{"expected": {"1"}}, 303)
	wants(t, b.get(d.at("/letters?tab=outbox"), 200), "Bruno", "1 letter goes out when this reaches zero")
	b.post(d.at("/letters/pause"), nil, 303)
	wants(t, b.get(d.at("/letters?tab=outbox"), 200), "Go on with 2 letters", "Paused")
	b.post(d.at("/letters/resume"), nil, 303)
	d.Clock.Move(time.Second)
	wants(t, b.get(d.at("/letters?tab=outbox&q=bruno"), 200), "Bruno")
	lacks(t, b.page, "anjali@x.org")
}

func TestWithoutAMailServerLettersStayDrafts(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	id := d.decided("T", models.NewContact{FirstName: "Ada", Email: "a@x.org"}, models.NewContact{FirstName: "Plum"})
	b := d.as(staff.Organizer)
	page := b.get(d.at("/letters"), 200)
	wants(t, page, "There is no mail server, so letters stay drafts", "Ada")
	lacks(t, page, "Send 1 letter")
	first := letterLink.FindStringSubmatch(page)[1]
	lacks(t, b.get(first, 200), "Send this letter")
	b.post(first+"/send", nil, 422)
	b.get(d.at("/letters"), 200)
	b.post(d.at("/letters/send"), url.Values{"expected": {"1"}}, 422)
	if c := modelstest.Must(d.Programme().LetterCounts(t.Context()))(t); c.Drafts != 1 || c.Outbox != 0 {
		t.Errorf("%+v", c)
	}
	b.get(d.at("/letters"), 200)
	b.post(d.at("/letters/told"), url.Values{"session": {id}, "reason": {"By telephone"}}, 303)
	wants(t, b.get(d.at("/letters?tab=sent"), 200), "Told by other means", "By telephone", "Ada", "Plum")
	wants(t, b.get(d.at("/activity"), 200), "told the people of")
}

func TestATemplateIsPreviewedForARealPersonAndRefusedWhenBroken(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.decided("Moving ledgers", models.NewContact{FirstName: "Nomvula", LastName: "Dlamini", Email: "n@x.org"})
	b := d.as(staff.Organizer)
	address := d.at("/letters/templates/accepted")
	page := b.get(address, 200)
	wants(t, page, "For Nomvula Dlamini", "Dear Nomvula,", "{{first_name}}", "The first name", "Empty")
	version := regexp.MustCompile(`name="version" value="([^"]+)"`).FindStringSubmatch(page)[1]
	form := url.Values{"version": {version}, "subject": {"S"}, "body": {"Paid from {{travel_desk}}."}}
	_, page = b.post(address, form, 422)
	wants(t, page, "{{travel_desk}}, which is no placeholder here", "Paid from {{travel_desk}}.")
	form.Set("body", "Hello {{first_name}} of {{company}}")
	form.Set("preview", "1")
	_, page = b.post(address, form, 200)
	wants(t, page, "Hello Nomvula of {{company}}")
	form.Del("preview")
	b.post(address, form, 303)
	wants(t, b.get(address, 200), "1 draft was made by an older template", "Last changed by Ada organizer")
	b.post(d.at("/letters/regenerate"), nil, 303)
	page = b.get(d.at("/letters"), 200)
	wants(t, page, "1 draft is made anew.", "Nothing to put for company", "1 draft has a placeholder without a value")
	lacks(t, page, "Send 1 letter")
	b.get(address, 200)
	_, page = b.post(address, form, 409)
	wants(t, page, "Someone else changed this template")
	wants(t, b.get(d.at("/activity"), 200), "template of letters")
	b.get(d.at("/letters/templates/free"), 404)
	// Another event's letters are nobody's here.
	other := strings.Replace(letterLink.FindStringSubmatch(b.get(d.at("/letters"), 200))[1], d.Event.ID, d.Other.ID, 1)
	b.get(other, 404)
}
