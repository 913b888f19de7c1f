package call

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// begun starts a proposal in a new browser, and returns the browser and the proposal's address.
func (s *stand) begun(name string) (b *browser, address string) {
	s.t.Helper()
	b = s.browser()
	to, _ := b.starts(303, "title", "Tides", "name", name, "email", name+"@example.org")
	b.get(to, 200)
	return b, strings.TrimSuffix(to, "/edit")
}

// startAt is where a proposal begins.
const startAt = "/events/conf/call/start"

// starts sends the form that begins a proposal, with these fields, as fast as a person types.
func (b *browser) starts(status int, fields ...string) (location, page string) {
	b.t.Helper()
	form := b.on(startAt).fields()
	b.Clock.Move(3 * time.Second)
	return b.post(startAt, fill(form, fields...), status)
}

// filledStart returns that form as a page with these hidden fields would send it, with some fields instead.
func filledStart(opened url.Values, instead ...string) url.Values {
	return fill(url.Values{"title": {"T"}, "name": {"Kim"}, "email": {"kim@example.org"}, "opened": opened["opened"],
		"_token": opened["_token"]}, instead...)
}

// filled returns the page's form with answers to all questions that need one.
func (b *browser) filled() url.Values {
	return fill(b.fields(), "title", "Tides", "description", "Water goes up", "format", b.Talk)
}

// key returns the name of a question's input.
func (s *stand) key(key string) string {
	s.t.Helper()
	var id string
	modelstest.Must(true, s.Store.Read(s.t.Context()).Table("call_questions").Where("event_id = ? AND key = ?",
		s.Fixture.Event.ID, key).
		Pluck("id", &id).Error)(s.t)
	return "q-" + id
}

func (s *stand) session(t *testing.T, address string) *models.Session {
	t.Helper()
	return modelstest.Must(s.Programme().Session(t.Context(), address[strings.LastIndex(address, "/")+1:]))(t)
}

func TestAProposalFromItsTitleToThanks(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		wants(t, s.browser().get("/events/conf/call", 200), "Start a proposal", "10</b> days left", "Workshop",
			"1 December 2026")
		b, at := s.begun("ada")
		if len(s.mail.sent) != 1 || !strings.Contains(s.mail.sent[0], placeAt+"/link/") {
			t.Fatalf("sent are %q", s.mail.sent)
		}
		wants(t, b.page, "Your proposal", `value="Tides"`, "2 to finish", "a…@example.org")
		form := fill(b.fields(), "title", "Tides", "do", "check")
		wants(t, b.follow(b.post(at+"/edit", form, 303)), "<title>Error: Your proposal",
			"2 things before you can submit", "has no answer yet")
		form = fill(b.filled(), "do", "check")
		to, _ := b.post(at+"/edit", form, 303)
		wants(t, b.get(to, 200), "Check your answers", "Water goes up", "Talk", "Submit proposal")
		submitting := b.fields()
		for range 2 { // a second click
			to, _ = b.post(at+"/submit", submitting, 303)
		}
		wants(t, b.get(to, 200), "Thank you, we have it", "A-1", "A copy goes to a…@example.org")
		modelstest.Want(t, "it is", s.session(t, at).Status, models.Pending)
		b.get(at+"/edit", 200)
		form = fill(b.filled(), "title", "Ebb", "do", "done")
		b.post(at+"/edit", form, 303)
		b.on(at+"/withdraw").post(at+"/withdraw", url.Values{"reason": {"Ill"}}, 303)
		if now := s.session(t, at); now.Status != models.Withdrawn || now.Title != "Ebb" {
			t.Errorf("%s is %s", now.Title, now.Status)
		}
		b.post(at+"/undo", nil, 303)
		modelstest.Want(t, "it is", s.session(t, at).Status, models.Pending)
	})
}

func TestEveryButtonOfTheFormSavesFirst(t *testing.T) {
	s := open(t)
	b, at := s.begun("ada")
	form := fill(b.filled(), "do", "invite", "invite_email", "li@example.org")
	b.post(at+"/edit", form, 303)
	wants(t, b.get(at+"/edit", 200), "Water goes up", "li@example.org", "Not invited yet")
	form = fill(b.filled(), "description", "Other words", "do", "invite", "invite_email", "li@example.org")
	wants(t, b.answer(at+"/edit", form, 422), "Other words", "as invited already")
	form = fill(b.filled(), "description", "With slides")
	to, _ := b.send(at+"/edit", form, s.key("slides"), "tides.pdf", "%PDF-1.7 x", 303)
	wants(t, b.get(to, 200), "With slides", "tides.pdf")
	res, body := b.do(httptest.NewRequest("GET", at+"/files/slides", nil), 200)
	if body != "%PDF-1.7 x" || !strings.HasPrefix(res.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%q as %s", body, res.Header.Get("Content-Disposition"))
	}
	form = fill(b.filled(), "description", "Wrong slides")
	wants(t, shown(b.send(at+"/edit", form, s.key("slides"), "tides.pdf", "<script>", 422)), "Wrong slides",
		"its content is something else")
	form = fill(b.filled(), "description", "No slides", "remove_file", "slides")
	b.post(at+"/edit", form, 303)
	lacks(t, b.get(at+"/edit", 200), "tides.pdf")
	if now := s.session(t, at); now.Description != "No slides" || len(now.CustomFields) != 0 {
		t.Errorf("%q, %v", now.Description, now.CustomFields)
	}
}

func TestTwoTabsAreSettledFieldByField(t *testing.T) {
	s := open(t)
	b, at := s.begun("ada")
	other := b.beside()
	other.get(at+"/edit", 200)
	b.get(at+"/edit", 200)
	first := b.filled()
	b.post(at+"/edit", first, 303)
	late := fill(other.filled(), "description", "Mine")
	wants(t, other.answer(at+"/edit", late, 409), "Two versions of your proposal", "Mine", "Water goes up",
		"Nothing was saved yet")
	settled := fill(other.fields(), "description", "Mine", "title", "Tides")
	other.post(at+"/edit", settled, 303)
	if now := s.session(t, at); now.Description != "Mine" || now.FormatID == nil {
		t.Errorf("%q is kept", now.Description)
	}
	// The same typed in both is no conflict.
	b.post(at+"/edit", first, 409)
	other.get(at+"/edit", 200)
	same := fill(other.filled(), "updated_at", first.Get("updated_at"), "description", "Mine")
	other.post(at+"/edit", same, 303)
}

func TestWhoJoinsMeanwhileIsNoConflict(t *testing.T) {
	s := open(t)
	b, at := s.begun("ada")
	form := fill(b.filled(), "do", "invite", "invite_email", "li@example.org")
	b.post(at+"/edit", form, 303)
	b.get(at+"/edit", 200)
	late := b.filled()
	var asked string
	modelstest.Fine(t, s.Store.Read(t.Context()).Table("co_speakers").Where("event_id = ?", s.Fixture.Event.ID).
		Pluck("id", &asked).Error)
	modelstest.Must(call.Join(t.Context(), s.Store, s.Fixture.Event, asked, store.By{Door: "call"}))(t)
	late.Set("description", "Typed meanwhile")
	b.post(at+"/save", late, 200)
	fill(late, "description", "Typed since", "was_description", "Typed meanwhile")
	b.post(at+"/edit", late, 303)
	if now := s.session(t, at); len(now.Participants) != 2 || !strings.Contains(now.Description, "Typed since") {
		t.Errorf("kept is %q, of %d people", now.Description, len(now.Participants))
	}
}

func TestTheFormSavesItselfAndSaysHowFarItIs(t *testing.T) {
	s := open(t)
	b, at := s.begun("ada")
	form := fill(b.filled(), "title", " ")
	_, body := b.post(at+"/save", form, 200)
	var answer struct {
		Saved, UpdatedAt string
		Parts, Wrong     map[string]string
	}
	modelstest.Must(true, json.Unmarshal([]byte(strings.ReplaceAll(body, "updated_at", "UpdatedAt")), &answer))(t)
	if answer.Saved != "10:30" || answer.UpdatedAt == "" || answer.Parts["part-1"] != "done" ||
		answer.Wrong["title"] == "" {
		t.Errorf("%s", body)
	}
	form.Set("description", "Other words")
	wants(t, b.answer(at+"/save", form, 409), "Changed in another tab")
	s.Clock.Move(11 * 24 * time.Hour)
	form.Set("updated_at", answer.UpdatedAt)
	wants(t, b.answer(at+"/save", form, 422), "The call closed on 1 December 2026")
}

func TestWhatCannotBeKeptAnyMoreIsShownToBeCopied(t *testing.T) {
	s := open(t)
	b, at := s.begun("ada")
	form := b.filled()
	s.Clock.Move(11 * 24 * time.Hour)
	wants(t, b.answer(at+"/edit", form, 422), "Error: ", "The call closed on 1 December 2026",
		"What you typed last was not saved", "Water goes up")
	modelstest.Want(t, "the form leads to", b.leads(at+"/edit"), at+"/check")
	lacks(t, b.get(at+"/check", 200), "Submit proposal")
	wants(t, b.get("/events/conf/call", 200), "The call closed on 1 December", "My proposals", "I have an access code")
	lacks(t, b.get("/events/conf/call", 200), "Start a proposal</a>")
}

func TestWhatIsTooMuchInAnHourStaysInTheForm(t *testing.T) {
	s := open(t)
	b, at := s.begun("ada")
	form := fill(b.filled(), "do", "check")
	b.follow(b.post(at+"/edit", form, 303))
	b.post(at+"/submit", b.fields(), 303)
	retitle := func(title string, status int) string {
		b.get(at+"/edit", 200)
		form := fill(b.filled(), "title", title)
		_, page := b.post(at+"/edit", form, status)
		return page
	}
	retitle("Ebb", 303)
	modelstest.Exec(t, s.SQL, "UPDATE brought_bytes SET bytes = 1048570")
	wants(t, retitle("Flood", 422), `value="Flood"`, "you have sent 1 MB within an hour. Send it again in")
	modelstest.Want(t, "it is called", s.session(t, at).Title, "Ebb")
	b.get(at+"?lang=de", 200)
	german := retitle("Flood", 422)
	wants(t, german, `value="Flood"`, "Wurde nicht aufgehoben: Sie haben in einer Stunde 1 MB gesendet.", "noch einmal.")
	lacks(t, german, "kept:")
	b.get(at+"?lang=en", 200)
	withdraw := func(want ...string) {
		wants(t, b.on(at+"/withdraw").answer(at+"/withdraw", url.Values{"reason": {"Ill at sea"}}, 422), append(want,
			"Ill at sea</textarea>", `href="#proposal"`, `id="proposal"`)...)
	}
	withdraw("Proposal was not kept: you have sent 1 MB within an hour.")
	b.get(at+"?lang=de", 200)
	withdraw("Der Vorschlag wurde nicht aufgehoben: Sie haben in einer Stunde 1 MB gesendet.")
	modelstest.Exec(t, s.SQL, "UPDATE brought_bytes SET bytes = 0")
	b.on(at+"/withdraw").post(at+"/withdraw", nil, 303)
	modelstest.Exec(t, s.SQL, "UPDATE brought_bytes SET bytes = 1048570")
	b.on(at).post(at+"/undo", nil, 303)
	wants(t, b.get(at, 200), "Der Vorschlag wurde nicht aufgehoben: Sie haben in einer Stunde 1 MB gesendet.")
	modelstest.Want(t, "it is", s.session(t, at).Status, models.Withdrawn)
}

func (b *browser) leads(path string) string {
	b.t.Helper()
	res, _ := b.do(httptest.NewRequest("GET", path, nil), 303)
	return res.Header.Get("Location")
}

func TestScriptIsTextWhereverItIsTyped(t *testing.T) {
	s := open(t)
	const script = `"><script>alert(1)</script><img src=x onerror=alert(2)>`
	b, at := s.begun("ada")
	form := b.filled()
	for _, name := range []string{"title", "description", "biography", s.key("phone"), "invite_name", "do", "remove",
		"remove_file", s.key("help")} {
		form.Set(name, script)
	}
	form.Set("invite_email", "li@example.org")
	lacks(t, b.answer(at+"/edit", form, 422), "<script>alert", "<img src")
	form = b.filled()
	for _, name := range []string{"title", "description", "biography", s.key("phone"), "invite_name"} {
		form.Set(name, script)
	}
	fill(form, "description", "<b>"+script, "invite_email", "li@example.org", "do", "invite")
	b.post(at+"/edit", form, 303)
	for _, path := range []string{"/edit", "/check", "/edit?check=1"} {
		lacks(t, b.get(at+path, 200), "<script>alert", "<img src", "onerror=alert(2)>")
	}
	b.on(at+"/check").post(at+"/submit", b.fields(), 303)
	lacks(t, b.get(at+"/done", 200), "<script>alert", "<img src")
	b.get(startAt, 200)
	lacks(t, b.get("/events/conf/call?code="+url.QueryEscape(script), 200), "<script>alert")
}

func TestAFormThatWasChangedMeanwhileLosesNothing(t *testing.T) {
	s := open(t)
	b, at := s.begun("ada")
	form := fill(b.filled(), s.key("phone"), "0123")
	modelstest.Must(true, s.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.Exec("UPDATE call_questions SET removed_at = ?, part_id = NULL WHERE event_id = ? AND key = 'phone'",
			tx.Now, s.Fixture.Event.ID).Error
	}))(t)
	form.Set("q-"+store.NewID(), "never asked")
	wants(t, b.answer(at+"/edit", form, 200), "The form was changed while you filled it in", "0123", "Water goes up")
	modelstest.Want(t, "the description", s.session(t, at).Description, "Water goes up")
}

func TestWhatIsNotTypedByAPersonBeginsNothing(t *testing.T) {
	s := open(t)
	b := s.browser()
	opened := b.on(startAt).fields()
	b.post(startAt, filledStart(opened), 422) // within two seconds
	s.Clock.Move(3 * time.Second)
	b.post(startAt, filledStart(opened, "website", "x"), 422)
	b.post(startAt, filledStart(opened, "opened", "0.forged"), 422)
	wants(t, b.answer(startAt, filledStart(opened, "access", "none"), 422), "Error: ",
		"The access code is not one of this call", `value="kim@example.org"`)
	wants(t, b.answer(startAt, filledStart(opened, "email", "kim"), 422), "Error: ")
	var sessions int64
	s.Store.Read(t.Context()).Table("sessions").Count(&sessions)
	if sessions != 0 || len(s.mail.sent) != 0 {
		t.Errorf("%d began, %d mails", sessions, len(s.mail.sent))
	}
	b.on(startAt).post(startAt, filledStart(opened), 303)
}

func TestHugeFormsAreAnsweredInWords(t *testing.T) {
	s := open(t)
	b, at := s.begun("ada")
	form := fill(b.filled(), "description", strings.Repeat("word ", 400_000))
	wants(t, b.answer(at+"/edit", form, 422), "Error: ", "characters long")
	form = b.filled()
	for range 5000 {
		form.Add("q-"+store.NewID(), "x")
	}
	b.post(at+"/edit", form, 303)
	b.get(at+"/edit", 200)
	form = b.filled()
	b.send(at+"/edit", form, s.key("slides"), "a.pdf", "%PDF-1"+strings.Repeat("x", 26<<20), 422)
}

func TestSomebodyElsesProposalIsNoPage(t *testing.T) {
	s := open(t)
	_, theirs := s.begun("ada")
	b, own := s.begun("li")
	for _, path := range []string{"/edit", "/check", "/done", "/withdraw", "/files/slides"} {
		b.get(theirs+path, 404)
	}
	b.get(own+"/edit", 200)
	form := b.filled()
	for _, path := range []string{"/edit", "/save", "/submit", "/withdraw", "/undo"} {
		b.on(own+"/edit").post(theirs+path, form, 404)
	}
	s.browser().get(own+"/edit", 303)
}
