package people

import (
	"lectern/models"
	"lectern/models/store"
)

// PersonalTask is a task that a person had, or for which they handed in or said something.
type PersonalTask struct {
	Event    string            `json:"event"`
	Task     string            `json:"task"`
	Session  string            `json:"session"` // "" for a task of their own
	State    string            `json:"state"`
	HandedIn []PersonalVersion `json:"handed_in"` // by them, or for them alone
	Said     []PersonalSaid    `json:"comments"`  // by them, or to them alone
}

// PersonalVersion is a file or a link that was handed in.
type PersonalVersion struct {
	At   store.Time `json:"at"`
	File string     `json:"file"`
	Link string     `json:"link"`
}

// PersonalSaid is a comment, without the name of another author.
type PersonalSaid struct {
	At      store.Time `json:"at"`
	IsTheir bool       `json:"by_them"`
	Text    string     `json:"text"`
}

// theirTasks selects the tasks with something of a contact: their own, or a session's with something by them.
const theirTasks = `SELECT DISTINCT x.event_id, x.task_id, coalesce(x.session_id, '') AS session_id FROM (
		SELECT event_id, task_id, session_id, contact_id, author_id FROM deliverables
		UNION ALL SELECT event_id, task_id, session_id, contact_id, author_id FROM deliverable_versions
		UNION ALL SELECT event_id, task_id, session_id, contact_id, author_id FROM deliverable_comments) x
	WHERE x.contact_id = @contact OR x.author_id = @contact`

// tasks collects the person's tasks, with what they handed in and said.
func (g *gatherer) tasks() error {
	var found []struct{ EventID, TaskID, SessionID, Title, Session, State string }
	if err := g.tx.Raw(`SELECT q.event_id, q.task_id, q.session_id, t.title, coalesce(s.friendly_id, '') AS session,
			coalesce(d.state, 'open') AS state
		FROM (`+theirTasks+`) q JOIN tasks t ON t.id = q.task_id LEFT JOIN sessions s ON s.id = q.session_id
		LEFT JOIN deliverables d ON d.task_id = q.task_id AND (q.session_id <> '' AND d.session_id = q.session_id
			OR q.session_id = '' AND d.contact_id = @contact)
		ORDER BY q.event_id, t.position, q.task_id, q.session_id`, map[string]any{"contact": g.of.ID}).Scan(&found).Error; err != nil {
		return err
	}
	for _, row := range found {
		t := PersonalTask{Event: g.names[row.EventID], Task: row.Title, Session: row.Session, State: row.State}
		const of = "task_id = ? AND (contact_id = ? OR session_id = ? AND author_id = ?)"
		ids := []any{row.TaskID, g.of.ID, row.SessionID, g.of.ID}
		if err := g.tx.Table("deliverable_versions v").Joins("LEFT JOIN files f ON f.id = v.file_id").Where("v."+of, ids...).
			Select("v.created_at AS at, coalesce(f.name, '') AS file, v.url AS link").Order("v.created_at, v.id").
			Scan(&t.HandedIn).Error; err != nil {
			return err
		}
		if err := g.tx.Table("deliverable_comments").Where(of, ids...).
			Select("created_at AS at, author_id IS NOT NULL AS is_their, text").Order("created_at, id").Scan(&t.Said).Error; err != nil {
			return err
		}
		g.data.Tasks = append(g.data.Tasks, t)
	}
	return g.taskFiles()
}

// taskFiles adds the files that the person handed in to the archive.
func (g *gatherer) taskFiles() error {
	var files []*models.File
	err := g.tx.Where("organization_id = ? AND id IN (SELECT file_id FROM deliverable_versions WHERE contact_id = ? OR author_id = ?)",
		g.ID, g.of.ID, g.of.ID).Order("created_at, id").Find(&files).Error
	g.data.answers = append(g.data.answers, files...)
	return err
}

// PersonalRevision is a change that a person made to approved content and that waits for staff.
type PersonalRevision struct {
	Event       string     `json:"event"`
	Session     string     `json:"session"` // "" for the profile
	At          store.Time `json:"at"`
	Title       *string    `json:"title"`
	Description *string    `json:"description"`
	About       *string    `json:"about"`
	HasPhoto    bool       `json:"photo"` // the photo is in the archive
}

// revisions collects the person's waiting revisions.
func (g *gatherer) revisions() error {
	var found []struct {
		PersonalRevision
		EventID string
		PhotoID *string
	}
	if err := g.tx.Table("revisions r").Joins("LEFT JOIN sessions s ON s.id = r.session_id").
		Where("r.author_id = ? OR r.contact_id = ?", g.of.ID, g.of.ID).Order("r.created_at, r.id").
		Select("r.event_id, coalesce(s.friendly_id, '') AS session, r.updated_at AS at, r.title, r.description, r.about, r.photo_id").
		Scan(&found).Error; err != nil {
		return err
	}
	for _, r := range found {
		r.Event, r.HasPhoto = g.names[r.EventID], r.PhotoID != nil
		g.data.Revisions = append(g.data.Revisions, r.PersonalRevision)
		if r.HasPhoto {
			photo, err := models.FileOf(g.tx.DB, g.ID, models.PhotoFile, *r.PhotoID)
			if err != nil {
				return err
			}
			g.data.answers = append(g.data.answers, photo)
		}
	}
	return nil
}
