package tasks

import (
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Version is a file or a link that was handed in. The last one counts, unless an earlier one was chosen since.
type Version struct {
	ID        string `gorm:"primaryKey"`
	EventID   string
	TaskID    string
	SessionID *string
	ContactID *string
	FileID    *string
	URL       string  // of a link
	AuthorID  *string // nil for staff
	ByName    string  // the name of staff
	CreatedAt store.Time
	IsChosen  bool         // it counts in place of the last one, until the next one comes
	Number    int          `gorm:"-"` // from 1, in the order in which they came
	Count     int          `gorm:"-"` // the total number of versions; set on the one that counts
	Author    string       `gorm:"-"` // who handed it in, by name
	File      *models.File `gorm:"-"`
}

// TableName returns the table of versions.
func (Version) TableName() string { return "deliverable_versions" }

// Comment is a comment in a deliverable's thread.
type Comment struct {
	ID        string `gorm:"primaryKey"`
	EventID   string
	TaskID    string
	SessionID *string
	ContactID *string
	Text      string
	AuthorID  *string // nil for staff
	ByName    string  // the name of staff
	CreatedAt store.Time
	Author    string `gorm:"-"` // who said it, by name
}

// TableName returns the table of comments.
func (Comment) TableName() string { return "deliverable_comments" }

// IsOfStaff reports whether staff wrote the comment.
func (c *Comment) IsOfStaff() bool { return c.AuthorID == nil }

// Sheet is a deliverable with its versions and comments.
type Sheet struct {
	*Deliverable
	Owner    string     // the session's title or the person's name
	Label    string     // the session's, such as A-12; "" for a person
	By       string     // the name of who brought it to its state; "" for nobody
	People   []Person   // who have it
	Versions []*Version // the version that counts first, then newest first
	Comments []*Comment // oldest first
}

// Person is somebody who has a deliverable, for a session or for themselves.
type Person struct{ ID, Name string }

// Latest returns the version that counts, nil for none.
func (s *Sheet) Latest() *Version {
	if len(s.Versions) == 0 {
		return nil
	}
	return s.Versions[max(slices.IndexFunc(s.Versions, func(v *Version) bool { return v.IsChosen }), 0)]
}

// latestFirst orders versions so that the one that counts comes first.
const latestFirst = "is_chosen DESC, created_at DESC, id DESC"

var errNoDeliverable = store.Missing("There is no such task here. It was taken away, or is not asked for any more.")

// load reads a task as an owner has it. Staff also read what an owner handed in who no longer has it. It answers NotFound.
func (a actor) load(db *gorm.DB, taskID, ownerID string) (*Deliverable, error) {
	if !store.IsID(taskID) || !store.IsID(ownerID) {
		return nil, errNoDeliverable
	}
	task, err := store.One[Task](db.Session(&gorm.Session{}).Where("event_id = ? AND id = ?", a.p.Event().ID, taskID), errNoDeliverable)
	if err != nil {
		return nil, err
	}
	d, err := task.kept(db, ownerID)
	if err != nil {
		return nil, err
	}
	if d.had, err = d.people(db.Session(&gorm.Session{})); err != nil {
		return nil, err
	}
	has := len(d.had) > 0 || d.ID != ""
	if a.contactID != "" {
		has = slices.ContainsFunc(d.had, func(p Person) bool { return p.ID == a.contactID })
	}
	if !has {
		return nil, errNoDeliverable
	}
	return d, nil
}

// kept returns the owner's deliverable from its row, or an untouched one.
func (t *Task) kept(db *gorm.DB, ownerID string) (*Deliverable, error) {
	d := t.untouched(&ownerID)
	row, err := store.One[Deliverable](d.of(db.Session(&gorm.Session{})), nil)
	if row != nil {
		d, row.Task = row, t
	}
	return d, err
}

func (s *Sheet) fillOwner(db *gorm.DB) error {
	if s.SessionID == nil {
		return nil // fillNames fills it in
	}
	return db.Model(&models.Session{}).Select("title AS owner, friendly_id AS label").
		Where("event_id = ? AND id = ?", s.EventID, *s.SessionID).Row().Scan(&s.Owner, &s.Label)
}

// fillNames fills in the names of people, and the numbers and files of versions.
func (s *Sheet) fillNames(db *gorm.DB, organizationID string) error {
	ids, fileIDs := []string{}, []string{}
	note := func(id *string) {
		if id != nil {
			ids = append(ids, *id)
		}
	}
	note(s.ContactID)
	note(s.AuthorID)
	for _, v := range s.Versions {
		if note(v.AuthorID); v.FileID != nil {
			fileIDs = append(fileIDs, *v.FileID)
		}
	}
	for _, c := range s.Comments {
		note(c.AuthorID)
	}
	names, err := namesOf(db, organizationID, ids)
	if err != nil {
		return err
	}
	var found []*models.File
	if err := db.Where("organization_id = ? AND id IN ?", organizationID, fileIDs).Find(&found).Error; err != nil {
		return err
	}
	files := store.ByKey(found, func(f *models.File) string { return f.ID })
	if s.ContactID != nil {
		s.Owner = names[*s.ContactID]
	}
	s.By = author(names, s.AuthorID, s.ByName)
	for i, v := range s.Versions {
		if v.Number, v.Author = len(s.Versions)-i, author(names, v.AuthorID, v.ByName); v.FileID != nil {
			v.File = files[*v.FileID]
		}
	}
	for _, c := range s.Comments {
		c.Author = author(names, c.AuthorID, c.ByName)
	}
	return nil
}

func author(names map[string]string, id *string, staff string) string {
	if id != nil {
		return names[*id]
	}
	return staff
}

// namesOf returns the names of contacts of an organization, by id.
func namesOf(db *gorm.DB, organizationID string, ids []string) (map[string]string, error) {
	var rows []struct{ ID, FullName string }
	err := db.Table("contacts").Select("id, full_name").Where("organization_id = ? AND id IN ?", organizationID, ids).Scan(&rows).Error
	names := map[string]string{}
	for _, row := range rows {
		names[row.ID] = row.FullName
	}
	return names, err
}
