package demo

import (
	"context"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/store"
)

// These are the keys of the questions that submissions answer.
const (
	givenBefore  = "have_you_given_this_talk_before"
	shouldWeKnow = "anything_we_should_know"
)

// openCall has an organizer start the call with its form, and set when it opens and closes.
func (e *edition) openCall(started, opens, closes time.Time, more func(context.Context, *cfp.Call, *cfp.Form) error) {
	e.at(started, "starting the call", func(ctx context.Context) error {
		call := cfp.Of(e.by(e.staff.Beatriz))
		if err := call.Start(ctx); err != nil {
			return err
		}
		form, err := call.Form(ctx)
		if err != nil {
			return err
		}
		if _, err := call.AddQuestion(ctx, form.Parts[1].ID, cfp.QuestionInput{Key: shouldWeKnow, Type: field.LongText,
			Label: "Anything we should know?", Help: "What you need on stage, when you cannot come, who comes along.",
			Required: cfp.Optional, SeenBy: cfp.StaffOnly, MaxWords: new(150)}); err != nil {
			return err
		}
		if more != nil {
			return more(ctx, call, form)
		}
		return nil
	})
	e.at(opens, "opening the call", func(ctx context.Context) error {
		if err := cfp.Of(e.by(e.staff.Beatriz)).Change(ctx, cfp.SettingsChange{
			Heading: new("Tell us what lasts"), Welcome: new(callWelcome), Success: new(callThanks),
			Agreement:   new("Everybody who speaks keeps to the code of conduct."),
			QuestionsTo: new("programme@tideline.example"), AnswersOn: store.Some(closes.AddDate(0, 0, 28).Format(time.DateOnly)),
			MaxProposals: store.Some(3),
		}); err != nil {
			return err
		}
		if _, err := e.by(e.staff.Beatriz).UpdateEvent(ctx, models.EventChange{CFPOpensAt: store.Some(store.At(opens)),
			CFPClosesAt: store.Some(store.At(closes))}); err != nil {
			return err
		}
		return e.reread(ctx)
	})
}

const (
	callWelcome = "<p>We look for talks on software that outlives those who wrote it: what broke, what was mended, and what " +
		"you would do again. A first talk is as welcome as a fiftieth.</p><p>Three people read each proposal. We answer all " +
		"of them, with a reason.</p>"
	callThanks = "<p>Thank you. We read everything, and write to you either way.</p>"
)

// smallCraft is a day of short talks between two conferences; its call is open.
func (s *story) smallCraft(e *edition) {
	e.found(place{"Small Craft", lisbon, thursday(s.today.AddDate(0, 0, 34*7)), 1}, 24,
		map[models.Family][]models.NewMetadata{
			models.Tracks: {{Name: "Keeping it running", Color: new("#1F7A9C"), Wanted: new(6)},
				{Name: "People and pagers", Color: new("#2E8049"), Wanted: new(6)}},
			models.Rooms: {{Name: "Boathouse", Capacity: new(90)}},
			models.Formats: {{Name: "Talk", DefaultMinutes: new(25), Wanted: new(8)},
				{Name: "Lightning talk", DefaultMinutes: new(10), Wanted: new(8)},
				{Name: "Workshop", DefaultMinutes: new(90), Wanted: new(2)}},
			models.Levels: labels[models.Levels],
		})
	e.openCall(s.daysAgo(21, 9, 30), s.daysAgo(20, 10, 0), s.lastMinute(-9), e.practicalQuestions)
	e.proposes(entriesOf(smallCraftText))
}

// practicalQuestions adds conditions, choices and a file to the form.
func (e *edition) practicalQuestions(ctx context.Context, call *cfp.Call, form *cfp.Form) error {
	workshop, err := e.row(models.Formats, "Workshop")
	if err != nil {
		return err
	}
	format := form.Question(string(cfp.Format))
	in := cfp.InputOf(format)
	for _, offer := range [][2]string{{"Talk", "With five minutes for questions"}, {"Lightning talk", "One idea"},
		{"Workshop", "Up to 24 people"}} {
		id, err := e.row(models.Formats, offer[0])
		if err != nil {
			return err
		}
		in.Options = append(in.Options, cfp.Choice{Value: id, Note: offer[1]})
	}
	if _, err := call.ChangeQuestion(ctx, format.ID, in, nil); err != nil {
		return err
	}
	practical, err := call.AddPart(ctx, cfp.PartInput{Title: "Practical", Help: "Only organizers read this part."})
	if err != nil {
		return err
	}
	for _, q := range []struct {
		part string
		cfp.QuestionInput
	}{
		{form.Parts[0].ID, cfp.QuestionInput{Type: field.Text, Label: "What do people need to bring?", Required: cfp.Required,
			MaxWords: new(40), SeenBy: cfp.Reviewers, AskedIf: cfp.Condition{Formats: []string{workshop}}}},
		{practical.ID, cfp.QuestionInput{Type: field.YesNo, Label: "May we record and publish the session?",
			Required: cfp.Required, SeenBy: cfp.StaffOnly}},
		{practical.ID, cfp.QuestionInput{Type: field.Choices, Label: "What would make it possible to come?",
			Required: cfp.Optional, SeenBy: cfp.StaffOnly,
			Options: []cfp.Choice{{Value: "Travel"}, {Value: "A room"}, {Value: "Childcare"}, {Value: "Step-free access"}}}},
		{practical.ID, cfp.QuestionInput{Type: field.File, Label: "Slides or notes", Required: cfp.Later, SeenBy: cfp.StaffOnly,
			FileKinds: []cfp.FileKind{"pdf", "slides"}, MaxBytes: new(10 << 20)}},
		{practical.ID, cfp.QuestionInput{AskedOf: cfp.OfSpeaker, Type: field.Choice, Label: "What do you eat?",
			Help: "For supper on the evening before.", Required: cfp.Later,
			Options: []cfp.Choice{{Value: "Anything"}, {Value: "Vegetarian"}, {Value: "Vegan"}}}},
	} {
		if _, err := call.AddQuestion(ctx, q.part, q.QuestionInput); err != nil {
			return err
		}
	}
	return nil
}
