package admin

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

// form is the call's of the event under test.
func (d *desk) form() *cfp.Form {
	d.t.Helper()
	return modelstest.Must(cfp.Of(d.Programme()).Form(d.t.Context()))(d.t)
}

func TestACallIsStartedWithOnePress(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	viewer := d.as(staff.Viewer)
	lacks(t, viewer.get(d.at("/call"), 200), "Start a call")
	viewer.post(d.at("/call/start"), nil, 403)
	b := d.as(staff.Organizer)
	wants(t, b.get(d.at("/call"), 200), "No call for papers yet", "Start a call")
	b.get(d.at("/call/texts"), 303)
	page := b.follow(b.post(d.at("/call/start"), nil, 303))
	wants(t, page, "Your session", "Have you given this talk before?", "Not open yet.", "6 questions")
	lacks(t, viewer.get(d.at("/call"), 200), "Add a question", "Remove")
	wants(t, viewer.get(d.at("/call/preview"), 200), "Have you given this talk before?")
	wants(t, viewer.get(d.at("/activity"), 200), "the call for papers of")
}

// filled is a form of a question as a browser would send it.
func filled(label string, more url.Values) url.Values {
	form := url.Values{"label": {label}, "type": {"text"}, "required": {"no"}, "seen_by": {"reviewers"}, "unit": {"words"}}
	for name, values := range more {
		form[name] = values
	}
	return form
}

func TestAQuestionIsAddedWithChoicesAndACondition(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	modelstest.Must(d.Programme().CreateMetadata(t.Context(), models.Formats, models.NewMetadata{Name: "Workshop"}))(t)
	b := d.as(staff.Organizer)
	b.get(d.at("/call"), 200)
	b.post(d.at("/call/start"), nil, 303)
	part, format := d.form().Parts[1].ID, d.form().Question("format")
	workshop := d.form().Offered(format)[0].Value
	wants(t, b.get(d.at("/call/questions/new?part="+part), 200), "Workshop", "One of several choices")
	choice := filled("Size", url.Values{"part": {part}, "type": {"choice"}, "choice": {"S", " M ", "", "L"},
		"choice_note": {"Small", "", "", ""}, "choice_limit": {"", "3", "", ""}, "formats": {workshop}})
	b.post(d.at("/call/questions/new"), choice, 303)
	q := d.form().Question("size")
	if q.Type != field.Choice || len(q.Options) != 3 || q.Options[1].Value != "M" || q.Options[1].Limit != 3 ||
		q.Options[0].Note != "Small" || len(q.AskedIf.Formats) != 1 {
		t.Fatalf("%+v", q)
	}
	b.get(d.at("/call/questions/new?part="+part), 200)
	_, page := b.post(d.at("/call/questions/new"), filled("", url.Values{"part": {part}, "type": {"choices"},
		"choice": {"a, b", "c"}, "limit": {"ten"}, "after": {"size\tS", "nothing\tX"}}), 422)
	wants(t, page, `value="c"`, `value="a, b"`, "two questions")
	_, page = b.post(d.at("/call/questions/new"), filled("<script>", url.Values{"part": {part}, "type": {"choices"},
		"choice": {"one", "two"}, "do": {"more"}}), 200)
	wants(t, page, `value="one"`, "Choice 6", "&lt;script&gt;")
	after := filled("Fits?", url.Values{"part": {part}, "type": {"yes_no"}, "after": {"size\tS", "size\tL"},
		"key": {"it fits"}})
	b.post(d.at("/call/questions/new"), after, 303)
	wants(t, b.get(d.at("/call"), 200), "you answer “S or L” to “Size”", "Only if you choose Workshop")
	page = b.get(d.at("/call/preview"), 200)
	wants(t, page, "Only if you choose Workshop", "Fits?", "data-if=")
}

func TestChoicesAreOrderedByButtonAndByPosition(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	b.get(d.at("/call"), 200)
	b.post(d.at("/call/start"), nil, 303)
	part := d.form().Parts[1].ID
	b.get(d.at("/call/questions/new"), 200)
	rows := func(more url.Values) url.Values {
		form := filled("Size", url.Values{"part": {part}, "type": {"choice"}, "choice": {"S", "", "M", "L", "XL", ""},
			"choice_note": {"small", "", "", "", "huge", ""}, "choice_limit": {"", "", "3", "", "", ""},
			"choice_at": {"1", "2", "3", "4", "5", "6"}})
		for name, values := range more {
			form[name] = values
		}
		return form
	}
	order := regexp.MustCompile(`name="choice" value="([^"]+)"`)
	shown := func(page string) (all string) {
		for _, m := range order.FindAllStringSubmatch(page, -1) {
			all += m[1] + " "
		}
		return all
	}
	for _, c := range []struct{ do, positions, want string }{
		{"up:3", "", "M S L XL "}, // past the empty row
		{"up:1", "", "S M L XL "}, {"down:5", "", "S M L XL "}, {"down:4", "", "S M XL L "}, {"up:x", "", "S M L XL "},
		{"order", "1 2 3 4 1 6", "XL S M L "}, {"order", "9 2 3 4 5 6", "M L XL S "}, {"order", "4 2 1 4 5 6", "M L XL S "},
		{"order", "1 2 x 4 -1 6", "XL S M L "}, {"up:4", "5 2 3 4 5 6", "L M XL S "},
	} {
		more := url.Values{"do": {c.do}}
		if c.positions != "" {
			more["choice_at"] = strings.Fields(c.positions)
		}
		_, page := b.post(d.at("/call/questions/new"), rows(more), 200)
		if got := shown(page); got != c.want {
			t.Errorf("%s %s: %s, not %s", c.do, c.positions, got, c.want)
		}
	}
	b.post(d.at("/call/questions/new"), rows(url.Values{"choice_at": {"1", "2", "3", "4", "1", "6"}}), 303)
	q := d.form().Question("size")
	if got := fmt.Sprint(q.Options); got != "[{XL huge 0 []} {S small 0 []} {M  3 []} {L  0 []}]" {
		t.Errorf("%+v", q.Options)
	}
	wants(t, b.get(d.at("/call/questions/"+q.ID), 200), "data-sortable", `data-again="order-choices"`, "Order by number",
		`aria-label="Move choice 1 up"`)
}

func TestAQuestionMovesIsTakenOutAndComesBack(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	b.get(d.at("/call"), 200)
	b.post(d.at("/call/start"), nil, 303)
	q, part := d.form().Question("biography"), d.form().Parts[0].ID
	address := d.at("/call/questions/" + q.ID)
	b.get(d.at("/call"), 200)
	wants(t, b.follow(b.post(address+"/move", url.Values{"position": {"1"}, "to": {part}}, 303)),
		"is number 1 of 5 now", "Undo")
	if d.form().Parts[0].Questions[0].Key != "biography" {
		t.Error("it did not move")
	}
	wants(t, b.get(address+"/remove", 200), "Stop asking", "brought back")
	wants(t, b.follow(b.post(address+"/remove", nil, 303)), "is no longer asked", "About you")
	b.follow(b.post(d.at("/call/ask"), url.Values{"standard": {"biography"}}, 303))
	b.follow(b.post(d.at("/call/parts"), url.Values{"title": {"Practical"}}, 303))
	form := d.form()
	if len(form.Parts) != 3 || form.Question("biography") == nil {
		t.Fatal(len(form.Parts))
	}
	b.follow(b.post(d.at("/call/parts/"+form.Parts[2].ID+"/move"), url.Values{"step": {"1"}}, 303))
	b.get(d.at("/call/parts/"+form.Parts[2].ID+"/remove"), 200)
	b.follow(b.post(d.at("/call/parts/"+form.Parts[2].ID+"/remove"), nil, 303))
	if len(d.form().Parts) != 2 {
		t.Error("the part is still there")
	}
	other := modelstest.Must(d.EventBy(t.Context(), d.Other.ID))(t)
	b.get("/admin/events/"+other.ID+"/call/questions/"+q.ID, 404)
}

func TestTwoEditsOfOneQuestionAreToldApart(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	b.get(d.at("/call"), 200)
	b.post(d.at("/call/start"), nil, 303)
	q := d.form().Question("description")
	address := d.at("/call/questions/" + q.ID)
	b.get(address, 200)
	old := b.hidden("updated_at", "was_label", "was_help", "was_type", "was_part", "was_required", "was_limit",
		"was_unit", "was_seen_by", "was_asked_of", "was_is_open",
		"was_options", "was_kinds", "was_size", "was_formats", "was_tracks", "was_after")
	edit := func(more url.Values) url.Values {
		form := filled("Abstract", url.Values{"part": {*q.PartID}, "type": {"long_text"}, "required": {"yes"},
			"limit": {"300"}, "asked_of": {"proposal"},
			"help": {old.Get("was_help")}})
		for name, values := range old {
			form[name] = values
		}
		for name, values := range more {
			form[name] = values
		}
		return form
	}
	// Somebody changes another question meanwhile: the token is old, but nothing of this one.
	title := d.form().Question("title")
	in := cfp.InputOf(title)
	in.Help = "Short"
	modelstest.Must(cfp.Of(d.Programme()).ChangeQuestion(t.Context(), title.ID, in, nil))(t)
	b.post(address, edit(url.Values{"help": {"Mine"}}), 303)
	b.get(address, 200)
	_, page := b.post(address, edit(url.Values{"help": {"Theirs"}, "limit": {"200"}}), 409)
	wants(t, page, "while you were editing", "Mine", "Theirs")
	if got := d.form().Question("description"); got.Help != "Mine" || *got.MaxWords != 300 {
		t.Errorf("%+v", got)
	}
}

func TestTextsAndLimitsAreSaved(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	b.get(d.at("/call"), 200)
	b.post(d.at("/call/start"), nil, 303)
	b.get(d.at("/call/texts"), 200)
	form := b.hidden("updated_at", "was_heading", "was_max_speakers")
	for name, value := range map[string]string{"heading": "Come and speak", "welcome": "<p>Hi</p><script>x</script>",
		"max_speakers": "4", "max_total": "many"} {
		form.Set(name, value)
	}
	_, page := b.post(d.at("/call/texts"), form, 422)
	wants(t, page, `value="Come and speak"`, "must be a whole number")
	form.Set("max_total", "300")
	wants(t, b.follow(b.post(d.at("/call/texts"), form, 303)), "Texts and limits are saved.")
	if got := d.form(); got.Welcome != "<p>Hi</p>" || *got.MaxTotal != 300 || got.MaxSpeakers != 4 {
		t.Errorf("%+v", got.Settings)
	}
	_, page = b.post(d.at("/call/texts"), form, 409)
	wants(t, page, "while you were editing")
}

func TestCodesAreMadeAndEnded(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	b.get(d.at("/call"), 200)
	b.post(d.at("/call/start"), nil, 303)
	d.as(staff.Viewer).get(d.at("/call/codes"), 403)
	wants(t, b.get(d.at("/call/codes"), 200), "No access codes yet")
	page := b.follow(b.post(d.at("/call/codes"), url.Values{"code": {"KEYNOTE-1"}, "note": {"Ana"},
		"max_uses": {"2"}}, 303))
	wants(t, page, "KEYNOTE-1", "0 of 2", "/events/"+d.Event.Slug+"/call?code=KEYNOTE-1")
	codes := modelstest.Must(cfp.Of(d.Programme()).Codes(t.Context()))(t)
	address := d.at("/call/codes/" + codes[0].ID)
	b.get(address, 200)
	form := b.hidden("updated_at", "was_note", "was_max_uses", "was_expires_at")
	form.Set("note", "Ana and Bo")
	form.Set("max_uses", "3")
	wants(t, b.follow(b.post(address, form, 303)), "Ana and Bo", "0 of 3")
	form.Set("note", "Nobody")
	b.post(address, form, 409)
	b.get(d.at("/call/codes"), 200)
	wants(t, b.follow(b.post(address+"/end", nil, 303)), "Ended ")
}

func TestAFormOfAnotherEventIsCopied(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	other := d.Elsewhere()
	modelstest.Must(other.CreateMetadata(t.Context(), models.Formats, models.NewMetadata{Name: "Night walk"}))(t)
	modelstest.Fine(t, cfp.Of(other).Start(t.Context()))
	theirs := modelstest.Must(cfp.Of(d.Elsewhere()).Form(t.Context()))(t)
	in := cfp.InputOf(theirs.Question("format"))
	in.Options = []cfp.Choice{{Value: theirs.Offered(theirs.Question("format"))[0].Value}}
	modelstest.Must(cfp.Of(d.Elsewhere()).ChangeQuestion(t.Context(), theirs.Question("format").ID, in, nil))(t)
	b := d.as(staff.Organizer)
	wants(t, b.get(d.at("/call/copy"), 200), d.Other.Name)
	b.post(d.at("/call/copy"), url.Values{"from": {d.Event.ID}}, 404)
	b.get(d.at("/call/copy"), 200)
	page := b.follow(b.post(d.at("/call/copy"), url.Values{"from": {d.Other.ID}}, 303))
	if !strings.Contains(page, "6 questions are here now") || !strings.Contains(page,
		"does not have the format “Night walk”") {
		wants(t, page, "6 questions are here now", "does not have the format “Night walk”")
	}
}
