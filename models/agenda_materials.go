package models

import (
	"gorm.io/gorm"

	"lectern/models/store"
)

// PublicMaterial is a file or a link that speakers handed in for a task and staff approved and show.
type PublicMaterial struct {
	ID        string // of the version, which its address has
	Title     string // of the task, such as Slides
	URL       string // of a link, "" of a file
	FileID    string // "" of a link
	Ending    string // of the file's name, with its dot
	Size      int64  // bytes of the file
	UpdatedAt store.Time
}

// materials are what is shown of the tasks of public sessions and of their parts.
func (p *Programme) materials(db *gorm.DB, sessions map[string]*PublicSession) agendaPart {
	type row struct {
		sessionID, name string
		PublicMaterial
	}
	var rows []*row
	query := db.Raw(`SELECT s.id, v.id, t.title, v.url, coalesce(f.id, ''), coalesce(f.name, ''), coalesce(f.size, 0), d.state_at
		FROM deliverables d JOIN tasks t ON t.id = d.task_id AND t.is_public
		JOIN sessions x ON x.event_id = d.event_id AND x.id = d.session_id AND x.deleted_at IS NULL AND x.status = 'accepted'
		JOIN sessions s ON s.event_id = x.event_id AND s.id = coalesce(x.composed_into, x.id)
		JOIN deliverable_versions v ON v.task_id = d.task_id AND v.session_id = d.session_id
			AND NOT EXISTS (SELECT 1 FROM deliverable_versions n WHERE n.task_id = v.task_id AND n.session_id = v.session_id
				AND (n.is_chosen, n.created_at, n.id) > (v.is_chosen, v.created_at, v.id))
		LEFT JOIN files f ON f.id = v.file_id
		WHERE d.event_id = ? AND d.state = 'approved' AND `+ofShown+` ORDER BY t.position, t.id, x.part_order, x.id`, p.event.ID)
	targets := func() []any {
		x := &row{}
		rows = append(rows, x)
		return []any{&x.sessionID, &x.ID, &x.Title, &x.URL, &x.FileID, &x.name, &x.Size, &x.UpdatedAt}
	}
	return agendaPart{store.Asked{Query: query, Targets: targets}, func() {
		for _, x := range rows {
			if s := sessions[x.sessionID]; s != nil {
				x.Ending = EndingOf(x.name)
				s.Materials = append(s.Materials, x.PublicMaterial)
			}
		}
	}}
}
