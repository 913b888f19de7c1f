package sessions_test

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestAnswersThatStaffTypedStayWhenTheirSignInEnds(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		modelstest.OpenCall(t, d.Fixture)
		olga := d.As(staff.Organizer)
		olga.Vouches = true
		olga.Get(d.At("/call/proposals/new"), 200)
		people := `[{"role":"speaker","name":"Ada Love"}]`
		address, _ := olga.Post(d.At("/call/proposals/new"), url.Values{"title": {"Tides"}, "do": {"create"},
			"was_people": {people}}, 303)
		sent := olga.FilledIn(address, map[string]string{"title": "Tides & moons"})
		d.Clock.Move(staff.LoginLifetime + time.Minute)
		_, page := olga.SendFile(address, sent, "q-none", "a.pdf", "%PDF-1.7", 401)
		admintest.Wants(t, page, "You are signed out", "kept on this page", "readonly>Tides &amp; moons<")
		kept := admintest.Entire(page)
		for name, values := range sent {
			if name != "_token" && !slices.Equal(kept[name], values) {
				t.Errorf("%s is kept as %q, was %q", name, kept[name], values)
			}
		}
	})
}

func TestStaffAddAProposalForSomebody(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		begin := d.At("/call/proposals/new")
		if to := d.As(staff.Organizer).Leads(begin); to != d.At("/call") { // there is no form yet
			t.Errorf("it leads to %s", to)
		}
		c := modelstest.OpenCall(t, d.Fixture)
		d.Clock.Move(30 * 24 * time.Hour)
		olga := d.As(staff.Organizer)
		d.As(staff.Reviewer).Get(begin, 403)
		admintest.Wants(t, olga.Get(d.At("/submissions"), 200), begin, "Add a proposal for somebody",
			"A proposal answers what the call asks, for somebody; a new submission is noted down without that.")
		admintest.Wants(t, olga.Get(d.At("/call"), 200), begin)
		admintest.Wants(t, olga.Get(begin, 200), "Closed since", "Somebody new")
		_, page := olga.Post(begin, url.Values{"title": {""}, "do": {"create"}}, 422)
		admintest.Wants(t, page, "say whose proposal it is", "must not be empty")
		_, page = olga.Post(begin, url.Values{"title": {"Tides <b>"}, "do": {"new"}, "new_name": {"Ada Love"},
			"new_email": {"ada@example.org"}}, 200) // without a script the page comes back with them
		admintest.Wants(t, page, "Tides &lt;b&gt;", "Ada Love", "ada@example.org")
		people := `[{"role":"speaker","name":"Ada Love","email":"ada@example.org"}]`
		address, _ := olga.Post(begin, url.Values{"title": {"Tides <b>"}, "do": {"create"}, "was_people": {people}}, 303)
		page = olga.Get(address, 200)
		admintest.Wants(t, page, "is a draft of theirs now", "The form of the call for Ada Love", "Closed since",
			"Submit for them", "Keep as draft", "What do people bring?", `type="file"`, "Only if you choose Workshop")
		admintest.Lacks(t, page, "Submit as it is")
		id := strings.Split(strings.TrimPrefix(address, d.At("/sessions/")), "/")[0]
		record := d.At("/sessions/" + id)
		admintest.Wants(t, olga.Get(record, 200), "Draft of Ada Love", address, "Fill in the form")
		// Something is missing, and what was typed is kept all the same.
		sent := admintest.Fill(olga.FilledIn(address, map[string]string{"help": "Money\nVisa"}), "do", "submit")
		admintest.Wants(t, olga.Answer(address, sent, 422), "2 things before you can submit", "“Abstract” has no answer yet",
			"Submit as it is", "can stay a draft")
		admintest.Wants(t, olga.Get(record, 200), "Money, Visa", "not submitted")
		olga.Post(record+"/call/submit", url.Values{"updated_at": {d.Read(id).UpdatedAt.String()}}, 303)
		admintest.Wants(t, olga.Get(address+"?check=1", 200), "Submit as it is")
		sent = olga.FilledIn(address, map[string]string{"description": "Water goes up", "format": c.Talk})
		sent.Set("do", "keep")
		admintest.Wants(t, olga.Follow(olga.Post(address, sent, 303)), "Kept as a draft.", "Edit the answers")
		// The file comes with the press that submits.
		slides := d.Form().Question("slides").Field()
		sent = admintest.Fill(olga.FilledIn(address, nil), "do", "submit")
		_, page = olga.SendFile(address, sent, slides, "notes.exe", "MZ", 422)
		admintest.Wants(t, page, "must be one of these")
		sent = admintest.Fill(olga.FilledIn(address, nil), "do", "submit")
		to, _ := olga.SendFile(address, sent, slides, "tides.pdf", "%PDF-1.7 x", 303)
		modelstest.Want(t, "it leads to", to, record)
		admintest.Wants(t, olga.Get(record, 200), "It is submitted", "Submitted by Ada Love", ">tides.pdf</a>",
			"submitted it for its people")
		file := d.At("/sessions/" + id + "/answers/files/slides")
		if _, content := olga.Do(httptest.NewRequest("GET", file, nil), 200); content != "%PDF-1.7 x" {
			t.Errorf("the file is %q", content)
		}
		admintest.Lacks(t, d.As(staff.Reviewer).Get(record, 200), "Edit the answers")
		if s := d.Read(id); s.Status != models.Pending || s.Title != "Tides <b>" {
			t.Errorf("%+v", s)
		}
	})
}

func TestTwoWhoEditAnswersAreToldApart(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		c := modelstest.OpenCall(t, d.Fixture)
		pl, s := c.Begin(t, d.Fixture, "Ada", "Tides")
		olga, address := d.As(staff.Organizer), d.At("/sessions/"+s.ID+"/answers")
		sent := olga.FilledIn(address, map[string]string{"title": "Mine", "help": "Visa"})
		modelstest.First(pl.Save(t.Context(), c.Event, s.ID, call.Saving{Values: call.Values{"title": "Theirs",
			"format": c.Talk}}))(t)
		_, page := olga.Post(address, sent, 409)
		admintest.Wants(t, page, "while you were editing", `value="Mine"`, `value="Theirs"`, "Title")
		admintest.Lacks(t, page, "Abstract</legend>")
		modelstest.Want(t, "something was saved", d.Read(s.ID).Title, "Theirs")
		// What they alone changed stays theirs, once the clash is settled.
		help, title := d.Form().Question("help").Field(), d.Form().Question("title").Field()
		again := admintest.Fill(olga.Hidden("updated_at", help, "was_"+title), title, "Mine", "format", c.Talk)
		admintest.Wants(t, olga.Follow(olga.Post(address, again, 303)), "Kept as a draft.")
		now := modelstest.Must(call.Of(d.Programme()).Proposal(t.Context(), s.ID))(t)
		if now.Title != "Mine" || now.Values["format"] != c.Talk || now.Values["help"] != "Visa" {
			t.Errorf("%+v", now.Values)
		}
	})
}

func TestTheEditorLeavesAnswersToTheFormAlone(t *testing.T) {
	d, olga := admintest.OpenAs(t, staff.Organizer)
	c := modelstest.OpenCall(t, d.Fixture)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true,
		SessionInput: models.SessionInput{FormatID: store.Some(c.Talk), CustomFields: &models.AnswersInput{
			{Key: "help", Value: "Money, Visa"}, {Key: "Diet", Value: "none"}}}})
	edit := d.At("/sessions/" + s.ID + "/edit")
	page := olga.Get(edit, 200)
	admintest.Wants(t, page, "What the call asks is answered", d.At("/sessions/"+s.ID+"/answers"), `value="Diet"`)
	admintest.Lacks(t, page, "Money, Visa")
	form := olga.Hidden("updated_at", "was_title", "was_description", "was_status", "was_custom_fields", "was_format_id")
	for name := range form {
		if bare, is := strings.CutPrefix(name, "was_"); is && bare != "custom_fields" {
			form.Set(bare, form.Get(name))
		}
	}
	form["answer_key"], form["answer_value"] = []string{"Diet"}, []string{"vegan"}
	olga.Post(edit, form, 303)
	if got := d.Read(s.ID).CustomFields; len(got) != 2 || got[0] != (models.Answer{Key: "help", Value: "Money, Visa"}) ||
		got[1] != (models.Answer{Key: "Diet", Value: "vegan"}) {
		t.Errorf("%+v", got)
	}
	admintest.Wants(t, olga.Get(d.At("/submissions/new"), 200), d.At("/call/proposals/new"))
	// Of a record without people, and where there is no call, the form and the editor stand in for each other.
	admintest.Lacks(t, olga.Get(d.At("/sessions/"+s.ID+"/answers"), 200), "Biography")
	other := d.Foreign(models.NewSession{Title: "Ebb", IsAbstract: true})
	base := "/admin/events/" + d.Other.ID + "/sessions/" + other.ID
	modelstest.Want(t, "it leads to", olga.Leads(base+"/answers"), base+"/edit")
}

// TestFilesOfAnswersOpenToWhoSeesTheAnswer opens the file of an answer from the record and from a round without names,
// as everybody who may, and as those from whom it is hidden.
func TestFilesOfAnswersOpenToWhoSeesTheAnswer(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, true)
		ctx, c := t.Context(), modelstest.OpenCall(t, d.Fixture)
		pl, s := c.Begin(t, d.Fixture, "Li", "Ebb")
		modelstest.Must(pl.AttachFile(ctx, c.Event, s.ID, "slides", models.Upload{Name: "ebb & flow.pdf",
			Content: []byte("%PDF-1.7 ebb")}))(t)
		pending := models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Pending)}}
		modelstest.Must(d.Programme().UpdateSession(ctx, s.ID, pending))(t)
		modelstest.Fine(t, reviews.Of(d.Programme()).AssignTo(ctx, d.Round, s.ID, []string{d.Reviewer}))
		rea := d.As(staff.Reviewer)
		record, sheet := d.At("/sessions/"+s.ID), d.Queue("/"+s.ID)
		ofRecord, ofSheet := record+"/answers/files/slides", sheet+"/files/slides"
		seenBy := func(who call.Audience) {
			t.Helper()
			modelstest.Fine(t, d.Store.Write(ctx, func(tx *store.Tx) error {
				return tx.Model(&call.Question{}).Where("event_id = ? AND key = ?", d.Event.ID, "slides").
					UpdateColumn("seen_by", who).Error
			}))
		}
		opens := func(b *admintest.Browser, page, file string, status int) {
			t.Helper()
			shown, sent := "ebb &amp; flow.pdf", "\"ebb & flow.pdf\""
			if b == d.Ada { // who sees no names sees none of files either
				shown, sent = "File 1", "file-1.pdf"
				admintest.Lacks(t, b.Get(page, 200), "ebb &amp; flow")
			}
			if status != 200 {
				admintest.Lacks(t, b.Get(page, 200), "ebb &amp; flow.pdf", file)
				b.Get(file, status)
				return
			}
			admintest.Wants(t, b.Get(page, 200), `href="`+file+`"`, ">"+shown+"</a>")
			res, content := b.Do(httptest.NewRequest("GET", file, nil), 200)
			if h := res.Header; content != "%PDF-1.7 ebb" || h.Get("X-Content-Type-Options") != "nosniff" ||
				h.Get("Content-Disposition") != "attachment; filename="+sent {
				t.Errorf("%q as %v", content, h)
			}
		}
		for who, status := range map[call.Audience][2]int{
			call.Reviewers: {200, 200}, call.OpenRounds: {200, 404}, call.StaffOnly: {404, 404},
		} {
			seenBy(who)
			opens(d.Olga, record, ofRecord, 200)
			opens(rea, record, ofRecord, status[0])
			opens(d.Ada, sheet, ofSheet, status[1])
			d.Ada.Get(ofRecord, 404) // what is not assigned to who reviews in rounds alone
		}
		// Whatever else who sees no names may open, the name of the file stands nowhere.
		seenBy(call.Reviewers)
		ids := d.IDs(":id", s.ID, ":contact", pl.ContactID(), ":key", "slides")
		for at := range d.Ada.EveryPage(ids, "", "?q=flow.pdf", "?q=ebb") {
			if page := at.Page + fmt.Sprint(at.Header); admintest.HasAny(page, "ebb &amp; flow", "ebb & flow") {
				t.Errorf("%s tells the name of a file:\n%s", at.Address, admintest.Body(page))
			}
		}
		modelstest.Fine(t, reviews.Of(d.Programme()).Identify(ctx, []string{"slides"}))
		opens(d.Ada, sheet, ofSheet, 404)
		opens(rea, record, ofRecord, 200)
		rea.Get(ofSheet, 404) // who is not on the round
		rea.Get("/admin/events/"+d.Other.ID+"/sessions/"+s.ID+"/answers/files/slides", 404)
	})
}

func TestStaffLookAfterAProposalOnItsRecord(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		pl, begun := modelstest.OpenCall(t, d.Fixture).Begin(t, d.Fixture, "Nomvula Dlamini", "Moving ledgers")
		id, who := begun.ID, pl.ContactID()
		olga, rea := d.As(staff.Organizer), d.As(staff.Reviewer)
		record := d.At("/sessions/" + id)
		admintest.Wants(t, olga.Get(record, 200), "Draft of Nomvula Dlamini", "not submitted", "address is not confirmed")
		for _, verb := range []string{"lock", "reopen", "extend", "submit", "take-up", "invite", "link", "answer"} {
			rea.Post(record+"/call/"+verb, url.Values{"contact": {who}, "updated_at": {begun.UpdatedAt.String()}}, 403)
		}
		rea.Get(record, 404) // a draft
		olga.Post(record+"/call/lock", url.Values{"lock": {"yes"}}, 303)
		admintest.Wants(t, olga.Get(record, 200), "Unlock", "its people cannot change it", "locked it for its people")
		olga.Post(record+"/call/reopen", url.Values{"until": {"2020-01-01T10:00"}}, 303)
		admintest.Wants(t, olga.Get(record, 200), "is past already")
		olga.Post(record+"/call/reopen", url.Values{"until": {"2027-03-01T23:59"}}, 303)
		admintest.Wants(t, olga.Get(record, 200), "For its people until", "Lock", "reopened it for its people")
		olga.Post(record+"/call/extend", url.Values{"contact": {who}, "until-" + who: {"2027-03-02T10:00"}}, 303)
		admintest.Wants(t, olga.Get(record, 200), "May write until")
		olga.Post(record+"/call/submit", url.Values{"updated_at": {"2020-01-01T00:00:00.000Z"}}, 303)
		admintest.Wants(t, olga.Get(record, 200), "Somebody changed it since", "not submitted")
		to, _ := olga.Post(record+"/call/submit", url.Values{"updated_at": {d.Read(id).UpdatedAt.String()}}, 303)
		admintest.Wants(t, olga.Get(to, 200), "before you can submit", "Submit as it is") // much is missing
		sent := admintest.Fill(olga.FilledIn(to, nil), "do", "as-it-is")
		olga.Post(record+"/answers", sent, 303)
		admintest.Wants(t, olga.Get(record, 200), "It is submitted", "Submitted by Nomvula Dlamini")
		admintest.Lacks(t, rea.Get(record, 200), "/call/")
		olga.Post(record+"/call/submit", url.Values{"updated_at": {d.Read(id).UpdatedAt.String()}}, 303)
		admintest.Wants(t, olga.Get(record, 200), "is no draft any more")
		olga.Post(record+"/call/invite", url.Values{"contact": {who}}, 303)
		rows := modelstest.First(letters.Of(d.Programme()).LettersIn(t.Context(), letters.QueuedLetters,
			letters.Choice{Kind: models.LetterCall}, store.Page{}))(t)
		if len(rows) != 2 || rows[0].Email != "Nomvula.Dlamini@example.org" || rows[1].Email != rows[0].Email {
			t.Errorf("%d letters: %+v", len(rows), rows)
		}
		_, page := olga.Post(record+"/call/link", url.Values{"contact": {who}}, 200)
		admintest.Wants(t, page, "http://127.0.0.1/events/", "/place/link/", "for 14 days")
		location, _ := olga.Post(record+"/call/answer", url.Values{}, 303)
		admintest.Wants(t, olga.Get(location, 200), "about “Moving ledgers” (A-1)", "Dear {{first_name}}")
		olga.Post(record+"/call/invite", url.Values{"contact": {store.NewID()}}, 404)
		olga.Post(d.At("/sessions/"+store.NewID()+"/call/lock"), url.Values{"lock": {"yes"}}, 404)
	})
}
