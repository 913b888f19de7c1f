package tasks

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
)

// SpeakerTasks is where a speaker finds their tasks of one event, and hands them in.
type SpeakerTasks struct {
	actor
	at *call.Place
}

// ForSpeaker returns a speaker's tasks at an event.
func ForSpeaker(pl *call.Place, event *models.Event) *SpeakerTasks {
	return &SpeakerTasks{actor{pl.At(event), pl.ContactID()}, pl}
}

// All returns the speaker's deliverables at the event: missing ones first, by due date, then the others.
func (pl *SpeakerTasks) All(ctx context.Context) ([]*SpeakerTask, error) {
	if !pl.at.OpensAt(pl.p.Event()) {
		return nil, nil
	}
	tasks, err := Of(pl.p).All(ctx)
	if err != nil || len(tasks) == 0 {
		return nil, err
	}
	_, ofKept, values := Wanted{ContactID: pl.contactID}.conditions()
	kept, err := readDeliverables(pl.p.Read(ctx),
		keptSearch{eventID: pl.p.Event().ID, dated: true, condition: ofKept, values: values})
	if err != nil {
		return nil, err
	}
	seats, err := seatsOf(pl.p.Read(ctx), seatSearch{eventID: pl.p.Event().ID, tasks: tasks,
		condition: " AND x.contact_id = @id", values: values})
	if err != nil {
		return nil, err
	}
	b := newBoard(tasks, pl.p.Now())
	b.fill(seats, kept)
	mine := make([]*SpeakerTask, len(b.All))
	for i, d := range b.All {
		if mine[i] = (&SpeakerTask{Deliverable: d}); d.SessionID != nil {
			mine[i].Title = b.Owner(d)
		}
	}
	slices.SortStableFunc(mine, func(a, b *SpeakerTask) int {
		if a.IsMissing() != b.IsMissing() {
			if a.IsMissing() {
				return -1
			}
			return 1
		}
		return byDue(a.Due(), b.Due())
	})
	return mine, nil
}

// SpeakerTask is a deliverable of a speaker.
type SpeakerTask struct {
	*Deliverable
	Title string // of the session; "" for their own
}

// One returns a deliverable of the speaker with its versions and comments. It answers NotFound for any other.
func (pl *SpeakerTasks) One(ctx context.Context, taskID, ownerID string) (*Sheet, error) {
	if !pl.at.OpensAt(pl.p.Event()) {
		return nil, errNoDeliverable
	}
	return pl.actor.One(ctx, taskID, ownerID)
}

// Tick marks a Tick task as done, or as not done. It answers NotFound, and Invalid for a task of another kind and once
// it was approved or waived.
func (pl *SpeakerTasks) Tick(ctx context.Context, taskID, ownerID string, done bool) error {
	s, err := pl.One(ctx, taskID, ownerID)
	if err == nil && s.Task.Kind != Tick {
		err = errNotTick
	}
	if err != nil {
		return err
	}
	return pl.tick(ctx, taskID, ownerID, done)
}

// Finish marks a Form task as filled in. It answers Invalid, by the keys of questions, for missing answers.
func (pl *SpeakerTasks) Finish(ctx context.Context, taskID, ownerID string) error {
	s, err := pl.One(ctx, taskID, ownerID)
	if err != nil {
		return err
	}
	if s.Task.Kind != Form || s.Task.PartID == nil {
		return errNotTick
	}
	if err := s.isFixed(); err != nil {
		return err
	}
	own, err := pl.at.OwnAnswers(ctx, pl.p.Event())
	if err != nil {
		return err
	}
	if missing := own.MissingIn(*s.Task.PartID); len(missing) > 0 {
		return call.Incomplete(missing)
	}
	return pl.tick(ctx, taskID, ownerID, true)
}

// Upload hands in a file as the latest version. It answers Invalid, for file, for what the task does not accept,
// TooMany above the hourly limit of uploads, NotFound, and Unavailable when the file store cannot keep it. When it
// fails nothing is kept, and earlier versions stay.
func (pl *SpeakerTasks) Upload(ctx context.Context, taskID, ownerID string, u models.Upload) error {
	s, err := pl.One(ctx, taskID, ownerID) // do not accept bytes for somebody else's deliverable
	if err != nil {
		return err
	}
	if err := s.takesFile(u); err != nil { // refused files do not count towards the limit
		return err
	}
	if err := pl.at.MayBring(ctx, pl.p.Event(), "file", len(u.Content)); err != nil {
		return err
	}
	return pl.bring(ctx, taskID, ownerID, u)
}

// bring stores the bytes of a file and hands it in.
func (a actor) bring(ctx context.Context, taskID, ownerID string, u models.Upload) error {
	f, err := a.p.Store().BringFile(ctx, a.p.By(), models.DeliverableFile, "file", u)
	if err != nil {
		return err
	}
	return a.handIn(ctx, taskID, ownerID, Version{File: f})
}

// takesFile answers Invalid for an upload that a deliverable does not accept, before its bytes are stored.
func (d *Deliverable) takesFile(u models.Upload) error {
	if d.Task.Kind != File {
		return store.Invalidf("file", "is not what this task asks for")
	}
	if err := d.isFixed(); err != nil {
		return err
	}
	return d.Task.Question().Takes(u.Name, int64(len(u.Content)), u.Content[:min(len(u.Content), 16)])
}

// File returns the file of a version of the speaker's deliverable. It answers NotFound.
func (pl *SpeakerTasks) File(ctx context.Context, taskID, ownerID, versionID string) (*models.File, error) {
	if !pl.at.OpensAt(pl.p.Event()) {
		return nil, errNoFile
	}
	return pl.actor.File(ctx, taskID, ownerID, versionID)
}

// Link hands in a link as the latest version. It answers Invalid, for url, for what is not one, and for task for one that
// takes none or was approved or waived, and NotFound.
func (a actor) Link(ctx context.Context, taskID, ownerID, url string) error {
	url, err := cleanLink(url)
	if err != nil {
		return err
	}
	return a.handIn(ctx, taskID, ownerID, Version{URL: url})
}

// handIn stores a file or a link as the latest version. It answers Invalid, for file or url, for what the task does not
// accept, and NotFound if the owner does not have it; the file is not kept then.
func (a actor) handIn(ctx context.Context, taskID, ownerID string, v Version) error {
	return a.change(ctx, taskID, ownerID, func(tx *store.Tx, d *Deliverable) error {
		if err := d.takes(&v); err != nil {
			return err
		}
		if v.File != nil {
			if err := models.KeepFile(tx, a.p.Event().OrganizationID, v.File); err != nil {
				return err
			}
			v.FileID = &v.File.ID
		}
		if err := d.of(tx.Model(&Version{})).Where("is_chosen").UpdateColumn("is_chosen", false).Error; err != nil {
			return err
		}
		v.ID, v.EventID, v.TaskID, v.SessionID, v.ContactID = store.NewID(), d.EventID, d.TaskID, d.SessionID, d.ContactID
		v.AuthorID, v.ByName = a.author()
		v.CreatedAt = tx.Now
		if err := tx.Create(&v).Error; err != nil {
			return err
		}
		a.bringTo(tx, d, Done, "")
		d.isTold = true
		return a.recordActivity(tx, d, "handed_in", nil, v.said())
	})
}

// said returns what the activity records of a version.
func (v *Version) said() map[string]any {
	if v.File == nil {
		return map[string]any{}
	}
	return map[string]any{"file": v.File.Name, "file_id": v.File.ID}
}

// MakeLatest makes an earlier version the one that counts; staff check it like a new one. It answers NotFound, and
// Invalid for task once it was approved or waived.
func (a actor) MakeLatest(ctx context.Context, taskID, ownerID, versionID string) error {
	return a.change(ctx, taskID, ownerID, func(tx *store.Tx, d *Deliverable) error {
		v, err := store.OneByID[Version](d.of(tx.DB), versionID, errNoFile)
		if err != nil {
			return err
		}
		if err := d.isFixed(); err != nil {
			return err
		}
		if err := d.of(tx.Model(&Version{})).UpdateColumn("is_chosen", gorm.Expr("id = ?", v.ID)).Error; err != nil {
			return err
		}
		a.bringTo(tx, d, Done, "")
		d.isTold = true
		if v.FileID != nil {
			if v.File, err = models.FileOf(tx.DB, a.p.Event().OrganizationID, models.DeliverableFile, *v.FileID); err != nil {
				return err
			}
		}
		return a.recordActivity(tx, d, "made_latest", nil, v.said())
	})
}

// takes answers Invalid for a version that a deliverable does not accept.
func (d *Deliverable) takes(v *Version) error {
	switch {
	case d.Task.Kind == File && v.File == nil, d.Task.Kind == Link && v.URL == "", !d.Task.Kind.HasVersions():
		return store.Invalidf("task", "does not take that: it was changed meanwhile. Look at it again")
	}
	return d.isFixed()
}

// isFixed answers Invalid for a deliverable that was approved or waived: nothing changes until staff reopen it.
func (d *Deliverable) isFixed() error {
	switch d.State {
	case Approved:
		return errApproved
	case Waived:
		return errWaived
	}
	return nil
}

// cleanLink checks and normalizes a link.
func cleanLink(url string) (string, error) {
	url, err := store.CleanURL("url", url, store.MaxURL)
	if err == nil && url == "" {
		err = store.Invalidf("url", "is empty. Paste the address of what you hand in")
	}
	return url, err
}
