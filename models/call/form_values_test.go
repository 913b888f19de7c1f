package call_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/store"
)

const (
	talk, workshop = "0190a000-0000-7000-8000-000000000001", "0190a000-0000-7000-8000-000000000002"
	systems, human = "0190a000-0000-7000-8000-000000000003", "0190a000-0000-7000-8000-000000000004"
	deep           = "0190a000-0000-7000-8000-000000000005"
	gone           = "0190a000-0000-7000-8000-00000000dead"
	slides         = "0190a000-0000-7000-8000-0000000000f1"
)

// whole returns a form with a question of each type.
func whole() *call.Form {
	texts := func(values ...string) (options []call.Choice) {
		return store.Map(values, func(value string) call.Choice { return call.Choice{Value: value} })
	}
	minutes := 90
	return &call.Form{
		Rows: []*models.Metadata{
			{ID: systems, Family: models.Tracks, Name: "Systems"}, {ID: human, Family: models.Tracks, Name: "People"},
			{ID: talk, Family: models.Formats, Name: "Talk"},
			{ID: workshop, Family: models.Formats, Name: "Workshop", DefaultMinutes: &minutes},
			{ID: deep, Family: models.Levels, Name: "Deep"},
		},
		Parts: []*call.Part{{ID: "1", Title: "Your session", Questions: []*call.Question{
			{Key: "title", Standard: call.Title, Type: field.Text, Label: "Title", Required: call.Required, MaxLength: new(20)},
			{Key: "description", Standard: call.Description, Type: field.LongText, Label: "Abstract", Required: call.Required,
				MaxWords: new(5)},
			{Key: "format", Standard: call.Format, Type: field.Choice, Label: "Format", Required: call.Required},
			{ID: "b", Key: "bring", Type: field.Text, Label: "What do people bring?", Required: call.Required, MaxWords: new(3),
				AskedIf: call.Condition{Formats: []string{workshop}}},
			{Key: "track", Standard: call.Track, Type: field.Choice, Label: "Track", Required: call.Optional,
				Options: []call.Choice{{Value: systems, Note: "Nuts and bolts", Limit: 3}, {Value: gone}}},
			{Key: "level", Standard: call.Level, Type: field.Choice, Label: "Level", Required: call.Optional},
		}}, {ID: "2", Title: "You", Questions: []*call.Question{
			{Key: "biography", Standard: call.Biography, Type: field.LongText, Label: "Biography", Required: call.Later},
			{ID: "1", Key: "before", Type: field.YesNo, Label: "Given before?", Required: call.Optional},
			{ID: "2", Key: "where", Type: field.Text, Label: "Where?", Required: call.Required,
				AskedIf: call.Condition{Question: "before", Answers: []string{"yes"}, Tracks: []string{systems}}},
			{ID: "3", Key: "when", Type: field.Date, Label: "When?", Required: call.Optional,
				AskedIf: call.Condition{Question: "size", Answers: []string{"M", "L"}}},
			{ID: "4", Key: "size", Type: field.Choice, Label: "Size", Options: texts("S", "M", "L"), Required: call.Optional},
			{ID: "5", Key: "help", Type: field.Choices, Label: "Help", Options: texts("Money", "Visa", "Bed"),
				Required: call.Optional},
			{ID: "6", Key: "count", Type: field.Number, Label: "How many?", Required: call.Optional},
			{ID: "7", Key: "site", Type: field.URL, Label: "Site", Required: call.Optional},
			{ID: "8", Key: "mail", Type: field.Email, Label: "Mail", Required: call.Optional},
			{ID: "9", Key: "deck", Type: field.File, Label: "Deck", Required: call.Optional},
			{ID: "n", Key: "note", Type: field.LongText, Label: "Note", Required: call.Optional, MaxLength: new(4)},
		}}},
		Removed: []*call.Question{{Key: "old", Type: field.Text, Label: "Old question"}},
	}
}

func keys(questions []*call.Question) (all []string) {
	return store.Map(questions, func(q *call.Question) string { return q.Key })
}

func TestAQuestionIsAskedWhereAllThatItDependsOnHolds(t *testing.T) {
	t.Parallel()
	always := strings.Fields("title description format track level biography before size help count site mail deck note")
	for name, c := range map[string]struct {
		v    call.Values
		more []string
	}{
		"nothing":                     {nil, nil},
		"a workshop":                  {call.Values{"format": workshop}, []string{"bring"}},
		"another format":              {call.Values{"format": talk}, nil},
		"one of two conditions":       {call.Values{"before": "yes"}, nil},
		"both":                        {call.Values{"before": "yes", "track": systems}, []string{"where"}},
		"the other answer":            {call.Values{"before": "no", "track": systems}, nil},
		"one of several answers":      {call.Values{"size": "L"}, []string{"when"}},
		"a text that is part of one":  {call.Values{"size": "LL"}, nil},
		"a value of another question": {call.Values{"track": workshop}, nil},
	} {
		got := keys(whole().Asked(c.v))
		extra := slices.DeleteFunc(got, func(key string) bool {
			return slices.Contains(always, key)
		})
		modelstest.Holds(t, slices.Equal(extra, c.more), "%s: %v are asked besides, not %v", name, extra, c.more)
	}
}

func TestWhatIsNotAskedItselfHasNothingAskedAfterIt(t *testing.T) {
	t.Parallel()
	f := whole()
	f.Question("size").AskedIf = call.Condition{Formats: []string{workshop}}
	if got := keys(f.Asked(call.Values{"size": "L", "format": talk})); slices.Contains(got, "when") ||
		slices.Contains(got, "size") {
		t.Error(got)
	}
	f.Question("size").AskedIf = call.Condition{Question: "when", Answers: []string{"2027-01-01"}} // no operation makes one
	if got := keys(f.Asked(call.Values{"size": "L", "when": "2027-01-01"})); slices.Contains(got, "size") {
		t.Error("who asks in a circle asks nobody:", got)
	}
}

func TestConditionsAreSaidInWords(t *testing.T) {
	t.Parallel()
	f := whole()
	f.Question("when").AskedIf.Formats = []string{talk, workshop}
	for _, c := range []struct {
		key           string
		v             call.Values
		only, because string
	}{
		{"title", nil, "", ""},
		{"bring", nil, "you choose Workshop", ""},
		{"bring", call.Values{"format": workshop}, "you choose Workshop", "you chose Workshop"},
		{"where", call.Values{"track": systems, "before": "yes"}, "you choose Systems and answer “Yes” to “Given before?”",
			"you chose Systems and answered “Yes” to “Given before?”"},
		{"when", call.Values{"format": talk, "size": "L"}, "you choose Talk or Workshop and answer “M or L” to “Size”",
			"you chose Talk and answered “L” to “Size”"},
	} {
		if only, because := f.When(f.Question(c.key), c.v); only != c.only || because != c.because {
			t.Errorf("%s: %q, %q", c.key, only, because)
		}
	}
	f.Question("bring").AskedIf.Formats = []string{gone}
	f.Question("where").AskedIf.Question = "old"
	f.Question("when").AskedIf.Answers = []string{"M", "XXL"}
	for key, want := range map[string]string{
		"title": "", "bring": "Asked of nobody: the answer to “Format” that it depends on is gone.",
		"where": "Asked of nobody: the question that it depends on (old) is not in the form.",
		"when":  "One of the answers to “Size” that it depends on is gone.",
	} {
		modelstest.Want(t, key, f.Broken(f.Question(key)), want)
	}
}

func TestValuesAreCleanedForSaving(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ v, had, want call.Values }{
		"nothing but a title": {call.Values{"title": " Pilots\r\nand ships "}, nil, call.Values{"title": "Pilots and ships"}},
		"too long for the form is saved all the same": {call.Values{"description": "one two three four five six\r\nseven"}, nil,
			call.Values{"description": "one two three four five six\nseven"}},
		"one form for each type": {call.Values{"help": "bed\r\nmoney", "before": "Ja", "count": "1 000", "site": "example.org",
			"size": " m ", "format": workshop, "bring": "a pencil"}, nil, call.Values{"help": "Money\nBed", "before": "yes",
			"count": "1000", "site": "https://example.org", "size": "M", "format": workshop, "bring": "a pencil"}},
		"what is not asked is dropped": {call.Values{"bring": "a pencil", "format": talk}, nil,
			call.Values{"format": talk}},
		"and so is what is wrong there":         {call.Values{"when": "soon", "size": "S"}, nil, call.Values{"size": "S"}},
		"and an answer to a question that went": {call.Values{"old": "x", "count": "1"}, nil, call.Values{"count": "1"}},
		"a former choice stays": {call.Values{"size": "XL", "track": human, "help": "Bed\nShoes"},
			call.Values{"size": "XL", "track": human, "help": "Bed\nShoes"}, call.Values{"size": "XL", "track": human,
				"help": "Bed\nShoes"}},
		"beside another": {call.Values{"help": "Shoes\nMoney"}, call.Values{"help": "Bed\nShoes"},
			call.Values{"help": "Money\nShoes"}},
		"emptied": {call.Values{"size": "", "count": " "}, call.Values{"size": "S", "count": "2"}, call.Values{}},
	} {
		got, err := whole().Clean(c.v, c.had)
		modelstest.Holds(t, err == nil && reflect.DeepEqual(got, c.want), "%s: %q, %v", name, got, err)
	}
}

func TestEachFaultIsToldByItsKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		v     call.Values
		wrong []string
	}{
		"an empty title":        {call.Values{"title": "\u200b"}, []string{"title"}},
		"a question of no form": {call.Values{"admin": "1", "title": "x"}, []string{"admin"}},
		"none of their types": {call.Values{"count": "many", "mail": "me", "site": "javascript:x",
			"before": "maybe"}, []string{"before", "count", "site", "mail"}},
		"a row of another family":   {call.Values{"track": workshop}, []string{"track"}},
		"a row that is not offered": {call.Values{"track": human}, []string{"track"}},
		"an option by its place":    {call.Values{"size": "0", "help": "Money\nShoes"}, []string{"size", "help"}},
		"a file's name":             {call.Values{"deck": "../../etc/passwd"}, []string{"deck"}},
		"a NUL":                     {call.Values{"note": "a\x00"}, []string{"note"}},
	} {
		_, err := whole().Clean(c.v, nil)
		var wrong []string
		for _, fault := range whole().Faults(err) {
			wrong = append(wrong, fault.Key)
			modelstest.Holds(t, fault.Label != "" && fault.Message != "" && strings.HasSuffix(fault.Sentence, fault.Message),
				"%s: %+v", name, fault)
		}
		modelstest.Holds(t, store.KindOf(err) == store.Invalid && slices.Equal(wrong, c.wrong),
			"%s: %v are wrong, not %v", name, wrong, c.wrong)
	}
}

func TestWhatIsMissingBeforeSubmittingIsSaidInWords(t *testing.T) {
	t.Parallel()
	f := whole()
	got := f.Unfinished(call.Values{"title": "A title of more than twenty",
		"description": "<p>one two <b>three</b> four</p><p>five six seven</p>",
		"format":      workshop, "note": "a\nbcd", "biography": ""})
	want := []call.Fault{
		{Key: "title", Label: "Title", Message: "7 characters too long. The limit is 20.",
			Sentence: "Title is 7 characters too long"},
		{Key: "description", Label: "Abstract", Message: "2 words too long. The limit is 5.",
			Sentence: "Abstract is 2 words too long"},
		{Key: "bring", Label: "What do people bring?", Message: "Not answered yet.",
			Sentence: "“What do people bring?” has no answer yet"},
		{Key: "note", Label: "Note", Message: "1 character too long. The limit is 4.",
			Sentence: "Note is 1 character too long"},
	}
	modelstest.Holds(t, reflect.DeepEqual(got, want), "%+v", got)
	owed := f.Owed(call.Values{"title": "x"})
	modelstest.Holds(t, len(owed) == 1 && owed[0].Key == "biography", "%+v is owed", owed)
	gone := f.Gone(call.Values{"track": human, "format": talk, "size": "XL"})
	modelstest.Holds(t, len(gone) == 1 && gone[0].Key == "track", "%+v is gone", gone)
}

func TestAnswersAreNamesInTheOrderOfTheForm(t *testing.T) {
	t.Parallel()
	f, files := whole(), map[string]*models.File{"deck": {ID: slides, Name: "deck <final>.pdf"}}
	before := models.Answers{{Key: "from the API", Value: "kept"}, {Key: "count", Value: "9"}, {Key: "old",
		Value: "kept too"}}
	v := call.Values{"help": "Money\nBed", "before": "yes", "deck": slides, "title": "Not one of them",
		"format": talk, "note": "<script>"}
	want := models.Answers{{Key: "before", Value: "Yes"}, {Key: "help", Value: "Money, Bed"}, {Key: "deck",
		Value: "deck <final>.pdf"},
		{Key: "note", Value: "<script>"}, {Key: "from the API", Value: "kept"}, {Key: "old", Value: "kept too"}}
	answers := f.Answers(v, files, before)
	modelstest.Holds(t, reflect.DeepEqual(answers, want), "%q", answers)
	modelstest.Want(t, "a file of another is answered with", len(f.Answers(call.Values{"deck": gone}, files, nil)), 0)
	s := &models.Session{Title: "T", Description: "<p>a &amp; b<br>c</p><p>d</p>", FormatID: new(talk),
		CustomFields: answers}
	back := f.ValuesOf(s, "I &lt;3 ships", files)
	if want := (call.Values{"title": "T", "description": "a & b\nc\n\nd", "format": talk, "biography": "I <3 ships",
		"help": "Money\nBed", "before": "yes", "deck": slides, "note": "<script>"}); !reflect.DeepEqual(back, want) {
		t.Errorf("%q", back)
	}
}

func TestTextIsKeptAsItWasTyped(t *testing.T) {
	t.Parallel()
	for typed, kept := range map[string]string{
		"": "", "two\n\nparts": "two\n\nparts", "<script>alert(1)</script>": "&lt;script&gt;alert(1)&lt;/script&gt;",
		"why <div> & <b>":                "why &lt;div&gt; &amp; &lt;b&gt;",
		"<p>formatted <em>text</em></p>": "<p>formatted <em>text</em></p>",
	} {
		modelstest.Want(t, typed+" is kept as", call.AsHTML(typed), kept)
		modelstest.Want(t, "typed, it comes back as", call.AsText(call.AsHTML(typed)), typed)
	}
	modelstest.Want(t, "as text", call.AsText("Hello <em>you</em>"), "<p>Hello <em>you</em></p>")
}

func TestAFormIsReadByTheNamesOfItsInputs(t *testing.T) {
	t.Parallel()
	sent := map[string][]string{"title": {"x"}, "q-5": {"Money", "Bed"}, "q-4": {"S", "M"}, "q-9": {"forged"},
		"q-zzz": {"forged"}, "admin": {"1"}}
	got := whole().Read(func(name string) []string { return sent[name] })
	want := (call.Values{"title": "x", "help": "Money\nBed", "size": "M"})
	modelstest.Holds(t, reflect.DeepEqual(got, want), "%q", got)
}

func TestAFileIsWhatItsQuestionTakes(t *testing.T) {
	t.Parallel()
	q := &call.Question{Key: "deck", Type: field.File, FileKinds: []call.FileKind{"pdf", "slides"}, MaxBytes: new(2 << 20)}
	modelstest.Want(t, "taken words", q.TakenWords(), "PDF or Slides (PowerPoint, OpenDocument, Keynote), up to 2 MB")
	for _, c := range []struct {
		name  string
		size  int64
		head  string
		fault string
	}{
		{"Deck.PDF", 1000, "%PDF-1.7", ""}, {"deck.pptx", 1000, "PK\x03\x04rest", ""},
		{"deck.pdf", 0, "", "deck is an empty file"}, {"deck.pdf", 2<<20 + 1, "%PDF-1.7", "deck is larger than 2 MB"},
		{"deck.exe", 10, "MZ", "deck must be one of these: .pdf"}, {"photo.png", 10, "\x89PNG\r\n",
			"deck must be one of these"},
		{"page.pdf", 10, "<html>", "deck is called .pdf, but its content is something else"}, {"pdf", 10, "%PDF-",
			"deck must be one of"},
	} {
		err := q.Takes(c.name, c.size, []byte(c.head))
		if (err == nil) != (c.fault == "") || (err != nil && !strings.HasPrefix(err.Error(), c.fault)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func FuzzValues(f *testing.F) {
	f.Add("Title", "text\r\nmore", "S\nM", "Money, Bed", "yes")
	f.Add("<script>", "<p>a</p><p>b", "\x00", ";|", "\u200b")
	f.Fuzz(func(t *testing.T, title, text, size, help, before string) {
		form := whole()
		v := call.Values{"title": title, "description": text, "size": size, "help": help, "before": before, "note": text,
			"format": size, "track": help}
		clean, err := form.Clean(v, nil)
		if err != nil {
			if len(form.Faults(err)) == 0 {
				t.Fatalf("no fault is told of %v", err)
			}
			return
		}
		again, err := form.Clean(clean, nil)
		if err != nil || !reflect.DeepEqual(again, clean) {
			t.Fatalf("%q becomes %q, %v", clean, again, err)
		}
		s := &models.Session{Title: clean["title"], Description: call.AsHTML(clean["description"]),
			CustomFields: form.Answers(clean, nil, nil)}
		back := form.ValuesOf(s, "", nil)
		for key, value := range back {
			if value != clean[key] && key != "description" {
				t.Errorf("%s: %q comes back as %q", key, clean[key], value)
			}
		}
		form.Unfinished(clean)
	})
}

// TestAChoiceMayHaveACommaInIt answers with choices that contain commas, and with the former name of a renamed one.
func TestAChoiceMayHaveACommaInIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		cfp := call.Of(f.Programme())
		part := modelstest.Must(cfp.Form(ctx))(t).Parts[1].ID
		offer := func(values ...string) (all []call.Choice) {
			return store.Map(values, func(value string) call.Choice { return call.Choice{Value: value} })
		}
		ask := func(in call.QuestionInput) (*call.Question, error) {
			in.Required, in.SeenBy = call.Optional, call.Reviewers
			return cfp.AddQuestion(ctx, part, in)
		}
		modelstest.Must(ask(call.QuestionInput{Key: "record", Type: field.Choice, Label: "Record?",
			Options: offer("Yes", "Yes, record me", "No, thanks,")}))(t)
		several := modelstest.Must(ask(call.QuestionInput{Key: "needs", Type: field.Choices, Label: "Needs",
			Options: offer("Chair, high", "Table", "Water, still, cold", "Chair")[:3]}))(t)
		for what, choices := range map[string][]call.Choice{"options[0]": offer("Chair, high", "Chair"),
			"options[1]": offer("A", "A, B", "B")} {
			modelstest.Want(t, what+" is refused by",
				fields(second(ask(call.QuestionInput{Type: field.Choices, Label: what, Options: choices}))), what)
		}
		ada, s := c.Begin(t, f, "Ada", "Tides")
		saved(t, ada, c, s.ID, call.Values{"record": "Yes, record me", "needs": "Chair, high\nWater, still, cold"})
		p := proposalOf(t, ada, c, s.ID)
		if p.Values["record"] != "Yes, record me" || p.Values["needs"] != "Chair, high\nWater, still, cold" ||
			!has(p.CustomFields, "needs", "Chair, high, Water, still, cold") {
			t.Errorf("%v", p.Values)
		}
		in := call.InputOf(several)
		in.Options[0] = call.Choice{Value: "High chair", Was: []string{"Chair, high"}}
		modelstest.Must(cfp.ChangeQuestion(ctx, several.ID, in, nil))(t)
		modelstest.Want(t, "renamed", proposalOf(t, ada, c, s.ID).Values["needs"], "High chair\nWater, still, cold")
		answers := modelstest.Must(cfp.Answered(ctx, modelstest.Must(cfp.Form(ctx))(t).Question("needs")))(t)
		modelstest.Holds(t, answers.Total() == 1 &&
			answers.Of(modelstest.Must(cfp.Form(ctx))(t).Question("needs"), "Water, still, cold") == 1, "counted %v", answers)
	})
}
