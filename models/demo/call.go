package demo

import (
	"context"
	"math"
	"time"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/store"
)

// call tells how submissions came in, were reviewed and decided.
func (e *edition) call(entries []*entry) {
	var form store.By // the website's form, acting by its key
	var value string
	e.at(e.daysAgo(callOpens, 9, 30), "making the form's key", func(ctx context.Context) error {
		key, secret, err := apikey.Of(e.by(e.staff.Owner)).Create(ctx, apikey.New{Name: "Call for papers form",
			Scopes: []apikey.Scope{apikey.ReadEvents, apikey.WriteSessions, apikey.ReadMetadata}})
		if err == nil {
			form, value = store.By{Door: "api", ActorID: key.ID, ActorName: key.Name}, secret
		}
		return err
	})
	e.at(e.daysAgo(callCloses, 22, 58), "using it last", func(ctx context.Context) error {
		_, err := apikey.In(e.db).Authenticate(ctx, value, form)
		return err
	})
	turns := e.random.Perm(len(entries))
	for i, x := range entries {
		came := e.arrival(turns[i], len(entries))
		e.at(came, "submitting "+x.title, func(ctx context.Context) error {
			n, err := e.input(x, answersOf(i))
			if err != nil {
				return err
			}
			n.IsAbstract = true
			if x.state == string(models.Draft) {
				n.Status = new(models.Draft)
			}
			return e.enter(ctx, e.db.Programme(e.event, form).Reaching(models.Everybody), x, n)
		})
		reviewed := e.daysAgo(callCloses-1, 10, 0).Add(time.Duration(i) * 83 * time.Minute)
		if reviewed.Before(came) {
			reviewed = came.Add(12 * time.Hour)
		}
		e.review(x, reviewed, 25*time.Hour)
	}
	e.decide(entries)
	e.compose(entries)
}

// arrival returns when the nth of all submissions came in: few at first, most in the last week, some in the last hour.
func (e *edition) arrival(n, of int) time.Time {
	opens, closes := e.daysAgo(callOpens, 11, 0), e.daysAgo(callCloses, 22, 40)
	share, low, high := (float64(n)+0.5)/float64(of), 0.0, 1.0
	for range 30 { // bisects for where the curve reaches the share
		middle := (low + high) / 2
		if 0.32*middle+0.38*math.Pow(middle, 8)+0.3*math.Pow(middle, 60) < share {
			low = middle
		} else {
			high = middle
		}
	}
	return opens.Add(time.Duration(low * float64(closes.Sub(opens)))).Truncate(time.Second)
}

// answersOf returns the answers of a submission to the form's questions.
func answersOf(i int) models.AnswersInput {
	given := []string{"No", "Once, at a meetup in spring", "No, it was written for Tideline",
		"Yes, in Gdańsk; the recording is linked in my notes"}
	needs := []string{"", "I bring my own adapter.", "", "A session in the morning, please: my train leaves at five.",
		"Tables for groups of four, and a printer we can leave running.", "", "Step-free access to the stage."}
	answers := models.AnswersInput{{Key: givenBefore, Value: given[i%len(given)]}}
	if need := needs[i%len(needs)]; need != "" {
		answers = append(answers, models.Answer{Key: shouldWeKnow, Value: need})
	}
	return answers
}

// decide has organizers queue and commit decisions by the reviewers' opinions.
func (e *edition) decide(entries []*entry) {
	at := map[models.Status]int{}
	for _, x := range entries {
		status := models.Status(x.state)
		n := at[status]
		at[status]++
		var path []models.Status // statuses, each some days after the one before
		switch status {
		case models.Accepted:
			path = []models.Status{models.AcceptQueue, models.Accepted}
		case models.Declined:
			path = []models.Status{models.DeclineQueue, models.Declined}
		case models.AcceptQueue, models.DeclineQueue, models.Withdrawn:
			path = []models.Status{status}
		}
		for step, to := range path {
			days := decided + 1 - step
			if len(path) == 1 {
				days = 2 // what is queued now was queued lately
			}
			e.at(e.daysAgo(days, 13, 3*n+step), string(to)+" "+x.title, func(ctx context.Context) error {
				who := e.staff.Tomas // queues
				if to.IsDecision() {
					who = e.staff.Beatriz // commits
				}
				_, err := e.by(who).UpdateSession(ctx, x.row.ID,
					models.SessionChange{SessionInput: models.SessionInput{Status: &to}})
				return err
			})
		}
		if status == models.Accepted {
			e.letters(x, e.daysAgo(decided-1, 9, 3*n), n)
		}
	}
}

// These are the keys of the questions that submissions answer.
const (
	givenBefore  = "have_you_given_this_talk_before"
	shouldWeKnow = "anything_we_should_know"
)

// openCall has an organizer start the call with its form, and set when it opens and closes.
func (e *edition) openCall(started, opens, closes time.Time, more func(context.Context, *call.Call, *call.Form) error) {
	e.at(started, "starting the call", func(ctx context.Context) error {
		cfp := call.Of(e.by(e.staff.Beatriz))
		if err := cfp.Start(ctx); err != nil {
			return err
		}
		form, err := cfp.Form(ctx)
		if err != nil {
			return err
		}
		if _, err := cfp.AddQuestion(ctx, form.Parts[1].ID, call.QuestionInput{Key: shouldWeKnow, Type: field.LongText,
			Label: "Anything we should know?", Help: "What you need on stage, when you cannot come, who comes along.",
			Required: call.Optional, SeenBy: call.StaffOnly, MaxWords: new(150)}); err != nil {
			return err
		}
		if more != nil {
			return more(ctx, cfp, form)
		}
		return nil
	})
	e.at(opens, "opening the call", func(ctx context.Context) error {
		if err := call.Of(e.by(e.staff.Beatriz)).Change(ctx, call.SettingsChange{
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
func (e *edition) practicalQuestions(ctx context.Context, cfp *call.Call, form *call.Form) error {
	workshop, err := e.row(models.Formats, "Workshop")
	if err != nil {
		return err
	}
	format := form.Question(string(call.Format))
	in := call.InputOf(format)
	for _, offer := range [][2]string{{"Talk", "With five minutes for questions"}, {"Lightning talk", "One idea"},
		{"Workshop", "Up to 24 people"}} {
		id, err := e.row(models.Formats, offer[0])
		if err != nil {
			return err
		}
		in.Options = append(in.Options, call.Choice{Value: id, Note: offer[1]})
	}
	if _, err := cfp.ChangeQuestion(ctx, format.ID, in, nil); err != nil {
		return err
	}
	practical, err := cfp.AddPart(ctx, call.PartInput{Title: "Practical", Help: "Only organizers read this part."})
	if err != nil {
		return err
	}
	for _, q := range []struct {
		part string
		call.QuestionInput
	}{
		{form.Parts[0].ID, call.QuestionInput{Type: field.Text, Label: "What do people need to bring?", Required: call.Required,
			MaxWords: new(40), SeenBy: call.Reviewers, AskedIf: call.Condition{Formats: []string{workshop}}}},
		{practical.ID, call.QuestionInput{Type: field.YesNo, Label: "May we record and publish the session?",
			Required: call.Required, SeenBy: call.StaffOnly}},
		{practical.ID, call.QuestionInput{Type: field.Choices, Label: "What would make it possible to come?",
			Required: call.Optional, SeenBy: call.StaffOnly,
			Options: []call.Choice{{Value: "Travel"}, {Value: "A room"}, {Value: "Childcare"}, {Value: "Step-free access"}}}},
		{practical.ID, call.QuestionInput{Type: field.File, Label: "Slides or notes", Required: call.Later, SeenBy: call.StaffOnly,
			FileKinds: []call.FileKind{"pdf", "slides"}, MaxBytes: new(10 << 20)}},
		{practical.ID, call.QuestionInput{AskedOf: call.OfSpeaker, Type: field.Choice, Label: "What do you eat?",
			Help: "For supper on the evening before.", Required: call.Later,
			Options: []call.Choice{{Value: "Anything"}, {Value: "Vegetarian"}, {Value: "Vegan"}}}},
	} {
		if _, err := cfp.AddQuestion(ctx, q.part, q.QuestionInput); err != nil {
			return err
		}
	}
	return nil
}
