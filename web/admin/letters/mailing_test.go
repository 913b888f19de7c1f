package letters_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// mailingOf returns the address of the mailing that a form led to.
func mailingOf(t *testing.T, location string) string {
	t.Helper()
	address, _, _ := strings.Cut(location, "?")
	if !regexp.MustCompile(`/letters/mailings/[0-9a-f-]{36}$`).MatchString(address) {
		t.Fatalf("led to %q", location)
	}
	return address
}

func TestALetterIsWrittenToPeopleWhoAreTicked(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{Mail: admintest.Taken,
		MailFrom: "Programme <programme@post.test>"})
	p, ctx := d.Programme(), t.Context()
	var ids []string
	for _, name := range []string{"Ada", "Plum", "Zoe"} {
		n := models.NewContact{FirstName: name, LastName: "<b>Last"}
		if name != "Plum" {
			n.Email = strings.ToLower(name) + "@x.org"
		}
		ids = append(ids, modelstest.Must(p.CreateContact(ctx, n))(t).ID)
	}
	leak := modelstest.Must(d.Elsewhere().CreateContact(ctx, models.NewContact{FirstName: "Leak", Email: "leak@x.org"}))(t)
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/speakers?who=all"), 200), "Write a letter", d.At("/speakers/write"))
	b.Post(d.At("/speakers/write"), url.Values{}, 303)
	admintest.Wants(t, b.Get(d.At("/speakers?who=all"), 200), "Nobody was ticked, so there is nobody to write to")
	location, _ := b.Post(d.At("/speakers/write"), url.Values{"id": append([]string{leak.ID, "x\x00"}, ids...)}, 303)
	here := mailingOf(t, location)
	admintest.Wants(t, b.Get(here, 200), "Letter to 3 people", "1 person has no e-mail address", "1 of 3", "Plum",
		"Write 3 letters", "{{first_name}}", "Invitation to speak")
	admintest.Lacks(t, b.Text, "Leak", "session_title", "<b>Last", "Send 2 letters")
	admintest.Wants(t, b.Get(d.At("/letters"), 200), "Letters to people", "Not written yet", "To 3 people")
	admintest.Wants(t, b.Get(here+"?template=invitation", 200), "Would you speak at {{event}}?")
	form := url.Values{"version": {"0"}, "at": {"2"}, "subject": {"Travel"}, "body": {"Paid from {{travel_desk}}."}}
	_, page := b.Post(here, form, 422)
	admintest.Wants(t, page, "{{travel_desk}}, which is no placeholder here", "Paid from {{travel_desk}}.")
	admintest.Fill(form, "body", "Dear {{first_name}} of {{event}}", "test", "1")
	admintest.Wants(t, b.Answer(here, form, 200), "A test is on its way to")
	log := admintest.MailLog(d, p)
	if len(log) != 1 || log[0].Subject != "Test: Travel" || log[0].Body != "Dear Ada of Conference" {
		t.Errorf("%+v", log)
	}
	form.Del("test")
	form.Set("keep", "1")
	admintest.Wants(t, b.Answer(here, form, 422), "Keep as a template")
	form.Set("name", "Journeys")
	admintest.Wants(t, b.Answer(here, form, 200), "The text is kept as “Journeys”", "Journeys</a>")
	form.Del("keep")
	admintest.Wants(t, b.Follow(b.Post(here, form, 303)), "The letters are written. Nothing is sent yet.",
		"Dear Ada of Conference", "2 of 3", "Edit only this one", "Send 2 letters…", "Programme &lt;programme@post.test&gt;")
	first := admintest.LetterLink.FindStringSubmatch(b.Text)[1]
	admintest.Wants(t, b.Answer(here, form, 409), "Someone else changed this letter")
	admintest.Wants(t, b.Get(here+"/letters", 200), "Cannot be sent", "No e-mail address", "ada@x.org", "zoe@x.org")
	admintest.Lacks(t, b.Get(here+"/letters?q=zoe", 200), "ada@x.org")
	// One by hand; who cannot be reached is taken out.
	page = b.Get(first, 200)
	admintest.Wants(t, page, "All of this letter", "Do not write to them", "Copy the letter", ">{{first_name}}</code>")
	admintest.Lacks(t, page, "{{session_title}}", "{{changes}}") // there is neither, and a text with it is refused
	token := regexp.MustCompile(`name="updated_at" value="([^"]+)"`).FindStringSubmatch(page)[1]
	b.Post(first, url.Values{"updated_at": {token}, "subject": {"Travel"}, "body": {"By hand"}}, 303)
	admintest.Fill(form, "version", "1", "body", "Dear {{first_name}}, again")
	admintest.Wants(t, b.Follow(b.On(here).Post(here, form, 303)), "What was edited by hand stays: 1 letter.", "By hand")
	plum := admintest.LetterLink.FindStringSubmatch(b.Get(here+"?at=1", 200))[1]
	admintest.Wants(t, b.Follow(b.Post(plum+"/take-out", nil, 303)), "Plum &lt;b&gt;Last gets no letter.",
		"Letter to 2 people")
	page = b.Get(here+"/send", 200)
	admintest.Wants(t, page, "Send 2 letters", "They wait for a minute first", "Travel", `name="expected" value="2"`)
	b.Post(here+"/send", url.Values{"expected": {"3"}}, 303)
	admintest.Wants(t, b.Get(d.At("/letters"), 200), "There is another number of letters to send by now")
	b.On(here+"/send").Post(here+"/send", url.Values{"expected": {"2"}}, 303)
	admintest.Wants(t, b.Get(d.At("/letters?tab=outbox"), 200), "2 letters go out when this reaches zero", "Travel")
	admintest.Wants(t, b.Get(here, 200), "Everything of it has left: 2 in the outbox.")
	b.Get(d.At("/speakers/"+ids[0]), 200)
	admintest.Wants(t, b.Page, "Write a letter", "Travel", "Waits to go out")
	d.As(staff.Viewer).Get(here, 403)
}

func TestALetterIsWrittenToTheSpeakersOfSessionsAndFromTheDirectory(t *testing.T) {
	d := admintest.Open(t)
	two := d.Session(models.NewSession{Title: "Two", IsAbstract: true})
	both := d.Speaker(t, d.Event, two.ID, models.NewContact{FirstName: "Both", Email: "both@x.org"})
	d.Speaker(t, d.Event, two.ID, models.NewContact{FirstName: "Two", Email: "two@x.org"})
	one := d.Session(models.NewSession{Title: "One", IsAbstract: true})
	d.Join(t, d.Event, one.ID, both, models.Speaking)
	empty := d.Session(models.NewSession{Title: "Empty", IsAbstract: true})
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/submissions"), 200), "Write to their people")
	b.Post(d.At("/submissions/write"), url.Values{"id": {empty.ID}}, 303)
	admintest.Wants(t, b.Get(d.At("/submissions"), 200), "There is nobody on these sessions to write to.")
	location, _ := b.Post(d.At("/submissions/write"), url.Values{"id": {one.ID, two.ID}}, 303)
	admintest.Wants(t, b.Get(mailingOf(t, location), 200), "Letter to 2 people")
	b.Get(d.At("/submissions"), 200)
	location, _ = b.Post(d.At("/submissions/write"), url.Values{"scope": {"all"}, "query": {"q=One"}}, 303)
	admintest.Wants(t, b.Get(mailingOf(t, location), 200), "Letter to 1 person", "Both")

	admintest.Wants(t, b.Get("/admin/contacts", 200), "Write…", "Letter of")
	location, _ = b.Post("/admin/contacts/write", url.Values{"scope": {"all"}, "letter_of": {d.Event.ID}}, 303)
	admintest.Wants(t, b.Get(mailingOf(t, location), 200), "Letter to 2 people")
	// Thrown away, it is gone.
	here := mailingOf(t, location)
	admintest.Wants(t, b.Get(here+"/discard", 200), "Throw away 2 drafts")
	admintest.Wants(t, b.Follow(b.Post(here+"/discard", nil, 303)), "2 drafts are thrown away.")
	b.Get(here, 404)
	v := d.As(staff.Viewer)
	admintest.Lacks(t, v.Get("/admin/contacts", 200), "Write…")
	v.Post("/admin/contacts/write", url.Values{"scope": {"all"}, "letter_of": {d.Event.ID}}, 403)
	v.Get(d.At("/speakers"), 200)
	admintest.Lacks(t, v.Page, "Write a letter")
}

func TestTextsOfFreeLettersAreKept(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{Mail: admintest.Taken})
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/letters/templates/new"), 200), "New template", "Send yourself a test")
	form := url.Values{"version": {"0"}, "name": {"Journeys"}, "subject": {"S"}, "body": {"To {{session_title}}"}}
	_, page := b.Post(d.At("/letters/templates/new"), form, 422)
	admintest.Wants(t, page, "{{session_title}}, which is no placeholder here")
	admintest.Fill(form, "body", "To {{first_name}}", "test", "1")
	admintest.Wants(t, b.Answer(d.At("/letters/templates/new"), form, 200), "A test is on its way to", "To {{first_name}}")
	form.Del("test")
	location, _ := b.Post(d.At("/letters/templates/new"), form, 303)
	admintest.Wants(t, b.Get(location, 200), "The template is saved. Choose it when you write to people.", "Journeys")
	admintest.Wants(t, b.Get(d.At("/letters/templates/accepted"), 200), "Send yourself a test", "Journeys")
	admintest.Wants(t, b.Get(location+"/delete", 200), "Delete the template")
	b.Post(location+"/delete", nil, 303)
	b.Get(location, 404)
	b.Get(d.At("/letters/templates/accepted/delete"), 404)
}

func TestAFaultOfTheMailServerIsSaidInTheOutbox(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{Mail: admintest.Taken})
	decided(d, "T", models.NewContact{FirstName: "Ada", Email: "a@x.org"})
	modelstest.Must(letters.Of(d.Programme()).SendChosen(t.Context(), letters.Choice{}, 1))(t)
	d.Clock.Move(letters.Hold)
	l := modelstest.Must(d.ClaimLetter(t.Context(), "h"))(t)
	modelstest.Fine(t, d.EndLetter(t.Context(), l, models.LetterEnd{State: models.LetterQueued, Barred: true,
		Answer: "535: the mail server does not take our name and password"}))
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/letters?tab=outbox"), 200),
		"No letter can be sent: 535: the mail server does not take our name and password",
		"Waits for the mail server", "Hold back")
	admintest.Lacks(t, b.Get(d.At("/letters?tab=failed"), 200), "a@x.org")
}
