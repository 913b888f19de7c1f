package call

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/models/tasks"
)

const tasksAt = placeAt + "/tasks"

// cast is an event whose call took a talk of Ada and one of Bo, who have tasks.
type cast struct {
	*stand
	desk   *tasks.Tasks
	ada    *browser
	talk   *models.Session // of Ada
	adaID  string
	bo     *browser
	shared string // the id of Bo's talk
}

func newCast(t *testing.T, f *modelstest.Fixture) *cast {
	c := &cast{stand: openOn(t, f), desk: tasks.Of(f.Programme())}
	var at, boAt string
	c.ada, at = c.begun("ada")
	c.bo, boAt = c.begun("bo")
	c.talk = c.session(t, at)
	c.adaID, c.shared = c.talk.Participants[0].ContactID, c.session(t, boAt).ID
	for _, id := range []string{c.talk.ID, c.shared} {
		modelstest.SetStatus(t, f.Programme(), id, models.Accepted)
	}
	return c
}

func (c *cast) define(ch tasks.Change) *tasks.Task {
	c.t.Helper()
	return modelstest.Must(c.desk.Create(c.t.Context(), ch))(c.t)
}

func (c *cast) slides() (*tasks.Task, string) {
	s := c.define(tasks.Change{Title: new("Your slides"), Instructions: new("Large type, please."), Kind: new(tasks.File),
		AskedOf: new(tasks.OfSession), FileKinds: &[]call.FileKind{"pdf"}, MaxBytes: new(new(1 << 20)),
		DueAt: new(new(store.At(c.Clock.Now().Add(24 * time.Hour))))})
	return s, tasksAt + "/" + s.ID + "/" + c.talk.ID
}

func TestAPlaceListsItsTasksWhatIsDueFirst(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := newCast(t, f)
		asked := strings.Join(f.Statement.During(func() { c.ada.get(placeAt, 200) }), "\n")
		lacks(t, c.ada.page, "place/tasks")
		if n := strings.Count(asked, "tasks"); n != 1 || strings.Contains(asked, "deliverables") {
			t.Errorf("a place without tasks asks %d times for them", n)
		}
		wants(t, c.ada.get(tasksAt, 200), "Nothing to do")

		c.slides()
		photo := c.define(tasks.Change{Title: new("Photo and biography"), Kind: new(tasks.Tick)})
		c.define(tasks.Change{Title: new("Recording"), Kind: new(tasks.Link)})
		page := c.ada.get(placeAt, 200)
		wants(t, page, "Tasks (3)", "3 of 3 open", "Due tomorrow,", "For", "Tides", "PDF, up to 1 MB", "A link")
		if strings.Index(page, "Your slides") > strings.Index(page, "Photo and biography") {
			t.Error("what is due does not stand first")
		}
		at := tasksAt + "/" + photo.ID + "/" + c.adaID
		wants(t, c.ada.get(at, 200), "I have done this", `aria-current="page">Tasks (3)`)
		wants(t, c.ada.follow(c.ada.post(at, url.Values{"do": {"tick"}}, 303)), "It is kept that you have done this.",
			"Not done after all", "Tasks (2)", "Done 21 November.")
		wants(t, c.ada.get(tasksAt, 200), "2 of 3 open", "Done 21 November.")
		if page := c.ada.page; strings.Index(page, "Photo and biography") < strings.Index(page, "Recording") {
			t.Error("what is done stands before what is open")
		}
		c.ada.on(at).post(at, url.Values{"do": {"untick"}}, 303)
		wants(t, c.ada.get(tasksAt, 200), "3 of 3 open")

		c.bo.get(at, 404)
		c.bo.get(tasksAt, 200)
		lacks(t, c.bo.page, c.talk.ID, c.adaID)
		for _, do := range []string{"tick", "link", "comment"} {
			c.bo.get(tasksAt, 200)
			c.bo.on(placeAt+"/profile").post(at, url.Values{"do": {do}, "text": {"Mine"}}, 404)
		}
		c.ada.on(at).post(at, url.Values{"do": {"forged"}}, 400)
		c.ada.get(tasksAt+"/x/y", 404)
		c.browser().get(tasksAt, 303)
	})
}

func TestASpeakerHandsInVersionsOfAFile(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := newCast(t, f)
		slides, at := c.slides()
		wants(t, c.ada.get(at, 200), "Due tomorrow,", "Large type, please.", "PDF, up to 1 MB", "checked by its content",
			`accept=".pdf"`, "/static/upload.js", "Tides")
		do := func() url.Values { return url.Values{"do": {"upload"}} }
		to, _ := c.ada.send(at, do(), "file", "first.pdf", "%PDF-1.7 one", 303)
		wants(t, c.ada.get(to, 200), "Handed in. Thank you.", "first.pdf", "Latest", "21 November 2026, ",
			"<bdi>ada</bdi>, 1 KB", "Handed in 21 November. The organizers look at it next.")
		c.Clock.Move(time.Minute)
		c.ada.send(at, do(), "file", "second.pdf", "%PDF-1.7 two", 303)
		page := c.ada.get(at, 200)
		if strings.Count(page, "Latest") != 1 || strings.Index(page, "Latest") > strings.Index(page, "first.pdf") ||
			strings.Index(page, "second.pdf") > strings.Index(page, "Latest") {
			t.Error("the last one is not marked as the latest")
		}
		versions := modelstest.Must(c.desk.One(t.Context(), slides.ID, c.talk.ID))(t).Versions
		res, body := c.ada.do(httptest.NewRequest("GET", at+"/versions/"+versions[1].ID, nil), 200)
		if body != "%PDF-1.7 one" || !strings.HasPrefix(res.Header.Get("Content-Disposition"), "attachment") {
			t.Errorf("sent is %q, %v", body, res.Header)
		}
		c.bo.get(at+"/versions/"+versions[1].ID, 404)
		c.ada.get(at+"/versions/"+store.NewID(), 404)

		modelstest.Fine(t, c.desk.Decide(t.Context(), slides.ID, c.talk.ID, tasks.Ask, "Larger type on page 4.", nil))
		wants(t, c.ada.get(at, 200), "Please change this", "Larger type on page 4.", "Due tomorrow,", "Organizer")
		wants(t, c.ada.get(tasksAt, 200), "The organizers ask for a change.")
		c.ada.on(at).post(at, url.Values{"do": {"comment"}, "text": {" "}}, 422)
		c.ada.on(at).post(at, url.Values{"do": {"comment"}, "text": {"Done, <b>larger</b>."}}, 303)
		c.ada.post(at, url.Values{"do": {"comment"}, "text": {"Done, <b>larger</b>."}}, 303) // a double click
		modelstest.Want(t, "a comment that was sent twice does not stand there once",
			strings.Count(c.ada.get(at, 200), "Done, &lt;b&gt;larger&lt;/b&gt;."), 1)
		modelstest.Fine(t, c.desk.Decide(t.Context(), slides.ID, c.talk.ID, tasks.Approve, "", nil))
		wants(t, c.ada.get(at, 200), "Approved 21 November. Nothing is left for you to do here.", "second.pdf")
		lacks(t, c.ada.page, `type="file"`, "Larger type on page 4.</p>\n<p class=\"meta\">Please")
		wants(t, shown(c.ada.send(at, do(), "file", "third.pdf", "%PDF-1.7 three", 422)),
			"This task was approved, so nothing of it changes.")
		modelstest.Want(t, "rows of files", modelstest.RowsOf(t, f, "SELECT count(*) FROM files"), 2)
	})
}

func TestARefusedFileLeavesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := newCast(t, f)
		_, at := c.slides()
		c.ada.get(at, 200)
		do := func() url.Values { return url.Values{"do": {"upload"}} }
		c.ada.send(at, do(), "file", "kept.pdf", "%PDF-1.7", 303)
		for name, refused := range map[string]struct{ content, says string }{
			"slides.pdf": {"PK\x03\x04 a ZIP archive", "is called .pdf, but its content is something else"},
			"slides.exe": {"MZ", "must be one of these: .pdf"},
			"empty.pdf":  {"", "is an empty file"},
			"large.pdf":  {"%PDF-1.7" + strings.Repeat("x", 1<<20), "is larger than 1 MB"},
		} {
			wants(t, shown(c.ada.on(at).send(at, do(), "file", name, refused.content, 422)),
				"<bdi>"+name+"</bdi> was not taken", "The file "+refused.says, "is untouched", "kept.pdf",
				"<title>Error: Your slides")
		}
		wants(t, shown(c.ada.on(at).send(at, do(), "file", "huge.pdf", "%PDF-1.7"+strings.Repeat("x", 25<<20), 422)),
			"The file was not taken", "is larger than 1 MB", "is untouched")
		wants(t, shown(c.ada.on(at).send(at, do(), "file", "", "", 422)), "is missing; choose a file")
		c.ada.get(at, 200)
		c.cut(at)
		modelstest.Want(t, "rows of files", modelstest.RowsOf(t, f, "SELECT count(*) FROM files"), 1)
		modelstest.Want(t, "rows of deliverable_versions",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM deliverable_versions"), 1)
		wants(t, c.ada.get(at, 200), "kept.pdf")
		c.ada.do(german("GET", at+"?lang=de"), 200)
		wants(t, shown(c.ada.send(at, do(), "file", "folien.pdf", "PK\x03\x04", 422)),
			"<bdi>folien.pdf</bdi> wurde nicht angenommen", "Die Datei heißt .pdf, enthält aber etwas anderes.")
		lacks(t, c.ada.page, "was not taken", "content is something else")
	})
}

// cut sends a form with a file of which the end does not arrive.
func (c *cast) cut(at string) {
	c.t.Helper()
	w, body := c.ada.multipartOf(url.Values{"do": {"upload"}}, "file", "half.pdf", "%PDF-1.7 half of it")
	r := httptest.NewRequest("POST", at, body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	for name, value := range c.ada.cookies {
		r.Header.Add("Cookie", name+"="+value)
	}
	if res, err := c.app.Test(r, -1); err == nil && (res.StatusCode < 400 || res.StatusCode >= 500) {
		c.t.Errorf("a file that was cut answers %d", res.StatusCode)
	}
}

func TestATaskThatChangesMeanwhileLosesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := newCast(t, f)
		link := c.define(tasks.Change{Title: new("Recording"), Kind: new(tasks.Link)})
		at := tasksAt + "/" + link.ID + "/" + c.adaID
		wants(t, c.ada.get(at, 200), "The address of what you hand in")
		wants(t, c.ada.answer(at, url.Values{"do": {"link"}, "url": {"javascript:alert(1)"}}, 422),
			`value="javascript:alert(1)"`, "must be a web address", "Link must be")
		c.ada.on(at).post(at, url.Values{"do": {"link"}, "url": {"https://example.org/tides"}}, 303)
		wants(t, c.ada.get(at, 200), `href="https://example.org/tides"`, "Latest")

		c.ada.get(at, 200)
		modelstest.Exec(t, f.SQL, "UPDATE tasks SET kind = 'tick' WHERE id = '"+link.ID+"'")
		wants(t, c.ada.answer(at, url.Values{"do": {"link"}, "url": {"https://example.org/late"}}, 422),
			"This task does not take that: it was changed meanwhile.", "https://example.org/late", "copy it if you need it")
		wants(t, shown(c.ada.send(at, url.Values{"do": {"upload"}}, "file", "late.pdf", "%PDF-1.7", 422)),
			"File is not what this task asks for.", "Not done after all")
		modelstest.Exec(t, f.SQL, "UPDATE tasks SET kind = 'link' WHERE id = '"+link.ID+"'")
		modelstest.Fine(t, c.desk.Decide(t.Context(), link.ID, c.adaID, tasks.Approve, "", nil))
		wants(t, c.ada.answer(at, url.Values{"do": {"link"}, "url": {"https://example.org/later"}}, 422),
			"This task was approved", "https://example.org/later", "copy it if you need it")
		modelstest.Fine(t, c.desk.Delete(t.Context(), link.ID, nil))
		for field, do := range map[string]string{"url": "link", "text": "comment"} {
			c.ada.get(tasksAt, 200)
			c.ada.get(placeAt+"/profile", 200)
			typed := url.Values{"do": {do}, field: {"https://example.org/typed-for-hours"}}
			wants(t, c.ada.answer(at, typed, 404), "This task is not yours any more", "It was taken away",
				"https://example.org/typed-for-hours", "To my tasks")
		}
		c.ada.get(placeAt+"/profile", 200)
		wants(t, shown(c.ada.send(at, url.Values{"do": {"upload"}}, "file", "a.pdf", "%PDF-1.7", 404)),
			"The file was not kept.")
		c.ada.do(german("GET", at+"?lang=de"), 404)
		wants(t, c.ada.page, "Diese Aufgabe gibt es hier nicht.")
	})
}

func TestATaskAsksTheQuestionsOfItsSection(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := newCast(t, f)
		c.AskSpeakers(t, f)
		cfp := call.Of(f.Programme())
		part := modelstest.Must(cfp.AddPart(t.Context(), call.PartInput{Title: "Travel"}))(t)
		for _, in := range []call.QuestionInput{
			{Key: "from", Type: field.Text, Label: "Where do you come from?", Required: call.Required},
			{Key: "ticket", Type: field.File, Label: "Your ticket", Required: call.Later, FileKinds: []call.FileKind{"pdf"}},
			{Key: "spice", Type: field.Text, Label: "How spicy?", Required: call.Required,
				AskedIf: call.Condition{Question: "eats", Answers: []string{"Vegan"}}},
		} {
			in.AskedOf, in.SeenBy = call.OfSpeaker, call.Reviewers
			modelstest.Must(cfp.AddQuestion(t.Context(), part.ID, in))(t)
		}
		form := c.define(tasks.Change{Title: new("Travel and food"), Kind: new(tasks.Form), PartID: &part.ID})
		wants(t, c.ada.get(tasksAt, 200), "3 questions")
		at := tasksAt + "/" + form.ID + "/" + c.adaID
		wants(t, c.ada.get(at, 200), "Where do you come from?", "Your ticket")
		lacks(t, c.ada.page, "What do you eat?", "How spicy?", "Not needed yet")
		sent := fill(c.ada.fields(), "do", "form", c.key("from"), "Lisbon")
		wants(t, c.ada.follow(c.ada.send(at, sent, "nothing", "", "", 303)), "Your other answers are saved.",
			"<title>Error: Travel and food", "“Your ticket” has no answer yet", `value="Lisbon"`, "Tasks (1)")
		sent = fill(c.ada.fields(), "do", "form", c.key("from"), "Porto")
		wants(t, shown(c.ada.send(at, sent, c.key("ticket"), "ticket.pdf", "GIF89a", 422)), "content is something else",
			`value="Porto"`)
		c.ada.get(at, 200)
		sent = fill(c.ada.fields(), "do", "form", c.key("from"), "Porto")
		to, _ := c.ada.send(at, sent, c.key("ticket"), "ticket.pdf", "%PDF-1.7", 303)
		wants(t, c.ada.get(to, 200), "Your answers are saved.", "Done 21 November.", "ticket.pdf", ">Tasks<")

		late := c.ada.fields()
		c.ada.get(placeAt+"/answers", 200)
		own := fill(c.ada.fields(), c.key("from"), "Faro", c.key("eats"), "Vegan")
		c.ada.post(placeAt+"/answers", own, 303)
		late.Set(c.key("from"), "Braga")
		wants(t, c.ada.answer(at, late, 409), "Nothing was saved yet", "Faro", "Braga", `name="form" value="1"`)
		wants(t, c.ada.get(at, 200), "How spicy?")

		sent = c.ada.fields()
		modelstest.Fine(t, c.desk.Delete(t.Context(), form.ID, nil))
		fill(sent, "do", "form", c.key("from"), "Évora")
		wants(t, c.ada.follow(c.ada.post(at, sent, 303)), "Your answers are saved. The task was taken away meanwhile")
		wants(t, c.ada.get(placeAt+"/answers", 200), `value="Évora"`, `value="Vegan" checked`)
	})
}

func TestWhoHasATaskTogetherSeesWhatTheOtherHandedIn(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	c := newCast(t, f)
	_, at := c.slides()
	bo := modelstest.Must(f.Programme().Session(t.Context(), c.shared))(t).Participants[0].ContactID
	f.Join(t, f.Event, c.talk.ID, bo, models.Speaking)
	c.ada.on(at).send(at, url.Values{"do": {"upload"}}, "file", "tides.pdf", "%PDF-1.7", 303)
	wants(t, c.bo.get(at, 200), "It is asked of you together with \u2068ada\u2069.", "tides.pdf", "<bdi>ada</bdi>, 1 KB",
		"Only those who speak")
	for _, lang := range []string{"de", "fr", "es"} {
		_, page := c.bo.do(httptest.NewRequest("GET", at+"?lang="+lang, nil), 200)
		lacks(t, page, "Handed in", "Latest", "Comments", "Due ", "task.")
	}
	modelstest.Fine(t, c.desk.Decide(t.Context(), strings.Split(at, "/")[5], c.talk.ID, tasks.Waive, "We print them.", nil))
	wants(t, c.bo.get(at+"?lang=en", 200), "Not needed any more.", "Why it is not needed", "We print them.")
	lacks(t, c.bo.page, `type="file"`)
}

func TestASpeakerMakesAnEarlierVersionTheLatest(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := newCast(t, f)
		slides, at := c.slides()
		for _, name := range []string{"first.pdf", "second.pdf"} {
			c.ada.send(at, url.Values{"do": {"upload"}}, "file", name, "%PDF-1.7 "+name, 303)
		}
		wants(t, c.ada.get(at, 200), "Make latest", ": first.pdf")
		first := modelstest.Must(c.desk.One(t.Context(), slides.ID, c.talk.ID))(t).Versions[1].ID
		to, _ := c.ada.post(at, url.Values{"do": {"latest"}, "version": {first}}, 303)
		wants(t, c.ada.get(to, 200), "That version counts again.", ": second.pdf")
		if latest := modelstest.Must(c.desk.One(t.Context(), slides.ID, c.talk.ID))(t).Latest(); latest.ID != first {
			t.Errorf("version %d counts", latest.Number)
		}
		c.ada.post(at, url.Values{"do": {"latest"}, "version": {"x"}}, 404)
	})
}

// TestWhatATaskAsksIsSaidOnce asks two sections of each speaker, one of them by a task.
func TestWhatATaskAsksIsSaidOnce(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		c := newCast(t, f)
		cfp := call.Of(f.Programme())
		section := func(title, key string) string {
			part := modelstest.Must(cfp.AddPart(t.Context(), call.PartInput{Title: title}))(t)
			modelstest.Must(cfp.AddQuestion(t.Context(), part.ID, call.QuestionInput{Key: key, Type: field.Text, Label: title + "?",
				Required: call.Later, AskedOf: call.OfSpeaker}))(t)
			return part.ID
		}
		travel := section("Travel", "from")
		const place = placeAt
		wants(t, c.ada.get(place, 200), "1 answer of yours is needed.")
		form := c.define(tasks.Change{Title: new("Travel and food"), Kind: new(tasks.Form), PartID: &travel})
		wants(t, c.ada.get(place, 200), "Travel and food")
		lacks(t, c.ada.page, "of yours is needed", "All is answered.")
		section("Food", "eats")
		wants(t, c.ada.get(place, 200), "1 answer of yours is needed.")
		modelstest.Fine(t, c.desk.Decide(t.Context(), form.ID, c.adaID, tasks.Waive, "We come by ourselves.", nil))
		wants(t, c.ada.get(place, 200), "2 answers of yours are needed.")
	})
}
