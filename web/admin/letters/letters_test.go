package letters_test

import (
	"net/url"
	"regexp"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// decided makes an accepted abstract of these people and returns its id.
func decided(d *admintest.Desk, title string, people ...models.NewContact) string {
	d.T.Helper()
	s := d.Session(models.NewSession{Title: title, IsAbstract: true})
	for _, n := range people {
		d.Speaker(d.T, d.Event, s.ID, n)
	}
	modelstest.SetStatus(d.T, d.Programme(), s.ID, models.Accepted)
	return s.ID
}

func TestLettersAreReadEditedAndSentByTheNumberOnTheButton(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{Mail: admintest.Taken, MailFrom: "Programme <programme@post.test>"})
	decided(d, "Moving <b>ledgers</b>", models.NewContact{FirstName: "Nomvula", Email: "n@x.org"},
		models.NewContact{FirstName: "Plum"}, models.NewContact{FirstName: "Wei", Email: "w@x.org"})
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/letters"), 200), "Send 2 letters…", "Drafts", "Nomvula", "Without a letter", "Plum",
		"has no e-mail address, so no letter can reach them", "Moving &lt;b&gt;ledgers&lt;/b&gt;")
	admintest.Lacks(t, b.Text, "<b>ledgers")
	first := admintest.LetterLink.FindStringSubmatch(b.Text)[1]
	admintest.Wants(t, b.Get(first, 200), "Letter to <bdi>Nomvula</bdi>", "1 of 2", "Next", "Dear Nomvula,",
		"Conference: yes to “Moving &lt;b&gt;ledgers&lt;/b&gt;”", "Programme &lt;programme@post.test&gt;")
	token := regexp.MustCompile(`name="updated_at" value="([^"]+)"`).FindStringSubmatch(b.Text)[1]
	form := url.Values{"updated_at": {token}, "subject": {"Yes"}, "body": {"Dear N,\n\n{{company}}"}}
	admintest.Wants(t, b.Answer(first, form, 422), "has {{company}}, for which there is nothing to put", "Dear N,")
	form.Set("body", "Dear {{nobody}}")
	_, page := b.Post(first, form, 422)
	admintest.Wants(t, page, "The letter has {{nobody}}, which is no placeholder here. Take it out, or pick one from the list.",
		">{{session_title}}</code>", "The title of what they sent in")
	form.Set("body", "Dear N,\n\nby hand.")
	b.Post(first, form, 303)
	admintest.Wants(t, b.Get(first, 200), "by hand.", "Edited by hand")
	admintest.Wants(t, b.Answer(first, form, 409), "Someone else changed this letter")

	admintest.Wants(t, b.Get(d.At("/letters/send"), 200), "Send 2 letters", "2 letters to 2 people",
		`name="expected" value="2"`, "They wait for a minute first")
	decided(d, "Another", models.NewContact{FirstName: "Late", Email: "late@x.org"})
	b.Post(d.At("/letters/send"), url.Values{"expected": {"2"}}, 303)
	admintest.Wants(t, b.Get(d.At("/letters"), 200), "There is another number of letters to send by now",
		"Send 3 letters…")
	b.On(d.At("/letters/send")).Post(d.At("/letters/send"), url.Values{"expected": {"3"}}, 303)
	admintest.Wants(t, b.Get(d.At("/letters?tab=outbox"), 200), "1:00", "3 letters go out when this reaches zero",
		"Nothing has left yet", "Cancel sending", "Hold back")
	b.Post(first+"/hold", nil, 303)
	admintest.Wants(t, b.Get(d.At("/letters?tab=outbox"), 200), "2 letters go out")
	b.Post(d.At("/letters/hold"), nil, 303)
	admintest.Wants(t, b.Get(d.At("/letters"), 200), "Send 3 letters…", "2 letters are drafts again.")
}

func TestWhatBecameOfLettersIsSaid(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{Mail: admintest.Taken})
	decided(d, "Archive", models.NewContact{FirstName: "Bruno", Email: "bruno@x.org"},
		models.NewContact{FirstName: "Tomasz", Email: "t@x.org"},
		models.NewContact{FirstName: "Anjali", Email: "anjali@x.org"}, models.NewContact{FirstName: "Fine", Email: "fine@x.org"})
	modelstest.Must(letters.Of(d.Programme()).SendChosen(t.Context(), letters.Choice{}, 4))(t)
	d.Clock.Move(letters.Hold)
	for range 4 {
		l := modelstest.Must(d.ClaimLetter(t.Context(), "h"))(t)
		modelstest.Fine(t, d.EndLetter(t.Context(), l, map[string]models.LetterEnd{
			"bruno@x.org":  {State: models.LetterFailed, Answer: "550 5.1.1: the address does not exist"},
			"anjali@x.org": {State: models.LetterQueued, Answer: "452 4.2.2: the mailbox is full"},
			"t@x.org":      {State: models.LetterUnknown, Answer: "The connection broke after the letter was handed over. It may have arrived"},
			"fine@x.org":   {State: models.LetterSent, Answer: "250: accepted"},
		}[l.Email]))
	}
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/letters?tab=failed"), 200), "Bruno", "Refused, 550 5.1.1",
		"The address does not exist", "Retry 1 letter", `name="expected" value="1"`)
	admintest.Lacks(t, b.Text, "Tomasz", "Anjali")
	admintest.Wants(t, b.Get(d.At("/letters?tab=outbox"), 200), "Anjali", "Put off, 452 4.2.2",
		"The mailbox is full. Next try", "1 is tried again later", "Pause")
	admintest.Wants(t, b.Get(d.At("/letters?tab=sent"), 200), "Fine", "Sent")
	page := b.Get(d.At("/letters?tab=unknown"), 200)
	admintest.Wants(t, page, "Tomasz", "The connection broke after the letter was handed over")
	admintest.Lacks(t, page, "Retry")
	unknown := admintest.LetterLink.FindStringSubmatch(page)[1]
	admintest.Wants(t, b.Get(unknown, 200), "It may have arrived", "Send it again", "Told by other means")
	b.On(d.At("/letters?tab=failed")).Post(d.At("/letters/retry"), url.Values{"expected": {"1"}}, 303)
	admintest.Wants(t, b.Get(d.At("/letters?tab=outbox"), 200), "Bruno", "1 letter goes out when this reaches zero")
	b.Post(d.At("/letters/pause"), nil, 303)
	admintest.Wants(t, b.Get(d.At("/letters?tab=outbox"), 200), "Go on with 2 letters", "Paused")
	b.Post(d.At("/letters/resume"), nil, 303)
	d.Clock.Move(time.Second)
	admintest.Wants(t, b.Get(d.At("/letters?tab=outbox&q=bruno"), 200), "Bruno")
	admintest.Lacks(t, b.Page, "anjali@x.org")
}

func TestWithoutAMailServerLettersStayDrafts(t *testing.T) {
	d := admintest.Open(t)
	id := decided(d, "T", models.NewContact{FirstName: "Ada", Email: "a@x.org"}, models.NewContact{FirstName: "Plum"})
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/letters"), 200), "There is no mail server, so letters stay drafts", "Ada")
	admintest.Lacks(t, b.Text, "Send 1 letter")
	first := admintest.LetterLink.FindStringSubmatch(b.Text)[1]
	admintest.Lacks(t, b.Get(first, 200), "Send this letter")
	b.Post(first+"/send", nil, 422)
	b.On(d.At("/letters")).Post(d.At("/letters/send"), url.Values{"expected": {"1"}}, 422)
	if c := modelstest.Must(letters.Of(d.Programme()).Counts(t.Context()))(t); c.Drafts != 1 || c.Outbox != 0 {
		t.Errorf("%+v", c)
	}
	b.On(d.At("/letters")).Post(d.At("/letters/told"), url.Values{"session": {id}, "reason": {"By telephone"}}, 303)
	admintest.Wants(t, b.Get(d.At("/letters?tab=sent"), 200), "Told by other means", "By telephone", "Ada", "Plum")
	admintest.Wants(t, b.Get(d.At("/activity"), 200), "told the people of")
}

func TestATemplateIsPreviewedForARealPersonAndRefusedWhenBroken(t *testing.T) {
	d := admintest.Open(t)
	decided(d, "Moving ledgers", models.NewContact{FirstName: "Nomvula", LastName: "Dlamini", Email: "n@x.org"})
	b := d.As(staff.Organizer)
	address := d.At("/letters/templates/accepted")
	page := b.Get(address, 200)
	admintest.Wants(t, page, "For Nomvula Dlamini", "Dear Nomvula,", "{{first_name}}", "The first name", "Empty")
	version := regexp.MustCompile(`name="version" value="([^"]+)"`).FindStringSubmatch(page)[1]
	form := url.Values{"version": {version}, "subject": {"S"}, "body": {"Paid from {{travel_desk}}."}}
	_, page = b.Post(address, form, 422)
	admintest.Wants(t, page, "{{travel_desk}}, which is no placeholder here", "Paid from {{travel_desk}}.")
	admintest.Fill(form, "body", "Hello {{first_name}} of {{company}}", "preview", "1")
	admintest.Wants(t, b.Answer(address, form, 200), "Hello Nomvula of {{company}}")
	form.Del("preview")
	b.Post(address, form, 303)
	admintest.Wants(t, b.Get(address, 200), "1 draft was made by an older template", "Last changed by Ada organizer")
	b.Post(d.At("/letters/regenerate"), nil, 303)
	admintest.Wants(t, b.Get(d.At("/letters"), 200), "1 draft is made anew.", "Nothing to put for company",
		"1 draft has a placeholder without a value")
	admintest.Lacks(t, b.Text, "Send 1 letter")
	admintest.Wants(t, b.On(address).Answer(address, form, 409), "Someone else changed this template")
	admintest.Wants(t, b.Get(d.At("/activity"), 200), "template of letters")
	b.Get(d.At("/letters/templates/free"), 404)
}

func TestLettersAreSentByKindWithTheirNumber(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{Mail: admintest.Taken})
	decided(d, "Harbours", models.NewContact{FirstName: "Nomvula", Email: "n@x.org"},
		models.NewContact{FirstName: "Wei", Email: "w@x.org"})
	s := d.Session(models.NewSession{Title: "Ropes", IsAbstract: true})
	d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Bruno", Email: "b@x.org"})
	modelstest.SetStatus(t, d.Programme(), s.ID, models.Declined)
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/letters"), 200), "Send 3 letters…", "All decisions", "Acceptances", "Refusals")
	admintest.Wants(t, b.Get(d.At("/letters/send"), 200), "3 letters to 3 people", "2 acceptances and 1 refusal.",
		"Send 3 letters")
	admintest.Wants(t, b.Get(d.At("/letters?kind=declined"), 200), "Send 1 refusal…", "Bruno")
	admintest.Lacks(t, b.Text, "Nomvula")
	admintest.Wants(t, b.Get(d.At("/letters?q=wei"), 200), "Send 1 letter…", "/letters/send?q=wei")
	page := b.Get(d.At("/letters/send?kind=declined"), 200)
	admintest.Wants(t, page, "1 refusal to 1 person", `name="kind" value="declined"`, `name="expected" value="1"`)
	form := url.Values{"expected": {"1"}, "kind": {"declined"}}
	admintest.Wants(t, b.Follow(b.Post(d.At("/letters/send"), form, 303)), "1 letter is in line", "Bruno")
	admintest.Wants(t, b.Get(d.At("/letters"), 200), "Send 2 letters…", "Nomvula", "Wei")
	admintest.Lacks(t, b.Text, "Bruno", "a yes and a no")
	admintest.Wants(t, b.Get(d.At("/letters?kind=free"), 200), "No drafts of this kind", "Acceptances")
}

func TestWhoGetsAYesAndANoGetsOneLetter(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{Mail: admintest.Taken})
	decided(d, "Harbours", models.NewContact{FirstName: "Wei", Email: "w@x.org"})
	yes := d.Session(models.NewSession{Title: "Ropes", IsAbstract: true})
	no := d.Session(models.NewSession{Title: "Knots", IsAbstract: true})
	ana := d.Speaker(t, d.Event, yes.ID, models.NewContact{FirstName: "Ana", LastName: "Ito", Email: "a@x.org"})
	d.Join(t, d.Event, no.ID, ana, models.Speaking)
	modelstest.SetStatus(t, d.Programme(), yes.ID, models.Accepted)
	modelstest.SetStatus(t, d.Programme(), no.ID, models.Declined)
	b := d.As(staff.Organizer)
	const both = "1 person gets a yes and a no: Ana Ito."
	admintest.Wants(t, b.Get(d.At("/letters/send"), 200), both)
	admintest.Wants(t, b.Get(d.At("/letters"), 200), both, "Gets a refusal too", "Gets an acceptance too",
		"Send 3 letters")
	page := b.Follow(b.Post(d.At("/letters/join"), nil, 303))
	admintest.Wants(t, page, "1 person gets one letter of both.", "A refusal leaves with it", "Send 2 letters")
	admintest.Lacks(t, page, both, "Gets a refusal too")
	drafts := modelstest.First(letters.Of(d.Programme()).LettersIn(t.Context(), letters.DraftLetters,
		letters.Choice{Text: "Ana"}, store.Page{}))(t)
	letter := d.At("/letters/" + drafts[0].ID)
	page = b.Get(letter, 200)
	admintest.Wants(t, page, "The refusal of", "“Knots”", "“Ropes”", "Write a letter for each")
	admintest.Wants(t, b.Get(regexp.MustCompile(`The refusal of <a href="([^"]+)`).FindStringSubmatch(page)[1], 200),
		"In one letter with “Ropes”", "This refusal leaves in the letter about “Ropes”")
	page = b.Follow(b.Post(letter+"/part", nil, 303))
	admintest.Wants(t, page, "Each decision has a letter of its own again.", "“Ropes”")
	admintest.Lacks(t, page, "“Knots”")
}
