package admin

import (
	"bytes"
	"html"
	"mime/multipart"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// filledIn is the form of a submission as it was opened, with what is typed by the keys of questions.
func (b *browser) filledIn(address string, typed map[string]string) url.Values {
	b.t.Helper()
	b.get(address, 200)
	form, names := b.form(), []string{"updated_at"}
	for _, q := range form.Questions() {
		if q.Type != "file" {
			names = append(names, "was_"+q.Field())
		}
	}
	sent := b.sent(names...)
	for _, q := range form.Questions() {
		if q.Type != "file" {
			sent[q.Field()] = strings.Split(sent.Get("was_"+q.Field()), "\n")
		}
	}
	for key, value := range typed {
		sent[form.Question(key).Field()] = strings.Split(value, "\n")
	}
	return sent
}

var fieldPattern = regexp.MustCompile(`name="([^"]+)"[^>]* value="([^"]*)"`)

// sent is hidden for the fields of questions, whose names have ids in them.
func (b *browser) sent(names ...string) url.Values {
	form := url.Values{}
	for _, m := range fieldPattern.FindAllStringSubmatch(b.page, -1) {
		if slices.Contains(names, m[1]) && form.Get(m[1]) == "" {
			form.Set(m[1], html.UnescapeString(m[2]))
		}
	}
	return form
}

// attach sends a form with a file.
func (b *browser) attach(address string, fields url.Values, field, name, content string, status int) string {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	fields.Set("_token", tokenPattern.FindStringSubmatch(b.page)[1])
	for key, values := range fields {
		for _, value := range values {
			modelstest.Must(true, form.WriteField(key, value))(b.t)
		}
	}
	modelstest.Must(modelstest.Must(form.CreateFormFile(field, name))(b.t).Write([]byte(content)))(b.t)
	form.Close()
	r := httptest.NewRequest("POST", address, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	res, page := b.do(r, status)
	return res.Header.Get("Location") + page
}

func TestAnswersThatStaffTypedStayWhenTheirSignInEnds(t *testing.T) {
	eachDialect(t, func(t *testing.T, dialect string) {
		d := openOn(t, dialect, Options{})
		modelstest.OpenCall(t, d.Fixture)
		olga := d.as(staff.Organizer)
		olga.get(d.at("/call/proposals/new"), 200)
		people := `[{"role":"speaker","name":"Ada Love"}]`
		address, _ := olga.post(d.at("/call/proposals/new"), url.Values{"title": {"Tides"}, "do": {"create"},
			"was_people": {people}}, 303)
		sent := olga.filledIn(address, map[string]string{"title": "Tides & moons"})
		d.Clock.Move(staff.LoginLifetime + time.Minute)
		page := olga.attach(address, sent, "q-none", "a.pdf", "%PDF-1.7", 401)
		wants(t, page, "You are signed out", "kept on this page", "readonly>Tides &amp; moons<")
		kept := entire(page)
		for name, values := range sent {
			if name != "_token" && !slices.Equal(kept[name], values) {
				t.Errorf("%s is kept as %q, was %q", name, kept[name], values)
			}
		}
	})
}

func TestStaffAddAProposalForSomebody(t *testing.T) {
	eachDialect(t, func(t *testing.T, dialect string) {
		d := openOn(t, dialect, Options{})
		begin := d.at("/call/proposals/new")
		if to := d.as(staff.Organizer).leads(begin); to != d.at("/call") { // there is no form yet
			t.Errorf("it leads to %s", to)
		}
		c := modelstest.OpenCall(t, d.Fixture)
		d.Clock.Move(30 * 24 * time.Hour)
		olga := d.as(staff.Organizer)
		d.as(staff.Reviewer).get(begin, 403)
		wants(t, olga.get(d.at("/submissions"), 200), begin, "Add a proposal for somebody")
		wants(t, olga.get(d.at("/call"), 200), begin)
		wants(t, olga.get(begin, 200), "Closed since", "Somebody new")
		_, page := olga.post(begin, url.Values{"title": {""}, "do": {"create"}}, 422)
		wants(t, page, "say whose proposal it is", "must not be empty")
		_, page = olga.post(begin, url.Values{"title": {"Tides <b>"}, "do": {"new"}, "new_name": {"Ada Love"},
			"new_email": {"ada@example.org"}}, 200) // without a script the page comes back with them
		wants(t, page, "Tides &lt;b&gt;", "Ada Love", "ada@example.org")
		people := `[{"role":"speaker","name":"Ada Love","email":"ada@example.org"}]`
		address, _ := olga.post(begin, url.Values{"title": {"Tides <b>"}, "do": {"create"}, "was_people": {people}}, 303)
		page = olga.get(address, 200)
		wants(t, page, "is a draft of theirs now", "The form of the call for Ada Love", "Closed since", "Submit for them",
			"Keep as draft", "What do people bring?", `type="file"`, "Only if you choose Workshop")
		lacks(t, page, "Submit as it is")
		id := strings.Split(strings.TrimPrefix(address, d.at("/sessions/")), "/")[0]
		record := d.at("/sessions/" + id)
		wants(t, olga.get(record, 200), "Draft of Ada Love", address, "Fill in the form")
		// Something is missing, and what was typed is kept all the same.
		sent := olga.filledIn(address, map[string]string{"help": "Money\nVisa"})
		sent.Set("do", "submit")
		_, page = olga.post(address, sent, 422)
		wants(t, page, "2 things before you can submit", "“Abstract” has no answer yet", "Submit as it is", "can stay a draft")
		wants(t, olga.get(record, 200), "Money, Visa", "not submitted")
		olga.post(record+"/call/submit", url.Values{"updated_at": {d.read(id).UpdatedAt.String()}}, 303)
		wants(t, olga.get(address+"?check=1", 200), "Submit as it is")
		sent = olga.filledIn(address, map[string]string{"description": "Water goes up", "format": c.Talk})
		sent.Set("do", "keep")
		wants(t, olga.follow(olga.post(address, sent, 303)), "Kept as a draft.", "Edit the answers")
		// The file comes with the press that submits.
		slides := d.form().Question("slides").Field()
		sent = olga.filledIn(address, nil)
		sent.Set("do", "submit")
		wants(t, olga.attach(address, sent, slides, "notes.exe", "MZ", 422), "must be one of these")
		sent = olga.filledIn(address, nil)
		sent.Set("do", "submit")
		if to := olga.attach(address, sent, slides, "tides.pdf", "%PDF-1.7 x", 303); to != record {
			t.Fatal(to)
		}
		wants(t, olga.get(record, 200), "It is submitted", "Submitted by Ada Love", ">tides.pdf</a>", "submitted it for its people")
		file := d.at("/sessions/" + id + "/answers/files/slides")
		if _, content := olga.do(httptest.NewRequest("GET", file, nil), 200); content != "%PDF-1.7 x" {
			t.Errorf("the file is %q", content)
		}
		lacks(t, d.as(staff.Reviewer).get(record, 200), "Edit the answers")
		if s := d.read(id); s.Status != models.Pending || s.Title != "Tides <b>" {
			t.Errorf("%+v", s)
		}
		olga.get("/admin/events/"+d.Other.ID+"/sessions/"+id+"/answers", 404)
		olga.get("/admin/events/"+d.Other.ID+"/sessions/"+id+"/answers/files/slides", 404)
	})
}

func TestTwoWhoEditAnswersAreToldApart(t *testing.T) {
	eachDialect(t, func(t *testing.T, dialect string) {
		d := openOn(t, dialect, Options{})
		c := modelstest.OpenCall(t, d.Fixture)
		pl, s := c.Begin(t, d.Fixture, "Ada", "Tides")
		olga, address := d.as(staff.Organizer), d.at("/sessions/"+s.ID+"/answers")
		sent := olga.filledIn(address, map[string]string{"title": "Mine", "help": "Visa"})
		_, _, err := pl.Save(t.Context(), c.Event, s.ID, cfp.Saving{Values: cfp.Values{"title": "Theirs", "format": c.Talk}})
		modelstest.Fine(t, err)
		_, page := olga.post(address, sent, 409)
		wants(t, page, "while you were editing", `value="Mine"`, `value="Theirs"`, "Title")
		lacks(t, page, "Abstract</legend>")
		if d.read(s.ID).Title != "Theirs" {
			t.Error("something was saved")
		}
		// What they alone changed stays theirs, once the clash is settled.
		help, title := d.form().Question("help").Field(), d.form().Question("title").Field()
		again := olga.sent("updated_at", help, "was_"+title)
		again.Set(title, "Mine")
		again.Set("format", c.Talk)
		wants(t, olga.follow(olga.post(address, again, 303)), "Kept as a draft.")
		now := modelstest.Must(cfp.Of(d.Programme()).Proposal(t.Context(), s.ID))(t)
		if now.Title != "Mine" || now.Values["format"] != c.Talk || now.Values["help"] != "Visa" {
			t.Errorf("%+v", now.Values)
		}
	})
}

func TestTheEditorLeavesAnswersToTheFormAlone(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	olga := d.as(staff.Organizer)
	c := modelstest.OpenCall(t, d.Fixture)
	s := modelstest.Must(d.Programme().CreateSession(t.Context(), models.NewSession{Title: "Tides", IsAbstract: true,
		SessionInput: models.SessionInput{FormatID: store.Some(c.Talk), CustomFields: &models.AnswersInput{
			{Key: "help", Value: "Money, Visa"}, {Key: "Diet", Value: "none"}}}}))(t)
	edit := d.at("/sessions/" + s.ID + "/edit")
	page := olga.get(edit, 200)
	wants(t, page, "What the call asks is answered", d.at("/sessions/"+s.ID+"/answers"), `value="Diet"`)
	lacks(t, page, "Money, Visa")
	form := olga.hidden("updated_at", "was_title", "was_description", "was_status", "was_custom_fields", "was_format_id")
	for name := range form {
		if bare, is := strings.CutPrefix(name, "was_"); is && bare != "custom_fields" {
			form.Set(bare, form.Get(name))
		}
	}
	form["answer_key"], form["answer_value"] = []string{"Diet"}, []string{"vegan"}
	olga.post(edit, form, 303)
	if got := d.read(s.ID).CustomFields; len(got) != 2 || got[0] != (models.Answer{Key: "help", Value: "Money, Visa"}) ||
		got[1] != (models.Answer{Key: "Diet", Value: "vegan"}) {
		t.Errorf("%+v", got)
	}
	wants(t, olga.get(d.at("/submissions/new"), 200), d.at("/call/proposals/new"))
	// Of a record without people, and where there is no call, the form and the editor stand in for each other.
	lacks(t, olga.get(d.at("/sessions/"+s.ID+"/answers"), 200), "Biography")
	other := modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Ebb", IsAbstract: true}))(t)
	base := "/admin/events/" + d.Other.ID + "/sessions/" + other.ID
	if to := olga.leads(base + "/answers"); to != base+"/edit" {
		t.Errorf("it leads to %s", to)
	}
}
