package demo

import (
	"context"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/models/tasks"
)

// asked are this year's tasks.
type asked struct{ photo, slides, travel, recording *tasks.Task }

// deliver has an organizer ask speakers for what is needed before the stage, and some of them hand it in.
func (s *story) deliver(e *edition) {
	made := &asked{}
	s.at(s.daysAgo(4, 15, 30), "asking speakers for what is needed", func(ctx context.Context) error { return e.asks(ctx, made) })
	for i, title := range []string{"Queues that forget nothing", "The second team", "A format is a promise"} {
		s.at(s.daysAgo(3, 17, 11*i), "doing a first task for "+title, func(ctx context.Context) error {
			pl, who := e.placeOf(title)
			return pl.Tick(ctx, made.photo.ID, who, true)
		})
	}
	slides := func(days, hour int, title, name string) {
		s.at(s.daysAgo(days, hour, 40), "handing in slides for "+title, func(ctx context.Context) error {
			pl, _ := e.placeOf(title)
			return pl.Upload(ctx, made.slides.ID, e.entries[title].row.ID, models.Upload{Name: name, Content: []byte(onePage)})
		})
	}
	staffs := func(days, hour int, title string, do func(ctx context.Context, desk *tasks.Tasks, sessionID string) error) {
		s.at(s.daysAgo(days, hour, 15), "looking at the slides for "+title, func(ctx context.Context) error {
			return do(ctx, tasks.Of(e.by(s.staff.Beatriz)), e.entries[title].row.ID)
		})
	}
	const queues, second = "Queues that forget nothing", "The second team"
	slides(3, 18, queues, "queues-draft.pdf")
	slides(2, 8, queues, "queues-that-forget-nothing.pdf")
	s.at(s.daysAgo(2, 8, 55), "saying something about the slides", func(ctx context.Context) error {
		pl, _ := e.placeOf(queues)
		return pl.Comment(ctx, made.slides.ID, e.entries[queues].row.ID,
			"The second one has the incident notes. The checklist at the end still moves.")
	})
	staffs(1, 10, queues, func(ctx context.Context, desk *tasks.Tasks, id string) error {
		return desk.Decide(ctx, made.slides.ID, id, tasks.Ask,
			"We like it. The log lines on pages 7 and 8 cannot be read from the last row: could you set them larger?", nil)
	})
	slides(2, 20, second, "the-second-team.pdf")
	staffs(1, 11, second, func(ctx context.Context, desk *tasks.Tasks, id string) error {
		return desk.Decide(ctx, made.slides.ID, id, tasks.Approve, "", nil)
	})
	slides(1, 21, "A format is a promise", "a-format-is-a-promise.pdf")
}

// asks defines the tasks, without mails to speakers: whoever looks around here wrote none of these letters.
func (e *edition) asks(ctx context.Context, made *asked) (err error) {
	cfp := call.Of(e.by(e.staff.Beatriz))
	part, err := cfp.AddPart(ctx, call.PartInput{Title: "Travel and food", Help: "For supper on the evening before, and for your way here."})
	if err != nil {
		return err
	}
	for _, q := range []call.QuestionInput{
		{Label: "What do you eat?", Type: field.Choice, Required: call.Later,
			Options: []call.Choice{{Value: "Anything"}, {Value: "Vegetarian"}, {Value: "Vegan"}}},
		{Label: "Where do you travel from?", Type: field.Text, Required: call.Later},
		{Label: "Your ticket, if we pay it back", Type: field.File, Required: call.Optional, FileKinds: []call.FileKind{"pdf", "picture"}},
	} {
		q.AskedOf, q.SeenBy = call.OfSpeaker, call.StaffOnly
		if _, err := cfp.AddQuestion(ctx, part.ID, q); err != nil {
			return err
		}
	}
	due := func(days int) **store.Time { return new(new(store.At(e.lastMinute(-days)))) }
	desk := tasks.Of(e.by(e.staff.Beatriz))
	for _, t := range []struct {
		into **tasks.Task
		tasks.Change
	}{
		{&made.slides, tasks.Change{Title: new("A first set of slides"), Kind: new(tasks.File), AskedOf: new(tasks.OfSession),
			DueAt: due(1), FileKinds: &[]call.FileKind{"pdf", "slides"}, IsPublic: new(true),
			Instructions: new("Not the last word, but enough for the interpreters to begin.\n16:9, and nothing smaller than 24 points.")}},
		{&made.travel, tasks.Change{Title: new("Travel and food"), Kind: new(tasks.Form), DueAt: due(30), PartID: &part.ID}},
		{&made.photo, tasks.Change{Title: new("Photo and biography"), DueAt: due(9),
			Instructions: new("Look at your profile as visitors will see it, and tick this off once you like it.")}},
		{&made.recording, tasks.Change{Title: new("Code or handout"), Kind: new(tasks.Link), AskedOf: new(tasks.OfSession),
			IsRequired: new(false), Instructions: new("Where people find what you show, if there is such a place.")}},
	} {
		t.IsReminded = new(false)
		if *t.into, err = desk.Create(ctx, t.Change); err != nil {
			return err
		}
	}
	return nil
}

// placeOf returns the task page of an entry's first speaker, and the speaker's id.
func (e *edition) placeOf(title string) (*tasks.SpeakerTasks, string) {
	name := e.entries[title].by[0].name
	account := &call.Account{OrganizationID: e.event.OrganizationID, ContactID: e.people[name], Name: name,
		ConfirmedAt: new(e.db.Now())}
	by := store.By{Door: "call", ActorName: name}
	return tasks.ForSpeaker(call.PlaceOf(e.db, &call.Login{Account: account}, by), e.event), e.people[name]
}
