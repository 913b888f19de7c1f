package tasks

import (
	"context"
	"fmt"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	"lectern/views/words"
)

// actor changes deliverables: a speaker at their place, or staff.
type actor struct {
	p         *models.Programme
	contactID string // "" for staff
}

// author returns who acts, for the columns of a row: a speaker's id, or the name of staff.
func (a actor) author() (id *string, staff string) {
	if a.contactID != "" {
		return &a.contactID, ""
	}
	return nil, a.p.By().ActorName
}

// change runs decide on a deliverable and saves the result. It locks the owner (the session or the person) before the
// task. It answers NotFound if the owner does not have the task.
func (a actor) change(ctx context.Context, taskID, ownerID string,
	decide func(*store.Tx, *Deliverable) error) error {
	return a.p.Write(ctx, func(tx *store.Tx) error {
		if a.contactID != "" {
			if err := a.p.HoldActor(tx, a.contactID, errNoDeliverable); err != nil {
				return err
			}
		}
		d, err := a.hold(tx, taskID, ownerID)
		if err != nil {
			return err
		}
		before := *d
		if err := decide(tx, d); err != nil {
			return err
		}
		return a.keep(tx, &before, d)
	})
}

// hold loads a deliverable with its owner and task locked.
func (a actor) hold(tx *store.Tx, taskID, ownerID string) (*Deliverable, error) {
	d, err := a.load(tx.DB, taskID, ownerID)
	if err != nil {
		return nil, err
	}
	if err := a.holdOwner(tx, d); err != nil {
		return nil, err
	}
	return a.load(tx.DB, taskID, ownerID)
}

// holdOwner locks the session or the person of a deliverable, then its task.
func (a actor) holdOwner(tx *store.Tx, d *Deliverable) (err error) {
	if d.SessionID != nil {
		_, err = a.p.Live(tx, d.OwnerID())
	} else {
		_, err = store.One[models.Contact](tx.Lock().Where("organization_id = ? AND id = ? AND erased_at IS NULL",
			a.p.Event().OrganizationID, d.OwnerID()), errNoDeliverable)
	}
	if err == nil {
		_, err = store.One[Task](models.KeyShare(tx).Where("id = ?", d.TaskID), errNoDeliverable)
	}
	return err
}

// keep saves a changed deliverable, and records the change in the activity of its owner.
func (a actor) keep(tx *store.Tx, before, d *Deliverable) error {
	was, is := store.Changes(before.facts(), d.facts())
	if len(is) == 0 && !d.isMoved {
		return nil
	}
	d.UpdatedAt = tx.Now.Following(before.UpdatedAt)
	if d.ID == "" {
		if d.ID = store.NewID(); d.StateAt.IsZero() {
			d.StateAt = tx.Now
		}
		if err := tx.Create(d).Error; err != nil {
			return err
		}
	} else if err := tx.Save(d).Error; err != nil {
		return err
	}
	if d.Task.IsPublic && (d.State == Approved) != (before.State == Approved) {
		models.Touch(tx, d.EventID)
	}
	if d.isTold || len(is) == 0 {
		return nil
	}
	return a.recordActivity(tx, d, "task", was, is)
}

// bringTo moves a deliverable to a state; words explain it, or are "".
func (a actor) bringTo(tx *store.Tx, d *Deliverable, state State, words string) {
	d.State, d.Words, d.StateAt, d.isMoved = state, words, tx.Now, true
	d.AuthorID, d.ByName = a.author()
}

// recordActivity records activity about a deliverable, under its session or person.
func (a actor) recordActivity(tx *store.Tx, d *Deliverable, action string, was, is map[string]any) error {
	is["task"], is["task_id"] = d.Task.Title, d.TaskID
	subject := "session"
	if d.ContactID != nil {
		subject = "contact"
	}
	return a.p.Record(tx, store.Change{Subject: subject, ID: d.OwnerID(), Action: action, Before: was, After: is})
}

// facts returns the fields of a deliverable that can change, for the activity.
func (d *Deliverable) facts() map[string]any {
	return map[string]any{"state": string(d.State), "words": d.Words, "due_at": store.Fact(d.DueAt), "is_given": d.IsGiven}
}

// maxWords is how many characters a comment, a reason or a request for changes may have.
const maxWords = 4000

var (
	errApproved = store.Invalidf("task", "was approved, so nothing of it changes. Ask the organizers to open it again")
	errWaived   = store.Invalidf("task", "was waived, so nothing has to be handed in. Ask the organizers to open it again")
	errNotTick  = store.Invalidf("task", "is not one to tick off")
	errNoFile   = store.Missing("There is no such file.")
)

// tick marks a task as done, or as not done.
func (a actor) tick(ctx context.Context, taskID, ownerID string, done bool) error {
	return a.change(ctx, taskID, ownerID, func(tx *store.Tx, d *Deliverable) error {
		switch {
		case d.Task.Kind.HasVersions():
			return errNotTick
		case d.isFixed() != nil:
			return d.isFixed()
		case done && d.State != Done:
			a.bringTo(tx, d, Done, "")
		case !done && d.State == Done:
			a.bringTo(tx, d, Open, "")
		}
		return nil
	})
}

// Comment adds a comment to a deliverable's thread, and mails it to the others who have it; what a speaker writes, staff
// find on the board.
func (a actor) Comment(ctx context.Context, taskID, ownerID, text string) error {
	text, err := store.CleanText("text", text, maxWords)
	if err == nil && text == "" {
		err = store.Invalidf("text", "is empty. Write something first")
	}
	if err != nil {
		return err
	}
	return a.change(ctx, taskID, ownerID, func(tx *store.Tx, d *Deliverable) error {
		return a.say(tx, d, "taskcomment", text)
	})
}

// say stores a comment, and mails it to the other people who have the deliverable.
func (a actor) say(tx *store.Tx, d *Deliverable, name, text string) error {
	if err := a.mayComment(tx); err != nil {
		return err
	}
	c := &Comment{ID: store.NewID(), EventID: d.EventID, TaskID: d.TaskID, SessionID: d.SessionID, ContactID: d.ContactID,
		Text: text, CreatedAt: tx.Now}
	c.AuthorID, c.ByName = a.author()
	if err := tx.Create(c).Error; err != nil {
		return err
	}
	return a.mail(tx, d, name, text)
}

// maxComments is how many comments a speaker may make at an event per hour, because each is mailed to others.
const maxComments = 20

// mayComment answers TooMany, for the field text, when a speaker reached maxComments. Staff have no limit.
func (a actor) mayComment(tx *store.Tx) error {
	if a.contactID == "" {
		return nil
	}
	var said int64
	err := tx.Model(&Comment{}).Where("event_id = ? AND author_id = ? AND created_at > ?", a.p.Event().ID, a.contactID,
		store.At(tx.Now.Add(-time.Hour))).Count(&said).Error
	if err == nil && said >= maxComments {
		why := fmt.Sprintf("was not sent: you made %d comments within an hour. Send it again later", maxComments)
		err = &store.Error{Kind: store.TooMany, Message: "text " + why, Fields: []store.FieldError{{Field: "text", Message: why}}}
	}
	return err
}

// mail writes to the people of a deliverable, except the one who acts.
func (a actor) mail(tx *store.Tx, d *Deliverable, name, text string) error {
	title := ""
	if d.SessionID != nil {
		if err := tx.Model(&models.Session{}).Select("title").Where("event_id = ? AND id = ?", d.EventID, *d.SessionID).
			Row().Scan(&title); err != nil {
			return err
		}
	}
	who := a.p.By().ActorName
	for _, person := range d.had {
		if person.ID == a.contactID {
			continue
		}
		if _, err := call.Of(a.p).Write(tx, person.ID, name, func(l *words.Language) []any {
			return []any{"Task", d.called(l, title), "Who", who, "Text", call.Lines(text)}
		}); err != nil {
			return err
		}
	}
	return nil
}

// called returns how letters name a deliverable: its task, with the title of its session.
func (d *Deliverable) called(l *words.Language, session string) string {
	if d.SessionID == nil {
		return d.Task.Title
	}
	return l.T("letter.taskof", "Task", d.Task.Title, "Session", session)
}

// One returns a deliverable with its versions and comments. It answers NotFound, to speakers for any but their own.
func (a actor) One(ctx context.Context, taskID, ownerID string) (*Sheet, error) {
	d, err := a.load(a.p.Read(ctx), taskID, ownerID)
	if err != nil {
		return nil, err
	}
	s := &Sheet{Deliverable: d, People: d.had}
	db := a.p.Read(ctx)
	if err := d.of(db).Order("created_at DESC, id DESC").Find(&s.Versions).Error; err != nil {
		return nil, err
	}
	if err := d.of(db).Order("created_at, id").Find(&s.Comments).Error; err != nil {
		return nil, err
	}
	if err := s.fillOwner(db); err != nil {
		return nil, err
	}
	return s, s.fillNames(db, a.p.Event().OrganizationID)
}

// File returns the file of a version of a deliverable. It answers NotFound, to speakers for any but their own.
func (a actor) File(ctx context.Context, taskID, ownerID, versionID string) (*models.File, error) {
	d, err := a.load(a.p.Read(ctx), taskID, ownerID)
	if err != nil {
		return nil, err
	}
	v, err := store.OneByID[Version](d.of(a.p.Read(ctx)).Where("file_id IS NOT NULL"), versionID, errNoFile)
	if err != nil {
		return nil, err
	}
	return models.FileOf(a.p.Read(ctx), a.p.Event().OrganizationID, models.DeliverableFile, *v.FileID)
}
