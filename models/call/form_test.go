package call_test

import (
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/reviews"
	"lectern/models/store"
)

// started is a call with its first form, in an event with two formats and a track; the other event has a call as well.
func started(t *testing.T, f *modelstest.Fixture) (c *call.Call, form func() *call.Form) {
	t.Helper()
	for _, p := range []*models.Programme{f.Programme(), f.Elsewhere()} {
		for family, names := range map[models.Family][]string{models.Formats: {"Talk", "Workshop"},
			models.Tracks: {"Systems"}} {
			for _, name := range names {
				modelstest.Must(p.CreateMetadata(t.Context(), family, models.NewMetadata{Name: name}))(t)
			}
		}
		modelstest.Fine(t, call.Of(p).Start(t.Context()))
	}
	return call.Of(f.Programme()), func() *call.Form {
		t.Helper()
		return modelstest.Must(call.Of(f.Programme()).Form(t.Context()))(t)
	}
}

func shape(f *call.Form) string {
	parts := store.Map(f.Parts,
		func(part *call.Part) string { return part.Title + ": " + strings.Join(keys(part.Questions), " ") })
	return strings.Join(parts, "; ")
}

func TestACallBeginsWithAGoodFormAndOpensNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Answers(call.FormOf(t.Context(), f.Store, f.Event))(t, "no call", store.NotFound)
		c, form := started(t, f)
		const want = "Your session: title description format track; You: biography have_you_given_this_talk_before"
		modelstest.Want(t, "shape", shape(form()), want)
		e := f.Programme().Event()
		modelstest.Holds(t, e.CFPOpensAt == nil && e.CFPClosesAt == nil, "it is open")
		modelstest.Fine(t, c.Change(t.Context(), call.SettingsChange{Heading: new("Come")}))
		modelstest.Fine(t, c.Start(t.Context()))
		if again := form(); again.Heading != "Come" || shape(again) != want {
			t.Error("starting once more changed it:", again.Heading, shape(again))
		}
		modelstest.WantAll(t, "is emitted", modelstest.EmittedTypes(t, f), nil)
	})
}

func TestSettingsAreSavedWholeOrNotAtAll(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, form := started(t, f)
		token := form().UpdatedAt
		change := call.SettingsChange{
			Heading: new("Tell us"), Welcome: new("<p>Hi<script>alert(1)</script></p>"), QuestionsTo: new("a@b.example"),
			AnswersOn: store.Some("2027-03-29"), MaxProposals: store.Some(3), MaxTotal: store.Some(200), MaxSpeakers: new(4),
			UpdatedAt: &token,
		}
		modelstest.Fine(t, c.Change(t.Context(), change))
		got := form()
		modelstest.Holds(t, got.Heading == "Tell us" && got.Welcome == "<p>Hi</p>" && *got.MaxProposals == 3 &&
			*got.MaxTotal == 200 && got.MaxSpeakers == 4 && *got.AnswersOn == "2027-03-29", "%+v", got.Settings)
		change.Heading, change.MaxSpeakers = new("Late"), new(9)
		modelstest.WantKind(t, "an old token", c.Change(t.Context(), change), store.Stale)
		now := form()
		modelstest.Holds(t, now.Heading == "Tell us" && now.MaxSpeakers == 4, "half of it is saved")
		for field, wrong := range map[string]call.SettingsChange{
			"questions_to": {QuestionsTo: new("nobody")}, "answers_on": {AnswersOn: store.Some("soon")},
			"max_speakers": {MaxSpeakers: new(0)}, "max_total": {MaxTotal: store.Some(-1)},
			"max_proposals": {MaxProposals: store.Some(100_000)}, "heading": {Heading: new(strings.Repeat("x", 300))},
		} {
			err := c.Change(t.Context(), wrong)
			e := store.AsError(err)
			modelstest.Holds(t, e != nil && e.Kind == store.Invalid && e.Fields[0].Field == field, "%s: %v", field, err)
		}
		lines := modelstest.Must(f.Programme().Activity(t.Context(), f.Event.ID))(t)
		if last := lines[0]; last.Subject != "call" || last.Action != "updated" || strings.Contains(last.After, "script") {
			t.Errorf("%+v", last)
		}
		modelstest.Want(t, "the other event's call says", modelstest.Must(call.Of(f.Elsewhere()).Form(t.Context()))(t).Heading,
			"")
	})
}

func TestPartsAndQuestionsMove(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, form := started(t, f)
		ctx := t.Context()
		part := modelstest.Must(c.AddPart(ctx, call.PartInput{Title: "Practical"}))(t)
		first := form().Parts[0]
		modelstest.Fine(t, c.MoveQuestion(ctx, form().Question("track").ID, part.ID, 9))
		modelstest.Fine(t, c.MoveQuestion(ctx, form().Question("format").ID, first.ID, 0))
		modelstest.Fine(t, c.MovePart(ctx, part.ID, 0))
		const want = "Practical: track; Your session: format title description; You: biography have_you_given_this_talk_before"
		modelstest.Want(t, "shape", shape(form()), want)
		modelstest.Fine(t, c.RemovePart(ctx, part.ID))
		modelstest.Fine(t, c.RemovePart(ctx, form().Parts[1].ID))
		modelstest.Want(t, "shape", shape(form()),
			"Your session: track format title description biography have_you_given_this_talk_before")
		modelstest.WantKind(t, "the last part", c.RemovePart(ctx, first.ID), store.Invalid)
		theirs := modelstest.Must(call.Of(f.Elsewhere()).Form(ctx))(t)
		for what, err := range map[string]error{
			"their part":         c.MovePart(ctx, theirs.Parts[0].ID, 1),
			"their question":     c.MoveQuestion(ctx, theirs.Question("track").ID, first.ID, 0),
			"into their part":    c.MoveQuestion(ctx, form().Question("track").ID, theirs.Parts[0].ID, 0),
			"removing theirs":    c.RemoveQuestion(ctx, theirs.Question("track").ID),
			"changing their one": c.ChangePart(ctx, theirs.Parts[0].ID, call.PartInput{Title: "Ours"}, nil),
		} {
			modelstest.WantKind(t, what, err, store.NotFound)
		}
		modelstest.Want(t, "the other event's form changed",
			shape(modelstest.Must(call.Of(f.Elsewhere()).Form(ctx))(t)), shape(theirs))
	})
}

func TestAKeyIsMadeOfTheLabelAndNeverChanges(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, form := started(t, f)
		ctx, part := t.Context(), form().Parts[1].ID
		in := call.QuestionInput{Type: field.Text, Label: " Why\nyou? ", Required: call.Required, SeenBy: call.Reviewers}
		var made []string
		for _, in.Label = range []string{in.Label, "Why, you?"} {
			made = append(made, modelstest.Must(c.AddQuestion(ctx, part, in))(t).Key)
		}
		in.Label = "何を学べますか"
		made = append(made, modelstest.Must(c.AddQuestion(ctx, part, in))(t).Key)
		in.Label, in.Key = "Own key", "Why not?"
		q := modelstest.Must(c.AddQuestion(ctx, part, in))(t)
		made = append(made, q.Key)
		modelstest.Holds(t, slices.Equal(made, []string{"why_you", "why_you_2", "何を学べますか", "Why not?"}), "%q", made)
		modelstest.Fine(t, c.RemoveQuestion(ctx, q.ID))
		for _, taken := range []string{"why not?", "WHY_YOU", "title", "Level"} {
			in.Key = taken
			modelstest.Answers(c.AddQuestion(ctx, part, in))(t, "a key that is taken: "+taken, store.Invalid)
		}
		in.Key, in.Label = "other", "New words"
		modelstest.Must(c.ChangeQuestion(ctx, form().Question("why_you").ID, in, nil))(t)
		if q := form().Question("why_you"); q == nil || q.Label != "New words" {
			t.Errorf("%+v", q)
		}
	})
}

func TestAConditionThatComesBackIsRefused(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, form := started(t, f)
		ctx, part := t.Context(), form().Parts[1].ID
		choice := func(label string, on call.Condition) call.QuestionInput {
			return call.QuestionInput{Type: field.Choice, Label: label, Required: call.Optional, SeenBy: call.StaffOnly,
				Options: []call.Choice{{Value: "A"}, {Value: "B"}}, AskedIf: on}
		}
		after := func(key string, answers ...string) call.Condition {
			return call.Condition{Question: key, Answers: answers}
		}
		one := modelstest.Must(c.AddQuestion(ctx, part, choice("One", call.Condition{})))(t)
		modelstest.Must(c.AddQuestion(ctx, part, choice("Two", after("one", "A"))))(t)
		modelstest.Must(c.AddQuestion(ctx, part, choice("Three", after("two", "B"))))(t)
		workshop := form().Offered(form().Question("format"))[1].Value
		theirs := modelstest.Must(call.Of(f.Elsewhere()).Form(ctx))(t)
		foreign := theirs.Offered(theirs.Question("format"))[0].Value
		for what, condition := range map[string]call.Condition{
			"itself": after("one", "A"), "in a circle": after("three", "A"), "no such choice": after("two", "C"),
			"no answers": after("two"), "a question without choices": after("biography", "x"),
			"nothing": after("nothing", "A"), "a format of another event": {Formats: []string{foreign}},
		} {
			modelstest.Answers(c.ChangeQuestion(ctx, one.ID, choice("One", condition), nil))(t, what, store.Invalid)
		}
		format := call.InputOf(form().Question("format"))
		modelstest.Must(c.ChangeQuestion(ctx, one.ID, choice("One", call.Condition{Formats: []string{workshop,
			workshop}}), nil))(t)
		format.AskedIf = after("three", "A")
		_, err := c.ChangeQuestion(ctx, form().Question("format").ID, format, nil)
		modelstest.WantKind(t, "the format after what depends on it", err, store.Invalid)
		modelstest.Want(t, "formats", len(form().Question("one").AskedIf.Formats), 1)
		modelstest.Fine(t, metadata.Of(f.Programme()).Delete(ctx, models.Formats, workshop, nil))
		got := form().Broken(form().Question("one"))
		modelstest.Holds(t, strings.Contains(got, "is gone"), "%q is said of a condition whose format is gone", got)
	})
}

func TestAChangeSaysWhatBecomesOfTheAnswers(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, form := started(t, f)
		ctx, part := t.Context(), form().Parts[1].ID
		in := call.QuestionInput{Type: field.Choices, Label: "Help", Required: call.Optional, SeenBy: call.StaffOnly,
			Options: []call.Choice{{Value: "Money"}, {Value: "Visa"}, {Value: "Bed"}}}
		q := modelstest.Must(c.AddQuestion(ctx, part, in))(t)
		track := form().Offered(form().Question("track"))[0]
		for _, p := range []*models.Programme{f.Programme(), f.Elsewhere()} {
			for _, answer := range []string{"Money", "Money, Bed", "Bed", "1000", ""} {
				n := models.NewSession{Title: "x", IsAbstract: true}
				n.CustomFields = &models.AnswersInput{{Key: "help", Value: answer}, {Key: "else", Value: "Money"}}
				modelstest.Must(p.CreateSession(ctx, n))(t)
			}
		}
		n := models.NewSession{Title: "deleted", IsAbstract: true}
		n.CustomFields, n.TrackID = &models.AnswersInput{{Key: "help", Value: "Money"}}, store.Some(track.Value)
		trash := modelstest.Must(f.Programme().CreateSession(ctx, n))(t)
		modelstest.Must(f.Programme().DeleteSession(ctx, trash.ID))(t)
		answers := modelstest.Must(c.Answered(ctx, q))(t)
		modelstest.Holds(t, answers.Total() == 4 && answers.Of(q, "Money") == 2 && answers.Of(q, "Bed") == 2 &&
			answers.Of(q, "Visa") == 0, "%v", answers)
		change := func(to call.QuestionInput) []string {
			t.Helper()
			return modelstest.Must(c.ChangeQuestion(ctx, q.ID, to, nil))(t)
		}
		in.Options = []call.Choice{{Value: "Travel money"}, {Value: "Visa"}, {Value: "Bed"}}
		modelstest.WantAll(t, "change", change(in),
			[]string{"2 answers keep this choice’s old name, “Money”; new ones say “Travel money”."})
		in.Options, in.AskedIf.Tracks = in.Options[:2], []string{track.Value}
		modelstest.WantAll(t, "change", change(in), []string{"2 answers keep “Bed”, which can no longer be chosen.",
			"4 answers stay, also of whoever is no longer asked, until they save again."})
		in.Type = field.Number
		_, err := c.ChangeQuestion(ctx, q.ID, in, nil)
		if e := store.AsError(err); e == nil || e.Fields[0].Field != "type" ||
			!strings.Contains(e.Fields[0].Message, "3 answers are none, such as “Bed”") {
			t.Errorf("a type that most answers are none of: %v", err)
		}
		in.Type = field.File
		modelstest.Answers(c.ChangeQuestion(ctx, q.ID, in, nil))(t, "answers cannot become files", store.Invalid)
		in.Type = field.Text
		if got := change(in); !slices.Contains(got, "4 answers stay as they were given.") {
			t.Errorf("%q", got)
		}
		modelstest.Fine(t, c.RemoveQuestion(ctx, q.ID))
		if f := form(); f.Question("help") != nil || f.Known("help") == nil || f.Label("help") != "Help" {
			t.Error("a removed question is not known any more")
		}
		modelstest.Must(c.BringBack(ctx, q.ID, form().Parts[0].ID))(t)
		if got := form().Question("help"); got == nil || *got.PartID != form().Parts[0].ID {
			t.Errorf("%+v", got)
		}
		modelstest.Want(t, "answers were lost", modelstest.Must(c.Answered(ctx, q))(t).Total(), 4)
	})
}

func TestATokenKeepsTwoFromOverwritingEachOther(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, form := started(t, f)
		ctx, old := t.Context(), form().UpdatedAt
		q := form().Question("description")
		in := call.InputOf(q)
		in.Help = "Mine"
		modelstest.Must(c.ChangeQuestion(ctx, q.ID, in, &old))(t)
		token := form().UpdatedAt
		in.Help = "Theirs"
		modelstest.Answers(c.ChangeQuestion(ctx, q.ID, in, &old))(t, "a question", store.Stale)
		modelstest.WantKind(t, "a part", c.ChangePart(ctx, form().Parts[0].ID, call.PartInput{Title: "x"}, &old), store.Stale)
		in.Help = "Mine"
		modelstest.Must(c.ChangeQuestion(ctx, q.ID, in, &token))(t)
		modelstest.Holds(t, form().UpdatedAt.Equal(token.Time), "a change that changes nothing moved the token")
	})
}

func TestAStandardQuestionIsTurnedOffAndOn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, form := started(t, f)
		ctx, part := t.Context(), form().Parts[0].ID
		modelstest.WantKind(t, "the title", c.RemoveQuestion(ctx, form().Question("title").ID), store.Invalid)
		in := call.InputOf(form().Question("track"))
		in.Label, in.Options = "Strand", []call.Choice{{Value: form().Offered(form().Question("track"))[0].Value,
			Note: "Both", Limit: 2}}
		modelstest.Must(c.ChangeQuestion(ctx, form().Question("track").ID, in, nil))(t)
		modelstest.Fine(t, c.RemoveQuestion(ctx, form().Question("track").ID))
		modelstest.WantAll(t, "keys", keys(form().Lacking()), []string{"track", "level"})
		modelstest.Must(c.Ask(ctx, call.Track, part))(t)
		modelstest.Must(c.Ask(ctx, call.Level, part))(t)
		got := form()
		if got.Question("track").Label != "Strand" || got.Offered(got.Question("track"))[0].Note != "Both" ||
			len(got.Lacking()) > 0 {
			t.Errorf("%+v", got.Question("track"))
		}
		modelstest.Want(t, "a level is asked for where there is none to choose",
			slices.Contains(keys(got.Asked(nil)), "level"), false)
	})
}

func TestAFormIsCopiedFromAnotherEvent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, form := started(t, f)
		ctx, from := t.Context(), call.Of(f.Elsewhere())
		theirs := modelstest.Must(from.Form(ctx))(t)
		extra := modelstest.Must(f.Elsewhere().CreateMetadata(ctx, models.Formats, models.NewMetadata{Name: "Night walk"}))(t)
		offers := theirs.Offered(theirs.Question("format"))
		format := call.InputOf(theirs.Question("format"))
		format.Options = []call.Choice{{Value: offers[1].Value, Note: "Long", Limit: 4}, {Value: extra.ID}}
		modelstest.Must(from.ChangeQuestion(ctx, theirs.Question("format").ID, format, nil))(t)
		modelstest.Must(from.AddQuestion(ctx, theirs.Parts[0].ID, call.QuestionInput{Key: "Bring?", Label: "Bring?",
			Type: field.Text, Required: call.Later, SeenBy: call.StaffOnly,
			AskedIf: call.Condition{Formats: []string{offers[1].Value, extra.ID}}}))(t)
		modelstest.Fine(t, from.Change(ctx, call.SettingsChange{Heading: new("Theirs"), AnswersOn: store.Some("2027-01-01")}))
		copied := modelstest.Must(c.CopyForm(ctx, f.Elsewhere()))(t)
		modelstest.Holds(t, copied.Questions == 7 && slices.Equal(copied.Unmatched, []string{"the format “Night walk”"}),
			"%+v", copied)
		got := form()
		offered := got.Offered(got.Question("format"))
		modelstest.Holds(t, len(offered) == 1 && offered[0].Name == "Workshop" && offered[0].Note == "Long" &&
			offered[0].Value != offers[1].Value, "%+v", offered)
		q := got.Question("Bring?")
		modelstest.Holds(t, slices.Equal(q.AskedIf.Formats, []string{offered[0].Value}) && got.Broken(q) == "", "%+v", q)
		modelstest.Holds(t, got.Heading == "Theirs" && got.AnswersOn == nil && got.EventID == f.Event.ID, "%+v", got.Settings)
		modelstest.Answers(c.CopyForm(ctx, f.Programme()))(t, "its own form", store.NotFound)
		_, foreign := modelstest.ForeignOwner(t, f)
		event := modelstest.Must(f.EventBy(ctx, foreign))(t)
		_, err := c.CopyForm(ctx, f.Store.Programme(event, modelstest.Tester))
		modelstest.WantKind(t, "another organization's form", err, store.NotFound)
		events := modelstest.Must(c.Forms(ctx))(t)
		modelstest.Holds(t, len(events) == 1 && events[0].ID == f.Other.ID, "%+v", events)
	})
}

func TestAnAccessCodeIsMadeChangedAndEnded(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, _ := started(t, f)
		ctx, now := t.Context(), f.Store.Now()
		code := modelstest.Must(c.MakeCode(ctx, call.CodeInput{Note: "The keynote", MaxUses: new(2)}))(t)
		modelstest.Want(t, "code", len(code.Code), 14)
		own := modelstest.Must(c.MakeCode(ctx, call.CodeInput{Code: "Late-Birds"}))(t)
		modelstest.Must(call.Of(f.Elsewhere()).MakeCode(ctx, call.CodeInput{Code: "Late-Birds"}))(t)
		past := store.At(now.AddDate(0, 0, -1))
		for what, in := range map[string]call.CodeInput{
			"taken": {Code: "LATE-birds"}, "too short": {Code: "abc"}, "odd": {Code: "a b c d"}, "no uses": {MaxUses: new(0)},
			"over already": {ExpiresAt: &past},
		} {
			modelstest.Answers(c.MakeCode(ctx, in))(t, what, store.Invalid)
		}
		modelstest.Fine(t, c.ChangeCode(ctx, own.ID, call.CodeInput{Code: "ignored", Note: "Late"}, &own.UpdatedAt))
		modelstest.WantKind(t, "an old token", c.ChangeCode(ctx, own.ID, call.CodeInput{}, &own.UpdatedAt), store.Stale)
		modelstest.WantKind(t, "elsewhere", call.Of(f.Elsewhere()).EndCode(ctx, own.ID), store.NotFound)
		modelstest.Fine(t, c.EndCode(ctx, own.ID))
		codes := modelstest.Must(c.Codes(ctx))(t)
		modelstest.Holds(t, len(codes) == 2 && codes[0].IsOver(now) && codes[0].Code.Code == "Late-Birds" &&
			codes[0].Note == "Late" && !codes[1].IsOver(now), "%+v", codes)
	})
}

func TestAnswersAreShownInTheOrderOfTheForm(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, form := started(t, f)
		ctx, parts := t.Context(), form().Parts
		add := func(part *call.Part, key, label string) *call.Question {
			return modelstest.Must(c.AddQuestion(ctx, part.ID, call.QuestionInput{Key: key, Label: label, Type: field.Text,
				Required: call.Optional, SeenBy: call.Reviewers}))(t)
		}
		add(parts[1], "late", "Behind")
		modelstest.Fine(t, c.RemoveQuestion(ctx, add(parts[0], "gone", "Taken out").ID))
		add(parts[0], "early", "In front")
		answers := models.Answers{{Key: "from the API", Value: "1"}, {Key: "late", Value: "2"}, {Key: "gone", Value: "3"},
			{Key: "early", Value: "4"}}
		sight := modelstest.Must(reviews.Of(f.Programme()).Sight(ctx, reviews.OrganizersEyes))(t)
		modelstest.WantAll(t, "shown", sight.Shown(answers), models.Answers{{Key: "In front", Value: "4"},
			{Key: "Behind", Value: "2"}, {Key: "Taken out", Value: "3"}, {Key: "from the API", Value: "1"}})
		elsewhere := modelstest.Must(reviews.Of(f.Elsewhere()).Sight(ctx, reviews.OrganizersEyes))(t)
		modelstest.WantAll(t, "the other event's form knows", elsewhere.Shown(answers), answers)
	})
}
